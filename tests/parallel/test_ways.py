"""Counts are exact in every way to search in parallel, errors arrive, and what is to repeat repeats."""

import gc

import numpy as np
import pytest

import manyminds as mm
from manyminds.parallel.access import LOCAL
from manyminds.parallel.desks import copies_of
from manyminds.parallel.ways import known_ways
from manyminds.search import loop
from manyminds.search.tree import ONE

LOTS = 8
TABLE = mm.record(owner="uint8[8]", taken="uint8")
BREAKS = mm.record(breaks="uint8")
SHARED = ("free", "local", "global")
ONE_TREE = (*SHARED, "leaf")
WAYS = (*ONE_TREE, "root", "passing")


def start():
    return TABLE.new()


@mm.inline
def seat(table):
    return int(table.taken) % 2


@mm.inline
def moves(table, out):
    n = 0
    for lot in range(LOTS):
        if table.owner[lot] == 0:
            out[n] = lot
            n += 1
    return n


@mm.inline
def play(table, lot):
    table.owner[lot] = 1 + int(table.taken) % 2
    table.taken = int(table.taken) + 1


@mm.inline
def over(table):
    return table.taken == LOTS


@mm.inline
def rewards(table, out, settings):
    first = 0
    for lot in range(LOTS):
        if table.owner[lot] == 1:
            first += lot + 1
    if settings.breaks == 1 and first == 20:
        raise ValueError("the table broke")
    out[0] = 1.0 if first > 18 else 0.0
    out[1] = 1.0 - out[0]


# Two seats take turns with eight lots until all are taken; the first seat wins with more than half of
# their sum. Each seat takes exactly four, and every lot is a child of the root: so visits, rewards, RAVE
# and squares at the root follow from the number of playouts alone.
lots = mm.Game(
    "lots", TABLE, seats=2, start=start, seat=seat, moves=moves, play=play, over=over,
    rewards=rewards, settings=BREAKS, move_ids=LOTS, most_moves=LOTS, longest=LOTS,
)  # fmt: skip


def nodes_of(tree):
    return tree.nodes[: int(tree.head.used)]


def check_counts(tree, playouts, late=0):
    """No visit and no reward is missing at any node; `late`: playouts that may have ended at the root."""
    nodes = nodes_of(tree)
    assert nodes[0].visits == playouts
    assert (nodes["sums"].sum(axis=1) == nodes["visits"].astype(np.int64) * ONE).all()
    for node in nodes[nodes["count"] > 0]:
        children = nodes[node.first : node.first + node.count]
        assert children["visits"].sum() <= node.visits
        assert (children["sums"].sum(axis=0) <= node.sums).all()
        assert len(set(children["move"].tolist())) == len(children)
    runs = sorted((int(node.first), int(node.count)) for node in nodes if node["count"])
    ends = [1, *(first + count for first, count in runs)]
    assert [first for first, _ in runs] == ends[:-1]  # every node has one parent
    assert ends[-1] == len(nodes)
    first_choice = nodes[1 : 1 + LOTS]
    assert playouts - late <= first_choice["visits"].sum() <= playouts
    return first_choice


@pytest.mark.parametrize("way", ONE_TREE)
@pytest.mark.parametrize("loss", [None, 0, 3])
def test_eight_threads_lose_no_update(way, loss):
    if way == "leaf" and loss is not None:
        return
    search = mm.parallel_search(
        lots, selection=mm.rave(ref=100), threads=8, way=way, virtual_loss=loss, seed=1
    )
    search.run(simulations=30_000)
    children = check_counts(search.tree, 30_000, late=7)
    passed = int(children["visits"].sum())
    rave = search.tree.rave[1 : 1 + LOTS]
    assert rave["visits"].sum() == 4 * passed  # the seat takes four lots in every playout
    assert rave["total"].sum() == 4 * children["sums"][:, 0].sum() / ONE
    assert search.tree.amaf["visits"].sum(axis=0).tolist() == [4 * passed, 4 * passed]
    assert search.tree.amaf["total"].sum(axis=0).tolist() == [
        4 * children["sums"][:, seat].sum() / ONE for seat in (0, 1)
    ]
    assert search.tree.head.simulations == 30_000


