"""`manyminds learn`: find a good set of agents, and measure it on fresh games."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from manyminds.apps import options
from manyminds.apps.processors import processors

if TYPE_CHECKING:
    from manyminds.arena.learning.course import Ask
    from manyminds.arena.learning.learnt import Learnt
    from manyminds.arena.learning.plan import Plan
    from manyminds.arena.progress import Show

FAILED = 1
_STATUS = {"finished": 0, "interrupted": 130, "terminated": 143}
_QUIET_SECONDS = 2.0  # between two lines of progress


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.db",
              help="Where games are kept. [FILE.db beside the file]")  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.toml",
              help="Where the learnt database goes. [FILE-learnt.toml]")  # fmt: skip
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.html",
              help="Write the page, and the same in Markdown beside it.")  # fmt: skip
@click.option("--fresh", type=click.IntRange(2), metavar="N",
              help="Fresh games of the chosen set instead of the file's number.")  # fmt: skip
@click.option(
    "--budget", metavar="BUDGET", help="Of a decision, instead of the file's: 300, 200ms."
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Local processes (one per CPU)."
)
@click.option("--seed", type=click.IntRange(0, options.MOST_SEED), metavar="N",
              help="What all chance follows from. [the file's]")  # fmt: skip
@options.quiet
@options.json
def learn(
    file: Path,
    store: Path | None,
    out: Path | None,
    report: Path | None,
    fresh: int | None,
    budget: str | None,
    workers: int | None,
    seed: int | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Learn an agent database as FILE.toml says: greedy, racing, annealing or weights.

    Every game is kept: the same command again goes on where it was stopped. The chosen set is measured
    on fresh games, and written as a database file with its evidence.

    \b
    Example:
      manyminds learn database.toml --workers 2 --report learnt.html
      manyminds learn database.toml --store mine.db --seed 2 --json
    """
    from manyminds.arena.learning.plan import read_plan
    from manyminds.arena.learning.run import learn as run

    if report is not None:
        from manyminds.arena.report import check_name

        check_name(report)
    plan = _changed(read_plan(file), fresh, budget, seed)
    learnt = run(
        plan,
        store or file.with_suffix(".db"),
        workers=workers or processors(),
        show=None if quiet or not sys.stderr.isatty() else _show,
        command=shlex.join(["manyminds", *sys.argv[1:]]),
        step=None if quiet else _telling(),
    )
    place = out or file.with_name(f"{file.stem}-learnt.toml")
    _write(learnt, place, report)
    _print(learnt, place, as_json)
    return _STATUS[learnt.ending] or (FAILED if learnt.failed else 0)


def _changed(plan: Plan, fresh: int | None, budget: str | None, seed: int | None) -> Plan:
    import msgspec

    given = {"fresh": fresh, "budget": budget, "seed": seed}
    return msgspec.structs.replace(plan, **{k: v for k, v in given.items() if v is not None})


def _show() -> Show:
    from manyminds.arena.live import show_on

    return show_on(sys.stderr, after=2.0)


def _telling() -> Callable[[Ask, int], None]:
    """A line for every wish, but not more often than people can read."""
    told = time.monotonic()

    def tell(ask: Ask, played: int) -> None:
        nonlocal told
        if time.monotonic() - told >= _QUIET_SECONDS:
            told = time.monotonic()
            click.echo(f"{played:,} games played; {ask.note}; so far {ask.chosen}", err=True)

    return tell


def _write(learnt: Learnt, place: Path, report: Path | None) -> None:
    if learnt.chosen is not None and learnt.ending == "finished":
        from manyminds.arena.learning.database import to_toml
        from manyminds.arena.report import write_whole

        write_whole(place, to_toml(learnt))
    if report is not None:
        from manyminds.arena.learning.page import write_page

        write_page(learnt, report)


def _print(learnt: Learnt, place: Path, as_json: bool) -> None:
    if as_json:
        click.echo(learnt.to_json())
        return
    from manyminds.arena.learning.page import text_of

    click.echo(text_of(learnt))
    failed = f"; {learnt.failed} failed" if learnt.failed else ""
    click.echo(f"{learnt.played} games played, kept in {learnt.store}{failed}")
    if learnt.ending == "finished":
        click.echo(f"written as {place}")
    else:
        click.echo(f"{learnt.ending}; the same command goes on")
