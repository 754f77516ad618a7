"""A number that a paper prints, with as much as the paper says about its error."""

from __future__ import annotations

from dataclasses import dataclass

from manyminds.arena.statistics.checked import (
    checked_count,
    checked_error,
    checked_level,
    checked_values,
)
from manyminds.arena.statistics.distributions import critical_value


@dataclass(frozen=True)
class Published:
    """A published mean or share; `error` is its standard error, `sd` its games' deviation.

    Leave out what the paper does not say. What has to be assumed then is said by every
    difference that is taken (`Difference.assumption`).
    """

    mean: float
    n: int | None = None
    error: float | None = None
    sd: float | None = None

    def __post_init__(self) -> None:
        checked_values([self.mean], "a published mean")
        if self.n is not None:
            checked_count(self.n, "the published number of games", least=1)
        for value, what in ((self.error, "standard error"), (self.sd, "standard deviation")):
            if value is not None:
                checked_error(value, f"the published {what}")

    @staticmethod
    def plus_minus(
        mean: float, half_width: float, level: float = 0.95, n: int | None = None
    ) -> Published:
        """A number printed as mean ± half_width, where ± is a normal interval of that level."""
        error = checked_error(half_width, "a half-width") / critical_value(checked_level(level))
        return Published(mean, n=n, error=error)

    def standard_error(self) -> float | None:
        """The standard error as printed, or as n and sd give it; None when neither is known."""
        if self.error is not None:
            return self.error
        if self.sd is not None and self.n is not None:
            return self.sd / self.n**0.5
        return None
