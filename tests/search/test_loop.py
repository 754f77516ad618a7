"""The loop against a slow search in plain Python: the same random numbers have to grow the same tree."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import manyminds as mm
from manyminds.core.kernel import interpreted
from manyminds.core.random import RNG
from manyminds.games.registry import make_game
from manyminds.search import calls
from manyminds.search.search import Search

from .row import GAME, KNOWING, THINNED, plain_prior, plain_tree_moves
from .slow import Slow, differences

pytestmark = pytest.mark.interpreted

GAMES = {
    "tic_tac_toe": make_game("tic_tac_toe"),
    "nim": make_game("nim", heaps=[1, 1, 2]),  # its ends are forced: edges of several moves
    "three_hills": make_game("three_hills"),
    "pig": make_game("pig", target=6, rounds=2),
    "hunt": make_game("hunt", width=3, height=2, turns=4),
    "goofspiel": make_game("goofspiel", cards=3, seats=3),
}
SIMULATIONS = 150


# ---- the rules of selection once more, as the papers print them -----------------------------------


def plain_uct(c):
    return lambda mean, visits, square, rave, rave_visits, log_ratio: (
        mean + c * math.sqrt(log_ratio)
    )


def plain_tuned(mean, visits, square, rave, rave_visits, log_ratio):
    """Marcolino and Matsubara's equation 1."""
    v = max(square - mean**2, 0) + math.sqrt(2 * log_ratio)
    return mean + math.sqrt(log_ratio * min(1 / 4, v))


def plain_rave(c, k):
    """Cazenave's section 2.2."""

    def value(mean, visits, square, rave, rave_visits, log_ratio):
        uct = mean + c * math.sqrt(log_ratio)
        beta = math.sqrt(k / (3 * visits + k)) if rave_visits else 0
        return beta * rave + (1 - beta) * uct

    return value


def plain_least_squares(c, a, b):
    def value(mean, visits, square, rave, rave_visits, log_ratio):
        uct = mean + c * math.sqrt(log_ratio)
        if not rave_visits:
            return uct
        weight = rave_visits / (visits * (1 / a + rave_visits / b) + rave_visits)
        return weight * rave + (1 - weight) * uct

    return value


RULES = {
    "uct": (mm.uct(c=0.4), plain_uct(0.4)),
    "ucb1": (mm.ucb1(), plain_uct(math.sqrt(2))),
    "tuned": (mm.ucb1_tuned(), plain_tuned),
    "rave": (mm.rave(k=30, c=0.3), plain_rave(0.3, 30)),
    "ref": (mm.rave(k=30, c=0.3, ref=12), plain_rave(0.3, 30)),
    "mse": (mm.rave(weighting="mse", c=0.3, a=2, b=50), plain_least_squares(0.3, 2, 50)),
}


def pair(game, rule, seed=1, **choices):
    fast, slow = RULES[rule]
    search = Search(game, selection=fast, seed=seed, **choices)
    return search, Slow(game, search.desk.rng.word, slow, **told(fast), **choices)


def told(rule):
    """What of a rule is not in its formula."""
    return {"rave": rule.rave, "ref": rule.constants.get("ref", 0)}


def amaf_of(search):
    """{(seat, move): (visits, total)} of all that were made."""
    table = search.tree.amaf
    made = zip(*np.nonzero(table["visits"]), strict=True)
    return {(seat, move): table[move, seat].tolist() for move, seat in made}


def assert_equal(search, slow):
    rule = search.selection
    assert differences(slow.root, search.tree, rule.rave, rule.squares) == []
    assert amaf_of(search) == (slow.amaf if slow.ref else {})
    assert int(search.desk.rng.word) == slow.dice.word


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_slow_search_grows_the_same_tree(game, rule):
    search, slow = pair(game, rule)
    search.run(SIMULATIONS)
    slow.run(SIMULATIONS)
    assert_equal(search, slow)


CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "expand_after": st.integers(0, 6),
        "select_after": st.integers(0, 12),
        "playouts": st.integers(1, 3),
        "playout_limit": st.integers(1, 4),
        "first_play_urgency": st.sampled_from([0.0, 0.3, 0.61, 1.1]),
        "optimistic": st.booleans(),
    },
)


