"""Games by agents: a small game's own heuristics, and somebody's own in the file that a database names."""

import math

import numpy as np
import pytest

import manyminds as mm
from manyminds.core.checks import CheckError
from manyminds.core.errors import UsageError
from manyminds.core.random import generator
from manyminds.games.agents.check import check_heuristic
from manyminds.games.agents.heuristic import register_heuristic


def last_heap(state, out):
    """All of the last heap that has stones."""
    heap = state.heaps.shape[0] - 1
    while state.heaps[heap] == 0:
        heap -= 1
    out[0] = heap * 6 + state.heaps[heap]
    return 1


def two_from_first(state, out):
    if state.heaps[0] >= 2:
        out[0] = 2
        return 1
    return 0


def first_steps(game, n):
    """How often each move begins a playout."""
    counts = {}
    rng = generator(4)
    for _ in range(n):
        trace = game.playout(game.start(), rng)
        move = int(trace.move[0])
        counts[move] = counts.get(move, 0) + 1
    return counts


@pytest.fixture(scope="module")
def nim():
    register_heuristic("last-heap", last_heap, "nim")
    register_heuristic("two", two_from_first, "nim")
    return mm.make_game("nim", heaps=[1, 3, 5])  # moves are heap * 6 + stones


def test_a_game_of_ones_own_has_heuristics_of_its_own(nim):
    database = mm.Database(("two-last-heap", "random"), (3, 1), game="nim")
    n = 4000
    counts = first_steps(mm.with_agents(nim, database), n)
    # `two` declines, since the first heap has one stone; nine moves are drawn from at random.
    share = 3 / 4 + 1 / 4 / 9
    spread = math.sqrt(n * share * (1 - share))
    assert abs(counts[2 * 6 + 5] - n * share) < 5.5 * spread
    assert len(counts) == 9
    assert set(first_steps(mm.with_agents(nim, mm.Database(("last-heap",), game="nim")), 50)) == {
        17
    }


def test_players_take_databases_of_any_game(nim):
    """Playouts that take heap after heap: who begins wins with an odd number of moves, and only then."""
    player = "uct(database=last-heap, expand_after=1000000)@300"
    match = mm.play(nim, [player, "random"], seed=1)
    assert match.joint_moves[0][0] in (1, 6 + 3, 12 + 5)  # one heap less, two moves to come
    search = mm.Search(
        mm.with_agents(nim, mm.Database(("last-heap",), game="nim")), expand_after=10**6
    )
    search.run(simulations=300)
    for row in search.root():
        assert row.values == ((1.0, 0.0) if row.move in (1, 9, 17) else (0.0, 1.0)), row


def test_databases_keep_to_their_game(nim):
    with pytest.raises(UsageError, match='game = "nim"'):
        mm.with_agents(nim, mm.find_database("default"))
    with pytest.raises(UsageError, match='"N"'):
        mm.Database(("N",), game="nim")


def test_a_fit_heuristic_passes():
    def beside_last(board, out):
        n = 0
        for point in mm.neighbours8(board.last):
            if board.color[point] == mm.EMPTY:
                out[n] = point
                n += 1
        return n

    report = check_heuristic(register_heuristic("beside-last", beside_last), games=2)
    assert report.passed


def wild(board, out):
    board.moves += 1
    return 0


def loud(board, out):
    for k in range(200):
        out[k] = 21 + k
    return 200


def lying(board, out):
    return 3


def lost(board, out):
    out[0] = 100_000
    return 1


def idle(board, out):
    return 0


@pytest.mark.parametrize(
    ("function", "clause"),
    [(wild, "keeps"), (loud, "bounded"), (lying, "bounded"), (lost, "sane"), (idle, "sane")],
)
def test_an_unfit_heuristic_is_told_why(function, clause):
    with pytest.raises(CheckError) as error:
        check_heuristic(register_heuristic(f"unfit-{function.__name__}", function), games=1)
    assert clause in [check.name for check in error.value.report.failures]


def test_our_names_are_ours():
    with pytest.raises(UsageError, match="of its own"):
        register_heuristic("N", idle)
    with pytest.raises(UsageError, match="two arguments"):
        register_heuristic("one", lambda board: 0)
    assert np.all(np.array(mm.neighbours8(0)) == 0)
