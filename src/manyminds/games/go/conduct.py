"""What a move does to the other colours: the evidence by which cooperation shows on a board of Go.

For the colour to play, each of its moves and each other colour c:

| feature | the move |
|---|---|
| takes | takes a chain of c |
| ataris | leaves a chain of c that it touches its last liberty |
| touches | takes a liberty from a chain of c |
| near | is within two points of a stone of c (a king's moves) |
| rescues | takes, or puts into atari, a third colour's chain that touches a chain of c |
| fills | fills a point that the mover and c surround together, with no chain in atari there |

They are 0 or 1. A pass does nothing to anybody.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, entry, inline
from manyminds.games.contract import Game, State
from manyminds.games.go.board import (
    EMPTY,
    PASS,
    STRIDE,
    WALL,
    atari_beside,
    count_around,
    neighbours,
    surrounded,
)
from manyminds.games.go.heuristics import is_enemy
from manyminds.games.go.rules import legal

FEATURES = ("takes", "ataris", "touches", "near", "rescues", "fills")
TAKES, ATARIS, TOUCHES, NEAR, RESCUES, FILLS = range(len(FEATURES))


@inline
def _liberties_but(board, head, but, most):
    """How many different liberties a chain has beside one point, counted up to `most`."""
    first, second, n = 0, 0, 0
    stone = np.uint32(head)
    while True:
        for q in neighbours(stone):
            new = board.color[q] == EMPTY and q != but and q != first and q != second
            if new and n < most:
                n += 1
                second = first
                first = q
        stone = np.uint32(board.next_stone[stone])
        if stone == head or n >= most:
            return n


@bare_kernel
def _note_rescues(board, head, colour, out):
    """A chain of a third colour is taken or in atari: whoever it touches is helped."""
    its = int(board.color[head])
    stone = np.uint32(head)
    while True:
        for q in neighbours(stone):
            content = int(board.color[q])
            if is_enemy(content, colour) and content != its:
                out[content - 1, RESCUES] = 1
        stone = np.uint32(board.next_stone[stone])
        if stone == head:
            return


@bare_kernel
def _note_chains(board, point, colour, out):
    """What a stone does to the chains that it touches."""
    for q in neighbours(point):
        content = int(board.color[q])
        if not is_enemy(content, colour):
            continue
        head = np.uint32(board.head[q])
        left = _liberties_but(board, head, point, 2)
        out[content - 1, TOUCHES] = 1
        if left == 0:
            out[content - 1, TAKES] = 1
        elif left == 1:
            out[content - 1, ATARIS] = 1
        if left <= 1:
            _note_rescues(board, head, colour, out)


@inline
def _note_near(board, point, colour, out):
    row, column = int(point) // STRIDE, int(point) % STRIDE
    for r in range(max(row - 2, 1), min(row + 2, int(board.height)) + 1):
        for k in range(max(column - 2, 1), min(column + 2, int(board.width)) + 1):
            content = int(board.color[np.uint32(r * STRIDE + k)])
            if is_enemy(content, colour):
                out[content - 1, NEAR] = 1


@inline
def _note_eyes(board, point, colour, out):
    """Whom the mover surrounds the point with, if it is with one colour alone and nobody is in atari."""
    if count_around(board, point, EMPTY) != 0 or atari_beside(board, point):
        return
    own, wall = count_around(board, point, colour), count_around(board, point, WALL)
    for other in range(1, int(board.colours) + 1):
        its = count_around(board, point, other)
        if other != colour and own > wall and own + its - wall == 4:
            out[other - 1, FILLS] = 1


@entry
def _list_conduct(board, moves, out):
    """All moves that are worth a thought, and what each does; how many."""
    n = 0
    colour = int(board.to_play)
    for p in range(STRIDE + 1, (board.height + 1) * STRIDE):
        if board.color[p] != EMPTY or surrounded(board, p, colour) or not legal(board, p, colour):
            continue
        point = np.uint32(p)
        moves[n] = p
        _note_chains(board, point, colour, out[n])
        _note_near(board, point, colour, out[n])
        _note_eyes(board, point, colour, out[n])
        n += 1
    moves[n] = PASS
    return n + 1


def conduct(game: Game, state: State) -> tuple[np.ndarray, np.ndarray]:
    """The mover's moves, pass last, and what each does to each seat: float[moves, seats, features].

    Points that the mover alone surrounds are left out, as in playouts.
    """
    most = int(state.width) * int(state.height) + 1
    moves = np.zeros(most, np.int64)
    out = np.zeros((most, game.seats, len(FEATURES)), np.uint8)
    n = _list_conduct(state, moves, out)
    return moves[:n], out[:n].astype(float)


def mirrored(game: Game, state: State, stone: int) -> tuple[int, ...]:
    """The mover's legal points that mirror a stone: left to right, bottom to top, or both."""
    if stone == PASS or int(state.color[stone]) == EMPTY:
        return ()
    row, column = divmod(stone, STRIDE)
    rows, columns = (row, int(state.height) + 1 - row), (column, int(state.width) + 1 - column)
    points = {r * STRIDE + k for r in rows for k in columns} - {stone}
    return tuple(int(move) for move in game.moves(state) if int(move) in points)
