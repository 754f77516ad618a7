"""Steps towards a place or away from it: the first direction, up right down left, of the best metric."""

from __future__ import annotations

from collections.abc import Callable

from manyminds.games.pacman.maze import DIRECTIONS, opposite
from manyminds.games.pacman.tables import NOWHERE
from manyminds.players.pacman.ground import FAR, Ground

Metric = Callable[[Ground, int, int], float]


def by_way(ground: Ground, here: int, there: int) -> float:
    """Steps through the maze."""
    return float(ground.distance[here, there])


def as_the_crow_flies(ground: Ground, here: int, there: int) -> float:
    """Straight through all walls (squared, which orders alike)."""
    across, down = _apart(ground, here, there)
    return float(across * across + down * down)


def by_rows_and_columns(ground: Ground, here: int, there: int) -> float:
    """Along rows and columns through all walls."""
    return float(sum(_apart(ground, here, there)))


def ways(ground: Ground, node: int, back_of: int | None = None) -> list[int]:
    """The directions with a neighbour; without the way back of who last moved in `back_of`."""
    back = None if back_of is None else opposite(back_of)
    return [d for d in DIRECTIONS if d != back and ground.after[8 * node + d] != NOWHERE]


def step_to(
    ground: Ground, node: int, target: int, among: list[int], metric: Metric = by_way
) -> int:
    """The direction whose neighbour is nearest to the target."""
    return min(among, key=lambda d: metric(ground, _after(ground, node, d), target))


def step_from(
    ground: Ground, node: int, target: int, among: list[int], metric: Metric = by_way
) -> int:
    """The direction whose neighbour is farthest from the target."""
    return max(among, key=lambda d: metric(ground, _after(ground, node, d), target))


def nearest(ground: Ground, node: int, places: list[int]) -> int | None:
    """The first of the nearest of these nodes; None where no way leads to any."""
    found = min(places, key=lambda place: ground.distance[node, place], default=None)
    return None if found is None or ground.distance[node, found] == FAR else int(found)


def _after(ground: Ground, node: int, direction: int) -> int:
    return int(ground.after[8 * node + direction])


def _apart(ground: Ground, here: int, there: int) -> tuple[int, int]:
    return (
        abs(int(ground.x[here]) - int(ground.x[there])),
        abs(int(ground.y[here]) - int(ground.y[there])),
    )
