"""A tree as text, for people: the most visited moves, what everybody gets after them, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from manyminds.search import calls
from manyminds.search.search import Search

_INDENT = "   "


def show_tree(search: Search, depth: int = 2, wide: int = 4) -> str:
    """The `wide` most visited moves at the root, and below each its answers, `depth` moves deep.

    A line has the move, its visits, and the mean reward of every seat after it; "then" comes before
    moves without a choice.
    """
    head = f"{search.simulations:,} simulations, {search.nodes:,} nodes"
    view = search.turns.state.unpack(search.desk.root.tobytes())
    forced = _forced(search, view, int(search.tree.nodes[0].length))
    if forced:
        head += f", then {forced}"
    return "\n".join([head, *_below(search, 0, view, depth, wide)])


def _below(search: Search, node: int, view: Any, depth: int, wide: int) -> Iterator[str]:
    """The lines of a node's children; `view` is the position at the node's choice."""
    if depth == 0:
        return
    for child in _most_visited(search, node, wide):
        row = search.tree.nodes[child]
        after = search.turns.state.unpack(view.tobytes())
        text = search.turns.name_of(view, int(row.move))
        calls.play(search.kernels, after, int(row.move))
        forced = _forced(search, after, int(row.length) - 1)
        text += f" then {forced}" if forced else ""
        yield f"{text}  {int(row.visits):,} visits  {_values(search, child)}"
        for line in _below(search, child, after, depth - 1, wide):
            yield _INDENT + line


def _most_visited(search: Search, node: int, wide: int) -> list[int]:
    first, count = int(search.tree.nodes[node].first), int(search.tree.nodes[node].count)
    visits = search.tree.nodes["visits"][first : first + count]
    order = np.argsort(-visits.astype(np.int64), kind="stable")[:wide]
    return [first + int(k) for k in order if visits[k] > 0]


def _forced(search: Search, view: Any, n: int) -> str:
    """Play n moves that have no other; their names."""
    names = []
    for _ in range(n):
        move = int(search.moves_at(view)[0])
        names.append(search.turns.name_of(view, move))
        calls.play(search.kernels, view, move)
    return " ".join(names)


def _values(search: Search, node: int) -> str:
    pairs = zip(search.game.seat_names, search.values_of(node), strict=True)
    return ", ".join(f"{name} {value:.3f}" for name, value in pairs)
