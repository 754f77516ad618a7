"""Mazes as text that people can edit.

    #......##......#      #: wall       .: a pill     o: a power pill    (blank): a way without one
    #.####.##.####.#      P: Pac-Man starts half-way between the two P
    #o####.PP.####o#      G: the ghosts do; L: their lair lies between the two L
     ..............       a way through both sides is a tunnel

A sign stands for four steps across or down: ways lie side by side only where one can walk between them.
Lines before the drawing say `name: ...`, and if somebody counted, `junctions: 38` (checked).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.games.pacman.maze import DOWN, LEFT, NONE, PITCH, RIGHT, UP, Maze, check

WALL, PILL, POWER, BLANK, PACMAN, GHOSTS, LAIR = "#", ".", "o", " ", "P", "G", "L"
_SIGNS = WALL + PILL + POWER + BLANK + PACMAN + GHOSTS + LAIR
MOST_COLUMNS, MOST_ROWS = 50, 50

Place = tuple[int, int]  # y, x: nodes are numbered row by row, as they are read


def read_drawing(text: str, name: str = "drawn") -> Maze:
    """The maze that a text draws, checked."""
    words, rows = _split(text)
    name = words.get("name", name)
    _check_rows(name, rows)
    items = {
        (PITCH * row, PITCH * column): sign
        for row, line in enumerate(rows)
        for column, sign in enumerate(line)
        if sign not in (WALL, LAIR)
    }
    maze = check(_maze(name, items, {sign: _middle(name, rows, sign) for sign in "PGL"}))
    counted = words.get("junctions", str(maze.junctions))
    if counted != str(maze.junctions):
        raise UsageError(
            f"maze {name}: it says junctions: {counted[:20]}, and {maze.junctions} are drawn; "
            "change the one or the other"
        )
    return maze


def draw(maze: Maze) -> str:
    """The drawing of a maze whose pills lie on the lattice: what `read_drawing` reads."""
    height = int(maze.y.max()) // PITCH + 2
    rows = [[WALL] * (maze.width // PITCH + 1) for _ in range(height)]
    for node in range(maze.nodes):
        x, y = int(maze.x[node]), int(maze.y[node])
        if x % PITCH == 0 and y % PITCH == 0 and node != maze.lair:
            sign = PILL if maze.pill[node] >= 0 else POWER if maze.power[node] >= 0 else BLANK
            rows[y // PITCH][x // PITCH] = sign
    for node, sign in ((maze.pacman, PACMAN), (maze.ghosts, GHOSTS), (maze.lair, LAIR)):
        x, y = int(maze.x[node]), int(maze.y[node])
        for column in (x // PITCH, x // PITCH + 1):
            rows[y // PITCH][column] = sign
    lines = [f"name: {maze.name}", f"junctions: {maze.junctions}", *map("".join, rows)]
    return "\n".join(lines) + "\n"


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    """The words before the drawing, and its rows."""
    lines = [line.rstrip("\r") for line in text.splitlines()]
    words: dict[str, str] = {}
    while lines and (":" in lines[0] or not lines[0].strip()):
        word, _, value = lines.pop(0).partition(":")
        words[word.strip()] = value.strip()
    while lines and not lines[-1].strip():
        lines.pop()
    return words, lines


def _check_rows(name: str, rows: list[str]) -> None:
    if not (3 <= len(rows) <= MOST_ROWS and 3 <= max(map(len, rows), default=0) <= MOST_COLUMNS):
        raise UsageError(
            f"maze {name}: a drawing has 3 to {MOST_ROWS} rows of 3 to {MOST_COLUMNS} signs"
        )
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise UsageError(
                f"maze {name}: row {number} has {len(row)} signs and the first {len(rows[0])}; "
                "fill it with # or blanks"
            )
        if strange := next((sign for sign in row if sign not in _SIGNS), None):
            raise UsageError(f'maze {name}: row {number} has "{strange}"; signs are "{_SIGNS}"')


def _middle(name: str, rows: list[str], sign: str) -> Place:
    """Half-way between the two signs."""
    found = [(row, line.index(sign)) for row, line in enumerate(rows) if line.count(sign * 2) == 1]
    if len(found) != 1 or sum(line.count(sign) for line in rows) != 2:
        raise UsageError(f'maze {name}: "{sign * 2}" stands once, side by side')
    (row, column) = found[0]
    return PITCH * row, PITCH * column + PITCH // 2


def _maze(name: str, items: Mapping[Place, str], starts: Mapping[str, Place]) -> Maze:
    places = set(items)
    for y, x in items:
        for dy, dx in ((0, 1), (1, 0)):
            if (y + PITCH * dy, x + PITCH * dx) in items:
                places |= {(y + k * dy, x + k * dx) for k in range(1, PITCH)}
    nodes = {place: node for node, place in enumerate(sorted(places))}
    lair = len(nodes)
    ys, xs = zip(*nodes, starts[LAIR], strict=True)
    return Maze(
        name,
        np.array(xs, np.int16),
        np.array(ys, np.int16),
        _links(nodes, max(xs) + 1),
        _numbered([items.get(place) == PILL for place in nodes] + [False]),
        _numbered([items.get(place) == POWER for place in nodes] + [False]),
        nodes.get(starts[PACMAN], lair),
        nodes.get(starts[GHOSTS], lair),
        lair,
    )


def _links(nodes: Mapping[Place, int], width: int) -> np.ndarray:
    """Neighbours of each node, the lair's none last; the two ends of a tunnel are neighbours."""
    links = np.full((len(nodes) + 1, 4), NONE, np.int16)
    for (y, x), node in nodes.items():
        for direction, place in (
            (UP, (y - 1, x)),
            (RIGHT, (y, (x + 1) % width)),
            (DOWN, (y + 1, x)),
            (LEFT, (y, (x - 1) % width)),
        ):
            links[node, direction] = nodes.get(place, NONE)
    return links


def _numbered(here: list[bool]) -> np.ndarray:
    there = np.array(here)
    return np.where(there, np.cumsum(there) - 1, NONE).astype(np.int16)
