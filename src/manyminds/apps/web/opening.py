"""A table's game and its first position, for whoever plays it out again."""

from __future__ import annotations

from manyminds.apps.web.event import Setup
from manyminds.games.contract import Game
from manyminds.games.go.coordinates import row_and_column
from manyminds.games.go.diagram import Position
from manyminds.games.go.game import go


def game_of(setup: Setup) -> Game:
    """Go as this table plays it."""
    return go(
        size=(setup.width, setup.height),
        colours=len(setup.seats),
        komi=setup.komi,
        superko=setup.superko,
    )


def opening_of(setup: Setup) -> Position | None:
    """The position before the first move, where it is not the empty board with Black to play."""
    if not setup.stones and setup.to_play == 1:
        return None
    stones = {row_and_column(point): colour for point, colour in setup.stones}
    return Position(setup.width, setup.height, len(setup.seats), stones, setup.to_play)
