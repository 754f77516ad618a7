"""How games look in a terminal: their positions, and a sign for each seat.

A game without a look of its own is drawn by its `show`. The table is open: `LOOKS["mine"] = my_look`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text

from manyminds.games.contract import Game, State


class Look(NamedTuple):
    """How to draw a position, and a seat's sign: one character, or nothing where seats have none."""

    draw: Callable[[State], Text]
    sign: Callable[[int], Text]

    def mark(self, seat: int) -> Text:
        """What stands right before a seat's name: its sign with room around it."""
        sign = self.sign(seat)
        return Text.assemble((" ", sign.style), sign, (" ", sign.style), " ") if sign else sign


def plain_look(game: Game) -> Look:
    """The game's own text, no signs."""
    return Look(lambda state: Text(game.show(state), no_wrap=True), lambda seat: Text())


def go_look(game: Game) -> Look:
    """Stones with a sign and a style for each of the six colours, the last move in brackets."""
    from manyminds.games.go.colours import BOARD_STYLE, COLOURS
    from manyminds.games.go.diagram import Position, board_rich

    def draw(state: State) -> Text:
        board = board_rich(Position.of(state))
        board.rstrip()
        return board

    def sign(seat: int) -> Text:
        return Text(COLOURS[seat].mark, f"{COLOURS[seat].style} {BOARD_STYLE}")

    return Look(draw, sign)


LOOKS: dict[str, Callable[[Game], Look]] = {"go": go_look}


def look_of(game: Game, encoding: str) -> Look:
    """The game's look where the terminal knows the signs, else its plain text."""
    if not encoding.lower().startswith("utf"):
        return plain_look(game)
    return LOOKS.get(game.title, plain_look)(game)
