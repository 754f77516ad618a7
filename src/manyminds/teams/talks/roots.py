"""Mates that exchange next-move cuts, and add up their visits when they decide (3.3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manyminds.search.exchange import Cut
from manyminds.teams.mate import Habits
from manyminds.teams.message import HEADER_BYTES, MOST_BYTES
from manyminds.teams.wire import entry_bytes, pack_cut, reroot_cut, unpack_cut

if TYPE_CHECKING:
    from manyminds.teams.mate import Heard, Mate


class Roots:
    """Says the visits of the team's next joint moves. A sender's newest cut replaces its older ones.

    Nothing received enters the tree: all of it is merged at the decision only.
    """

    habits = Habits(kind=2, jointly=True, cost=(0.02, 0.0))

    def begin(self, mate: Mate) -> None:
        self.mate = mate
        self.cuts: dict[int, Cut] = {}
        self.said = b""

    def moved(self, moves: tuple[int, ...] | None) -> None:
        if moves is None:
            self.cuts.clear()
        elif moves:
            self.cuts = {seat: reroot_cut(cut, list(moves)) for seat, cut in self.cuts.items()}

    def say(self, room: int) -> list[bytes]:
        cut = self.mate.tree.next_moves(self.mate.seat)
        most = (MOST_BYTES - HEADER_BYTES) // entry_bytes(0, True)
        if not len(cut) or len(cut.entries) > most:
            return []
        return [pack_cut(cut, self.mate.flags, values=False)]

    def hear(self, heard: Heard) -> None:
        slots = self.mate.tree.kernels.slots
        cut = unpack_cut(heard.payload, heard.flags, slots, values=False)
        self.cuts[heard.sender] = reroot_cut(cut, heard.moves)

    def weights(self) -> dict[int, float]:
        sums: dict[int, float] = {}
        for cut in (self.mate.tree.next_moves(self.mate.seat), *self.cuts.values()):
            said = cut.entries[np.asarray(cut.entries["visits"]) > 0]
            for move, visits in zip(said["move"].tolist(), said["visits"].tolist(), strict=True):
                sums[move] = sums.get(move, 0) + visits
        return sums
