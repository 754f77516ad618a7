"""`manyminds bench` as people and scripts read it."""

import pytest

from manyminds.apps import bench_table
from manyminds.arena.benchmarks.registry import known_rows
from manyminds.arena.benchmarks.row import Figure, Outcome, Row

pytestmark = pytest.mark.compiled_only  # speeds under bounds checking are nobody's


def test_one_object_a_row_and_nothing_else(typed):
    (row,) = typed("bench ttt-plugin-cpp --rounds 2 --share 0.05", as_json=True)
    assert row["name"] == "ttt-plugin-cpp"
    assert row["unit"] == "simulations/s"
    assert row["ours"] > 0
    assert row["rival"] > 0
    assert row["spread"][0] <= row["ratio"] <= row["spread"][1]
    assert row["at_least"] == 0.8
    assert row["met"] == (row["ratio"] >= 0.8)
    assert row["missing"] is None
    assert row["failure"] is None
    assert row["versions"]["open_spiel"][0].isdigit()


def test_unknown_names_are_refused_with_the_nearest(typed):
    assert "go9-uct" in typed("bench go9-utc", status=2).stderr


def test_help_names_every_row(typed):
    said = typed("bench --help").stdout
    assert all(row.name in said for row in known_rows())


def test_one_form_at_a_time(typed):
    assert "one form" in typed("bench ttt-plugin --json --markdown", status=2).stderr


ROW = Row("x", "work", "moves/s", lambda *_: None, "a rival", at_least=2.0)


@pytest.mark.parametrize(
    ("outcome", "cells"),
    [
        (
            Outcome(ROW, Figure(1_234_000, 188_200, 6.56, (6.0, 7.0))),
            ["x", "1.23 M", "188 k", "moves/s", "6.56 x", "6.00–7.00", "2 x", "yes"],
        ),
        (
            Outcome(ROW, Figure(999_900, missing="install it")),
            ["x", "1.00 M", "missing", "moves/s", "", "", "2 x", "?"],
        ),
        (Outcome(ROW, None, "it broke"), ["x", "failed", "", "moves/s", "", "", "2 x", "?"]),
        (
            Outcome(Row("x", "work", "s", lambda *_: None, at_most=2), Figure(2.5, spread=(2, 3))),
            ["x", "2.50", "", "s", "", "2.00–3.00", "≤ 2 s", "no"],
        ),
    ],
)
def test_figures_as_people_read_them(outcome, cells):
    assert bench_table.cells_of(outcome) == cells


def test_what_is_missing_and_what_failed_is_said_once_below_the_table(capsys):
    missing = [Outcome(ROW, Figure(1.0, missing="pip install it"))] * 2
    bench_table.print_table([*missing, Outcome(ROW, None, "it broke")])
    said = capsys.readouterr().out
    assert said.count("pip install it") == 1
    assert "x: it broke" in said
