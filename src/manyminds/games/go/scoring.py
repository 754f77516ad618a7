"""Counting a Go board: Chinese rules for any number of colours, and rewards for a search.

A colour has its stones and the empty points that only it surrounds: all stones at the border of the
empty region are its own (Cazenave 2008, section 3). In two colours this is Tromp-Taylor's area.

That is the scoring Normal, by which games are counted. A search that assumes coalitions may score its
playouts by Allies, where a region counts for every colour whose coalition has all stones at its border
(so that common eyes count for each member), or by Joint, where each member has the stones of the whole
coalition and, once, the regions that it surrounds (his 4.3).
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline, kernel
from manyminds.games.go.board import (
    EMPTY,
    POINTS,
    STRIDE,
    WALL,
    all_beside_are,
    count_around,
    neighbours,
    surrounded,
)

NO_ALLIES = (0, 0, 0, 0, 0, 0, 0, 0)
BY_POINTS, BY_WIN = 0, 1
NORMAL, ALLIES, JOINT = 0, 1, 2


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
    """Walk the empty region of `start`: (its size, the colours at its border, bit c for colour c)."""
    seen[start] = 1
    stack[0] = start
    height, size, border = 1, 0, 0
    while height > 0:
        height -= 1
        point = stack[height]
        size += 1
        for q in neighbours(point):
            content = int(board.color[q])
            if content != EMPTY:
                border |= 1 << content
            elif seen[q] == 0:
                seen[q] = 1
                stack[height] = q
                height += 1
    return size, border & ~(1 << WALL)


@kernel
def _count_regions(board, out, allies):
    """Add the empty regions of two points and more to all colours whose coalition surrounds them."""
    seen = np.zeros(POINTS, np.uint8)
    stack = np.empty(POINTS, np.uint16)
    for k in range(board.empties):
        point = board.empty[np.uint32(k)]
        if seen[point] == 0 and count_around(board, point, EMPTY) != 0:
            size, border = _fill_region(board, point, seen, stack)
            for colour in range(1, board.colours + 1):
                if border != 0 and border & ~_friends(allies, colour) == 0:
                    out[colour - 1] += size


@inline
def _friends(allies, colour):
    """A colour's coalition with itself, and walls: bit c for colour c, bit 7."""
    return int(allies[colour]) | (1 << colour) | (1 << WALL)


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
        _count_regions(board, out, NO_ALLIES)


@bare_kernel
def _add_common_area(board, out, allies):
    """Add the empty regions that each colour surrounds with its coalition."""
    regions = False
    for k in range(board.empties):
        point = board.empty[np.uint32(k)]
        if count_around(board, point, EMPTY) != 0:
            regions = True
            continue
        for colour in range(1, board.colours + 1):
            if all_beside_are(board, point, _friends(allies, colour)):
                out[colour - 1] += 1
    if regions:
        _count_regions(board, out, allies)


@bare_kernel
def _share_stones(board, out, allies):
    """Give every member of a coalition what all its members have."""
    for colour in range(1, board.colours + 1):
        friends = int(allies[colour]) & ~(1 << WALL)
        if friends == 0 or friends & ((1 << colour) - 1) != 0:
            continue  # alone, or shared out by its first member
        together = 0.0
        for other in range(colour, board.colours + 1):
            if (friends >> other) & 1 != 0:
                together += out[other - 1]
        for other in range(colour, board.colours + 1):
            if (friends >> other) & 1 != 0:
                out[other - 1] = together


@bare_kernel
def coalition_points(board, out, settings):
    """What a search counts for each colour by Allies or Joint (`settings.scoring`), with komi."""
    count_stones(board, out)
    for colour in range(1, board.colours + 1):
        out[colour - 1] += board.komi[colour]
    if settings.scoring == JOINT:
        _share_stones(board, out, settings.allies)
    _add_common_area(board, out, settings.allies)


@bare_kernel
def points(board, out):
    """What people count: area and komi."""
    area(board, out)
    for colour in range(1, board.colours + 1):
        out[colour - 1] += board.komi[colour]


@bare_kernel
def rewards(board, out, settings):
    """Each colour's share of all points, or of the win (shared by equals), by `settings.reward`.

    With a win's `margin` m the reward is (1 - m) * win + m * share of points. Points are those of
    `settings.scoring`; a member of a coalition does not share a win with another member.
    """
    whole = float(board.width * board.height)
    if settings.scoring == NORMAL:
        points(board, out)
        whole = max(whole, _total(board, out))
    else:
        for colour in range(1, board.colours + 1):
            whole += max(float(board.komi[colour]), 0.0)
        coalition_points(board, out, settings)
    best = out[0]
    for seat in range(1, board.colours):
        best = max(best, out[seat])
    margin = 1.0 if settings.reward == BY_POINTS else settings.margin
    winners = 0
    for seat in range(board.colours):
        winners |= int(out[seat] == best) << (seat + 1)
    for seat in range(board.colours):
        share = max(out[seat], 0.0) / whole
        win = _win(winners, seat + 1, settings.allies, board.colours)
        out[seat] = (1.0 - margin) * win + margin * share


@inline
def _total(board, out):
    total = 0.0
    for seat in range(board.colours):
        total += max(out[seat], 0.0)
    return total


@inline
def _win(winners, colour, allies, colours):
    """A colour's share of the win: 0 for a loser, else it is shared with the winners beyond its coalition."""
    if (winners >> colour) & 1 == 0:
        return 0.0
    others = winners & ~(int(allies[colour]) | (1 << colour))
    n = 1
    for other in range(1, colours + 1):
        n += (others >> other) & 1
    return 1.0 / n
