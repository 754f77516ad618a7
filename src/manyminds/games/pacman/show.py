"""A position as text: the maze's drawing with what is left of it, and everybody's sign."""

from __future__ import annotations

from collections.abc import Sequence

from manyminds.games.contract import State
from manyminds.games.pacman.drawing import BLANK, PILL, POWER, WALL
from manyminds.games.pacman.maze import PITCH, Maze
from manyminds.games.pacman.state import GHOSTS, SEATS
from manyminds.games.pacman.tables import first_spots

PACMAN_SIGNS = "V<^>C"  # by the direction of his last move: his mouth is open that way
GHOST_SIGNS = "BPIS"
EDIBLE_SIGNS = "bpis"


def show(state: State, mazes: Sequence[Maze]) -> str:
    """Walls, pills, V < ^ > (or C) for Pac-Man, B P I S for the ghosts, small while they can be eaten."""
    rows = maze_rows(state, mazes)
    for (row, column), sign in signs(state, mazes).items():
        rows[row][column] = sign
    return "\n".join([*map("".join, rows), caption(state)])


def caption(state: State) -> str:
    """Score, ticks, lives and level, as far as they matter."""
    words = [f"tick {int(state.time)}", f"score {int(state.score)}"]
    if state.levels or int(state.lives) + int(state.deaths) > 1:
        words += [f"level {int(state.level) + 1}", f"lives {int(state.lives)}"]
    waiting = [SEATS[ghost + 1] for ghost in range(GHOSTS) if state.lair[ghost]]
    return ", ".join(words + ([f"in the lair: {' '.join(waiting)}"] if waiting else []))


def maze_rows(state: State, mazes: Sequence[Maze]) -> list[list[str]]:
    """The signs of the maze itself; rows and columns are four steps apart."""
    maze = mazes[int(state.maze)]
    rows = [[WALL] * (maze.width // PITCH + 1) for _ in range(int(maze.y.max()) // PITCH + 2)]
    for node in range(maze.nodes):
        x, y = int(maze.x[node]), int(maze.y[node])
        if x % PITCH == 0 and y % PITCH == 0 and node != maze.lair:
            rows[y // PITCH][x // PITCH] = _item(state, maze, node)
    return rows


def _item(state: State, maze: Maze, node: int) -> str:
    pill, power = int(maze.pill[node]), int(maze.power[node])
    if pill >= 0 and int(state.pills[pill // 64]) >> pill % 64 & 1:
        return PILL
    return POWER if power >= 0 and int(state.power) >> power & 1 else BLANK


def signs(state: State, mazes: Sequence[Maze]) -> dict[tuple[int, int], str]:
    """Where everybody is, by row and column of the nearest pill's place; Pac-Man above all."""
    maze, first = mazes[int(state.maze)], first_spots(mazes)[int(state.maze)]
    found = {}
    for ghost in range(GHOSTS):
        if state.lair[ghost] == 0:
            known = EDIBLE_SIGNS if state.edible[ghost] else GHOST_SIGNS
            found[_place(maze, int(state.ghost[ghost]) - first)] = known[ghost]
    found[_place(maze, int(state.pacman) - first)] = PACMAN_SIGNS[int(state.pacman_move)]
    return found


def _place(maze: Maze, node: int) -> tuple[int, int]:
    """The place on the lattice that is nearest, so that everybody stands on a way."""
    x, y = int(maze.x[node]), int(maze.y[node])
    return round(y / PITCH), round(x / PITCH)
