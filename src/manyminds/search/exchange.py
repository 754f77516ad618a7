"""What searches tell each other: results of single simulations, and cuts through a tree.

Both are paths from the root with visits and rewards. What a search tells is its own work: the visits
that it received are kept apart and taken off, unless echoes are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.core.kernel import bare_entry, bare_kernel, inline
from manyminds.search.desk import LOGGED_MOVES
from manyminds.search.loop import add_children, child_with, follow_edge
from manyminds.search.tree import ONE

ROOT = 65535  # `parent` of an entry that hangs from the root
MOST_ENTRIES = ROOT


def cut_dtype(slots: int) -> np.dtype:
    """An entry of a cut: the number of the entry above it, its move, and, in the cut itself, its own work.

    visits is 0 where an entry only leads to others.
    """
    return np.dtype(
        [("parent", "<u2"), ("move", "<u4"), ("visits", "<u4"), ("sums", "<i8", (slots,))]
    )


def paths_dtype(slots: int) -> np.dtype:
    """A path as it is taken in; `reached`: how far it could be followed."""
    fields = [
        ("n", np.uint32),
        ("moves", np.uint32, (LOGGED_MOVES,)),
        ("visits", np.uint32),
        ("reached", np.int32),
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
        visits = np.maximum(self.entries["visits"], 1)
        return self.entries["sums"] / (ONE * visits[:, None])

    def pack(self) -> bytes:
        """The entries' bytes."""
        return self.entries.tobytes()


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
def next_move_cut(game, tree, entries, nodes, seat, echo):
    """The children of the first nodes at which the seat chooses (Filip's algorithm 3.2); how many entries.

    -1 when `entries` is too short.
    """
    n = 0
    opened = -1
    while opened < n:
        node = np.uint32(0) if opened < 0 else np.uint32(nodes[opened])
        above = opened >= 0 and int(tree.nodes[nodes_parent(nodes, entries, opened)].seat) == seat
        if tree.nodes[node].count != 0 and not above:
            if n + int(tree.nodes[node].count) > entries.shape[0]:
                return -1
            n = open_entry(game, tree, entries, nodes, ROOT if opened < 0 else opened, n, echo)
        opened += 1
    return n


@inline
def nodes_parent(nodes, entries, place):
    """The node above an entry's node."""
    parent = int(entries[place].parent)
    return np.uint32(0) if parent == ROOT else np.uint32(nodes[parent])


@bare_entry
def cut_paths(entries, n, paths, slots):
    """Spell out the cut's entries with visits as paths; how many."""
    count = 0
    for k in range(n):
        if entries[k].visits == 0:
            continue
        depth = 0
        at = k
        while at != ROOT and depth < n:
            depth += 1
            at = int(entries[at].parent)
        if depth > paths[0].moves.shape[0]:
            continue
        at = k
        for d in range(depth - 1, -1, -1):
            paths[count].moves[d] = entries[at].move
            at = int(entries[at].parent)
        paths[count].n = depth
        paths[count].visits = entries[k].visits
        for slot in range(slots):
            paths[count].sums[slot] = entries[k].sums[slot]
        count += 1
    return count


@bare_entry
def absorb(game, tree, desk, settings, paths, n):
    """Take in others' work: add each path's visits and rewards to all its nodes, making those that lack.

    `reached` notes how far each path led, so that `retract` takes out exactly what was put in.
    """
    for k in range(n):
        paths[k].reached = follow(game, tree, desk, settings, paths[k].moves, int(paths[k].n))
        add_work(game, tree, desk, paths, k, 1)


@bare_entry
def retract(game, tree, desk, paths, n):
    """Take out what was absorbed."""
    for k in range(n):
        walk(tree, desk, paths[k].moves, int(paths[k].reached))
        add_work(game, tree, desk, paths, k, -1)


@inline
def add_work(game, tree, desk, paths, k, sign):
    for d in range(int(paths[k].reached) + 1):
        node = desk.path[np.uint32(d)]
        visits = np.uint32(paths[k].visits)
        if sign > 0:
            tree.nodes[node].visits += visits
            tree.received[node].visits += visits
        else:
            tree.nodes[node].visits -= visits
            tree.received[node].visits -= visits
        for slot in range(game.slots):
            tree.nodes[node].sums[slot] += sign * paths[k].sums[slot]
            tree.received[node].sums[slot] += sign * paths[k].sums[slot]


@bare_kernel
def walk(tree, desk, moves, most):
    """Follow moves through nodes that are there; the depth reached. The path is left on the desk."""
    node = np.uint32(0)
    desk.path[0] = node
    for d in range(most):
        node = child_with(tree, node, moves[d]) if tree.nodes[node].count != 0 else np.uint32(0)
        if node == 0:
            return d
        desk.path[np.uint32(d + 1)] = node
    return most


@bare_kernel
def follow(game, tree, desk, settings, moves, n):
    """Follow moves and make the nodes that lack; the depth reached, less than n when a move is not one."""
    depth = walk(tree, desk, moves, n)
    if depth == n or tree.nodes[desk.path[np.uint32(depth)]].count != 0:
        return depth
    game.copy(desk.state, desk.root)
    desk.trace.n = 0
    node = np.uint32(0)
    follow_edge(game, desk, settings, int(tree.nodes[node].length))
    for d in range(n):
        if tree.nodes[node].count == 0 and not add_children(game, tree, desk, settings, node):
            return d
        node = child_with(tree, node, moves[d])
        if node == 0:
            return d
        desk.path[np.uint32(d + 1)] = node
        game.play(desk.state, tree.nodes[node].move)
        follow_edge(game, desk, settings, int(tree.nodes[node].length) - 1)
    return n


def reroot(paths: np.ndarray, move: int) -> np.ndarray:
    """What is left of absorbed paths when the root moves on by an edge: those behind it, one move shorter.

    Of a path that ended at the new root or above it, nothing can be taken out there any more than at
    the root itself, so it stays with no moves when it led there.
    """
    behind = paths[
        (paths["n"] > 0) & (paths["moves"][:, 0] == move) & (paths["reached"] > 0)
    ].copy()
    behind["moves"][:, :-1] = behind["moves"][:, 1:]
    behind["n"] -= 1
    behind["reached"] -= 1
    return behind


def new_entries(slots: int, most: int) -> tuple[Any, np.ndarray]:
    """Room for a cut, and for the nodes it speaks of."""
    entries = np.zeros(most, cut_dtype(slots)).view(np.recarray)
    return entries, np.zeros(most, np.uint32)


def new_paths(slots: int, most: int) -> Any:
    """Room for paths."""
    return np.zeros(most, paths_dtype(slots)).view(np.recarray)
