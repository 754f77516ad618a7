"""Leaf parallelization: one thread in the tree, several playouts from each leaf (Filip 2013, 2.3.2).

A round: the leader selects and expands, puts the leaf on the board and makes a playout itself; the helpers
make one each; the leader waits for all of them and backs them up in their order. So two runs are alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manyminds.core.atomics import load_acquire, store_release
from manyminds.core.errors import Failure
from manyminds.core.kernel import bare_entry, inline
from manyminds.core.record import copy_of, record
from manyminds.parallel.access import STUCK, wait
from manyminds.parallel.desks import copies_of, desks_beside
from manyminds.parallel.shared import stop
from manyminds.parallel.threads import Threads
from manyminds.search.access import ALONE
from manyminds.search.desk import Desk
from manyminds.search.loop import back_up, expand, select, simulate

_OVER = 0xFFFFFFFF  # the number of no round: helpers go home

HEAD = record(
    number="uint32",  # of the round: the leader's; helpers begin when it changes
    wanted="uint32",  # playouts of this round
    stop="uint32",  # see access.py
)


class Board(NamedTuple):
    """Where leader and helpers meet. Rows are indexed by helper."""

    head: Any
    leaf: Any  # the state to play from
    done: np.ndarray  # [helper, 0]: the last round that it has finished; a line for each
    sums: np.ndarray  # [helper, slot]
    length: np.ndarray  # of its trace
    seats: np.ndarray  # [helper, place in the trace]
    moves: np.ndarray


def new_board(desk: Desk, helpers: int) -> Board:
    """A board for so many helpers and searches of this desk's game."""
    deepest = desk.trace.move.shape[0]
    return Board(
        HEAD.new(),
        copy_of(desk.state),
        np.zeros((helpers, 32), np.uint32),
        np.zeros((helpers, max(16, len(desk.sums))), np.int64),
        np.zeros(helpers, np.int64),
        np.zeros((helpers, deepest), desk.trace.seat.dtype),
        np.zeros((helpers, deepest), desk.trace.move.dtype),
    )


@bare_entry
def lead(game, rule, tree, desk, p, settings, board, playouts):
    """So many playouts, as many from each leaf as there are threads; a last round may want fewer."""
    threads = board.done.shape[0] + 1
    left = playouts
    while left > 0 and load_acquire(board.head, "stop") == 0:
        wanted = min(left, threads)
        depth = select(game, rule, ALONE, tree, desk, p, settings)
        depth = expand(game, rule, ALONE, tree, desk, p, settings, depth)
        game.copy(board.leaf, desk.state)
        board.head.wanted = wanted
        number = np.uint32(int(board.head.number) + 1)
        store_release(board.head, "number", number)
        simulate(game, desk, p, settings)
        back_up(game, ALONE, tree, desk, p, depth, wanted == 1)
        for helper in range(wanted - 1):
            if not wait_for(board, helper, number):
                break
            fetch(game, desk, board, helper)
            back_up(game, ALONE, tree, desk, p, depth, helper == wanted - 2)
        left -= wanted
    store_release(board.head, "number", np.uint32(_OVER))


@inline
def wait_for(board, helper, number):
    """Wait until a helper has finished a round; False when all stop."""
    waited = 0
    while load_acquire(board.done[helper], 0) != number:
        if not wait(board.head, waited):
            return False
        waited += 1
    return True


@inline
def fetch(game, desk, board, helper):
    """A helper's rewards and moves, as if the playout had been our own."""
    for slot in range(game.slots):
        desk.sums[slot] = board.sums[helper, slot]
    n = int(board.length[helper])
    for at in range(int(desk.leaf_turn[0]), n):
        desk.trace.seat[np.uint32(at)] = board.seats[helper, at]
        desk.trace.move[np.uint32(at)] = board.moves[helper, at]
    desk.trace.n = n


@bare_entry
def help_out(game, leader, desk, p, settings, board, helper, before):
    """A playout from each leaf that is put on the board, until the leader or all stop.

    before: the number of the last round before we came.
    """
    last = np.uint32(before)
    while True:
        waited = 0
        number = load_acquire(board.head, "number")
        while number == last:
            if not wait(board.head, waited):
                return
            waited += 1
            number = load_acquire(board.head, "number")
        if number == _OVER:
            return
        last = number
        if helper + 1 < board.head.wanted:
            begin_at_leaf(game, leader, desk, board)
            simulate(game, desk, p, settings)
            hand_in(game, desk, board, helper)
            store_release(board.done[helper], 0, number)


@inline
def begin_at_leaf(game, leader, desk, board):
    """The leaf's state, and what was played up to it."""
    game.copy(desk.state, board.leaf)
    n = leader.leaf_turn[0]
    desk.leaf_turn[0] = n
    for at in range(n):
        desk.trace.seat[np.uint32(at)] = leader.trace.seat[np.uint32(at)]
        desk.trace.move[np.uint32(at)] = leader.trace.move[np.uint32(at)]


@inline
def hand_in(game, desk, board, helper):
    for slot in range(game.slots):
        board.sums[helper, slot] = desk.sums[slot]
    n = int(desk.trace.n)
    board.length[helper] = n
    for at in range(int(desk.leaf_turn[0]), n):
        board.seats[helper, at] = desk.trace.seat[np.uint32(at)]
        board.moves[helper, at] = desk.trace.move[np.uint32(at)]


class Leaf:
    """A crew whose threads make a playout each from one leaf. A budget counts playouts."""

    virtual_loss, locks, results = 0, False, True

    def __init__(self, threads: int) -> None:
        self.threads = Threads(threads)
        self._desks: list[Desk] = []
        self._board: Any = None

    def run(self, search: Any, simulations: int) -> None:
        p, settings = search.parameters, search.settings
        tree, board = search.tree, self._ready(search)
        playouts, before = simulations * int(p.playouts), int(board.head.number)

        def work(k: int) -> None:
            if k == 0:
                rule = search.selection.kernels
                lead(search.kernels, rule, tree, search.desk, p, settings, board, playouts)
            else:
                desk = self._desks[k - 1]
                help_out(search.kernels, search.desk, desk, p, settings, board, k - 1, before)

        self.threads.run(work, lambda: stop(board.head))
        if int(board.head.stop) == STUCK:
            raise Failure("a thread made no playout in time; the search starts anew")

    def copy(self) -> Leaf:
        twin = Leaf(self.threads.n)
        twin._desks = copies_of(self._desks)
        return twin

    def _ready(self, search: Any) -> Board:
        if not self._desks:
            self._desks = desks_beside(search.desk, self.threads.n - 1)
        if self._board is None:
            self._board = new_board(search.desk, self.threads.n - 1)
        board: Board = self._board
        board.head.stop, board.head.number = 0, 0
        board.done[:] = 0
        return board
