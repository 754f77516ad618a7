"""Depth-first AND/OR search of a chase: is there a move of Pac-Man for whatever the ghosts may do?

A node is a choice. Pac-Man's succeeds if any child does, the safest tried first; a ghost's only if all do,
the nearest to him first. A leaf fails where he is caught; it succeeds at the horizon, where a way to it
is safe already, and when the nodes are used up.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_entry, bare_kernel, inline
from manyminds.core.record import copy_record, record
from manyminds.games.pacman.state import CATCH, GHOSTS, PACMAN
from manyminds.games.pacman.tables import NOWHERE, count_of, nth_of, others
from manyminds.players.pacman.chase import CHASE, SAFE, ghost_exits, run_on
from manyminds.players.pacman.ground import FAR

FRAME = record(chase=CHASE, seat="uint8", moves="uint8[4]", n="uint8", next="uint16")
DEEPEST = 4096  # choices on one path: five in a tick at most
LOST, WON, UNKNOWN = 0, 1, 2


@bare_entry
def survives(ground, chase, horizon, nodes, frames, flood, spent):
    """Whether Pac-Man lives until the horizon: LOST, WON, or UNKNOWN (for want of nodes).

    chase: used up. flood: scratch, uint16[2 + 8, nodes of the maze]. spent[0] grows by the nodes seen.
    """
    depth, seen, known = 0, 0, WON
    while True:
        seat = run_on(ground, chase, horizon)
        if seat >= 0:
            seen += 1
            if seen > nodes or depth == DEEPEST:
                known, seat = UNKNOWN, SAFE
            elif seat == PACMAN and safe_way(ground, chase, horizon, flood):
                seat = SAFE
            else:
                frame = frames[depth]
                copy_record(frame.chase, chase)
                list_moves(ground, frame, seat)
                depth += 1
                take_next(frame, chase)
                continue
        depth = back_up(frames, depth, seat == SAFE)
        if depth == 0:
            spent[0] += min(seen, nodes)
            return known if seat == SAFE else LOST
        take_next(frames[depth - 1], chase)


@inline
def back_up(frames, depth, won):
    """Leave all choices that are decided by this; the depth of one that has a move left, or 0."""
    while depth > 0:
        frame = frames[depth - 1]
        decided = won == (frame.seat == PACMAN) or frame.next == frame.n
        if not decided:
            return depth
        depth -= 1
    return 0


@inline
def take_next(frame, chase):
    """The next move of a choice, on the chase as it was there."""
    copy_record(chase, frame.chase)
    chase.wish[frame.seat] = frame.moves[frame.next]
    chase.chooser = int(frame.seat) + 1
    frame.next += 1


@bare_kernel
def list_moves(ground, frame, seat):
    """A choice's moves, the most promising first."""
    chase = frame.chase
    frame.seat, frame.next = seat, 0
    if seat == PACMAN:
        bits = int(ground.exits[chase.pacman])
        here = int(chase.pacman)
    else:
        bits = int(ghost_exits(ground, chase, seat - 1))
        here = int(chase.ghost[seat - 1])
    frame.n = count_of(bits)
    for k in range(4):
        if k >= frame.n:
            break
        move = nth_of(bits, k)
        there = int(ground.after[8 * here + int(move)])
        worth = -nearest_ghost(ground, chase, there)
        if seat != PACMAN:
            worth = int(ground.distance[there, after_wish(ground, chase)])
        place = k
        while place > 0 and worth < worth_of(ground, chase, seat, here, frame.moves[place - 1]):
            frame.moves[place] = frame.moves[place - 1]
            place -= 1
        frame.moves[place] = move


@inline
def worth_of(ground, chase, seat, here, move):
    """What a move is sorted by, the least first."""
    there = int(ground.after[8 * here + int(move)])
    if seat == PACMAN:
        return -nearest_ghost(ground, chase, there)
    return int(ground.distance[there, after_wish(ground, chase)])


@inline
def after_wish(ground, chase):
    """Where Pac-Man will be at the end of the tick: the ghosts know it."""
    return ground.after[8 * int(chase.pacman) + int(chase.wish[0])]


@inline
def nearest_ghost(ground, chase, node):
    """Steps from a node to the nearest ghost that is there."""
    least = FAR
    for ghost in range(GHOSTS):
        if chase.wait[ghost] == 0:
            least = min(least, int(ground.distance[node, chase.ghost[ghost]]))
    return least


# --- ways that are safe whatever the ghosts do ------------------------------------------------------


@bare_kernel
def safe_way(ground, chase, horizon, flood):
    """Whether some way reaches the horizon on nodes where Pac-Man is well before all ghosts.

    Such a node is reached more than two ticks before any ghost can: so none is within reach of it then.
    """
    left = int(horizon) - int(chase.tick)
    meet_ghosts(ground, chase, left + CATCH, flood)
    mine, queue = flood[1], flood[2]
    for node in range(mine.shape[0]):
        mine[node] = FAR
    queue[0] = chase.pacman
    mine[chase.pacman] = 0
    head, tail = 0, 1
    while head < tail:
        node = int(queue[head])
        head += 1
        then = int(mine[node]) + 1
        for k in range(count_of(ground.exits[node])):
            there = int(ground.after[8 * node + int(nth_of(ground.exits[node], k))])
            if int(mine[there]) == FAR and then + CATCH < int(flood[0, there]):
                if then >= left:
                    return True
                mine[there] = then
                queue[tail] = there
                tail += 1
    return False


@inline
def meet_ghosts(ground, chase, ticks, flood):
    """flood[0, node]: the first tick from now at which a ghost can be there; FAR if not within `ticks`.

    Arcs in a queue (8 * node + direction), behind flood's third row, in the order of their ticks. The
    tick of a node is that of the first arc to reach it; an arc goes on where its node was reached by
    no other way on, or where it was so by one other direction only.
    """
    first, waves = flood[0], flood[3:].reshape(-1)
    for node in range(first.shape[0]):
        first[node] = FAR
        flood[1, node] = 0  # directions by which ghosts have come
    head, tail = 0, 0
    for ghost in range(GHOSTS):
        if chase.wait[ghost] == 0:
            node = int(chase.ghost[ghost])
            first[node] = 0
            waves[tail] = 8 * node + int(chase.ghost_move[ghost])
            tail += 1
    tick = 0
    while tick < ticks:
        for ghost in range(GHOSTS):
            if chase.wait[ghost] != 0 and int(chase.wait[ghost]) == tick:
                node = int(chase.home[ghost])
                first[node] = min(int(first[node]), tick)
                waves[tail] = 8 * node + 4
                tail += 1
        tick += 1
        end = tail
        while head < end:
            arc = int(waves[head])
            head += 1
            node = arc >> 3
            bits = others(ground.exits[node], arc & 7)
            for k in range(count_of(bits)):
                direction = int(nth_of(bits, k))
                there = int(ground.after[8 * node + direction])
                if there != NOWHERE and int(flood[1, there]) >> direction & 1 == 0:
                    flood[1, there] |= np.uint16(1 << direction)
                    first[there] = min(int(first[there]), tick)
                    waves[tail] = 8 * there + direction
                    tail += 1
