"""What searches tell each other: results of single simulations, and cuts through a tree.

Both are paths from the root with visits and rewards. What a search tells is its own work: the visits
that it received are kept apart and taken off, unless echoes are asked for.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.core.kernel import bare_entry, bare_kernel, inline
from manyminds.search.access import ALONE
from manyminds.search.loop import add_children, back_up_squares, child_with, follow_edge, weighted
from manyminds.search.tree import ONE

ROOT = 65535  # `parent` of an entry that hangs from the root
MOST_ENTRIES = ROOT
MOST_VISITS = 2**31  # that one cut may speak of


@functools.lru_cache  # making one takes as long as taking in a small cut
def cut_dtype(slots: int) -> np.dtype:
    """An entry of a cut: the number of the entry above it, its move, and, in the cut itself, its own work.

    visits is 0 where an entry only leads to others.
    """
    return np.dtype(
        [("parent", "<u2"), ("move", "<u4"), ("visits", "<u4"), ("sums", "<i8", (slots,))]
    )


@functools.lru_cache
def taken_dtype(slots: int) -> np.dtype:
    """A row of what was taken in; row 0 is the root, row k the cut's entry k - 1.

    visits and sums: of the entry and all below it, as they were added to its node. alive: 0 where the
    tree has no such node, so that nothing was.
    """
    fields = [
        ("parent", np.uint32),
        ("move", np.uint32),
        ("visits", np.uint32),
        ("alive", np.uint32),
        ("sums", np.int64, (slots,)),
    ]
    return np.dtype(fields, align=True)


@dataclass(frozen=True, eq=False)
class Cut:
    """Nodes such that every path from the root to the leaves meets exactly one, with their own work."""

    entries: np.ndarray

    @property
    def visits(self) -> int:
        """All simulations that the cut speaks of."""
        return int(self.entries["visits"].sum(dtype=np.int64))

    def __len__(self) -> int:
        return int((self.entries["visits"] > 0).sum())

    def path(self, entry_number: int) -> tuple[int, ...]:
        """The moves from the root to an entry, one an edge."""
        moves: list[int] = []
        while entry_number != ROOT:
            moves.append(int(self.entries[entry_number]["move"]))
            entry_number = int(self.entries[entry_number]["parent"])
        return tuple(reversed(moves))

    def totals(self) -> dict[int, int]:
        """Visits of each last move, whatever came before it: how often a next move was made."""
        sums: dict[int, int] = {}
        for row in self.entries[self.entries["visits"] > 0]:
            sums[int(row["move"])] = sums.get(int(row["move"]), 0) + int(row["visits"])
        return sums

    def values(self) -> np.ndarray:
        """Mean rewards by entry and team."""
        visits = np.maximum(self.entries["visits"].astype(np.int64), 1)
        return self.entries["sums"] / (ONE * visits[:, None])

    def pack(self) -> bytes:
        """The entries' bytes."""
        return self.entries.tobytes()

    @staticmethod
    def unpack(data: bytes, teams: int) -> Cut:
        """The cut whose bytes these are; refuses bytes that no search of so many teams can have packed."""
        dtype = cut_dtype(teams)
        if len(data) % dtype.itemsize or len(data) > MOST_ENTRIES * dtype.itemsize:
            raise UsageError(
                f"a cut takes {dtype.itemsize} bytes for each of its entries (at most {MOST_ENTRIES}), "
                f"not {len(data)} in all"
            )
        entries = np.frombuffer(bytearray(data), dtype).view(np.recarray)
        above, visits = entries["parent"], entries["visits"].astype(np.int64)
        if ((above != ROOT) & (above >= np.arange(len(entries)))).any():
            raise UsageError("in a cut, every entry stands behind the one above it")
        if (
            visits.sum() >= MOST_VISITS
            or not ((entries["sums"] >= 0) & (entries["sums"] <= visits[:, None] * ONE)).all()
        ):
            raise UsageError("a cut's mean rewards are from 0 to 1")
        return Cut(entries)


@inline
def own_visits(tree, node, echo):
    """Visits that are this search's own."""
    if echo or tree.received.shape[0] == 1:
        return int(tree.nodes[node].visits)
    return int(tree.nodes[node].visits) - int(tree.received[node].visits)


