"""Sweep: up to 32 robots, one team, sweep a floor with pillars; all move at once.

Every turn each robot steps to a free square beside its own or stays. A square is swept when a robot
stands on it; several may stand on one. After `turns` turns, or when all is swept, what has been swept
counts. Robots begin side by side in the lower left corner, so that they do best to part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.core.kernel import inline, kernel
from manyminds.core.random import below
from manyminds.core.record import record
from manyminds.games.contract import Game, State
from manyminds.games.small.grid import draw

MOST_ROBOTS, MOST_SIDE, MOST_TURNS = 32, 24, 500
_WORDS = MOST_SIDE * MOST_SIDE // 64
STATE = record(
    square=f"uint16[{MOST_ROBOTS}]", swept=f"uint64[{_WORDS}]", turn="uint16", n="uint16"
)
STAY, UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3, 4
NAMES = ("stay", "up", "down", "left", "right")
_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"


def sweep(
    robots: int = 8, width: int = 12, height: int = 12, turns: int = 16, pillars: int = 3
) -> Game:
    """A floor of this size. pillars: one on every square whose row and column are so many from the last;
    0: none.
    """
    _check(robots, width, height, turns, pillars)
    free = _floor(width, height, pillars)
    if robots > free.sum():
        raise UsageError(f"{robots} robots do not fit a floor of {int(free.sum())} free squares")
    return Game(
        "sweep",
        STATE,
        seats=robots,
        seat_names=[f"robot{number}" for number in range(1, robots + 1)],
        teams={"robots": tuple(range(robots))},
        start=lambda: _start(robots, width, height, free),
        move_ids=5,
        most_moves=5,
        longest=turns,
        name=lambda move: NAMES[move],
        show=lambda state: _show(state, robots, width, free),
        arguments={
            "robots": robots,
            "width": width,
            "height": height,
            "turns": turns,
            "pillars": pillars,
        },
        **_ways(width, height, free),
        **_turns(robots, width, turns, int(free.sum())),
    )


def _floor(width: int, height: int, pillars: int) -> np.ndarray:
    """Which squares are free, row by row from the bottom."""
    rows, columns = np.divmod(np.arange(width * height), width)
    if not pillars:
        return np.ones(width * height, bool)
    return ~((rows % pillars == pillars - 1) & (columns % pillars == pillars - 1))


def _ways(width: int, height: int, free: np.ndarray) -> dict[str, Any]:
    """Where one can go from each square, and which of that is worth going to."""
    steps = np.array([0, width, -width, -1, 1], np.int32)
    ways = np.zeros((width * height, 5), np.uint8)
    counts = np.zeros(width * height, np.uint8)
    for square in range(width * height):
        row, column = divmod(square, width)
        inside = (True, row < height - 1, row > 0, column > 0, column < width - 1)
        found = [m for m in range(5) if inside[m] and free[square + steps[m]]]
        ways[square, : len(found)], counts[square] = found, len(found)

    @inline
    def is_swept(state, square):
        return (state.swept[square >> 6] >> np.uint64(square & 63)) & np.uint64(1) != 0

    @kernel
    def moves(state, seat, out):
        square = state.square[seat]
        for k in range(counts[square]):
            out[k] = ways[square, k]
        return int(counts[square])

    @kernel
    def step(state, seat, rng):
        """To a square that is not swept, if there is one beside; else anywhere but to stay."""
        square = int(state.square[seat])
        found, chosen = 0, 0
        for k in range(1, counts[square]):
            if not is_swept(state, square + steps[ways[square, k]]):
                found += 1
                if below(rng, found) == 0:
                    chosen = k
        if found == 0 and counts[square] > 1:
            chosen = 1 + int(below(rng, counts[square] - 1))
        return int(ways[square, chosen])

    @kernel
    def near(state, seat, out):
        own = int(state.square[seat])
        for other in range(out.shape[0]):
            square = int(state.square[other])
            out[other] = abs(square // width - own // width) + abs(square % width - own % width)

    return dict(moves=moves, step=step, near=near)


def _turns(robots: int, width: int, turns: int, squares: int) -> dict[str, Any]:
    """Who moves, what a turn does, how long it lasts, and what that is worth."""
    steps = np.array([0, width, -width, -1, 1], np.int32)

    @inline
    def is_over(state):
        return state.turn == turns or state.n == squares

    @kernel
    def movers(state, out):
        if is_over(state):
            return 0
        for robot in range(robots):
            out[robot] = robot
        return robots

    @kernel
    def play(state, joint):
        for robot in range(robots):
            square = int(state.square[robot]) + int(steps[joint[robot]])
            state.square[robot] = square
            bit = np.uint64(1) << np.uint64(square & 63)
            if state.swept[square >> 6] & bit == 0:
                state.swept[square >> 6] |= bit
                state.n += 1
        state.turn += 1

    @kernel
    def over(state):
        return is_over(state)

    @kernel
    def points(state, out):
        for robot in range(robots):
            out[robot] = state.n

    @kernel
    def rewards(state, out):
        for robot in range(robots):
            out[robot] = state.n / squares

    return dict(movers=movers, play=play, over=over, points=points, rewards=rewards)


def _check(robots: int, width: int, height: int, turns: int, pillars: int) -> None:
    if not 1 <= robots <= MOST_ROBOTS:
        raise UsageError(f"1 to {MOST_ROBOTS} robots sweep, not {robots}")
    if not (2 <= width <= MOST_SIDE and 2 <= height <= MOST_SIDE):
        raise UsageError(f"the floor has sides of 2 to {MOST_SIDE}, not {width}x{height}")
    if not 1 <= turns <= MOST_TURNS:
        raise UsageError(f"sweeping takes 1 to {MOST_TURNS} turns, not {turns}")
    if pillars != 0 and not 2 <= pillars <= MOST_SIDE:
        raise UsageError(f"pillars stand every 2 to {MOST_SIDE} squares or, with 0, nowhere")


def _start(robots: int, width: int, height: int, free: np.ndarray) -> State:
    """The robots on the free squares nearest to the lower left corner, which are swept."""
    state = STATE.new()
    squares = [int(square) for square in np.flatnonzero(free)]
    squares.sort(key=lambda square: (square // width + square % width, square))
    for robot, square in enumerate(squares[:robots]):
        state.square[robot] = square
        state.swept[square >> 6] |= np.uint64(1) << np.uint64(square & 63)
    state.n = robots
    return state


def _show(state: State, robots: int, width: int, free: np.ndarray) -> str:
    """The floor: "#" pillars, "." to be swept, " " swept, robots by their numbers, "*" where several are."""
    signs = []
    for square, is_free in enumerate(free):
        word = int(state.swept[square >> 6]) >> (square & 63) & 1
        signs.append("#" if not is_free else " " if word else ".")
    for robot in range(robots):
        square = int(state.square[robot])
        signs[square] = "*" if signs[square] not in " ." else _SIGNS[robot + 1]
    left = int(free.sum()) - int(state.n)
    return f"{draw(signs, width)}\nturn {int(state.turn) + 1}, {left} squares left"
