"""The scratch of one search: states to play on, the trace, the path, and room for lists."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from manyminds.core.bundle import bundle
from manyminds.core.kernel_set import Kernels
from manyminds.core.random import generator
from manyminds.core.record import Record


@bundle
class Desk(NamedTuple):
    """Arrays are indexed by depth in the path, by team (slot), by seat, or by place in a list of moves."""

    root: Any  # the state at the root; never played on
    state: Any
    spare: Any
    trace: Any  # who played what since the root: edges first, then the playout
    rng: Any
    path: np.ndarray  # nodes from the root to the leaf
    turn: np.ndarray  # where in the trace the choice of each of them stands
    leaf_turn: np.ndarray  # where the playout begins
    leaf_length: np.ndarray  # the length of the leaf's edge, as it was followed
    sums: np.ndarray  # a playout's rewards by team, in units of 1 / ONE
    rewards: np.ndarray  # and by seat
    moves: np.ndarray
    prior: np.ndarray
    played: np.ndarray  # [seat, move]: the stamp of the playout that last marked it (for RAVE)
    stamp: np.ndarray  # of the present playout
    others: np.ndarray  # [move]: the same of the first seat that made it, where RAVE fades
    weights: np.ndarray  # [seat, team]: what the search assumes that a seat maximises
    log: np.ndarray  # the newest results, in a ring; empty: no log


def new_desk(
    state: Record,
    trace: Record,
    game: Kernels,
    start: Any,
    weights: np.ndarray,
    log: int,
    seed: int,
    rave: bool = True,
) -> Desk:
    """A desk for searches from `start`. log: results to remember. rave: whether moves will be marked."""
    deepest = trace.dtype["move"].shape[0]
    noted = trace.new()
    noted.unread = not rave
    return Desk(
        root=state.unpack(start.tobytes()),
        state=state.new(),
        spare=state.new(),
        trace=noted,
        rng=generator(seed),
        path=np.zeros(deepest + 1, np.uint32),
        turn=np.zeros(deepest + 1, np.uint32),
        leaf_turn=np.zeros(1, np.uint32),
        leaf_length=np.zeros(1, np.uint32),
        sums=np.zeros(game.slots, np.int64),
        rewards=np.zeros(game.seats),
        moves=np.zeros(game.most_moves + 1, np.uint32),
        prior=np.zeros((game.most_moves + 1 if game.has_prior else 1, 2)),
        played=np.zeros((game.seats, game.move_ids if rave else 1), np.uint32),
        stamp=np.zeros(1, np.uint32),
        others=np.zeros(game.move_ids if rave else 1, np.uint32),
        weights=weights,
        log=np.zeros(log, log_dtype(game.slots)).view(np.recarray),
    )


LOGGED_MOVES = 62  # a path is told as far as this


@functools.lru_cache
def log_dtype(slots: int) -> np.dtype:
    """One simulation as others are told of it: the moves from the root and the rewards by team."""
    return np.dtype(
        [("n", np.uint32), ("moves", np.uint32, (LOGGED_MOVES,)), ("sums", np.int64, (slots,))],
        align=True,
    )
