"""How many games a question needs, before the first is played."""

from __future__ import annotations

import math
from collections.abc import Callable

from manyminds.arena.statistics.checked import (
    checked_error,
    checked_inner_share,
    checked_level,
    checked_positive,
    checked_share,
)
from manyminds.arena.statistics.distributions import (
    critical_value,
    normal_quantile,
    student_quantile,
)
from manyminds.arena.statistics.intervals import wilson_bounds
from manyminds.arena.statistics.sequential import Sprt
from manyminds.core.errors import UsageError

MOST_GAMES = 10**12  # beyond which "never" is the better answer


def games_for_share(half_width: float, share: float = 0.5, level: float = 0.95) -> int:
    """The fewest games whose Wilson interval at this share is no wider than ± half_width."""
    checked_positive(half_width, "a half-width")
    share, z = checked_share(share), critical_value(checked_level(level))

    def is_enough(n: int) -> bool:
        low, high = wilson_bounds(share, n, z)
        return high - low <= 2.0 * half_width

    return _fewest(is_enough, least=1)


def games_for_mean(half_width: float, sd: float, level: float = 0.95) -> int:
    """The fewest games whose t interval is no wider than ± half_width, if they vary by `sd`."""
    checked_positive(half_width, "a half-width")
    sd, level = checked_error(sd, "a standard deviation"), checked_level(level)
    return _fewest(
        lambda n: critical_value(level, n - 1) * sd <= half_width * math.sqrt(n), least=2
    )


def games_to_tell_shares(
    first: float, second: float, power: float = 0.8, level: float = 0.95
) -> int:
    """Games of each of two line-ups, so that their shares are told apart with this power.

    The normal formula: pooled variance where no difference is supposed, each its own where there
    is one. Draws make shares vary less, so that fewer would do.
    """
    first, second = checked_share(first), checked_share(second)
    away = _distance(first, second)
    pooled = (first + second) / 2.0
    z, z_power = critical_value(checked_level(level)), _power_value(power)
    spread = z * math.sqrt(2.0 * pooled * (1.0 - pooled)) + z_power * math.sqrt(
        first * (1.0 - first) + second * (1.0 - second)
    )
    return _whole((spread / away) ** 2)


def games_to_tell_share_from(
    share: float, known: float, power: float = 0.8, level: float = 0.95
) -> int:
    """Games of one line-up, so that its share is told from a known one, such as 0.5."""
    share, known = checked_share(share), checked_inner_share(known, "the known share")
    away = _distance(share, known)
    spread = critical_value(checked_level(level)) * math.sqrt(known * (1.0 - known))
    spread += _power_value(power) * math.sqrt(share * (1.0 - share))
    return _whole((spread / away) ** 2)


def games_to_tell_means(
    difference: float,
    sd: float,
    second_sd: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
) -> int:
    """Games of each of two line-ups, so that Welch's t shows such a difference of means."""
    one = checked_positive(sd, "a standard deviation")
    two = one if second_sd is None else checked_positive(second_sd, "a standard deviation")
    # Equal numbers of games: Satterthwaite's degrees are n - 1 times this, between 1 and 2.
    factor = (one**2 + two**2) ** 2 / (one**4 + two**4)
    return _games_by_t(difference, math.hypot(one, two), factor, power, level)


def games_to_tell_mean_from(
    difference: float,
    sd: float,
    published_error: float = 0.0,
    power: float = 0.8,
    level: float = 0.95,
) -> int:
    """Games, so that t shows such a difference from a published mean with its standard error.

    With `sd` that of the differences and no published error: pairs, for a paired difference.
    """
    checked_positive(sd, "a standard deviation")
    error = checked_error(published_error, "a published standard error")
    reach = critical_value(checked_level(level)) + _power_value(power)
    room = (checked_positive(abs(difference), "a difference") / reach) ** 2 - error**2
    if room <= 0.0:
        raise UsageError(
            f"no number of games shows a difference of {abs(difference):g} against a published"
            f" standard error of {error:g}: the least that can be shown is {reach * error:.4g}"
        )
    return _games_by_t(reach * math.sqrt(room), sd, 1.0, power, level)


def games_for_sprt(sprt: Sprt, share: float) -> float:
    """About how many games a sequential test takes when the truth is `share` (Wald's formula).

    For games won or lost. It neglects by how much the last game oversteps a bound: tests take a
    little longer. Fewer games where there are draws and the model is "normal".
    """
    share = checked_share(share)
    win = math.log(sprt.share1) - math.log(sprt.share0)
    loss = math.log1p(-sprt.share1) - math.log1p(-sprt.share0)
    low, high = sprt.bounds
    if share in (0.0, 1.0):
        return high / win if share else low / loss
    drift = share * win + (1.0 - share) * loss
    root = _martingale_root(share, win, loss, drift)
    if abs(root) < 1e-6:  # no drift: the walk's square is what grows with time
        return -low * high / (share * win**2 + (1.0 - share) * loss**2)
    to_high = math.expm1(root * low) / (math.expm1(root * low) - math.expm1(root * high))
    return (to_high * high + (1.0 - to_high) * low) / drift


def _martingale_root(share: float, win: float, loss: float, drift: float) -> float:
    """The h other than 0 with E[exp(h step)] = 1: 1 at share0, -1 at share1, 0 without drift."""
    side = -math.copysign(1.0, drift)

    def is_beyond(h: float) -> bool:
        return share * math.expm1(side * h * win) + (1.0 - share) * math.expm1(side * h * loss) > 0

    near, far = 0.0, 1e-9
    while not is_beyond(far):
        near, far = far, 2.0 * far
    for _ in range(80):
        middle = (near + far) / 2.0
        near, far = (near, middle) if is_beyond(middle) else (middle, far)
    return side * far


def _games_by_t(difference: float, sd: float, factor: float, power: float, level: float) -> int:
    """The fewest n >= 2 where `difference` is as many standard errors as the two errors need.

    Degrees of freedom are factor (n - 1). Student's quantiles stand in for the noncentral t's;
    that is within a game or two.
    """
    away = checked_positive(abs(difference), "a difference")
    checked_level(level)
    _power_value(power)

    def is_enough(n: int) -> bool:
        degrees = factor * (n - 1)
        reach = critical_value(level, degrees) + student_quantile(power, degrees)
        return away * math.sqrt(n) >= reach * sd

    return _fewest(is_enough, least=2)


def _power_value(power: float) -> float:
    if not 0.5 <= power < 1.0:
        raise UsageError(f"power lies in [0.5, 1), such as 0.8; not {power}")
    return normal_quantile(power)


def _distance(first: float, second: float) -> float:
    if first == second:
        raise UsageError("no number of games tells two equal shares apart: give the difference")
    return abs(first - second)


def _whole(games: float) -> int:
    if games > MOST_GAMES:
        raise UsageError(f"that takes more than {MOST_GAMES:.0e} games: ask for less")
    return max(1, math.ceil(games))


def _fewest(is_enough: Callable[[int], bool], least: int) -> int:
    """The smallest n >= least with is_enough(n), which once true stays true."""
    too_few, enough = least - 1, least
    while not is_enough(enough):
        too_few, enough = enough, 2 * enough
        if enough > MOST_GAMES:
            raise UsageError(f"that takes more than {MOST_GAMES:.0e} games: ask for less")
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if is_enough(middle) else (middle, enough)
    return enough
