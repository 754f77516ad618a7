"""A paper as data: what its tables print, who sat where, and what it says of them.

A paper has tables and figures; each has lines; a line has a line-up and the numbers printed for it.
What is played for them is made from this in `campaigns`, what comes of it is compared in `outcome`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from manyminds.arena.campaign import Seating, Spec, Stop
from manyminds.core.errors import UsageError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from manyminds.arena.learning.plan import Plan
    from manyminds.arena.statistics import Interval
    from manyminds.arena.statistics import Published as PublishedNumber
    from manyminds.arena.table import Row, Table

    # What a measure gives of a line's games: a value for each, or an estimate with its interval.
    Measure = Callable[[Table, Row], "Sequence[float] | Interval"]
    # What is measured without matches: samples and a seed to each line's interval, by its title.
    Computed = Callable[[int, int], Mapping[str, "Interval"]]

TABLE, FIGURE = "table", "figure"
POINTS, WINS = "points", "wins"  # what is compared without a measure; wins are shares in [0, 1]


@dataclass(frozen=True)
class Scaled:
    """A player whose budget is a multiple of the others': what `--playouts` says, times `factor`."""

    spec: Spec
    factor: float


@dataclass(frozen=True)
class Number:
    """A number as printed.

    of: "points" or "wins" of the player at `place` in the line-up, or the name of one of the table's
    measures. n: games behind it; error: its standard error; sd: standard deviation of one game. What
    is not printed stays None, and every comparison says what it assumed then.
    """

    mean: float
    of: str = POINTS
    place: int = 0
    n: int | None = None
    error: float | None = None
    sd: float | None = None

    @property
    def published(self) -> PublishedNumber:
        """The same for the statistics."""
        from manyminds.arena.statistics import Published as PublishedNumber

        return PublishedNumber(self.mean, n=self.n, error=self.error, sd=self.sd)


@dataclass(frozen=True)
class Line:
    """One line of a table: who sits where, by the table's names of players, and what is printed.

    A line without numbers is played and shown all the same. x: where it stands on a figure's axis.
    game: another one than the table's. games: other than the table's number.
    """

    seats: Seating
    numbers: tuple[Number, ...] = ()
    title: str = ""
    x: float | None = None
    game: Mapping[str, Any] | None = None
    games: int | None = None


@dataclass(frozen=True)
class Claim:
    """What a paper says in words: the line `more` has more of something than the line `less` (by titles)."""

    text: str
    more: str
    less: str
    of: str = POINTS
    place: int = 0


@dataclass(frozen=True)
class PaperTable:
    """A table or a figure, and what it takes to play it.

    name: its number as printed. players: names and what they stand for, without a budget where the
    table's counts. budget, games: what is played when nothing else is typed, sized for one machine;
    paper_budget: what the paper had, in words. up: what a figure's axis is called. learning: learners
    that are run instead of line-ups; its lines then have what is printed of the set that is chosen.
    computed: what is measured instead of playing matches; its lines have no seats.
    """

    name: str
    title: str
    game: Mapping[str, Any]
    lines: tuple[Line, ...]
    players: Mapping[str, Spec | Scaled] = field(default_factory=dict)
    kind: str = TABLE
    games: int = 100
    budget: str | int = 1000
    paper_budget: str = ""
    rotate: bool = False
    paired: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    stop: Stop = field(default_factory=Stop)
    move_limit: int | None = None
    files: tuple[str, ...] = ()
    measures: Mapping[str, Measure] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    across: str = ""
    learning: tuple[Plan, ...] = ()
    computed: Computed | None = None

    def __post_init__(self) -> None:
        titles = [line.title for line in self.lines]
        for claim in self.claims:
            for title in (claim.more, claim.less):
                if titles.count(title) != 1:
                    raise UsageError(f'{self.label}: a claim needs one line titled "{title}"')
        known = {POINTS, WINS, *self.measures}
        for of in [n.of for line in self.lines for n in line.numbers] + [c.of for c in self.claims]:
            if of not in known:
                raise UsageError(f'{self.label}: there is no measure "{of}"; {nearest(of, known)}')

    @property
    def label(self) -> str:
        """'table 2', 'figure 5'."""
        return f"{self.kind} {self.name}"

    @property
    def slug(self) -> str:
        """The same for names of files: 'table-2'."""
        return f"{self.kind}-{self.name}"


@dataclass(frozen=True)
class Paper:
    """A paper: the name people type, its citation, and its tables and figures in their order.

    one_store: its tables have line-ups in common, by the same names, and are kept in one file, so that
    no game is played twice.
    """

    name: str
    citation: str
    tables: tuple[PaperTable, ...]
    notes: tuple[str, ...] = ()
    one_store: bool = False

    def chosen(self, table: str | None = None, figure: str | None = None) -> list[PaperTable]:
        """The table or figure of this number; all where none is asked for."""
        if table is not None and figure is not None:
            raise UsageError("give --table or --figure, not both; neither plays all of the paper")
        if table is None and figure is None:
            return list(self.tables)
        kind, name = (TABLE, table) if table is not None else (FIGURE, figure)
        found = [each for each in self.tables if (each.kind, each.name) == (kind, name)]
        if not found:
            known = ", ".join(each.label for each in self.tables)
            raise UsageError(f"{self.name} has no {kind} {name}; it has {known}")
        return found
