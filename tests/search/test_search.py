"""A search as those who use it see it: budgets, questions, the same tree again, room that runs out."""

import math
import time

import numpy as np
import pytest

import manyminds as mm
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.registry import make_game
from manyminds.search.search import Search
from manyminds.search.tree import ONE, bytes_per_node

TTT, HILLS, NIM = make_game("tic_tac_toe"), make_game("three_hills"), make_game("nim")


def bits(search):
    """All that a search knows, as bytes."""
    used = search.nodes
    head = {name: int(search.tree.head[name]) for name in ("used", "simulations", "depth")}
    arrays = [array[: min(used, len(array))].tobytes() for array in search.tree[1:]]
    return head, arrays, search.tree.amaf.tobytes(), search.desk.rng.tobytes()


RULES = {"uct": mm.uct(), "tuned": mm.ucb1_tuned(), "rave": mm.rave(), "ref": mm.rave(ref=40)}


# ---- the same again -------------------------------------------------------------------------------


@pytest.mark.interpreted
@pytest.mark.parametrize("rule", RULES)
def test_the_same_seed_and_budget_give_the_same_tree_bit_for_bit(rule):
    one, other, third = (
        Search(HILLS, selection=RULES[rule], seed=seed, social=True) for seed in (5, 5, 6)
    )
    for search in (one, other, third):
        search.run(200)
    assert bits(one) == bits(other)
    assert bits(one) != bits(third)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("memory_mb", [1024.0, 0.02])
@pytest.mark.parametrize("playouts", [1, 3])
def test_a_budget_in_pieces_gives_the_same_tree(rule, memory_mb, playouts):
    """With a tree that has to be cut down on the way, too."""
    whole, parts = (
        Search(HILLS, selection=RULES[rule], seed=5, memory_mb=memory_mb, playouts=playouts)
        for _ in range(2)
    )
    whole.run(6000)
    for n in (1, 2, 700, 1023, 1025, 3, 2246, 1000):
        parts.run(n)
    assert bits(whole) == bits(parts)


@pytest.mark.parametrize("rule", RULES)
def test_a_copy_goes_on_as_its_original_would_and_leaves_it_alone(rule):
    search = Search(HILLS, selection=RULES[rule], seed=1)
    search.run(500)
    before, twin = bits(search), search.copy()
    twin.run(700)
    assert bits(search) == before
    search.run(700)
    assert bits(search) == bits(twin)


@pytest.mark.parametrize("keep", [0.0, 0.5, 1.0])
def test_what_the_root_knows_of_moves_goes_on_with_it_in_part(keep):
    """A tree that starts anew knows nothing; one that is cut down knows all."""
    search = Search(HILLS, selection=mm.rave(ref=40, keep=keep), seed=1)
    search.run(300)
    known = search.tree.amaf.copy()
    assert known["visits"].max() > 30
    search._prune()
    assert (search.tree.amaf == known).all()
    search.advance(search.best())
    for name in ("visits", "total"):
        assert (search.tree.amaf[name] == known[name] * np.float32(keep)).all()
    search.forget()
    assert not search.tree.amaf["visits"].any()


# ---- budgets --------------------------------------------------------------------------------------


def test_simulations_are_counted_and_several_playouts_count_each():
    search = Search(TTT, seed=1, playouts=3)
    assert search.run(100) == 100
    assert search.simulations == 300
    search.run(budget=Budget(simulations=50))
    assert search.simulations == 450


@pytest.mark.parametrize("nodes", [1, 100, 3000])
def test_a_budget_of_nodes_grows_the_tree_by_so_many(nodes):
    search = Search(NIM, seed=1)
    search.run(nodes=nodes)
    assert nodes <= search.nodes - 1 <= nodes + search.kernels.most_moves


def test_a_budget_of_nodes_ends_where_the_whole_tree_is_there():
    nim = make_game("nim", heaps=[1, 2])
    search = Search(nim, seed=1)
    search.run(nodes=500)
    assert search.nodes < 20


