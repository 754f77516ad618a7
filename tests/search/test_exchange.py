"""What searches tell each other: own work only, taken in once, and out again without a trace."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import manyminds as mm
from manyminds.core.errors import UsageError
from manyminds.games.registry import make_game
from manyminds.search.exchange import ROOT, Cut, cut_dtype
from manyminds.search.search import Search
from manyminds.search.tree import ONE

from .row import KNOWING

HILLS = make_game("three_hills")
HUNT = make_game("hunt", width=3, height=2, turns=4)


def searched(seed, n=600, game=HILLS, rule=None, **choices):
    choices = {"social": True, "results": 1000} | choices
    search = Search(game, selection=rule or mm.uct(), seed=seed, **choices)
    search.run(n)
    return search


def table(search, received=True):
    """Visits and sums of every path that has any; without what was received, if so asked."""
    found, waiting = {}, [(0, ())]
    for node, path in waiting:
        row = search.tree.nodes[node]
        visits, sums = int(row.visits), np.array(row.sums)
        if not received:
            visits -= int(search.tree.received[node].visits)
            sums = sums - search.tree.received[node].sums
        if visits:
            found[path] = (visits, tuple(sums.tolist()))
        for k in range(int(row["count"])):
            child = int(row.first) + k
            waiting.append((child, (*path, int(search.tree.nodes[child].move))))
    return found


def added(*tables):
    """All tables together, path by path."""
    total = {}
    for one in tables:
        for path, (visits, sums) in one.items():
            before = total.get(path, (0, (0,) * len(sums)))
            total[path] = (
                before[0] + visits,
                tuple(a + b for a, b in zip(before[1], sums, strict=True)),
            )
    return total


def of_cut(cut):
    """A cut's work, at its own paths and at all above them."""
    found = {}
    for k, entry in enumerate(cut.entries):
        path, visits = cut.path(k), int(entry["visits"])
        for n in range(len(path) + 1) if visits else ():
            found = added(found, {path[:n]: (visits, tuple(entry["sums"].tolist()))})
    return found


# ---- cuts -----------------------------------------------------------------------------------------


@pytest.mark.interpreted
@pytest.mark.parametrize("size", [100, 1000, 5000, 100_000])
def test_a_cut_meets_every_path_once_and_tells_the_work_of_its_nodes(size):
    search = searched(1, n=150)
    cut = search.cut(size)
    assert len(cut.pack()) <= size
    if len(cut) == 0:
        assert size < 6 * cut_dtype(3).itemsize  # too small for the root's children
        return
    paths = [cut.path(k) for k, entry in enumerate(cut.entries) if entry["visits"]]
    for one in paths:
        assert not any(one != other and other[: len(one)] == one for other in paths)
    work = table(search)
    for k, entry in enumerate(cut.entries):
        if entry["visits"]:
            assert work[cut.path(k)] == (int(entry["visits"]), tuple(entry["sums"].tolist()))
    # What a node did before it had children is in none of them, and in no cut that goes below it.
    opened = {path[:n] for path in paths for n in range(len(path))}
    below = [
        work[(*path, move)][0] for path in opened for move in range(6) if (*path, move) in work
    ]
    assert cut.visits == search.simulations - sum(work[path][0] for path in opened) + sum(below)


def test_a_visit_count_cut_opens_the_most_visited_entry_first():
    """Filip's algorithm 3.3, slowly: replace the most visited entry by its children while there is room."""
    search = searched(1)
    tree, work = search.tree.nodes, table(search)
    for most in (6, 20, 60, 200):
        room, shown, entries = most, 0, [(0, ())]
        while True:
            open_ = [
                (-work.get(path, (0,))[0], k)
                for k, (node, path) in enumerate(entries)
                if tree[node]["count"]
            ]
            if not open_ or min(open_)[0] == 0:
                break
            node, path = entries[min(open_)[1]]
            if shown + int(tree[node]["count"]) > room:
                break
            shown += int(tree[node]["count"])
            entries.remove((node, path))
            entries += [
                (child, (*path, int(tree[child].move)))
                for child in range(
                    int(tree[node].first), int(tree[node].first) + int(tree[node]["count"])
                )
            ]
        cut = search.cut(most * cut_dtype(3).itemsize)
        told = {cut.path(k) for k, entry in enumerate(cut.entries) if entry["visits"]}
        assert told == {path for _, path in entries if path in work and path}


