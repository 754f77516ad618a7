"""Clocks: what a move may take, by the three ways of counting time."""

import time

import pytest

from manyminds.apps.gtp.clock import MARGIN, settings


def spend(clock, seat, seconds):
    """A move that took so long."""
    clock.start(time.perf_counter() - seconds)
    clock.stop(seat)


def may_take(clock, seat=0, moves=20):
    """What the next move may take."""
    clock.start(time.perf_counter())
    return clock.seconds(seat, moves)


def test_no_limit_is_no_limit():
    assert may_take(settings(0, 1, 0)) is None
    assert may_take(settings(-1, 0, 0)) is None


def test_overtime_is_divided_among_its_stones():
    clock = settings(0, 60, 25)
    assert may_take(clock) == pytest.approx(60 / 25 - MARGIN, abs=0.01)
    spend(clock, 0, 12.0)
    assert may_take(clock) == pytest.approx(48 / 24 - MARGIN, abs=0.01)
    for _ in range(24):
        spend(clock, 0, 1.0)
    assert may_take(clock) == pytest.approx(60 / 25 - MARGIN, abs=0.01)


def test_a_second_a_move_stays_one():
    clock = settings(0, 1, 1)
    for _ in range(5):
        assert may_take(clock) == pytest.approx(1 - MARGIN, abs=0.01)
        spend(clock, 0, 0.98)


@pytest.mark.parametrize(("main", "overtime", "stones"), [(60, 0, 0), (30, 10, 5), (5, 2, 1)])
def test_who_takes_all_that_is_allowed_never_loses_on_time(main, overtime, stones):
    clock = settings(main, overtime, stones)
    left, in_overtime, to_go = float(main), 0.0, 0
    for move in range(80):
        seconds = may_take(clock, moves=max(8, 40 - move)) + 0.002
        spend(clock, 0, seconds)
        if left > 0:
            left -= seconds
            if left <= 0 and stones:
                in_overtime, to_go = overtime + left, stones - 1
                left = 0.0
        elif stones:
            in_overtime -= seconds
            to_go -= 1
        assert left >= 0 or stones
        assert in_overtime >= -1e-6, f"move {move} loses on time"
        if left <= 0 and stones and to_go == 0:
            in_overtime, to_go = float(overtime), stones
    assert left < main / 4


def test_what_the_controller_says_counts():
    clock = settings(600, 0, 0)
    clock.tell(1, 10.0, 5)
    assert may_take(clock, 1) == pytest.approx(2 - MARGIN, abs=0.01)
    clock.tell(0, 0.0, 0)
    assert may_take(clock, 0) == pytest.approx(0.001)


def test_what_was_spent_before_thinking_is_gone():
    clock = settings(0, 1, 1)
    clock.start(time.perf_counter() - 0.1)
    assert clock.seconds(0, 10) <= 0.9 - MARGIN
    assert clock.seconds(0, 10, late=0.2) <= 0.7 - MARGIN


@pytest.mark.parametrize("size", [9, 19])
def test_a_move_is_there_within_50_ms_of_its_time(talk, size):
    engine = talk("rave")
    engine(f"boardsize {size}")
    engine("genmove b")  # by simulations, so that all is compiled
    engine("time_settings 0 1 2")
    took = []
    for colour in "wbw":
        begun = time.perf_counter()
        engine(f"genmove {colour}")
        took.append(time.perf_counter() - begun)
    assert min(took) > 0.3
    assert sorted(took)[1] < 0.55


def test_a_typed_budget_in_simulations_stands(talk):
    engine = talk("rave@100")
    engine("kgs-time_settings absolute 10")
    begun = time.perf_counter()
    engine("genmove b")
    engine("genmove w")
    assert time.perf_counter() - begun < 5
    assert engine.session.thinker.search(0).simulations <= 200
