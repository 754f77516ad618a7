"""The result table of a campaign: what each line-up's games say, and how surely.

Computed from the store in the order of game numbers and from nothing else, so it is the same, bit for
bit, whatever finished first, on however many workers, and however often the run was interrupted.
"""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from manyminds.arena.pairing import Lineup, Seats, lay_out
from manyminds.arena.result import Result
from manyminds.arena.sample import Sample, win_shares
from manyminds.arena.schedule import Schedule
from manyminds.arena.schema import BrokenStore, damaged
from manyminds.arena.statistics import (
    Difference,
    EloTable,
    Interval,
    Tally,
    elo_of_interval,
    elo_table,
    mean_interval,
    paired_difference,
    welch_difference,
    wilson,
)
from manyminds.arena.stopping import Stopping
from manyminds.arena.store import Store
from manyminds.core.errors import UsageError


class Place(msgspec.Struct, frozen=True):
    """How one player of a line-up did. `seat` is "" where the line-up moves round the seats.

    points, reward: means of a game. share: of wins; a win of t tied teams is 1/t of one for each.
    """

    player: str
    seat: str
    points: Interval
    reward: Interval
    share: Interval
    forfeits: int


class Row(msgspec.Struct, frozen=True):
    """One line-up, with nothing in it that another machine's speed would change.

    games: those counted, up to the decision where a test stopped it. turns: mean of a game. elo: of the
    first player against the second. verdict: what a sequential test says; decided: whether it has
    ended the line-up.
    """

    lineup: int
    names: tuple[str, ...]
    title: str
    games: int
    wanted: int
    failed: int
    places: tuple[Place, ...]
    turns: float
    elo: Interval | None = None
    verdict: str = ""
    decided: bool = False


