"""Strength over budget: exact on exact data, and intervals that hold as often as they say."""

import math

import numpy as np
import pytest

from manyminds.arena.statistics import StrengthFit, fit_strength, speed_up_interval
from manyminds.core.errors import UsageError

BUDGETS = (110, 220, 440, 880, 1760)


def test_data_on_the_curve_give_it_back():
    plain = {t: [900 + 8000 / math.sqrt(t)] * 3 for t in BUDGETS}
    fit = fit_strength(plain)
    assert fit.c0 == pytest.approx(900)
    assert fit.c1 == pytest.approx(8000)
    assert fit.budget(fit.strength(300)) == pytest.approx(300)


def test_the_speed_up_is_the_budget_that_the_plain_search_needs_over_ones_own():
    fit = StrengthFit(900, 8000)
    assert fit.speed_up(fit.strength(4 * 440), 440) == pytest.approx(4)
    assert fit.speed_up(900, 440) == math.inf  # no budget suffices
    assert fit.speed_up(800, 440) == math.inf
    assert StrengthFit(1, -5).speed_up(0.5, 25) == pytest.approx(4)  # more may be better, too


def test_the_fit_is_least_squares():
    rng = np.random.default_rng(3)
    plain = {t: rng.normal(900 + 8000 / math.sqrt(t), 300, 40 + t % 7) for t in BUDGETS}
    x = np.concatenate([np.full(len(v), 1 / math.sqrt(t)) for t, v in plain.items()])
    y = np.concatenate(list(plain.values()))
    slope, start = np.polyfit(x, y, 1)
    fit = fit_strength(plain)
    assert (fit.c0, fit.c1) == pytest.approx((start, slope))


def drawn(rng, games, true_speed_up):
    plain = {t: rng.normal(900 + 8000 / math.sqrt(t), 250, games) for t in BUDGETS}
    own = rng.normal(900 + 8000 / math.sqrt(440 * true_speed_up), 250, games)
    return speed_up_interval(plain, own, 440, draws=300, seed=1)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    rng = np.random.default_rng(5)
    held = sum(drawn(rng, 60, 2.0).contains(2.0) for _ in range(200))
    # 95 % of 200 are 190 (deviation 3.1); the bootstrap of a ratio may be a few per cent short.
    assert 175 <= held <= 200


def test_the_same_seed_gives_the_same_interval_and_more_games_a_narrower_one():
    def interval(games):
        return drawn(np.random.default_rng(7), games, 2.0)

    assert interval(50) == interval(50)
    assert interval(2000).half_width < interval(50).half_width / 3


def test_one_budget_is_no_curve():
    with pytest.raises(UsageError, match="two budgets"):
        fit_strength({440: [1.0, 2.0]})
    with pytest.raises(UsageError, match="above 0"):
        fit_strength({0: [1.0], 440: [2.0]})
