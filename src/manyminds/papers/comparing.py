"""Printed numbers beside ours: from tables of the arena to an outcome."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from manyminds.arena import statistics
from manyminds.arena.comparison import against
from manyminds.arena.statistics import Difference, Interval, mean_interval
from manyminds.arena.statistics import Published as PublishedNumber
from manyminds.arena.statistics.distributions import critical_value, normal_both_tails
from manyminds.arena.table import Row, Table
from manyminds.papers.campaigns import Part
from manyminds.papers.outcome import (
    AGREES,
    DIFFERS,
    HOLDS,
    NOT_PRINTED,
    NOT_SHOWN,
    OTHER_WAY,
    ClaimOutcome,
    Compared,
    TableOutcome,
)
from manyminds.papers.paper import POINTS, WINS, Claim, Line, Number, PaperTable

_Values = Sequence[float] | Interval
_Judged = TypeVar("_Judged", Compared, ClaimOutcome)


@dataclass(frozen=True)
class Played:
    """A line with what the arena has of it; `table` is None where nothing was played."""

    line: Line
    names: tuple[str, ...]
    table: Table | None
    row: Row | None


def played_lines(parts: Sequence[Part], tables: Sequence[Table | None]) -> list[Played]:
    """A paper's lines in the order of its campaigns, each with its row."""
    found = []
    for part, table in zip(parts, tables, strict=True):
        rows = {row.names: row for row in table.rows if row.games} if table is not None else {}
        for line, names in zip(part.lines, part.names, strict=True):
            found.append(Played(line, names, table, rows.get(names)))
    return found


def compare(
    table: PaperTable, lines: Sequence[Played]
) -> tuple[list[Compared], list[ClaimOutcome]]:
    """All numbers and claims of a table, in its order; p as if each stood alone (see `together`)."""
    order = {id(line): place for place, line in enumerate(table.lines)}
    ordered = sorted(lines, key=lambda played: order[id(played.line)])
    rows = [row for played in ordered for row in _numbers(table, played)]
    by_title = {played.line.title: played for played in ordered}
    return rows, [_claim(table, claim, by_title) for claim in table.claims]


def compare_computed(
    table: PaperTable, found: Mapping[str, Interval], level: float
) -> list[Compared]:
    """All numbers of a table that was computed, beside the intervals found for its lines."""
    rows = []
    for line in table.lines:
        for number in line.numbers:
            ours = found.get(line.title)
            row = Compared(
                line=line.title, players=(), of=number.of, x=line.x, printed=number.mean, ours=ours
            )
            if ours is not None:
                away = from_published(ours, number.published, level)
                row = msgspec.structs.replace(
                    row, difference=away.interval, p=away.p_value, assumption=away.assumption
                )
            rows.append(row)
    return rows


def together(tables: Sequence[TableOutcome], level: float) -> tuple[TableOutcome, ...]:
    """The same tables with Holm's correction over all their numbers, and over all their claims."""
    rows = _corrected([row for table in tables for row in table.rows], _verdict, 1.0 - level)
    claims = _corrected([c for table in tables for c in table.claims], _claim_verdict, 1.0 - level)
    return tuple(
        msgspec.structs.replace(
            table,
            rows=tuple(next(rows) for _ in table.rows),
            claims=tuple(next(claims) for _ in table.claims),
        )
        for table in tables
    )


def _corrected(
    found: list[_Judged], verdict: Callable[[_Judged, float], str], least: float
) -> Iterator[_Judged]:
    adjusted = iter(statistics.holm([each.p for each in found if each.p is not None]))
    for each in found:
        if each.p is None:
            yield each
        else:
            changed = msgspec.structs.replace(each, p=next(adjusted))
            yield msgspec.structs.replace(changed, verdict=verdict(changed, least))


def _verdict(row: Compared, least: float) -> str:
    return DIFFERS if row.p is not None and row.p < least else AGREES


def _claim_verdict(claim: ClaimOutcome, least: float) -> str:
    if claim.p is None or claim.difference is None or claim.p >= least:
        return NOT_SHOWN
    return HOLDS if claim.difference.estimate > 0 else OTHER_WAY


# --- numbers ----------------------------------------------------------------------------------------


def _numbers(table: PaperTable, played: Played) -> Iterator[Compared]:
    numbers = played.line.numbers or tuple(
        Number(math.nan, of, place) for of, place in _shown_elsewhere(table)
    )
    for number in numbers:
        printed = None if math.isnan(number.mean) else number.mean
        row = Compared(
            line=played.line.title or ", ".join(played.names),
            players=played.names,
            of=number.of,
            place=number.place,
            x=played.line.x,
            printed=printed,
            printed_n=number.n,
        )
        yield row if played.row is None else _with_ours(table, played, number, row)


