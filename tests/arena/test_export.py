import csv
import sys

import pytest

from manyminds.arena.campaign import Campaign
from manyminds.arena.driver import run
from manyminds.arena.export import export
from manyminds.arena.store import Store
from manyminds.arena.table import Table
from manyminds.core.errors import Failure, MissingExtra, UsageError


@pytest.fixture
def opened(played):
    with Store.read(played) as store:
        yield store


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_games_as_csv_have_every_seat_of_every_game(opened, tmp_path):
    assert export(opened, tmp_path / "games.csv") == 24 * 3
    rows = rows_of(tmp_path / "games.csv")
    row = next(r for r in rows if r["game"] == "1000003" and r["seat"] == "third")
    result = opened.result(1000003)
    assert float(row["points"]) == result.points[2]
    assert int(row["seed"]) == result.seed
    assert row["player"] == "draws"
    assert sum(float(r["points"]) for r in rows) == 24 * 9


def test_the_table_as_csv_has_the_tables_numbers(opened, tmp_path):
    assert export(opened, tmp_path / "table.csv", "table") == 6
    places = [place for row in Table.of(opened).rows for place in row.places]
    for line, place in zip(rows_of(tmp_path / "table.csv"), places, strict=True):
        assert float(line["points"]) == place.points.estimate
        assert float(line["share_high"]) == place.share.high


def test_parquet_has_what_csv_has(opened, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    export(opened, tmp_path / "games.csv")
    export(opened, tmp_path / "games.parquet")
    rows = parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert [{k: str(v) for k, v in row.items()} for row in rows] == rows_of(tmp_path / "games.csv")


def test_parquet_in_many_batches_is_one_table(opened, tmp_path, monkeypatch):
    from manyminds.arena import export as module

    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 7)
    export(opened, tmp_path / "games.parquet")
    assert parquet.read_table(tmp_path / "games.parquet").num_rows == 72


def test_without_pyarrow_the_extra_is_named(opened, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"manyminds\[tables\]"):
        export(opened, tmp_path / "games.parquet")
    assert list(tmp_path.glob("*parquet*")) == []


def test_go_is_exported_as_sgf_that_replays(tmp_path):
    from manyminds.games.go import sgf

    store = tmp_path / "go.db"
    go = {"name": "go", "size": 5, "colours": 3}
    run(Campaign(go, lineups=[["random"] * 3], games=3, move_limit=30), store, workers=0)
    with Store.read(store) as opened:
        assert export(opened, tmp_path / "records") == 3
        for number in range(3):
            record = sgf.read((tmp_path / "records" / f"{number}.sgf").read_text(encoding="utf-8"))
            match = opened.result(number).match()
            played = [
                (seat + 1, move)
                for joint in match.joint_moves
                for seat, move in enumerate(joint)
                if move >= 0
            ]
            assert list(record.moves) == played


def test_other_games_are_exported_as_text(opened, tmp_path):
    export(opened, tmp_path / "records")
    text = (tmp_path / "records" / "1000003.txt").read_text()
    assert "game: plain-nim" in text
    assert f"seed: {opened.result(1000003).seed}" in text


def test_what_cannot_be_written_is_said(opened, played, tmp_path):
    with pytest.raises(UsageError, match="is the store itself"):
        export(opened, played)
    with pytest.raises(UsageError, match=r"ends in \.csv or \.parquet"):
        export(opened, tmp_path / "games.xlsx")
    with pytest.raises(UsageError, match='did you mean "games"'):
        export(opened, tmp_path / "games.csv", "gmaes")
    with pytest.raises(Failure, match="cannot be written"):
        export(opened, tmp_path / "none" / "games.csv")


def test_a_file_is_replaced_whole_or_not_at_all(opened, tmp_path, monkeypatch):
    from manyminds.arena import export as module

    target = tmp_path / "games.csv"
    target.write_text("before")

    def breaks(store):
        yield {"a": 1}
        raise Failure("half-way")

    monkeypatch.setitem(module._CONTENTS, "games", breaks)
    with pytest.raises(Failure, match="half-way"):
        export(opened, target)
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.glob("*.part")] == []
