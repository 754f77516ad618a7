"""Pig: roll a die as often as you dare; its sum is yours when you hold, and lost when a 1 comes.

Who reaches the target first wins. Each seat has so many turns; then the higher score wins. A turn's
first roll is a must, and the sum that reaches the target is held by itself.
"""

from __future__ import annotations

from typing import Any

from manyminds.core.errors import UsageError
from manyminds.core.kernel import inline, kernel
from manyminds.core.random import below
from manyminds.core.record import record
from manyminds.games.contract import CHANCE, Game, State

STATE = record(
    score="uint16[2]",
    risked="uint16",  # the sum of this turn's rolls
    turns="uint16",  # ended so far, of both seats
    turn="uint8",
    rolling="uint8",  # 1 while the die is in the air: nature moves
)
SEATS = ("first", "second")
ROLL, HOLD, FACE = 0, 1, 1  # the die shows k: move FACE + k
MOST_TARGET, MOST_SIDES, MOST_ROUNDS = 1000, 20, 1000


@kernel
def seat(state):
    return CHANCE if state.rolling else int(state.turn)


@inline
def _end_turn(state):
    state.score[state.turn] += state.risked
    state.risked = 0
    state.turns += 1
    state.turn = 1 - state.turn


def _kernels(target: int, sides: int, rounds: int) -> dict[str, Any]:
    """The game's functions, nature's too."""

    @kernel
    def moves(state, out):
        if state.rolling:
            for face in range(sides):
                out[face] = FACE + 1 + face
            return sides
        out[0], out[1] = ROLL, HOLD
        return 2 if state.risked > 0 else 1

    @kernel
    def chance(state, rng):
        return FACE + 1 + below(rng, sides)

    @kernel
    def play(state, move):
        if move == ROLL:
            state.rolling = 1
        elif move == HOLD:
            _end_turn(state)
        else:
            state.rolling = 0
            face = int(move) - FACE
            state.risked = 0 if face == 1 else state.risked + face
            if face == 1 or state.score[state.turn] + state.risked >= target:
                _end_turn(state)

    @kernel
    def over(state):
        return state.score[1 - state.turn] >= target or state.turns == 2 * rounds

    @kernel
    def points(state, out):
        out[0], out[1] = state.score[0], state.score[1]

    @kernel
    def rewards(state, out):
        if state.score[0] == state.score[1]:
            out[0] = 0.5
        else:
            out[0] = 1.0 if state.score[0] > state.score[1] else 0.0
        out[1] = 1 - out[0]

    return dict(moves=moves, chance=chance, play=play, over=over, points=points, rewards=rewards)


def pig(target: int = 20, sides: int = 6, rounds: int = 10) -> Game:
    """Pig to this target with a die of so many sides and so many turns a seat."""
    if not (2 <= target <= MOST_TARGET and 2 <= sides <= MOST_SIDES and 1 <= rounds <= MOST_ROUNDS):
        raise UsageError(
            f"pig has a target of 2 to {MOST_TARGET}, a die of 2 to {MOST_SIDES} sides and "
            f"1 to {MOST_ROUNDS} rounds, not {target}, {sides} and {rounds}"
        )
    rolls = (target + 1) // 2  # of one turn: each but a 1 adds at least 2
    return Game(
        "pig",
        STATE,
        seats=2,
        seat_names=SEATS,
        start=STATE.new,
        seat=seat,
        move_ids=FACE + 1 + sides,
        most_moves=sides,
        longest=2 * rounds * (2 * rolls + 1),  # the die's moves counted
        name=lambda move: ("roll", "hold")[move] if move <= HOLD else str(move - FACE),
        show=lambda state: _show(state, target),
        arguments={"target": target, "sides": sides, "rounds": rounds},
        **_kernels(target, sides, rounds),
    )


def _show(state: State, target: int) -> str:
    scores = "  ".join(f"{name} {score}" for name, score in zip(SEATS, state.score, strict=True))
    doing = "rolls the die" if state.rolling else "to decide"
    return f"{scores}  (target {target}); {SEATS[state.turn]} {doing}, {state.risked} in this turn"