def _shown_elsewhere(table: PaperTable) -> list[tuple[str, int]]:
    """What the table prints for its other lines; where it prints nothing, the first player's result."""
    found = dict.fromkeys((n.of, n.place) for line in table.lines for n in line.numbers)
    return list(found) or [(WINS if table.rotate else POINTS, 0)]


def _with_ours(table: PaperTable, played: Played, number: Number, row: Compared) -> Compared:
    assert played.table is not None
    assert played.row is not None
    level = played.table.level
    values = _values(table, played, number.of, number.place)
    if not isinstance(values, Interval) and len(values) == 0:
        return row  # games from before there was this measure
    if row.printed is None:
        return msgspec.structs.replace(
            row, ours=_interval(values, level, number.of), verdict=NOT_PRINTED
        )
    if number.of in (POINTS, WINS):
        ours, difference = against(
            played.table, played.row, number.place, number.of, number.published
        )
    else:
        ours = _interval(values, level, number.of)
        difference = from_published(values, number.published, level)
    return msgspec.structs.replace(
        row,
        ours=ours,
        difference=difference.interval,
        p=difference.p_value,
        assumption=difference.assumption,
    )


def _values(table: PaperTable, played: Played, of: str, place: int) -> _Values:
    assert played.table is not None
    assert played.row is not None
    sample = played.table.samples[played.row.lineup]
    if of == POINTS:
        return [float(value) for value in sample.points[:, place]]
    if of == WINS:
        return [float(value) for value in sample.shares[:, place]]
    return table.measures[of](played.table, played.row)


def _interval(values: _Values, level: float, of: str) -> Interval:
    if isinstance(values, Interval):
        return values
    if of == WINS:
        return statistics.wilson(sum(values), len(values), level)
    return mean_interval(values, level)


def from_published(values: _Values, number: PublishedNumber, level: float) -> Difference:
    """What a measure gave minus the printed number."""
    if not isinstance(values, Interval):
        return statistics.published_difference(values, number, level)
    theirs = number.standard_error()
    said = "" if theirs is not None else "the published number is taken as exact"
    return _normal(values, number.mean, theirs or 0.0, level, said)


def _normal(
    ours: Interval, theirs: float, their_error: float, level: float, said: str = ""
) -> Difference:
    """Estimates with intervals, taken as normal: their errors follow from the intervals' arms.

    Where an interval is lopsided, what counts is the arm on the side of the other number.
    """
    z = critical_value(level)
    own = critical_value(ours.level)
    away = ours.estimate - theirs
    below, above = (
        math.hypot(arm / own, their_error)
        for arm in (ours.estimate - ours.low, ours.high - ours.estimate)
    )
    error = below if away > 0 else above
    if math.isinf(error):
        nothing = Interval(-math.inf, math.inf, away, ours.n, level)
        return Difference(nothing, 1.0, "normal", assumption=said)
    p = normal_both_tails(away / error) if error > 0 else float(away == 0)
    interval = Interval(away - z * below, away + z * above, away, ours.n, level)
    return Difference(interval, p, "normal", assumption=said)


# --- claims -----------------------------------------------------------------------------------------


def _claim(table: PaperTable, claim: Claim, lines: dict[str, Played]) -> ClaimOutcome:
    more, less = lines[claim.more], lines[claim.less]
    outcome = ClaimOutcome(text=claim.text, more=claim.more, less=claim.less, of=claim.of)
    if more.row is None or less.row is None:
        return outcome
    found = _between(table, claim, more, less)
    return msgspec.structs.replace(
        outcome, difference=found.interval, p=found.p_value, verdict=NOT_SHOWN
    )


def _between(table: PaperTable, claim: Claim, more: Played, less: Played) -> Difference:
    """One line minus another: shares as shares, paired points in pairs, all else by Welch's t."""
    assert more.table is not None
    assert less.table is not None
    level = more.table.level
    if claim.of == POINTS and more.table is less.table:
        return more.table.difference(more.names, less.names, claim.place)
    one, two = (_values(table, played, claim.of, claim.place) for played in (more, less))
    if isinstance(one, Interval) and isinstance(two, Interval):
        their_error = two.half_width / critical_value(two.level)
        return _normal(one, two.estimate, their_error, level)
    assert not isinstance(one, Interval)
    assert not isinstance(two, Interval)
    if claim.of == WINS:
        return statistics.share_difference(sum(one), len(one), sum(two), len(two), level)
    return statistics.welch_difference(one, two, level)
