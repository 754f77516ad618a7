"""Fuego's playout heuristics: each looks round the last moves and lists points, or none.

A heuristic is `(board, out) -> n`: it writes n candidates for the colour to play to `out`, of which the
playout draws one. All but Capture answer the last move, L, and list nothing where that was a pass or is
unknown. Any other colour is an enemy. A candidate that comes up twice is drawn twice as often. What may
not be played, and what fills an eye, need not be left out: the playout sees to that (points.py).
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline
from manyminds.games.go.board import EMPTY, STRIDE, WALL, count_around, neighbours
from manyminds.games.go.liberties import (
    few_liberties,
    last_liberty,
    liberties_beyond,
    self_atari,
)
from manyminds.games.go.patterns import matches
from manyminds.games.go.views import PLACES, beside, but_first, first_of, free_round


@inline
def has_answer(board):
    """Whether there is a last move to answer: an enemy's stone that still stands."""
    content = board.color[np.uint32(board.last)]
    return (board.last != 0) & (content != EMPTY) & (content != board.to_play)


@inline
def is_enemy(content, colour):
    """Whether a point holds another colour's stone."""
    return (content != EMPTY) & (content != WALL) & (content != colour)


@inline
def stones_beside(board, point, colour):
    """How many of the four neighbours are this colour's."""
    return count_around(board, point, colour) - count_around(board, point, WALL)


# --- N: the middle of three points -----------------------------------------------------------------


@inline
def _end_of_three(board, point, colour):
    return count_around(board, point, EMPTY) == 1 and stones_beside(board, point, colour) == 0


@inline
def _middle_of_three(board, point, colour):
    """Whether an empty point and the two beside it are a region on which the colour has no stone."""
    if count_around(board, point, EMPTY) != 2 or stones_beside(board, point, colour) != 0:
        return False
    for q in neighbours(point):
        if board.color[q] == EMPTY and not _end_of_three(board, q, colour):
            return False
    return True


@bare_kernel
def nakade(board, out):
    """The middle of an empty region of three points beside L that has none of one's own stones beside it."""
    n = 0
    if not has_answer(board):
        return n
    if count_around(board, np.uint32(board.last), EMPTY) == 0:
        return n
    colour = int(board.to_play)
    places = beside(board, np.uint32(board.last), EMPTY)
    while places != 0:
        p = first_of(places, board.last)
        places = but_first(places)
        free = count_around(board, p, EMPTY)
        if free == 0 or free > 2 or stones_beside(board, p, colour) != 0:
            continue
        if _middle_of_three(board, p, colour):
            out[n] = p
            n += 1
        elif _end_of_three(board, p, colour):
            for q in neighbours(p):
                if board.color[q] == EMPTY and _middle_of_three(board, q, colour):
                    out[n] = q
                    n += 1
    return n


# --- AC and AD: chains with one liberty ------------------------------------------------------------


@bare_kernel
def atari_capture(board, out):
    """The last liberty of L's chain."""
    if not has_answer(board):
        return 0
    liberty = last_liberty(board, np.uint32(board.head[np.uint32(board.last)]))
    if liberty == 0:
        return 0
    out[0] = liberty
    return 1


@bare_kernel
def _list_captures_round(board, head, but, out, n):
    """Add the last liberties of enemy chains in atari that touch a chain, but for one point."""
    first = n
    colour = board.color[head]
    stone = np.uint32(head)
    while True:
        for q in neighbours(stone):
            other = board.head[q]
            if is_enemy(board.color[q], colour) and last_liberty(board, other) != 0:
                known = False
                for k in range(first, n):
                    known |= out[k] == other
                if not known:
                    out[n] = other
                    n += 1
        stone = np.uint32(board.next_stone[stone])
        if stone == head:
            break
    last = first  # from the chains to their liberties
    for k in range(first, n):
        liberty = last_liberty(board, np.uint32(out[k]))
        if liberty != but:
            out[last] = liberty
            last += 1
    return last


