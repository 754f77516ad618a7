"""Selection rules against the papers' equations, worked out in decimals and by hand."""

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import manyminds as mm
from manyminds.core.errors import UsageError
from manyminds.core.kernel import entry
from manyminds.games.registry import make_game
from manyminds.search.search import Search
from manyminds.search.selection import selection, standard_value

pytestmark = pytest.mark.interpreted
getcontext().prec = 40


@entry
def value_of(mean, visits, square, rave_mean, rave_visits, log_ratio, p):
    return standard_value(mean, visits, square, rave_mean, rave_visits, log_ratio, p)


def fast(rule, mean, parent, visits, square=0.0, rave=0.0, rave_visits=0.0):
    log_ratio = math.log(parent) / visits
    return value_of(mean, float(visits), square, rave, rave_visits, log_ratio, rule.parameters())


# ---- by hand --------------------------------------------------------------------------------------


def test_uct_by_hand():
    """log 100 / 25 = 0.184206807, whose root is 0.429193."""
    assert fast(mm.uct(c=0.5), 0.6, 100, 25) == pytest.approx(0.6 + 0.5 * 0.4291932, abs=1e-7)
    assert fast(mm.uct(c=0.0), 0.6, 100, 25) == 0.6


def test_ucb1_by_hand():
    """Auer's bonus: sqrt(2 log n / n_i); 2 log 100 / 25 = 0.368413615."""
    assert fast(mm.ucb1(), 0.6, 100, 25) == pytest.approx(0.6 + 0.6069708, abs=1e-7)


def test_ucb1_tuned_by_hand():
    """10 visits of 40: rewards 0.5 seven times and 0.6 three; log 40 / 10 = 0.36888795.

    V = 0.283 - 0.53**2 + sqrt(0.7377759) = 0.8610390, so that the bonus has 1/4 in it.
    """
    assert fast(mm.ucb1_tuned(), 0.53, 40, 10, 0.283) == pytest.approx(
        0.53 + math.sqrt(0.36888795 / 4), abs=1e-7
    )


def test_ucb1_tuned_trusts_rewards_that_hardly_differ():
    """100,000 visits of 200,000, all of one reward: V = sqrt(2 log(200000) / 100000) = 0.0156246."""
    log_ratio = 12.206072645530174 / 100_000
    assert fast(mm.ucb1_tuned(), 0.5, 200_000, 100_000, 0.25) == pytest.approx(
        0.5 + math.sqrt(log_ratio * 0.015624386), abs=1e-9
    )


@pytest.mark.parametrize(("visits", "beta"), [(0, 1.0), (1000, 0.5), (5000, 0.25), (33_000, 0.1)])
def test_cazenaves_beta_by_hand(visits, beta):
    """sqrt(k / (3 games + k)) with k = 1,000 is 1/2 at 1,000 games, 1/4 at 5,000, 1/10 at 33,000."""
    rule = mm.rave(c=0)
    found = fast(rule, 0.2, 10**6, max(visits, 1e-300), rave=1.0, rave_visits=7)
    assert found == pytest.approx(beta * 1.0 + (1 - beta) * 0.2)
    assert rule.constants["k"] == 1000


def test_minimum_mse_weighting_by_hand():
    """R / (n + n R / b + R) with a first weight of 1: 50 RAVE visits, 10 visits, b = 100 give 50 / 65."""
    rule = mm.rave(weighting="mse", c=0, a=1, b=100)
    assert fast(rule, 0.2, 500, 10, rave=0.8, rave_visits=50) == pytest.approx(
        0.8 * 50 / 65 + 0.2 * 15 / 65
    )


def test_all_rave_visits_together_count_for_no_more_than_b():
    rule = mm.rave(weighting="mse", c=0, a=1, b=100)
    for n in (1, 100, 10_000):
        weight = fast(rule, 0.0, 10**9, n, rave=1.0, rave_visits=10**12)
        assert weight == pytest.approx(100 / (100 + n), rel=1e-6)


# ---- in forty decimals ----------------------------------------------------------------------------

COUNTS = st.integers(1, 10**7)
SHARES = st.integers(0, 1000).map(lambda k: k / 1000)


@given(mean=SHARES, spread=SHARES, visits=COUNTS, more=COUNTS, c=SHARES)
def test_uct_and_tuned_in_decimals(mean, spread, visits, more, c):
    parent = visits + more
    square = mean * mean + spread * mean * (
        1 - mean
    )  # no rewards in [0, 1] have a greater variance
    log_ratio = Decimal(parent).ln() / visits
    uct = Decimal(mean) + Decimal(c) * log_ratio.sqrt()
    v = Decimal(square) - Decimal(mean) ** 2 + (2 * log_ratio).sqrt()
    tuned = Decimal(mean) + (log_ratio * min(Decimal("0.25"), v)).sqrt()
    assert fast(mm.uct(c), mean, parent, visits) == pytest.approx(float(uct), abs=1e-12)
    assert fast(mm.ucb1_tuned(), mean, parent, visits, square) == pytest.approx(
        float(tuned), abs=1e-9
    )


