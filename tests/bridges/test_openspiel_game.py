"""OpenSpiel's games as ours: against its own algorithms, our own games, and known values."""

import math
import sys

import numpy as np
import pyspiel
import pytest

from manyminds.arena.match import play, replay
from manyminds.bridges.openspiel.game import openspiel
from manyminds.bridges.openspiel.positions import Positions
from manyminds.core.errors import MissingExtra, UsageError
from manyminds.core.random import generator
from manyminds.games.check import check_game
from manyminds.games.contract import CHANCE
from manyminds.games.registry import make_game
from manyminds.search.exact import max_n
from manyminds.search.search import Search
from manyminds.search.selection import rave, uct

TIC_TAC_TOE = "tic_tac_toe"


def after(game, *moves):
    """The position behind these moves."""
    state = game.start()
    for move in moves:
        game.play(state, move)
    return state


# ---- the contract --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("text", [TIC_TAC_TOE, "pig(winscore=15)", "nim(pile_sizes=3;4;5)"])
def test_the_compliance_tests_pass(text):
    assert check_game(openspiel(text), games=5).passed


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "text", [TIC_TAC_TOE, "pig", "go(board_size=5)", "chinese_checkers(players=3)", "2048", "chess"]
)
def test_random_games_are_openspiels_own(text):
    """Seats, moves, ends and returns along one random game, against OpenSpiel's state."""
    game, theirs = openspiel(text), pyspiel.load_game(text).new_initial_state()
    chooser, state = np.random.default_rng(5), game.start()
    low, high = pyspiel.load_game(text).min_utility(), pyspiel.load_game(text).max_utility()
    for _ in range(60):
        assert game.over(state) == theirs.is_terminal()
        assert game.points(state).tolist() == theirs.returns()
        expected = (np.array(theirs.returns()) - low) / (high - low)
        assert game.rewards(state) == pytest.approx(np.clip(expected, 0, 1))
        assert game.show(state) == str(theirs)
        if theirs.is_terminal():
            break
        moves = game.moves(state).tolist()
        assert moves == theirs.legal_actions()
        assert game.seat(state) == (CHANCE if theirs.is_chance_node() else theirs.current_player())
        move = int(chooser.choice(moves))
        assert game.name(move, state) == theirs.action_to_string(theirs.current_player(), move)
        game.play(state, move)
        theirs.apply_action(move)


def test_every_game_that_fits_begins_and_is_played_on():
    """All of OpenSpiel's, a few moves each: what is declared has room for what comes."""
    tried = 0
    for kind in pyspiel.registered_games():
        try:
            game = openspiel(kind.short_name)
        except UsageError:
            continue
        tried += 1
        state, rng, chooser = game.start(), generator(1), np.random.default_rng(tried)
        for _ in range(6):
            if game.over(state):
                break
            moves = game.moves(state)
            assert 0 < len(moves) <= game.most_moves
            assert moves.max() < game.move_ids
            nature = game.seat(state) == CHANCE
            game.play(state, game.roll(state, rng) if nature else int(chooser.choice(moves)))
    assert tried > 35


@pytest.mark.interpreted
def test_nature_draws_with_openspiels_odds():
    game = openspiel("pig(diceoutcomes=4)")
    state, rng, drawn = after(game, 0), generator(3), np.zeros(4)
    for _ in range(2000):
        drawn[game.roll(state, rng)] += 1
    chi_square = float((((drawn - 500) ** 2) / 500).sum())
    assert chi_square < 21.1  # 3 degrees of freedom: once in 10,000


# ---- playouts ------------------------------------------------------------------------------------

X_WINS, DRAWN = 0.5849, 0.1270  # of all random games of tic-tac-toe, exactly to four digits
PLAYOUTS = 20_000


