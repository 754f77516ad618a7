"""An estimate with what it may be: the one shape in which the arena states a result."""

from __future__ import annotations

import math
from dataclasses import dataclass

from manyminds.arena.statistics.checked import checked_count, checked_level
from manyminds.core.errors import UsageError

# Arms that differ by more than this part of the half-width are printed as bounds: "2.0 ± 3.2"
# of a share would promise values below 0 that the interval excludes.
LOPSIDED = 0.25


@dataclass(frozen=True)
class Interval:
    """A closed confidence interval [low, high] round `estimate`, from `n` games.

    Invariants: low <= high, none is NaN, 0 < level < 1. Bounds are infinite where the data
    say nothing (the mean of one game). All four numbers share one unit (points, share, Elo).
    """

    low: float
    high: float
    estimate: float
    n: int
    level: float

    def __post_init__(self) -> None:
        checked_level(self.level)
        checked_count(self.n, "n")
        if math.isnan(self.estimate) or not self.low <= self.high:
            raise UsageError(f"no interval: low {self.low}, high {self.high}, at {self.estimate}")

    @property
    def half_width(self) -> float:
        """Half the distance between the bounds."""
        return (self.high - self.low) / 2.0

    def contains(self, value: float) -> bool:
        """Is the value one that the data do not exclude? The bounds belong to the interval."""
        return self.low <= value <= self.high

    def scaled(self, factor: float) -> Interval:
        """The same in another unit: 100 turns a share into per cent. The factor is positive."""
        if not factor > 0.0:
            raise UsageError(f"an interval is scaled by a positive factor; not by {factor}")
        return Interval(
            self.low * factor, self.high * factor, self.estimate * factor, self.n, self.level
        )

    def text(self, digits: int | None = None, unit: str = "") -> str:
        """'34.1 ± 1.6 (95 %, n = 200)', or '2.0 [0.5, 7.0] (...)' where the arms differ.

        Without `digits`, the half-width gets two significant figures. The unit follows as it is.
        """
        places = self._digits() if digits is None else digits
        return f"{self._body(places)}{unit} ({100 * self.level:.4g} %, n = {self.n})"

    def __str__(self) -> str:
        return self.text()

    def _body(self, digits: int) -> str:
        below, above = self.estimate - self.low, self.high - self.estimate
        half = self.half_width
        if not math.isfinite(half) or abs(above - below) > LOPSIDED * half:
            return f"{self.estimate:.{digits}f} [{self.low:.{digits}f}, {self.high:.{digits}f}]"
        return f"{self.estimate:.{digits}f} ± {half:.{digits}f}"

    def _digits(self) -> int:
        half = self.half_width
        if not math.isfinite(half) or half <= 0.0:
            return 1
        return min(6, max(0, 1 - math.floor(math.log10(half))))