def test_the_next_move_cut_is_every_first_choice_of_the_seat():
    search = searched(1)
    for seat in range(3):
        cut = search.next_moves(seat)
        work = table(search)
        expected = {path: row for path, row in work.items() if len(path) == seat + 1}
        told = {
            cut.path(k): (int(entry["visits"]), tuple(entry["sums"].tolist()))
            for k, entry in enumerate(cut.entries)
            if entry["visits"]
        }
        assert told == expected
        best = max(cut.totals(), key=lambda move: (cut.totals()[move], -move))
        assert search.best_of(seat) == best


# ---- in and out -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule", [mm.uct(), mm.ucb1_tuned(), mm.rave()], ids=["uct", "tuned", "rave"]
)
def test_absorbed_work_adds_to_own_work_and_own_work_stays_known(rule):
    teller, hearer = searched(1, rule=rule), searched(2, rule=rule)
    own, cut = table(hearer), teller.cut(4000)
    hearer.absorb(cut)
    assert table(hearer) == added(own, of_cut(cut))
    assert table(hearer, received=False) == own
    assert hearer.simulations == 600 + cut.visits


@pytest.mark.parametrize(
    "rule", [mm.uct(), mm.ucb1_tuned(), mm.rave()], ids=["uct", "tuned", "rave"]
)
def test_cut_and_retract_restore_every_number(rule):
    """And the searcher goes on as it would have: the squares are the same too."""
    teller, hearer = searched(1, rule=rule), searched(2, rule=rule)
    own, cut = table(hearer), teller.cut(4000)
    squares = hearer.tree.squares[: hearer.nodes].copy() if rule.squares else None
    twin = hearer.copy()
    hearer.absorb(cut)
    hearer.run(100)
    hearer.retract(cut)
    after = table(hearer)
    assert after[()][0] == 700
    assert table(hearer, received=False) == after
    twin.absorb(cut)
    twin.retract(cut)
    assert table(twin) == own
    if rule.squares:
        assert twin.tree.squares[: len(squares)].tolist() == squares.tolist()
    assert not twin.tree.received["visits"][: twin.nodes].any()


@given(
    order=st.permutations(range(4)), sizes=st.lists(st.integers(0, 6000), min_size=4, max_size=4)
)
def test_cuts_go_in_and_out_in_any_order(order, sizes):
    hearer = HEARER.copy()
    own = table(hearer)
    cuts = [teller.cut(size) for teller, size in zip(TELLERS, sizes, strict=True)]
    for cut in cuts:
        hearer.absorb(cut)
    assert table(hearer) == added(own, *map(of_cut, cuts))
    for k in order:
        hearer.retract(cuts[k])
    assert table(hearer) == own


HEARER = searched(9, n=200)
TELLERS = [searched(seed, n=300) for seed in range(4)]


def test_no_echo_is_told_unless_it_is_asked_for():
    teller, hearer = searched(1), searched(2)
    own, size = table(hearer), 6 * cut_dtype(3).itemsize  # the root's children
    hearer.absorb(teller.cut(4000))
    hearer.absorb(teller.results())
    assert of_cut(hearer.cut(size)) == {path: own[path] for path in own if len(path) < 2}
    told = hearer.cut(10**6)
    for k, entry in enumerate(told.entries):
        if entry["visits"]:
            assert own[told.path(k)] == (int(entry["visits"]), tuple(entry["sums"].tolist()))
    assert hearer.next_moves(0).visits == 600
    loud, heard = searched(2, echo=True), teller.cut(4000)
    loud.absorb(heard)
    assert loud.cut(size).visits == 600 + heard.visits


def test_a_priors_weight_is_not_told():
    search = Search(KNOWING, seed=1, social=True)
    search.run(50)
    children = search.cut(6 * cut_dtype(3).itemsize)
    assert children.visits == 50
    assert sum(row.visits for row in search.root()) == 50 + 0 + 1 + 2 + 3 + 0 + 1


# ---- results --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [mm.uct(), mm.ucb1_tuned()], ids=["uct", "tuned"])
def test_results_are_each_simulation_once(rule):
    """Taken in by an empty search they make the teller's tree."""
    teller, hearer = searched(1, rule=rule), Search(HILLS, selection=rule, seed=7, social=True)
    told = teller.results()
    assert len(told) == 600
    hearer.absorb(told)
    assert table(hearer) == table(teller)
    assert table(hearer, received=False) == {}
    assert len(teller.results()) == 0
    teller.run(10)
    assert len(teller.results()) == 10
    if rule.squares:
        squares = [search.tree.squares[: search.nodes].sum() for search in (teller, hearer)]
        assert squares[0] > squares[1] > 0  # the ten later ones are not in it


def test_only_the_newest_results_are_remembered():
    search = searched(1, results=32)
    whole = searched(1, results=600)
    for one, other in zip(search.results(), whole.results()[-32:], strict=True):
        n = int(other["n"])
        assert one["n"] == n
        assert one["moves"][:n].tolist() == other["moves"][:n].tolist()
        assert one["sums"].tolist() == other["sums"].tolist()


