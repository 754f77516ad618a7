"""Mazes as kernels look at them: arrays that are constants of the compiled code, and questions to them.

A spot is a node of one of the mazes, counted on from that maze's first spot. `arc` is a spot and a
direction, 8 * spot + direction; there is one for NEUTRAL too, which leads nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manyminds.core.kernel import inline
from manyminds.core.kernel_set import Kernels
from manyminds.games.pacman.maze import DIRECTIONS, NEUTRAL, Maze, opposite

NOWHERE = 0xFFFF
CHOICE = 5  # `onward` at a junction, and where one stands
NOTHING, POWER = 0, 512  # `item`: 1 + the pill's number, or POWER + the power pill's
MOST_SPOTS = 8000


def first_spots(mazes: Sequence[Maze]) -> list[int]:
    """The spot of each maze's node 0, and behind the last."""
    return [0, *np.cumsum([maze.nodes for maze in mazes]).tolist()]


def maze_kernels(mazes: Sequence[Maze]) -> Kernels:
    """The questions of kernels about these mazes, one a level, over and over."""
    return Kernels("mazes", **_places(mazes), **_ways(mazes), levels=len(mazes))


def _places(mazes: Sequence[Maze]) -> dict[str, object]:
    """What lies where, and who starts where."""
    firsts = first_spots(mazes)
    numbers = list(zip(mazes, firsts, strict=False))
    item = np.concatenate([_items(maze) for maze in mazes])
    across = np.concatenate([maze.x for maze in mazes]).astype(np.int16)
    down = np.concatenate([maze.y for maze in mazes]).astype(np.int16)
    starts = np.array(
        [(n + m.pacman, n + m.ghosts, n + m.lair, m.width) for m, n in numbers], np.uint16
    )
    counts = np.array([(maze.pills, maze.power_pills) for maze in mazes], np.uint16)

    @inline
    def item_at(spot):
        return item[np.uint32(spot)]

    @inline
    def x(spot):
        return int(across[np.uint32(spot)])

    @inline
    def y(spot):
        return int(down[np.uint32(spot)])

    @inline
    def start(maze, who):
        """Where Pac-Man (0) and the ghosts (1) start, the lair (2), and the maze's width (3)."""
        return starts[np.uint32(maze), who]

    @inline
    def count(maze, what):
        """Pills (0) and power pills (1) of a maze."""
        return counts[np.uint32(maze), what]

    return {"item": item_at, "x": x, "y": y, "start": start, "count": count}


def _ways(mazes: Sequence[Maze]) -> dict[str, object]:
    """Who can go where."""
    after_, onward_ = (np.concatenate(arrays) for arrays in arcs(mazes))
    exits_ = np.concatenate([exits_of(maze) for maze in mazes])

    @inline
    def after(spot, direction):
        """The neighbour in a direction; NOWHERE if there is none."""
        return after_[np.uint32(np.uint32(spot) * np.uint32(8) + np.uint32(direction))]

    @inline
    def onward(spot, direction):
        """The only way on for one who came in a direction and does not turn back; or CHOICE."""
        return onward_[np.uint32(np.uint32(spot) * np.uint32(8) + np.uint32(direction))]

    @inline
    def exits(spot):
        """A bit for each direction with a neighbour."""
        return exits_[np.uint32(spot)]

    return {"after": after, "onward": onward, "exits": exits}


def arcs(mazes: Sequence[Maze]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """`after` and `onward` of each maze, by arc."""
    after, onward = [], []
    for maze, first in zip(mazes, first_spots(mazes), strict=False):
        to = np.full((maze.nodes, 8), NOWHERE, np.uint16)
        to[:, :4] = np.where(maze.neighbours >= 0, maze.neighbours + first, NOWHERE)
        on = np.full((maze.nodes, 8), CHOICE, np.uint8)
        for node in np.flatnonzero(maze.ways == 2):
            (one, _), (two, _) = maze.links(int(node))
            on[node, opposite(one)], on[node, opposite(two)] = two, one
        after.append(to.ravel())
        onward.append(on.ravel())
    return after, onward


def exits_of(maze: Maze) -> np.ndarray:
    """A bit for each direction with a neighbour, by node."""
    bits = [1 << direction for direction in DIRECTIONS]
    return ((maze.neighbours >= 0) * bits).sum(axis=1).astype(np.uint8)


def _items(maze: Maze) -> np.ndarray:
    pills = np.where(maze.pill >= 0, 1 + maze.pill, NOTHING)
    return np.where(maze.power >= 0, POWER + maze.power, pills).astype(np.uint16)


# --- small tables that all mazes share ------------------------------------------------------------

_BACK = np.array([opposite(direction) for direction in range(NEUTRAL + 1)], np.uint8)
_COUNT = np.array([bits.bit_count() for bits in range(16)], np.uint8)
_NTH = np.zeros((16, 4), np.uint8)
for _bits in range(16):
    _set = [direction for direction in DIRECTIONS if _bits >> direction & 1]
    _NTH[_bits, : len(_set)] = _set


@inline
def back(direction):
    """The opposite direction; NEUTRAL's is itself."""
    return _BACK[np.uint32(direction)]


@inline
def count_of(bits):
    """How many directions."""
    return _COUNT[np.uint32(bits)]


@inline
def nth_of(bits, n):
    """The n-th direction of these, counted from 0."""
    return _NTH[np.uint32(bits), np.uint32(n)]


@inline
def others(bits, direction):
    """The directions without the one that leads back from where `direction` came."""
    return int(bits) & ~(1 << int(back(direction)))
