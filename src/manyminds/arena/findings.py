"""What a report shows of a table: its numbers, what stands beside them, and pictures of both."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from manyminds.arena.budgets import BudgetCurve, budget_curves
from manyminds.arena.comparison import Beside, beside_published, published_by_lineup, swaps
from manyminds.arena.document import Block, Bullets, Grid, Heading, Paragraph, Pictures
from manyminds.arena.plots import Series, Spot, curves, rows_of_spots
from manyminds.arena.sample import Values
from manyminds.arena.statistics import Interval, mean_interval
from manyminds.arena.table import Row, Table, short

_MOST_CURVES = 24  # line-ups whose course is drawn
_MOST_SWAPS = 60
_STEPS = 50  # points of a curve over games


def findings(table: Table) -> Iterator[Block]:
    """All sections, those left out that have nothing to say."""
    for section in (_results, _published, _swapped, _elo, _budgets, _course):
        yield from section(table)


def _results(table: Table) -> Iterator[Block]:
    yield Heading("Results")
    rotate = table.campaign.rotate
    heads = ["games\t"]
    for number, seat in enumerate(table.seats.names):
        heads.append(f"player {number + 1}" if rotate else seat)
    heads += ["moves\t", "s a game\t"]
    titled = any(row.title for row in table.rows)
    rows = [tuple([row.title] * titled + _result_cells(table, row)) for row in table.rows]
    yield Grid(tuple(["line-up"] * titled + heads), tuple(rows))
    where = "its seats rotate" if rotate else "each player stays on its seat"
    yield Paragraph(
        f"Mean points of a game and share of wins, each with its {100 * table.level:g} % interval; {where}."
    )
    decided = [f"{', '.join(row.names)}: {row.verdict}" for row in table.rows if row.verdict]
    if decided:
        yield Bullets(
            tuple(f"Sequential test, wins of the first player: {text}" for text in decided)
        )
    yield _picture_of_points(table)


def _result_cells(table: Table, row: Row) -> list[str]:
    """Games, a cell for each player (its name, points, share of wins), and how long a game is."""
    cells = [
        f"{row.games}" if row.games == row.wanted or row.decided else f"{row.games} of {row.wanted}"
    ]
    for place, name in enumerate(row.names):
        found = row.places[place] if row.places else None
        numbers = (
            [f"{short(found.points)} points", f"{_percent(found.share)} wins"] if found else []
        )
        cells.append("\n".join([name, *numbers]))
    seconds = table.samples[row.lineup].seconds
    return [*cells, f"{row.turns:.0f}", f"{seconds:.2g}"] if row.games else [*cells, "", ""]


def _percent(share: Interval) -> str:
    return f"{short(share.scaled(100.0))} %"


def _picture_of_points(table: Table) -> Block:
    published = {
        (names, place): value
        for names, found in published_by_lineup(table.campaign, table.seats)
        for place, value in enumerate(found.points)
    }
    rotate = table.campaign.rotate
    rows = []
    for row in table.rows:
        spots = []
        for number, place in enumerate(row.places):
            series = f"player {number + 1}" if rotate else place.seat
            points, theirs = place.points, published.get((row.names, number))
            spots.append(Spot(series, points.estimate, points.low, points.high, theirs))
        rows.append((row.title or _label(row), spots))
    return Pictures(
        (rows_of_spots("Mean points of a game", rows, across="points"),),
        "Each dot is a mean with its interval; a hollow diamond is the published number.",
    )


def _label(row: Row) -> str:
    text = ", ".join(row.names)
    return text if len(text) <= 60 else text[:57] + "..."


# --- beside other numbers -----------------------------------------------------------------------------


def _published(table: Table) -> Iterator[Block]:
    found = beside_published(table)
    if not found:
        return
    yield Heading("Beside the published numbers")
    heads = (
        "line-up",
        "player",
        "",
        "published\t",
        "ours\t",
        "ours - published\t",
        "p (Holm)\t",
        "verdict",
    )
    yield Grid(heads, tuple(_published_cells(table, item) for item in found))
    away = sum(not item.agrees for item in found)
    verdict = "none differs" if not away else f"{away} differ{'s' if away == 1 else ''}"
    sources = sorted({item.source for item in found if item.source})
    yield Paragraph(
        f"Of {len(found)} numbers, {verdict} by more than chance gives when {len(found)} are looked at "
        f"together (Holm's correction at {100 * (1 - table.level):g} %)."
        + (f" Source: {'; '.join(sources)}." if sources else "")
    )
    said = sorted({item.difference.assumption for item in found if item.difference.assumption})
    if said:
        yield Bullets(tuple(f"Assumed: {text}." for text in said))


def _published_cells(table: Table, item: Beside) -> tuple[str, ...]:
    seat = "" if table.campaign.rotate else f" ({table.seats.names[item.place]})"
    unit = 100.0 if item.kind == "wins" else 1.0
    sign = " %" if item.kind == "wins" else ""
    return (
        item.row.title or _label(item.row),
        f"{item.row.names[item.place]}{seat}",
        item.kind,
        f"{item.theirs * unit:g}{sign}" + (f" (n = {item.n})" if item.n else ""),
        f"{short(item.ours.scaled(unit))}{sign} (n = {item.ours.n})",
        f"{short(item.difference.interval.scaled(unit))}{sign}",
        _p(item.p_value),
        "agrees" if item.agrees else "differs",
    )


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _swapped(table: Table) -> Iterator[Block]:
    found = swaps(table)
    if not found:
        return
    yield Heading("What one player in place of another does")
    heads = ("seat", "instead of", "plays", "others", "points more\t", "p (Holm)\t", "verdict")
    rows = []
    for swap in found[:_MOST_SWAPS]:
        place = swap.place
        others = ", ".join(name for i, name in enumerate(swap.old.names) if i != place)
        seat = f"player {place + 1}" if table.campaign.rotate else table.seats.names[place]
        gain = short(swap.difference.interval)
        verdict = "no difference shown"
        if swap.matters:
            verdict = "more" if swap.difference.interval.estimate > 0 else "less"
        names = (seat, swap.old.names[place], swap.new.names[place], others)
        rows.append((*names, gain, _p(swap.p_value), verdict))
    yield Grid(heads, tuple(rows))
    hidden = (
        f" The first {_MOST_SWAPS} of {len(found)} are shown." if len(found) > _MOST_SWAPS else ""
    )
    method = (
        "games with the same seeds are compared in pairs"
        if table.campaign.paired
        else "by Welch's t"
    )
    yield Paragraph(
        f"Line-ups that differ in one player: how many points more that seat makes ({method}). "
        f"p has Holm's correction for all {len(found)}.{hidden}"
    )


def _elo(table: Table) -> Iterator[Block]:
    if len(table.seats.names) != 2:
        return
    ratings = table.elo()
    if ratings is None:
        return
    yield Heading("Elo")
    rows = [(name, short(rating), str(rating.n)) for name, rating in ratings.ratings.items()]
    yield Grid(("player", "Elo\t", "games\t"), tuple(rows))
    said = "; pairs with one-sided results were given virtual draws" if ratings.one_sided else ""
    yield Paragraph(f"All players on one scale with mean 0, by Bradley and Terry's model{said}.")


# --- pictures -----------------------------------------------------------------------------------------


def _budgets(table: Table) -> Iterator[Block]:
    found = budget_curves(table)
    if not found:
        return
    yield Heading("Strength against budget")
    drawn: dict[tuple[str, str], list[BudgetCurve]] = {}
    for curve in found:
        drawn.setdefault((curve.who, curve.unit), []).append(curve)
    yield Pictures(
        tuple(_budget_picture(table, who, unit, group) for (who, unit), group in drawn.items()),
        "Mean points of a game with its interval; the budget is that of one decision.",
    )


def _budget_picture(table: Table, who: str, unit: str, group: list[BudgetCurve]) -> str:
    series = []
    for curve in group:
        amounts, rows = zip(*curve.points, strict=True)
        points = [row.places[curve.place].points for row in rows]
        seat = (
            f"player {curve.place + 1}" if table.campaign.rotate else table.seats.names[curve.place]
        )
        series.append(_series(seat, tuple(map(float, amounts)), points, marks=True))
    return curves(who, series, across=f"budget ({unit})", up="points", logarithmic=True)


def _series(name: str, x: tuple[float, ...], y: list[Interval], marks: bool = False) -> Series:
    low, high = tuple(p.low for p in y), tuple(p.high for p in y)
    return Series(name, x, tuple(p.estimate for p in y), low, high, marks)


def _course(table: Table) -> Iterator[Block]:
    rows = [row for row in table.rows if row.games > 3][:_MOST_CURVES]
    if not rows:
        return
    yield Heading("The course of the games")
    more = (
        f" The first {_MOST_CURVES} line-ups are drawn." if len(table.rows) > _MOST_CURVES else ""
    )
    yield Pictures(
        tuple(_course_picture(table, row) for row in rows),
        "Mean points over the games so far, with the interval so far: how the result settled."
        + more,
    )


def _course_picture(table: Table, row: Row) -> str:
    sample = table.samples[row.lineup]
    series = [
        _running(place.seat or place.player, sample.points[:, number], table.level)
        for number, place in enumerate(row.places)
    ]
    return curves(row.title or _label(row), series, across="games", up="points", settled=True)


def _running(name: str, values: Values, level: float) -> Series:
    ends = sorted({int(n) for n in np.geomspace(min(3, len(values)), len(values), _STEPS)})
    means = [mean_interval(values[:end], level) for end in ends]
    return _series(name, tuple(map(float, ends)), means)
