"""What a search asks in passing: one compiled entry for each question."""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import entry
from manyminds.search.loop import child_with


@entry
def open_turn(game, view):
    """Begin a split turn at the present state."""
    game.open_turn(view)


@entry
def play(game, state, move):
    """Play a move of the tree."""
    game.play(state, move)


@entry
def seat(game, state):
    """Who chooses now; -2 nature, -3 when the game is over."""
    return -3 if game.over(state) else int(game.seat(state))


@entry
def tree_moves(game, state, out, settings):
    """The moves that the tree would have here."""
    return game.tree_moves(state, out, settings)


@entry
def child_of_root(tree, move):
    """The root's child by a move; 0 when there is none."""
    if tree.nodes[0].count == 0:
        return np.uint32(0)
    return child_with(tree, np.uint32(0), np.uint32(move))
