"""`manyminds bench`: our speed, memory and waiting times, beside rivals measured in the same run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from manyminds.apps import options
from manyminds.core.errors import UsageError

if TYPE_CHECKING:
    from manyminds.arena.benchmarks.row import Effort, Outcome, Row

FAILED = 1


class BenchCommand(click.Command):
    """A command whose help lists the rows there are."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The rows with what each measures."""
        from manyminds.arena.benchmarks.registry import known_rows

        with formatter.section("Names"):
            formatter.write_dl([(row.name, row.what) for row in known_rows()])


@click.command(cls=BenchCommand)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--rounds", type=click.IntRange(1, 1000), default=5, show_default=True, metavar="N",
              help="Times that each side is measured, by turns; medians count.")  # fmt: skip
@click.option("--share", type=click.FloatRange(0, 1, min_open=True), default=1.0,
              show_default=True, metavar="X",
              help="Of the work in each round: 0.1 is quick and rough.")  # fmt: skip
@click.option("--strict", is_flag=True,
              help="End with status 1 when a bound is missed, or could not be measured.")  # fmt: skip
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@options.quiet
@options.json
def bench(
    names: tuple[str, ...],
    rounds: int,
    share: float,
    strict: bool,
    markdown: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Measure us, and rivals where we have some, in one run: all rows, or those that are named.

    One core, CPU time, both sides by turns; what is compiled first does not count. A rival that is not
    installed is named, with what to install. All rows together take a few minutes.

    \b
    Example:
      manyminds bench
      manyminds bench go9-uct connect-four --json
      manyminds bench cold-start
    """
    from manyminds.arena.benchmarks.registry import rows_named
    from manyminds.arena.benchmarks.row import Effort

    if as_json and markdown:
        raise UsageError("one form at a time: --json or --markdown")
    rows = rows_named(names)
    _must_compile()
    outcomes = list(_measured(rows, Effort(rounds, 0.6 * share, share), quiet))
    if as_json:
        _print_json(outcomes)
    else:
        from manyminds.apps import bench_table

        show = bench_table.print_markdown if markdown else bench_table.print_table
        show(outcomes)
    failed = any(outcome.failure for outcome in outcomes)
    missed = any(outcome.bounded and not outcome.met for outcome in outcomes)
    return FAILED if failed or (strict and missed) else 0


def _must_compile() -> None:
    from manyminds.core.kernel import interpreted

    if interpreted():
        raise UsageError(
            "kernels run as plain Python here: unset NUMBA_DISABLE_JIT to measure them"
        )


def _measured(rows: tuple[Row, ...], effort: Effort, quiet: bool) -> Iterator[Outcome]:
    """Each row's outcome; what is being done is told on standard error."""
    from manyminds.apps.compiling import Compiling
    from manyminds.arena.benchmarks.registry import measure

    for number, row in enumerate(rows, 1):
        begun = f"{row.name} ({number} of {len(rows)})"
        with _telling(begun, quiet) as tell, Compiling(_of_compiling(tell)):
            outcome = measure(row, effort, tell)
        yield outcome


def _of_compiling(tell: Callable[[str], None]) -> Callable[[str], None]:
    return lambda kernel: tell(f"compiling {kernel} for this machine, which a first run does once")


@contextlib.contextmanager
def _telling(begun: str, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A line with a spinner on a terminal; one line a row elsewhere; nothing when quiet."""
    if quiet:
        yield lambda _: None
        return
    from rich.console import Console

    console = Console(file=sys.stderr)
    if not console.is_terminal:
        click.echo(begun, err=True)
        yield lambda _: None
        return
    with console.status(begun) as status:
        yield lambda words: status.update(f"{begun}: {words}")


def _print_json(outcomes: list[Outcome]) -> None:
    import msgspec

    from manyminds.arena.benchmarks import openspiel
    from manyminds.arena.versions import versions

    used = versions() | {openspiel.PACKAGE: openspiel.version()}
    documents: list[dict[str, Any]] = [outcome.document(used) for outcome in outcomes]
    click.echo(msgspec.json.encode(documents))
