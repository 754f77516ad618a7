"""Counting a Go board: Chinese rules for any number of colours, and rewards for a search.

A colour has its stones and the empty points that only it surrounds: all stones at the border of the
empty region are its own (Cazenave 2008, section 3). In two colours this is Tromp-Taylor's area.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline, kernel
from manyminds.games.go.board import (
    EMPTY,
    POINTS,
    STRIDE,
    WALL,
    count_around,
    neighbours,
    surrounded,
)

BY_POINTS, BY_WIN = 0, 1


@bare_kernel
def count_stones(board, out):
    """The stones of each colour, in `out[colour - 1]`."""
    first, last = STRIDE, (board.height + 1) * STRIDE
    for colour in range(1, board.colours + 1):
        n = 0
        for p in range(first, last):
            n += board.color[np.uint32(p)] == colour
        out[colour - 1] = n


@inline
def _sole_neighbour(board, point):
    """The one colour that surrounds an empty point; 0 when there are several or none."""
    for colour in range(1, board.colours + 1):
        if surrounded(board, point, colour):
            return colour
    return 0


@bare_kernel
def _fill_region(board, start, seen, stack):
    """Walk the empty region of `start`: (its size, the only colour at its border or 0)."""
    seen[start] = 1
    stack[0] = start
    height, size = 1, 0
    owner, several = 0, False
    while height > 0:
        height -= 1
        point = stack[height]
        size += 1
        for q in neighbours(point):
            content = int(board.color[q])
            if content == EMPTY:
                if seen[q] == 0:
                    seen[q] = 1
                    stack[height] = q
                    height += 1
            elif content != WALL:
                several |= owner != 0 and owner != content
                owner = content
    return size, (0 if several else owner)


@kernel
def _count_regions(board, out):
    """Add the empty regions of two points and more to their owners."""
    seen = np.zeros(POINTS, np.uint8)
    stack = np.empty(POINTS, np.uint16)
    for k in range(board.empties):
        point = board.empty[np.uint32(k)]
        if seen[point] == 0 and count_around(board, point, EMPTY) != 0:
            size, owner = _fill_region(board, point, seen, stack)
            if owner != 0:
                out[owner - 1] += size


@bare_kernel
def area(board, out):
    """Stones and surrounded empty points of each colour, in `out[colour - 1]`; komi not yet added.

    At the end of a playout nearly all empty points stand alone, so those are counted in one pass.
    """
    count_stones(board, out)
    regions = False
    for k in range(board.empties):
        point = board.empty[np.uint32(k)]
        if count_around(board, point, EMPTY) != 0:
            regions = True
            continue
        owner = _sole_neighbour(board, point)
        if owner != 0:
            out[owner - 1] += 1
    if regions:
        _count_regions(board, out)


@bare_kernel
def points(board, out):
    """What people count: area and komi."""
    area(board, out)
    for colour in range(1, board.colours + 1):
        out[colour - 1] += board.komi[colour]


@bare_kernel
def rewards(board, out, settings):
    """Each colour's share of all points, or of the win (shared by equals), by `settings.reward`.

    With a win's `margin` m the reward is (1 - m) * win + m * share of points.
    """
    points(board, out)
    total, best, winners = 0.0, out[0], 0
    for seat in range(board.colours):
        total += max(out[seat], 0.0)
        if out[seat] > best:
            best = out[seat]
    for seat in range(board.colours):
        winners += out[seat] == best
    whole = max(float(board.width * board.height), total)
    margin = 1.0 if settings.reward == BY_POINTS else settings.margin
    for seat in range(board.colours):
        share = max(out[seat], 0.0) / whole
        win = 1.0 / winners if out[seat] == best else 0.0
        out[seat] = (1.0 - margin) * win + margin * share
