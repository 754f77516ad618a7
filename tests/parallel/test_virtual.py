"""Parallel search in virtual time: one worker grows the plain tree; bounds follow from the costs."""

import pytest

import manyminds as mm
from manyminds.arena.scaling import as_text, virtual_table
from manyminds.parallel.virtual import (
    NO_LOCK,
    NODE_LOCKS,
    ONE_LOCK,
    costs_of,
    new_bench,
    run_shared,
)

GAME = mm.make_game("tic_tac_toe")
ALL_ALIKE = {"begin": 0.1, "down": 0.25, "turn": 0.5, "up": 0.25, "lock": 0.05, "beside": 0.0}


def run(workers, lock, until, loss=0):
    search = mm.Search(GAME, selection=mm.rave(), seed=3)
    search.parameters.virtual_loss = loss
    nodes = len(search.tree.nodes) if lock == NODE_LOCKS else 1
    done = run_shared(
        search.kernels, search.selection.kernels, search.tree, search.desk, search.parameters,
        search.settings, new_bench(search.desk, workers, nodes), costs_of(**ALL_ALIKE), lock, until,
    )  # fmt: skip
    return done, search


def test_one_worker_grows_the_plain_search_s_tree():
    _, search = run(1, NO_LOCK, 3000.0)
    plain = mm.Search(GAME, selection=mm.rave(), seed=3)
    plain.run(simulations=search.simulations)
    assert search.simulations > 300
    assert search.tree.nodes[: search.nodes].tobytes() == plain.tree.nodes[: plain.nodes].tobytes()
    assert search.tree.rave[: search.nodes].tobytes() == plain.tree.rave[: plain.nodes].tobytes()


@pytest.mark.parametrize("loss", [0, 1, 4])
@pytest.mark.parametrize("lock", [NO_LOCK, ONE_LOCK, NODE_LOCKS])
def test_two_runs_are_alike_and_leave_no_virtual_loss(lock, loss):
    done, search = run(16, lock, 400.0, loss)
    again, twin = run(16, lock, 400.0, loss)
    assert done == again
    assert search.tree.nodes[: search.nodes].tobytes() == twin.tree.nodes[: twin.nodes].tobytes()
    assert done <= search.simulations <= done + 16
    assert search.simulations == sum(row.visits for row in search.root())


def test_locks_let_through_what_they_can_and_no_lock_lets_all():
    until = 1000.0
    one, _ = run(1, NO_LOCK, until)
    free, _ = run(32, NO_LOCK, until)
    assert free == pytest.approx(32 * one, rel=0.1)
    # Everybody has the lock twice for at least two nodes; the root's, twice for one.
    with_one, _ = run(32, ONE_LOCK, until)
    with_many, _ = run(32, NODE_LOCKS, until)
    assert with_one <= until / (2 * 0.05 + 2 * (0.25 + 0.25)) + 1
    assert with_one < with_many <= until / (2 * 0.05 + 0.25 + 0.25) + 1
    assert with_many < free


@pytest.mark.slow
def test_a_table_has_all_its_cells_and_repeats():
    asked = {
        "positions": 2,
        "workers": (2, 8),
        "microseconds": 200.0,
        "ways": ("leaf", "root", "free"),
    }
    cells = virtual_table(**asked)
    assert [(cell.way, cell.workers) for cell in cells] == [
        (way, n) for way in ("leaf", "root", "free") for n in (2, 8)
    ]
    by = {(cell.way, cell.workers): cell.simulations for cell in cells}
    assert by["leaf", 8] < by["free", 8] <= by["root", 8] <= 8.5
    assert virtual_table(**asked) == cells
    assert as_text(cells).count("\n") == 4
