"""MoGo's 3x3 patterns, one table for any number of colours: shapes round an empty point worth a move.

One bit of the table says of a colour's view of a point (views.py) whether some pattern of Gelly, Wang,
Munos and Teytaud (2006) matches. The words k and k' below are a
side, friends or enemies, and the other side; all turns and mirrors of a pattern count.

In the middle of the board, U a neighbour of the point, L and R the two beside it, D the one opposite:

- hane: two or three neighbours are free, and either (H1) k at U, k' at both points beside U, L and R
  free; or (H2) k at U, k' at one of those and the other free, L, R and D free; or (H3) k at U, k' at L,
  the point between them occupied, R and D free; or (H4) an enemy at U, of the points beside U one a
  friend's and one an enemy's, L, R and D free.
- cut: (C1) k at two neighbours that touch one corner point and k' at that point, unless k has three
  neighbours and the fourth is free; (C2) k at L and R and at no other neighbour, k' at U, no k at the two
  points beside D, k at no more than two of all four corner points.

At the edge, U inward of the point, L and R along the edge, A and B the corner points beside U on the
side of L and R: (E1) U free, k at L, k' at A; (E2) k at U and not at L and R, k' at L; (E3) a friend at U
and an enemy at A; (E4) an enemy at U, a friend at A, no enemy at L; (E5) an enemy at U and L, friends at
R and A.

No pattern has only free neighbours, and none is about a corner of the board.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import inline
from manyminds.games.go.views import ENEMY, FREE, FRIEND, OUTSIDE, PLACES, view

_BESIDE = PLACES[:4]
Place = tuple[int, int]


class _Views:
    """All 65,536 views at once: each question is answered for every one of them."""

    def __init__(self) -> None:
        numbers = np.arange(1 << 16)
        self.seen = {
            place: (numbers >> (2 * k) & 3).astype(np.uint8) for k, place in enumerate(PLACES)
        }

    def at(self, place: Place, side: int) -> np.ndarray:
        return self.seen[place] == side

    def beside(self, side: int) -> np.ndarray:
        """How many of the four neighbours are so."""
        return self.count(_BESIDE, side)

    def count(self, places: tuple[Place, ...], side: int) -> np.ndarray:
        first, *others = (self.at(place, side).view(np.uint8) for place in places)
        return sum(others, start=first)


def _sum(one: Place, other: Place) -> Place:
    return one[0] + other[0], one[1] + other[1]


def _back(place: Place) -> Place:
    return -place[0], -place[1]


def _hane(views: _Views, up: Place, left: Place, k: int) -> np.ndarray:
    """One of H1 to H4 with k at `up`, turned and mirrored as given."""
    right, corner, other_corner = _back(left), _sum(up, left), _sum(up, _back(left))
    at, foe, free = views.at, FRIEND + ENEMY - k, views.beside(FREE)
    first = at(corner, foe) & at(other_corner, foe) & at(left, FREE) & at(right, FREE)
    second = (free == 3) & at(corner, foe) & at(other_corner, FREE)
    third = (free == 2) & at(left, foe) & ~at(corner, FREE)
    hane = first | second | third
    if k == ENEMY:
        hane = hane | (free == 3) & at(corner, FRIEND) & at(other_corner, ENEMY)
    return at(up, k) & hane & (free >= 2) & (free <= 3)


def _cut(views: _Views, up: Place, left: Place, k: int) -> np.ndarray:
    """C1 with k at `up` and `left`, or C2 with k on both sides and k' at `up`."""
    right, down = _back(left), _back(up)
    at, foe = views.at, FRIEND + ENEMY - k
    three = (views.beside(k) == 3) & (views.beside(FREE) == 1)
    first = at(up, k) & at(left, k) & at(_sum(up, left), foe) & ~three
    corners = views.count(PLACES[4:], k)
    second = at(left, k) & at(right, k) & (views.beside(k) == 2) & at(up, foe)
    second = second & ~at(_sum(down, left), k) & ~at(_sum(down, right), k) & (corners <= 2)
    return first | second


def _at_edge(views: _Views, up: Place, left: Place, k: int) -> np.ndarray:
    """One of E1 to E5, the edge behind the point as seen from `up`."""
    right, corner = _back(left), _sum(up, left)
    at, foe = views.at, FRIEND + ENEMY - k
    match = at(up, FREE) & at(left, k) & at(corner, foe)
    match = match | at(up, k) & ~at(left, k) & ~at(right, k) & at(left, foe)
    match = match | at(up, FRIEND) & at(corner, ENEMY)
    match = match | at(up, ENEMY) & at(corner, FRIEND) & ~at(left, ENEMY)
    match = match | at(up, ENEMY) & at(left, ENEMY) & at(right, FRIEND) & at(corner, FRIEND)
    return at(_back(up), OUTSIDE) & match


def matching_views() -> np.ndarray:
    """bool[65536], by the number of a view: whether a pattern matches there."""
    views = _Views()
    walls = views.beside(OUTSIDE)
    matches = np.zeros(1 << 16, bool)
    for up in _BESIDE:
        for left in ((up[1], up[0]), (-up[1], -up[0])):
            for k in (FRIEND, ENEMY):
                inside = _hane(views, up, left, k) | _cut(views, up, left, k)
                matches |= (walls == 0) & inside
                matches |= (walls == 1) & _at_edge(views, up, left, k)
    return matches & (views.beside(FREE) + walls < 4)


# One bit a view, so that the table stays in the nearest cache.
_TABLE = np.packbits(matching_views(), bitorder="little").view(np.uint32)


@inline
def matches(board, point, colour):
    """Whether a pattern matches round an empty point, for a colour."""
    seen = np.uint32(view(board, point, colour))
    return (_TABLE[seen >> 5] >> (seen & 31)) & 1 != 0
