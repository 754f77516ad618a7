"""A maze: nodes one tick apart, linked up, right, down and left; where pills lie and who starts where."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from manyminds.core.errors import UsageError

UP, RIGHT, DOWN, LEFT, NEUTRAL = range(5)
DIRECTIONS = (UP, RIGHT, DOWN, LEFT)
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # (x, y) of each direction; y grows downwards
PITCH = 4  # ticks between two pills
MOST_NODES, MOST_PILLS, MOST_POWER_PILLS, MOST_WIDTH = 4000, 256, 8, 200
NONE = -1


def opposite(direction: int) -> int:
    """The way back; of no direction, none."""
    return direction if direction == NEUTRAL else (direction + 2) % 4


@dataclass(frozen=True, eq=False)
class Maze:
    """Arrays are by node; `neighbours[node][direction]`, `pill` and `power` have -1 for none.

    The lair is a node that is linked to none. Pills, and power pills, are numbered by ascending node.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    neighbours: np.ndarray
    pill: np.ndarray
    power: np.ndarray
    pacman: int
    ghosts: int
    lair: int

    @property
    def nodes(self) -> int:
        """All of them, the lair too."""
        return len(self.x)

    @property
    def pills(self) -> int:
        """Pills at a level's start, power pills not counted."""
        return int((self.pill >= 0).sum())

    @property
    def power_pills(self) -> int:
        """Power pills at a level's start."""
        return int((self.power >= 0).sum())

    @functools.cached_property
    def ways(self) -> np.ndarray:
        """How many neighbours each node has."""
        return (self.neighbours >= 0).sum(axis=1)

    @property
    def junctions(self) -> int:
        """Nodes with three neighbours or four."""
        return int((self.ways >= 3).sum())

    @property
    def width(self) -> int:
        """Steps round the maze through a tunnel: the ends of one are neighbours."""
        return int(self.x.max()) + 1

    def links(self, node: int) -> Iterator[tuple[int, int]]:
        """The directions in which a node has a neighbour, each with that neighbour."""
        for direction in DIRECTIONS:
            if self.neighbours[node, direction] >= 0:
                yield direction, int(self.neighbours[node, direction])

    def distances_from(self, node: int) -> np.ndarray:
        """Steps to every node, turning back allowed; -1 to those that cannot be reached."""
        steps = np.full(self.nodes, NONE)
        steps[node] = 0
        waiting = deque([node])
        while waiting:
            here = waiting.popleft()
            for _, there in self.links(here):
                if steps[there] == NONE:
                    steps[there] = steps[here] + 1
                    waiting.append(there)
        return steps

    def corridors(self) -> list[list[int]]:
        """The nodes between junctions, these included, each corridor once."""
        found = []
        for start in np.flatnonzero(self.ways >= 3):
            for direction, _ in self.links(int(start)):
                corridor = self._along(int(start), direction)
                back = self._along(corridor[-1], self._way(corridor[-1], corridor[-2]))
                if corridor <= back:
                    found.append(corridor)
        return found

    def _along(self, node: int, direction: int) -> list[int]:
        nodes = [node, int(self.neighbours[node, direction])]
        while self.ways[nodes[-1]] == 2:
            here, before = nodes[-1], nodes[-2]
            nodes.append(next(there for _, there in self.links(here) if there != before))
        return nodes

    def _way(self, node: int, to: int) -> int:
        return next(direction for direction, there in self.links(node) if there == to)


def check(maze: Maze) -> Maze:
    """The maze, or an error that says what is wrong with it."""
    _check_size(maze)
    _check_links(maze)
    dead = np.flatnonzero(maze.ways == 1)
    if len(dead):
        raise _wrong(maze, f"{_place(maze, int(dead[0]))} is a dead end; every way leads on")
    apart = np.flatnonzero(maze.distances_from(maze.pacman) == NONE)
    if list(apart) != [maze.lair]:
        node = next(int(node) for node in apart if node != maze.lair)
        raise _wrong(maze, f"{_place(maze, node)} cannot be reached from Pac-Man's start")
    for start, who in ((maze.pacman, "Pac-Man"), (maze.ghosts, "the ghosts")):
        if [direction for direction, _ in maze.links(start)] != [RIGHT, LEFT]:
            raise _wrong(maze, f"{who} must start where one can go left and right and nowhere else")
        if maze.pill[start] >= 0 or maze.power[start] >= 0:
            raise _wrong(maze, f"{who} must start where no pill lies")
    _check_pills(maze)
    return maze


def _check_size(maze: Maze) -> None:
    for count, most, what in (
        (maze.nodes, MOST_NODES, "nodes"),
        (maze.pills, MOST_PILLS, "pills"),
        (maze.power_pills, MOST_POWER_PILLS, "power pills"),
        (maze.width, MOST_WIDTH, "steps across"),
    ):
        if count > most:
            raise _wrong(maze, f"it has {count} {what}, and there is room for {most}")
    if maze.pills == 0:
        raise _wrong(maze, "it has no pill")
    if maze.junctions < 2:
        raise _wrong(maze, "it needs two junctions at least")


def _check_links(maze: Maze) -> None:
    """Links go both ways, and one step far: through a tunnel, round the maze."""
    for node in range(maze.nodes):
        for direction, there in maze.links(node):
            if maze.neighbours[there, opposite(direction)] != node:
                raise _wrong(
                    maze, f"from {_place(maze, node)} no way leads back from its neighbour"
                )
            across = (int(maze.x[node]) + STEPS[direction][0]) % maze.width
            down = int(maze.y[node]) + STEPS[direction][1]
            if (across, down) != (maze.x[there], maze.y[there]):
                raise _wrong(maze, f"{_place(maze, node)} has a neighbour that is not beside it")
    if maze.ways[maze.lair] != 0:
        raise _wrong(maze, "the lair must have no way in")


def _check_pills(maze: Maze) -> None:
    """Numbered by ascending node, one thing on a node, the nearest other one four steps away."""
    for what in (maze.pill, maze.power):
        numbers = what[what >= 0]
        if list(numbers) != list(range(len(numbers))):
            raise _wrong(maze, "pills are numbered from 0 by ascending node")
    if ((maze.pill >= 0) & (maze.power >= 0)).any():
        raise _wrong(maze, "a pill and a power pill lie on one node")
    lies = (maze.pill >= 0) | (maze.power >= 0)
    for node in np.flatnonzero(lies):
        steps = _nearest(maze, int(node), lies)
        if steps != PITCH:
            raise _wrong(
                maze,
                f"the pill at {_place(maze, int(node))} has its nearest other one {steps} steps away; "
                f"it is {PITCH}",
            )


def _nearest(maze: Maze, node: int, lies: np.ndarray) -> int:
    """Steps from a pill to the nearest other one; one more than they may be if there is none so near."""
    seen, ring = {node}, [node]
    for steps in range(1, PITCH + 1):
        ring = [there for here in ring for _, there in maze.links(here) if there not in seen]
        seen.update(ring)
        if any(lies[there] for there in ring):
            return steps
    return PITCH + 1


def _place(maze: Maze, node: int) -> str:
    return f"node {node} (x {maze.x[node]}, y {maze.y[node]})"


def _wrong(maze: Maze, why: str) -> UsageError:
    return UsageError(f"maze {maze.name}: {why}")
