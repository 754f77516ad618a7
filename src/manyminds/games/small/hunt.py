"""The hunt: a wolf and a fox, one team, chase a hare over a small board; all move at once.

Every turn each animal steps to a square beside its own or stays; on every `rest`-th turn the hare
must rest and the hunters move alone. The hare is caught when a hunter ends on its square, or when it
and a hunter change squares. It lives for at most `turns` turns; the longer, the better for the hare.
"""

from __future__ import annotations

from typing import Any

from manyminds.core.errors import UsageError
from manyminds.core.kernel import inline, kernel
from manyminds.core.record import record
from manyminds.games.contract import Game, State
from manyminds.games.small.grid import draw

STATE = record(square="uint8[3]", turn="uint16", caught="uint8")
SEATS = ("wolf", "fox", "hare")
WOLF, FOX, HARE = 0, 1, 2
STAY, UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3, 4
NAMES = ("stay", "up", "down", "left", "right")
LONGEST_SIDE, MOST_TURNS = 10, 1000


def _steps(width: int, height: int) -> dict[str, Any]:
    """Where one can go, and what comes of going; squares are numbered row by row from the bottom."""
    steps = (0, width, -width, -1, 1)

    @kernel
    def moves(state, seat, out):
        square = int(state.square[seat])
        row, column = square // width, square % width
        out[0] = STAY
        n = 1
        if row < height - 1:
            out[n] = UP
            n += 1
        if row > 0:
            out[n] = DOWN
            n += 1
        if column > 0:
            out[n] = LEFT
            n += 1
        if column < width - 1:
            out[n] = RIGHT
            n += 1
        return n

    @kernel
    def play(state, joint):
        came_from = int(state.square[HARE])
        goes_to = came_from
        if joint[HARE] >= 0:
            goes_to += steps[joint[HARE]]
        for hunter in range(2):
            left = int(state.square[hunter])
            reached = left + steps[joint[hunter]]
            if reached == goes_to or (reached == came_from and left == goes_to):
                state.caught = 1
            state.square[hunter] = reached
        state.square[HARE] = goes_to
        state.turn += 1

    return dict(moves=moves, play=play)


def _times(turns: int, rest: int) -> dict[str, Any]:
    """Who moves when, how long it lasts, and what that is worth."""

    @inline
    def is_over(state):
        return state.caught != 0 or state.turn == turns

    @kernel
    def movers(state, out):
        if is_over(state):
            return 0
        out[0], out[1], out[2] = WOLF, FOX, HARE
        return 2 if rest and (state.turn + 1) % rest == 0 else 3

    @kernel
    def over(state):
        return is_over(state)

    @kernel
    def points(state, out):
        lived = state.turn - state.caught
        out[HARE] = lived
        out[WOLF] = out[FOX] = turns - lived

    @kernel
    def rewards(state, out):
        out[HARE] = (state.turn - state.caught) / turns
        out[WOLF] = out[FOX] = 1 - out[HARE]

    return dict(movers=movers, over=over, points=points, rewards=rewards)


def hunt(width: int = 3, height: int = 3, turns: int = 6, rest: int = 2) -> Game:
    """The hunt on a board of this size; `rest=0` lets the hare move on every turn."""
    _check(width, height, turns, rest)
    return Game(
        "hunt",
        STATE,
        seats=3,
        seat_names=SEATS,
        teams={"hunters": (WOLF, FOX), "hare": (HARE,)},
        start=lambda: _start(width, height),
        move_ids=5,
        most_moves=5,
        longest=turns,
        name=lambda move: NAMES[move],
        show=lambda state: _show(state, width, height),
        arguments={"width": width, "height": height, "turns": turns, "rest": rest},
        **_steps(width, height),
        **_times(turns, rest),
    )


def _check(width: int, height: int, turns: int, rest: int) -> None:
    if not (2 <= width <= LONGEST_SIDE and 2 <= height <= LONGEST_SIDE):
        raise UsageError(f"the board has sides of 2 to {LONGEST_SIDE}, not {width}x{height}")
    if not 1 <= turns <= MOST_TURNS or not 0 <= rest <= MOST_TURNS:
        raise UsageError(
            f"a hunt has 1 to {MOST_TURNS} turns, not {turns}, "
            f"and the hare rests every 1 to {MOST_TURNS} turns or, with 0, never, not {rest}"
        )


def _start(width: int, height: int) -> State:
    """The hunters in the lower corners, the hare in the middle of the upper side."""
    state = STATE.new()
    state.square[:] = 0, width - 1, width * (height - 1) + width // 2
    return state


def _show(state: State, width: int, height: int) -> str:
    """The board: w, f, h, "W" for both hunters on one square, "*" where the hare is caught."""
    signs = ["."] * (width * height)
    wolf, fox, hare = (int(square) for square in state.square)
    signs[hare], signs[wolf], signs[fox] = "h", "w", "f"
    if wolf == fox:
        signs[wolf] = "W"
    if state.caught:
        signs[hare] = "*"
    return f"{draw(signs, width)}\nturn {int(state.turn) + 1}"
