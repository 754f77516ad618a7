"""What a search finds: the known values of small games, and the obvious move on drawn boards."""

import numpy as np
import pytest

import manyminds as mm
from manyminds.games.contract import CHANCE
from manyminds.games.go.diagram import parse
from manyminds.games.go.setup import state_of
from manyminds.games.registry import make_game
from manyminds.search.exact import max_n, paranoid
from manyminds.search.search import Search

TREES = {"uct": mm.uct(c=0.5), "ucb1": mm.ucb1(), "tuned": mm.ucb1_tuned()}
RAVE = {"rave": mm.rave(k=200, c=0.3), "mse": mm.rave(weighting="mse", c=0.3, b=500)}
# RAVE trusts a move for what it is worth later on, which in Nim says nothing of its worth now.
KNOWN = [
    (make_game("tic_tac_toe"), (0.5, 0.5), TREES | RAVE),
    (make_game("connect_four", width=4, height=4), (0.5, 0.5), TREES | RAVE),
    (make_game("nim", heaps=[3, 4, 5]), (1, 0), TREES),
    (make_game("nim", heaps=[1, 2, 3]), (0, 1), TREES),
    (make_game("nim", heaps=[1, 2, 4], misere=True), (1, 0), {"uct": TREES["uct"]}),
]
PAIRS = [
    pytest.param(
        game,
        values,
        rule,
        id=f"{game.title}-{'-'.join(map(str, game.arguments.get('heaps', '')))}-{name}",
    )
    for game, values, rules in KNOWN
    for name, rule in rules.items()
]


def is_right(game, state, move):
    """Whether a move keeps the max^n value for its seat."""
    after = game.copy(state)
    game.play(after, move)
    seat = game.seat(state)
    return max_n(game, after, total=1.0).values[seat] == pytest.approx(
        max_n(game, state, total=1.0).values[seat]
    )


@pytest.mark.parametrize(("game", "values", "rule"), PAIRS)
def test_the_value_of_games_for_two_is_found(game, values, rule):
    assert max_n(game, game.start(), total=1.0).values == values
    search = Search(game, selection=rule, seed=1)
    search.run(800_000)
    assert search.root()[0].values == pytest.approx(values, abs=0.05)
    assert is_right(game, game.start(), search.best())


HILLS = make_game("three_hills", worths=(1, 2, 3))


def hills(n):
    """Positions of three hills after two moves, drawn at random."""
    rng = np.random.default_rng(7)
    for _ in range(n):
        state = HILLS.start()
        for _ in range(2):
            HILLS.play(state, int(rng.choice(HILLS.moves(state))))
        yield state


@pytest.mark.parametrize("rule", ["uct", "tuned"])
def test_three_seats_get_their_max_n_values(rule):
    """Each seat its own reward. What the others get may hang on a choice between nearly equal moves."""
    for state in hills(12):
        search = Search(HILLS, state, selection=TREES[rule], seed=3)
        search.run(300_000)
        mover, after = HILLS.seat(state), HILLS.copy(state)
        HILLS.play(after, search.best())
        exact = max_n(HILLS, state, total=1.0).values[mover]
        assert search.root()[0].values[mover] == pytest.approx(exact, abs=0.03)
        assert max_n(HILLS, after, total=1.0).values[mover] > exact - 0.03


@pytest.mark.parametrize("searcher", [0, 1, 2])
def test_minus_the_searchers_reward_for_all_others_is_paranoia(searcher):
    weights, differs = np.zeros((3, 3)), 0
    weights[:, searcher] = -1
    weights[searcher, searcher] = 1
    for state in hills(12):
        search = Search(HILLS, state, selection=mm.uct(c=0.5), weights=weights, seed=4)
        search.run(100_000)
        exact = paranoid(HILLS, state, searcher).value
        assert search.root()[0].values[searcher] == pytest.approx(exact, abs=0.02)
        differs += exact < max_n(HILLS, state, total=1.0).values[searcher] - 0.05
    assert differs > 2


def test_a_sum_of_weights_is_a_coalition():
    """Two seats that add their rewards: the exact value of a team, more than max^n gives the two."""
    weights, more = [[1, 1, 0], [1, 1, 0], [0, 0, 1]], 0
    for state in hills(12):
        search = Search(HILLS, state, selection=mm.uct(c=0.5), weights=weights, seed=4)
        search.run(100_000)
        together = sum(best_sum(HILLS, state, (0, 1), {})[:2])
        assert sum(search.root()[0].values[:2]) == pytest.approx(together, abs=0.02)
        more += together > sum(max_n(HILLS, state, total=1.0).values[:2]) + 0.05
    assert more > 2


def best_sum(game, state, allies, known):
    """Values when allies make their sum as large as they can, and all others their own reward."""
    key = state.tobytes()
    if key in known:
        return known[key]
    if game.over(state):
        return known.setdefault(key, game.rewards(state).tolist())
    seat, values = game.seat(state), []
    for move in game.moves(state):
        after = game.copy(state)
        game.play(after, int(move))
        values.append(best_sum(game, after, allies, known))
    group = allies if seat in allies else (seat,)
    return known.setdefault(key, max(values, key=lambda v: round(sum(v[k] for k in group), 9)))


