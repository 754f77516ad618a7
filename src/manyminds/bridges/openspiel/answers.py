"""What kernels ask of an OpenSpiel game, answered by OpenSpiel.

Memory is read and written where the records' shapes say; an answer is above 0 (core/crossing.py).
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from ctypes import c_double, c_uint32, memmove, string_at
from typing import Any

import numpy as np

from manyminds.bridges.openspiel.loading import has_chance
from manyminds.bridges.openspiel.positions import MOVE, Positions

SEAT, OVER, MOVES, CHANCE_MOVE, REWARDS, POINTS, QUICK, NOTED, STEPWISE = range(9)
SEAT_SHIFT = 3  # an answer is a seat, or nature (-2), and this
_NATURE = -2
_SEED = 0x7FFFFFFF  # OpenSpiel's seeds are C's int


class Answers:
    """The handler of one game. `state` and `trace` are the shapes of our records."""

    def __init__(
        self,
        module: Any,
        game: Any,
        utilities: tuple[float, float],
        state: np.dtype,
        trace: np.dtype,
    ) -> None:
        self.module, self.positions = module, Positions(game)
        self.seats = int(game.num_players())
        self.has_chance = has_chance(game)
        self.low, self.share = utilities[0], 1.0 / (utilities[1] - utilities[0])
        self.state, self.trace = _offsets(state), _offsets(trace)
        self.history = self.state["history"]
        self._rewards = c_double * self.seats
        self._answers: tuple[Callable[[int, int, int, int], int], ...] = (
            self.seat,
            self.over,
            self.moves,
            self.chance_move,
            self.rewards,
            self.points,
            self.quick,
            self.noted,
            self.stepwise,
        )

    def __call__(self, question: int, record: int, about: int, n: int, number: int) -> int:
        """n: moves of the record's history."""
        return self._answers[question](record, about, n, number)

    def _history(self, record: int, n: int) -> bytes:
        return string_at(record + self.history, MOVE * n)

    # --- questions about a position ---------------------------------------------------------------

    def seat(self, record: int, about: int, n: int, number: int) -> int:
        player = self.positions.at(self._history(record, n)).current_player()
        return (player if player >= 0 else _NATURE) + SEAT_SHIFT

    def over(self, record: int, about: int, n: int, number: int) -> int:
        return 1 + self.positions.at(self._history(record, n)).is_terminal()

    def moves(self, record: int, about: int, n: int, number: int) -> int:
        """Write the moves to the array `about`: 1 more than there are."""
        moves = self.positions.keep(self._history(record, n)).legal_actions()
        memmove(about, array("I", moves).tobytes(), MOVE * len(moves))
        return 1 + len(moves)

    def chance_move(self, record: int, about: int, n: int, number: int) -> int:
        """What nature does when `number` is drawn of 2**32."""
        outcomes = self.positions.at(self._history(record, n)).chance_outcomes()
        left = number * 2.0**-32
        for move, odds in outcomes:
            left -= odds
            if left < 0:
                return 1 + move
        return 1 + max(
            move for move, odds in outcomes if odds > 0
        )  # odds that add up to a little less

    def rewards(self, record: int, about: int, n: int, number: int) -> int:
        self._write_rewards(about, self.positions.at(self._history(record, n)).returns())
        return 1

    def points(self, record: int, about: int, n: int, number: int) -> int:
        returns = self.positions.at(self._history(record, n)).returns()
        self._rewards.from_address(about)[:] = returns
        return 1

    def _write_rewards(self, where: int, returns: list[float]) -> None:
        low, share = self.low, self.share
        self._rewards.from_address(where)[:] = [
            min(1.0, max(0.0, (each - low) * share)) for each in returns
        ]

    # --- playouts ----------------------------------------------------------------------------------

    def quick(self, record: int, about: int, n: int, number: int) -> int:
        """To the end within OpenSpiel; of the record, only the rewards are written."""
        state = self.positions.fresh(self._history(record, n))
        self._play_out(state, number)
        self._write_rewards(record + self.state["result"], state.returns())
        c_uint32.from_address(record + self.state["ended"]).value = 1
        turns = c_uint32.from_address(about + self.trace["turns"])
        turns.value += state.move_number() - n
        return 1

    def noted(self, record: int, about: int, n: int, number: int) -> int:
        """The same, and who played what goes into the trace and the record's history."""
        state = self.positions.fresh(self._history(record, n))
        self._play_out(state, number)
        self._note(record, about, n, state)
        return 1

    def _play_out(self, state: Any, seed: int) -> None:
        if state.is_terminal():
            return
        make = self.module.make_uniform_random_bot
        bots = [make(seat, (seed + seat) & _SEED) for seat in range(self.seats)]
        self.module.evaluate_bots(state, bots, seed & _SEED)

    def stepwise(self, record: int, about: int, n: int, number: int) -> int:
        """Move by move, until the trace's limit."""
        state = self.positions.fresh(self._history(record, n))
        left = c_uint32.from_address(record + self.state["longest"]).value - n
        limit = c_uint32.from_address(about + self.trace["limit"]).value
        turns = c_uint32.from_address(about + self.trace["turns"]).value
        chooser = random.Random(number)
        while turns < limit and left > 0 and not state.is_terminal():
            left -= 1
            if state.is_chance_node():
                moves, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chooser.choices(moves, odds)[0])
            else:
                state.apply_action(chooser.choice(state.legal_actions()))
                turns += 1
        self._note(record, about, n, state)
        return 1

    def _note(self, record: int, trace: int, n: int, state: Any) -> None:
        """Write what was played since move n to the trace (the seats' moves) and to the history (all)."""
        moves, seats = state.history()[n:], [each.player for each in state.full_history()[n:]]
        end, packed = n + len(moves), array("I", moves).tobytes()
        memmove(record + self.history + MOVE * n, packed, len(packed))
        c_uint32.from_address(record + self.state["n"]).value = end
        if self.has_chance:
            own = [k for k, seat in enumerate(seats) if seat >= 0]
            seats = [seats[k] for k in own]
            packed = array("I", [moves[k] for k in own]).tobytes()
        noted = c_uint32.from_address(trace + self.trace["n"])
        memmove(trace + self.trace["seat"] + noted.value, bytes(seats), len(seats))
        memmove(trace + self.trace["move"] + MOVE * noted.value, packed, len(packed))
        noted.value += len(seats)
        c_uint32.from_address(trace + self.trace["turns"]).value += len(seats)
        self.positions.last = (self._history(record, end), state)


def _offsets(shape: np.dtype) -> dict[str, int]:
    """Where each field of a record begins, in bytes."""
    assert shape.fields is not None
    return {name: int(field[1]) for name, field in shape.fields.items()}