@bare_kernel
def atari_defend(board, out):
    """For own chains in atari beside L: the last liberty, if no self-atari, and captures round them."""
    n = 0
    if not has_answer(board):
        return n
    colour = int(board.to_play)
    chains = chains_beside(board, np.uint32(board.last), colour)
    while chains != 0:
        head = np.uint32(chains & _A_CHAIN)
        chains >>= 16
        liberty = last_liberty(board, head)
        if liberty != 0:
            if not self_atari(board, liberty, colour):
                out[n] = liberty
                n += 1
            n = _list_captures_round(board, head, liberty, out, n)
    return n


_A_CHAIN = 0xFFFF


@inline
def chains_beside(board, point, colour):
    """The heads of a colour's chains beside a point, each once, 16 bits each from the lowest."""
    chains, n = 0, 0
    places = beside(board, point, colour)
    while places != 0:
        head = int(board.head[first_of(places, point)])
        places = but_first(places)
        known = (chains & _A_CHAIN == head) | (chains >> 16 & _A_CHAIN == head)
        if not (known | (chains >> 32 & _A_CHAIN == head)):
            chains |= head << n
            n += 16
    return chains


# --- L: chains with two liberties ------------------------------------------------------------------


@bare_kernel
def _gains(board, head, first, second, at):
    """Whether a chain with two liberties gets two more, or more, by a stone at one of them.

    Liberties of a chain that is joined count once for each of its stones beside `at`, as Fuego has it.
    """
    colour = board.color[head]
    more = 0
    for q in neighbours(at):
        content = board.color[q]
        if content == EMPTY:
            more += int(q != first and q != second)
        elif content == colour and board.head[q] != head:
            more += liberties_beyond(board, np.uint32(board.head[q]), first, second)
        if more >= 2:
            return True
    return False


@inline
def _list_gains(board, head, colour, spare_bamboo, out, n):
    """Add the liberties of a chain that has two, where it gains and the colour to play is not in atari."""
    count, first, second = few_liberties(board, head)
    if count != 2 or (spare_bamboo and _share_a_chain(board, head, first, second)):
        return n
    if _gains(board, head, first, second, first) and not self_atari(board, first, colour):
        out[n] = first
        n += 1
    if _gains(board, head, first, second, second) and not self_atari(board, second, colour):
        out[n] = second
        n += 1
    return n


@bare_kernel
def _share_a_chain(board, head, first, second):
    """Whether both liberties touch one and the same other chain of the colour."""
    colour = board.color[head]
    for p in neighbours(first):
        if board.color[p] == colour and board.head[p] != head:
            for q in neighbours(second):
                if board.head[q] == board.head[p]:
                    return True
    return False


@bare_kernel
def _low_liberties(board, out, spare_bamboo):
    n = 0
    if not has_answer(board):
        return n
    colour = int(board.to_play)
    last = np.uint32(board.last)
    n = _list_gains(board, np.uint32(board.head[last]), colour, spare_bamboo, out, n)
    chains = chains_beside(board, last, colour)
    while chains != 0:
        n = _list_gains(board, np.uint32(chains & _A_CHAIN), colour, spare_bamboo, out, n)
        chains >>= 16
    return n


@bare_kernel
def lowlib(board, out):
    """Liberties of L's chain, and of own ones beside L, where a chain with two would gain two."""
    return _low_liberties(
        board, out, board.colours == 0
    )  # no constant, which would compile it twice


@bare_kernel
def lowlib_041(board, out):
    """The same, as Fuego 0.4.1 has it: not for a chain whose two liberties touch one other of its colour."""
    return _low_liberties(board, out, board.colours != 0)


# --- P: patterns -----------------------------------------------------------------------------------


@inline
def _list_matches(board, point, places, colour, careful, out, n):
    """Add the points of a set round a point where a pattern matches; careful: but no self-ataris."""
    while places != 0:
        p = first_of(places, point)
        places = but_first(places)
        if matches(board, p, colour) and not (careful and self_atari(board, p, colour)):
            out[n] = p
            n += 1
    return n


