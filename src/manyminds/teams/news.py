"""News of a tree, node by node: what others have not heard of, the most valuable first.

A row of news names a node and says all of its own work there, not what was added since: so a row that is
lost, late, or comes twice does no harm, and the next one about that node mends it. Rows are those of
`exchange.taken_dtype`: row 0 is the root, every other one stands behind the row above it.

Tables go by node: `heard[node]` is how many of a node's own visits the others are expected to know of,
`below[node]` the most news that waited below it when it was told, `said[node]` what one sender said last.
A tree that is cut down to a child numbers its nodes anew, and `places` tells which number each had.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_entry, inline
from manyminds.search.exchange import child_of, grow, most_squares, own_visits


@bare_entry
def pick_news(game, tree, heard, below, rows, nodes, keys, heap, least):
    """Fill `rows` (and their `nodes`) with the nodes of most news, each behind its parent; how many.

    A node's news are the visits that are not expected to be known, and it is as valuable as these and
    what waits below it: no node below can have more. `keys` and `heap` are room for the candidates:
    where it ends, so does the search for more.
    """
    fill_row(game, tree, rows, nodes, 0, 0, np.uint32(0))
    n, waiting = 1, 0
    row = 0
    while True:
        node = np.uint32(nodes[np.uint32(row)])
        first = np.uint32(tree.nodes[node].first)
        for k in range(tree.nodes[node].count):
            child = np.uint32(first + np.uint32(k))
            news = news_of(tree, heard, below, child)
            if news >= least and waiting < heap.shape[0]:
                push(keys, heap, waiting, news, child, np.uint32(row))
                waiting += 1
        if n == rows.shape[0] or waiting == 0:
            return n
        fill_row(game, tree, rows, nodes, n, heap[0, 1], np.uint32(heap[0, 0]))
        waiting -= 1
        drop_first(keys, heap, waiting)
        row = n
        n += 1


@inline
def news_of(tree, heard, below, node):
    """What a node and all below it are worth telling, in visits."""
    return np.float32(own_visits(tree, node, False) - heard[node]) + below[node]


@bare_entry
def count_told(tree, heard, below, nodes, arrives, least):
    """These nodes were told, parents first; with a chance of `arrives` they are known as they are now."""
    for row in range(nodes.shape[0]):
        node = np.uint32(nodes[row])
        heard[node] += np.float32(arrives) * (own_visits(tree, node, False) - heard[node])
    for row in range(nodes.shape[0] - 1, -1, -1):
        node = np.uint32(nodes[row])
        most = np.float32(0.0)
        for k in range(tree.nodes[node].count):
            child = np.uint32(tree.nodes[node].first + np.uint32(k))
            most = max(most, news_of(tree, heard, below, child))
        below[node] = most if most >= least else np.float32(0.0)


@inline
def fill_row(game, tree, rows, nodes, row, parent, node):
    """A row with the node's own work."""
    place = np.uint32(row)
    nodes[place] = node
    rows[place].parent = parent
    rows[place].move = tree.nodes[node].move
    rows[place].visits = own_visits(tree, node, False)
    for slot in range(game.slots):
        rows[place].sums[slot] = tree.nodes[node].sums[slot] - tree.received[node].sums[slot]


@inline
def push(keys, heap, n, key, node, row):
    """A candidate more on a heap of n: the greatest key on top, the lowest node among equals."""
    at = n
    while at > 0:
        above = (at - 1) >> 1
        if not comes_before(key, node, keys[above], heap[above, 0]):
            break
        keys[at] = keys[above]
        heap[at, 0], heap[at, 1] = heap[above, 0], heap[above, 1]
        at = above
    keys[at] = key
    heap[at, 0], heap[at, 1] = node, row


@inline
def drop_first(keys, heap, n):
    """The heap of n candidates that is left when the first is gone; the last one stands at place n."""
    key, node, row = keys[n], heap[n, 0], heap[n, 1]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= n:
            break
        if below + 1 < n and comes_before(
            keys[below + 1], heap[below + 1, 0], keys[below], heap[below, 0]
        ):
            below += 1
        if not comes_before(keys[below], heap[below, 0], key, node):
            break
        keys[at] = keys[below]
        heap[at, 0], heap[at, 1] = heap[below, 0], heap[below, 1]
        at = below
    keys[at] = key
    heap[at, 0], heap[at, 1] = node, row


@inline
def comes_before(key, node, other_key, other_node):
    return key > other_key or (key == other_key and node < other_node)


@bare_entry
def take_news(game, tree, desk, settings, rows, nodes, said):
    """Take in a sender's rows, each in the place of what it said of that node before; how many were new.

    What speaks of fewer visits than were heard of is older, and is left out.
    """
    taken = 0
    nodes[0] = 0
    rows[0].alive = 1
    for row in range(rows.shape[0]):
        if row > 0:
            parent = np.uint32(rows[row].parent)
            rows[row].alive = 0
            if rows[parent].alive == 0:
                continue
            if tree.nodes[nodes[parent]].count == 0:
                grow(game, tree, desk, settings, rows, parent, nodes)
            nodes[row] = child_of(tree, nodes[parent], rows[row].move)
            rows[row].alive = nodes[row] != 0
        if rows[row].alive != 0 and rows[row].visits > said[nodes[row]].visits:
            replace(game, tree, desk, rows, row, nodes, said)
            taken += 1
    return taken


@inline
def replace(game, tree, desk, rows, row, nodes, said):
    """Add to a node what a row says beyond what was said before."""
    node = np.uint32(nodes[row])
    more = np.uint32(rows[row].visits - said[node].visits)
    tree.nodes[node].visits += more
    tree.received[node].visits += more
    if tree.squares.shape[0] > 1 and row > 0:
        chooser = int(tree.nodes[nodes[rows[row].parent]].seat)
        tree.squares[node] += most_squares(game, desk, chooser, rows, row)
        tree.squares[node] -= most_squares(game, desk, chooser, said, node)
    for slot in range(game.slots):
        more_sum = rows[row].sums[slot] - said[node].sums[slot]
        tree.nodes[node].sums[slot] += more_sum
        tree.received[node].sums[slot] += more_sum
        said[node].sums[slot] = rows[row].sums[slot]
    said[node].visits = rows[row].visits


@bare_entry
def node_below(tree, moves):
    """The node that these moves of the tree lead to; 0 where one of them is none."""
    node = np.uint32(0)
    for move in moves:
        node = child_of(tree, node, move)
        if node == 0:
            return node
    return node


@bare_entry
def renumber(old, new, root, places):
    """`places[node]`: which number each node of `new` had in `old`, where it grew below `root`; 0 if none."""
    places[0] = root
    for node in range(places.shape[0]):
        before = np.uint32(places[node])
        known = node == 0 or before != 0
        first = np.uint32(new.nodes[node].first)
        for k in range(new.nodes[node].count):
            child = np.uint32(first + np.uint32(k))
            places[child] = child_of(old, before, new.nodes[child].move) if known else 0
