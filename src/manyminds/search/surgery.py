"""Moving parts of trees: a subtree to a tree of its own, whole or without what few simulations saw."""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_entry, inline


@bare_entry
def graft(game, source, target, root, least_visits):
    """Fill an empty target with the subtree of `root`, level by level; the number of nodes moved.

    Children of a node with fewer than `least_visits` are left behind, the root's never. Until a node's
    turn comes, its `first` still points into the source.
    """
    copy_node(game, source, target, np.uint32(root), np.uint32(0))
    used = np.uint32(1)
    node = np.uint32(0)
    while node < used:
        n = np.uint32(target.nodes[node].count)
        if n != 0 and (node == 0 or target.nodes[node].visits >= least_visits):
            first = np.uint32(target.nodes[node].first)
            for k in range(n):
                copy_node(
                    game,
                    source,
                    target,
                    np.uint32(first + np.uint32(k)),
                    np.uint32(used + np.uint32(k)),
                )
            target.nodes[node].first = used
            used = np.uint32(used + n)
        else:
            target.nodes[node].first = 0
            target.nodes[node].count = 0
            target.nodes[node].seat = -1
        node = np.uint32(node + np.uint32(1))
    target.head.used = used
    target.head.simulations = source.head.simulations
    target.head.logged = source.head.logged
    return int(used)


@inline
def copy_node(game, source, target, old, new):
    """All that a node knows, with pointers into the source."""
    target.nodes[new] = source.nodes[old]
    if source.rave.shape[0] > 1:
        target.rave[new] = source.rave[old]
    if source.squares.shape[0] > 1:
        target.squares[new] = source.squares[old]
    if source.received.shape[0] > 1:
        target.received[new] = source.received[old]
