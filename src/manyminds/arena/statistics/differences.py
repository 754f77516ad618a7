"""Differences: between two line-ups, and between a line-up and a published number.

Every function gives first minus second, its interval and a two-sided p-value that belong
together: the interval leaves out 0 exactly when the p-value is below 1 - level.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from manyminds.arena.statistics.checked import (
    checked_level,
    checked_score,
    checked_share,
    checked_values,
)
from manyminds.arena.statistics.distributions import (
    critical_value,
    normal_both_tails,
    student_both_tails,
)
from manyminds.arena.statistics.interval import Interval
from manyminds.arena.statistics.intervals import wilson_bounds
from manyminds.arena.statistics.moments import mean_and_error
from manyminds.arena.statistics.published import Published
from manyminds.core.errors import UsageError

_Bounds = Callable[[float], tuple[float, float]]  # z -> (low, high) of one share
_WIDEST_Z = 40.0  # 2 P(Z > 40) is below the smallest double


@dataclass(frozen=True)
class Difference:
    """First minus second: the interval, the two-sided p-value against 0, and how it was got.

    `degrees` are Student's (infinite for the normal); `assumption` is empty, or a sentence that
    a report must print beside the number.
    """

    interval: Interval
    p_value: float
    method: str
    degrees: float = math.inf
    assumption: str = ""

    @property
    def is_significant(self) -> bool:
        """Is no difference at all excluded, at the interval's level?"""
        return not self.interval.contains(0.0)

    def text(self, digits: int | None = None, unit: str = "") -> str:
        """'2.1 ± 1.6 (95 %, n = 400), p = 0.011'."""
        shown = "p < 0.001" if self.p_value < 0.001 else f"p = {self.p_value:.3f}"
        return f"{self.interval.text(digits, unit)}, {shown}"

    def __str__(self) -> str:
        return self.text()


def paired_difference(
    first: Iterable[float], second: Iterable[float], level: float = 0.95
) -> Difference:
    """Mean of the differences of games that belong together (same number, same seed), by t.

    n counts pairs. Better than Welch's when the pairs' results go together, and wrong when they
    are put together by chance of arrival: both must be ordered by game number.
    """
    one, two = checked_values(first), checked_values(second)
    if one.size != two.size:
        raise UsageError(
            f"paired line-ups have as many games: {one.size} and {two.size} (or use Welch's)"
        )
    away, error = mean_and_error(one - two)
    return _by_t(away, error, one.size - 1.0, one.size, level, "paired t")


def welch_difference(
    first: Iterable[float], second: Iterable[float], level: float = 0.95
) -> Difference:
    """Difference of the means of two line-ups' separate games, by Welch's t; n counts all games."""
    one, two = checked_values(first), checked_values(second)
    (mean_1, error_1), (mean_2, error_2) = mean_and_error(one), mean_and_error(two)
    degrees = welch_degrees((error_1, one.size - 1.0), (error_2, two.size - 1.0))
    error, n = math.hypot(error_1, error_2), one.size + two.size
    return _by_t(mean_1 - mean_2, error, degrees, n, level, "Welch t")


def published_difference(
    values: Iterable[float], published: Published, level: float = 0.95
) -> Difference:
    """Our mean minus a published one, with the published one's own error; n counts our games."""
    ours = checked_values(values)
    mean, error = mean_and_error(ours)
    degrees, method = ours.size - 1.0, "t against a published mean"
    theirs, said = published.standard_error(), ""
    if theirs is None:
        theirs, said = _assumed_error(published, error * math.sqrt(ours.size))
    else:
        # Without a number of games behind it, the published error is taken as known for sure.
        other = published.n - 1.0 if published.n is not None and published.n > 1 else math.inf
        degrees = welch_degrees((error, degrees), (theirs, other))
        if math.isinf(other) and theirs > 0.0:
            said = "the published standard error is taken as exact"
    away, whole = mean - published.mean, math.hypot(error, theirs)
    return _by_t(away, whole, degrees, ours.size, level, method, said)


def _assumed_error(published: Published, our_sd: float) -> tuple[float, str]:
    """(standard error, assumption) of a published mean that comes without one."""
    if published.n is None:
        return 0.0, "the published mean is taken as exact: the interval is narrower than the truth"
    said = f"the paper gives {published.n} games but no deviation: its games vary as ours do"
    return our_sd / math.sqrt(published.n), said


