"""Three hills: three seats, each at home on a hill, send soldiers to keep it and to take others.

In turn every seat places one of its soldiers on any hill, and takes the hill if its strength there
then is at least the holder's. When all soldiers stand, a hill is worth its worth to who holds it, and
every seat pays one part in W + 2 of what it has to the seat before it (the first one to the last), W
being the worth of all hills together.

That part makes every seat care who holds what it does not hold itself, and it settles ties. With a
and b the worths that a seat and the next one hold, its points are ((W + 1) a + b) / (W + 2), and since
b is at most W, no other pair gives the same. So what one seat gets tells what all get, two ends that
are equal for the seat that chooses are equal for all, and the max^n value does not depend on how ties
are broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from manyminds.core.errors import UsageError
from manyminds.core.kernel import inline, kernel
from manyminds.core.record import record
from manyminds.games.contract import Game, State

STATE = record(
    strength="uint8[3][3]",  # by hill and seat
    holder="uint8[3]",  # of each hill
    waiting="uint16[3]",  # by seat, one bit for each soldier not yet placed
    turn="uint8",
)
SEATS = ("green", "blue", "red")
HILLS = "abc"
MOST_WORTH = 100


@kernel
def seat(state):
    return state.turn


@kernel
def over(state):
    return state.waiting[state.turn] == 0


def _kernels(soldiers: tuple[int, ...], worths: tuple[int, ...]) -> dict[str, Any]:
    """The game's functions; the k-th soldier goes to hill h by move 3 k + h."""
    total = sum(worths)
    parts = total + 2

    @kernel
    def moves(state, out):
        n = 0
        for soldier in range(len(soldiers)):
            if int(state.waiting[state.turn]) >> soldier & 1:
                for hill in range(3):
                    out[n] = 3 * soldier + hill
                    n += 1
        return n

    @kernel
    def play(state, move):
        mover, hill = state.turn, move % 3
        strength = state.strength[hill]
        state.waiting[mover] ^= 1 << (move // 3)
        strength[mover] += soldiers[move // 3]
        if strength[mover] >= strength[state.holder[hill]]:
            state.holder[hill] = mover
        state.turn = (mover + 1) % 3

    @inline
    def income(state, seat):
        n = 0
        for hill in range(3):
            if state.holder[hill] == seat:
                n += (parts - 1) * worths[hill]
            elif state.holder[hill] == (seat + 1) % 3:
                n += worths[hill]
        return n

    @kernel
    def points(state, out):
        for seat in range(3):
            out[seat] = income(state, seat) / parts

    @kernel
    def rewards(state, out):
        for seat in range(3):
            out[seat] = income(state, seat) / (parts * total)

    return dict(moves=moves, play=play, points=points, rewards=rewards)


def three_hills(soldiers: Sequence[int] = (1, 2), worths: Sequence[int] = (1, 1, 2)) -> Game:
    """Three hills of these worths; every seat has one soldier of each of these strengths."""
    strengths, values = tuple(soldiers), tuple(worths)
    _check(strengths, values)
    n = len(strengths)
    return Game(
        "three_hills",
        STATE,
        seats=3,
        seat_names=SEATS,
        start=lambda: _start(n),
        seat=seat,
        over=over,
        move_ids=3 * n,
        most_moves=3 * n,
        longest=3 * n,
        name=lambda move: f"{strengths[move // 3]}{HILLS[move % 3]}",
        show=lambda state: _show(state, strengths, values),
        arguments={"soldiers": strengths, "worths": values},
        **_kernels(strengths, values),
    )


def _check(soldiers: tuple[int, ...], worths: tuple[int, ...]) -> None:
    """Refuse what could not be named or played; a soldier is named by its strength."""
    if not soldiers or len(set(soldiers)) < len(soldiers) or not {*soldiers} <= {*range(1, 10)}:
        raise UsageError(
            f"soldiers differ in strength, from 1 to 9: soldiers=[1, 2], not {soldiers}"
        )
    if len(worths) != 3 or min(worths) < 1 or sum(worths) > MOST_WORTH:
        raise UsageError(
            f"three hills are worth at least 1 each and at most {MOST_WORTH} together, not {worths}"
        )


def _start(soldiers: int) -> State:
    state = STATE.new()
    state.holder[:] = 0, 1, 2
    state.waiting[:] = (1 << soldiers) - 1
    return state


def _show(state: State, soldiers: tuple[int, ...], worths: tuple[int, ...]) -> str:
    """A line for each hill, then the soldiers that wait; the seat to play has a star."""
    lines = []
    for hill, worth in enumerate(worths):
        there = [f"{SEATS[k]} {n}" for k, n in enumerate(state.strength[hill]) if n]
        holder = SEATS[state.holder[hill]]
        lines.append(
            f"{HILLS[hill]} worth {worth}: {holder}'s ({', '.join(there) or 'nobody there'})"
        )
    for k, name in enumerate(SEATS):
        waiting = [str(s) for i, s in enumerate(soldiers) if int(state.waiting[k]) >> i & 1]
        lines.append(f"{'*' if k == state.turn else ' '} {name}: {' '.join(waiting) or '-'}")
    return "\n".join(lines)