@given(mean=SHARES, rave=SHARES, visits=COUNTS, raves=COUNTS, k=COUNTS, b=COUNTS)
def test_both_weightings_of_rave_in_decimals(mean, rave, visits, raves, k, b):
    n, seen = Decimal(visits), Decimal(raves)
    beta = (Decimal(k) / (3 * n + k)).sqrt()
    found = fast(mm.rave(k=k, c=0), mean, 10**9, visits, rave=rave, rave_visits=raves)
    assert found == pytest.approx(float(beta * Decimal(rave) + (1 - beta) * Decimal(mean)))
    weight = seen / (n * (Decimal(1) / 3 + seen / b) + seen)
    rule = mm.rave(weighting="mse", c=0, a=3, b=b)
    found = fast(rule, mean, 10**9, visits, rave=rave, rave_visits=raves)
    assert found == pytest.approx(float(weight * Decimal(rave) + (1 - weight) * Decimal(mean)))
    assert 0 <= weight <= 1


@given(mean=SHARES, visits=COUNTS, more=COUNTS)
def test_a_move_that_no_playout_made_later_has_no_rave(mean, visits, more):
    uct = fast(mm.uct(c=0.3), mean, visits + more, visits)
    for weighting in ("cazenave", "mse"):
        assert fast(mm.rave(c=0.3, weighting=weighting), mean, visits + more, visits) == uct


# ---- from a search's own numbers ------------------------------------------------------------------


def test_squares_in_a_tree_are_those_of_the_rewards():
    """Pig's rewards are 0, 1/2 and 1; each draw adds 1/2 to the sum and 1/4 to the sum of squares."""
    search = Search(make_game("pig", target=6, rounds=2), selection=mm.ucb1_tuned(), seed=2)
    search.run(400)
    nodes, looked, drawn = search.tree.nodes, 0, 0
    for node in nodes[: search.nodes]:
        for child in range(int(node.first), int(node.first) + int(node["count"])):
            if node.seat < 0:
                continue  # nature maximises nothing
            mean = int(nodes[child].sums[int(node.seat)]) / 2**30
            draws = 4 * (mean - int(search.tree.squares[child]) / 2**30)
            assert draws == round(draws)
            assert 0 <= draws <= nodes[child].visits
            looked, drawn = looked + 1, drawn + draws
    assert looked > 20
    assert drawn > 0


# ---- one's own ------------------------------------------------------------------------------------


@mm.kernel
def least_visited(mean, visits, square, rave_mean, rave_visits, log_ratio, p):
    return p.own[0] - p.own[1] * visits


@mm.kernel
def everything(mean, visits, square, rave_mean, rave_visits, log_ratio, p):
    """Larger than any other child's only if what a rule is told is what it says."""
    good = visits > 0 and 0 <= mean <= 1 and mean * mean <= square + 1e-6 and square <= mean + 1e-6
    good = good and rave_visits >= visits and 0 <= rave_mean <= 1 and log_ratio >= 0
    return log_ratio if good else -1e9 - mean


def test_a_rule_of_ones_own_is_what_the_tree_grows_by():
    nim = make_game("nim", heaps=[3, 4, 5])
    search = Search(nim, selection=selection(least_visited, 1.0, 2.0), seed=1)
    search.run(1200)
    assert [row.visits for row in search.root()] == [100] * 12
    most = Search(nim, selection=selection(least_visited, 0.0, -1.0), seed=1)
    most.run(1200)
    assert sorted(row.visits for row in most.root()) == [1] * 11 + [1189]


def test_a_rule_may_ask_for_squares_and_rave():
    game = make_game("tic_tac_toe")
    search = Search(game, selection=selection(everything, rave=True, squares=True), seed=1)
    search.run(900)
    assert [row.visits for row in search.root()] == [100] * 9  # log N / n alone visits all alike
    without = Search(game, selection=selection(least_visited, 0.0, 1.0), seed=1)
    assert not without.parameters.uses_rave
    assert not without.parameters.uses_squares


def test_a_plain_function_is_compiled_as_a_rule():
    def greedy(mean, visits, square, rave_mean, rave_visits, log_ratio, p):
        return mean

    search = Search(make_game("nim", heaps=[2, 1]), selection=selection(greedy, title="greedy"))
    search.run(100)
    assert search.selection.title == "greedy"
    assert sum(row.visits for row in search.root()) == 100


def test_constants_need_no_other_compilation():
    one, other = selection(least_visited, 1.0), selection(least_visited, 2.0)
    assert one.kernels._numba_type_ == other.kernels._numba_type_
    assert not np.array_equal(one.parameters().own, other.parameters().own)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: mm.uct(c=-0.1), "from 0 up"),
        (lambda: mm.uct(c=math.nan), "from 0 up"),
        (lambda: mm.rave(k=0), "RAVE's k is a number above 0"),
        (lambda: mm.rave(b=math.inf), "RAVE's b is a number above 0"),
        (lambda: mm.rave(ref=0.5), "RAVE's ref is a whole number of visits from 0 up"),
        (lambda: mm.rave(keep=1.5), "RAVE's keep is a part from 0 to 1"),
        (lambda: mm.rave(weighting="mean"), 'weighting is "cazenave" or "mse", not "mean"'),
        (lambda: selection(lambda mean, visits: mean), "is a function of mean, visits"),
        (lambda: selection(0.5), "is a function of mean, visits"),
        (lambda: selection(least_visited, *range(9)), "room for 8 constants, not 9"),
        (lambda: Search(make_game("nim"), selection="uct"), "such as mm.uct()"),
    ],
)
def test_what_is_no_rule_is_refused(make, said):
    with pytest.raises(UsageError) as refused:
        make()
    assert said in str(refused.value)