@pytest.mark.parametrize("way", ONE_TREE)
def test_squares_and_several_playouts_are_counted_whole(way):
    search = mm.parallel_search(
        lots, selection=mm.ucb1_tuned(), threads=8, way=way, seed=2, playouts=3, expand_after=2
    )
    search.run(simulations=10_000)
    nodes = nodes_of(search.tree)
    assert nodes[0].visits == 30_000
    for node in nodes[nodes["count"] > 0]:  # rewards of 0 and 1 are their own squares
        run = slice(int(node.first), int(node.first) + int(node["count"]))
        assert (search.tree.squares[run] == nodes["sums"][run, node.seat]).all()


@pytest.mark.parametrize("way", SHARED)
def test_a_virtual_loss_leaves_no_trace_where_rewards_are_weighed(way):
    search = mm.parallel_search(
        lots, selection=mm.ucb1_tuned(), threads=8, way=way, seed=2, virtual_loss=2,
        weights=[[1, -1], [-1, 1]],
    )  # fmt: skip
    search.run(simulations=20_000)
    check_counts(search.tree, 20_000, late=7)
    nodes = nodes_of(search.tree)
    assert (search.tree.squares[1 : len(nodes)] == nodes["visits"][1:].astype(np.int64) * ONE).all()


@pytest.mark.parametrize("way", ["root", "passing"])
@pytest.mark.parametrize("selection", [mm.rave(), mm.ucb1_tuned()], ids=["rave", "tuned"])
def test_trees_of_eight_threads_come_to_one_sum(way, selection):
    forest = mm.parallel_search(lots, selection=selection, threads=8, way=way, seed=3)
    forest.run(simulations=10_001)
    assert forest.simulations == 10_001
    assert sum(row.visits for row in forest.root()) == 10_001
    assert sum(forest.values()) == pytest.approx(1.0)
    trees = forest.trees if way == "passing" else forest.trees[1:]
    total = 10_001 if way == "passing" else 1250
    for tree in trees:
        check_counts(tree.tree, total + (way == "root" and tree is forest.trees[0]))


@pytest.mark.parametrize("way", ["leaf", "root", "passing"])
def test_the_same_seed_gives_the_same_trees_bit_for_bit(way):
    def grown():
        search = mm.parallel_search(lots, selection=mm.rave(), threads=4, way=way, seed=9)
        search.run(simulations=3_000)
        search.advance(search.best())
        search.run(simulations=1_000)
        trees = search.trees if hasattr(search, "trees") else [search]
        return [nodes_of(tree.tree).tobytes() for tree in trees], search.root(), search.line()

    assert grown() == grown()


@pytest.mark.parametrize("way", WAYS)
def test_one_thread_is_the_plain_search(way):
    alone, plain = mm.parallel_search(lots, threads=1, way=way, seed=4), mm.Search(lots, seed=4)
    for search in (alone, plain):
        search.run(simulations=500)
    assert type(alone) is mm.Search
    assert nodes_of(alone.tree).tobytes() == nodes_of(plain.tree).tobytes()


@pytest.mark.parametrize("way", WAYS)
def test_an_error_in_a_playout_reaches_the_caller_and_the_search_goes_on(way):
    search = mm.parallel_search(lots, threads=8, way=way, seed=5, settings={"breaks": 1})
    with pytest.raises(ValueError, match="the table broke"):
        search.run(simulations=5_000)
    trees = search.trees if hasattr(search, "trees") else [search]
    for tree in trees:
        assert tree.tree.nodes[0].visits == 0
        tree.settings.breaks = 0
    search.run(simulations=5_000)
    assert search.simulations == 5_000


