"""The ghosts of the framework: aggressive ones, and those of the arcade game."""

from __future__ import annotations

from manyminds.games.pacman.state import BLINKY, INKY, PINKY, SUE
from manyminds.players.pacman.greedy import (
    as_the_crow_flies,
    by_rows_and_columns,
    by_way,
    step_to,
)
from manyminds.players.pacman.seated import Placed, Sight

GHOST_SEATS = (BLINKY, PINKY, INKY, SUE)
_METRICS = {BLINKY: by_way, PINKY: as_the_crow_flies, INKY: by_rows_and_columns}


class Aggressive(Placed):
    """Each ghost takes the step that is nearest to Pac-Man by the ways there are, never back."""

    seats = GHOST_SEATS

    def ghost(self, sight: Sight, legal: list[int]) -> int:
        return step_to(sight.ground, sight.ghost(self.seat - 1), sight.pacman, legal)


class Legacy(Placed):
    """Blinky by the way, Pinky as the crow flies, Inky by rows and columns, Sue at random."""

    seats = GHOST_SEATS

    def ghost(self, sight: Sight, legal: list[int]) -> int:
        if self.seat == SUE:
            return self.rng.choice(legal)
        here = sight.ghost(self.seat - 1)
        return step_to(sight.ground, here, sight.pacman, legal, _METRICS[self.seat])