@inline
def fill_entry(game, tree, entries, place, parent, node, echo):
    """Write an entry of a cut with the node's own work."""
    entries[place].parent = parent
    entries[place].move = tree.nodes[node].move
    entries[place].visits = own_visits(tree, node, echo)
    for slot in range(game.slots):
        own = tree.nodes[node].sums[slot]
        if tree.received.shape[0] > 1 and not echo:
            own -= tree.received[node].sums[slot]
        entries[place].sums[slot] = own


@inline
def open_entry(game, tree, entries, nodes, opened, n, echo):
    """Replace an entry by its node's children, behind entry n: the new number of entries."""
    node = np.uint32(0) if opened == ROOT else np.uint32(nodes[opened])
    if opened != ROOT:
        entries[opened].visits = 0
        for slot in range(game.slots):
            entries[opened].sums[slot] = 0
    for k in range(tree.nodes[node].count):
        child = np.uint32(tree.nodes[node].first + np.uint32(k))
        nodes[n] = child
        fill_entry(game, tree, entries, n, opened, child, echo)
        n += 1
    return n


@bare_entry
def visit_count_cut(game, tree, entries, nodes, echo):
    """Open the most visited entry while the room of `entries` allows (Filip's algorithm 3.3); how many."""
    most = entries.shape[0]
    n = 0
    if 0 < tree.nodes[0].count <= most:
        n = open_entry(game, tree, entries, nodes, ROOT, 0, echo)
    while n > 0:
        best, most_visits = -1, 0
        for k in range(n):
            if tree.nodes[nodes[k]].count != 0 and int(entries[k].visits) > most_visits:
                best, most_visits = k, int(entries[k].visits)
        if best < 0 or n + int(tree.nodes[nodes[best]].count) > most:
            break
        n = open_entry(game, tree, entries, nodes, best, n, echo)
    return n


@bare_entry
def next_move_cut(game, tree, entries, nodes, seat, jointly, echo):
    """The children of the first nodes at which the seat chooses (Filip's algorithm 3.2); how many entries.

    Entries that lead to no such node have no visits. With `jointly`, a team's nodes are known by any
    of its seats. -1 when `entries` is too short.
    """
    n = 0
    opened = -1
    while opened < n:
        node = np.uint32(0) if opened < 0 else np.uint32(nodes[opened])
        if opened < 0 or not chooses(
            game, tree, nodes_parent(nodes, entries, opened), seat, jointly
        ):
            if n + int(tree.nodes[node].count) > entries.shape[0]:
                return -1
            n = open_entry(game, tree, entries, nodes, ROOT if opened < 0 else opened, n, echo)
        opened += 1
    return n


@inline
def chooses(game, tree, node, seat, jointly):
    """Whether the seat, or with `jointly` its team, chooses at a node."""
    chooser = int(tree.nodes[node].seat)
    if jointly and chooser >= 0:
        return game.slot(chooser) == game.slot(seat)
    return chooser == seat


@inline
def nodes_parent(nodes, entries, place):
    """The node above an entry's node."""
    parent = int(entries[place].parent)
    return np.uint32(0) if parent == ROOT else np.uint32(nodes[parent])


# --- taking in and out -----------------------------------------------------------------------------


@bare_entry
def take_in(game, tree, desk, settings, entries, n, taken, nodes):
    """Take in another search's cut: its work goes to all nodes on the way, and nodes that lack are made.

    `taken` gets n + 1 rows, which `take_out` needs; `nodes` is as long. An entry whose move is not one
    adds to the nodes above it.
    """
    add_up(game, entries, n, taken)
    nodes[0] = 0
    for row in range(1, n + 1):
        parent = np.uint32(taken[row].parent)
        if taken[row].visits == 0 or taken[parent].alive == 0:
            continue
        if tree.nodes[nodes[parent]].count == 0:
            grow(game, tree, desk, settings, taken, parent, nodes)
        nodes[row] = child_of(tree, nodes[parent], taken[row].move)
        taken[row].alive = nodes[row] != 0
    add_work(game, tree, desk, taken, n + 1, nodes, 1)