@pytest.mark.parametrize("way", WAYS)
def test_it_finds_the_best_lot_and_walks_on_with_the_tree(way):
    """The first seat takes the greatest lot of all, and so on by turns: known by looking at the game."""
    search = mm.parallel_search(lots, selection=mm.uct(0.3), threads=4, way=way, seed=6)
    search.run(simulations=20_000)
    best = search.best()
    assert best == search.root()[0].move == search.best_of(0)
    assert search.line()[0] == best
    before = {row.move: row.visits for row in search.root()}
    assert search.advance(best)
    assert 0 < search.simulations <= before[best]
    search.run(milliseconds=30)
    search.run(nodes=50)
    state = lots.start()
    lots.play(state, best)
    assert search.meet(state)
    assert search.copy().root() == search.root()


@pytest.mark.parametrize("way", SHARED)
def test_a_full_tree_is_pruned_and_still_counts(way):
    search = mm.parallel_search(mm.go(size=5), threads=4, way=way, seed=1, memory_mb=0.4)
    search.run(simulations=20_000)
    assert search.simulations == 20_000
    assert search.nodes <= search._capacity


def test_what_cannot_be_is_refused_with_what_to_do():
    with pytest.raises(mm.UsageError, match='no way "roots" to search in parallel; did you mean'):
        mm.parallel_search(lots, way="roots")
    with pytest.raises(mm.UsageError, match="threads are a whole number"):
        mm.parallel_search(lots, threads=0)
    with pytest.raises(mm.UsageError, match="share a tree, not for root"):
        mm.parallel_search(lots, way="root", virtual_loss=1)
    with pytest.raises(mm.UsageError, match="keep no results of single simulations"):
        mm.parallel_search(lots, way="free", results=10)


def test_every_way_has_its_line():
    assert set(WAYS) <= set(known_ways())
    assert all(known_ways().values())


# --- processes: of a game that is made by its name -------------------------------------------------


def nim():
    return mm.make_game("nim", heaps=[3, 4, 5])


@pytest.mark.slow
def test_processes_find_what_threads_find_bit_for_bit():
    def asked(way):
        search = mm.parallel_search(nim(), selection=mm.uct(0.3), threads=3, way=way, seed=8)
        search.run(simulations=3_000)
        first = search.root(), search.line()
        search.advance(search.best())
        search.run(simulations=1_000)
        return first, search.root(), search.simulations

    assert asked("root") == asked("processes")


@pytest.mark.slow
def test_a_process_that_dies_is_told_and_replaced():
    search = mm.parallel_search(nim(), threads=2, way="processes", seed=8)
    search.run(simulations=100)
    search.others[0]._child.kill()
    with pytest.raises(mm.Failure, match="ended before it had answered"):
        search.run(simulations=100)
    search.run(simulations=100)
    assert search.simulations == 100
    child = search.others[0]._child
    del search
    gc.collect()
    assert child.wait(20) is not None


@pytest.mark.slow
def test_a_game_that_the_other_process_does_not_know_is_refused_there():
    search = mm.parallel_search(lots, threads=2, way="processes")
    with pytest.raises(mm.UsageError, match='no game "lots"'):
        search.run(simulations=10)


def test_an_edge_that_two_threads_lengthen_is_lengthened_once():
    """Both stand at a leaf when one finds that its only move ends the game; then the other looks, too."""
    search = mm.parallel_search(mm.make_game("nim", heaps=[1]), way="local", threads=2)
    desks = [search.desk, *copies_of([search.desk])]

    def each(step, *more):
        for desk in desks:
            step(
                search.kernels, search.selection.kernels, LOCAL, search.tree, desk,
                search.parameters, search.settings, *more,
            )  # fmt: skip

    each(loop.select)
    each(loop.expand, 0)
    assert search.tree.nodes[0].length == 1