def test_a_budget_in_milliseconds_is_kept():
    search = Search(mm.go(size=9), seed=1)
    search.run(10)  # compiled before the clock runs
    spent = []
    for _ in range(5):
        start = time.perf_counter()
        assert search.run(milliseconds=60) > 0
        spent.append(time.perf_counter() - start)
    assert min(spent) >= 0.06
    assert min(spent) < 0.09  # once at least nobody else needed the processor


@pytest.mark.parametrize("given", [{}, {"simulations": 5, "nodes": 5}, {"simulations": 0}])
def test_a_budget_is_said_in_one_way(given):
    with pytest.raises(UsageError):
        Search(TTT).run(**given)


# ---- questions ------------------------------------------------------------------------------------


@pytest.mark.interpreted
def test_rows_are_the_roots_children_the_most_visited_first():
    search = Search(HILLS, seed=1)
    search.run(200)
    rows = search.root()
    assert sorted(row.move for row in rows) == sorted(HILLS.moves(HILLS.start()).tolist())
    assert [row.visits for row in rows] == sorted((row.visits for row in rows), reverse=True)
    assert search.best() == rows[0].move
    assert sum(row.visits for row in rows) == search.simulations == 200
    mean = sum(np.array(row.values) * row.visits for row in rows) / 200
    assert search.values() == pytest.approx(mean.tolist())
    assert sum(search.values()) == pytest.approx(1)
    assert rows[0].name == HILLS.name(rows[0].move)


def test_the_line_is_a_game_that_can_be_played_and_begins_with_the_best_move():
    search = Search(NIM, selection=mm.uct(c=0.5), seed=1)
    search.run(50_000)
    line, state = search.line(), NIM.start()
    assert line[0] == search.best()
    for move in line:
        assert move in NIM.moves(state)
        NIM.play(state, move)
    assert NIM.over(state)  # with so many visits the most visited path is a whole game
    assert search.line(most=2) == line[:2]
    other = search.root()[1].move
    assert search.line(first=other)[0] == other


def test_questions_before_the_first_simulation_and_after_the_end():
    search = Search(TTT, seed=1)
    with pytest.raises(UsageError, match="run at least one simulation"):
        search.best()
    state = TTT.start()
    for move in (0, 3, 1, 4, 2):
        TTT.play(state, move)
    ended = Search(TTT, state, seed=1)
    ended.run(10)
    assert ended.values() == (1.0, 0.0)
    assert ended.nodes == 1
    with pytest.raises(UsageError, match="the game is over"):
        ended.best()


def test_after_one_simulation_there_is_a_move():
    search = Search(mm.go(size=5), seed=1, expand_after=50)
    search.run(1)
    assert search.best() in search.moves()


# ---- thresholds -----------------------------------------------------------------------------------


def test_a_leaf_gets_children_with_so_many_visits():
    search = Search(HILLS, seed=1, expand_after=20)
    search.run(3000)
    nodes = search.tree.nodes[1 : search.nodes]
    opened = nodes["count"] > 0
    assert opened.any()
    assert nodes["visits"][opened].min() > 20
    assert nodes["visits"][~opened & (nodes["length"] == 1)].max() > 10
    fewer = Search(HILLS, seed=1, expand_after=200)
    fewer.run(3000)
    assert fewer.nodes < search.nodes


def test_below_t_s_moves_come_as_often_as_the_playout_makes_them():
    """Uniform steps: visits of tic-tac-toe's nine moves are multinomial."""
    search = Search(TTT, seed=3, select_after=10**6)
    search.run(9000)
    visits = np.array([row.visits for row in search.root()])
    statistic = ((visits - 1000) ** 2 / 1000).sum()  # chi squared with 8 degrees of freedom
    assert 0.86 < statistic < 26.1  # each side is passed once in a thousand
    even = Search(TTT, seed=3, selection=mm.uct(c=1e6))
    even.run(9000)
    assert {row.visits for row in even.root()} <= {999, 1000, 1001}


