"""Differences beside SciPy's tests, and their coverage where the truth is known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from manyminds.arena.statistics import (
    Published,
    mean_interval,
    paired_difference,
    published_difference,
    published_share_difference,
    share_difference,
    welch_difference,
    wilson,
)
from manyminds.core.errors import UsageError


def covered_as_promised(covered, simulations, coverage=0.95):
    low, high = stats.binom.interval(0.9999, simulations, coverage)
    return low <= covered <= high


def same(ours, theirs, level):
    """Is the difference SciPy's test result, in interval and p-value?"""
    bounds = theirs.confidence_interval(level)
    return (ours.interval.low, ours.interval.high, ours.p_value) == pytest.approx(
        (bounds.low, bounds.high, theirs.pvalue), rel=1e-9
    )


@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_differences_of_means_are_scipys(level):
    random = np.random.default_rng(1)
    one, two = random.normal(30, 12, 57), random.normal(27, 5, 23)
    assert same(
        welch_difference(one, two, level), stats.ttest_ind(one, two, equal_var=False), level
    )
    assert same(paired_difference(one[:23], two, level), stats.ttest_rel(one[:23], two), level)
    exact = published_difference(one, Published(27.0), level)
    theirs = stats.ttest_1samp(one, 27.0)
    assert exact.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert exact.interval.half_width == pytest.approx(mean_interval(one, level).half_width)


def test_a_published_mean_with_its_deviation_and_games_is_a_sample_like_any_other():
    random = np.random.default_rng(2)
    one, two = random.normal(30, 12, 40), random.normal(27, 9, 25)
    full = welch_difference(one, two)
    sd = float(two.std(ddof=1))
    for published in (
        Published(two.mean(), n=25, sd=sd),
        Published(two.mean(), n=25, error=sd / 5),
    ):
        ours = published_difference(one, published)
        assert ours.p_value == pytest.approx(full.p_value, rel=1e-9)
        assert ours.interval.low == pytest.approx(full.interval.low, rel=1e-9)
        assert ours.assumption == ""


def test_a_published_mean_without_deviation_is_taken_to_vary_as_ours_and_says_so():
    ours = np.random.default_rng(3).normal(30, 12, 40)
    found = published_difference(ours, Published(27.0, n=200))
    error = ours.std(ddof=1) * math.sqrt(1 / 40 + 1 / 200)
    assert found.interval.half_width == pytest.approx(stats.t.ppf(0.975, 39) * error)
    assert "200 games but no deviation" in found.assumption
    assert "taken as exact" in published_difference(ours, Published(27.0)).assumption
    assert "taken as exact" in published_difference(ours, Published(27, error=1)).assumption


def test_plus_minus_is_undone_to_a_standard_error():
    published = Published.plus_minus(0.5755, 0.021)
    assert published.standard_error() == pytest.approx(0.021 / 1.959963984540054)
    assert Published(3.0, n=25, sd=10.0).standard_error() == 2.0
    assert Published(3.0, n=25).standard_error() is None


@pytest.mark.parametrize(("n_1", "n_2"), [(5, 40), (30, 12)])
def test_welch_covers_its_level_with_unequal_deviations(n_1, n_2):
    random, simulations = np.random.default_rng(n_1), 3000
    ones = random.normal(30, 4, size=(simulations, n_1))
    twos = random.normal(27, 16, size=(simulations, n_2))
    covered = sum(
        welch_difference(one, two).interval.contains(3.0)
        for one, two in zip(ones, twos, strict=True)
    )
    assert covered_as_promised(covered, simulations)


def test_pairing_covers_its_level_and_is_narrower_where_pairs_go_together():
    random, simulations, n = np.random.default_rng(12), 3000, 20
    common = random.normal(27, 12, size=(simulations, n))
    ones = common + random.normal(2, 3, size=(simulations, n))
    twos = common + random.normal(0, 3, size=(simulations, n))
    found = [paired_difference(one, two) for one, two in zip(ones, twos, strict=True)]
    assert covered_as_promised(sum(f.interval.contains(2.0) for f in found), simulations)
    assert found[0].interval.half_width < welch_difference(ones[0], twos[0]).interval.half_width / 2
    assert found[0].interval.n == n


@pytest.mark.parametrize("known", [{"n": 50}, {"n": 50, "sd": True}])
def test_a_difference_to_a_published_mean_covers_its_level(known):
    """The paper's study is simulated too: what it would have printed varies with its games."""
    random, simulations = np.random.default_rng(13), 3000
    ours = random.normal(30, 11, size=(simulations, 25))
    theirs = random.normal(28, 11, size=(simulations, 50))
    covered = 0
    for mine, paper in zip(ours, theirs, strict=True):
        sd = float(paper.std(ddof=1)) if "sd" in known else None
        published = Published(float(paper.mean()), n=known["n"], sd=sd)
        covered += published_difference(mine, published).interval.contains(2.0)
    assert covered_as_promised(covered, simulations)


def joined_coverage(first, second, n_1, n_2):
    """Exact: the probabilities of all pairs of results whose interval has the true difference."""
    return sum(
        stats.binom.pmf(one, n_1, first) * stats.binom.pmf(two, n_2, second)
        for one in range(n_1 + 1)
        for two in range(n_2 + 1)
        if share_difference(one, n_1, two, n_2).interval.contains(first - second)
    )


