"""`manyminds check FILE.py`: the compliance tests on a person's own game.

The file is run in a process of its own, so that a kernel that writes outside its arrays, or never
ends, is reported like any other failure.
"""

from __future__ import annotations

import json
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from manyminds.apps import options
from manyminds.core.errors import UsageError

if TYPE_CHECKING:
    from manyminds.core.checks import CheckReport

FAILED = 1
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    epilog="Example: manyminds check nim.py, where nim.py has nim = mm.Game(...) at its top level."
)
@click.argument("file", type=_FILE, metavar="FILE.py")
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Random games, and playouts, of each game.",
)
@click.option(
    "--patience",
    type=click.FloatRange(1),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one step may take before it counts as endless.",
)
@click.option("--all", "show_all", is_flag=True, help="List the checks that pass as well.")
@options.seed
@options.quiet
@options.json
@click.pass_context
def check(
    context: click.Context,
    file: Path,
    games: int,
    patience: float,
    show_all: bool,
    seed: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Check the games in your FILE.py: is every clause of the contract kept, and if not, what to do."""
    with Progress(f"checking {file.name}", quiet or as_json) as tell:
        reports = run_checks(file, games, seed, patience, tell)
    passed = all(report.passed for report in reports)
    if as_json:
        documents = [report.document() for report in reports]
        click.echo(json.dumps({"file": str(file), "passed": passed, "reports": documents}))
    else:
        for report in reports:
            click.echo(_text(report, show_all))
    context.exit(0 if passed else FAILED)


def _text(report: CheckReport, show_all: bool) -> str:
    if show_all:
        return str(report)
    return "\n".join(
        [report.summary(), *(f"  {check.name}: {check.sentence}" for check in report.failures)]
    )


def run_checks(
    file: Path, games: int, seed: int, patience: float, tell: Callable[[str], None]
) -> list[CheckReport]:
    """The reports of all that is in a file. Raises UsageError when it cannot be loaded or has nothing."""
    from manyminds.core.checks import CheckReport

    command = [
        sys.executable,
        "-m",
        "manyminds.apps.check_worker",
        str(file),
        str(games),
        str(seed),
    ]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    reports: list[CheckReport] = []
    begun: dict[str, str] | None = None
    at, done = "loading the file", False
    try:
        for document in _documents(worker, patience):
            if "wrong" in document:
                raise UsageError(document["wrong"])
            if "report" in document:
                reports.append(CheckReport.from_document(document["report"]))
                begun = None
            done = done or "done" in document
            begun = document.get("begin", begun)
            at = document.get("at", at)
            tell(_line(begun, at, document.get("compiling")))
        status = worker.wait(timeout=patience)
    except TimeoutError:
        status = None
    finally:
        _end(worker)
    if status != 0 or not done:
        reports.append(
            _cut_short(begun or {"kind": "file", "title": file.name}, status, at, patience)
        )
    return reports


def _line(begun: dict[str, str] | None, at: str, compiling: str | None) -> str:
    what = f"compiling {compiling}, which is kept for the next time" if compiling else at
    return f"{begun['title']}: {what}" if begun else what


def _documents(worker: subprocess.Popen[bytes], patience: float) -> Iterator[dict[str, Any]]:
    """What the process says, a line at a time; TimeoutError when it is silent for too long."""
    assert worker.stdout is not None
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(worker.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(patience):
                raise TimeoutError
            data = worker.stdout.read1()  # type: ignore[attr-defined]  # a pipe is buffered
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield json.loads(line)


def _end(worker: subprocess.Popen[bytes]) -> None:
    if worker.poll() is None:
        worker.kill()
    worker.wait()
    if worker.stdout is not None:
        worker.stdout.close()


def _cut_short(begun: dict[str, str], status: int | None, at: str, patience: float) -> CheckReport:
    """The report of what was being checked when the process was silent for too long, or died."""
    from manyminds.core.checks import FAILED as OUTCOME
    from manyminds.core.checks import Check, CheckReport

    if status is None:
        sentence = (
            f"nothing came for {patience:g} seconds at: {at}; a loop of yours may never end, or needs "
            "longer: --patience SECONDS"
        )
        return CheckReport(**begun, checks=(Check("ends", "every step ends", OUTCOME, sentence),))
    how = signal.Signals(-status).name if status < 0 else f"status {status}"
    sentence = (
        f"its process ended with {how} at: {at}; a kernel may read or write outside an array: "
        "NUMBA_BOUNDSCHECK=1 manyminds check ... names its line"
    )
    return CheckReport(
        **begun, checks=(Check("survives", "its process survives", OUTCOME, sentence),)
    )


class Progress:
    """A line on a terminal that says what is being done; nothing elsewhere, or when silent."""

    def __init__(self, text: str, silent: bool) -> None:
        from rich.console import Console

        self.console = Console(stderr=True, quiet=silent)
        self.status = self.console.status(text) if self.console.is_terminal and not silent else None

    def __enter__(self) -> Callable[[str], None]:
        if self.status is None:
            return lambda _: None
        self.status.start()
        return self.status.update

    def __exit__(self, *_: object) -> None:
        if self.status is not None:
            self.status.stop()
