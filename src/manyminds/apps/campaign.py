"""`manyminds campaign`: run, look at, go on with, report, export and check campaigns; and `needed`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from manyminds.apps import options
from manyminds.apps.processors import processors
from manyminds.core.errors import UsageError

if TYPE_CHECKING:
    from manyminds.arena.campaign import Campaign
    from manyminds.arena.driver import Outcome
    from manyminds.arena.runner import Runner

F = TypeVar("F", bound=Callable[..., Any])

FAILED = 1
_STATUS = {"finished": 0, "interrupted": 130, "terminated": 143}
_STORE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def campaign() -> None:
    """Many matches that answer one question: played, kept, and reported.

    \b
    Example:
      manyminds campaign run go.toml --workers 2
      manyminds campaign report go.db
    """


def _playing(command: F) -> F:
    """The options of commands that play."""
    for option in reversed(
        (
            click.option(
                "--workers",
                type=click.IntRange(1),
                metavar="N",
                help="Local processes. [one per CPU]",
            ),
            click.option(
                "--runner",
                type=click.Choice(["local", "dask"]),
                default="local",
                show_default=True,
                help="What plays the games: processes here, or a Dask cluster.",
            ),
            click.option(
                "--scheduler",
                metavar="ADDRESS",
                help="Dask's scheduler; without it one is started here.",
            ),
            click.option(
                "--games", type=click.IntRange(1), metavar="N", help="Games per line-up instead."
            ),
            click.option("--retry", is_flag=True, help="Play games again that failed before."),
            click.option(
                "--report",
                type=click.Path(path_type=Path),
                metavar="FILE.html",
                help="Write it at the end.",
            ),
            options.quiet,
            options.json,
        )
    ):
        command = option(command)
    return command


@campaign.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.db",
    help="Where the games are kept. [FILE with .db]",
)
@click.option(
    "--seed", type=click.IntRange(0, options.MOST_SEED), metavar="N", help="Instead of the file's."
)
@_playing
def run(file: Path, store: Path | None, seed: int | None, games: int | None, **choices: Any) -> int:
    """Play a campaign's games; what the store has already is not played again.

    \b
    Example:
      manyminds campaign run go.toml --store go.db --workers 2
      manyminds campaign run go.toml --runner dask --scheduler tcp://head:8786
    """
    from manyminds.arena.campaign import read_campaign

    read = read_campaign(file)
    changed = _changed(read, games, seed)
    toml = file.read_text(encoding="utf-8") if changed == read else ""
    return _play(changed, store or file.with_suffix(".db"), toml, **choices)


@campaign.command()
@click.argument("store", type=_STORE)
@_playing
def resume(store: Path, games: int | None, **choices: Any) -> int:
    """Go on with a store's campaign as it was last run.

    \b
    Example:
      manyminds campaign resume go.db
      manyminds campaign resume go.db --games 400
    """
    from manyminds.arena.store import Store

    with Store.read(store) as opened:
        runs = opened.runs()
    if not runs:
        raise UsageError(
            f"{store} has no campaign yet: manyminds campaign run FILE.toml --store {store}"
        )
    last = runs[-1].campaign
    changed = _changed(last, games, None)
    return _play(changed, store, runs[-1].toml if changed == last else "", **choices)


@campaign.command()
@click.argument("store", type=_STORE)
@options.json
def status(store: Path, as_json: bool) -> None:
    """How far a campaign is, and its table so far; also while it runs.

    \b
    Example:
      manyminds campaign status go.db --json
    """
    from manyminds.arena.status import status_of

    found = status_of(store)
    if as_json:
        _print_json(found.to_data())
    else:
        click.echo(str(found))


@campaign.command()
@click.argument("store", type=_STORE)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="[STORE with .html]",
)
@options.json
def report(store: Path, output: Path | None, as_json: bool) -> None:
    """Write the report: a self-contained HTML page, and the same in Markdown beside it.

    \b
    Example:
      manyminds campaign report go.db -o go.html
    """
    from manyminds.arena.report import write_report

    page = write_report(store, output or store.with_suffix(".html"))
    _answer(as_json, {"report": str(page), "markdown": str(page.with_suffix(".md"))}, str(page))


@campaign.command()
@click.argument("store", type=_STORE)
@click.argument("output", type=click.Path(path_type=Path))
@click.option("--what", type=click.Choice(["games", "table"]), default="games", show_default=True,
              help="A row per game and seat, or per line-up and place.")  # fmt: skip
@options.json
def export(store: Path, output: Path, what: str, as_json: bool) -> None:
    """Write results as OUTPUT.csv, OUTPUT.parquet, or as a folder of records (SGF for Go).

    \b
    Example:
      manyminds campaign export go.db go.csv
      manyminds campaign export go.db go.parquet --what table
      manyminds campaign export go.db records/
    """
    from manyminds.arena.export import export as write
    from manyminds.arena.store import Store

    with Store.read(store) as opened:
        count = write(opened, output, what)
    _answer(as_json, {"output": str(output), "count": count}, f"{count} written to {output}")


@campaign.command()
@click.argument("store", type=_STORE)
@click.option("--replay", type=click.IntRange(0), default=0, show_default=True, metavar="K",
              help="Play K games again, and compare them bit for bit.")  # fmt: skip
@options.seed
@options.json
def check(store: Path, replay: int, seed: int, as_json: bool) -> int:
    """Whether the store holds what its campaign says: seeds, line-ups, and replayed games.

    \b
    Example:
      manyminds campaign check go.db --replay 10
    """
    import msgspec

    from manyminds.arena.check import check as look
    from manyminds.arena.store import Store

    with Store.read(store) as opened:
        found = look(opened, replay, seed)
    lines = [*found.problems, f"{found.games} games, {len(found.replayed)} replayed: "
             + ("sound" if found.sound else f"{len(found.problems)} problems")]  # fmt: skip
    if found.other_versions:
        lines.append("(some games were played by other versions than those here)")
    _answer(as_json, msgspec.to_builtins(found) | {"sound": found.sound}, "\n".join(lines))
    return 0 if found.sound else FAILED


@campaign.command()
@click.option(
    "--points", type=float, metavar="D", help="Show a difference of D points (needs --sd)."
)
@click.option("--sd", type=float, metavar="S", help="Standard deviation of one game's points.")
@click.option(
    "--share", type=float, metavar="P", help="The share of wins that is expected, such as 0.55."
)
@click.option(
    "--known", type=float, metavar="Q", help="Tell it from a known number: a share, such as 0.5."
)
@click.option("--published-error", type=float, metavar="E",
              help="Tell D points from a published mean with this standard error.")  # fmt: skip
@click.option("--within", type=float, metavar="W", help="An interval no wider than ± W.")
@click.option(
    "--sprt", type=(float, float), metavar="P0 P1", help="A sequential test of these two shares."
)
@click.option(
    "--power", type=float, default=0.8, show_default=True, help="Chance of showing what is there."
)
@click.option("--level", type=float, default=0.95, show_default=True,
              help="Of intervals and tests: 0.95 is wrong once in 20.")  # fmt: skip
@options.json
def needed(as_json: bool, **question: Any) -> None:
    """How many games a question needs, before the first is played.

    \b
    Example:
      manyminds campaign needed --points 3 --sd 12            two line-ups, games of each
      manyminds campaign needed --share 0.55 --known 0.5      one line-up against a known share
      manyminds campaign needed --share 0.5 --within 0.03     an interval of ± 3 %
      manyminds campaign needed --sprt 0.5 0.55 --share 0.55  expected length of a sequential test
    """
    from manyminds.arena.question import games_needed

    games, words = games_needed(**question)
    _answer(as_json, {"games": games, "question": words}, f"{games} games {words}")


# --- shared ---------------------------------------------------------------------------------------------


def _changed(read: Campaign, games: int | None, seed: int | None) -> Campaign:
    from manyminds.arena.campaign import with_changes

    return with_changes(read, games=games, seed=seed)


def _play(
    read: Campaign, store: Path, toml: str, quiet: bool, as_json: bool, **choices: Any
) -> int:
    from manyminds.arena import driver
    from manyminds.arena.live import show_on
    from manyminds.arena.progress import Silent

    if choices["report"] is not None:
        from manyminds.arena.report import check_name

        check_name(choices["report"])
    outcome = driver.run(
        read,
        store,
        runner=lambda: _runner(choices["runner"], choices["scheduler"], choices["workers"]),
        show=Silent() if quiet else show_on(sys.stderr),
        toml=toml,
        command=shlex.join(["manyminds", *sys.argv[1:]]),
        retry=choices["retry"],
    )
    if choices["report"] is not None:
        outcome.table.report(choices["report"])
    _answer(as_json, _data(outcome, store), _words(outcome, store))
    return _STATUS[outcome.ending] or (FAILED if outcome.failed else 0)


def _runner(name: str, scheduler: str | None, workers: int | None) -> Runner:
    if name == "dask":
        from manyminds.arena.cluster import DaskRunner

        return DaskRunner(scheduler, workers or processors())
    if scheduler is not None:
        raise UsageError("--scheduler goes with --runner dask")
    from manyminds.arena.local import LocalPool

    return LocalPool(workers or processors())


def _data(outcome: Outcome, store: Path) -> dict[str, Any]:
    return {
        "store": str(store),
        "ending": outcome.ending,
        "played": outcome.played,
        "failed": outcome.failed,
        "seconds": outcome.seconds,
        "table": outcome.table.to_data(),
    }


def _words(outcome: Outcome, store: Path) -> str:
    lines = [str(outcome.table), ""]
    if outcome.ending != "finished":
        lines.append(f"{outcome.ending}: manyminds campaign resume {store} goes on")
    if outcome.failed:
        lines.append(f"{outcome.failed} games failed: manyminds campaign status {store} says why")
    lines.append(f"{outcome.played} games played, kept in {store}")
    return "\n".join(lines)


def _answer(as_json: bool, data: dict[str, Any], text: str) -> None:
    if as_json:
        _print_json(data)
    else:
        click.echo(text)


def _print_json(data: dict[str, Any]) -> None:
    import msgspec

    click.echo(msgspec.json.encode(data))
