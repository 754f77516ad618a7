"""SafePath: the cheap careful Pac-Man, who goes where no ghost can be in time."""

from __future__ import annotations

import numpy as np

from manyminds.games.contract import Game
from manyminds.games.pacman.maze import NEUTRAL
from manyminds.games.pacman.state import PACMAN
from manyminds.players.pacman.chase import chase_of
from manyminds.players.pacman.ground import pills_left
from manyminds.players.pacman.layers import NEVER, layers_of
from manyminds.players.pacman.pacmen import step_to_pill
from manyminds.players.pacman.seated import Placed, Sight, ways_of_pacman
from manyminds.players.player import Lineup


class SafePath(Placed):
    """Of the directions that live longest, the one with the first pill on a way that lives so long.

    Without a pill there, the way to the nearest one; if he is doomed, the way on.
    """

    seats = (PACMAN,)

    def __init__(self, ticks: int = 70) -> None:
        self.ticks = ticks

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        super().begin(game, seat, lineup)
        self.pacman(Sight(game, game.start()))  # what has to be compiled is so now

    def pacman(self, sight: Sight) -> int:
        marks = pill_marks(sight)
        found = layers_of(sight.ground, chase_of(sight), marks, self.ticks)
        longest = int(found.lasts.max())
        if longest == 0:
            return NEUTRAL
        able = [d for d in ways_of_pacman(sight) if int(found.lasts[d]) == longest]
        if min(int(found.pill_all_along[d]) for d in able) == NEVER:
            wish = step_to_pill(sight)
            return wish if wish in able else able[0]
        return min(able, key=lambda d: int(found.pill_all_along[d]))


def pill_marks(sight: Sight) -> np.ndarray:
    """By node, 1 where a pill or a power pill lies."""
    marks = np.zeros(len(sight.ground.exits), np.uint8)
    marks[pills_left(sight.ground, sight.state, powers=True)] = 1
    return marks
