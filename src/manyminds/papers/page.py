"""How an outcome is shown: as a page in HTML, in Markdown, and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from manyminds.arena.document import (
    Block,
    Bullets,
    Grid,
    Heading,
    Paragraph,
    Pictures,
    to_html,
    to_markdown,
)
from manyminds.arena.plots import Series, Spot, curves, rows_of_spots
from manyminds.arena.report import check_name, write_whole
from manyminds.arena.statistics import Interval
from manyminds.papers.outcome import Compared, Outcome, TableOutcome
from manyminds.papers.paper import WINS

_HEADS = ("line", "of", "printed\t", "ours\t", "ours - printed\t", "p (Holm)\t", "verdict")


def write_page(outcome: Outcome, page: Path) -> Path:
    """Write the page and its Markdown twin; the page's path."""
    path = check_name(page)
    title = f"{outcome.paper}: printed and played"
    blocks = list(_blocks(outcome))
    write_whole(path, to_html(title, blocks))
    write_whole(path.with_suffix(".md"), to_markdown(title, blocks))
    return path


def text_of(outcome: Outcome) -> str:
    """The tables as plain text."""
    parts = []
    for table in outcome.tables:
        heads, rows = grid(table)
        cells = [[head.strip() for head in heads], *map(list, rows)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(heads))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in cells
        ]
        said = [f"{table.label}: {table.title}", f"({_budget(table)})"]
        parts.append("\n".join([*said, *lines, *_claims(table, outcome.level)]))
    return "\n\n".join([*parts, _verdicts(outcome)])


def markdown_of(table: TableOutcome) -> str:
    """One table as a Markdown grid, the way pages of the documentation show it."""
    heads, rows = grid(table)
    rule = ["---:" if head.endswith("\t") else "---" for head in heads]
    lines = [[head.strip() for head in heads], rule, *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def grid(table: TableOutcome) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Heads and cells of a table."""
    return _HEADS, tuple(_cells(row) for row in table.rows)


def _cells(row: Compared) -> tuple[str, ...]:
    unit, sign = (100.0, " %") if row.of == WINS else (1.0, "")
    printed = "" if row.printed is None else f"{row.printed * unit:.6g}{sign}"
    if row.printed_n:
        printed += f" (n = {row.printed_n})"
    ours = "" if row.ours is None else f"{_short(row.ours, unit)}{sign} (n = {row.ours.n})"
    away = "" if row.difference is None else f"{_short(row.difference, unit)}{sign}"
    return (row.line, _what(row), printed, ours, away, _p(row.p), row.verdict)


def _what(row: Compared) -> str:
    player = row.players[row.place] if row.place < len(row.players) else ""
    return f"{row.of}, {player}" if player else row.of


def _short(interval: Interval, unit: float) -> str:
    return interval.scaled(unit).text().partition(" (")[0]


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _blocks(outcome: Outcome) -> Iterator[Block]:
    yield Paragraph(outcome.citation)
    yield Paragraph(f"Seed {outcome.seed}. {_verdicts(outcome)}")
    if outcome.notes:
        yield Bullets(outcome.notes)
    for table in outcome.tables:
        yield from _section(table, outcome.level)
    yield Heading("How to read this")
    yield Bullets(tuple(_reading(outcome)))


def _reading(outcome: Outcome) -> Iterator[str]:
    level = 100 * outcome.level
    yield (
        f"Intervals are of {level:g} %; that of a difference holds the error of the printed number "
        "too, as far as the paper tells it."
    )
    yield (
        "p has Holm's correction over all numbers on this page: differs means that it is below "
        f"{100 - level:g} %. Agrees means that no difference is shown, which few games make easy: "
        "look at the interval of the difference."
    )
    yield "wins are shares of games, a tie divided among those who tie."
    yield "Played by " + ", ".join(f"{k} {v}" for k, v in outcome.versions.items()) + "."


def _section(table: TableOutcome, level: float) -> Iterator[Block]:
    yield Heading(f"{table.label.capitalize()}: {table.title}")
    yield Paragraph(f"{_budget(table).capitalize()}. Games are kept in {Path(table.store).name}.")
    yield Grid(*grid(table))
    claims = _claims(table, level)
    if claims:
        yield Bullets(tuple(claims))
    yield from _pictures(table)
    said = sorted({f"Assumed: {row.assumption}." for row in table.rows if row.assumption})
    if said or table.notes:
        yield Bullets((*table.notes, *said))


def _budget(table: TableOutcome) -> str:
    ours = f"budget {table.budget} a decision"
    if table.budget.isdigit():
        ours = f"budget {int(table.budget):,} simulations a decision"
    return f"{ours}; the paper: {table.paper_budget}" if table.paper_budget else ours


def _claims(table: TableOutcome, level: float) -> list[str]:
    lines = []
    for claim in table.claims:
        unit, sign = (100.0, " %") if claim.of == WINS else (1.0, "")
        found = ""
        if claim.difference is not None:
            found = f" ({_short(claim.difference, unit)}{sign}, p {_p(claim.p)})"
        lines.append(f"{claim.text}: {claim.verdict}{found}")
    return lines


def _verdicts(outcome: Outcome) -> str:
    counts = outcome.counts
    text = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return f"Of {sum(counts.values())} numbers: {text}."


# --- pictures ---------------------------------------------------------------------------------------


def _pictures(table: TableOutcome) -> Iterator[Block]:
    """A row of spots per line, or curves where the lines stand on an axis."""
    for of in dict.fromkeys(row.of for row in table.rows):
        rows = [row for row in table.rows if row.of == of]
        if not any(row.ours for row in rows):
            continue
        if all(row.x is not None for row in rows):
            yield Pictures((_curves(table, of, rows),), "Ours with its interval, and as printed.")
        else:
            yield Pictures((_spots(table, of, rows),), "A hollow diamond is the printed number.")


def _spots(table: TableOutcome, of: str, rows: Sequence[Compared]) -> str:
    unit = 100.0 if of == WINS else 1.0
    labels: dict[str, list[Spot]] = {}
    many = len({row.place for row in rows}) > 1
    for row in rows:
        spots = labels.setdefault(row.line, [])
        if row.ours is not None:
            ours = row.ours.scaled(unit)
            printed = None if row.printed is None else row.printed * unit
            series = f"player {row.place + 1}" if many else "ours"
            spots.append(Spot(series, ours.estimate, ours.low, ours.high, printed))
    across = "wins, %" if of == WINS else of
    return rows_of_spots(table.title, list(labels.items()), across=across)


def _curves(table: TableOutcome, of: str, rows: Sequence[Compared]) -> str:
    unit = 100.0 if of == WINS else 1.0
    points = sorted(
        (float(row.x or 0), row.ours.scaled(unit)) for row in rows if row.ours is not None
    )
    ours = Series(
        "ours",
        tuple(x for x, _ in points),
        tuple(y.estimate for _, y in points),
        tuple(y.low for _, y in points),
        tuple(y.high for _, y in points),
        marks=True,
    )
    theirs = sorted(
        (float(row.x or 0), row.printed * unit) for row in rows if row.printed is not None
    )
    series = [ours]
    if theirs:
        xs, ys = zip(*theirs, strict=True)
        series.append(Series("printed", tuple(xs), tuple(ys), tuple(ys), tuple(ys), marks=True))
    return curves(
        table.title, series, across=table.across, up="wins, %" if of == WINS else of, width=560
    )
