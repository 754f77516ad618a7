"""Holm's correction beside a slow reading of its definition, and its error rate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from manyminds.arena.statistics import holm, shared_level
from manyminds.core.errors import UsageError


def rejected(p_values, alpha):
    """Holm's steps as he tells them: the smallest first, each bound a little wider, then stop."""
    left, found = dict(enumerate(p_values)), set()
    while left:
        smallest = min(left, key=left.get)
        if left[smallest] > alpha / len(left):
            break
        found.add(smallest)
        del left[smallest]
    return found


@given(st.lists(st.floats(0, 1), max_size=12), st.sampled_from([0.001, 0.05, 0.2, 0.5]))
def test_adjusted_p_values_reject_what_the_steps_reject(p_values, alpha):
    adjusted = holm(p_values)
    near = {i for i, p in enumerate(adjusted) if abs(p - alpha) < 1e-12}
    ours = {i for i, p in enumerate(adjusted) if p <= alpha}
    assert ours - near == rejected(p_values, alpha) - near
    assert all(one >= p for one, p in zip(adjusted, p_values, strict=True))


def test_a_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == ()


def test_one_false_alarm_in_twenty_tables_and_not_in_two():
    random, simulations = np.random.default_rng(50), 4000
    p_values = random.random((simulations, 12))
    alarms = sum(min(holm(p)) <= 0.05 for p in p_values)
    low, high = stats.binom.interval(0.9999, simulations, 1 - (1 - 0.05 / 12) ** 12)
    assert low <= alarms <= high
    assert (p_values.min(axis=1) <= 0.05).mean() > 0.4


def test_levels_for_many_intervals_at_once():
    assert shared_level(0.95, 1) == pytest.approx(0.95)
    assert shared_level(0.95, 10) == pytest.approx(0.995)


@pytest.mark.parametrize("ask", [lambda: holm([0.5, 1.1]), lambda: shared_level(0.95, 0)])
def test_refuses_what_is_no_p_value(ask):
    with pytest.raises(UsageError):
        ask()
