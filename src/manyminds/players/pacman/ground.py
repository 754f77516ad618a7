"""A maze as players look at it: arrays that kernels take as arguments, so that all mazes share one code."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from manyminds.core.kernel import bare_entry
from manyminds.games.contract import State
from manyminds.games.pacman.maze import Maze
from manyminds.games.pacman.tables import NOWHERE, arcs, exits_of, first_spots

FAR = 0xFFFF  # steps to where no way leads


class Ground(NamedTuple):
    """By node, or by arc (8 * node + direction): see `tables.py` for what they say.

    distance: steps between two nodes, turning back allowed; FAR to and from the lair. pills, powers:
    their nodes, by number. start: where ghosts leave the lair.
    """

    after: np.ndarray
    onward: np.ndarray
    exits: np.ndarray
    distance: np.ndarray
    x: np.ndarray
    y: np.ndarray
    pills: np.ndarray
    powers: np.ndarray
    start: np.ndarray  # one node: numbers in a tuple would be compiled in


@functools.lru_cache(maxsize=32)
def ground_of(maze: Maze) -> Ground:
    """The ground of a maze, made once."""
    after, onward = (found[0] for found in arcs((maze,)))
    distance = np.full((maze.nodes, maze.nodes), FAR, np.uint16)
    measure(after, distance, np.zeros(maze.nodes, np.uint16))
    return Ground(
        after,
        onward,
        exits_of(maze),
        distance,
        maze.x.astype(np.int32),
        maze.y.astype(np.int32),
        _nodes_of(maze.pill),
        _nodes_of(maze.power),
        np.array([maze.ghosts], np.uint16),
    )


def ground_here(mazes: tuple[Maze, ...], state: State) -> tuple[Ground, int]:
    """The ground of the maze that a state is in, and the spot of that maze's node 0."""
    number = int(state.maze)
    return ground_of(mazes[number]), first_spots(mazes)[number]


def pills_left(ground: Ground, state: State, powers: bool = False) -> np.ndarray:
    """The nodes of the pills that are left; of power pills behind them, if they are asked for."""
    words = np.asarray(state.pills, np.uint64)
    numbers = np.arange(len(ground.pills))
    left = words[numbers // 64] >> (numbers % 64).astype(np.uint64) & np.uint64(1)
    found = ground.pills[left == 1]
    if not powers or not state.power:
        return found
    more = [node for n, node in enumerate(ground.powers) if int(state.power) >> n & 1]
    return np.concatenate([found, np.array(more, np.uint16)])


def _nodes_of(numbers: np.ndarray) -> np.ndarray:
    """Where each of them lies: `numbers` has a number by node, or -1."""
    nodes = np.flatnonzero(numbers >= 0)
    return nodes[np.argsort(numbers[nodes])].astype(np.uint16)


@bare_entry
def measure(after, distance, queue):
    """Fill in the steps between all nodes; `queue` has room for each of them."""
    for start in range(distance.shape[0]):
        steps = distance[start]
        steps[start] = 0
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            node = int(queue[head])
            head += 1
            for direction in range(4):
                there = int(after[8 * node + direction])
                if there != NOWHERE and int(steps[there]) == FAR:
                    steps[there] = int(steps[node]) + 1
                    queue[tail] = there
                    tail += 1
