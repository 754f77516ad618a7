"""The normal, Student's t and the beta distribution: tails and quantiles.

Everything rests on one function, the regularised incomplete beta function I_x(a, b), written in
log odds u = log(x / (1 - x)), so that neither end of [0, 1] loses digits. Student's t with d
degrees of freedom is the beta distribution with a = d/2, b = 1/2 at x = d / (d + t^2).
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

from manyminds.arena.statistics.checked import checked_positive, checked_share
from manyminds.core.errors import UsageError

_STANDARD = NormalDist()
_HALF_LOG_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_WIDEST = 700.0  # log odds beyond which exp() would overflow
_TINY = 1e-300  # keeps Lentz's fractions off zero
_MOST_TERMS = 200_000  # of the continued fraction; it takes about sqrt(max(a, b))


def normal_share(z: float) -> float:
    """P(Z <= z) of the standard normal, with its full relative precision in the lower tail."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def normal_quantile(p: float) -> float:
    """The z with P(Z <= z) = p; infinite at 0 and 1."""
    checked_share(p, "a probability")
    if p in (0.0, 1.0):
        return math.copysign(math.inf, p - 0.5)
    return _STANDARD.inv_cdf(p)


def normal_both_tails(z: float) -> float:
    """P(|Z| >= |z|): the two-sided p-value of a normal statistic."""
    return math.erfc(abs(z) / math.sqrt(2.0))


def student_both_tails(t: float, degrees: float) -> float:
    """P(|T| >= |t|): the two-sided p-value. `degrees` may be infinite (the normal) or broken."""
    _checked_degrees(degrees)
    if math.isinf(t):
        return 0.0
    if t == 0.0:
        return 1.0
    if math.isinf(degrees):
        return normal_both_tails(t)
    odds = math.log(degrees) - 2.0 * math.log(abs(t))
    return _masses(odds, degrees / 2.0, 0.5)[0]


@lru_cache(maxsize=4096)
def student_quantile(p: float, degrees: float) -> float:
    """The t with P(T <= t) = p. `degrees` may be infinite (the normal) or broken."""
    checked_share(p, "a probability")
    _checked_degrees(degrees)
    if math.isinf(degrees) or p in (0.0, 0.5, 1.0):
        return normal_quantile(p)
    both_tails = 2.0 * min(p, 1.0 - p)
    odds = _log_odds(both_tails, 1.0 - both_tails, degrees / 2.0, 0.5)
    return math.copysign(math.sqrt(degrees) * math.exp(-odds / 2.0), p - 0.5)


def critical_value(level: float, degrees: float = math.inf) -> float:
    """How many standard errors an interval of this level reaches to each side."""
    return -student_quantile((1.0 - level) / 2.0, degrees)


def beta_share(x: float, a: float, b: float) -> float:
    """P(X <= x) of the beta distribution: the regularised incomplete beta function I_x(a, b)."""
    checked_share(x, "the point")
    checked_positive(a, "a")
    checked_positive(b, "b")
    if x in (0.0, 1.0):
        return x
    return _masses(math.log(x) - math.log1p(-x), a, b)[0]


def beta_quantile(p: float, a: float, b: float) -> float:
    """The x with P(X <= x) = p of the beta distribution."""
    checked_share(p, "a probability")
    checked_positive(a, "a")
    checked_positive(b, "b")
    if p in (0.0, 1.0):
        return p
    return _logistic(_log_odds(p, 1.0 - p, a, b))


def _checked_degrees(degrees: float) -> None:
    if not degrees > 0.0:
        raise UsageError(f"degrees of freedom are above 0; not {degrees}")


def _logistic(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-_WIDEST, min(_WIDEST, odds))))


def _masses(odds: float, a: float, b: float) -> tuple[float, float]:
    """(I_x(a, b), 1 - I_x(a, b)) at x = logistic(odds); the smaller keeps its precision.

    The continued fraction converges fast on its own side of the mean only, so it is asked there
    and the other side is what is left.
    """
    x, y = _logistic(odds), _logistic(-odds)
    front = math.exp(_log_front(x, y, a, b))
    if x < (a + 1.0) / (a + b + 2.0):
        lower = min(1.0, front * _continued_fraction(x, y, a, b))
        return lower, 1.0 - lower
    upper = min(1.0, front * _continued_fraction(y, x, b, a))
    return 1.0 - upper, upper


