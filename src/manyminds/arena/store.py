"""A campaign's store: one SQLite file in which every finished game is once, and stays.

Only the driver writes, under a lock; anybody may read meanwhile. Games are added to a transaction
and are there once `commit` has returned: WAL with synchronous=FULL, so a loss of power takes nothing
that was reported. A game's number is its key, and the first result of a number is the one that stays.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from manyminds.arena.campaign import MOST_GAMES, Campaign, from_json
from manyminds.arena.files import UserFile
from manyminds.arena.lock import StoreLock
from manyminds.arena.pairing import Seats
from manyminds.arena.result import FailedGame, Result
from manyminds.arena.schema import BrokenStore, create, damaged, is_empty, open_checked
from manyminds.arena.versions import versions

_GAMES = "SELECT game, seed, rewards, points, forfeits, ending, turns, seconds, digest, details FROM games"
_FULL = ("full", "disk I/O error", "too big")
_floats = msgspec.json.Decoder(tuple[float, ...])
_forfeits = msgspec.json.Decoder(tuple[tuple[int, str], ...])


class Run(msgspec.Struct, frozen=True):
    """One time that a driver worked on the store: the campaign as it was then, and what played it."""

    run: int
    began: str
    ended: str | None
    outcome: str | None
    campaign: Campaign
    toml: str
    command: str
    runner: str
    versions: dict[str, str]


class Store:
    """An open store. Make one with `Store.write` (the driver) or `Store.read` (everybody else)."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: StoreLock | None) -> None:
        self.path, self._connection, self._lock = path, connection, lock
        self._run = 0

    # --- opening and closing ------------------------------------------------------------------------

    @staticmethod
    def read(path: str | Path, whole: bool = False) -> Store:
        """The store, for reading; with `whole`, only after every page was found sound."""
        return Store(Path(path), open_checked(Path(path), whole), None)

    @staticmethod
    def write(path: str | Path) -> Store:
        """The store, for its one driver; made where there is none yet."""
        path = Path(path)
        if not path.resolve().parent.is_dir():
            raise BrokenStore(f"{path}: there is no folder {path.resolve().parent}")
        lock = StoreLock(path)
        try:
            with _sentences(path):
                new = is_empty(path)
                if not new:
                    open_checked(path, whole=True).close()
                connection = sqlite3.connect(path, timeout=30, isolation_level=None)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                if new:
                    create(connection)
        except BaseException:
            lock.release()
            raise
        return Store(path, connection, lock)

    def close(self) -> None:
        """Let go of the file; again is no harm. What was not committed is forgotten."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- the driver's writing -------------------------------------------------------------------------

    def begin_run(self, campaign: Campaign, toml: str, command: str, runner: str) -> int:
        """Note that a driver begins; its games will carry the run's number."""
        with _sentences(self.path):
            cursor = self._connection.execute(
                "INSERT INTO runs (began, campaign, toml, command, runner, versions) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (_now(), campaign.to_json(), toml, command, runner, _json(versions())),
            )
        self._run = int(cursor.lastrowid or 0)
        return self._run

    def end_run(self, outcome: str) -> None:
        """Note how the run ended: "finished", "interrupted", or why it could not go on."""
        with _sentences(self.path):
            self._connection.execute(
                "UPDATE runs SET ended = ?, outcome = ? WHERE run = ?", (_now(), outcome, self._run)
            )

    def set_up(
        self,
        seats: Seats,
        lineups: Iterable[Sequence[str]],
        files: Iterable[UserFile],
        anew: bool = False,
    ) -> dict[tuple[str, ...], int]:
        """Note the game's seats, the line-ups and the user's files; the number of each line-up.

        What is there already stays (whether it may differ was decided before), or makes room with
        `anew`, where no game was played yet.
        """
        with self._all_or_nothing() as do:
            for table in ("about", "lineups", "files") if anew else ():
                do(f"DELETE FROM {table}")
            do("INSERT OR IGNORE INTO about VALUES ('seats', ?)", (_json(seats),))
            for file in files:
                row = (file.path, file.digest, file.text)
                do("INSERT OR IGNORE INTO files (path, digest, text) VALUES (?, ?, ?)", row)
            numbers = self.lineups()
            for names in map(tuple, lineups):
                if names not in numbers:
                    numbers[names] = max(numbers.values(), default=-1) + 1
                    do("INSERT INTO lineups VALUES (?, ?)", (numbers[names], _json(names)))
        return numbers

    def add(self, result: Result) -> None:
        """Add a game to what the next commit makes permanent; a number that is there keeps its game."""
        lists = (_json(result.rewards), _json(result.points), _json(result.forfeits))
        row = (*lists, result.ending, result.turns)
        digest = _digest(result.number, str(result.seed), *row)
        with _sentences(self.path):
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
            added = self._connection.execute(
                "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (result.number, self._run, str(result.seed), *row, result.seconds, digest),
            )
            if added.rowcount == 1:
                self._connection.execute(
                    "INSERT INTO details VALUES (?, ?)", (result.number, result.details)
                )

    def add_failure(self, failed: FailedGame) -> None:
        """Note a game that could not be finished. Its number stays free: a later run may try it again."""
        with _sentences(self.path):
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(
                "INSERT INTO failures (game, run, at, reason) VALUES (?, ?, ?, ?)",
                (failed.number, self._run, _now(), failed.reason),
            )

    def commit(self) -> None:
        """Make permanent what was added; only after this may it be reported."""
        if self._connection.in_transaction:
            with _sentences(self.path):
                self._connection.execute("COMMIT")

    @contextmanager
    def _all_or_nothing(self) -> Iterator[Callable[..., Any]]:
        with _sentences(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.rollback()
                raise

    # --- everybody's reading ----------------------------------------------------------------------------

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with _sentences(self.path):
            return self._connection.execute(query, values).fetchall()

    def seats(self) -> Seats | None:
        """The seats of the campaign's game; None before the first run."""
        rows = self._rows("SELECT value FROM about WHERE key = 'seats'")
        return msgspec.json.decode(rows[0][0], type=Seats) if rows else None

    def runs(self) -> list[Run]:
        """Every run, the first one first."""
        rows = self._rows(
            "SELECT run, began, ended, outcome, campaign, toml, command, runner, versions "
            "FROM runs ORDER BY run"
        )
        decode = msgspec.json.decode
        return [
            Run(run, began, ended, outcome, from_json(text), toml, command, runner, decode(found))
            for run, began, ended, outcome, text, toml, command, runner, found in rows
        ]

    def campaign(self) -> Campaign | None:
        """The campaign as it was last run; None before the first run."""
        rows = self._rows("SELECT campaign FROM runs ORDER BY run DESC LIMIT 1")
        return from_json(rows[0][0]) if rows else None

    def files(self) -> tuple[UserFile, ...]:
        """The user's files that the campaign imports, as they were when it began."""
        rows = self._rows("SELECT path, digest, text FROM files ORDER BY number")
        return tuple(UserFile(*row) for row in rows)

    def lineups(self) -> dict[tuple[str, ...], int]:
        """The number of every line-up that was ever in the campaign."""
        rows = self._rows("SELECT lineup, names FROM lineups ORDER BY lineup")
        return {tuple(msgspec.json.decode(names)): number for number, names in rows}

    def done(self) -> set[int]:
        """The numbers of all games that have a result."""
        return {number for (number,) in self._rows("SELECT game FROM games")}

    def failures(self) -> dict[int, list[str]]:
        """Why games that have no result failed, by number, in the order it happened."""
        reasons: dict[int, list[str]] = {}
        query = (
            "SELECT game, reason FROM failures "
            "WHERE game NOT IN (SELECT game FROM games) ORDER BY failure"
        )
        for number, reason in self._rows(query):
            reasons.setdefault(number, []).append(reason)
        return reasons

    def results(self, lineup: int, details: bool = False) -> Iterator[Result]:
        """A line-up's games by number; without `details` those bytes are left empty."""
        first, last = lineup * MOST_GAMES, (lineup + 1) * MOST_GAMES - 1
        yield from self._results("game BETWEEN ? AND ?", (first, last), details)

    def result(self, number: int) -> Result | None:
        """One game with its details; None where it has no result."""
        return next(self._results("game = ?", (number,), True), None)

    def unsound(self) -> Iterator[str]:
        """What SQLite finds wrong with the file, and games of which a part is missing."""
        for (verdict,) in self._rows("PRAGMA integrity_check(20)"):
            if verdict != "ok":
                yield f"the file is damaged: {verdict}"
        lone = "SELECT game FROM games WHERE game NOT IN (SELECT game FROM details) LIMIT 20"
        for (number,) in self._rows(lone):
            yield f"game {number} has lost its moves"
        stray = (
            f"SELECT game FROM games WHERE game / {MOST_GAMES} NOT IN (SELECT lineup FROM lineups)"
        )
        for (number,) in self._rows(f"{stray} LIMIT 20"):
            yield f"game {number} belongs to no line-up of this store"

    def _results(self, where: str, values: tuple[int, ...], details: bool) -> Iterator[Result]:
        source = (
            _GAMES + " LEFT JOIN details USING (game)"
            if details
            else _GAMES.replace("details FROM", "x'' AS details FROM")
        )
        with _sentences(self.path):
            for row in self._connection.execute(f"{source} WHERE {where} ORDER BY game", values):
                yield _read(row)


def _read(row: Sequence[Any]) -> Result:
    number, seed, rewards, points, forfeits, ending, turns, seconds, digest, details = row
    if digest != _digest(*row[:7]):
        raise BrokenStore(f"game {number} is not what was written: its digest differs")
    try:
        values = _floats.decode(rewards), _floats.decode(points), _forfeits.decode(forfeits)
        return Result(number, int(seed), *values, ending, turns, seconds, details or b"")
    except (msgspec.MsgspecError, ValueError) as error:
        raise BrokenStore(f"game {number} cannot be read: {error}") from None


def _digest(number: int, seed: str, *parts: Any) -> bytes:
    digest = hashlib.blake2b(f"{number} {seed}".encode(), digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """SQLite's errors as sentences that say what is left and what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error)
        if any(word in text for word in _FULL):
            raise BrokenStore(
                f"{path} cannot grow ({text}): the disk is full, or a limit was reached. All games that "
                "were reported are safe in it: make room, then `manyminds campaign resume` goes on"
            ) from None
        if "readonly" in text or "unable to open" in text:
            raise BrokenStore(f"{path} cannot be written here: {text}") from None
        raise BrokenStore(damaged(path, text)) from None
