"""`manyminds reproduce`: play the tables of a paper, and put what it printed beside what came of it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from manyminds.apps import options
from manyminds.apps.processors import processors

if TYPE_CHECKING:
    from manyminds.papers.outcome import Outcome
    from manyminds.papers.paper import Paper

FAILED = 1
_STATUS = {"finished": 0, "interrupted": 130, "terminated": 143}


@click.command()
@click.argument("paper")
@click.option("--table", metavar="N", help="This table only.")
@click.option("--figure", metavar="N", help="This figure only.")
@click.option("--games", type=click.IntRange(1), metavar="N", help="Games per line instead.")
@click.option("--playouts", type=click.IntRange(1), metavar="N",
              help="Simulations a decision instead.")  # fmt: skip
@click.option("--budget", metavar="BUDGET", help="The same in any unit: 200ms, 5000nodes.")
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.db",
              help="Where games are kept; several tables have one each. [PAPER.db]")  # fmt: skip
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.html",
              help="Write the page, and the same in Markdown beside it.")  # fmt: skip
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Local processes (one per CPU)."
)
@click.option("--so-far", is_flag=True, help="Play nothing: show what the store has by now.")
@options.seed
@options.quiet
@options.json
def reproduce(
    paper: str,
    table: str | None,
    figure: str | None,
    games: int | None,
    playouts: int | None,
    budget: str | None,
    store: Path | None,
    report: Path | None,
    workers: int | None,
    so_far: bool,
    seed: int,
    quiet: bool,
    as_json: bool,
) -> int:
    """Play the tables of PAPER: the printed numbers beside ours, and whether they differ.

    PAPER is a name (manyminds list papers), or a Python file of yours that has one. Games that the
    store has already are not played again.

    \b
    Example:
      manyminds reproduce cazenave2008 --table 2 --games 100 --report table2.html
      manyminds reproduce marcolino2011 --figure 5 --playouts 300 --workers 2
      manyminds reproduce mine.py --store mine.db --json
    """
    from manyminds.core.errors import UsageError

    if playouts is not None and budget is not None:
        raise UsageError("--playouts and --budget say the same: give one of them")
    if report is not None:
        from manyminds.arena.report import check_name

        check_name(report)
    found = _paper(paper)
    outcome = _play(
        found, (table, figure), (games, playouts if budget is None else budget, seed),
        store=store, workers=0 if so_far else workers or processors(), quiet=quiet,
    )  # fmt: skip
    if report is not None:
        from manyminds.papers.page import write_page

        write_page(outcome, report)
    _print(outcome, as_json)
    failed = sum(table.failed for table in outcome.tables)
    return _STATUS[outcome.ending] or (FAILED if failed else 0)


def _paper(name: str) -> Paper:
    from manyminds.papers import paper_named

    if not name.endswith(".py"):
        return paper_named(name)
    from manyminds.core.errors import UsageError
    from manyminds.core.user_file import load_user_file
    from manyminds.papers.paper import Paper

    papers = [x for x in vars(load_user_file(Path(name))).values() if isinstance(x, Paper)]
    if len(papers) != 1:
        raise UsageError(f"{name} has {len(papers)} papers; one variable of it is to be a Paper")
    return papers[0]


def _play(
    paper: Paper,
    chosen: tuple[str | None, str | None],
    choice: tuple[int | None, str | int | None, int],
    *,
    store: Path | None,
    workers: int,
    quiet: bool,
) -> Outcome:
    """The outcome; with no workers, of what is there."""
    from manyminds.arena.live import show_on
    from manyminds.papers.campaigns import Choice
    from manyminds.papers.run import reproduce as run
    from manyminds.papers.run import so_far

    if workers == 0:
        return so_far(paper, paper.chosen(*chosen), Choice(*choice), store=store)
    return run(
        paper,
        paper.chosen(*chosen),
        Choice(*choice),
        store=store,
        workers=workers,
        show=None if quiet else lambda: show_on(sys.stderr, after=2.0),
        command=shlex.join(["manyminds", *sys.argv[1:]]),
    )


def _print(outcome: Outcome, as_json: bool) -> None:
    if as_json:
        click.echo(outcome.to_json())
        return
    from manyminds.papers.page import text_of

    lines: list[Any] = [text_of(outcome)]
    for table in outcome.tables:
        if not table.store:
            lines.append(f"{table.label}: computed, no games")
            continue
        done = f"{table.label}: {table.played} games played, kept in {table.store}"
        failed = f"; {table.failed} failed" if table.failed else ""
        more = "" if table.ending == "finished" else f"; {table.ending}, the same command goes on"
        lines.append(done + failed + more)
    click.echo("\n".join(lines))
