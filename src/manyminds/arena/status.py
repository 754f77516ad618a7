"""How far a campaign is: for people who wait, and for scripts that do."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from manyminds.arena.lock import writer_of
from manyminds.arena.store import Store
from manyminds.arena.table import Table

_MOST_REASONS = 20


class Status(msgspec.Struct, frozen=True):
    """state: "running", "finished" or "unfinished". failures: (game, reason), the first few.

    done: games with a result that count; wanted: those the campaign asks for, where a sequential test
    has ended a line-up only those it took.
    """

    store: str
    title: str
    state: str
    wanted: int
    done: int
    failed: int
    process: int | None
    runs: int
    failures: tuple[tuple[int, str], ...]
    table: Table

    def to_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        names = [name for name in self.__struct_fields__ if name != "table"]
        return {name: getattr(self, name) for name in names} | {"table": self.table.to_data()}

    def __str__(self) -> str:
        who = f" (process {self.process})" if self.process else ""
        runs = f"{self.runs} run{'s' if self.runs != 1 else ''}"
        games = f"{self.done} of {self.wanted} games, {self.failed} failed, {runs}"
        lines = [f"{self.title}: {self.state}{who}, {games}", str(self.table)]
        lines += [f"game {number} failed: {reason}" for number, reason in self.failures]
        return "\n".join(lines)


def status_of(path: str | os.PathLike[str]) -> Status:
    """The status of a store, which may be written meanwhile."""
    file = Path(path)
    process = writer_of(file)
    with Store.read(file) as store:
        table, failures, runs = Table.of(store), store.failures(), len(store.runs())
    done = sum(row.games for row in table.rows)
    failed = sum(row.failed for row in table.rows)
    wanted = sum(row.games + row.failed if row.decided else row.wanted for row in table.rows)
    state = (
        "running"
        if process is not None
        else "finished"
        if done + failed >= wanted
        else "unfinished"
    )
    told = tuple(
        (number, reasons[-1]) for number, reasons in list(failures.items())[:_MOST_REASONS]
    )
    title = table.campaign.name
    return Status(str(file), title, state, wanted, done, failed, process, runs, told, table)
