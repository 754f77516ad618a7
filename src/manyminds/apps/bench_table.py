"""The figures of `manyminds bench` as people read them: a table in the terminal, or in Markdown."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import Literal

import click

from manyminds.arena.benchmarks.row import Figure, Outcome, Row

COLUMNS = ("name", "ours", "rival", "unit", "ratio", "least–most", "at least", "met")
_WIDTH = 80  # all columns fit; no figure is cut in a narrow terminal or a pipe


def print_table(outcomes: list[Outcome]) -> None:
    """On standard output, with the missing rivals and the failures below it."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout)
    console.width = max(console.width, _WIDTH)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0)
    for column in COLUMNS:
        justify: Literal["left", "right"] = "left" if column in ("name", "unit") else "right"
        table.add_column(column, justify=justify, no_wrap=True)
    for outcome in outcomes:
        style = {True: "green", False: "bold red", None: "dim"}[outcome.met]
        *cells, met = cells_of(outcome)
        table.add_row(*map(Text, cells), Text(met, style))
    console.print(table)
    for line in remarks(outcomes):
        console.print(Text(line), soft_wrap=True)


def print_markdown(outcomes: list[Outcome]) -> None:
    """The same as a Markdown table, with what each row is."""
    head = ("name", "what", *COLUMNS[1:])
    click.echo(_line(head))
    click.echo(_line("---" for _ in head))
    for outcome in outcomes:
        name, *rest = cells_of(outcome)
        against = f", against {outcome.row.rival}" if outcome.row.rival else ""
        click.echo(_line([name, outcome.row.what + against, *rest]))
    for line in remarks(outcomes):
        click.echo(f"\n{line}")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cells_of(outcome: Outcome) -> list[str]:
    """One text for each of `COLUMNS`."""
    row, figure = outcome.row, outcome.figure
    unit = row.unit.replace("simulations", "sims")  # or the longest row is wider than a terminal
    met = {True: "yes", False: "no", None: "?" if outcome.bounded else ""}[outcome.met]
    if figure is None:
        return [row.name, "failed", "", unit, "", "", _bound(row), met]
    rival = "missing" if figure.missing else ""
    if figure.rival is not None:
        rival = _number(figure.rival)
    ratio = "" if figure.ratio is None else f"{_number(figure.ratio)} x"
    return [
        row.name,
        _number(figure.ours),
        rival,
        unit,
        ratio,
        _spread(figure),
        _bound(row),
        met,
    ]


def _spread(figure: Figure) -> str:
    if figure.spread is None:
        return ""
    return "–".join(_number(value) for value in figure.spread)


def _bound(row: Row) -> str:
    if row.at_most is not None:
        return f"≤ {row.at_most:g} {row.unit}"
    return "" if row.at_least is None else f"{row.at_least:g} x"


def _number(value: float) -> str:
    """Three digits: 1.24 M, 188 k, 17.6, 0.560."""
    rounded = float(f"{value:.3g}")
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if rounded >= size:
            return f"{_three_digits(rounded / size)}{letter}"
    return _three_digits(rounded)


def _three_digits(value: float) -> str:
    return f"{value:.{max(0, 2 - math.floor(math.log10(max(value, 0.1))))}f}"


def remarks(outcomes: list[Outcome]) -> list[str]:
    """What rivals are missing, and what failed; each once."""
    missing = {outcome.figure.missing for outcome in outcomes if outcome.figure is not None}
    failed = [f"{each.row.name}: {each.failure}" for each in outcomes if each.failure]
    return [*sorted(missing - {""}), *failed]
