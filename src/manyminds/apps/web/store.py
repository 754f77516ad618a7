"""Tables on disk: one SQLite file in WAL mode, written by a thread of its own.

Nobody at a table waits for the disk: events are written in the order in which they came, those of a few
milliseconds together. A server that is told to stop writes all; one that is killed may lose the last
moments, and what is there is always a table as it was at some time.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
import time
from pathlib import Path

from manyminds.apps.web.event import Event, Setup, event_of, kept, setup_of
from manyminds.arena.lock import StoreLock
from manyminds.core.errors import Failure, UsageError

_APPLICATION, _VERSION = 0x4D4D5442, 1  # "MMTB"
_SCHEMA = """
CREATE TABLE tables (id TEXT PRIMARY KEY, setup BLOB NOT NULL, created REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE events (
    id TEXT NOT NULL, number INTEGER NOT NULL, event BLOB NOT NULL, PRIMARY KEY (id, number)
) WITHOUT ROWID;
"""
_PATIENCE = 10.0  # s
_MOST_AT_ONCE = 1000

_Row = tuple[str, tuple[object, ...]]


class TableStore:
    """An open store; one server at a time has it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = StoreLock(path)
            self._reader = _open(path)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"{path} cannot be a store of tables: {error}") from error
        self._waiting: queue.SimpleQueue[_Row | threading.Event | None] = queue.SimpleQueue()
        self._reading = threading.Lock()
        self.broken = ""  # why writing failed
        self._thread = threading.Thread(target=self._write, name="tables", daemon=True)
        self._thread.start()

    def add(self, id: str, setup: Setup) -> None:  # noqa: A002 - a table's id
        """A new table."""
        row = (id, kept(setup), time.time())
        self._waiting.put(("INSERT INTO tables VALUES (?, ?, ?)", row))

    def append(self, id: str, number: int, event: Event) -> None:  # noqa: A002 - a table's id
        """The table's event `number`, counted from 0."""
        self._waiting.put(("INSERT INTO events VALUES (?, ?, ?)", (id, number, kept(event))))

    def load(self, id: str) -> tuple[Setup, list[Event]] | None:  # noqa: A002 - a table's id
        """A table as it was last; None where there is none. May be called in any thread."""
        self.flush()
        with self._reading:
            row = self._reader.execute("SELECT setup FROM tables WHERE id = ?", (id,)).fetchone()
            events = self._reader.execute(
                "SELECT event FROM events WHERE id = ? ORDER BY number", (id,)
            ).fetchall()
        if row is None:
            return None
        return setup_of(row[0]), [event_of(event) for (event,) in events]

    def flush(self) -> None:
        """Wait until all that was said so far is written."""
        done = threading.Event()
        self._waiting.put(done)
        if not done.wait(_PATIENCE):
            raise Failure(f"{self.path} was not written within {_PATIENCE:g} s")

    def close(self) -> None:
        """Write what there is, and let others in."""
        self._waiting.put(None)
        self._thread.join(_PATIENCE)
        self._reader.close()
        self._lock.release()

    def _write(self) -> None:
        connection = _open(self.path)
        running = True
        while running:
            batch = [self._waiting.get()]
            while len(batch) < _MOST_AT_ONCE and not self._waiting.empty():
                batch.append(self._waiting.get())
            running = None not in batch
            try:
                with connection:
                    for one in batch:
                        if isinstance(one, tuple):
                            connection.execute(*one)
            except sqlite3.Error as error:
                self.broken = str(error)
            for one in batch:
                if isinstance(one, threading.Event):
                    one.set()
        connection.close()


def _open(path: Path) -> sqlite3.Connection:
    """A connection; makes the store where there is none, and refuses what is another's file."""
    connection = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if empty:
        connection.executescript(
            f"BEGIN; {_SCHEMA} PRAGMA application_id = {_APPLICATION};"
            f"PRAGMA user_version = {_VERSION}; COMMIT;"
        )
    elif (application, version) != (_APPLICATION, _VERSION):
        connection.close()
        raise UsageError(
            f"{path} holds something else than tables of this version: use another --store"
        )
    return connection