@pytest.mark.parametrize("how", ["unread", "read", "stepwise"])
def test_playouts_are_uniformly_random(how):
    """Each of the three ways: the mean reward of random tic-tac-toe, within 4 standard errors."""
    game = openspiel(TIC_TAC_TOE)
    from manyminds.games import calls

    trace, rng, total, lengths = game.trace.new(), generator(1), 0.0, 0
    trace.unread = how == "unread"
    n = PLAYOUTS if how != "stepwise" else PLAYOUTS // 4
    for _ in range(n):
        state = game.start()
        trace.n = trace.turns = 0
        trace.limit = 9 if how != "stepwise" else 8
        calls.playout(game.kernels, state, rng, trace, game.set_up())
        total += game.rewards(state)[0]
        lengths += trace.turns
    mean, error = total / n, 0.45 / math.sqrt(n)
    # With 8 moves at most, the games that need a ninth are unfinished and worth a draw: X wins
    # 81,792 of 362,880 orders with the ninth stone.
    exact = X_WINS + DRAWN / 2 - (0 if how != "stepwise" else 0.5 * 81_792 / 362_880)
    assert abs(mean - exact) < 4 * error
    assert 5 <= lengths / n <= 9


def test_what_rave_reads_are_the_same_games():
    """The playouts whose moves are noted are those that are not, and the notes are what was played."""
    game = openspiel("connect_four")
    from manyminds.games import calls

    for seed in range(20):
        ends = []
        for unread in (True, False):
            state, trace, rng = game.start(), game.trace.new(), generator(seed)
            trace.unread, trace.limit = unread, game.longest
            calls.playout(game.kernels, state, rng, trace, game.set_up())
            ends.append((game.rewards(state).tolist(), int(trace.turns)))
        assert ends[0] == ends[1]
        replayed = after(game, *trace.move[: trace.n].tolist())
        assert game.over(replayed)
        assert replayed.tobytes() == state.tobytes()
        assert trace.seat[: trace.n].tolist() == [k % 2 for k in range(trace.n)]


# ---- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [(0,), (0, 4), (0, 4, 8), (4, 1), (0, 1, 2)])
def test_exact_values_are_those_of_our_own_game(moves):
    """OpenSpiel numbers the nine squares as we do."""
    theirs, ours = openspiel(TIC_TAC_TOE), make_game("tic_tac_toe")
    one = max_n(theirs, after(theirs, *moves), total=1.0)
    two = max_n(ours, after(ours, *moves), total=1.0)
    assert one.values == two.values


@pytest.mark.parametrize("rule", [uct(0.5), rave(k=200)], ids=["uct", "rave"])
def test_the_search_comes_to_the_values_of_our_own_game(rule):
    theirs, ours = openspiel(TIC_TAC_TOE), make_game("tic_tac_toe")
    position = (0, 1)  # the corner, and an edge beside it: the first player wins
    values = []
    for game in (theirs, ours):
        search = Search(game, after(game, *position), rule, seed=3)
        search.run(simulations=6000)
        values.append(search.values()[0])
    assert values[0] > 0.9
    assert values == pytest.approx([values[1]] * 2, abs=0.05)


CONNECT_FOUR = {
    "wins at once": ((3, 0, 3, 0, 3, 1), {3}),
    "stops a loss": ((0, 3, 1, 3, 6, 3), {3}),
    "makes two threats": ((3, 3, 2, 2), {1, 4}),
}


@pytest.mark.parametrize("name", CONNECT_FOUR)
@pytest.mark.parametrize("rule", [uct(0.7), rave()], ids=["uct", "rave"])
def test_tactics_of_connect_four(name, rule):
    moves, good = CONNECT_FOUR[name]
    game = openspiel("connect_four")
    search = Search(game, after(game, *moves), rule, seed=1)
    search.run(simulations=4000)
    assert search.best() in good


