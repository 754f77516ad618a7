"""What a row of `manyminds bench` is, how hard to measure it, and what comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Tell = Callable[[str], None]  # is told in a few words what is being done


@dataclass(frozen=True)
class Effort:
    """How hard to measure. A round is about so many CPU seconds of each side; `share` shrinks the trees."""

    rounds: int = 5
    seconds: float = 0.6
    share: float = 1.0

    def of(self, amount: int) -> int:
        """This share of an amount of work, at least 2."""
        return max(2, round(amount * self.share))


@dataclass(frozen=True)
class Figure:
    """What was measured.

    ours, rival: in the row's unit, medians of the rounds. ratio: the median of the rounds' ratios. spread:
    the least and the greatest of them; of ours where there is no ratio. missing: what rival is not
    installed, and how to get it. details: what else was seen on the way, by name.
    """

    ours: float
    rival: float | None = None
    ratio: float | None = None
    spread: tuple[float, float] | None = None
    missing: str = ""
    details: dict[str, float] = field(default_factory=dict)


Measure = Callable[[Effort, Tell], Figure]


@dataclass(frozen=True)
class Row:
    """Work with a name. `at_least` bounds the ratio from below, `at_most` ours from above.

    measure: a function, or where one is, "module:function", which is imported when the row is measured.
    rival: who the ratio is against; "" where ours stands alone.
    """

    name: str
    what: str
    unit: str
    measure: Measure | str
    rival: str = ""
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class Outcome:
    """A row with its figure, or with why there is none."""

    row: Row
    figure: Figure | None
    failure: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the row's bound holds; None where it has none, or what it bounds was not measured."""
        if self.figure is None:
            return None
        if self.row.at_most is not None:
            return self.figure.ours <= self.row.at_most
        if self.row.at_least is None or self.figure.ratio is None:
            return None
        return self.figure.ratio >= self.row.at_least

    @property
    def bounded(self) -> bool:
        """Whether there is something to meet."""
        return self.row.at_least is not None or self.row.at_most is not None

    def document(self, versions: dict[str, str]) -> dict[str, Any]:
        """The outcome as JSON has it. The names of its fields are fixed."""
        row, figure = self.row, self.figure
        return {
            "name": row.name,
            "ours": figure and figure.ours,
            "rival": figure and figure.rival,
            "ratio": figure and figure.ratio,
            "unit": row.unit,
            "spread": figure and figure.spread,
            "at_least": row.at_least,
            "at_most": row.at_most,
            "met": self.met,
            "what": row.what,
            "against": row.rival or None,
            "missing": (figure and figure.missing) or None,
            "failure": self.failure or None,
            "details": figure.details if figure else {},
            "versions": versions,
        }