def share_difference(
    first_score: float, first_n: int, second_score: float, second_n: int, level: float = 0.95
) -> Difference:
    """Difference of two shares of separate games, by Newcombe's joined Wilson intervals.

    Scores count a draw as half. n counts all games.
    """
    one_score, one_n = checked_score(first_score, first_n)
    two_score, two_n = checked_score(second_score, second_n)
    one, two = one_score / one_n, two_score / two_n
    ours, theirs = partial(wilson_bounds, one, one_n), partial(wilson_bounds, two, two_n)
    return _by_joined_bounds((one, ours), (two, theirs), one_n + two_n, level, "Newcombe")


def published_share_difference(
    score: float, n: int, published: Published, level: float = 0.95
) -> Difference:
    """Our share minus a published one (both in [0, 1]), by joined intervals; n counts our games."""
    score, n = checked_score(score, n)
    theirs = checked_share(published.mean, "a published share")
    error, said = published.standard_error(), ""
    if error is None and published.n is not None:
        their_bounds = partial(wilson_bounds, theirs, published.n)
    else:
        their_bounds = partial(_normal_bounds, theirs, error or 0.0)
    if error is None and published.n is None:
        said = "the published share is taken as exact: the interval is narrower than the truth"
    ours, method = partial(wilson_bounds, score / n, n), "joined intervals"
    return _by_joined_bounds((score / n, ours), (theirs, their_bounds), n, level, method, said)


def _normal_bounds(centre: float, error: float, z: float) -> tuple[float, float]:
    return centre - z * error, centre + z * error


def welch_degrees(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Welch and Satterthwaite's degrees of freedom of two (standard error, degrees) together."""
    whole = math.hypot(first[0], second[0])
    if whole == 0.0 or math.isinf(whole):
        return min(first[1], second[1])
    # As parts of the whole, so that tiny and huge errors do not leave the range of doubles.
    parts = (first[0] / whole) ** 4 / first[1] + (second[0] / whole) ** 4 / second[1]
    return 1.0 / parts if parts > 0.0 else math.inf


def _by_t(
    away: float,
    error: float,
    degrees: float,
    n: int,
    level: float,
    method: str,
    assumption: str = "",
) -> Difference:
    """The difference `away` with its standard error, by Student's t."""
    checked_level(level)
    if math.isinf(error):
        nothing = Interval(-math.inf, math.inf, away, n, level)
        return Difference(nothing, 1.0, method, 0.0, assumption)
    reach = critical_value(level, degrees) * error
    if error > 0.0:
        p_value = student_both_tails(away / error, degrees)
    else:
        p_value = 1.0 if away == 0.0 else 0.0
    interval = Interval(away - reach, away + reach, away, n, level)
    return Difference(interval, p_value, method, degrees, assumption)


def _by_joined_bounds(
    first: tuple[float, _Bounds],
    second: tuple[float, _Bounds],
    n: int,
    level: float,
    method: str,
    assumption: str = "",
) -> Difference:
    """Two shares with intervals of their own, joined by the squares of the arms that face 0."""
    (one, one_bounds), (two, two_bounds) = first, second
    away = one - two

    def bounds(z: float) -> tuple[float, float]:
        (low_1, high_1), (low_2, high_2) = one_bounds(z), two_bounds(z)
        down = math.hypot(one - low_1, high_2 - two)
        return away - down, away + math.hypot(high_1 - one, two - low_2)

    low, high = bounds(critical_value(checked_level(level)))
    p_value = normal_both_tails(_touching_z(bounds))
    return Difference(Interval(low, high, away, n, level), p_value, method, math.inf, assumption)


def _touching_z(bounds: _Bounds) -> float:
    """The z whose interval just reaches 0; the p-value is what lies outside it."""
    inside, outside = _WIDEST_Z, 0.0
    low, high = bounds(inside)
    if low > 0.0 or high < 0.0:
        return math.inf
    for _ in range(100):
        z = (inside + outside) / 2.0
        low, high = bounds(z)
        if low <= 0.0 <= high:
            inside = z
        else:
            outside = z
    return inside
