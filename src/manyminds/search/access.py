"""How a simulation reads and changes the tree: alone, as here, or beside others on other threads.

A search is compiled with a set of these (`ALONE`, or one of parallel/access.py). The loop asks before
it reads what others may be writing, and leaves all counting to the set:

    lock, unlock (tree)            round everything that a simulation does in the tree
    hold, let_go (tree, node)      round choosing among a node's children, and round counting at them;
                                   the root's own numbers go with its children's
    is_open (tree, node)           whether it has children; if so, its length is final
    claim (tree, node)             whether we, and nobody else, give this leaf its children
    disclaim (tree, node)          it gets none
    take (tree, n)                 room for n nodes: the first; 0 if there is none
    publish (tree, node, first)    its children, its seat and their count are written: others may go on
    arrive (game, tree, desk, p, node, seat)  we are on our way through this node, which the seat
                                   above it chose (a virtual loss)
    pending (tree, p)              visits that `arrive` has added to the node we stand at
    add_visit (tree, node, p, last), add_sum (tree, node, slot, amount), add_square (tree, node, amount),
    add_rave (tree, node, reward), add_weighted_rave (tree, node, reward, weight),
    add_amaf (tree, move, seat, reward)
                                   count a playout; with the last one of this leaf what `arrive` added to
                                   the visits goes
    depart (game, tree, desk, p, depth)  what else `arrive` has added to the path goes
    end (tree, depth)              a playout is counted
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.kernel import inline
from manyminds.core.kernel_set import Kernels


@inline
def _nothing(tree):
    return


@inline
def _nothing_at(tree, node):
    return


@inline
def _is_open(tree, node):
    return tree.nodes[node].count != 0


@inline
def _claim(tree, node):
    return True


@inline
def _disclaim(tree, node):
    return


@inline
def _take(tree, n):
    first = int(tree.head.used)
    if first + n > tree.nodes.shape[0]:
        tree.head.full = 1
        return 0
    tree.head.used = first + n
    return first


@inline
def _publish(tree, node, first):
    tree.nodes[node].first = first


@inline
def _arrive(game, tree, desk, p, node, seat):
    return


@inline
def _pending(tree, p):
    return 0


@inline
def _add_visit(tree, node, p, last):
    tree.nodes[node].visits += np.uint32(1)


@inline
def _add_sum(tree, node, slot, amount):
    tree.nodes[node].sums[slot] += amount


@inline
def _add_square(tree, node, amount):
    tree.squares[node] += amount


@inline
def _add_rave(tree, node, reward):
    tree.rave[node].visits += np.float32(1.0)
    tree.rave[node].total += reward


@inline
def _depart(game, tree, desk, p, depth):
    return


@inline
def _end(tree, depth):
    tree.head.simulations += np.uint64(1)
    tree.head.depth = max(tree.head.depth, np.uint32(depth))


@inline
def _add_weighted_rave(tree, node, reward, weight):
    tree.rave[node].visits += weight
    tree.rave[node].total += weight * reward


@inline
def _add_amaf(tree, move, seat, reward):
    tree.amaf[move, seat].visits += np.float32(1.0)
    tree.amaf[move, seat].total += reward


MEMBERS: dict[str, Any] = {
    "lock": _nothing,
    "unlock": _nothing,
    "hold": _nothing_at,
    "let_go": _nothing_at,
    "is_open": _is_open,
    "claim": _claim,
    "disclaim": _disclaim,
    "take": _take,
    "publish": _publish,
    "arrive": _arrive,
    "pending": _pending,
    "add_visit": _add_visit,
    "add_sum": _add_sum,
    "add_square": _add_square,
    "add_rave": _add_rave,
    "depart": _depart,
    "end": _end,
    "add_weighted_rave": _add_weighted_rave,
    "add_amaf": _add_amaf,
}

ALONE = Kernels("alone", **MEMBERS)
