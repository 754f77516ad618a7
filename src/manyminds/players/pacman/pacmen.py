"""The simple Pac-Man of the framework: to the nearest pill, and no look at the ghosts."""

from __future__ import annotations

from manyminds.games.pacman.maze import NEUTRAL
from manyminds.games.pacman.state import PACMAN
from manyminds.players.pacman.greedy import nearest, step_to, ways
from manyminds.players.pacman.ground import pills_left
from manyminds.players.pacman.seated import Placed, Sight


class NearestPill(Placed):
    """The shortest way to the nearest pill or power pill, the one of lowest number among equals."""

    seats = (PACMAN,)

    def pacman(self, sight: Sight) -> int:
        return step_to_pill(sight)


def step_to_pill(sight: Sight) -> int:
    """The step to the nearest pill; pills come before power pills of equal distance."""
    places = pills_left(sight.ground, sight.state, powers=True).tolist()
    target = nearest(sight.ground, sight.pacman, places)
    if target is None:
        return NEUTRAL
    return step_to(sight.ground, sight.pacman, target, ways(sight.ground, sight.pacman))
