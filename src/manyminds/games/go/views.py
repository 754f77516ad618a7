"""What surrounds a point: the eight points round it as one number, two bits for each.

A view of a colour has FREE, FRIEND, ENEMY (any other colour) or OUTSIDE for each of the places, in their
order from the lowest bits. With two colours the board keeps all views as stones come and go, which is
cheaper for whoever asks for many than to look again: `board.views[p]` is Black's view of p as long as
`board.viewed` is set. Who changes the board by `place` alone has to clear that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.bits import lowest_bit
from manyminds.core.kernel import bare_kernel, inline
from manyminds.games.go.board import (
    EMPTY,
    MOST_COLOURS,
    STRIDE,
    WALL,
    diagonals,
    neighbours,
    place,
)

FREE, FRIEND, ENEMY, OUTSIDE = 0, 1, 2, 3

# Where each of the eight points lies, as (row, column) from the middle, in the order of their bits:
# that of the kernels `neighbours` and `diagonals`.
PLACES = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))
STEPS = np.array([row * STRIDE + column for row, column in PLACES], np.int32)

_ALL_ENEMIES = sum(ENEMY << (2 * colour) for colour in range(1, MOST_COLOURS + 1)) | (
    OUTSIDE << (2 * WALL)
)
_LOW, _HIGH = 0x5555, 0xAAAA  # each field's two bits: exchanged, friends are enemies
_BESIDE = 0x55  # the low bits of the first four


def begin_views(board: Any) -> None:
    """Write the views of a board without stones, which it keeps from then on if it has two colours."""
    board.viewed = board.colours == 2
    for point in board.empty[: board.empties].tolist():
        for k, (row, column) in enumerate(PLACES):
            if board.color[point + row * STRIDE + column] == WALL:
                board.views[point] |= np.uint16(OUTSIDE << (2 * k))


@inline
def put(board, point, colour):
    """`place`, and the views with it where the board keeps them."""
    before = int(board.empties)
    place(board, point, colour)
    if board.viewed:
        _change_views(board, point, colour)
        taken = int(board.empties) - before + 1
        if taken > 0:
            _forget(board, np.uint32(point), 3 - int(colour), taken)


@inline
def _change_views(board, point, colour):
    """Write into the views round a point that a stone of Black (1) or White (2) has come, or gone."""
    n0, n1, n2, n3 = neighbours(point)
    d0, d1, d2, d3 = diagonals(point)
    board.views[n0] ^= np.uint16(colour << 6)
    board.views[n1] ^= np.uint16(colour << 4)
    board.views[n2] ^= np.uint16(colour << 2)
    board.views[n3] ^= np.uint16(colour)
    board.views[d0] ^= np.uint16(colour << 14)
    board.views[d1] ^= np.uint16(colour << 12)
    board.views[d2] ^= np.uint16(colour << 10)
    board.views[d3] ^= np.uint16(colour << 8)


@bare_kernel
def _forget(board, point, colour, taken):
    """Take the stones out of the views that a new stone has just taken."""
    if taken == 1:  # it may be among the eyes; the new stone's own view still knows it
        seen = int(board.views[point])
        for q in neighbours(point):
            if board.color[q] == EMPTY and seen & 3 != FREE:
                _change_views(board, q, colour)
            seen >>= 2
    else:
        for k in range(int(board.empties) - taken, int(board.empties)):
            _change_views(board, np.uint32(board.empty[np.uint32(k)]), colour)


@inline
def view(board, point, colour):
    """A colour's view of a point."""
    if board.viewed:
        seen = int(board.views[point])
        return (seen & _LOW) << 1 | (seen & _HIGH) >> 1 if colour == 2 else seen
    return look(board, np.uint32(point), int(colour))


@bare_kernel
def look(board, point, colour):
    """The same, seen anew."""
    sides = sides_for(colour)
    seen, shift = 0, 0
    for q in neighbours(point):
        seen |= ((sides >> (2 * int(board.color[q]))) & 3) << shift
        shift += 2
    for q in diagonals(point):
        seen |= ((sides >> (2 * int(board.color[q]))) & 3) << shift
        shift += 2
    return seen


# --- sets of places: bit 2 k for place k ------------------------------------------------------------


@inline
def beside(board, point, content):
    """Those of the four places beside a point that are EMPTY or hold a colour's stone."""
    if board.viewed:
        return _alike(int(board.views[point]), content) & _BESIDE
    n0, n1, n2, n3 = neighbours(point)
    found = int(board.color[n0] == content) | int(board.color[n1] == content) << 2
    return found | int(board.color[n2] == content) << 4 | int(board.color[n3] == content) << 6


@inline
def free_round(board, point):
    """Those of all eight places that are EMPTY."""
    return _alike(view(board, point, 1), EMPTY)


@inline
def _alike(seen, content):
    """The places of a view with one content."""
    others = seen ^ (content * _LOW)
    return ~(others | others >> 1) & _LOW


@inline
def first_of(places, point):
    """The point at the first place of a set round another point; there is one."""
    return np.uint32(int(point) + STEPS[np.uint32(lowest_bit(places) >> 1)])


@inline
def but_first(places):
    """A set without its first place."""
    return places & (places - 1)


@inline
def sides_for(colour):
    """What each content of a point is to a colour, two bits each by content."""
    return _ALL_ENEMIES ^ ((ENEMY ^ FRIEND) << (2 * int(colour)))
