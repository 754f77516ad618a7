"""Intervals of one line-up's result: beside SciPy's, and their coverage where the truth is known.

A coverage of c in m simulations is held to the 99.99 % range of a binomial with that c.
"""

import math

import numpy as np
import pytest
from scipy import stats

from manyminds.arena.statistics import (
    Interval,
    bootstrap_interval,
    exact_share,
    mean_interval,
    wilson,
)
from manyminds.core.errors import UsageError


def covered_as_promised(covered, simulations, coverage=0.95):
    low, high = stats.binom.interval(0.9999, simulations, coverage)
    return low <= covered <= high


def test_an_interval_reads_as_people_write_it():
    interval = Interval(32.5, 35.7, 34.1, 200, 0.95)
    assert str(interval) == "34.1 ± 1.6 (95 %, n = 200)"
    assert interval.half_width == pytest.approx(1.6)
    assert interval.text(digits=2, unit=" points") == "34.10 ± 1.60 points (95 %, n = 200)"


def test_an_interval_whose_arms_differ_shows_both_bounds():
    assert wilson(1, 50).scaled(100).text(unit=" %") == "2.0 [0.4, 10.5] % (95 %, n = 50)"


@pytest.mark.parametrize(
    ("half", "text"),
    [(0.0331, "0.500 ± 0.033"), (16.4, "0 ± 16"), (0.0, "0.5 ± 0.0"), (1e-12, "0.500000")],
)
def test_an_interval_shows_two_figures_of_its_half_width(half, text):
    assert str(Interval(0.5 - half, 0.5 + half, 0.5, 9, 0.9)).startswith(text)


def test_the_bounds_belong_to_the_interval():
    interval = Interval(1.0, 3.0, 2.0, 5, 0.95)
    assert interval.contains(1.0)
    assert interval.contains(3.0)
    assert not interval.contains(3.0000001)


@pytest.mark.parametrize(
    "wrong",
    [(3, 1, 2, 5, 0.95), (1, 3, math.nan, 5, 0.95), (1, 3, 2, -1, 0.95), (1, 3, 2, 5, 95)],
)
def test_an_impossible_interval_is_refused(wrong):
    with pytest.raises(UsageError):
        Interval(*wrong)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("wins", "n"), [(0, 1), (1, 1), (0, 40), (3, 40), (40, 40), (590, 1000)])
def test_shares_have_scipys_intervals(wins, n, level):
    for ours, method in (
        (wilson(wins, n, level), "wilson"),
        (exact_share(wins, n, level), "exact"),
    ):
        theirs = stats.binomtest(wins, n).proportion_ci(level, method)
        assert (ours.low, ours.high) == pytest.approx(tuple(theirs), abs=1e-11)
        assert (ours.estimate, ours.n, ours.level) == (wins / n, n, level)


def exact_coverage(interval_of, n, truth):
    """The coverage, by adding up the probabilities of all results whose interval has the truth."""
    return sum(
        stats.binom.pmf(wins, n, truth)
        for wins in range(n + 1)
        if interval_of(wins, n).contains(truth)
    )


@pytest.mark.parametrize("n", [20, 100])
def test_wilson_covers_its_level_on_average_and_exact_at_least(n):
    truths = np.linspace(0.02, 0.98, 25)
    wilsons = [exact_coverage(wilson, n, truth) for truth in truths]
    exacts = [exact_coverage(exact_share, n, truth) for truth in truths]
    assert 0.945 < np.mean(wilsons) < 0.96
    assert min(wilsons) > 0.89
    assert min(exacts) >= 0.95
    assert np.mean(exacts) > np.mean(wilsons)


def test_wilson_with_draws_covers_more_than_its_level():
    random, simulations, n, truth = np.random.default_rng(20), 4000, 100, 0.6
    games = random.choice([1.0, 0.5, 0.0], p=[0.45, 0.3, 0.25], size=(simulations, n))
    covered = sum(wilson(score, n).contains(truth) for score in games.sum(axis=1))
    # A draw in three games of ten takes 0.3 / 4 off a variance of 0.24: arms are 1.21 times as
    # long as need be, and 1.21 x 1.96 standard errors leave out 1.8 %.
    assert covered_as_promised(covered, simulations, coverage=0.982)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_means_have_scipys_t_interval(level):
    values = np.random.default_rng(3).gamma(2.0, 10.0, size=31)
    theirs = stats.ttest_1samp(values, 0.0).confidence_interval(level)
    ours = mean_interval(values, level)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-11)
    assert (ours.estimate, ours.n) == (pytest.approx(values.mean()), 31)


