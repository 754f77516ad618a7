"""The Go board for two to six colours: one record, and the kernels that put stones on it.

Points are numbers: (row + 1) * 20 + column + 1, row 0 at the bottom, whatever the size; 0 is no point,
and as a move, pass. Around the board stand walls. A chain is the connected stones of one colour; it
is known by one of its points, its head. Invariants between calls:

- `around[p]` counts the four neighbours of p by content, four bits each: empty in bits 0-3, colour c
  in bits 4c to 4c + 3, walls in bits 28-31. A wall counts for every colour too, so that colour c
  surrounds p exactly when bit 4c + 2 is set. For every point of the board, stones included.
- `head[p]` is the head of p's chain; 0 where no stone is. Entry 0 of `liberties` and `stones` is a
  dummy that takes the updates of such points, so that no branch is needed; its liberties are plenty.
- `liberties[h]` counts pairs of a stone of chain h and an empty neighbour (pseudo-liberties): it is 0
  exactly when the chain has no liberty. `stones[h]` is its number of stones.
- `next_stone` links the stones of a chain in a circle.
- `empty[:empties]` lists the empty points; `place_of[p]` is p's place in it. All of `empty[:eyes]` are
  surrounded by one colour each, and so stay until a stone goes there: what surrounds them has them as
  a liberty. The points behind those, called open, may include more such points, not yet noticed.
  What stands behind the list is of no meaning.

Loads that are used in arithmetic go through `int`, so that plain Python computes as compiled code does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.kernel import bare_apart, inline
from manyminds.core.record import copy_head, record

EMPTY = 0  # of `color`: no stone is there
WALL, STRIDE, POINTS, MOST_MOVES = 7, 20, 421, 2048
PASS = 0
PLENTY = 16384  # liberties of the dummy chain: never run out, never few
SURROUNDED_BY_ONE = 0x04444440  # the bits of `around`, one a colour, that say so
MOST_COLOURS = 6

BOARD = record(
    width="int32",
    height="int32",
    colours="int32",
    to_play="int32",  # 1 to colours
    passes="int32",  # in a row, just now
    ko="int32",  # the point where the next move would retake a ko; 0: none
    last="int32",  # the last move; 0: a pass or none
    last2="int32",  # the one before it
    moves="int32",  # made so far, passes too
    limit="int32",  # the game ends at so many moves
    empties="int32",
    eyes="int32",
    viewed="int32",  # 1: `views` are kept (views.py)
    superko="int32",  # 1: no position may come again; then `seen[:moves + 1]` are the positions' hashes
    komi="float32[8]",  # by colour; entry 0 unused
    around="uint32[421]",
    head="uint16[421]",
    next_stone="uint16[421]",
    place_of="uint16[421]",
    empty="uint16[421]",
    liberties="int16[421]",
    stones="int16[421]",
    views="uint16[421]",
    color="uint8[421]",
    seen=f"uint64[{MOST_MOVES + 1}]",
)

_STRIDE = np.uint32(STRIDE)
_ONE = np.uint32(1)


@inline
def neighbours(point):
    """The four points beside one."""
    p = np.uint32(point)
    return p - _STRIDE, p - _ONE, p + _ONE, p + _STRIDE


@inline
def diagonals(point):
    """The four points at the corners of one."""
    p = np.uint32(point)
    return p - _STRIDE - _ONE, p - _STRIDE + _ONE, p + _STRIDE - _ONE, p + _STRIDE + _ONE


@inline
def neighbours4(point):
    """The four points beside one; of 0, which is no point, 0."""
    inside = np.uint32(0xFFFFFFFF) if point != 0 else np.uint32(0)
    p0, p1, p2, p3 = neighbours(np.uint32(point))
    return p0 & inside, p1 & inside, p2 & inside, p3 & inside


@inline
def neighbours8(point):
    """The eight points round one; of 0, which is no point, 0."""
    inside = np.uint32(0xFFFFFFFF) if point != 0 else np.uint32(0)
    p0, p1, p2, p3 = neighbours(np.uint32(point))
    d0, d1, d2, d3 = diagonals(np.uint32(point))
    return (
        p0 & inside,
        p1 & inside,
        p2 & inside,
        p3 & inside,
        d0 & inside,
        d1 & inside,
        d2 & inside,
        d3 & inside,
    )


@inline
def count_around(board, point, content):
    """How many of the four neighbours are EMPTY, or of a colour or WALL, or WALL."""
    return (int(board.around[point]) >> (4 * content)) & 15


@inline
def surrounded(board, point, colour):
    """Whether all neighbours of a point are of this one colour (or walls): the rule Surrounded."""
    return (int(board.around[point]) >> (4 * colour + 2)) & 1 != 0


@inline
def real_eye(board, point, colour):
    """Whether a surrounded point is an eye by its diagonals too: the rule Eye.

    Other colours may hold one diagonal point in the middle of the board and none at the edge.
    """
    if not surrounded(board, point, colour):
        return False
    others = 0
    for q in diagonals(point):
        content = board.color[q]
        if content != colour and content != EMPTY and content != WALL:
            others += 1
    return others + (1 if count_around(board, point, WALL) != 0 else 0) < 2


@inline
def all_beside_are(board, point, colours):
    """Whether each of the four neighbours is in a set of colours: bit c for colour c, bit 7 for walls."""
    n0, n1, n2, n3 = neighbours(point)
    bits = int(colours)
    first = (bits >> int(board.color[n0])) & (bits >> int(board.color[n1]))
    return first & (bits >> int(board.color[n2])) & (bits >> int(board.color[n3])) & 1 != 0


@inline
def atari_beside(board, point):
    """Whether a chain beside an empty point has its last liberty there.

    Then all its pseudo-liberties are the neighbours of the point that belong to it.
    """
    around = neighbours(point)
    for q in around:
        head = board.head[q]
        meets = 0
        for other in around:
            meets += int(board.head[other] == head)
        if board.liberties[head] == meets:
            return True
    return False


@bare_apart
def common_eye(board, point, colour, allies):
    """Whether an empty point is to be spared by a colour for its coalition's sake (Cazenave 2008, 4.3).

    Apart, since few searches have coalitions: within the loop of a playout it costs all the others some 5 %.

    allies: the colours of its coalition, itself included, and bit 7. All of them that are beside the
    point have liberties elsewhere. What one surrounds alone is judged by the rules for one's own eyes.
    """
    return (
        all_beside_are(board, point, allies)
        and not surrounded(board, point, colour)
        and not atari_beside(board, point)
    )


@inline
def can_breathe(board, point, colour):
    """Whether a stone put on a point without empty neighbours has a liberty at the end: no suicide.

    Some own chain must have a liberty elsewhere, or some other colour's chain must have none. A chain's
    pseudo-liberties here are as many as the neighbours of the point that belong to it.
    """
    n0, n1, n2, n3 = neighbours(point)
    h0, h1, h2, h3 = board.head[n0], board.head[n1], board.head[n2], board.head[n3]
    c0, c1, c2, c3 = board.color[n0], board.color[n1], board.color[n2], board.color[n3]
    e01, e02, e03 = int(h0 == h1), int(h0 == h2), int(h0 == h3)
    e12, e13, e23 = int(h1 == h2), int(h1 == h3), int(h2 == h3)
    # How many are own and alive elsewhere, or another's and dying. A sum, since the compiler makes
    # branches of truth values, and none is foreseeable. A wall is nobody's, and the dummy chain's
    # liberties are never so few.
    breathes = int((c0 == colour) != (board.liberties[h0] == 1 + e01 + e02 + e03))
    breathes += int((c1 == colour) != (board.liberties[h1] == 1 + e01 + e12 + e13))
    breathes += int((c2 == colour) != (board.liberties[h2] == 1 + e02 + e12 + e23))
    breathes += int((c3 == colour) != (board.liberties[h3] == 1 + e03 + e13 + e23))
    return breathes != 0


@inline
def may_go(board, point, colour):
    """Whether a colour may put a stone on an empty point, by suicide and simple ko."""
    return point != board.ko and (
        int(board.around[point]) & 15 != 0 or can_breathe(board, point, colour)
    )


@inline
def _unite(board, first, second):
    """Make one chain of two; the larger one keeps its head, which is returned."""
    swap = board.stones[first] < board.stones[second]
    large = second if swap else first
    small = first if swap else second
    stone = small
    while True:
        board.head[stone] = large
        stone = board.next_stone[stone]
        if stone == small:
            break
    after = board.next_stone[large]
    board.next_stone[large] = board.next_stone[small]
    board.next_stone[small] = after
    board.liberties[large] += board.liberties[small]
    board.stones[large] += board.stones[small]
    return np.uint32(large)


@inline
def _capture(board, head, colour):
    """Take a chain off the board; how many stones it had."""
    delta = np.uint32((1 - (1 << (4 * colour))) & 0xFFFFFFFF)
    taken = 0
    stone = head
    while True:
        board.color[stone] = EMPTY
        place = board.empties
        board.place_of[stone] = place
        board.empty[np.uint32(place)] = stone
        board.empties = place + 1
        taken += 1
        for q in neighbours(stone):
            board.around[q] += delta
            board.liberties[board.head[q]] += 1
        board.head[stone] = 0
        stone = board.next_stone[stone]
        if stone == head:
            break
    return taken


@inline
def exchange(board, point, at):
    """Let an empty point change places with the one at place `at` of the list."""
    before = np.uint32(board.place_of[point])
    other = board.empty[at]
    board.empty[before] = other
    board.place_of[other] = before
    board.empty[at] = point
    board.place_of[point] = at


@inline
def set_aside(board, point):
    """Put an open point that one colour surrounds among the eyes."""
    exchange(board, point, np.uint32(board.eyes))
    board.eyes += 1


@inline
def _take_from_list(board, point):
    """Take a point from the empty ones: the last eye fills an eye's place, the last point an open one's."""
    last = np.uint32(board.empties - 1)
    board.empties -= 1
    at = np.uint32(board.place_of[point])
    eye = at < np.uint32(board.eyes)
    board.eyes -= int(eye)
    hole = np.uint32(board.eyes) if eye else at
    filler = board.empty[hole]
    board.empty[at] = filler
    moved = board.empty[last]
    board.empty[hole] = moved
    board.place_of[moved] = hole
    board.place_of[filler] = at  # again, for where both are the same point


@inline
def _first(a, b, c, d):
    """The first that is not 0; 0 when all are."""
    ab = a if a != 0 else b
    cd = c if c != 0 else d
    return ab if ab != 0 else cd


@inline
def _unless(head, gone):
    """A head, but 0 for this one."""
    return np.uint32(0) if head == gone else head


@inline
def _occupy(board, point, colour):
    """Put a stone on a point and tell its neighbours.

    Returns the heads of an own chain beside it and of another own one (0 for none), and whether a chain
    of another colour dies. One pass without branches: which neighbour is what cannot be foreseen.
    """
    _take_from_list(board, point)
    board.color[point] = colour
    board.liberties[0] = PLENTY
    delta = np.uint32((1 << (4 * colour)) - 1)
    n0, n1, n2, n3 = neighbours(point)
    own0, dies0 = _tell(board, n0, colour, delta)
    own1, dies1 = _tell(board, n1, colour, delta)
    own2, dies2 = _tell(board, n2, colour, delta)
    own3, dies3 = _tell(board, n3, colour, delta)
    chain = _first(own0, own1, own2, own3)
    second = _first(_unless(own3, chain), _unless(own2, chain), _unless(own1, chain), np.uint32(0))
    return chain, second, (dies0 | dies1) | (dies2 | dies3)


@inline
def _tell(board, q, colour, delta):
    """Tell a neighbour of a new stone: the head of its chain if it is of the same colour, else 0; and
    whether it is another's and dies.
    """
    head = np.uint32(board.head[q])
    board.around[q] += delta
    left = int(board.liberties[head]) - 1
    board.liberties[head] = left
    own = board.color[q] == colour
    return head if own else np.uint32(0), (left == 0) & (not own)


@inline
def _join(board, point, colour, chain, second):
    """Make the new stone part of the own chains beside it: of `chain`, of `second`, and of all others.

    Where there is none (0) it joins itself, a chain of no stones: the same steps for both spare a branch
    that cannot be foreseen.
    """
    board.next_stone[point] = point
    board.stones[point] = 0
    board.liberties[point] = 0
    chain = chain if chain != 0 else np.uint32(point)
    board.head[point] = chain
    board.next_stone[point] = board.next_stone[chain]
    board.next_stone[chain] = point
    board.stones[chain] += 1
    board.liberties[chain] += int(board.around[point]) & 15
    while second != 0:
        chain = _unite(board, chain, second)
        second = np.uint32(0)
        for q in neighbours(point):
            head = np.uint32(board.head[q])
            second = head if (board.color[q] == colour) & (head != chain) else second


@inline
def _dying(board, q, colour):
    """The head of another colour's chain at q that has no liberty; 0 when there is none."""
    head = np.uint32(board.head[q])
    return head if (board.color[q] != colour) & (board.liberties[head] == 0) else np.uint32(0)


