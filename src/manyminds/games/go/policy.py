"""Go's playouts by the agents of a database, after Fuego's.

For every step an agent is drawn, and its heuristics are asked in order. Of the candidates of the first
that has some, one is drawn that passes the filter (points.py); without such a one the next heuristic is
asked. When all have declined: a chain in atari anywhere is taken, else a point is drawn at random, and
only where no point passes the filter the step is a pass. All but a pass go through the correction.

A playout ends when all colours have passed in turn, at the trace's limit, or, by the mercy rule, when
one of two colours is ahead by so many stones that nothing else matters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.kernel import apart, bare_apart, bare_kernel, inline
from manyminds.core.random import below
from manyminds.games.agents.deck import BITS, draw_agent
from manyminds.games.defaults import note
from manyminds.games.go.board import (
    EMPTY,
    PASS,
    POINTS,
    SURROUNDED_BY_ONE,
    common_eye,
    exchange,
    set_aside,
)
from manyminds.games.go.heuristics import (
    ROOM_FOR_ATARIS,
    add_ataris,
    keep_ataris,
    list_ataris,
)
from manyminds.games.go.playout import turns_left
from manyminds.games.go.points import corrected, fits
from manyminds.games.go.views import put

_MASK = (1 << BITS) - 1
_FEW = 4  # open points
_NOBODY = 255  # a seat that no game has: what carries it is counted for nobody


@inline
def will_do(board, point, colour, settings):
    """Whether a candidate may be played: an empty point, by the filter, and no eye of the coalition."""
    allies = settings.allies[colour]
    return (
        point < POINTS
        and board.color[np.uint32(point)] == EMPTY
        and fits(board, np.uint32(point), colour, settings.filter)
        and (allies == 0 or not common_eye(board, np.uint32(point), colour, allies))
    )


@inline
def draw_candidate(board, rng, out, n, settings):
    """One of n candidates that will do, and how many are left with it at the front of the list; PASS, 0."""
    colour = int(board.to_play)
    left = min(int(n), out.shape[0])
    while left > 0:
        k = below(rng, np.uint32(left))
        point = np.uint32(out[k])
        if will_do(board, point, colour, settings):
            return point, left
        left -= 1
        out[k] = out[np.uint32(left)]
    return np.uint32(PASS), 0


@inline
def _reject(board, point, left):
    """Move one of the `left` open points in question behind the others, or among the eyes if it is one."""
    if int(board.around[point]) & SURROUNDED_BY_ONE != 0:
        set_aside(board, point)
    else:
        exchange(board, point, np.uint32(board.eyes + left - 1))


@inline
def draw_at_random(board, rng, settings):
    """A point drawn uniformly among all that pass the filter; PASS when there is none.

    As in playout.py: open points that will not do are put aside, so that each is drawn once at most. The
    eyes come last: of those beside a chain with few pseudo-liberties one may be played.
    """
    colour = int(board.to_play)
    left = int(board.empties) - int(board.eyes)
    while left > 0:
        total = left + int(board.eyes)
        k = int(below(rng, np.uint32(total)))
        point = np.uint32(board.empty[np.uint32(k)])
        if will_do(board, point, colour, settings):
            return point
        if k >= int(board.eyes):
            _reject(board, point, left)
            left -= 1
        elif left <= _FEW:
            break
    return _last_points(board, rng, settings, left)


@bare_kernel
def _last_points(board, rng, settings, left):
    """The same among the first `left` open points and the eyes, written one by one behind the list."""
    colour = int(board.to_play)
    end = int(board.empties)
    n = 0
    for k in range(int(board.eyes)):
        point = np.uint32(board.empty[np.uint32(k)])
        board.empty[np.uint32(end + n)] = point
        n += int(will_do(board, point, colour, settings))
    for k in range(left):
        point = np.uint32(board.empty[np.uint32(int(board.eyes) + k)])
        board.empty[np.uint32(end + n)] = point
        n += int(will_do(board, point, colour, settings))
    if n == 0:
        return np.uint32(PASS)
    return np.uint32(board.empty[np.uint32(end + int(below(rng, np.uint32(n))))])


def choose_by(ask: Any) -> Any:
    """The kernel that chooses a point for an order: (point, candidates left, whether it is quiet).

    ataris: a list of heuristics.py that has all chains in atari. The point is not yet corrected; PASS
    where none will do. Quiet is a point drawn at random.
    """

    @bare_apart
    def choose(board, rng, out, order, ataris, settings):
        while order != 0:
            n = ask(int(order) & _MASK, board, out)
            if n > 0:
                point, left = draw_candidate(board, rng, out, n, settings)
                if point != PASS:
                    return point, left, False
            order = order >> BITS
        n = keep_ataris(board, ataris, out, int(board.to_play))
        point, left = draw_candidate(board, rng, out, n, settings)
        if point != PASS:
            return point, left, False
        return draw_at_random(board, rng, settings), 0, True

    return choose


def step_by(choose: Any) -> Any:
    """The kernel that chooses one move of a playout, as the game contract has it."""

    @apart
    def step(board, rng, trace, settings):
        out = np.empty(POINTS, np.uint32)
        ataris = np.empty(ROOM_FOR_ATARIS, np.uint16)
        list_ataris(board, ataris)
        order = draw_agent(settings, rng)
        point, _, _ = choose(board, rng, out, order, ataris, settings)
        if point != PASS:
            point = corrected(board, point, int(board.to_play), settings.correction)
        return point

    return step


@inline
def _lead(board):
    """Stones of Black less those of White."""
    lead = 0
    for p in range(20, (int(board.height) + 1) * 20):
        content = board.color[np.uint32(p)]
        lead += int(content == 1) - int(content == 2)
    return lead


@inline
def _mercy(board, settings):
    """The lead in stones at which a playout stops; more than there are points where it does not."""
    if settings.mercy == 0 or board.colours != 2:
        return POINTS
    return int(settings.mercy * board.width * board.height)


def playout_by(choose: Any) -> Any:
    """The kernel that plays on to the end.

    Passes are noted for nobody: in Fuego, a pass at a playout's end says nothing of one in the tree.
    """

    @apart
    def playout(board, rng, trace, settings):
        # An array as the prior's, and not the trace's room for choices: for each kind of list the
        # compiler would work on all heuristics once more.
        out = np.empty(POINTS, np.uint32)
        play_on(board, rng, trace, settings, out, np.empty(ROOM_FOR_ATARIS, np.uint16))

    @bare_apart
    def play_on(board, rng, trace, settings, out, ataris):
        """The playout itself, in room for candidates and for chains in atari."""
        list_ataris(board, ataris)
        colours = int(board.colours)
        most = turns_left(board, trace)
        mercy = _mercy(board, settings)
        lead = _lead(board)
        passes = int(board.passes)
        if passes < colours and colours == 2:
            passes = 0  # those before the playout do not end it
        turns = 0
        while passes < colours and turns < most and abs(lead) < mercy:
            colour = int(board.to_play)
            order = draw_agent(settings, rng)
            point, _, _ = choose(board, rng, out, order, ataris, settings)
            if point != PASS:
                point = corrected(board, point, colour, settings.correction)
                note(trace, colour - 1, point)
                empties = int(board.empties)
                put(board, np.uint16(point), colour)
                add_ataris(board, ataris, point, out)
                taken = int(board.empties) - empties + 1
                lead += taken if colour == 1 else -taken
                passes = 0
            else:
                note(trace, _NOBODY, point)
                passes += 1
                board.ko = 0
            turns += 1
            board.last2 = board.last
            board.last = point
            board.to_play = 1 if colour == colours else colour + 1
        trace.turns += turns
        board.moves += turns
        board.passes = passes

    return playout