@pytest.mark.parametrize("n", [2, 5, 30])
def test_t_covers_its_level(n):
    games = np.random.default_rng(n).normal(27.0, 12.0, size=(4000, n))
    covered = sum(mean_interval(values).contains(27.0) for values in games)
    assert covered_as_promised(covered, 4000)


def test_one_game_says_nothing_of_a_mean():
    for interval in (mean_interval([34]), bootstrap_interval([34])):
        assert (interval.low, interval.high, interval.estimate) == (-math.inf, math.inf, 34)
    assert str(mean_interval([34])) == "34.0 [-inf, inf] (95 %, n = 1)"


@pytest.mark.parametrize("method", ["bca", "percentile"])
@pytest.mark.parametrize("seed", [0, 7])
def test_bootstrap_is_scipys_on_the_same_random_numbers(method, seed):
    values = np.random.default_rng(4).exponential(10.0, size=40)
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=2000,
        method=method,
        rng=np.random.Generator(np.random.PCG64(seed)),
    ).confidence_interval
    ours = bootstrap_interval(values, seed=seed, resamples=2000, method=method)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-9)


def test_bootstrap_does_not_depend_on_how_memory_cuts_it(monkeypatch):
    values = np.random.default_rng(5).exponential(10.0, size=50)
    whole = bootstrap_interval(values, seed=3)
    monkeypatch.setattr("manyminds.arena.statistics.intervals._DRAWS_AT_ONCE", 777)
    assert bootstrap_interval(values, seed=3) == whole
    assert bootstrap_interval(values, seed=4) != whole


def test_percentile_bootstrap_covers_what_it_can():
    """Its arms are a normal's, with the deviation divided by n: a little short of t's."""
    n, simulations = 25, 1500
    games = np.random.default_rng(6).normal(27.0, 12.0, size=(simulations, n))
    covered = sum(
        bootstrap_interval(g, seed=i, resamples=1000, method="percentile").contains(27.0)
        for i, g in enumerate(games)
    )
    reach = stats.norm.ppf(0.975) * math.sqrt((n - 1) / n)
    assert covered_as_promised(covered, simulations, 1 - 2 * stats.t.sf(reach, n - 1))


def test_bca_leans_to_the_long_tail_and_misses_both_ends_more_evenly():
    n, simulations = 60, 1000
    games = np.random.default_rng(8).exponential(10.0, size=(simulations, n))
    missed = {}
    for method in ("bca", "percentile"):
        found = [
            bootstrap_interval(g, seed=i, resamples=1000, method=method)
            for i, g in enumerate(games)
        ]
        missed[method] = sum(f.high < 10.0 for f in found), sum(f.low > 10.0 for f in found)
    # The mean of 60 exponentials is a gamma: BCa is right to second order, so within 1.5 % of
    # its level, and the percentile's upper end is the one that misses.
    assert covered_as_promised(simulations - sum(missed["bca"]), simulations, 0.942)
    assert missed["bca"][0] < missed["percentile"][0]
    assert missed["bca"][1] > missed["percentile"][1]


def test_games_that_all_end_alike_have_an_interval_of_no_width():
    for method in ("bca", "percentile"):
        assert bootstrap_interval([3.0] * 9, method=method).half_width == 0
    assert mean_interval([3.0] * 9).half_width == 0


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda: wilson(3, 2), "score of 2 games"),
        (lambda: wilson(0, 0), "1 or more"),
        (lambda: wilson(1, 2, level=95), "such as 0.95"),
        (lambda: wilson(math.nan, 2), "score"),
        (lambda: exact_share(1.5, 2), "use wilson"),
        (lambda: mean_interval([]), "at least 1"),
        (lambda: mean_interval([1.0, math.nan]), "finite"),
        (lambda: mean_interval([[1.0, 2.0]]), "one number per game"),
        (lambda: bootstrap_interval([1, 2], method="bcaa"), 'did you mean "bca"'),
        (lambda: bootstrap_interval([1, 2], resamples=3), "resamples"),
        (lambda: Interval(1, 3, 2, 5, 0.95).scaled(-1), "positive factor"),
    ],
)
def test_refuses_what_is_no_result(ask, match):
    with pytest.raises(UsageError, match=match):
        ask()
