"""How a team's time passes: counted in simulations, or by the clock.

Time has whole units, so that sums are exact: a thousandth of a simulation, or a microsecond.
"""

from __future__ import annotations

import time
from typing import Protocol

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.teams.mate import Mate

SPEED = 11_000  # simulations a second of a mate: the thesis's 11,002, where a tick of 40 ms has 440
_PART = 1000  # units of a simulation


class Pace(Protocol):
    """What a tick has of units, and what things take."""

    def tick(self, budget: Budget) -> int:
        """Units of a tick in which mates may spend this budget."""

    def seconds(self, units: int) -> float:
        """What a channel takes for the time."""

    def slice(self, every: int) -> float:
        """Seconds between two looks at the channel."""

    def think(self, mate: Mate, every: int, left: int, speed: float) -> int:
        """Let a mate search for a while, not longer than `left` units; the units it took."""

    def take(self, mate: Mate, messages: list[bytes], speed: float) -> int:
        """Let a mate take in messages; the units it took."""


class Counted:
    """A simulation takes 1 / `simulations_per_second`, a message what its kind declares: exact runs."""

    def __init__(self, simulations_per_second: float = SPEED) -> None:
        self.rate = simulations_per_second * _PART

    def tick(self, budget: Budget) -> int:
        if budget.simulations is None:
            raise UsageError("in virtual time a budget is a number of simulations a tick")
        return budget.simulations * _PART

    def seconds(self, units: int) -> float:
        return units / self.rate

    def slice(self, every: int) -> float:
        return every * _PART / self.rate

    def think(self, mate: Mate, every: int, left: int, speed: float) -> int:
        one = max(1, round(_PART / speed))
        n = min(every, left // one)
        if n == 0:
            return left
        mate.think(Budget(simulations=n))
        return n * one

    def take(self, mate: Mate, messages: list[bytes], speed: float) -> int:
        each, byte = mate.talk.habits.cost
        units = 0.0
        for message in messages:
            mate.received(message)
            units += each + byte * len(message)
        return round(units * _PART / speed)


class Clocked:
    """Everything takes what it takes. Mates that share a process take turns on its clock."""

    def __init__(self, simulations_per_second: float = SPEED) -> None:
        self.rate = simulations_per_second

    def tick(self, budget: Budget) -> int:
        if budget.milliseconds is None:
            raise UsageError("mates plan for a number of simulations a tick, or for milliseconds")
        return round(budget.milliseconds * 1000)

    def seconds(self, units: int) -> float:
        return units / 1e6

    def slice(self, every: int) -> float:
        return every / self.rate

    def think(self, mate: Mate, every: int, left: int, speed: float) -> int:
        longest = min(left, every / self.rate * 1e6)
        begun = time.perf_counter()
        mate.think(Budget(milliseconds=max(longest * speed, 1.0) / 1000))
        return max(1, round((time.perf_counter() - begun) * 1e6 / speed))

    def take(self, mate: Mate, messages: list[bytes], speed: float) -> int:
        begun = time.perf_counter()
        for message in messages:
            mate.received(message)
        return round((time.perf_counter() - begun) * 1e6 / speed)


def pace_for(budget: Budget, simulations_per_second: float) -> Pace:
    """Counted for budgets in simulations, clocked for those in time."""
    return (Counted if budget.simulations is not None else Clocked)(simulations_per_second)
