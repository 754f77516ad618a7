"""Go's playouts: uniform among the legal points that the colour does not surround.

*Surrounded* spares points whose neighbours are all one's own; *Eye* looks at the diagonals too, so
that false eyes are filled (Cazenave 2008, section 5.1). Ko is simple, whatever the real game's.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline
from manyminds.core.random import below
from manyminds.games.go.board import PASS, can_breathe, place, real_eye, surrounded

SURROUNDED, EYE = 0, 1


@inline
def _spared(board, point, colour, eye_rule):
    if eye_rule == EYE:
        return real_eye(board, point, colour)
    return surrounded(board, point, colour)


@inline
def random_point(board, colour, rng, eye_rule):
    """A point drawn uniformly among those that may be played and are not spared; PASS when there is none.

    Points that will not do are moved behind the ones still in question, so each is drawn once at most.
    """
    left = np.uint32(board.empties)
    ko = board.ko
    while left > 0:
        k = below(rng, left)
        point = board.empty[k]
        if int(board.around[point]) & 15 != 0:
            if point != ko:
                return point
        elif (
            point != ko
            and not _spared(board, point, colour, eye_rule)
            and can_breathe(board, point, colour)
        ):
            return point
        left = np.uint32(left - 1)
        other = board.empty[left]
        board.empty[k] = other
        board.empty[left] = point
        board.place_of[other] = k
        board.place_of[point] = left
    return np.uint16(PASS)


@bare_kernel
def step(board, rng, settings):
    """One move of a playout, not yet played."""
    return random_point(board, int(board.to_play), rng, settings.playout)


@bare_kernel
def playout(board, rng, trace, settings):
    """Play until all colours have passed in turn, the game's move limit, or the trace's limit of turns."""
    colours = int(board.colours)
    colour = int(board.to_play)
    passes = int(board.passes)
    eye_rule = settings.playout
    n = int(trace.n)
    most = min(int(board.limit) - int(board.moves), int(trace.limit) - int(trace.turns))
    turns = 0
    while passes < colours and turns < most:
        point = random_point(board, colour, rng, eye_rule)
        trace.seat[n] = colour - 1
        trace.move[n] = point
        n += 1
        if point != PASS:
            place(board, point, colour)
            passes = 0
        else:
            passes += 1
            board.ko = 0
        turns += 1
        colour = 1 if colour == colours else colour + 1
    trace.n = n
    trace.turns += turns
    board.moves += turns
    board.passes = passes
    board.to_play = colour
