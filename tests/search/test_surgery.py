"""A search that goes along with the game: the tree is kept, and begins anew where play left it."""

import numpy as np
import pytest

import manyminds as mm
from manyminds.core.errors import UsageError
from manyminds.games.contract import CHANCE
from manyminds.games.registry import make_game
from manyminds.search.search import Search

from .row import GAME

HILLS = make_game("three_hills")


def shape(search, node=0, root=True):
    """A subtree as nested tuples: all that nodes know but where they stand."""
    row = search.tree.nodes[node]
    own = (int(row.visits), row.sums.tolist(), int(row.seat))
    rave = search.tree.rave[node].tolist() if len(search.tree.rave) > 1 and not root else None
    first, count = int(row.first), int(row["count"])
    edge = None if root else (int(row.move), int(row.length))
    return own, rave, edge, [shape(search, first + k, False) for k in range(count)]


def child(search, move):
    first, count = int(search.tree.nodes[0].first), int(search.tree.nodes[0]["count"])
    return next(k for k in range(first, first + count) if search.tree.nodes[k].move == move)


@pytest.mark.parametrize("rule", [mm.uct(), mm.rave()], ids=["uct", "rave"])
def test_the_tree_below_the_move_is_kept_and_nothing_else(rule):
    search = Search(HILLS, selection=rule, seed=1, social=True)
    search.run(2000)
    move = search.root()[1].move
    below = shape(search, child(search, move))
    assert search.advance(move) is True
    assert shape(search)[0] == below[0]
    assert shape(search)[3] == below[3]
    assert search.simulations == below[0][0]
    state = HILLS.start()
    HILLS.play(state, move)
    assert search.desk.root.tobytes() == state.tobytes()
    assert sorted(search.moves().tolist()) == sorted(HILLS.moves(state).tolist())
    search.run(500)
    assert search.simulations == below[0][0] + 500


def test_a_whole_game_is_followed_and_its_end_is_the_same_as_a_fresh_searchs():
    search, state = Search(HILLS, seed=1), HILLS.start()
    while not HILLS.over(state):
        search.run(3000)
        move = search.best()
        assert move in HILLS.moves(state)
        assert search.advance((move,) if HILLS.seat(state) else move) is True
        HILLS.play(state, move)
        assert search.desk.root.tobytes() == state.tobytes()
    search.run(5)
    assert search.values() == pytest.approx(HILLS.rewards(state).tolist(), abs=1e-8)


def test_a_root_may_lie_inside_an_edge():
    """After move 3 the next seat has one move only: the root waits there, and goes on."""
    search = Search(GAME, selection=mm.uct(c=2), seed=1)
    search.run(1000)
    kept = int(search.tree.nodes[child(search, 3)].visits)
    assert search.advance(3) is True
    forced = search.moves().tolist()
    assert len(forced) == 1
    assert search.tree.nodes[0].length == 1
    (row,) = search.root()
    assert (row.move, row.visits) == (forced[0], kept)
    assert search.best() == search.line()[0] == forced[0]
    search.run(100)
    assert search.simulations == kept + 100
    assert search.advance(forced[0]) is True
    assert search.simulations == kept + 100
    assert len(search.root()) == len(search.moves()) > 1


def test_play_that_leaves_an_edge_begins_anew():
    search = Search(GAME, selection=mm.uct(c=2), seed=1)
    search.run(1000)
    search.advance(3)
    other = next(move for move in range(6) if move not in (3, int(search.moves()[0])))
    assert search.advance(other) is False
    assert search.simulations == 0


def test_advance_says_when_play_left_the_tree():
    """A tree of few moves: what the rules allow and the tree does not have is played all the same."""
    go = mm.go(size=5, colours=3)  # trees pass at the end only
    search = Search(go, seed=1)
    search.run(200)
    state = go.start()
    passing = go.move_named("pass", state)
    assert passing in go.moves(state)
    assert passing not in search.moves()
    assert search.advance(passing) is False
    go.play(state, passing)
    assert go.seat(search.desk.root) == 1
    assert search.nodes == 1
    search.run(50)
    assert search.best() in go.moves(state)


def test_a_search_that_has_not_begun_is_no_tree_to_leave():
    search = Search(HILLS, seed=1)
    assert search.advance(0) is True
    assert search.simulations == 0
    search.run(10)
    assert search.simulations == 10


def test_several_seats_move_at_once():
    hunt = make_game("hunt", width=3, height=2, turns=4)
    for jointly in (False, True):
        search, state = Search(hunt, seed=1, jointly=jointly), hunt.start()
        rng = np.random.default_rng(4)
        while not hunt.over(state):
            search.run(1500)
            joint = [-1] * 3
            for seat in hunt.movers(state):
                joint[seat] = int(rng.choice(hunt.moves(state, seat)))
            kept = search.advance(joint)  # a joint move that was hardly searched leaves the tree
            assert kept or state.turn > 0
            hunt.play(state, joint)
            assert search.desk.root.position.tobytes() == state.tobytes()
        search.run(3)
        assert search.values() == pytest.approx(hunt.rewards(state).tolist(), abs=1e-8)
    with pytest.raises(UsageError, match="one seat moves at a time, not 2"):
        Search(HILLS).advance((1, 2, -1))


def test_nature_is_met_where_it_led():
    pig, rng = make_game("pig", target=8, rounds=2), np.random.default_rng(1)
    search, state, kept = Search(pig, selection=mm.uct(), seed=1), pig.start(), 0
    while not pig.over(state):
        search.run(400)
        move = search.best() if pig.seat(state) != CHANCE else int(rng.choice(pig.moves(state)))
        assert search.advance(move) is True
        pig.play(state, move)
        while not pig.over(state) and pig.seat(state) == CHANCE:
            pig.play(state, int(rng.choice(pig.moves(state))))
        assert search.meet(state) is True
        kept += search.simulations
        assert search.desk.root.tobytes() == state.tobytes()
    assert kept > 0
    elsewhere = pig.start()
    pig.play(elsewhere, 0)
    assert search.meet(elsewhere) is False  # nature leads nobody back
    assert search.simulations == 0
    assert search.desk.root.tobytes() == elsewhere.tobytes()


def test_a_long_game_of_go_fits_in_little_memory():
    go = mm.go(size=5)
    search, state = Search(go, selection=mm.rave(), seed=2, memory_mb=0.05), go.start()
    for _ in range(60):
        if go.over(state):
            break
        search.run(300)
        move = search.best()
        search.advance(move)
        go.play(state, move)
        assert search.memory_bytes <= 0.05 * 2**20
    assert search.desk.root.tobytes() == state.tobytes()
