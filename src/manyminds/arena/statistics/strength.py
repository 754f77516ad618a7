"""Strength over budget, and how much budget a way of searching is worth (Filip, 2.3.1 and 4.5.1).

The plain search's strength at a budget t is taken to be S(t) = c0 + c1 / sqrt(t). Another one that reaches
the strength s at the budget t has the strength speed-up S^-1(s) / t, with S^-1(s) = (c1 / (s - c0))**2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.arena.statistics.checked import (
    Values,
    checked_count,
    checked_level,
    checked_positive,
    checked_values,
)
from manyminds.arena.statistics.interval import Interval
from manyminds.core.errors import UsageError

DRAWS = 4000


@dataclass(frozen=True)
class StrengthFit:
    """S(t) = c0 + c1 / sqrt(t). Whether more is better is the data's affair: c1 has the sign."""

    c0: float
    c1: float

    def strength(self, budget: float) -> float:
        """What the plain search reaches with this budget."""
        return self.c0 + self.c1 / math.sqrt(checked_positive(budget, "a budget"))

    def budget(self, strength: float) -> float:
        """The budget with which the plain search is so strong; infinite where none suffices."""
        away = strength - self.c0
        if self.c1 == 0.0 or away / self.c1 <= 0.0:
            return math.inf
        return (self.c1 / away) ** 2

    def speed_up(self, strength: float, budget: float) -> float:
        """How many times `budget` the plain search needs for this strength."""
        return self.budget(strength) / checked_positive(budget, "a budget")


def fit_strength(plain: Mapping[float, Iterable[float]]) -> StrengthFit:
    """The fit to the plain search's games: results by budget, least squares over all games."""
    read = _read(plain)
    fit = _fit(
        {t: len(values) for t, values in read.items()},
        {t: float(values.mean()) for t, values in read.items()},
    )
    return StrengthFit(float(fit.c0), float(fit.c1))


def speed_up_interval(
    plain: Mapping[float, Iterable[float]],
    results: Iterable[float],
    budget: float,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """The strength speed-up of what had these results at this budget, with its bootstrap interval.

    Games are drawn again within each of the plain search's budgets and within the results, so that the
    interval has the errors of the fit and of the strength. A bound is infinite where so many draws are
    stronger than the fit says of any budget.
    """
    read, own = _read(plain), checked_values(results, "the results")
    draws, level = checked_count(draws, "draws", 100), checked_level(level)
    sizes = {t: len(values) for t, values in read.items()}
    fit = _fit(sizes, {t: values.mean() for t, values in read.items()})
    rng = np.random.Generator(np.random.PCG64(seed))
    fits = _fit(sizes, {t: _means_drawn(values, draws, rng) for t, values in read.items()})
    found = np.sort(_speed_ups(fits, _means_drawn(own, draws, rng), budget))
    tail = (1 - level) / 2 * (draws - 1)
    low, high = found[math.floor(tail)], found[math.ceil((draws - 1) - tail)]
    estimate = float(fit.speed_up(float(own.mean()), budget))
    return Interval(
        float(min(low, estimate)), float(max(high, estimate)), estimate, len(own), level
    )


def mean_speed_up_interval(
    plain: Mapping[float, Iterable[float]],
    results: Mapping[float, Iterable[float]],
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval:
    """The mean of the strength speed-ups at several budgets, all drawn again together.

    results: by budget. The mean is infinite as soon as one of them is.
    """
    read, own = _read(plain), {t: checked_values(v, "the results") for t, v in results.items()}
    draws, level = checked_count(draws, "draws", 100), checked_level(level)
    sizes = {t: len(values) for t, values in read.items()}
    fit = _fit(sizes, {t: values.mean() for t, values in read.items()})
    rng = np.random.Generator(np.random.PCG64(seed))
    fits = _fit(sizes, {t: _means_drawn(values, draws, rng) for t, values in read.items()})
    drawn = [_speed_ups(fits, _means_drawn(values, draws, rng), t) for t, values in own.items()]
    found = np.sort(np.mean(drawn, axis=0))
    tail = (1 - level) / 2 * (draws - 1)
    low, high = found[math.floor(tail)], found[math.ceil((draws - 1) - tail)]
    estimate = float(np.mean([fit.speed_up(float(v.mean()), t) for t, v in own.items()]))
    n = sum(len(values) for values in own.values())
    return Interval(float(min(low, estimate)), float(max(high, estimate)), estimate, n, level)


def _means_drawn(values: Values, draws: int, rng: np.random.Generator) -> Values:
    """Means of so many draws with replacement."""
    return values[rng.integers(0, len(values), (draws, len(values)))].mean(axis=1)


def _speed_ups(fit: StrengthFit, strengths: Values, budget: float) -> Values:
    """`StrengthFit.speed_up` for arrays of fits and strengths."""
    away = strengths - fit.c0
    reached = away * fit.c1 > 0
    return np.where(reached, (fit.c1 / np.where(reached, away, 1.0)) ** 2, math.inf) / budget


def _read(plain: Mapping[float, Iterable[float]]) -> dict[float, Values]:
    if len(plain) < 2:
        raise UsageError(
            "a fit of strength needs the plain search at two budgets or more, better at five"
        )
    return {
        checked_positive(budget, "a budget"): checked_values(values, "the plain search's results")
        for budget, values in plain.items()
    }


def _fit(sizes: Mapping[float, int], means: Mapping[float, Any]) -> StrengthFit:
    """Least squares over all games, of which the means and numbers by budget tell enough.

    Means may be arrays, one fit for each place.
    """
    n = sum(sizes.values())
    x = {t: 1 / math.sqrt(t) for t in sizes}
    middle = sum(sizes[t] * x[t] for t in sizes) / n
    mean = sum(sizes[t] * means[t] for t in sizes) / n
    spread = sum(sizes[t] * (x[t] - middle) ** 2 for t in sizes)
    c1 = sum(sizes[t] * (x[t] - middle) * (means[t] - mean) for t in sizes) / spread
    return StrengthFit(mean - c1 * middle, c1)
