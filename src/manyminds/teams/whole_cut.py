"""A visit-count cut with nothing left out: what ended at nodes that the cut opened is told with them.

A node gets its children after a few visits only, so that opening it loses these (and opening a hundred
loses hundreds). Here an opened entry keeps them, and a cut speaks of all simulations.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_entry
from manyminds.search import exchange
from manyminds.search.exchange import ROOT, Cut, fill_entry, own_visits
from manyminds.search.search import Search


@bare_entry
def keep_rest(game, tree, entries, nodes, n, echo):
    """Give each opened entry its node's own work without that of the children."""
    for k in range(n):
        if entries[k].visits == 0 and own_visits(tree, nodes[k], echo) > 0:
            fill_entry(game, tree, entries, k, entries[k].parent, nodes[k], echo)
    for k in range(n):
        parent = int(entries[k].parent)
        if parent == ROOT:
            continue
        node = np.uint32(nodes[k])
        received = tree.received.shape[0] > 1 and not echo
        entries[parent].visits -= np.uint32(own_visits(tree, node, echo))
        for slot in range(game.slots):
            entries[parent].sums[slot] -= tree.nodes[node].sums[slot]
            if received:
                entries[parent].sums[slot] += tree.received[node].sums[slot]


def whole_cut(search: Search, entries: int) -> Cut:
    """The cut of at most so many entries."""
    room, nodes = exchange.new_entries(search.kernels.slots, max(min(entries, ROOT), 1))
    game, tree, echo = search.kernels, search.tree, search.echo
    n = exchange.visit_count_cut(game, tree, room[:entries], nodes, echo)
    keep_rest(game, tree, room, nodes, n, echo)
    return Cut(room[:n])