class Table:
    """All line-ups of a campaign. Shows itself as text, in notebooks as HTML; `report` writes pages."""

    def __init__(self, store: Store, schedule: Schedule, seats: Seats, level: float = 0.95) -> None:
        self.path, self.campaign, self.schedule = (
            Path(store.path).resolve(),
            schedule.campaign,
            schedule,
        )
        self.seats, self.level = seats, level
        self.rows: list[Row] = []
        self.samples: dict[int, Sample] = {}
        failures = store.failures()
        for key, lineup in schedule.lineups.items():
            failed = [schedule.index_of(n) for n in failures if schedule.lineup_of(n) == key]
            self.rows.append(self._row(key, lineup, list(store.results(key)), failed))

    @staticmethod
    def of(store: Store | str | os.PathLike[str], level: float = 0.95) -> Table:
        """The table of what a store holds now."""
        if isinstance(store, Store):
            schedule, seats = schedule_of(store)
            return Table(store, schedule, seats, level)
        with Store.read(os.fspath(store)) as opened:
            return Table.of(opened, level)

    # --- what is in it --------------------------------------------------------------------------------

    def row(self, names: Sequence[str]) -> Row:
        """The row of this line-up."""
        for row in self.rows:
            if row.names == tuple(names):
                return row
        known = "; ".join(", ".join(row.names) for row in self.rows[:10])
        raise UsageError(f"no line-up {', '.join(names)} in this campaign; there are: {known}")

    def measured(self, row: Row, name: str, team: str | None = None) -> list[float]:
        """What teams told of themselves in each counted game of a line-up (of `team`, or the first to tell).

        Games without it are left out. Read from the store's details, so not as quick as the rest.
        """
        numbers = set(self.samples[row.lineup].indices)
        found: list[float] = []
        with Store.read(os.fspath(self.path)) as store:
            for result in store.results(row.lineup, details=True):
                if self.schedule.index_of(result.number) not in numbers:
                    continue
                told = result.match().measures
                own = told.get(team, {}) if team else next(iter(told.values()), {})
                found += [own[name]] if name in own else []
        return found

    def difference(self, first: Sequence[str], second: Sequence[str], place: int = 0) -> Difference:
        """The points of a place in one line-up minus those in another: paired where games are, or Welch's."""
        one, two = (self.samples[self.row(names).lineup] for names in (first, second))
        if not (len(one) and len(two)):
            raise UsageError("a difference needs games of both line-ups")
        if not self.campaign.paired:
            return welch_difference(one.points[:, place], two.points[:, place], self.level)
        common = sorted(set(one.indices) & set(two.indices))
        if not common:
            raise UsageError("no game of one line-up has its pair in the other yet")
        at_one = [one.indices.index(index) for index in common]
        at_two = [two.indices.index(index) for index in common]
        return paired_difference(one.points[at_one, place], two.points[at_two, place], self.level)

    def elo(self) -> EloTable | None:
        """All players of a two-seat game on one scale; None where results do not join them."""
        tallies: dict[tuple[str, str], Tally] = {}
        for row in self.rows:
            if len(row.names) != 2 or not row.games or row.names[0] == row.names[1]:
                continue
            shares = self.samples[row.lineup].shares[:, 0]
            wins, draws = int((shares == 1.0).sum()), int((shares == 0.5).sum())
            tallies[row.names[0], row.names[1]] = Tally(wins, draws, row.games - wins - draws)
        try:
            return elo_table(tallies, self.level) if tallies else None
        except UsageError:  # players whom no chain of games joins have no common scale
            return None

    def to_data(self) -> dict[str, Any]:
        """The table as plain data, for JSON: equal tables give equal bytes."""
        rows: list[Any] = msgspec.to_builtins(self.rows)
        return {
            "campaign": self.campaign.name,
            "seed": self.campaign.seed,
            "level": self.level,
            "rows": rows,
        }

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write the report (an HTML page, and a Markdown twin beside it); the page's path."""
        from manyminds.arena.report import write_report

        return write_report(self.path, Path(path))

    # --- how it looks ---------------------------------------------------------------------------------

    def lines(self) -> tuple[list[str], list[list[str]]]:
        """Headings and cells, as text: one row per line-up."""
        seats = ["1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 65))]
        names = seats if self.campaign.rotate else list(self.seats.names)
        heads = ["games"]
        for name in names[: len(self.seats.names)]:
            heads += [name, "points", "wins"]
        return heads, [_cells(row) for row in self.rows]

    def __str__(self) -> str:
        heads, rows = self.lines()
        widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in [heads, ["-" * width for width in widths], *rows]
        ]
        notes = [f"{', '.join(row.names)}: {row.verdict}" for row in self.rows if row.verdict]
        notes += [
            f"{', '.join(row.names)}: {row.failed} failed games" for row in self.rows if row.failed
        ]
        return "\n".join([*lines, *notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        heads, rows = self.lines()
        body = [[*row] for row in rows]
        head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
        lines = ("".join(f"<td>{html.escape(text)}</td>" for text in row) for row in body)
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"

    # --- how it is made -------------------------------------------------------------------------------

    def _row(self, key: int, lineup: Lineup, results: list[Result], failed: list[int]) -> Row:
        schedule = self.schedule
        stopping = Stopping(schedule.campaign, len(lineup.names))
        wanted = [r for r in results if schedule.index_of(r.number) < lineup.games]
        for index in failed:
            stopping.fail(index)
        for result in wanted:
            first = schedule.places_of(result.number).index(0)
            share = win_shares(result.rewards, self.seats)[first]
            stopping.add(schedule.index_of(result.number), share)
        counted = [r for r in wanted if stopping.counts(schedule.index_of(r.number))]
        sample = self.samples[key] = Sample(schedule, self.seats, counted)
        span = range(len(lineup.names) if counted else 0)
        places = tuple(self._place(sample, lineup, place) for place in span)
        return Row(
            lineup=key,
            names=lineup.names,
            title=lineup.title,
            games=len(counted),
            wanted=lineup.games,
            failed=len([index for index in failed if stopping.counts(index)]),
            places=places,
            turns=sample.turns,
            elo=elo_of_interval(places[0].share) if len(places) == 2 else None,
            verdict=stopping.sentence(),
            decided=stopping.decided,
        )

    def _place(self, sample: Sample, lineup: Lineup, place: int) -> Place:
        return Place(
            player=lineup.names[place],
            seat="" if self.campaign.rotate else self.seats.names[place],
            points=mean_interval(sample.points[:, place], self.level),
            reward=mean_interval(sample.rewards[:, place], self.level),
            share=wilson(float(sample.shares[:, place].sum()), len(sample), self.level),
            forfeits=sample.forfeits[place],
        )


def schedule_of(store: Store) -> tuple[Schedule, Seats]:
    """The schedule of a store's campaign, as it was last run."""
    campaign, seats = store.campaign(), store.seats()
    if campaign is None or seats is None:
        raise UsageError(
            f"{store.path} has no campaign yet: `manyminds campaign run FILE.toml` puts one there"
        )
    numbers, lineups = store.lineups(), {}
    for lineup in lay_out(campaign, seats):
        if lineup.names not in numbers:
            raise BrokenStore(damaged(store.path, f"it has no line-up {', '.join(lineup.names)}"))
        lineups[numbers[lineup.names]] = lineup
    return Schedule(campaign, lineups), seats


def _cells(row: Row) -> list[str]:
    cells = [f"{row.games}" if row.games == row.wanted else f"{row.games} of {row.wanted}"]
    for name, place in zip(row.names, row.places or [None] * len(row.names), strict=True):
        if place is None:
            cells += [name, "", ""]
        else:
            forfeits = f" ({place.forfeits} forfeits)" if place.forfeits else ""
            cells += [name, short(place.points), f"{100 * place.share.estimate:.1f} %{forfeits}"]
    return cells


def short(interval: Interval) -> str:
    """'34.1 ± 1.6', without level and number, which the page gives once."""
    return interval.text().partition(" (")[0]
