"""Go's playouts: uniform among the legal points that the colour does not surround.

*Surrounded* spares points whose neighbours are all one's own; *Eye* looks at the diagonals too, so
that false eyes are filled (Cazenave 2008, section 5.1). Colours of a coalition also spare the points
that they surround together, unless a chain there is in atari (his 4.3). Ko is simple, whatever the
real game's.

*Pattern* is MoGo's policy on top of Surrounded (his 5.1; Gelly, Wang, Munos and Teytaud 2006): it answers
the last move, and draws uniformly only where it has no answer. Friends' stones are one's own colour's;
coalitions matter to the points that are spared alone.

Late in a game nearly all empty points are eyes, and nearly none of those may be played. Drawing among
all empty points until one will do is then slow, so it is done only while enough points are open; after
that the eyes worth a test are looked for, and the draw is among those and the open points. Either way
each point that will do has the same chance at each draw, so that what is drawn is uniform among them.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline
from manyminds.core.random import below, bits_of, following, scaled
from manyminds.games.defaults import note
from manyminds.games.go.board import (
    PASS,
    SURROUNDED_BY_ONE,
    can_breathe,
    common_eye,
    exchange,
    neighbours,
    place,
    real_eye,
    set_aside,
    surrounded,
)
from manyminds.games.go.heuristics import atari_defend, capture, mogo_pattern

SURROUNDED, EYE, PATTERN = 0, 1, 2
_FEW = 4  # open points; measured: 2 to 10 do nearly as well


@inline
def _spared(board, point, colour, eye_rule):
    if eye_rule == EYE:
        return real_eye(board, point, colour)
    return surrounded(board, point, colour)


@inline
def _will_do(board, point, colour, eye_rule, allies):
    if int(board.around[point]) & 15 != 0:
        return point != board.ko
    return (
        point != board.ko
        and not _spared(board, point, colour, eye_rule)
        and can_breathe(board, point, colour)
        and (allies == 0 or not common_eye(board, point, colour, allies))
    )


@inline
def _reject(board, point, left):
    """Move one of the `left` open points in question behind the others, or among the eyes if it is one."""
    if int(board.around[point]) & SURROUNDED_BY_ONE != 0:
        set_aside(board, point)
    else:
        exchange(board, point, np.uint32(board.eyes + left - 1))


@inline
def random_point(board, colour, rng, eye_rule, allies=0):
    """A point drawn uniformly among those that may be played and are not spared; PASS when there is none.

    allies: the colour's coalition, as in the settings; 0 when it stands alone.
    """
    word = following(rng.word)
    return _drawn_point(board, colour, rng, word, bits_of(word), eye_rule, allies)[0]


@inline
def _drawn_point(board, colour, rng, word, bits, eye_rule, allies):
    """The same, given what `rng` draws next, and with what it draws after that.

    The next number is made as soon as one is used: then it is there when the processor, having foreseen
    wrongly what a point is, starts anew. Open points that will not do are put aside, so that each is
    drawn once at most; eyes are drawn again.
    """
    eyes = np.uint32(board.eyes)
    left = int(board.empties) - int(eyes)
    while left >= _FEW:
        k = scaled(bits, np.uint32(eyes + left))
        rng.word = word
        word = following(word)
        bits = bits_of(word)
        point = board.empty[k]
        if _will_do(board, point, colour, eye_rule, allies):
            return point, word, bits
        if k >= eyes:
            _reject(board, point, left)
            left -= 1
            eyes = np.uint32(board.eyes)
    return _last_points(board, colour, rng, word, bits, eye_rule, allies, left)


@inline
def _worth_a_test(board, point, colour, eye_rule):
    """Whether a colour might play in an eye: another's, beside a chain with few pseudo-liberties.

    By the rule Eye, its own too. A chain that a stone in an eye takes has no liberty elsewhere, and so
    at most four pseudo-liberties.
    """
    n0, n1, n2, n3 = neighbours(point)
    l0, l1 = board.liberties[board.head[n0]], board.liberties[board.head[n1]]
    l2, l3 = board.liberties[board.head[n2]], board.liberties[board.head[n3]]
    few = min(min(l0, l1), min(l2, l3)) <= 4
    own = surrounded(board, point, colour)
    return (own & (eye_rule == EYE)) | (few & (not own))


@inline
def _list_eyes(board, colour, eye_rule):
    """Write the eyes worth a test behind the list of empty points; how many.

    There is room: no two eyes are neighbours, so that at most one more eye than stones is on a board,
    and all empty points and the eyes again are at most one more than the points of the board.
    """
    end = np.uint32(board.empties)
    for k in range(board.eyes):
        point = board.empty[np.uint32(k)]
        board.empty[end] = point
        end = np.uint32(end + int(_worth_a_test(board, point, colour, eye_rule)))
    return int(end) - int(board.empties)


@inline
def _last_points(board, colour, rng, word, bits, eye_rule, allies, left):
    """The same among the first `left` open points and the eyes."""
    some = _list_eyes(board, colour, eye_rule)
    empties = int(board.empties)
    while left + some > 0:
        k = int(scaled(bits, np.uint32(left + some)))
        rng.word = word
        word = following(word)
        bits = bits_of(word)
        is_open = k < left
        at = np.uint32(k + (int(board.eyes) if is_open else empties - left))
        point = board.empty[at]
        if _will_do(board, point, colour, eye_rule, allies):
            return point, word, bits
        if is_open:
            _reject(board, point, left)
            left -= 1
        else:
            some -= 1
            board.empty[at] = board.empty[np.uint32(empties + some)]
    return np.uint16(PASS), word, bits


@bare_kernel
def step(board, rng, trace, settings):
    """One move of a playout, not yet played."""
    colour = int(board.to_play)
    if settings.playout == PATTERN:
        return point_by_patterns(board, rng, trace.choices, settings)
    return random_point(board, colour, rng, settings.playout, settings.allies[colour])


@bare_kernel
def playout(board, rng, trace, settings):
    """Play until all colours have passed in turn, the game's move limit, or the trace's limit of turns."""
    board.viewed = 0
    if settings.playout == PATTERN:
        _playout_by_patterns(board, rng, trace, settings)
    else:
        _random_playout(board, rng, trace, settings)


@inline
def turns_left(board, trace):
    """How many turns a playout may have: to the game's move limit, or to the trace's limit of turns.

    In signed numbers: of signed and unsigned ones the compiler makes floats, to be compared each turn.
    """
    return min(
        np.int64(board.limit) - np.int64(board.moves), np.int64(trace.limit) - np.int64(trace.turns)
    )


@bare_kernel
def _random_playout(board, rng, trace, settings):
    """With Surrounded or Eye. Nobody asks for the last moves, so they are not kept."""
    colours = int(board.colours)
    colour = int(board.to_play)
    passes = int(board.passes)
    eye_rule = settings.playout & 1
    n = int(trace.n)
    most = turns_left(board, trace)
    turns = 0
    word = following(rng.word)
    bits = bits_of(word)
    while passes < colours and turns < most:
        point, word, bits = _drawn_point(
            board, colour, rng, word, bits, eye_rule, settings.allies[colour]
        )
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


# --- MoGo's policy ---------------------------------------------------------------------------------


@inline
def _draw(board, rng, out, n, allies):
    """One of n candidates that may be played and is not spared by Surrounded; PASS when there is none."""
    colour = int(board.to_play)
    while n > 0:
        k = below(rng, np.uint32(n))
        point = np.uint16(out[k])
        if _will_do(board, point, colour, SURROUNDED, allies):
            return point
        n -= 1
        out[k] = out[np.uint32(n)]
    return np.uint16(PASS)


@bare_kernel
def point_by_patterns(board, rng, out, settings):
    """Save own chains from L's atari; else a pattern round L; else a capture anywhere; else at random."""
    allies = settings.allies[board.to_play]
    point = _draw(board, rng, out, atari_defend(board, out), allies)
    if point == PASS:
        point = _draw(board, rng, out, mogo_pattern(board, out), allies)
    if point == PASS:
        point = _draw(board, rng, out, capture(board, out), allies)
    if point == PASS:
        point = random_point(board, int(board.to_play), rng, SURROUNDED, allies)
    return point


@bare_kernel
def _playout_by_patterns(board, rng, trace, settings):
    """The same playout with MoGo's policy instead of uniform draws."""
    colours = int(board.colours)
    most = turns_left(board, trace)
    turns = 0
    while board.passes < colours and turns < most:
        point = point_by_patterns(board, rng, trace.choices, settings)
        note(trace, int(board.to_play) - 1, point)
        if point != PASS:
            place(board, point, int(board.to_play))
            board.passes = 0
        else:
            board.passes += 1
            board.ko = 0
        turns += 1
        board.last2 = board.last
        board.last = point
        board.to_play = 1 if board.to_play == colours else board.to_play + 1
    trace.turns += turns
    board.moves += turns
