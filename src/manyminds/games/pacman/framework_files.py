"""Maze files of the Java framework "Ms Pac-Man vs Ghosts", for those who have them.

Tab-separated. First line: name, Pac-Man's start, lair, ghosts' start, and the numbers of nodes, pills,
power pills and junctions. Then a line for each node: index, x, y, its neighbours up, right, down and
left (-1: none), its pill and its power pill (-1: none).
"""

from __future__ import annotations

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.games.pacman.maze import MOST_NODES, Maze, check

_HEAD, _ROW = 8, 9  # words of the first line, and of a node's


def is_framework_file(text: str) -> bool:
    """Whether this may be such a file: drawings have no tabs."""
    return "\t" in text.split("\n", 1)[0]


def read_framework_file(text: str) -> Maze:
    """The maze of such a file, checked against its own counts and as all mazes are."""
    lines = [line.rstrip("\r").split("\t") for line in text.strip("\n").split("\n")]
    name, *counts = lines[0][:_HEAD]
    if len(lines[0]) < _HEAD or len(lines) - 1 > MOST_NODES:
        raise UsageError(
            f"the first line of a maze file has {_HEAD} words separated by tabs, and at most "
            f"{MOST_NODES} lines follow"
        )
    pacman, lair, ghosts, nodes, pills, power_pills, junctions = _numbers(1, counts)
    rows = np.array([_numbers(n, row[:_ROW]) for n, row in enumerate(lines[1:], 2)], np.int64)
    if rows.shape != (nodes, _ROW) or (rows[:, 0] != np.arange(nodes)).any():
        raise UsageError(
            f"maze {name}: {nodes} lines of {_ROW} words follow the first, numbered from 0; "
            f"there are {len(rows)}"
        )
    for start in (pacman, lair, ghosts):
        if not 0 <= start < nodes:
            raise UsageError(f"maze {name}: {start} is the number of no node")
    if (rows[:, 3:7] >= nodes).any() or (rows[:, 1:3] < 0).any() or (rows < -1).any():
        raise UsageError(f"maze {name}: a node has a neighbour or a place that there is not")
    columns = rows.astype(np.int16)
    maze = check(
        Maze(
            name,
            x=columns[:, 1],
            y=columns[:, 2],
            neighbours=columns[:, 3:7],
            pill=columns[:, 7],
            power=columns[:, 8],
            pacman=pacman,
            ghosts=ghosts,
            lair=lair,
        )
    )
    if (maze.pills, maze.power_pills, maze.junctions) != (pills, power_pills, junctions):
        raise UsageError(
            f"maze {name}: its first line counts {pills} pills, {power_pills} power pills and "
            f"{junctions} junctions; {maze.pills}, {maze.power_pills} and {maze.junctions} are there"
        )
    return maze


def _numbers(line: int, words: list[str]) -> list[int]:
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        raise UsageError(
            f"line {line} of a maze file has words that are no whole numbers"
        ) from None
    if any(abs(number) > 2**15 - 1 for number in numbers):
        raise UsageError(f"line {line} of a maze file has a number beyond 32767")
    return numbers
