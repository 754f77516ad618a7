"""How several threads share one tree: a lock for all of it, one for each node, or none and atomic counts.

These are the sets that search/access.py describes. With each of them no update is lost. What they have
in common: `arrive` counts a virtual loss, `end` leaves the count of simulations to whoever runs the
threads, and nobody waits for ever: who has to wait looks from time to time whether all should stop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.atomics import (
    atomic_add,
    compare_and_swap,
    give_way,
    load_acquire,
    pause,
    store_release,
)
from manyminds.core.kernel import inline
from manyminds.core.kernel_set import Kernels
from manyminds.search.access import MEMBERS
from manyminds.search.tree import ONE

CLAIMED = 0xFFFFFFFF  # `first` of a leaf while a thread writes its children
STOPPED, STUCK = (
    1,
    2,
)  # `head.stop`: a worker failed, or the caller leaves; a lock did not come free
_MOST_WAITS = (
    1 << 28
)  # pauses for one lock; seconds at the least, and no lock is held for microseconds


@inline
def wait(head, waited):
    """Wait a moment, the `waited`-th in a row; whether to go on waiting."""
    if waited % 64 != 63:
        pause()
        return True
    give_way()
    if waited > _MOST_WAITS:
        store_release(head, "stop", np.uint32(STUCK))
    return load_acquire(head, "stop") == 0


# --- a lock for the whole tree ---------------------------------------------------------------------


@inline
def _lock(tree):
    waited = 0
    while not compare_and_swap(tree.head, "lock", np.uint32(0), np.uint32(1)):
        if not wait(tree.head, waited):
            break
        waited += 1


@inline
def _unlock(tree):
    store_release(tree.head, "lock", np.uint32(0))


# --- a lock for each node --------------------------------------------------------------------------


@inline
def _hold(tree, node):
    waited = 0
    while not compare_and_swap(tree.locks, node, np.uint32(0), np.uint32(1)):
        if not wait(tree.head, waited):
            break
        waited += 1


@inline
def _let_go(tree, node):
    store_release(tree.locks, node, np.uint32(0))


# --- growing, beside other threads -----------------------------------------------------------------


@inline
def _is_open(tree, node):
    first = load_acquire(tree.nodes[node], "first")
    return first != 0 and first != CLAIMED


@inline
def _claim(tree, node):
    return compare_and_swap(tree.nodes[node], "first", np.uint32(0), np.uint32(CLAIMED))


@inline
def _disclaim(tree, node):
    store_release(tree.nodes[node], "first", np.uint32(0))


@inline
def _take(tree, n):
    while True:
        first = int(load_acquire(tree.head, "used"))
        if first + n > tree.nodes.shape[0]:
            tree.head.full = 1
            return 0
        if compare_and_swap(tree.head, "used", np.uint32(first), np.uint32(first + n)):
            return first


@inline
def _publish(tree, node, first):
    store_release(tree.nodes[node], "first", np.uint32(first))


@inline
def _end(tree, depth):
    while True:
        deepest = load_acquire(tree.head, "depth")
        if depth <= deepest or compare_and_swap(tree.head, "depth", deepest, np.uint32(depth)):
            return


# --- virtual loss ----------------------------------------------------------------------------------
#
# v playouts that end as badly as can be for the seat that chose the node: nothing for the teams whose
# rewards it wants, everything for those that it wants to lose (negative weights).


@inline
def _pending(tree, p):
    return int(p.virtual_loss)


@inline
def _arrive(game, tree, desk, p, node, seat):
    if p.virtual_loss > 0:
        tree.nodes[node].visits += np.uint32(p.virtual_loss)
        if not p.own_reward and seat >= 0:
            _lose(game, tree, desk, p, node, seat, np.int64(p.virtual_loss))


@inline
def _lose(game, tree, desk, p, node, seat, losses):
    """Count rewards of so many losses to a seat, beyond the visits; take them off where it is negative."""
    worst = 0.0
    for slot in range(game.slots):
        if desk.weights[seat, slot] < 0.0:
            worst += desk.weights[seat, slot]
            tree.nodes[node].sums[slot] += losses * ONE
    if p.uses_squares:
        tree.squares[node] += losses * int(worst * worst * ONE + 0.5)


@inline
def _add_visit(tree, node, p, last):
    tree.nodes[node].visits += np.uint32(1)
    if last:
        tree.nodes[node].visits -= np.uint32(p.virtual_loss)


@inline
def _depart(game, tree, desk, p, depth):
    """Take off what `arrive` added to the sums."""
    if p.virtual_loss > 0 and not p.own_reward:
        for d in range(1, depth + 1):
            parent = desk.path[np.uint32(d - 1)]
            seat = int(tree.nodes[parent].seat)
            if seat >= 0:
                node = desk.path[np.uint32(d)]
                _lose(game, tree, desk, p, node, seat, -np.int64(p.virtual_loss))


@inline
def _depart_node_by_node(game, tree, desk, p, depth):
    if p.virtual_loss > 0 and not p.own_reward:
        for d in range(1, depth + 1):
            parent = desk.path[np.uint32(d - 1)]
            seat = int(tree.nodes[parent].seat)
            if seat >= 0:
                node = desk.path[np.uint32(d)]
                _hold(tree, parent)
                _lose(game, tree, desk, p, node, seat, -np.int64(p.virtual_loss))
                _let_go(tree, parent)


# --- counting without a lock -----------------------------------------------------------------------


@inline
def _arrive_freely(game, tree, desk, p, node, seat):
    if p.virtual_loss > 0:
        atomic_add(tree.nodes[node], "visits", np.uint32(p.virtual_loss))
        if not p.own_reward and seat >= 0:
            _lose_freely(game, tree, desk, p, node, seat, np.int64(p.virtual_loss))


@inline
def _lose_freely(game, tree, desk, p, node, seat, losses):
    worst = 0.0
    for slot in range(game.slots):
        if desk.weights[seat, slot] < 0.0:
            worst += desk.weights[seat, slot]
            atomic_add(tree.nodes[node].sums, slot, losses * ONE)
    if p.uses_squares:
        atomic_add(tree.squares, node, losses * int(worst * worst * ONE + 0.5))


@inline
def _add_visit_freely(tree, node, p, last):
    more = np.int64(1) - np.int64(p.virtual_loss) if last else np.int64(1)
    if more != 0:
        atomic_add(tree.nodes[node], "visits", np.uint32(more & 0xFFFFFFFF))


@inline
def _add_sum_freely(tree, node, slot, amount):
    if amount != 0:
        atomic_add(tree.nodes[node].sums, slot, amount)


@inline
def _add_square_freely(tree, node, amount):
    if amount != 0:
        atomic_add(tree.squares, node, amount)


@inline
def _add_rave_freely(tree, node, reward):
    atomic_add(tree.rave[node], "visits", np.float32(1.0))
    if reward != 0.0:
        atomic_add(tree.rave[node], "total", reward)


@inline
def _add_weighted_rave_freely(tree, node, reward, weight):
    atomic_add(tree.rave[node], "visits", weight)
    if reward != 0.0:
        atomic_add(tree.rave[node], "total", weight * reward)


@inline
def _add_amaf_freely(tree, move, seat, reward):
    """Under locks of single nodes, too: no node's lock is the table's."""
    atomic_add(tree.amaf[move, seat], "visits", np.float32(1.0))
    if reward != 0.0:
        atomic_add(tree.amaf[move, seat], "total", reward)


@inline
def _depart_freely(game, tree, desk, p, depth):
    if p.virtual_loss > 0 and not p.own_reward:
        for d in range(1, depth + 1):
            seat = int(tree.nodes[desk.path[np.uint32(d - 1)]].seat)
            if seat >= 0:
                node = desk.path[np.uint32(d)]
                _lose_freely(game, tree, desk, p, node, seat, -np.int64(p.virtual_loss))


# --- the sets --------------------------------------------------------------------------------------

_COUNT = {**MEMBERS, "pending": _pending, "arrive": _arrive, "add_visit": _add_visit, "end": _end}
COUNT_ALONE: dict[str, Any] = {**_COUNT, "depart": _depart}  # for one thread: nothing but the loss
_GROW = {
    "is_open": _is_open,
    "claim": _claim,
    "disclaim": _disclaim,
    "take": _take,
    "publish": _publish,
}

GLOBAL = Kernels("global lock", **{**COUNT_ALONE, "lock": _lock, "unlock": _unlock})
LOCAL = Kernels(
    "local locks",
    **{
        **_COUNT,
        **_GROW,
        "hold": _hold,
        "let_go": _let_go,
        "add_amaf": _add_amaf_freely,
        "depart": _depart_node_by_node,
    },
)
FREE = Kernels(
    "lock-free",
    **{
        **_COUNT,
        **_GROW,
        "arrive": _arrive_freely,
        "add_visit": _add_visit_freely,
        "add_sum": _add_sum_freely,
        "add_square": _add_square_freely,
        "add_rave": _add_rave_freely,
        "add_weighted_rave": _add_weighted_rave_freely,
        "add_amaf": _add_amaf_freely,
        "depart": _depart_freely,
    },
)
