"""The framework's examples: a Pac-Man who flees, hunts and eats, and ghosts who hunt and flee."""

from __future__ import annotations

from manyminds.games.pacman.state import GHOSTS
from manyminds.players.pacman.greedy import by_way, nearest, step_from, step_to
from manyminds.players.pacman.pacmen import step_to_pill
from manyminds.players.pacman.seated import Placed, Sight, step_or_stay, ways_of_pacman

_POWER_NEAR = 15  # steps from a power pill at which ghosts keep away from Pac-Man


class Starter(Placed):
    """As Pac-Man: from the first ghost that is near; else to the nearest edible one; else to a pill.

    As a ghost: away from him while it can be eaten or soon could be; else to him, most of the time.
    """

    def __init__(self, near: int = 20, steady: float = 0.9) -> None:
        self.near, self.steady = near, steady

    def pacman(self, sight: Sight) -> int:
        ground, here = sight.ground, sight.pacman
        out = [ghost for ghost in range(GHOSTS) if sight.is_out(ghost)]
        for ghost in out:
            there = sight.ghost(ghost)
            if not sight.is_edible(ghost) and by_way(ground, here, there) < self.near:
                return step_from(ground, here, there, ways_of_pacman(sight))
        prey = [sight.ghost(ghost) for ghost in out if sight.is_edible(ghost)]
        target = nearest(ground, here, prey)
        if target is not None:
            return step_or_stay(ground, step_to(ground, here, target, ways_of_pacman(sight)))
        return step_to_pill(sight)

    def ghost(self, sight: Sight, legal: list[int]) -> int:
        here = sight.ghost(self.seat - 1)
        if sight.is_edible(self.seat - 1) or _near_power(sight):
            return step_from(sight.ground, here, sight.pacman, legal)
        if self.rng.random() < self.steady:
            return step_to(sight.ground, here, sight.pacman, legal)
        return self.rng.choice(legal)


def _near_power(sight: Sight) -> bool:
    """Whether Pac-Man is about to eat a power pill."""
    left = [n for n in range(len(sight.ground.powers)) if int(sight.state.power) >> n & 1]
    steps = (by_way(sight.ground, sight.pacman, int(sight.ground.powers[n])) for n in left)
    return any(far < _POWER_NEAR for far in steps)
