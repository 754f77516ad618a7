"""The rules of Go for two to six colours, as the game contract asks for them.

Colours play in turn, a pass is a move (number 0), suicide is forbidden, ko is simple or positional
superko, and the game ends when all colours have passed in turn or at the move limit.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline
from manyminds.games.go.board import (
    EMPTY,
    PASS,
    STRIDE,
    WALL,
    common_eye,
    may_go,
    neighbours,
    surrounded,
)
from manyminds.games.go.views import put

PASS_AT_THE_END, PASS_ANY_TIME = 0, 1
IN_PLAYOUTS, EVERYWHERE = 0, 1  # where a coalition spares its common eyes


@bare_kernel
def seat(board):
    return board.to_play - 1


@bare_kernel
def over(board):
    return board.passes >= board.colours or board.moves >= board.limit


@inline
def _stone_hash(point, colour):
    """64 well-mixed bits for a stone (splitmix64), with no table to carry along."""
    bits = np.uint64((int(colour) << 16) | int(point)) * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@bare_kernel
def position_hash(board):
    """The stones on the board, whoever is to play: what positional superko compares."""
    bits = np.uint64(0)
    for p in range(STRIDE + 1, (board.height + 1) * STRIDE):
        colour = board.color[p]
        if colour != EMPTY and colour != WALL:
            bits ^= _stone_hash(p, colour)
    return bits


@bare_kernel
def _chain_hash(board, head):
    bits = np.uint64(0)
    stone = head
    while True:
        bits ^= _stone_hash(stone, board.color[stone])
        stone = board.next_stone[stone]
        if stone == head:
            return bits


@bare_kernel
def _hash_after(board, point, colour):
    """The position's hash after a legal move, without making it.

    A chain beside the point is taken when all its pseudo-liberties are this point's.
    """
    bits = board.seen[board.moves] ^ _stone_hash(point, colour)
    around = neighbours(point)
    for q in around:
        board.liberties[board.head[q]] -= 1
    for k in range(4):
        q = around[k]
        content = board.color[q]
        if content != colour and content != EMPTY and content != WALL:
            head = board.head[q]
            counted = False
            for j in range(k):
                counted |= board.head[around[j]] == head
            if not counted and board.liberties[head] == 0:
                bits ^= _chain_hash(board, head)
    for q in around:
        board.liberties[board.head[q]] += 1
    return bits


@bare_kernel
def _comes_again(board, point, colour):
    bits = _hash_after(board, point, colour)
    for k in range(board.moves + 1):
        if board.seen[k] == bits:
            return True
    return False


@bare_kernel
def legal(board, point, colour):
    """Whether a colour, on its turn, may put a stone on an empty point."""
    return may_go(board, point, colour) and not (
        board.superko and _comes_again(board, point, colour)
    )


@bare_kernel
def moves(board, out):
    """All legal points, row by row from A1, and pass last."""
    n = 0
    colour = board.to_play
    for p in range(STRIDE + 1, (board.height + 1) * STRIDE):
        if board.color[p] == EMPTY and legal(board, p, colour):
            out[n] = p
            n += 1
    out[n] = PASS
    return n + 1


@bare_kernel
def tree_moves(board, out, settings):
    """The legal points that the colour does not surround, as in playouts; a pass by `settings.passes`.

    Where `settings.spare` says so, common eyes of the colour's coalition are left out, too.
    """
    n = 0
    colour = board.to_play
    allies = settings.allies[colour] if settings.spare == EVERYWHERE else 0
    for p in range(STRIDE + 1, (board.height + 1) * STRIDE):
        if board.color[p] == EMPTY and not surrounded(board, p, colour) and legal(board, p, colour):
            if allies != 0 and common_eye(board, p, colour, allies):
                continue
            out[n] = p
            n += 1
    if n == 0 or settings.passes == PASS_ANY_TIME:
        out[n] = PASS
        n += 1
    return n


@bare_kernel
def play(board, move):
    """Play the mover's legal move."""
    if move == PASS:
        board.passes += 1
        board.ko = 0
    else:
        put(board, np.uint16(move), int(board.to_play))
        board.passes = 0
    board.last2 = board.last
    board.last = move
    board.moves += 1
    board.to_play = 1 if board.to_play == board.colours else board.to_play + 1
    if board.superko:
        board.seen[board.moves] = position_hash(board)