def test_results_follow_the_root():
    search = searched(1)
    move = search.best()
    below = search.root()[0].visits
    search.advance(move)
    told = search.results()
    assert len(told) == below
    hearer = Search(HILLS, search.desk.root, seed=3, social=True)
    hearer.absorb(told)
    assert table(hearer) == table(search)


def test_absorbed_cuts_follow_the_root_and_come_out_there():
    teller, hearer = searched(1), searched(2)
    twin, cut = hearer.copy(), teller.cut(4000)
    move = teller.best()
    hearer.absorb(cut)
    hearer.advance(move)
    hearer.retract(cut)
    twin.advance(move)
    assert table(hearer) == table(twin)


def test_a_cut_may_reach_further_than_the_tree_that_hears_it():
    teller, hearer = searched(1, n=3000), Search(HILLS, seed=2, social=True)
    cut = teller.cut(20_000)
    hearer.absorb(cut)
    assert table(hearer) == of_cut(cut)
    hearer.run(100)
    hearer.retract(cut)
    assert table(hearer)[()][0] == 100


@pytest.mark.parametrize("jointly", [False, True])
def test_cuts_of_split_turns(jointly):
    teller, hearer = (searched(seed, game=HUNT, jointly=jointly) for seed in (1, 2))
    own, cut = table(hearer), teller.cut(5000)
    hearer.absorb(cut)
    assert table(hearer) == added(own, of_cut(cut))
    hearer.retract(cut)
    assert table(hearer) == own


# ---- what comes from outside ----------------------------------------------------------------------


@pytest.mark.interpreted
def test_a_cut_survives_the_way_through_bytes():
    cut = searched(1, n=60).cut(4000)
    again = Cut.unpack(cut.pack(), teams=3)
    assert again.entries.tobytes() == cut.entries.tobytes()
    assert again.values().max() <= 1


@given(st.binary(max_size=400))
def test_any_bytes_are_a_cut_that_can_be_absorbed_or_are_refused(data):
    try:
        cut = Cut.unpack(data[: len(data) // 34 * 34], teams=3)
    except UsageError:
        return
    search = HEARER.copy()
    before = table(search)
    search.absorb(cut)
    search.run(20)
    search.retract(cut)
    assert table(search)[()][0] == before[()][0] + 20


rows = st.tuples(st.integers(0, 12), st.integers(0, 8), st.integers(0, 50), st.integers(0, ONE))


@given(st.lists(rows, max_size=12))
def test_made_up_cuts_do_no_harm(made_up):
    """Moves that are none, parents in any legal order: what cannot be placed adds to the nodes above it."""
    entries = np.zeros(len(made_up), cut_dtype(3))
    for k, (parent, move, visits, share) in enumerate(made_up):
        entries[k] = (parent if parent < k else ROOT, move, visits, (visits * share,) * 3)
    search = HEARER.copy()
    before = table(search)
    cut = Cut.unpack(entries.tobytes(), teams=3)
    search.absorb(cut)
    assert table(search)[()][0] == before.get((), (0,))[0] + cut.visits
    search.retract(cut)
    assert table(search) == before


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Cut.unpack(b"123", 3), "a cut takes"),
        (lambda: HEARER.copy().retract(TELLERS[0].cut(999)), "was not absorbed"),
        (lambda: Search(HILLS, seed=1).absorb(TELLERS[0].cut(999)), "social=True"),
        (lambda: searched(1, n=1, game=HUNT).absorb(TELLERS[0].cut(999)), "number of teams"),
    ],
)
def test_what_cannot_be_absorbed_is_refused(make, said):
    with pytest.raises(UsageError) as refused:
        make()
    assert said in str(refused.value)


def test_a_cut_is_absorbed_once():
    hearer, cut = HEARER.copy(), TELLERS[0].cut(999)
    hearer.absorb(cut)
    with pytest.raises(UsageError, match="was absorbed before"):
        hearer.absorb(cut)


def test_what_is_heard_by_a_full_tree_makes_it_smaller_and_can_still_be_taken_out():
    hearer = Search(HILLS, seed=2, social=True, memory_mb=0.02)
    hearer.run(500)
    cuts = [teller.cut(30_000) for teller in TELLERS]
    for cut in cuts:
        hearer.absorb(cut)
        hearer.run(300)
    for cut in cuts:
        hearer.retract(cut)
    assert hearer.simulations == 500 + 4 * 300
    assert table(hearer, received=False)[()] == table(hearer)[()]
