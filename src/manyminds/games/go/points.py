"""Which points a playout by heuristics may play, and which moves it puts right: filter and correction.

After Fuego's playouts: the filter keeps them from filling simple eyes of either side, so that the end of
a playout can be counted; the correction moves a stone that would be in atari to the point beside it that
is better. Its releases differ in both (`FUEGO_04`, `FUEGO_041`). Any other colour is an enemy.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline
from manyminds.games.go.board import (
    EMPTY,
    SURROUNDED_BY_ONE,
    WALL,
    atari_beside,
    can_breathe,
    count_around,
    may_go,
    neighbours,
)
from manyminds.games.go.liberties import few_liberties, has_last_liberty_at, self_atari

NO_RELEASE, FUEGO_04, FUEGO_041 = 0, 1, 2  # of the correction, 0: none
_LARGEST_NAKADE = 6


@inline
def fits(board, point, colour, release):
    """The point filter: a legal point, and no eye of either side unless a chain round it is in atari.

    0.4.1 also leaves out mutual ataris. (It stops doing so once it has done it a hundred times more for
    one colour than for the other; here it never stops, as in Fuego's later versions.)
    """
    free = int(board.around[np.uint32(point)]) & 15
    if free >= 2 or (free == 1 and release != FUEGO_041):
        return point != board.ko
    return _fits(board, np.uint32(point), int(colour), int(release))


@bare_kernel
def _fits(board, point, colour, release):
    if point == board.ko:
        return False
    if int(board.around[point]) & 15 == 0:
        if int(board.around[point]) & SURROUNDED_BY_ONE != 0 and not atari_beside(board, point):
            return False
        if not can_breathe(board, point, colour):
            return False
    return release != FUEGO_041 or not mutual_atari(board, point, colour)


# --- mutual ataris ---------------------------------------------------------------------------------


@bare_kernel
def mutual_atari(board, point, colour):
    """Whether a point is a self-atari for either side that gives up stones for nothing."""
    return (
        self_atari(board, point, colour)
        and _self_atari_for_an_enemy(board, point, colour)
        and not _would_be_nakade(board, point, colour)
    )


@inline
def _self_atari_for_an_enemy(board, point, colour):
    found = False
    for q in neighbours(point):
        content = int(board.color[q])
        if content != EMPTY and content != WALL and content != colour:
            found |= self_atari(board, point, content)
    return found


@inline
def _would_be_nakade(board, point, colour):
    """Whether the chain that a stone makes has at most three stones, or a shape that takes an eye away.

    The shapes are known by how many neighbours each of their stones has: the square (2222) and the
    pyramid (1113) of four, the bulky five (12223) and the cross (11114), the rabbity six (112224).
    """
    size = 1
    n0, n1, n2, n3 = neighbours(point)
    h0, h1 = _own(board, n0, colour), _own(board, n1, colour)
    h2, h3 = _own(board, n2, colour), _own(board, n3, colour)
    h1 = h1 * int(h1 != h0)
    h2 = h2 * int((h2 != h0) & (h2 != h1))
    h3 = h3 * int((h3 != h0) & (h3 != h1) & (h3 != h2))
    if h0 != 0:
        size += int(board.stones[np.uint32(h0)])
    if h1 != 0:
        size += int(board.stones[np.uint32(h1)])
    if h2 != 0:
        size += int(board.stones[np.uint32(h2)])
    if h3 != 0:
        size += int(board.stones[np.uint32(h3)])
    if size <= 3 or size > _LARGEST_NAKADE:
        return size <= 3
    # Four bits a degree: how many stones have so many neighbours.
    degrees = 1 << (4 * (count_around(board, point, colour) - count_around(board, point, WALL)))
    degrees += _degrees(board, h0, point, colour) + _degrees(board, h1, point, colour)
    degrees += _degrees(board, h2, point, colour) + _degrees(board, h3, point, colour)
    return (
        (degrees == 0x00400)
        | (degrees == 0x01030)
        | (degrees == 0x01310)
        | (degrees == 0x10040)
        | (degrees == 0x10320)
    )


@inline
def _own(board, q, colour):
    return int(board.head[q]) if board.color[q] == colour else 0


@bare_kernel
def _degrees(board, head, point, colour):
    """How many stones of a chain have 0, 1, ... neighbours of their colour, four bits each, the point one."""
    if head == 0:
        return 0
    degrees = 0
    stone = np.uint32(head)
    while True:
        own = 0
        for q in neighbours(stone):
            own += int(board.color[q] == colour) + int(q == point)
        degrees += 1 << (4 * own)
        stone = np.uint32(board.next_stone[stone])
        if stone == head:
            return degrees


# --- the correction --------------------------------------------------------------------------------


@inline
def takes(board, point, colour):
    """Whether a stone there takes an enemy's chain."""
    found = False
    for q in neighbours(point):
        content = int(board.color[q])
        enemy = (content != EMPTY) & (content != WALL) & (content != colour)
        found |= enemy & has_last_liberty_at(board, board.head[q], point)
    return found


@inline
def corrected(board, point, colour, release):
    """The point to play instead of one that puts own stones into atari; itself where nothing is wrong."""
    if release == NO_RELEASE or int(board.around[point]) & 15 >= 2:
        return np.uint32(point)
    return _corrected(board, np.uint32(point), int(colour), int(release))


@bare_kernel
def _corrected(board, point, colour, release):
    own, free = False, np.uint32(0)
    for q in neighbours(point):
        own |= board.color[q] == colour
        free = q if board.color[q] == EMPTY else free
    if own:
        return _beside_own(board, point, colour, free)
    if free == 0 or not may_go(board, free, colour):
        return point
    roomy = count_around(board, free, EMPTY) >= 2
    if release == FUEGO_04:
        stays = roomy & takes(board, point, colour)
    else:
        stays = takes(board, point, colour) or not (roomy or takes(board, free, colour))
    return point if stays else free


@inline
def _beside_own(board, point, colour, free):
    """A self-atari beside own stones goes to the last liberty of the chain that it would make."""
    if not self_atari(board, point, colour):
        return point
    liberty = free
    for q in neighbours(point):
        if board.color[q] == colour:
            _, first, second = few_liberties(board, np.uint32(board.head[q]))
            other = second if first == point else first
            liberty = other if other != 0 else liberty
    if liberty == 0 or not may_go(board, liberty, colour) or self_atari(board, liberty, colour):
        return point
    return liberty
