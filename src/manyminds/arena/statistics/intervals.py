"""Intervals of one line-up's result: a share of the games, or a mean of points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from manyminds.arena.statistics.checked import (
    Values,
    checked_count,
    checked_level,
    checked_score,
    checked_values,
)
from manyminds.arena.statistics.distributions import (
    beta_quantile,
    critical_value,
    normal_quantile,
    normal_share,
)
from manyminds.arena.statistics.interval import Interval
from manyminds.arena.statistics.moments import mean_and_error
from manyminds.core.errors import UsageError, nearest

_DRAWS_AT_ONCE = 1 << 21  # resampled games held in memory at one time (16 MB of indices)


def wilson_bounds(share: float, n: float, z: float) -> tuple[float, float]:
    """The shares p with |share - p| <= z sqrt(p (1 - p) / n): Wilson's score bounds, in [0, 1]."""
    shrink = 1.0 + z * z / n
    middle = (share + z * z / (2.0 * n)) / shrink
    reach = z * math.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n)) / shrink
    low = 0.0 if share <= 0.0 else max(0.0, middle - reach)
    high = 1.0 if share >= 1.0 else min(1.0, middle + reach)
    return low, high


def wilson(score: float, n: int, level: float = 0.95) -> Interval:
    """Wilson's interval of a share: `score` games' worth of wins out of n, a draw being half.

    The score is taken as if from n games that are won or lost. Draws only make scores vary less,
    so with draws the interval is wider than it need be and covers more than its level.
    """
    score, n = checked_score(score, n)
    low, high = wilson_bounds(score / n, n, critical_value(checked_level(level)))
    return Interval(low, high, score / n, n, level)


def exact_share(wins: int, n: int, level: float = 0.95) -> Interval:
    """Clopper and Pearson's interval of a share: covers at least its level, whatever the truth.

    Only for games that are won or lost. Wider than Wilson's, which covers its level on average.
    """
    wins = checked_count(wins, "wins (draws have no exact interval: use wilson)")
    checked_score(wins, n)
    outside = (1.0 - checked_level(level)) / 2.0
    low = beta_quantile(outside, wins, n - wins + 1) if wins > 0 else 0.0
    # By the mirrored beta: 1 - outside would lose the digits of a very high level.
    high = 1.0 - beta_quantile(outside, n - wins, wins + 1) if wins < n else 1.0
    return Interval(low, high, wins / n, n, level)


def mean_interval(values: Iterable[float], level: float = 0.95) -> Interval:
    """Student's t interval of a mean. One game alone tells nothing of it: infinite bounds."""
    kept, level = checked_values(values), checked_level(level)
    (mean, error), n = mean_and_error(kept), kept.size
    if n == 1:
        return Interval(-math.inf, math.inf, mean, n, level)
    reach = critical_value(level, n - 1) * error
    return Interval(mean - reach, mean + reach, mean, n, level)


def bootstrap_interval(
    values: Iterable[float],
    level: float = 0.95,
    *,
    seed: int = 0,
    resamples: int = 5000,
    method: str = "bca",
) -> Interval:
    """A bootstrap interval of a mean, for points that are far from a bell curve.

    `method` is "bca" (bias-corrected and accelerated: bounds follow the skew) or "percentile".
    The same values in the same order with the same seed give the same interval.
    """
    kept, level = checked_values(values), checked_level(level)
    if method not in BOOTSTRAP_METHODS:
        raise UsageError(f'no bootstrap "{method}"; {nearest(method, BOOTSTRAP_METHODS)}')
    mean, n = mean_and_error(kept)[0], kept.size
    if n == 1:
        return Interval(-math.inf, math.inf, mean, n, level)
    means = _resampled_means(kept, checked_count(resamples, "resamples", least=100), seed)
    ends = BOOTSTRAP_METHODS[method](kept, means, level)
    low, high = (float(bound) for bound in np.quantile(means, ends))
    return Interval(low, high, mean, n, level)


def _resampled_means(values: Values, resamples: int, seed: int) -> Values:
    """Means of `resamples` draws with replacement, float64[resamples].

    Drawn in one stream, however it is cut: memory stays bounded and the result does not change.
    """
    random = np.random.Generator(np.random.PCG64(seed))
    rows = max(1, _DRAWS_AT_ONCE // values.size)
    parts = [
        values[random.integers(0, values.size, (min(rows, resamples - done), values.size))].mean(1)
        for done in range(0, resamples, rows)
    ]
    return np.concatenate(parts)


def _percentile_ends(values: Values, means: Values, level: float) -> tuple[float, float]:
    return (1.0 - level) / 2.0, (1.0 + level) / 2.0


def _bca_ends(values: Values, means: Values, level: float) -> tuple[float, float]:
    """Which quantiles of the resampled means to take: Efron's corrections of bias and of skew."""
    off = values - values.mean()
    square_sum = float((off**2).sum())
    if square_sum == 0.0:
        return _percentile_ends(values, means, level)
    acceleration = float((off**3).sum()) / (6.0 * square_sum**1.5)
    below = float((means < values.mean()).mean() + (means <= values.mean()).mean()) / 2.0
    bias = normal_quantile(min(max(below, 0.5 / means.size), 1.0 - 0.5 / means.size))
    z = critical_value(level)

    def end(side: float) -> float:
        shifted = bias + side * z
        return normal_share(bias + shifted / max(1.0 - acceleration * shifted, 1e-9))

    return end(-1.0), end(1.0)


BOOTSTRAP_METHODS: dict[str, Callable[[Values, Values, float], tuple[float, float]]] = {
    "bca": _bca_ends,
    "percentile": _percentile_ends,
}