@pytest.mark.parametrize(("optimistic", "searcher"), [(False, 0), (True, 0), (False, 1), (True, 1)])
@pytest.mark.parametrize("jointly", [False, True])
def test_a_hunt_split_by_teams_has_its_exact_value(optimistic, searcher, jointly):
    game = make_game("hunt", width=3, height=2, turns=4)
    exact = max_n(game, game.start(), searcher=2 * searcher, optimistic=optimistic, total=1.0)
    search = Search(
        game,
        selection=mm.uct(c=0.5),
        seed=1,
        team=searcher,
        optimistic=optimistic,
        jointly=jointly,
    )
    search.run(60_000)
    assert search.values() == pytest.approx(exact.values, abs=0.06)


@pytest.mark.parametrize("optimistic", [False, True])
def test_goofspiel_split_by_seats_has_its_exact_value(optimistic):
    game = make_game("goofspiel", cards=4, order="ascending")
    exact = max_n(game, game.start(), optimistic=optimistic, total=1.0)
    search = Search(game, selection=mm.uct(c=0.5), seed=1, optimistic=optimistic)
    search.run(300_000)
    assert search.values() == pytest.approx(exact.values, abs=0.05)


def test_chance_is_weighed_by_its_odds():
    game = make_game("pig", target=10, rounds=3)
    exact = max_n(game, game.start(), total=1.0)
    search = Search(game, selection=mm.uct(c=0.3), seed=2)
    search.run(300_000)
    assert search.values() == pytest.approx(exact.values, abs=0.03)


def test_rolling_or_holding_is_decided_as_exactly_as_it_matters():
    """In 40 positions of random games: where one move is worth 0.05 more, the search plays it."""
    game, rng = make_game("pig", target=10, rounds=3), np.random.default_rng(1)
    decided = 0
    while decided < 40:
        state = game.start()
        for _ in range(int(rng.integers(1, 12))):
            if not game.over(state):
                game.play(state, int(rng.choice(game.moves(state))))
        if game.over(state) or game.seat(state) == CHANCE or len(game.moves(state)) < 2:
            continue
        worth = {}
        for move in game.moves(state):
            after = game.copy(state)
            game.play(after, int(move))
            worth[int(move)] = max_n(game, after, total=1.0).values[game.seat(state)]
        if abs(worth[0] - worth[1]) < 0.05:
            continue
        search = Search(game, state, selection=mm.uct(c=0.3), seed=int(rng.integers(2**32)))
        search.run(20_000)
        assert search.best() == max(worth, key=worth.__getitem__), game.show(state)
        decided += 1


# ---- Go on drawn boards ---------------------------------------------------------------------------


def best_move(text, selection, simulations=4000, colours=2, seed=1, **settings):
    position = parse(text)
    game = mm.go(size=(position.width, position.height), colours=colours, komi=0.0)
    search = Search(
        game, state_of(game, position), selection=selection, seed=seed, settings=settings
    )
    search.run(simulations)
    return game.name(search.best()), search


BOTH = pytest.mark.parametrize("selection", [mm.uct(c=0.4), mm.rave()], ids=["uct", "rave"])
# RAVE takes a move without visits for what it is worth later on. Where the others are lost at once and
# the right one can only be made now, Cazenave's formula does not come to it in so few simulations.
PLAIN = pytest.mark.parametrize("selection", [mm.uct(c=0.4), mm.ucb1_tuned()], ids=["uct", "tuned"])
BY_POINTS = {"reward": "points"}


@BOTH
def test_captures_the_stones_in_atari(selection):
    move, search = best_move(
        """
          A B C D E
        5 . . . . .
        4 . X X X .
        3 X O O O .
        2 O X X X O
        1 O O . O .
        """,
        selection,
        **BY_POINTS,
    )
    assert move == "E3", mm.show_tree(search, depth=1)


@PLAIN
@pytest.mark.parametrize("colour", ["black", "white"])
def test_makes_the_second_eye_or_takes_it(selection, colour):
    """Three points in a row on the edge: B1 makes two eyes of them, and White's B1 leaves one."""
    move, search = best_move(
        f"""
        to play: {colour}
          A B C D E
        5 . O . O .
        4 O O O O O
        3 O O O O O
        2 X X X X O
        1 . . . X O
        """,
        selection,
        **BY_POINTS,
    )
    assert move == "B1", mm.show_tree(search, depth=1)
    lives = colour == "black"
    assert (search.values()[0] > 0.25) is lives


@PLAIN
@pytest.mark.parametrize("colour", ["black", "white"])
def test_takes_the_win_in_one(selection, colour):
    """Who plays E4 takes the other's stones there, and has won."""
    move, search = best_move(
        f"""
        to play: {colour}
          A B C D E
        5 O O O O O
        4 O O O O .
        3 X X X X X
        2 O O O O O
        1 . O . O .
        """,
        selection,
        reward="win",
    )
    assert move == "E4", mm.show_tree(search, depth=1)
    assert search.root()[0].values[colour == "white"] > 0.7


@BOTH
def test_the_third_colour_takes_what_two_others_fight_for(selection):
    """Black and White each have one liberty, and it is the same: Red to play takes both at once."""
    move, search = best_move(
        """
        colours: 3
        to play: red
          A B C D E
        5 X X O O O
        4 X X . O O
        3 R R R R R
        2 . R . R .
        1 R R R R R
        """,
        selection,
        colours=3,
        **BY_POINTS,
    )
    assert move == "C4", mm.show_tree(search, depth=1)
    assert search.root()[0].values[2] > 0.95
