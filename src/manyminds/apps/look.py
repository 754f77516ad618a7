"""How games look in a terminal: their positions, and the mark before each seat's name.

A game without a look of its own is drawn by its `show`. The table is open: `LOOKS["mine"] = my_look`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text

from manyminds.games.contract import Game, State


class Look(NamedTuple):
    """`draw` gives a position, `mark` what stands right before a seat's name (nothing in most games)."""

    draw: Callable[[State], Text]
    mark: Callable[[int], Text]


def plain_look(game: Game) -> Look:
    """The game's own text, no marks."""
    return Look(lambda state: Text(game.show(state), no_wrap=True), lambda seat: Text())


def go_look(game: Game) -> Look:
    """Stones with a mark and a style for each of the six colours, the last move in brackets."""
    from manyminds.games.go.diagram import Position, board_rich, mark_rich

    def draw(state: State) -> Text:
        board = board_rich(Position.of(state))
        board.rstrip()
        return board

    return Look(draw, lambda seat: mark_rich(seat + 1).append(" ", "not bold default on default"))


LOOKS: dict[str, Callable[[Game], Look]] = {"go": go_look}


def look_of(game: Game, encoding: str) -> Look:
    """The game's look where the terminal knows the signs, else its plain text."""
    if not encoding.lower().startswith("utf"):
        return plain_look(game)
    return LOOKS.get(game.title, plain_look)(game)