def expectimax(state, known):
    """The first player's return by plain recursion over OpenSpiel's states."""
    key = str(state), state.current_player(), state.move_number()
    if key not in known:
        if state.is_terminal():
            known[key] = state.player_return(0)
        elif state.is_chance_node():
            known[key] = sum(
                p * expectimax(state.child(a), known) for a, p in state.chance_outcomes()
            )
        else:
            best = max if state.current_player() == 0 else min
            known[key] = best(expectimax(state.child(a), known) for a in state.legal_actions())
    return known[key]


def test_a_game_of_dice_has_the_value_that_plain_recursion_finds():
    text = "pig(diceoutcomes=3,horizon=8,winscore=5)"
    solved = expectimax(pyspiel.load_game(text).new_initial_state(), {})
    game = openspiel(text)
    search = Search(game, game.start(), uct(0.7), seed=1)
    search.run(simulations=20_000)
    assert search.values()[0] == pytest.approx((solved + 1) / 2, abs=0.03)


def test_the_same_seed_gives_the_same_tree():
    game = openspiel("chinese_checkers(players=3)")
    trees = []
    for _ in range(2):
        search = Search(game, game.start(), uct(), seed=7, playout_limit=20)
        search.run(simulations=60)
        trees.append([(row.move, row.visits, row.values) for row in search.root()])
    assert trees[0] == trees[1]


def test_three_seats_get_three_values_and_may_be_weighted():
    """Paranoid weights: the others' choices are made against seat 0."""
    game = openspiel("chinese_checkers(players=3)")
    weights = [[1, 0, 0], [-1, 0, 0], [-1, 0, 0]]
    search = Search(game, game.start(), uct(), seed=1, weights=weights, playout_limit=10)
    search.run(simulations=50)
    assert len(search.values()) == 3


# ---- in our world ----------------------------------------------------------------------------------


def test_matches_between_our_players_replay():
    game = make_game("openspiel", game="pig(winscore=12)")
    match = play(game, ["uct@60", "random"], seed=4)
    assert match.arguments == {"game": str(pyspiel.load_game("pig(winscore=12)"))}
    *_, last = replay(make_game(match.game, **match.arguments), match)
    assert game.over(last)
    assert game.rewards(last).tolist() == list(match.rewards)


def test_positions_are_right_whatever_is_forgotten():
    """With room for three states, in any order, each is what its moves lead to."""
    theirs = pyspiel.load_game("connect_four")
    positions, chooser = Positions(theirs, most=3), np.random.default_rng(2)
    histories = [b""]
    for _ in range(300):
        history = histories[chooser.integers(len(histories))]
        state = positions.keep(history) if chooser.random() < 0.5 else positions.at(history)
        assert state.history() == np.frombuffer(history, np.uint32).tolist()
        assert len(positions.kept) <= 3
        if not state.is_terminal():
            move = int(chooser.choice(state.legal_actions()))
            histories.append(history + np.uint32(move).tobytes())
    mine = positions.fresh(histories[-1])
    mine.apply_action(mine.legal_actions()[0])
    assert positions.at(histories[-1]).history() == np.frombuffer(histories[-1], "I").tolist()


# ---- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("kuhn_poker", "hides something.*ISMCTS"),
        ("goofspiel", "simultaneous moves.*movers"),
        ("conect_four", 'no game "conect_four"; did you mean "connect_four"'),
        ("go(size=9)", "does not load"),
        ("mfg_crowd_modelling", "mean field"),
        ("stones_and_gems", "without saying the odds"),
    ],
)
def test_games_that_do_not_fit_are_refused_with_what_does(text, why):
    with pytest.raises(UsageError, match=why):
        openspiel(text)


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r'pip install "manyminds\[bridges\]"'):
        openspiel(TIC_TAC_TOE)


def test_returns_are_scaled_as_told():
    game = openspiel("2048", utilities=(0, 100), longest=50)
    assert game.rewards(game.start()).tolist() == [0.0]
    with pytest.raises(UsageError, match="utilities"):
        openspiel("2048", utilities=(5, 5))
    assert game.longest == 50