def test_first_play_urgency_holds_moves_back():
    """Seat 0 wins with every first move: urgency 0.5 never tries a second one, 1.5 tries all."""
    nim = make_game("nim", heaps=[2, 2, 1], misere=True)
    timid, keen = (
        Search(nim, selection=mm.uct(c=0.0), seed=1, first_play_urgency=u) for u in (-1.0, 1.5)
    )
    for search in (timid, keen):
        search.run(100)
    assert sum(row.visits > 0 for row in timid.root()) == 1
    assert all(row.visits > 0 for row in keen.root())


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_playout_is_cut_at_its_limit(turns):
    """The rewards are those of an unfinished position: three hills' rewards after so many moves."""
    search = Search(HILLS, seed=1, playout_limit=turns, expand_after=10**6, results=50)
    search.run(50)
    seen = set()
    for result in search.results():
        seen.add(tuple(result["sums"].tolist()))
    after = {HILLS.start().tobytes()}
    for _ in range(turns + 1):  # the tree's first move and the playout's
        nexts = set()
        for data in after:
            for move in HILLS.moves(HILLS.unpack(data)):
                state = HILLS.unpack(data)
                HILLS.play(state, int(move))
                nexts.add(state.tobytes())
        after = nexts
    possible = {
        tuple(int(reward * ONE + 0.5) for reward in HILLS.rewards(HILLS.unpack(data)))
        for data in after
    }
    assert seen <= possible


# ---- memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_memory_that_runs_out_ends_in_a_smaller_tree(rule):
    search = Search(NIM, selection=RULES[rule], seed=1, memory_mb=0.02)
    room, before, after = search._capacity, [], []
    for _ in range(20):
        search.run(1000)
        before.append(search.nodes)
        search.run(24)  # to where the search looks whether it is full
        after.append(search.nodes)
        assert search.memory_bytes <= 0.02 * 2**20
    assert max(before) > room // 2  # it is full, is cut down, and grows again
    assert sum(a < b for a, b in zip(after, before, strict=True)) > 3
    assert all(a <= room // 2 for a, b in zip(after, before, strict=True) if a < b)
    assert search.simulations == 20 * 1024
    rows = search.root()
    assert sum(row.visits for row in rows) == search.simulations
    assert len(rows) == len(NIM.moves(NIM.start()))


def test_what_is_left_of_a_cut_down_tree_is_what_it_was():
    search = Search(NIM, seed=1)
    search.run(20_000)
    twin = search.copy()
    search._capacity = search.nodes  # full from now on
    search._prune()
    assert search.nodes <= twin.nodes // 2
    waiting = [(0, 0)]
    for old, new in waiting:
        a, b = twin.tree.nodes[old], search.tree.nodes[new]
        assert (a.visits, a.move, a.length) == (b.visits, b.move, b.length)
        assert a.sums.tolist() == b.sums.tolist()
        if b["count"]:
            assert a["count"] == b["count"]
            waiting += [(int(a.first) + k, int(b.first) + k) for k in range(int(a["count"]))]
    assert len(waiting) == search.nodes


def test_memory_is_counted_and_taken_only_where_it_is_used():
    search = Search(TTT, selection=mm.rave(), seed=1, memory_mb=4 * 1024)
    search.run(100)
    assert search.memory_bytes == search.nodes * bytes_per_node(2, search._needs)
    assert search.memory_bytes < 10**6


# ---- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"expand_after": -1}, "expand_after is a whole number from 0 up"),
        ({"select_after": 0.5}, "select_after is a whole number"),
        ({"playouts": 0}, "playouts is a whole number from 1 up"),
        ({"playout_limit": -3}, "playout_limit is a whole number from 1 up"),
        ({"memory_mb": 0}, "memory_mb is a number of megabytes"),
        ({"memory_mb": math.nan}, "memory_mb is a number of megabytes"),
        ({"memory_mb": 1e-4}, "too few for a game of 9 moves"),
        ({"weights": [[1, 0]]}, "weights are 2 rows"),
        ({"weights": [[1, math.nan], [0, 1]]}, "weights are numbers"),
        ({"settings": {"komi": 5}}, "has no settings"),
        ({"results": -1}, "results is a whole number"),
        ({"selection": mm.uct}, "such as mm.uct()"),
    ],
)
def test_what_cannot_be_searched_is_refused_early(choices, said):
    with pytest.raises(UsageError) as refused:
        Search(TTT, **choices)
    assert said in str(refused.value)
