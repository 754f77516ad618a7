"""Mates that tell each simulation they make, the newest first (3.3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manyminds.search.desk import log_dtype
from manyminds.teams.mate import Habits
from manyminds.teams.message import HEADER_BYTES, MOST_BYTES
from manyminds.teams.wire import (
    MOST_RESULTS,
    pack_results,
    reroot_results,
    results_bytes,
    unpack_results,
)

if TYPE_CHECKING:
    from manyminds.teams.mate import Heard, Mate


class Results:
    """Says as many of its newest simulations as the channel carries; of those that wait, `most` are kept.

    What it hears enters the tree at once, as if it had simulated it itself, and is not told on.
    """

    def __init__(self, most: int = 440) -> None:
        self.most = most
        self.habits = Habits(
            kind=3, latest=False, needs={"results": most, "social": True}, cost=(0.05, 0.002)
        )

    def begin(self, mate: Mate) -> None:
        self.mate = mate
        self.waiting: np.ndarray | None = None

    def moved(self, moves: tuple[int, ...] | None) -> None:
        if moves is None:
            self.waiting = None
        elif self.waiting is not None:
            self.waiting = reroot_results(self.waiting, list(moves))

    def say(self, room: int) -> list[bytes]:
        tree, flags = self.mate.tree, self.mate.flags
        new = tree.results()[::-1]
        old = np.zeros(0, log_dtype(tree.kernels.slots)) if self.waiting is None else self.waiting
        newest = np.concatenate([new, old])[: self.most]
        sizes = results_bytes(newest, flags, tree.kernels.slots)
        fit = int(np.searchsorted(np.cumsum(sizes), min(room, MOST_BYTES) - HEADER_BYTES - 2))
        fit = min(fit, MOST_RESULTS)
        self.waiting = newest[fit:]
        return [pack_results(newest[:fit], flags)] if fit else []

    def hear(self, heard: Heard) -> None:
        results = unpack_results(heard.payload, heard.flags, self.mate.tree.kernels.slots)
        self.mate.tree.absorb(reroot_results(results, heard.moves))

    def weights(self) -> dict[int, float]:
        return {}
