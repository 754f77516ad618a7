"""Parallel search in virtual time: what so many workers would do, decided by a table of costs.

One processor does all workers' steps on a real tree, in the order of their virtual clocks: a descent
takes so long for each node, a playout for each of its turns, a back-up for each node, and a lock is had
when it is free. So what a worker sees is what would be there by then: results that are still on their way
are not. The same seed gives the same run, bit for bit, on any machine.

Two things are simplified: a descent sees the whole tree as it is when it begins, and memory is equally
fast for all (cache lines that several processors write to at once are in the cost `beside`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manyminds.core.kernel import bare_entry, inline
from manyminds.core.kernel_set import Kernels
from manyminds.core.record import record
from manyminds.parallel.access import COUNT_ALONE
from manyminds.search.desk import Desk
from manyminds.search.loop import back_up, expand, select, simulate

NO_LOCK, ONE_LOCK, NODE_LOCKS = 0, 1, 2

COSTS = record(
    begin="float64",  # of a simulation: the root's state is copied, a playout made ready
    down="float64",  # at each node on the way down
    turn="float64",  # of a playout
    up="float64",  # at each node on the way up
    lock="float64",  # to take a free lock and give it back
    beside="float64",  # for each node on the way, up or down, when others write to the tree as well
    meet="float64",  # of threads that wait for each other
    absorb="float64",  # to take in one result of another tree
)

# What a simulation could not be told twice: no locks, no atomics; but a virtual loss.
_QUEUED = Kernels("queued", **COUNT_ALONE)


class Bench(NamedTuple):
    """What workers have under way. Rows are indexed by worker."""

    clock: np.ndarray  # when it is free again
    under_way: np.ndarray  # 1: a playout waits to be backed up
    depth: np.ndarray
    length: np.ndarray  # of the trace
    path: np.ndarray
    turn: np.ndarray
    sums: np.ndarray
    seats: np.ndarray
    moves: np.ndarray
    free: np.ndarray  # by node: when its lock comes free; [0] alone with one lock or none


def new_bench(desk: Desk, workers: int, nodes: int) -> Bench:
    """A bench for so many workers, on a tree of at most so many nodes."""
    deepest = len(desk.path)
    return Bench(
        np.zeros(workers),
        np.zeros(workers, np.uint8),
        np.zeros(workers, np.int64),
        np.zeros(workers, np.int64),
        np.zeros((workers, deepest), np.uint32),
        np.zeros((workers, deepest), np.uint32),
        np.zeros((workers, len(desk.sums)), np.int64),
        np.zeros((workers, len(desk.trace.seat)), desk.trace.seat.dtype),
        np.zeros((workers, len(desk.trace.move)), desk.trace.move.dtype),
        np.zeros(nodes),
    )


@bare_entry
def run_shared(game, rule, tree, desk, p, settings, bench, costs, lock, until):
    """Workers on one tree until their clocks show `until`; the simulations that were backed up by then.

    Those under way are backed up as well, as real threads finish what they have begun.
    """
    done = 0
    while True:
        worker = first_free(bench)
        now = bench.clock[worker]
        if now >= until:
            break
        if bench.under_way[worker] == 1:
            fetch(game, desk, bench, worker)
            depth = int(bench.depth[worker])
            bench.clock[worker] = passed(bench, desk, depth, now, costs.up, costs, lock)
            back_up(game, _QUEUED, tree, desk, p, depth, True)
            bench.under_way[worker] = 0
            done += bench.clock[worker] <= until
        else:
            depth = select(game, rule, _QUEUED, tree, desk, p, settings)
            depth = expand(game, rule, _QUEUED, tree, desk, p, settings, depth)
            ready = passed(bench, desk, depth, now + costs.begin, costs.down, costs, lock)
            simulate(game, desk, p, settings)
            put_away(game, desk, bench, worker, depth)
            bench.clock[worker] = ready + playout_time(desk, costs)
    for worker in range(bench.clock.shape[0]):  # so that no virtual loss is left in the tree
        if bench.under_way[worker] == 1:
            fetch(game, desk, bench, worker)
            back_up(game, _QUEUED, tree, desk, p, int(bench.depth[worker]), True)
    return done


@bare_entry
def run_leaf(game, rule, tree, desk, p, settings, workers, costs, until):
    """One worker in the tree and all of them at its leaf; the playouts that were backed up by `until`."""
    done, now = 0, 0.0
    while now < until:
        depth = select(game, rule, _QUEUED, tree, desk, p, settings)
        depth = expand(game, rule, _QUEUED, tree, desk, p, settings, depth)
        now += costs.begin + (depth + 1) * costs.down + costs.meet
        longest = 0.0
        game.copy(desk.spare, desk.state)
        for worker in range(workers):
            game.copy(desk.state, desk.spare)
            simulate(game, desk, p, settings)
            longest = max(longest, playout_time(desk, costs))
            back_up(game, _QUEUED, tree, desk, p, depth, worker == workers - 1)
        now += longest + workers * (depth + 1) * costs.up
        if now <= until:
            done += workers
    return done


@inline
def first_free(bench):
    """The worker whose clock is behind the others'; the first among equals."""
    best = 0
    for worker in range(1, bench.clock.shape[0]):
        if bench.clock[worker] < bench.clock[best]:
            best = worker
    return best