@inline
def _capture_around(board, point, colour):
    """Take the other colours' chains without liberty beside a new stone; the ko point this leaves, or 0.

    Who dies is decided before anybody is taken off, since dying chains of two colours may touch.
    """
    alone = board.stones[board.head[point]] == 1
    next_colour = 1 if colour == board.colours else colour + 1
    n0, n1, n2, n3 = neighbours(point)
    d0, d1 = _dying(board, n0, colour), _dying(board, n1, colour)
    d2, d3 = _dying(board, n2, colour), _dying(board, n3, colour)
    taken, where, its_colour = 0, 0, 0
    dying = _first(d0, d1, d2, d3)
    while dying != 0:
        where, its_colour = int(dying), int(board.color[dying])
        taken += _capture(board, dying, its_colour)
        # It may have met the point more than once.
        d0, d1 = _unless(d0, dying), _unless(d1, dying)
        d2, d3 = _unless(d2, dying), _unless(d3, dying)
        dying = _first(d0, d1, d2, d3)
    if (taken == 1) & surrounded(board, where, colour):
        set_aside(board, where)
    ko = (taken == 1) & (its_colour == next_colour) & alone & (board.liberties[point] == 1)
    return where if ko else 0


@inline
def place(board, point, colour):
    """Put a stone on a point where it may go; unite, capture (several colours at once too), note a ko.

    A ko: one stone of the colour that moves next was taken by a stone that now stands alone with one
    liberty. To retake it at once would bring the last position back, so the next move may not go there.
    (Where the stone was a third colour's, retaking makes a new position: Cazenave's first figure.)
    """
    chain, second, dies = _occupy(board, point, colour)
    _join(board, point, colour, chain, second)
    board.ko = _capture_around(board, point, colour) if dies else 0


@inline
def copy_board(to, source):
    """Overwrite a board; of the history, as much as there is."""
    copy_head(to, source, "seen")
    if source.superko:
        for k in range(source.moves + 1):
            to.seen[k] = source.seen[k]


def empty_board(width: int, height: int, colours: int) -> Any:
    """A board without stones, Black to play."""
    board = BOARD.new()
    board.width, board.height, board.colours, board.to_play = width, height, colours, 1
    board.limit = min(MOST_MOVES, 6 * width * height)
    board.color[:] = WALL
    board.liberties[0] = PLENTY
    for row in range(height):
        for column in range(width):
            point = (row + 1) * STRIDE + column + 1
            board.color[point] = EMPTY
            board.place_of[point] = board.empties
            board.empty[board.empties] = point
            board.empties += 1
    for point in board.empty[: board.empties].tolist():
        for q in (point - STRIDE, point - 1, point + 1, point + STRIDE):
            content = int(board.color[q])
            board.around[point] += np.uint32(0x11111110 if content == WALL else 1 << (4 * content))
    return board