def test_differences_of_shares_cover_their_level():
    cases = [(0.5, 0.5, 25, 25), (0.7, 0.5, 30, 20), (0.9, 0.8, 20, 30), (0.3, 0.1, 25, 20)]
    coverages = [joined_coverage(*case) for case in cases]
    assert min(coverages) > 0.93
    assert 0.945 < np.mean(coverages) < 0.97


def test_a_difference_of_shares_is_near_the_textbook_test_when_games_are_many():
    found = share_difference(5755, 10_000, 5600, 10_000)
    pooled = (5755 + 5600) / 20_000
    z = 0.0155 / math.sqrt(pooled * (1 - pooled) * 2 / 10_000)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(z), rel=0.01)
    reach = 1.96 * math.sqrt((0.5755 * 0.4245 + 0.56 * 0.44) / 10_000)
    assert found.interval.half_width == pytest.approx(reach, rel=0.001)


def test_a_share_against_an_exact_one_is_wilsons_interval_and_the_score_test():
    found, own = published_share_difference(60, 100, Published(0.5)), wilson(60, 100)
    assert found.interval.low == pytest.approx(own.low - 0.5)
    assert found.interval.high == pytest.approx(own.high - 0.5)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(2.0), rel=1e-9)
    assert "taken as exact" in found.assumption


def test_a_share_against_a_published_one_uses_what_the_paper_gives():
    by_games = published_share_difference(60, 100, Published(0.5, n=80))
    assert by_games.interval.low == share_difference(60, 100, 40, 80).interval.low
    by_error = published_share_difference(60, 100, Published(0.5, error=0.05))
    below = math.hypot(0.6 - wilson(60, 100).low, 1.959963984540054 * 0.05)
    assert by_error.interval.low == pytest.approx(0.1 - below)
    assert by_error.assumption == ""


def test_shares_that_are_certain_on_both_sides():
    assert share_difference(30, 30, 0, 30).p_value < 1e-12
    assert share_difference(0, 30, 0, 30).p_value == 1.0
    assert published_share_difference(3, 30, Published(0.0)).p_value == 0.0
    assert published_share_difference(0, 30, Published(0.0)).p_value == 1.0


results = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted)
points = st.lists(st.integers(0, 81), min_size=2, max_size=12)


@given(results, results, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_of_shares_the_interval_leaves_out_0_exactly_when_p_is_small(one, two, level):
    (score_1, n_1), (score_2, n_2) = one, two
    found = share_difference(score_1, n_1 + 1, score_2, n_2 + 1, level)
    mirrored = share_difference(score_2, n_2 + 1, score_1, n_1 + 1, level)
    if abs(found.p_value - (1 - level)) > 1e-12:
        assert found.is_significant == (found.p_value < 1 - level)
    assert found.interval.low == pytest.approx(-mirrored.interval.high, abs=1e-12)
    assert found.p_value == pytest.approx(mirrored.p_value, abs=1e-12)


@given(points, points, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_of_means_the_interval_leaves_out_0_exactly_when_p_is_small(one, two, level):
    published = Published(float(np.mean(two)), n=7)
    for found in (welch_difference(one, two, level), published_difference(one, published, level)):
        if abs(found.p_value - (1 - level)) > 1e-9:
            assert found.is_significant == (found.p_value < 1 - level)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=9), st.randoms(use_true_random=False))
def test_the_order_of_the_games_changes_no_digit(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)
    assert mean_interval(shuffled) == mean_interval(values)
    assert welch_difference(shuffled, [1, 2]) == welch_difference(values, [1, 2])


def test_one_game_tells_no_difference_of_means():
    for found in (
        paired_difference([3], [1]),
        welch_difference([3], [1, 2, 3]),
        published_difference([3], Published(1.0, n=200)),
        published_difference([3], Published(1.0, error=0.1)),
    ):
        assert found.p_value == 1.0
        assert not found.is_significant
        assert found.interval.half_width == math.inf


def test_games_without_any_variation():
    assert welch_difference([2, 2], [1, 1]).p_value == 0.0
    # Ten times 1/3 and three times 1/3 have sums that round differently, and the same mean.
    assert welch_difference([1 / 3] * 10, [1 / 3] * 3).p_value == 1.0
    assert paired_difference([2, 2], [2, 2]).p_value == 1.0


def test_a_difference_reads_with_its_p_value():
    found = published_share_difference(60, 100, Published(0.5))
    assert str(found.text(digits=3)) == "0.100 ± 0.094 (95 %, n = 100), p = 0.046"
    assert str(share_difference(30, 30, 0, 30)).endswith(", p < 0.001")


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda: paired_difference([1, 2], [1]), "as many games: 2 and 1"),
        (lambda: welch_difference([], [1]), "at least 1"),
        (lambda: Published(math.nan), "finite"),
        (lambda: Published(3.0, n=0), "published number of games"),
        (lambda: Published(3.0, error=-1), "standard error"),
        (lambda: published_share_difference(5, 9, Published(57.55)), r"in \[0, 1\]"),
        (lambda: share_difference(1, 2, 5, 4), "score of 4"),
    ],
)
def test_refuses_what_cannot_be_compared(ask, match):
    with pytest.raises(UsageError, match=match):
        ask()
