"""Liberties as heuristics count them: distinct points, told where they are, as far as they matter.

The board itself counts pairs of a stone and an empty neighbour. One empty point is in at most four such
pairs, so that a chain with more than 4 n of them has more than n liberties, and only chains with few
have to be walked.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline
from manyminds.games.go.board import EMPTY, WALL, count_around, neighbours
from manyminds.games.go.views import beside, but_first, first_of

MANY = 3  # liberties are counted as 1, 2 and so many


@inline
def has_last_liberty_at(board, head, point):
    """Whether a chain beside an empty point is in atari, its last liberty there."""
    n0, n1, n2, n3 = neighbours(point)
    meets = int(board.head[n0] == head) + int(board.head[n1] == head)
    meets += int(board.head[n2] == head) + int(board.head[n3] == head)
    return board.liberties[head] == meets


@inline
def last_liberty(board, head):
    """The last liberty of a chain in atari; 0 for any other, and for the dummy chain 0."""
    if board.liberties[head] > 4 or count_around(board, np.uint32(head), EMPTY) > 1:
        return np.uint32(0)
    return _last_liberty(board, head)


@bare_kernel
def _last_liberty(board, head):
    liberty = np.uint32(0)
    left = int(board.liberties[head])
    stone = np.uint32(head)
    while left > 0:
        free = beside(board, stone, EMPTY)
        while free != 0:
            q = first_of(free, stone)
            free = but_first(free)
            left -= 1
            if liberty != 0 and q != liberty:
                return np.uint32(0)
            liberty = q
        stone = np.uint32(board.next_stone[stone])
    return liberty


@inline
def few_liberties(board, head):
    """(1, a, 0) for a chain in atari, (2, a, b) for one with the liberties a and b, else (MANY, 0, 0)."""
    if board.liberties[head] > 8 or count_around(board, np.uint32(head), EMPTY) > 2:
        return MANY, np.uint32(0), np.uint32(0)
    return _few_liberties(board, head)


@bare_kernel
def _few_liberties(board, head):
    first, second = np.uint32(0), np.uint32(0)
    left = int(board.liberties[head])
    stone = np.uint32(head)
    while left > 0:
        free = beside(board, stone, EMPTY)
        while free != 0:
            q = first_of(free, stone)
            free = but_first(free)
            left -= 1
            if first == 0:
                first = q
            elif q != first and q != second:
                if second != 0:
                    return MANY, np.uint32(0), np.uint32(0)
                second = q
        stone = np.uint32(board.next_stone[stone])
    return (1 if second == 0 else 2), first, second


@bare_kernel
def liberties_beyond(board, head, first, second):
    """How many liberties besides two points a chain has: 0, 1, or 2 for more as well."""
    if board.liberties[head] > 12:
        return 2
    left = int(board.liberties[head])
    found = np.uint32(0)
    stone = np.uint32(head)
    while left > 0:
        free = beside(board, stone, EMPTY)
        while free != 0:
            q = first_of(free, stone)
            free = but_first(free)
            left -= 1
            if q != first and q != second and q != found:
                if found != 0:
                    return 2
                found = q
        stone = np.uint32(board.next_stone[stone])
    return int(found != 0)


@inline
def self_atari(board, point, colour):
    """Whether a stone on an empty point would be in atari, as Fuego's playouts see it.

    Points that would be free afterwards count: free neighbours, other liberties of own chains beside the
    point, and of enemy chains that the stone takes the stones beside it. Exactly one is an atari, but not
    where it is a stone that was taken without any own stone beside the point (a ko is worth it), nor
    where another stone of the taken chain set an own chain free. None is a suicide, and no atari.
    """
    if count_around(board, point, EMPTY) >= 2:
        return False
    return _self_atari(board, point, colour)


@bare_kernel
def _self_atari(board, point, colour):
    liberty, taken, own = np.uint32(0), np.uint32(0), False
    for q in neighbours(point):
        content = board.color[q]
        more = np.uint32(0)
        if content == EMPTY:
            more = q
        elif content == colour:
            own = True
            n, first, second = few_liberties(board, np.uint32(board.head[q]))
            if n == MANY:
                return False
            more = second if first == point else first
        elif content != WALL and has_last_liberty_at(board, board.head[q], point):
            more = taken = q
        if more != 0 and more != liberty:
            if liberty != 0:
                return False
            liberty = more
    if taken != 0:
        return own and not _sets_free(board, point, colour, taken)
    return liberty != 0


@bare_kernel
def _sets_free(board, point, colour, taken):
    """Whether other stones of the chain at `taken` hold own chains whose last liberty is the point."""
    stone = np.uint32(board.next_stone[taken])
    while stone != taken:
        for q in neighbours(stone):
            if board.color[q] == colour and has_last_liberty_at(board, board.head[q], point):
                return True
        stone = np.uint32(board.next_stone[stone])
    return False