@bare_entry
def take_out(game, tree, desk, taken, n, nodes):
    """Take out what was taken in: the tree's numbers are as if it had never been."""
    find_rows(tree, taken, n, nodes)
    add_work(game, tree, desk, taken, n, nodes, -1)


@bare_entry
def find_rows(tree, taken, n, nodes):
    """The nodes of all rows. Those that the tree has dropped are alive no more."""
    nodes[0] = 0
    for row in range(1, n):
        if taken[row].alive != 0:
            parent = np.uint32(taken[row].parent)
            if taken[parent].alive != 0:
                nodes[row] = child_of(tree, nodes[parent], taken[row].move)
            taken[row].alive = taken[parent].alive != 0 and nodes[row] != 0


@inline
def add_up(game, entries, n, taken):
    """Rows from entries: each with the work of all below it, the root's with that of all.

    Entries that do not stand behind the one above them hang nowhere, and count nowhere.
    """
    taken[0].alive = 1
    for k in range(n):
        parent = int(entries[k].parent)
        taken[k + 1].parent = 0 if parent == ROOT else parent + 1
        taken[k + 1].move = entries[k].move
        if parent == ROOT or parent < k:
            taken[k + 1].visits = entries[k].visits
            for slot in range(game.slots):
                taken[k + 1].sums[slot] = entries[k].sums[slot]
        else:
            taken[k + 1].parent = 0
    for row in range(n, 0, -1):
        above = np.uint32(taken[row].parent)
        if taken[row].visits != 0:
            taken[above].visits += taken[row].visits
            for slot in range(game.slots):
                taken[above].sums[slot] += taken[row].sums[slot]


@inline
def add_work(game, tree, desk, taken, n, nodes, sign):
    """Add the rows' work to their nodes, or take it off."""
    for row in range(n):
        if taken[row].alive == 0:
            continue
        node = np.uint32(nodes[row])
        visits = np.uint32(taken[row].visits)
        if sign > 0:
            tree.nodes[node].visits += visits
            tree.received[node].visits += visits
        else:
            tree.nodes[node].visits -= visits
            tree.received[node].visits -= visits
        for slot in range(game.slots):
            tree.nodes[node].sums[slot] += sign * taken[row].sums[slot]
            tree.received[node].sums[slot] += sign * taken[row].sums[slot]
        if tree.squares.shape[0] > 1 and row > 0:
            chooser = int(tree.nodes[nodes[taken[row].parent]].seat)
            tree.squares[node] += sign * most_squares(game, desk, chooser, taken, row)


@inline
def most_squares(game, desk, seat, taken, row):
    """The most that squared rewards can come to, as a seat weighs them, in units of 1 / ONE.

    A cut tells sums only. Rewards x between l and h have x * x <= (l + h) x - l h, and all of them do
    where games are won or lost.
    """
    if seat < 0:
        return 0
    low, high = 0.0, 0.0
    for slot in range(game.slots):
        low += min(desk.weights[seat, slot], 0.0)
        high += max(desk.weights[seat, slot], 0.0)
    total = weighted(game, desk, taken[row].sums, seat)
    return int(((low + high) * total - low * high * taken[row].visits) * ONE + 0.5)


@inline
def child_of(tree, node, move):
    """The child by a move; 0 when there is none."""
    return child_with(tree, np.uint32(node), move)


@bare_kernel
def grow(game, tree, desk, settings, taken, row, nodes):
    """Give the node of a row its children, by playing up to it from the root."""
    depth = 0
    at = row
    while at != 0 and depth < desk.path.shape[0]:
        desk.path[np.uint32(depth)] = at
        depth += 1
        at = taken[np.uint32(at)].parent
    game.copy(desk.state, desk.root)
    desk.trace.n = 0
    follow_edge(game, desk, settings, int(tree.nodes[0].length))
    for d in range(depth - 1, -1, -1):
        place = desk.path[np.uint32(d)]
        game.play(desk.state, taken[place].move)
        desk.trace.n += 1
        follow_edge(game, desk, settings, int(tree.nodes[nodes[place]].length) - 1)
    node = np.uint32(nodes[row])
    add_children(game, ALONE, tree, desk, settings, node, int(tree.nodes[node].length))


