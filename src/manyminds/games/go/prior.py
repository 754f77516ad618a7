"""What Fuego's search expects of a move before any playout: as if so many had been, of such a value.

The policy is asked once about the position. Quiet it is where it would draw a point at random. The
first line that fits says what a point begins with, in playouts @ value to the mover; *big* is 9 playouts,
and 18 on boards from 15x15 on.

    |                         | self-atari | sets two liberties to one | pattern   | else      |
    | quiet, nothing anywhere | big @ 0.1  |                           |           | none      |
    | quiet                   | big @ 0.1  | 3 @ 1.0                   | 3 @ 0.9   | 3 @ 0.5   |
    | not quiet               | big @ 0.1  | big @ 0.8                 | big @ 0.6 | big @ 0.4 |

Where it is not quiet, the policy's own candidates begin with big @ 1.0 instead. A pass begins with big @
0.1. And near the last move everything is more likely: 4 playouts more (5 on large boards) of value 1.0,
0.6 and 0.6 at distances 1, 2 and 3 from it, 0.1 beyond and for a pass, where a chain is one place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.kernel import apart, bare_apart, inline
from manyminds.core.random import RNG
from manyminds.games.agents.deck import draw_agent
from manyminds.games.go.board import (
    EMPTY,
    PASS,
    POINTS,
    STRIDE,
    WALL,
    neighbours,
)
from manyminds.games.go.heuristics import ROOM_FOR_ATARIS, is_enemy, list_ataris
from manyminds.games.go.liberties import few_liberties, self_atari
from manyminds.games.go.patterns import matches
from manyminds.games.go.points import corrected
from manyminds.games.go.policy import will_do

NO_PRIOR, DEFAULT_AGENT, OF_DATABASE = 0, 1, 2
LARGE = 15  # boards from this size on
_SELF_ATARI, _ATARI, _PATTERN, _OTHER = 1, 2, 3, 4  # kinds of points
_FAR = 4
_RNG = RNG.dtype
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@inline
def _word_of(board, salt):
    """A random number's seed that follows from the position: the same node draws the same agent."""
    word = np.uint64(salt) ^ (np.uint64(int(board.last) * 512 + int(board.last2)) * _GOLDEN)
    word ^= np.uint64(int(board.moves) * 1024 + int(board.empties)) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    word = word ^ (word >> np.uint64(32))
    return word | np.uint64(1)


@bare_apart
def mark_ataris(board, colour, kinds):
    """Mark the liberties of all enemy chains that have two of them; whether there are any."""
    found = False
    for p in range(STRIDE + 1, (int(board.height) + 1) * STRIDE):
        point = np.uint32(p)
        if board.head[point] == point and is_enemy(board.color[point], colour):
            n, first, second = few_liberties(board, point)
            if n == 2:
                kinds[first] = _ATARI
                kinds[second] = _ATARI
                found = True
    return found


@bare_apart
def mark_points(board, colour, kinds):
    """Write the kind of every empty point; whether anything but the self-ataris stands out."""
    found = mark_ataris(board, colour, kinds)
    for k in range(board.empties):
        point = np.uint32(board.empty[np.uint32(k)])
        if int(board.around[point]) & 15 == 4:  # nothing beside it: neither pattern nor atari
            kinds[point] = _OTHER
            continue
        kind = int(kinds[point])
        if kind != _ATARI:
            kind = _OTHER
            if matches(board, point, colour):
                kind = _PATTERN
                found = True
        if self_atari(board, point, colour):
            kind = _SELF_ATARI
        kinds[point] = kind
    return found


@inline
def _reach(board, point, distance, near, queue, end):
    """Put a point, or the chain that stands there, at this distance, unless it is nearer already."""
    place = np.uint32(board.head[point]) if board.color[point] != EMPTY else np.uint32(point)
    if board.color[point] != WALL and near[place] == 0:
        near[place] = distance
        queue[end] = place
        return end + 1
    return end


