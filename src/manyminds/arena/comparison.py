"""What a table says beside other numbers: published ones, and its own line-ups among each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from manyminds.arena import statistics
from manyminds.arena.campaign import Campaign, Published
from manyminds.arena.pairing import Seats, places
from manyminds.arena.statistics import Difference, Interval
from manyminds.arena.statistics import Published as PublishedNumber
from manyminds.arena.table import Row, Table
from manyminds.core.errors import UsageError

_MOST_PAIRS = 2000


class Beside(msgspec.Struct, frozen=True):
    """Our number beside a published one. `p_value` is Holm's, over all that are looked at together.

    kind: "points" or "wins" (a share in [0, 1]).
    """

    row: Row
    place: int
    kind: str
    ours: Interval
    theirs: float
    source: str
    n: int | None
    difference: Difference
    p_value: float

    @property
    def agrees(self) -> bool:
        """Whether the difference is one that chance gives, at the interval's level."""
        return self.p_value >= 1.0 - self.difference.interval.level


class Swap(msgspec.Struct, frozen=True):
    """Two line-ups that differ in one player: what putting `new` for `old` did to that place's points."""

    place: int
    old: Row
    new: Row
    difference: Difference
    p_value: float

    @property
    def matters(self) -> bool:
        """Whether it is more than chance gives, with Holm's correction."""
        return self.p_value < 1.0 - self.difference.interval.level


def published_by_lineup(
    campaign: Campaign, seats: Seats
) -> list[tuple[tuple[str, ...], Published]]:
    """The published numbers with the places of their line-ups; UsageError where they do not fit."""
    found = []
    for published in campaign.published:
        names = places(published.lineup, seats)
        for key in ("points", "shares"):
            values = getattr(published, key)
            if values and len(values) != len(names):
                raise UsageError(
                    f"published {key} of {', '.join(names)}: {len(values)} numbers for {len(names)} places"
                )
        found.append((names, published))
    return found


def beside_published(table: Table) -> list[Beside]:
    """Every published number with ours beside it, in the order of the campaign."""
    rows = {row.names: row for row in table.rows}
    found: list[Beside] = []
    for names, published in published_by_lineup(table.campaign, table.seats):
        if names in rows and rows[names].games:
            found += _beside(table, rows[names], published)
    adjusted = statistics.holm([item.p_value for item in found])
    return [msgspec.structs.replace(x, p_value=p) for x, p in zip(found, adjusted, strict=True)]


def _beside(table: Table, row: Row, published: Published) -> Iterator[Beside]:
    for kind, values in (("points", published.points), ("wins", published.shares)):
        for place, theirs in enumerate(values):
            if theirs is None:
                continue
            number = published.number(place, theirs)
            ours, difference = against(table, row, place, kind, number)
            said = (row, place, kind, ours, theirs, published.source, published.n)
            yield Beside(*said, difference, difference.p_value)


def against(
    table: Table, row: Row, place: int, kind: str, number: PublishedNumber
) -> tuple[Interval, Difference]:
    """Our number of a line-up's place, and ours minus the published one; the row has games."""
    sample = table.samples[row.lineup]
    if kind == "points":
        ours = row.places[place].points
        return ours, statistics.published_difference(sample.points[:, place], number, table.level)
    score = float(sample.shares[:, place].sum())
    ours = row.places[place].share
    return ours, statistics.published_share_difference(score, row.games, number, table.level)


def swaps(table: Table) -> list[Swap]:
    """All pairs of line-ups that differ in one place only, each once, in the order of the table."""
    rows = [row for row in table.rows if row.games > 1]
    found = [
        _swap(table, place, old, new)
        for at, old in enumerate(rows)
        for new in rows[at + 1 :]
        if (place := _only_difference(old.names, new.names)) is not None
        and _have_pairs(table, old, new)
    ][:_MOST_PAIRS]
    adjusted = statistics.holm([swap.p_value for swap in found])
    return [msgspec.structs.replace(x, p_value=p) for x, p in zip(found, adjusted, strict=True)]


def _have_pairs(table: Table, one: Row, other: Row) -> bool:
    if not table.campaign.paired:
        return True
    indices = (set(table.samples[row.lineup].indices) for row in (one, other))
    return bool(set.intersection(*indices))


def _swap(table: Table, place: int, old: Row, new: Row) -> Swap:
    difference = table.difference(new.names, old.names, place)
    return Swap(place, old, new, difference, difference.p_value)


def _only_difference(one: Sequence[str], other: Sequence[str]) -> int | None:
    places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return places[0] if len(places) == 1 else None