def _places_near() -> np.ndarray:
    """uint16 by the difference of two points, from -42 on: the places round the second near the first."""
    near = np.zeros(85, np.uint16)
    for row in range(-2, 3):
        for column in range(-2, 3):
            for k, (r, c) in enumerate(PLACES):
                if max(abs(r - row), abs(c - column)) <= 1:
                    near[row * STRIDE + column + 42] |= np.uint16(1 << (2 * k))
    return near


_NEAR = _places_near()


@inline
def _places_near_too(last, last2):
    """The places round the second point that are round the first as well, or the first itself."""
    difference = int(last) - int(last2) + 42
    return int(_NEAR[np.uint32(difference)]) if 0 <= difference <= 84 else 0


@bare_kernel
def pattern(board, out):
    """Points round L and round the move before it where a 3x3 pattern matches, but no self-ataris."""
    if not has_answer(board):
        return 0
    colour = int(board.to_play)
    last, last2 = np.uint32(board.last), np.uint32(board.last2)
    n = _list_matches(board, last, free_round(board, last), colour, True, out, 0)
    if last2 != 0:
        places = free_round(board, last2) & ~_places_near_too(last, last2)
        n = _list_matches(board, last2, places, colour, True, out, n)
    return n


@bare_kernel
def mogo_pattern(board, out):
    """Points round L where a 3x3 pattern matches (Gelly and others 2006)."""
    if not has_answer(board):
        return 0
    last = np.uint32(board.last)
    return _list_matches(board, last, free_round(board, last), int(board.to_play), False, out, 0)


# --- C: captures anywhere --------------------------------------------------------------------------

ROOM_FOR_ATARIS = 128  # points of a list of chains that may be in atari


@bare_kernel
def capture(board, out):
    """The last liberty of every enemy chain in atari, once a chain."""
    n = 0
    colour = int(board.to_play)
    for p in range(20, (int(board.height) + 1) * 20):
        point = np.uint32(p)
        if board.head[point] == point and is_enemy(board.color[point], colour):
            liberty = last_liberty(board, point)
            if liberty != 0:
                out[n] = liberty
                n += 1
    return n


@bare_kernel
def list_ataris(board, ataris):
    """Begin a list of all chains in atari, whosever: how many in `ataris[0]`, then a point of each."""
    n = 0
    for p in range(20, (int(board.height) + 1) * 20):
        point = np.uint32(p)
        if board.head[point] == point and last_liberty(board, point) != 0:
            if n + 1 < ataris.shape[0]:
                n += 1
                ataris[n] = point
    ataris[0] = n


@bare_kernel
def keep_ataris(board, ataris, out, colour):
    """Drop what is in atari no more; the last liberties of the enemy chains, once each, go to `out`."""
    n, kept = 0, 0
    for k in range(1, int(ataris[0]) + 1):
        point = np.uint32(ataris[np.uint32(k)])
        head = np.uint32(board.head[point])
        if board.color[point] == EMPTY:
            continue
        liberty = last_liberty(board, head)
        known = liberty == 0
        for j in range(1, kept + 1):
            known |= ataris[np.uint32(j)] == head
        if not known:
            kept += 1
            ataris[np.uint32(kept)] = head
            if board.color[point] != colour:
                out[n] = liberty
                n += 1
    ataris[0] = kept
    return n


@inline
def add_ataris(board, ataris, point, out):
    """Add the chains that a new stone may have put into atari: those beside it, and its own."""
    n = int(ataris[0])
    if n + 5 >= ataris.shape[0]:
        keep_ataris(board, ataris, out, 0)
        n = int(ataris[0])
        if n + 5 >= ataris.shape[0]:
            return
    if board.liberties[board.head[point]] <= 4:
        n += 1
        ataris[np.uint32(n)] = point
    for q in neighbours(point):
        if board.liberties[board.head[q]] <= 4:
            n += 1
            ataris[np.uint32(n)] = q
    ataris[0] = n