def _log_front(x: float, y: float, a: float, b: float) -> float:
    """log(x^a y^b / B(a, b)), with x + y = 1; also the slope of I_x over log odds.

    Written about the mean x0 = a / (a + b), where the huge terms of a, b and their gamma
    functions cancel on paper and not in floating point.
    """
    total = a + b
    mean_x, mean_y = a / total, b / total
    shift = x - mean_x if x < y else mean_y - y  # from the side that is known better
    return (
        a * _log_quotient(x, mean_x, shift)
        + b * _log_quotient(y, mean_y, -shift)
        + 0.5 * (math.log(a) + math.log(mean_y))
        - _HALF_LOG_TWO_PI
        + _stirling_rest(total)
        - _stirling_rest(a)
        - _stirling_rest(b)
    )


def _log_quotient(part: float, mean: float, shift: float) -> float:
    """log(part / mean), where part = mean + shift."""
    relative = shift / mean
    return math.log1p(relative) if abs(relative) < 0.5 else math.log(part) - math.log(mean)


def _stirling_rest(x: float) -> float:
    """log gamma(x) without Stirling's leading terms: about 1 / (12 x)."""
    if x < 15.0:
        return math.lgamma(x) - (x - 0.5) * math.log(x) + x - _HALF_LOG_TWO_PI
    s = 1.0 / (x * x)
    series = 1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))
    return series / x  # the next term is below 3e-16


def _continued_fraction(x: float, y: float, a: float, b: float) -> float:
    """I_x(a, b) B(a, b) / (x^a y^b), where y = 1 - x and x is at most the mean or so.

    The even part of the textbook fraction (DiDonato and Morris 1992), by Lentz's method: it asks
    for x only through a - (a + b) x = (a + b) y - b, which y gives without cancellation when x
    is next to 1, as it is for Student's t with many degrees of freedom.
    """
    gap = a - (a + b) * x if x < y else (a + b) * y - b
    value = _off_zero(a * (gap + 1.0) / (a + 1.0))
    numerator, denominator = value, 0.0
    for m in range(1, _MOST_TERMS):
        place = a + 2 * m - 1.0
        upper = (a + m - 1.0) * (a + b + m - 1.0) * m * (b - m) * x * x / (place * place)
        lower = m + m * (b - m) * x / place + (a + m) * (gap + 1.0 + m * (1.0 + y)) / (place + 2)
        denominator = 1.0 / _off_zero(lower + upper * denominator)
        numerator = _off_zero(lower + upper / numerator)
        value *= numerator * denominator
        if abs(numerator * denominator - 1.0) < 2.3e-16:
            return 1.0 / value
    raise ArithmeticError(f"the incomplete beta function did not converge at {x}, {a}, {b}")


def _off_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def _log_odds(lower: float, upper: float, a: float, b: float) -> float:
    """The log odds u at which I_x(a, b) = lower = 1 - upper: Newton's method in a bracket.

    The smaller of the two masses is matched, in logarithms, so that far tails are as exact as the
    middle. Both masses are given since neither can be recovered from the other near 0.
    """
    below, above, odds = -_WIDEST, _WIDEST, math.log(a) - math.log(b)
    sign, target = (1.0, lower) if lower <= upper else (-1.0, upper)
    for _ in range(2000):
        mass = _masses(odds, a, b)[0 if sign > 0 else 1]
        off = sign * (math.log(mass) - math.log(target)) if mass > 0.0 else -sign * math.inf
        below, above = (below, odds) if off > 0.0 else (odds, above)
        next_odds = _newton_step(odds, off, mass, a, b)
        if not below < next_odds < above:
            next_odds = (below + above) / 2.0
        if abs(next_odds - odds) <= 4e-16 * max(1.0, abs(odds)):
            break
        odds = next_odds
    return odds


def _newton_step(odds: float, off: float, mass: float, a: float, b: float) -> float:
    """Where log(mass) would meet its target if it were straight; NaN where that says nothing."""
    if mass <= 0.0:
        return math.nan
    slope = math.exp(_log_front(_logistic(odds), _logistic(-odds), a, b)) / mass
    return odds - off / slope if slope > 0.0 else math.nan
