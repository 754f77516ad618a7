"""The tree of a search: nodes in one array, children in one contiguous run, values as whole numbers.

A node is a position with a choice to make, reached from its parent by an edge of one move or, where
positions between had one move only, by several. Rewards are added up as multiples of 2**-30, so that
sums do not depend on their order, and what was taken in can be taken out again without a trace.
"""

from __future__ import annotations

import mmap
from typing import Any, NamedTuple

import numpy as np

from manyminds.core.bundle import bundle
from manyminds.core.record import copy_record, record

ONE = 1 << 30  # a reward of 1
MOST_EDGE = 255  # moves of one edge; longer runs of forced moves continue in a node with one child
MOST_CHILDREN = 65_535  # of one node
LEAF = 0  # `first` of a node without children (node 0 is the root, nobody's child)

HEAD = record(
    used="uint32",  # nodes in use
    full="uint32",  # 1: an expansion found no room
    simulations="uint64",  # made by this tree itself since it was new
    depth="uint32",  # the deepest path so far
    logged="uint64",  # results written to the log since it was last read
    taken="uint64",  # simulations that threads have taken on of the present run
    lock="uint32",  # 1: a thread has the whole tree to itself
    stop="uint32",  # 1: threads leave off; something went wrong
)
RAVE = np.dtype([("visits", np.float32), ("total", np.float32)], align=True)


def node_dtype(slots: int) -> np.dtype:
    """A node of a tree that keeps values for `slots` teams: 16 bytes, and 8 for each.

    visits: playouts from here and below, received ones and its prior's weight included.
    sums[slot]: rewards of these, in units of 1 / ONE. first, count: its children's run, LEAF and 0 if
    none. move: the first move of the edge to it. length: moves of that edge (at the root: forced moves
    before its choice). seat: who chooses here; -1 not known yet, -2 nature.
    """
    fields = [
        ("visits", np.uint32),
        ("first", np.uint32),
        ("move", np.uint32),
        ("count", np.uint16),
        ("length", np.uint8),
        ("seat", np.int8),
        ("sums", np.int64, (slots,)),
    ]
    return np.dtype(fields, align=True)


def received_dtype(slots: int) -> np.dtype:
    """The part of a node's visits and sums that is not the search's own work: others', and its prior's."""
    return np.dtype([("visits", np.uint32), ("sums", np.int64, (slots,))], align=True)


@bundle
class Tree(NamedTuple):
    """All arrays of a tree, indexed by node but for `amaf`. Those that a search does without have one entry.

    amaf[move, seat]: RAVE of every seat's every move over all playouts, wherever in the tree it was made.
    """

    head: Any
    nodes: np.ndarray
    rave: np.ndarray
    squares: (
        np.ndarray
    )  # int64, in units of 1 / ONE: squared rewards as the edge's mover weighs them
    received: np.ndarray
    amaf: np.ndarray
    locks: np.ndarray  # uint32, 1: a thread is at work on the node's children


class Needs(NamedTuple):
    """Which optional arrays a tree has; of `amaf`, its moves and seats."""

    rave: bool
    squares: bool
    received: bool
    locks: bool = False
    amaf: tuple[int, int] = (1, 1)


def new_tree(slots: int, capacity: int, needs: Needs) -> Tree:
    """A tree with a root and room for `capacity` nodes, which costs memory only where it is used."""
    head = HEAD.new()
    head.used = 1
    tree = Tree(
        head,
        reserve(capacity, node_dtype(slots)),
        reserve(capacity if needs.rave else 1, RAVE),
        reserve(capacity if needs.squares else 1, np.dtype(np.int64)),
        reserve(capacity if needs.received else 1, received_dtype(slots)),
        reserve(needs.amaf[0] * needs.amaf[1], RAVE).reshape(needs.amaf),
        reserve(capacity if needs.locks else 1, np.dtype(np.uint32)),
    )
    tree.nodes[0]["seat"] = -1
    return tree


def copy_tree(source: Tree, target: Tree) -> Tree:
    """Make an empty tree of the same needs equal to another, node for node."""
    copy_record(target.head, source.head)
    used = int(source.head.used)
    for old, new in zip(source[1:], target[1:], strict=True):
        new[:used] = old[:used]
    copy_amaf(source, target, 1.0)
    return target


def copy_amaf(source: Tree, target: Tree, share: float) -> None:
    """Begin a tree with so much of another's AMAF."""
    for name in RAVE.names or ():
        target.amaf[name] = source.amaf[name] * np.float32(share)


def bytes_per_node(slots: int, needs: Needs) -> int:
    """Memory of one node with all its optional parts."""
    optional = (
        needs.rave * RAVE.itemsize
        + needs.squares * 8
        + needs.received * received_dtype(slots).itemsize
        + needs.locks * 4
    )
    return node_dtype(slots).itemsize + optional


def reserve(n: int, dtype: np.dtype) -> np.ndarray:
    """Zeros in fresh pages of the system's, which take no memory before they are written to.

    Records can be read by field as `nodes[3].visits`, compiled and interpreted.
    """
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    pages = mmap.mmap(-1, max(n * dtype.itemsize, 1), flags=flags)
    values = np.frombuffer(pages, dtype, count=n)
    return values.view(np.recarray) if dtype.names else values
