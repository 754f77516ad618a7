"""What `manyminds bench` makes of what it measures; the figures themselves are no test's business."""

import itertools
import json
import subprocess
import sys

import pytest

from manyminds.arena import compile_all
from manyminds.arena.benchmarks import children, openspiel, registry
from manyminds.arena.benchmarks.contest import MissingRival, contest, rate
from manyminds.arena.benchmarks.go_playouts import Playouts
from manyminds.arena.benchmarks.row import Effort, Figure, Outcome, Row
from manyminds.core.errors import Failure, UsageError
from manyminds.games.registry import make_game

SOON = Effort(rounds=3, seconds=0.0, share=0.001)


def silent(_words):
    """Told, and not passed on."""


def side(name, seconds, told):
    """A batch of 12 pieces of work, in so many seconds by turns."""
    taken = itertools.cycle(seconds)

    def batch():
        told.append(name)
        return 12.0, next(taken)

    return batch


def test_sides_take_turns_after_a_batch_that_does_not_count():
    told = []
    figure = contest(
        side("ours", [99, 1, 2, 3], told), lambda: side("rival", [99, 4, 4, 4], told), SOON, silent
    )
    assert told == ["ours", "rival", "ours", "rival", "rival", "ours", "ours", "rival"]
    assert (figure.ours, figure.rival) == (6.0, 3.0)  # medians of 12, 6, 4 and of 3, 3, 3
    assert figure.ratio == 2.0
    assert figure.spread == (4 / 3, 4.0)


def test_the_ratio_is_the_median_of_ratios_that_were_measured_side_by_side():
    """A machine that is three times slower in one round leaves that round's ratio as it is."""
    told = []
    ours, rival = side("", [1, 1, 3, 1], told), side("", [2, 2, 6, 2], told)
    assert contest(ours, lambda: rival, SOON, silent).ratio == 2.0


def test_a_rate_is_over_as_many_batches_as_take_the_time():
    told = []
    assert rate(side("ours", [1, 2], told), 4.0) == pytest.approx(3 * 12 / 4)
    assert len(told) == 3


def test_a_missing_rival_is_named_and_we_are_measured_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    figure = contest(side("", [1], []), lambda: openspiel.searches(openspiel.GO_9, 2), SOON, silent)
    assert 'pip install "manyminds[bench]"' in figure.missing
    assert figure.ratio is None
    row = Row("x", "work", "moves/s", lambda *_: figure, "OpenSpiel", at_least=2.0)
    assert Outcome(row, figure).met is None
    with pytest.raises(MissingRival):
        openspiel.openspiel()


@pytest.mark.parametrize(
    ("bounds", "figure", "met"),
    [
        (dict(at_least=2.0), Figure(8.0, 4.0, 2.0), True),
        (dict(at_least=2.0), Figure(7.9, 4.0, 1.9), False),
        (dict(at_most=8.0), Figure(8.0), True),
        (dict(at_most=8.0), Figure(8.1), False),
        ({}, Figure(8.0, 4.0, 2.0), None),
    ],
)
def test_a_bound_is_met_or_not(bounds, figure, met):
    assert Outcome(Row("x", "work", "s", lambda *_: figure, **bounds), figure).met is met


def test_what_fails_is_told_and_other_rows_go_on():
    def fails(_effort, _tell):
        raise Failure("the disk is full")

    outcome = registry.measure(Row("x", "work", "s", fails, at_most=1.0), SOON, silent)
    assert outcome.figure is None
    assert outcome.document({})["failure"] == "the disk is full"


def test_rows_are_registered_once_and_found_by_name_in_the_table_s_order(monkeypatch):
    monkeypatch.setattr(registry, "_rows", dict(registry._rows))
    mine = Row("go9-mine", "work", "s", "nowhere:measure")
    registry.register_row(mine)
    registry.register_row(mine)
    with pytest.raises(UsageError, match="already"):
        registry.register_row(Row("go9-uct", "another", "s", "nowhere:measure"))
    names = [row.name for row in registry.rows_named(["go9-mine", "go9-uct"])]
    assert names == ["go9-uct", "go9-mine"]
    with pytest.raises(UsageError, match="go9-uct"):
        registry.rows_named(["go9-utc"])


def test_moves_are_counted_as_the_playouts_play_them():
    """A playout of Go 9x9 has about 110 moves (printed: 111.3 with two colours, 186 with three)."""
    two = Playouts(make_game("go"), "surrounded")
    moves, seconds = two.moves()
    assert seconds > 0
    assert moves == pytest.approx(500 * two.length)
    assert 100 < two.length < 125
    three = Playouts(make_game("go", colours=3), "surrounded")
    three.playouts()
    assert 170 < three.length < 200


def test_a_child_that_never_ends_is_killed():
    with pytest.raises(Failure, match="killed by signal 9"):
        children.run(["http.server", "--bind", "127.0.0.1", "0"], deadline=1.0)


def test_a_child_that_fails_says_why():
    with pytest.raises(Failure, match="no-such-module"):
        children.run(["no-such-module"])
    with pytest.raises(Failure, match="before it printed"):
        children.run_until(["this"], "a line that the Zen of Python has not")


@pytest.mark.compiled_only  # what is compiled differs; here it is counted
@pytest.mark.slow
def test_all_that_a_program_needs_is_compiled_before_and_found_by_other_processes(tmp_path):
    said = []
    environment = {"MANYMINDS_CACHE_DIR": str(tmp_path)}
    children.run(["manyminds.arena.compile_all", "--only", "nim"], said.append, environment)
    assert said[0] == "compiling 1 games for this machine, in 2 processes"
    assert said[1].startswith("1 of 1: nim, ")
    kept = set(tmp_path.iterdir())
    assert len(kept) > 10
    children.run(
        ["manyminds", "play", "nim", "--seat", "first=uct@50", "--seat", "second=rave@50"],
        environment=environment,
    )
    assert set(tmp_path.iterdir()) - kept == set()


def test_a_game_that_is_not_there_is_not_compiled():
    done = subprocess.run(
        [sys.executable, "-m", "manyminds.arena.compile_all", "--only", "nin"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "nim" in done.stderr


def test_every_job_is_a_game_that_can_be_made():
    for job in compile_all.jobs():
        assert make_game(job.game, **job.arguments).seats > 0
    assert json.dumps([str(job) for job in compile_all.jobs()][:2]) == '["go", "go (colours 3)"]'