@inline
def passed(bench, desk, depth, now, each, costs, lock):
    """When a worker that is at the root now has been at all nodes of its path, if each takes so long."""
    if lock == NO_LOCK:
        return now + (depth + 1) * (each + costs.beside)
    if lock == ONE_LOCK:
        now = max(now, bench.free[0]) + costs.lock + (depth + 1) * each
        bench.free[0] = now
        return now
    for d in range(depth + 1):
        node = desk.path[np.uint32(d)]
        now = max(now, bench.free[node]) + costs.lock + each
        bench.free[node] = now
    return now


@inline
def playout_time(desk, costs):
    """How long the playout on the desk took."""
    return costs.turn * (int(desk.trace.n) - int(desk.leaf_turn[0]))


@inline
def put_away(game, desk, bench, worker, depth):
    """Keep what a back-up will need."""
    bench.under_way[worker] = 1
    bench.depth[worker] = depth
    for d in range(depth + 1):
        bench.path[worker, d] = desk.path[np.uint32(d)]
        bench.turn[worker, d] = desk.turn[np.uint32(d)]
    for slot in range(game.slots):
        bench.sums[worker, slot] = desk.sums[slot]
    n = int(desk.trace.n)
    bench.length[worker] = n
    for at in range(n):
        bench.seats[worker, at] = desk.trace.seat[np.uint32(at)]
        bench.moves[worker, at] = desk.trace.move[np.uint32(at)]


@inline
def fetch(game, desk, bench, worker):
    """Put it back on the desk."""
    for d in range(bench.depth[worker] + 1):
        desk.path[np.uint32(d)] = bench.path[worker, d]
        desk.turn[np.uint32(d)] = bench.turn[worker, d]
    for slot in range(game.slots):
        desk.sums[slot] = bench.sums[worker, slot]
    n = int(bench.length[worker])
    desk.trace.n = n
    for at in range(n):
        desk.trace.seat[np.uint32(at)] = bench.seats[worker, at]
        desk.trace.move[np.uint32(at)] = bench.moves[worker, at]


def costs_of(**microseconds: float) -> Any:
    """A table of costs: those of Go 9x9 with two colours, and these instead."""
    values = COSTS.new()
    for name, value in {**GO_9, **microseconds}.items():
        values[name] = value
    return values


# Microseconds; how they were measured is in docs/parallel.md.
GO_9 = {
    "begin": 0.10,
    "down": 0.24,
    "turn": 0.04,
    "up": 0.03,
    "lock": 0.05,
    "beside": 0.05,
    "meet": 0.30,
    "absorb": 0.44,
}
