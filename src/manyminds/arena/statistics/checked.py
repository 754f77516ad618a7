"""What the statistics accept: every number from outside passes through here once."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from manyminds.core.errors import UsageError

Values = NDArray[np.float64]


def checked_level(level: float) -> float:
    """A confidence level, strictly between 0 and 1 (0.95, not 95)."""
    if not 0.0 < level < 1.0:
        raise UsageError(f"a level lies between 0 and 1, such as 0.95; not {level}")
    return float(level)


def checked_share(share: float, what: str = "a share") -> float:
    """A share of the games, in [0, 1] (0.34, not 34)."""
    if not 0.0 <= share <= 1.0:
        raise UsageError(f"{what} lies in [0, 1], such as 0.34 for 34 %; not {share}")
    return float(share)


def checked_inner_share(share: float, what: str = "a share") -> float:
    """A share that is neither 0 nor 1: something must be possible both ways."""
    if not 0.0 < share < 1.0:
        raise UsageError(f"{what} lies strictly between 0 and 1, such as 0.34; not {share}")
    return float(share)


def checked_positive(value: float, what: str) -> float:
    """A finite number above 0."""
    if not (math.isfinite(value) and value > 0.0):
        raise UsageError(f"{what} is a finite number above 0; not {value}")
    return float(value)


def checked_error(value: float, what: str) -> float:
    """A finite number, 0 or more: a standard error or a standard deviation."""
    if not (math.isfinite(value) and value >= 0.0):
        raise UsageError(f"{what} is a finite number, 0 or more; not {value}")
    return float(value)


def checked_count(count: int, what: str, least: int = 0) -> int:
    """A whole number of games (or of anything countable), `least` or more."""
    if count != int(count) or count < least:
        raise UsageError(f"{what} is a whole number, {least} or more; not {count}")
    return int(count)


def checked_score(score: float, n: int) -> tuple[float, int]:
    """A score out of n games: each game gave something in [0, 1], and there was at least one."""
    n = checked_count(n, "the number of games", least=1)
    if not 0.0 <= score <= n:
        raise UsageError(f"a score of {n} games lies in [0, {n}]; not {score}")
    return float(score), n


def checked_values(values: Iterable[float], what: str = "the values", least: int = 1) -> Values:
    """Finite numbers, one per game, as float64[n] with n >= least."""
    kept = np.asarray(values if isinstance(values, np.ndarray) else list(values), dtype=np.float64)
    if kept.ndim != 1:
        raise UsageError(f"{what} are one number per game; not an array of {kept.ndim} dimensions")
    if kept.size < least:
        raise UsageError(f"{what} must be at least {least}; there are {kept.size}")
    if not np.isfinite(kept).all():
        raise UsageError(f"{what} must be finite; leave out games without a result")
    return kept
