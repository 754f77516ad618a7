"""Connect four: stones fall into columns; four in a line, upright, level or slanting, win.

Each seat's stones are bits of one 64-bit word: column by column, `height` squares and one bit above
them that stays empty, so that no line runs from one column's top into the next one's bottom.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.core.kernel import inline, kernel
from manyminds.core.random import below
from manyminds.core.record import record
from manyminds.games.contract import Game, State
from manyminds.games.defaults import note
from manyminds.games.small.grid import COLUMNS, draw

STATE = record(stones="uint64[2]", turn="uint8")
SIGNS = ".YR"  # nobody, yellow, red
WIDEST = len(COLUMNS)

_ONE, _TWO = np.uint64(1), np.uint64(2)


@inline
def _four(stones, step):
    """Whether four stones stand in steps of so many bits."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (_TWO * step)) != 0


@kernel
def seat(state):
    return state.turn


def _geometry(width: int, height: int) -> tuple[Any, Any, Any]:
    """What depends on the board's size: is a column open, where does a stone land, has a seat won."""
    stride, top, slope = np.uint64(height + 1), np.uint64(height - 1), np.uint64(height + 2)
    fall = np.uint64(height)

    @inline
    def is_open(taken, move):
        return taken & (_ONE << (np.uint64(move) * stride + top)) == 0

    @inline
    def landing(taken, move):
        # Adding one at the bottom of a column of stones carries to the first empty square.
        return (taken + (_ONE << (np.uint64(move) * stride))) & ~taken

    @inline
    def won(stones):
        return (
            _four(stones, _ONE)
            or _four(stones, stride)
            or _four(stones, fall)
            or _four(stones, slope)
        )

    return is_open, landing, won


def _kernels(width: int, height: int) -> dict[str, Any]:
    """The game's functions for boards of one size, a constant in them."""
    is_open, landing, won = _geometry(width, height)
    full = np.uint64(sum(((1 << height) - 1) << (k * (height + 1)) for k in range(width)))

    @kernel
    def moves(state, out):
        taken = state.stones[0] | state.stones[1]
        n = 0
        for move in range(width):
            if is_open(taken, move):
                out[n] = move
                n += 1
        return n

    @kernel
    def play(state, move):
        state.stones[state.turn] |= landing(state.stones[0] | state.stones[1], move)
        state.turn = 1 - state.turn

    @kernel
    def over(state):
        return won(state.stones[1 - state.turn]) or state.stones[0] | state.stones[1] == full

    @kernel
    def rewards(state, out):
        out[0] = 0.5 * (1 + won(state.stones[0]) - won(state.stones[1]))
        out[1] = 1 - out[0]

    @kernel
    def playout(state, rng, trace):
        """Steps as the default ones, on words in the processor: a full column is drawn again."""
        turn = state.turn
        mine, others = state.stones[turn], state.stones[1 - turn]
        while trace.turns < trace.limit and mine | others != full and not won(others):
            move = below(rng, width)
            while not is_open(mine | others, move):
                move = below(rng, width)
            note(trace, turn, move)
            trace.turns += 1
            mine, others = others, mine | landing(mine | others, move)
            turn = 1 - turn
        state.stones[turn], state.stones[1 - turn], state.turn = mine, others, turn

    return dict(seat=seat, moves=moves, play=play, over=over, rewards=rewards, playout=playout)


def connect_four(width: int = 7, height: int = 6) -> Game:
    """Connect four on a board of any size whose columns, with one bit above each, fit 64 bits."""
    if not (1 <= width <= WIDEST and height >= 1 and width * (height + 1) <= 64):
        raise UsageError(
            f"connect four is played on 1 to {WIDEST} columns with width x (height + 1) at most 64, "
            f"not on {width}x{height}"
        )
    return Game(
        "connect_four",
        STATE,
        seats=2,
        seat_names=("yellow", "red"),
        start=STATE.new,
        move_ids=width,
        most_moves=width,
        longest=width * height,
        name=lambda move: COLUMNS[move],
        show=lambda state: _show(state, width, height),
        arguments={"width": width, "height": height},
        **_kernels(width, height),
    )


def _show(state: State, width: int, height: int) -> str:
    def sign(row: int, column: int) -> str:
        bit = 1 << (column * (height + 1) + row)
        return SIGNS[next((k + 1 for k in (0, 1) if int(state.stones[k]) & bit), 0)]

    return draw([sign(row, column) for row in range(height) for column in range(width)], width)
