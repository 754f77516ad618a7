"""SPRT: what it decides, that only numbers count and not arrival, and its true error rates."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from manyminds.arena.statistics import (
    Decision,
    SequentialTest,
    Sprt,
    elo_of_share,
    games_for_sprt,
    judge,
    share_of_elo,
)
from manyminds.arena.statistics.sequential import MODELS
from manyminds.core.errors import UsageError


def test_a_winner_is_accepted_at_the_game_where_walds_ratio_crosses():
    sprt = Sprt(0.5, 0.7)
    # Every win adds log(0.7 / 0.5) = 0.336; log(0.95 / 0.05) = 2.944 takes nine.
    verdict = judge(sprt, dict.fromkeys(range(20), 1.0))
    assert (verdict.decision, verdict.game, verdict.games) == (Decision.H1, 8, 9)
    assert verdict.log_ratio == pytest.approx(9 * math.log(1.4))
    # Every loss takes log(0.3 / 0.5) = 0.511: six.
    verdict = judge(sprt, dict.fromkeys(range(20), 0.0))
    assert (verdict.decision, verdict.game) == (Decision.H0, 5)


def test_a_draw_counts_as_half_a_win_and_half_a_loss():
    sprt = Sprt(0.5, 0.7)
    drawn = judge(sprt, {0: 0.5, 1: 0.5}).log_ratio
    assert drawn == pytest.approx(judge(sprt, {0: 1.0, 1: 0.0}).log_ratio)


def test_without_draws_the_normal_model_is_walds():
    results = dict(enumerate([1, 1, 0, 1, 0, 0, 1, 1, 1, 0.0]))
    wald, normal = (judge(Sprt(0.5, 0.55, model=model), results) for model in ("wald", "normal"))
    assert normal.log_ratio == pytest.approx(wald.log_ratio)


def test_with_draws_the_normal_model_weighs_results_by_how_little_they_vary():
    results = dict(enumerate([0.5, 0.5, 0.5, 1.0] * 50))
    wald, normal = (
        judge(Sprt(0.5, 0.505, model=model), results).log_ratio for model in ("wald", "normal")
    )
    # 50 wins in 200 games and one virtual win and loss: variances by hand.
    mean, square = (125 + 1) / 202, (50 + 150 / 4 + 1) / 202
    assert normal / wald == pytest.approx(mean * (1 - mean) / (square - mean**2))
    assert normal > 3 * wald


def test_hypotheses_in_elo_are_shares():
    sprt = Sprt.of_elo(0, 30, alpha=0.01, beta=0.1, model="normal", block=3)
    assert (sprt.share0, elo_of_share(sprt.share1)) == (0.5, pytest.approx(30))
    assert (sprt.alpha, sprt.beta, sprt.model, sprt.block) == (0.01, 0.1, "normal", 3)
    assert sprt.bounds == (math.log(0.1 / 0.99), math.log(0.9 / 0.01))


def test_games_whose_predecessors_are_missing_have_no_say():
    test = SequentialTest(Sprt(0.5, 0.7))
    for game in range(1, 30):
        assert test.add(game, 1.0).games == 0
    assert test.waiting == 29
    assert test.verdict.decision is Decision.GO_ON
    assert test.add(0, 0.0).decision is Decision.H1
    assert test.verdict.game == 11  # the loss takes a win and a half: twelve games, not nine
    assert test.waiting == 30 - 12


def test_a_verdict_never_changes():
    test = SequentialTest(Sprt(0.5, 0.7))
    fallen = [test.add(game, 1.0) for game in range(9)][-1]
    assert [test.add(game, 0.0) for game in range(9, 200)] == [fallen] * 191


def test_decisions_fall_after_whole_blocks_only():
    sprt = Sprt(0.5, 0.7, block=6)
    assert judge(sprt, dict.fromkeys(range(11), 1.0)).decision is Decision.GO_ON
    assert judge(sprt, dict.fromkeys(range(12), 1.0)).game == 11


lists_of_results = st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=60)
tests = st.builds(
    Sprt,
    st.sampled_from([0.3, 0.5]),
    st.sampled_from([0.6, 0.8]),
    model=st.sampled_from(["wald", "normal"]),
    block=st.sampled_from([1, 3]),
)


@given(tests, lists_of_results, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(sprt, results, random):
    arrival = list(enumerate(results))
    random.shuffle(arrival)
    test = SequentialTest(sprt)
    for game, result in arrival:
        test.add(game, result)
        test.add(game, result)  # the same again, as after a resume
    assert test.verdict == judge(sprt, dict(enumerate(results)))


@given(tests, lists_of_results)
def test_the_verdict_is_the_first_prefix_that_crosses(sprt, results):
    """Beside a slow reading of the definition: every prefix judged by itself."""
    expected = (Decision.GO_ON, None)
    low, high = sprt.bounds
    for n in range(sprt.block, len(results) + 1, sprt.block):
        part = results[:n]
        ratio = sprt.log_ratio(n, sum(part), sum(r * r for r in part))
        if ratio >= high or ratio <= low:
            expected = (Decision.H1 if ratio >= high else Decision.H0, n - 1)
            break
    verdict = judge(sprt, dict(enumerate(results)))
    assert (verdict.decision, verdict.game) == expected


@settings(max_examples=30)
@given(tests, lists_of_results, lists_of_results)
def test_games_after_the_decision_have_no_part_in_it(sprt, first, second):
    verdict = judge(sprt, dict(enumerate(first)))
    if verdict.game is not None:
        assert judge(sprt, dict(enumerate(first + second))) == verdict


def exact_rates(sprt, truth, longest):
    """(P(H1), P(H0), mean games), exactly: a walk over numbers of wins, one game at a time."""
    alive, h0, h1, mean = np.array([1.0]), 0.0, 0.0, 0.0
    low, high = sprt.bounds
    for n in range(1, longest + 1):
        alive = np.append(alive * (1 - truth), 0.0) + np.append(0.0, alive * truth)
        wins = np.arange(n + 1)
        ratio = wins * np.log(sprt.share1 / sprt.share0)
        ratio += (n - wins) * np.log((1 - sprt.share1) / (1 - sprt.share0))
        up, down = alive[ratio >= high].sum(), alive[ratio <= low].sum()
        h0, h1, mean = h0 + down, h1 + up, mean + n * (up + down)
        alive[(ratio >= high) | (ratio <= low)] = 0.0
    return h1, h0, mean


@pytest.mark.parametrize(("elo0", "elo1"), [(0, 50), (-40, 40), (100, 220)])
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.01, 0.1)])
def test_exact_error_rates_of_won_and_lost_games_are_within_alpha_and_beta(elo0, elo1, alpha, beta):
    sprt = Sprt.of_elo(elo0, elo1, alpha, beta)
    h1, h0, mean = exact_rates(sprt, sprt.share0, 3000)
    assert 0.6 * alpha < h1 <= alpha
    assert h0 + h1 == pytest.approx(1, abs=1e-4)
    assert mean == pytest.approx(games_for_sprt(sprt, sprt.share0), rel=0.15)
    h1, h0, mean = exact_rates(sprt, sprt.share1, 3000)
    assert 0.6 * beta < h0 <= beta
    assert mean == pytest.approx(games_for_sprt(sprt, sprt.share1), rel=0.15)


def test_expected_games_between_and_beyond_the_hypotheses():
    sprt = Sprt.of_elo(0, 60)
    for truth in (0.4, 0.53, 0.543, 0.56, 0.65):
        mean = exact_rates(sprt, truth, 4000)[2]
        assert games_for_sprt(sprt, truth) == pytest.approx(mean, rel=0.1)
        assert games_for_sprt(sprt, truth) < mean
    assert games_for_sprt(sprt, 1.0) == pytest.approx(
        math.log(19) / math.log(sprt.share1 / sprt.share0)
    )


def simulated_rates(sprt, truth, draws, random, simulations, longest):
    """(H1s, H0s, all) of simulated tests, each result fed to a test of its own."""
    parts = [1 - truth - draws / 2, draws, truth - draws / 2]
    games = random.choice([0.0, 0.5, 1.0], p=parts, size=(simulations, longest)).tolist()
    found = []
    for results in games:
        test = SequentialTest(sprt)
        for game, result in enumerate(results):
            if test.add(game, result).game is not None:
                break
        found.append(test.verdict.decision)
    return found.count(Decision.H1), found.count(Decision.H0)


@pytest.mark.parametrize("model", ["wald", "normal"])
@pytest.mark.parametrize("draws", [0.0, 0.35])
def test_simulated_error_rates_are_within_alpha_and_beta(model, draws):
    sprt = Sprt.of_elo(0, 120, model=model)
    random, simulations = np.random.default_rng(40), 1500
    most = stats.binom.ppf(0.9999, simulations, 0.05)
    h1, h0 = simulated_rates(sprt, sprt.share0, draws, random, simulations, 400)
    assert h1 <= most
    assert h0 >= simulations - most
    h1, h0 = simulated_rates(sprt, sprt.share1, draws, random, simulations, 400)
    assert h0 <= most
    assert h1 >= simulations - most
    if model == "normal" and draws:  # and it does not simply wait for ever
        assert h0 >= stats.binom.ppf(0.0001, simulations, 0.025)


@pytest.mark.parametrize("block", [1, 3])
def test_error_rates_hold_where_a_seat_is_worth_more_than_another(block):
    """Three seatings that win 0.25, 0.5 and 0.75 are 0.5 together; blocks keep them together."""
    random, simulations, longest = np.random.default_rng(41), 1500, 399
    seats = np.tile([0.75, 0.5, 0.25], longest // 3)
    games = (random.random((simulations, longest)) < seats).astype(float).tolist()
    sprt = Sprt.of_elo(0, 120, block=block)
    found = [judge(sprt, dict(enumerate(results))).decision for results in games]
    assert found.count(Decision.H1) <= stats.binom.ppf(0.9999, simulations, 0.05)


def test_a_run_of_draws_at_the_start_decides_nothing():
    sprt = Sprt.of_elo(0, 5, model="normal")
    assert judge(sprt, dict.fromkeys(range(200), 0.5)).decision is Decision.GO_ON


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda: Sprt(0.5, 0.5), "share0 .* must be below"),
        (lambda: Sprt.of_elo(10, 0), "must be below"),
        (lambda: Sprt(0.0, 0.5), "share0"),
        (lambda: Sprt(0.5, 0.6, alpha=0.5), "alpha is an error rate"),
        (lambda: Sprt(0.5, 0.6, beta=0), "beta is an error rate"),
        (lambda: Sprt(0.5, 0.6, model="norm"), 'did you mean "normal"'),
        (lambda: Sprt(0.5, 0.6, block=0), "block"),
        (lambda: SequentialTest(Sprt(0.5, 0.6)).add(-1, 1.0), "game number"),
        (lambda: SequentialTest(Sprt(0.5, 0.6)).add(0, 2.0), "a result"),
        (lambda: SequentialTest(Sprt(0.5, 0.6)).add(0, math.nan), "a result"),
    ],
)
def test_refuses_what_is_no_test_or_no_result(ask, match):
    with pytest.raises(UsageError, match=match):
        ask()


def test_another_result_of_the_same_game_is_refused():
    test = SequentialTest(Sprt(0.5, 0.6))
    test.add(4, 1.0)
    with pytest.raises(UsageError, match=r"game 4 ended with 1\.0 before and with 0\.0 now"):
        test.add(4, 0.0)


def test_an_own_model_is_a_function(monkeypatch):
    monkeypatch.setitem(MODELS, "stubborn", lambda sprt, n, score, squares: 0.0)
    sprt = Sprt(share_of_elo(0), share_of_elo(100), model="stubborn")
    assert judge(sprt, dict.fromkeys(range(100), 1.0)).decision is Decision.GO_ON
