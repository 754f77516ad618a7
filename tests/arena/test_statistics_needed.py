"""The calculators, held to what they promise: widths exactly, power by summing or simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from manyminds.arena.statistics import (
    Published,
    Sprt,
    games_for_mean,
    games_for_share,
    games_for_sprt,
    games_to_tell_mean_from,
    games_to_tell_means,
    games_to_tell_share_from,
    games_to_tell_shares,
    paired_difference,
    published_difference,
    published_share_difference,
    share_difference,
    welch_difference,
    wilson,
)
from manyminds.core.errors import UsageError


@pytest.mark.parametrize("half_width", [0.2, 0.05, 0.0312])
@pytest.mark.parametrize("wins_in_ten", [0, 3, 5])
def test_a_share_gets_the_fewest_games_for_its_half_width(half_width, wins_in_ten):
    share = wins_in_ten / 10
    n = games_for_share(half_width, share)
    assert wilson(share * n, n).half_width <= half_width
    assert n == 1 or wilson(share * (n - 1), n - 1).half_width > half_width


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_a_mean_gets_the_fewest_games_for_its_half_width(level):
    n = games_for_mean(1.6, 11.5, level)
    assert stats.t.ppf(0.5 + level / 2, n - 1) * 11.5 / math.sqrt(n) <= 1.6
    assert stats.t.ppf(0.5 + level / 2, n - 2) * 11.5 / math.sqrt(n - 1) > 1.6
    assert games_for_mean(1.6, 0.0) == 2


@pytest.mark.parametrize("power", [0.8, 0.95])
@pytest.mark.parametrize(("share", "known"), [(0.65, 0.5), (0.45, 1 / 3), (0.2, 0.35)])
def test_games_to_tell_a_share_from_a_known_one_have_the_power(share, known, power):
    """Exact power: the probabilities of all results that are told apart, summed."""
    n = games_to_tell_share_from(share, known, power)
    told = [
        published_share_difference(wins, n, Published(known)).is_significant
        for wins in range(n + 1)
    ]
    found = stats.binom.pmf(np.arange(n + 1), n, share)[told].sum()
    assert found == pytest.approx(power, abs=0.04)  # whole games make the power jump


def test_games_to_tell_two_shares_have_the_power():
    n = games_to_tell_shares(0.7, 0.5, power=0.8)
    random, simulations, told = np.random.default_rng(60), 3000, {}
    wins = zip(
        random.binomial(n, 0.7, simulations).tolist(),
        random.binomial(n, 0.5, simulations).tolist(),
        strict=True,
    )
    found = 0
    for pair in wins:
        if pair not in told:
            told[pair] = share_difference(pair[0], n, pair[1], n).is_significant
        found += told[pair]
    low, high = stats.binom.interval(0.9999, simulations, 0.8)
    assert low - 0.01 * simulations <= found <= high + 0.01 * simulations


@pytest.mark.parametrize("power", [0.8, 0.9])
@pytest.mark.parametrize(("difference", "sd"), [(3.0, 11.5), (10.0, 8.0)])
def test_games_to_tell_means_are_those_of_the_noncentral_t(difference, sd, power):
    def true_power(n, degrees, error):
        bound = stats.t.ppf(0.975, degrees)
        return stats.nct.sf(bound, degrees, difference / error)

    n = games_to_tell_means(difference, sd, power=power)
    assert true_power(n, 2 * n - 2, sd * math.sqrt(2 / n)) > power - 0.01
    assert true_power(n - 2, 2 * n - 6, sd * math.sqrt(2 / (n - 2))) < power
    n = games_to_tell_mean_from(difference, sd, power=power)
    assert true_power(n, n - 1, sd / math.sqrt(n)) > power - 0.02
    assert true_power(n - 2, n - 3, sd / math.sqrt(n - 2)) < power


def power_found(tell, simulations=2500):
    return sum(tell(i).is_significant for i in range(simulations)), stats.binom.interval(
        0.9999, simulations, 0.8
    )


def test_games_to_tell_means_have_the_power_with_unequal_deviations():
    n = games_to_tell_means(6.0, 14.0, second_sd=5.0, power=0.8)
    random = np.random.default_rng(61)
    found, (low, high) = power_found(
        lambda _: welch_difference(random.normal(30, 14, n), random.normal(24, 5, n))
    )
    assert low <= found <= high


def test_games_to_tell_pairs_have_the_power():
    n = games_to_tell_mean_from(2.0, 5.0, power=0.8)
    random = np.random.default_rng(62)

    def pairs(_):
        common = random.normal(27, 12, n)
        return paired_difference(common + random.normal(2, 4, n), common + random.normal(0, 3, n))

    found, (low, high) = power_found(pairs)
    assert low <= found <= high


def test_games_to_tell_from_a_published_mean_have_the_power():
    n = games_to_tell_mean_from(3.0, 11.5, published_error=0.8, power=0.8)
    assert n > games_to_tell_mean_from(3.0, 11.5, power=0.8)
    random = np.random.default_rng(63)
    found, (low, high) = power_found(
        lambda _: published_difference(
            random.normal(30, 11.5, n), Published(random.normal(27, 0.8), error=0.8)
        )
    )
    assert low <= found <= high


def test_what_no_number_of_games_can_show_is_said():
    with pytest.raises(UsageError, match=r"the least that can be shown is 4\.483"):
        games_to_tell_mean_from(3.0, 11.5, published_error=1.6)


def test_more_is_asked_more_is_needed():
    assert games_for_share(0.01) > games_for_share(0.02)
    assert games_to_tell_shares(0.55, 0.5) > games_to_tell_share_from(0.55, 0.5)
    assert games_to_tell_means(3, 11.5, level=0.99) > games_to_tell_means(3, 11.5)
    assert games_for_sprt(Sprt.of_elo(0, 10), 0.5) > games_for_sprt(Sprt.of_elo(0, 20), 0.5)


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda: games_for_share(0), "half-width"),
        (lambda: games_for_share(0.1, share=50), "a share"),
        (lambda: games_for_share(1e-9), "more than 1e\\+12 games"),
        (lambda: games_for_mean(1.0, -1.0), "standard deviation"),
        (lambda: games_to_tell_shares(0.5, 0.5), "two equal shares"),
        (lambda: games_to_tell_share_from(0.5, 1.0), "the known share"),
        (lambda: games_to_tell_shares(0.5, 0.5 + 1e-8), "more than 1e\\+12 games"),
        (lambda: games_to_tell_means(0.0, 1.0), "a difference"),
        (lambda: games_to_tell_means(1.0, 1.0, power=80), "such as 0.8"),
        (lambda: games_to_tell_means(1.0, 1.0, level=95), "such as 0.95"),
        (lambda: games_for_sprt(Sprt(0.5, 0.6), 1.5), "a share"),
    ],
)
def test_refuses_questions_without_an_answer(ask, match):
    with pytest.raises(UsageError, match=match):
        ask()