@bare_entry
def reroot(game, taken, n, move, kept, places):
    """What is left of `taken` when the root moves along the edge of a move: rows in `kept`; how many.

    `places` is as long as `taken`. The child's row becomes the root's.
    """
    count = 1
    places[0] = n  # nowhere
    kept[0].alive = 1
    for row in range(1, n):
        places[row] = n
        parent = np.uint32(taken[row].parent)
        if taken[row].alive == 0:
            continue
        if parent == 0 and taken[row].move == move:
            places[row] = 0
            kept[0].visits += taken[row].visits
            for slot in range(game.slots):
                kept[0].sums[slot] += taken[row].sums[slot]
        elif places[parent] != n:
            kept[count] = taken[row]
            kept[count].parent = places[parent]
            places[row] = count
            count += 1
    return count


@bare_entry
def take_in_results(game, tree, desk, settings, results, n):
    """Take in simulations one by one: each adds to all nodes of its path, as far as that can be followed."""
    for k in range(n):
        most = min(int(results[k].n), results[k].moves.shape[0])
        depth = follow(game, tree, desk, settings, results[k].moves, most)
        for slot in range(game.slots):
            desk.sums[slot] = results[k].sums[slot]
        for d in range(depth + 1):
            node = desk.path[np.uint32(d)]
            tree.nodes[node].visits += np.uint32(1)
            tree.received[node].visits += np.uint32(1)
            for slot in range(game.slots):
                tree.nodes[node].sums[slot] += desk.sums[slot]
                tree.received[node].sums[slot] += desk.sums[slot]
        if tree.squares.shape[0] > 1:
            back_up_squares(game, ALONE, tree, desk, depth)


@bare_kernel
def walk(tree, desk, moves, most):
    """Follow moves through nodes that are there; the depth reached. The path is left on the desk."""
    node = np.uint32(0)
    desk.path[0] = node
    for d in range(most):
        node = child_with(tree, node, moves[d])
        if node == 0:
            return d
        desk.path[np.uint32(d + 1)] = node
    return most


@bare_kernel
def follow(game, tree, desk, settings, moves, n):
    """Follow moves and make the nodes that lack; the depth reached, less than n when a move is not one."""
    n = min(n, desk.path.shape[0] - 1)
    depth = walk(tree, desk, moves, n)
    if depth == n or tree.nodes[desk.path[np.uint32(depth)]].count != 0:
        return depth
    game.copy(desk.state, desk.root)
    desk.trace.n = 0
    node = np.uint32(0)
    follow_edge(game, desk, settings, int(tree.nodes[node].length))
    for d in range(n):
        length = int(tree.nodes[node].length)
        if tree.nodes[node].count == 0 and not add_children(
            game, ALONE, tree, desk, settings, node, length
        ):
            return d
        node = child_with(tree, node, moves[d])
        if node == 0:
            return d
        desk.path[np.uint32(d + 1)] = node
        game.play(desk.state, tree.nodes[node].move)
        desk.trace.n += 1
        follow_edge(game, desk, settings, int(tree.nodes[node].length) - 1)
    return n


# --- room for them ---------------------------------------------------------------------------------


def new_entries(slots: int, most: int) -> tuple[Any, np.ndarray]:
    """Room for a cut, and for the nodes it speaks of."""
    entries = np.zeros(most, cut_dtype(slots)).view(np.recarray)
    return entries, np.zeros(most, np.uint32)


def new_taken(slots: int, entries: int) -> tuple[Any, np.ndarray]:
    """Room for what is taken in of a cut, and for the nodes it goes to."""
    taken = np.zeros(entries + 1, taken_dtype(slots)).view(np.recarray)
    return taken, np.zeros(entries + 1, np.uint32)


def shift_results(log: np.ndarray, first: int, end: int, move: int) -> int:
    """Fit results number `first` to `end` of the log to a root that moves along the edge of a move.

    Those that went another way are dropped. The number of the first that is left; the last is end - 1.
    """
    places = np.arange(first, end) % max(len(log), 1)
    results = log[places]
    left = results[(results["n"] > 0) & (results["moves"][:, 0] == move)]
    left["moves"][:, :-1] = left["moves"][:, 1:]
    left["n"] -= 1
    log[places[len(places) - len(left) :]] = left
    return end - len(left)
