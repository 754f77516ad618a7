"""Elo: beside closed forms and a general optimiser, and its coverage where the truth is known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from manyminds.arena.statistics import (
    Tally,
    elo_of_interval,
    elo_of_share,
    elo_table,
    share_of_elo,
    wilson,
)
from manyminds.core.errors import UsageError


def test_known_points_of_the_elo_scale():
    assert share_of_elo(0) == 0.5
    assert share_of_elo(400) == pytest.approx(10 / 11)
    assert elo_of_share(0.75) == pytest.approx(400 * math.log10(3))
    assert (elo_of_share(0), elo_of_share(1)) == (-math.inf, math.inf)
    assert (share_of_elo(-math.inf), share_of_elo(1e6)) == (0, 1)


@given(st.floats(-3000, 3000))
def test_elo_and_share_undo_each_other(elo):
    assert share_of_elo(elo) + share_of_elo(-elo) == pytest.approx(1, abs=1e-15)
    if abs(elo) < 1500:
        assert elo_of_share(share_of_elo(elo)) == pytest.approx(elo, abs=1e-7)


def test_an_interval_of_a_share_becomes_one_of_elo():
    interval = elo_of_interval(wilson(75, 100))
    assert interval.estimate == pytest.approx(190.8, abs=0.1)
    assert interval.low == elo_of_share(wilson(75, 100).low)
    assert elo_of_interval(wilson(5, 5)).high == math.inf


def test_two_players_have_the_closed_form():
    table = elo_table({("a", "b"): Tally(60, 20, 20)})
    assert table.ratings["a"].estimate == pytest.approx(elo_of_share(0.7) / 2)
    assert table.ratings["b"].estimate == pytest.approx(-elo_of_share(0.7) / 2)
    error = 400 / math.log(10) / math.sqrt(100 * 0.7 * 0.3)
    found = table.difference("a", "b")
    assert found.interval.half_width == pytest.approx(1.959963984540054 * error)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(elo_of_share(0.7) / error))
    # Half the difference lies on each side of the mean.
    assert table.ratings["a"].half_width == pytest.approx(found.interval.half_width / 2)
    assert table.games == table.ratings["a"].n == 100


LEAGUE = {
    ("a", "b"): Tally(30, 4, 16),
    ("b", "c"): Tally(22, 10, 8),
    ("c", "a"): Tally(9, 2, 49),
    ("c", "d"): Tally(18, 0, 12),
    ("d", "b"): Tally(5, 5, 20),
}


def negative_log_likelihood(elos, names):
    """Straight from the model, one pair after another."""
    total = 0.0
    for (first, second), tally in LEAGUE.items():
        share = 1 / (1 + 10 ** ((elos[names.index(second)] - elos[names.index(first)]) / 400))
        total -= tally.score * math.log(share) + (tally.n - tally.score) * math.log(1 - share)
    return total


def test_ratings_are_the_most_likely_ones_with_mean_zero():
    table, names = elo_table(LEAGUE), ["a", "b", "c", "d"]
    best = optimize.minimize(
        lambda free: negative_log_likelihood([*free, -sum(free)], names),
        [0.0] * 3,
        method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-12, "maxiter": 10_000},
    ).x
    ours = [table.ratings[name].estimate for name in names]
    assert ours[:3] == pytest.approx(list(best), abs=1e-3)
    assert sum(ours) == pytest.approx(0, abs=1e-9)
    assert list(table.ratings) == sorted(names, key=lambda name: -table.ratings[name].estimate)
    assert table.one_sided == ()


def test_intervals_come_from_the_curvature_of_the_likelihood():
    table, names, step = elo_table(LEAGUE), ["a", "b", "c", "d"], 0.5
    at = np.array([table.ratings[name].estimate for name in names])
    hessian = np.zeros((4, 4))
    for i, j in np.ndindex(4, 4):
        for one, two in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            moved = at.copy()
            moved[i] += one * step
            moved[j] += two * step
            value = negative_log_likelihood(moved, names)
            hessian[i, j] += one * two * value / (4 * step**2)
    covariance = np.linalg.pinv(hessian, rcond=1e-6)
    for i, name in enumerate(names):
        reach = 1.959963984540054 * math.sqrt(covariance[i, i])
        assert table.ratings[name].half_width == pytest.approx(reach, rel=1e-4)
    apart = covariance[0, 0] + covariance[2, 2] - 2 * covariance[0, 2]
    found = table.difference("a", "c").interval
    assert found.half_width == pytest.approx(1.959963984540054 * math.sqrt(apart), rel=1e-4)


def test_both_orders_of_a_pair_are_added_up():
    split = {("a", "b"): Tally(10, 3, 5), ("b", "a"): Tally(7, 0, 9)}
    both = elo_table({("a", "b"): Tally(19, 3, 12)})
    assert elo_table(split).ratings == both.ratings


@pytest.mark.parametrize("draws", [0.0, 0.4])
def test_elo_covers_its_level(draws):
    random, simulations, games = np.random.default_rng(30), 800, 60
    truth = {"a": 150.0, "b": 40.0, "c": -60.0, "d": -130.0}
    pairs = [(x, y) for x in truth for y in truth if x < y]
    ratings, differences = 0, 0
    for _ in range(simulations):
        results = {}
        for one, two in pairs:
            share = share_of_elo(truth[one] - truth[two])
            drawn = draws * 2 * min(share, 1 - share)
            parts = [share - drawn / 2, drawn, 1 - share - drawn / 2]
            results[one, two] = Tally(*map(int, random.multinomial(games, parts)))
        table = elo_table(results)
        ratings += sum(table.ratings[name].contains(elo) for name, elo in truth.items())
        differences += table.difference("a", "d").interval.contains(280.0)
    low, high = stats.binom.interval(0.9999, simulations, 0.95)
    # The four ratings of one simulation are not independent: they count as one.
    assert low <= ratings / 4
    assert low <= differences
    if draws == 0.0:
        assert max(ratings / 4, differences) <= high


def test_who_won_everything_gets_half_a_virtual_draw_against_each():
    table = elo_table({("a", "b"): Tally(20, 0, 0), ("b", "c"): Tally(5, 0, 5)})
    assert table.one_sided == (("a", "b"),)
    # A score of 20.25 in 20.5 games.
    assert table.difference("a", "b").interval.estimate == pytest.approx(
        elo_of_share(20.25 / 20.5), abs=1e-6
    )
    assert table.difference("b", "c").interval.estimate == pytest.approx(0, abs=1e-6)
    assert table.difference("a", "b").interval.half_width > 400
    assert "virtual draws" in table.difference("a", "b").assumption
    assert table.ratings["a"].n == 20


def test_a_group_that_won_everything_gets_virtual_draws_only_across_the_divide():
    table = elo_table(
        {
            ("a", "b"): Tally(12, 0, 8),
            ("c", "d"): Tally(8, 0, 12),
            ("a", "c"): Tally(9, 0, 0),
            ("b", "d"): Tally(9, 0, 0),
        }
    )
    assert {frozenset(pair) for pair in table.one_sided} == {frozenset("ac"), frozenset("bd")}
    assert all(math.isfinite(rating.half_width) for rating in table.ratings.values())


def test_who_lost_everything_is_the_mirror_of_who_won_everything():
    won = elo_table({("a", "b"): Tally(7, 0, 0)}).ratings
    lost = elo_table({("a", "b"): Tally(0, 0, 7)}).ratings
    assert won["a"].estimate == pytest.approx(-lost["a"].estimate)
    assert won["a"].estimate == pytest.approx(lost["b"].estimate)


def test_many_players_with_huge_differences_converge():
    ladder = {(f"p{i}", f"p{i + 1}"): Tally(100_000, 0, 1) for i in range(30)}
    table = elo_table(ladder)
    step = elo_of_share(100_000 / 100_001)
    for i in range(30):
        found = table.difference(f"p{i}", f"p{i + 1}").interval
        assert found.estimate == pytest.approx(step, rel=1e-6)


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda: elo_table({}), "two players"),
        (lambda: elo_table({("a", "a"): Tally(1, 0, 1)}), "against itself"),
        (
            lambda: elo_table({("a", "b"): Tally(1, 0, 1), ("c", "d"): Tally(1, 0, 1)}),
            'joins "a" and "c"',
        ),
        (lambda: elo_table({("a", "b"): Tally(0, 0, 0)}), "no chain of games"),
        (lambda: elo_table(LEAGUE).difference("a", "e"), 'no player "e"'),
        (lambda: elo_of_share(1.2), "a share"),
        (lambda: share_of_elo(math.nan), "Elo difference"),
        (lambda: Tally(-1, 0, 0), "wins"),
        (lambda: Tally(1, 0.5, 0), "draws"),
    ],
)
def test_refuses_what_has_no_rating(ask, match):
    with pytest.raises(UsageError, match=match):
        ask()
