"""From a drawn position to a state of the game, to play on from there."""

from __future__ import annotations

from manyminds.core.errors import UsageError
from manyminds.games.contract import Game, State
from manyminds.games.go.coordinates import PASS, point_at
from manyminds.games.go.diagram import Position
from manyminds.games.go.stones import without_liberty


def state_of(game: Game, position: Position) -> State:
    """A state of this game of Go with the position's stones, mover, ko and last move.

    No move counts as made; the game's own komi, limit and superko hold, and superko knows of no
    earlier board. A game for more colours than are drawn will do.
    """
    state = game.start()
    board = int(state.width), int(state.height)
    if board != (position.width, position.height) or state.colours < position.colours:
        raise UsageError(
            f"a position of {position.width}x{position.height} points and {position.colours} "
            f"colours does not fit {game.title} on {board[0]}x{board[1]} with {state.colours}"
        )
    if without_liberty(position.stones, *board):
        raise UsageError("a string without liberty stands on this board: such a position cannot be")
    for place, colour in sorted(position.stones.items()):  # in no order does a stone take another
        state.to_play = colour
        game.play(state, point_at(*place))
    state.seen[0] = state.seen[state.moves]  # superko's hash of all these stones
    state.seen[1 : int(state.moves) + 1] = 0
    state.moves = state.passes = state.last2 = 0
    state.to_play = position.to_play
    state.ko = PASS if position.ko is None else point_at(*position.ko)
    state.last = PASS if position.last is None else point_at(*position.last)
    return state
