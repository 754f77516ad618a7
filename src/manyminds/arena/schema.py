"""The store's tables, and whether a file is a store of ours that this version may touch.

Version 1. Lists are JSON, so that `sqlite3 FILE` and its JSON functions can read them; a game's details
(the whole match, in MessagePack, compressed by zlib) are in a table of their own, so that reading
results does not page through them. Seeds are text: SQLite's integers are signed.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from manyminds.core.errors import Failure

APPLICATION = 0x6D6D7331  # "mms1"
VERSION = 1

TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
    run INTEGER PRIMARY KEY, began TEXT NOT NULL, ended TEXT, outcome TEXT,
    campaign TEXT NOT NULL, toml TEXT NOT NULL, command TEXT NOT NULL, runner TEXT NOT NULL,
    versions TEXT NOT NULL);
CREATE TABLE lineups (lineup INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
CREATE TABLE files (
    number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE games (
    game INTEGER PRIMARY KEY, run INTEGER NOT NULL, seed TEXT NOT NULL, rewards TEXT NOT NULL,
    points TEXT NOT NULL, forfeits TEXT NOT NULL, ending TEXT NOT NULL, turns INTEGER NOT NULL,
    seconds REAL NOT NULL, digest BLOB NOT NULL);
CREATE TABLE details (game INTEGER PRIMARY KEY, details BLOB NOT NULL);
CREATE TABLE failures (
    failure INTEGER PRIMARY KEY, game INTEGER NOT NULL, run INTEGER NOT NULL, at TEXT NOT NULL,
    reason TEXT NOT NULL);
"""


class BrokenStore(Failure):
    """A store that cannot be read or written; nothing in it was overwritten."""


def create(connection: sqlite3.Connection) -> None:
    """All tables in one transaction: a store is there whole, or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in TABLES.strip().split(";\n"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def is_empty(path: Path) -> bool:
    """Whether the file is missing, or a database in which nothing was ever made."""
    if not path.exists() or path.stat().st_size == 0:
        return True
    with _reading(path) as connection:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
    connection.close()
    return tables == 0 and application == 0


def open_checked(path: Path, whole: bool) -> sqlite3.Connection:
    """A connection that only reads, to a store of this version; `whole`: every page was looked at.

    BrokenStore for files of other programs, of other versions, and damaged ones.
    """
    if not path.exists():
        raise BrokenStore(f"{path}: there is no such store")
    with _reading(path) as connection:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise BrokenStore(
                f"{path} is no campaign's store: another program wrote it. Nothing was changed"
            )
        if version != VERSION:
            age = "a newer" if version > VERSION else "an older"
            raise BrokenStore(
                f"{path} was written by {age} manyminds (its schema is {version}, this one reads "
                f"{VERSION}): use that one, or another store. Nothing was changed"
            )
        if whole:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise BrokenStore(damaged(path, verdict))
    return connection


def damaged(path: Path, what: object) -> str:
    """The sentence for a file that SQLite cannot make sense of."""
    reason = " ".join(str(what).split())
    return (
        f"{path} is damaged ({reason}). Nothing was changed: keep it, see what `sqlite3 {path} .recover` "
        "can read, and run the campaign into another store"
    )


class _reading:  # noqa: N801 - reads as a verb where it is used
    """A read-only connection; what SQLite says of a damaged file becomes BrokenStore."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = self._connect("mode=ro")

    def _connect(self, mode: str) -> sqlite3.Connection:
        try:
            return sqlite3.connect(
                f"{self.path.resolve().as_uri()}?{mode}", uri=True, timeout=30, isolation_level=None
            )
        except sqlite3.Error as error:
            raise BrokenStore(f"{self.path} cannot be opened: {error}") from None

    def __enter__(self) -> sqlite3.Connection:
        try:
            self.connection.execute("PRAGMA application_id").fetchone()
            self.connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            # In a folder that may not be written, WAL needs files that cannot be made; without a log
            # left to read, the file alone is the whole store.
            log = self.path.with_name(self.path.name + "-wal")
            self.connection.close()
            if log.exists():
                raise BrokenStore(f"{self.path} cannot be read: {error}") from None
            self.connection = self._connect("immutable=1")
        except sqlite3.DatabaseError as error:
            self.connection.close()
            raise BrokenStore(damaged(self.path, error)) from None
        return self.connection

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> None:
        if error is not None:
            self.connection.close()
        if isinstance(error, sqlite3.DatabaseError):
            raise BrokenStore(damaged(self.path, error)) from None