@settings(max_examples=60)
@given(
    name=st.sampled_from(sorted(GAMES)),
    rule=st.sampled_from(sorted(RULES)),
    choices=CHOICES,
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_every_choice_is_the_slow_searchs(name, rule, choices, seed, data):
    game = GAMES[name]
    if game.simultaneous and rule in ("uct", "ucb1", "tuned"):
        choices["jointly"] = data.draw(st.booleans(), "jointly")
    row = st.lists(
        st.sampled_from([-1.0, 0.0, 0.375, 1.0]), min_size=game.seats, max_size=game.seats
    )
    if data.draw(st.booleans(), "weighted"):
        choices["weights"] = [data.draw(row, f"weights of {seat}") for seat in range(game.seats)]
    search, slow = pair(game, rule, seed, **choices)
    search.run(60)
    slow.run(60)
    assert_equal(search, slow)


# ---- what games may add ---------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_priors_count_as_visits_of_the_movers(rule):
    fast, slow = RULES[rule]
    search = Search(KNOWING, selection=fast, seed=3)
    plain = Slow(KNOWING, search.desk.rng.word, slow, **told(fast), prior=plain_prior)
    search.run(SIMULATIONS)
    plain.run(SIMULATIONS)
    assert any(child.visits > 0 for child in plain.root.children)
    assert_equal(search, plain)


@pytest.mark.parametrize("select_after", [0, 10])
@pytest.mark.parametrize("rule", ["uct", "rave"])
def test_a_tree_may_have_fewer_moves_than_the_rules_allow(rule, select_after):
    """Below T_s a step that the tree does not have becomes any other."""
    fast, slow = RULES[rule]
    search = Search(THINNED, selection=fast, seed=3, select_after=select_after)
    plain = Slow(
        THINNED,
        search.desk.rng.word,
        slow,
        **told(fast),
        select_after=select_after,
        tree_moves=plain_tree_moves,
    )
    search.run(SIMULATIONS)
    plain.run(SIMULATIONS)
    assert len(plain.root.children) == 5
    assert_equal(search, plain)


def test_forced_moves_are_part_of_an_edge():
    search = Search(GAME, selection=mm.uct(c=2), seed=1)
    search.run(SIMULATIONS)
    nodes = search.tree.nodes[1 : search.nodes]
    after_3 = nodes[(nodes["move"] == 3) & (nodes["count"] > 0)]
    assert len(after_3) > 3
    assert (after_3["length"] >= 2).all()
    assert (nodes["count"] != 1).all()  # no node without a choice


# ---- Go: its own playouts and tree moves, for two to four colours ----------------------------------


def go_parts(game, fixed):
    def playout(state, dice):
        rng = RNG.new()
        rng.word = dice.word
        trace = game.playout(state, rng, fixed)
        dice.word = int(rng.word)
        return list(
            zip(trace.seat[: trace.n].tolist(), trace.move[: trace.n].tolist(), strict=True)
        )

    def tree_moves(state):
        out = np.zeros(game.most_moves + 1, np.uint32)
        return out[: calls.tree_moves(game.kernels, state, out, fixed)].tolist()

    return {"playout": playout, "tree_moves": tree_moves}


@pytest.mark.parametrize(
    ("colours", "rule", "choices"),
    [
        (2, "rave", {}),
        (3, "ref", {}),
        (2, "tuned", {"reward": "points"}),
        (3, "rave", {"reward": "win"}),
        (4, "mse", {}),
    ],
)
def test_go_searched_slowly_grows_the_same_tree(colours, rule, choices):
    game = mm.go(size=5, colours=colours)
    fast, slow = RULES[rule]
    fixed = game.set_up(**choices)
    search = Search(game, selection=fast, seed=4, settings=fixed)
    parts = go_parts(game, fixed)
    plain = Slow(game, search.desk.rng.word, slow, **told(fast), settings=fixed, **parts)
    n = 25 if interpreted() else 600
    search.run(n)
    plain.run(n)
    assert_equal(search, plain)