@bare_apart
def mark_distances(board, near, queue):
    """Write how far empty points and chains (at their heads) are from the last move, plus 1; 0: far."""
    last = np.uint32(board.last)
    start = np.uint32(board.head[last]) if board.color[last] != EMPTY else last
    near[start] = 1
    queue[0] = start
    at, end = 0, 1
    while at < end:
        place = np.uint32(queue[at])
        at += 1
        distance = int(near[place]) + 1
        if distance > _FAR:
            return
        if board.color[place] == EMPTY:
            for q in neighbours(place):
                end = _reach(board, q, distance, near, queue, end)
            continue
        stone = place
        while True:
            for q in neighbours(stone):
                end = _reach(board, q, distance, near, queue, end)
            stone = np.uint32(board.next_stone[stone])
            if stone == place:
                break


@inline
def _value(kind, quiet, found, big, settings):
    """(playouts, value) that a point of this kind begins with."""
    if kind == _SELF_ATARI:
        return big, 0.1
    if quiet:
        if not found:
            return 0.0, 0.0
        value = 1.0 if kind == _ATARI else (0.9 if kind == _PATTERN else 0.5)
        return 3.0 * settings.prior_weight, value
    return big, (0.8 if kind == _ATARI else (0.6 if kind == _PATTERN else 0.4))


@inline
def _write(out, k, playouts, value, more, nearness):
    out[k, 0] = playouts + more
    out[k, 1] = (playouts * value + more * nearness) / (playouts + more)


def prior_by(choose: Any) -> Any:
    """The game contract's `prior`, with the playouts' own kernel that asks a database's agents."""

    @bare_apart
    def ask(board, rng, out, ataris, settings):
        """The policy's answer: how many candidates it leaves in `out`, and whether it is quiet."""
        colour = int(board.to_play)
        order = settings.default_order
        if settings.prior == OF_DATABASE:
            order = draw_agent(settings, rng)
        point, left, quiet = choose(board, rng, out, order, ataris, settings)
        if point == PASS:
            return 0, False
        other = corrected(board, point, colour, settings.correction)
        if other != point:
            out[0] = other
            return 1, False
        n = 0
        for k in range(left):
            if will_do(board, out[np.uint32(k)], colour, settings):
                out[n] = out[np.uint32(k)]
                n += 1
        return n, quiet

    @apart
    def prior(board, moves, out, settings):
        if settings.prior == NO_PRIOR:
            return
        rng = np.empty(1, _RNG)[0]
        rng.word = _word_of(board, settings.salt)
        room = np.zeros(4 * POINTS, np.uint32)
        kinds, near = room[:POINTS], room[POINTS : 2 * POINTS]
        queue, wishes = room[2 * POINTS : 3 * POINTS], room[3 * POINTS :]
        ataris = np.empty(ROOM_FOR_ATARIS, np.uint16)
        list_ataris(board, ataris)
        n, quiet = ask(board, rng, wishes, ataris, settings)
        found = mark_points(board, int(board.to_play), kinds)
        large = max(board.width, board.height) >= LARGE
        big = settings.prior_weight * (18.0 if large else 9.0)
        more = 0.0
        if board.last != 0:
            more = settings.locality_weight * (5.0 if large else 4.0)
            mark_distances(board, near, queue)
        for k in range(n):
            kinds[wishes[np.uint32(k)]] = 0  # those of the policy
        for k in range(moves.shape[0]):
            point = np.uint32(moves[k])
            if point == PASS:
                _write(out, k, big, 0.1, more, 0.1)
                continue
            kind = int(kinds[point])
            playouts, value = big, 1.0
            if kind != 0:
                playouts, value = _value(kind, quiet, found, big, settings)
            distance = int(near[point])
            nearness = 1.0 if distance == 2 else (0.6 if distance > 2 else 0.1)
            if playouts + more > 0.0:
                _write(out, k, playouts, value, more, nearness)

    return prior
