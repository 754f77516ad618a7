"""Results as files for other programs: CSV, Parquet, and game records (SGF for Go)."""

from __future__ import annotations

import csv
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from manyminds.arena.statistics import Interval
from manyminds.arena.store import Store
from manyminds.arena.table import Table, schedule_of
from manyminds.core.errors import Failure, MissingExtra, UsageError, nearest

Record = dict[str, Any]
_ROWS_AT_ONCE = 20_000


def table_rows(store: Store) -> Iterator[Record]:
    """One row per line-up and place: the result table."""
    for row in Table.of(store).rows:
        for number, place in enumerate(row.places):
            yield {
                "lineup": row.lineup,
                "names": ", ".join(row.names),
                "place": number,
                "player": place.player,
                "seat": place.seat,
                "games": row.games,
                **_interval("points", place.points),
                **_interval("reward", place.reward),
                **_interval("share", place.share),
                "forfeits": place.forfeits,
                "failed": row.failed,
            }


def game_rows(store: Store) -> Iterator[Record]:
    """One row per game and seat, games in the order of their numbers."""
    schedule, seats = schedule_of(store)
    for key, lineup in sorted(schedule.lineups.items()):
        for result in store.results(key):
            lost = dict(result.forfeits)
            for seat, place in enumerate(schedule.places_of(result.number)):
                yield {
                    "game": result.number,
                    "lineup": key,
                    "index": schedule.index_of(result.number),
                    "seed": str(result.seed),
                    "seat": seats.names[seat],
                    "place": place,
                    "player": lineup.names[place],
                    "points": result.points[seat],
                    "reward": result.rewards[seat],
                    "forfeit": lost.get(seat, ""),
                    "ending": result.ending,
                    "turns": result.turns,
                    "seconds": result.seconds,
                }


_CONTENTS: dict[str, Callable[[Store], Iterator[Record]]] = {
    "games": game_rows,
    "table": table_rows,
}


def export(store: Store, path: str | os.PathLike[str], what: str = "games") -> int:
    """Write what the path's ending says: .csv or .parquet a table of rows, a folder one record per game.

    what: "games" (a row per game and seat) or "table" (a row per line-up and place). The number of
    rows or files written. A file appears whole or not at all, and never over a store.
    """
    target = Path(path)
    if what not in _CONTENTS:
        raise UsageError(f'"{what}" cannot be exported; {nearest(what, _CONTENTS)}')
    if target.resolve() == Path(store.path).resolve():
        raise UsageError(f"{target} is the store itself; name another file")
    try:
        if target.suffix.lower() == ".csv":
            return _whole(target, lambda part: _write_csv(part, _CONTENTS[what](store)))
        if target.suffix.lower() == ".parquet":
            _pyarrow()
            return _whole(target, lambda part: _write_parquet(part, _CONTENTS[what](store)))
        if target.suffix:
            raise UsageError(
                f"{target}: name a file that ends in .csv or .parquet, or a folder for records"
            )
        return _write_records(target, store)
    except OSError as error:
        raise Failure(f"{target} cannot be written: {error.strerror or error}") from None


def _interval(name: str, interval: Interval) -> Record:
    return {name: interval.estimate, f"{name}_low": interval.low, f"{name}_high": interval.high}


def _whole(target: Path, write: Callable[[Path], int]) -> int:
    part = target.with_name(f".{target.name}.part")
    try:
        count = write(part)
        part.replace(target)
        return count
    finally:
        part.unlink(missing_ok=True)


def _write_csv(path: Path, rows: Iterable[Record]) -> int:
    count = 0
    with path.open("w", newline="", encoding="utf-8") as file:
        writer: csv.DictWriter[str] | None = None
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(file, fieldnames=list(row))
                writer.writeheader()
            writer.writerow(row)
            count += 1
    return count


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("tables", "Parquet") from None
    return pyarrow, parquet


def _write_parquet(path: Path, rows: Iterable[Record]) -> int:
    pyarrow, parquet = _pyarrow()
    count, writer = 0, None
    try:
        for batch in _batches(rows):
            table = pyarrow.Table.from_pylist(batch)
            writer = writer or parquet.ParquetWriter(path, table.schema)
            writer.write_table(table.cast(writer.schema))
            count += len(batch)
        if writer is None:
            parquet.write_table(pyarrow.table({}), path)
    finally:
        if writer is not None:
            writer.close()
    return count


def _batches(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    batch: list[Mapping[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _ROWS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _write_records(folder: Path, store: Store) -> int:
    """A file per game, named by its number: SGF for Go, plain text for other games."""
    schedule, _ = schedule_of(store)
    ending = ".sgf" if schedule.campaign.data["name"] == "go" else ".txt"
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for key in sorted(schedule.lineups):
        for result in store.results(key, details=True):
            record = result.match().record.encode()
            _whole(
                folder / f"{result.number}{ending}",
                functools.partial(Path.write_bytes, data=record),
            )
            count += 1
    return count
