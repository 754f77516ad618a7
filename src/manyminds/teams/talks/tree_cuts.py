"""Mates that exchange the most visited parts of their trees (3.3.6)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from manyminds.core.errors import UsageError
from manyminds.search.exchange import Cut
from manyminds.teams.mate import Habits
from manyminds.teams.message import HEADER_BYTES, MOST_BYTES
from manyminds.teams.whole_cut import whole_cut
from manyminds.teams.wire import entry_bytes, pack_cut, reroot_cut, unpack_cut

if TYPE_CHECKING:
    from manyminds.teams.mate import Heard, Mate


class TreeCuts:
    """Says a visit-count cut of so many bytes each time the channel is free.

    What it hears enters the tree, after the same sender's previous cut was taken out. A cut carries the
    mate's own work; with `echo` what it received as well, which is the thesis's plain reading.
    """

    def __init__(self, size: int = 2048, echo: bool = False) -> None:
        self.size = min(size, MOST_BYTES) - HEADER_BYTES
        self.habits = Habits(kind=4, needs={"social": True, "echo": echo}, cost=(0.3, 0.0012))

    def begin(self, mate: Mate) -> None:
        self.mate = mate
        self.cuts: dict[int, Cut] = {}

    def moved(self, moves: tuple[int, ...] | None) -> None:
        if moves is None:
            self.cuts.clear()

    def say(self, room: int) -> list[bytes]:
        tree, flags = self.mate.tree, self.mate.flags
        slots = tree.kernels.slots
        entries = self.size // entry_bytes(slots, bool(flags))
        cut = whole_cut(tree, entries)
        return [pack_cut(cut, flags)] if len(cut) else []

    def hear(self, heard: Heard) -> None:
        cut = unpack_cut(heard.payload, heard.flags, self.mate.tree.kernels.slots)
        if heard.moves:
            cut = reroot_cut(cut, heard.moves)
        self.replace(heard.sender, cut)

    def replace(self, sender: int, cut: Cut) -> None:
        """Take the sender's previous cut out of the tree and the new one in."""
        tree = self.mate.tree
        previous = self.cuts.pop(sender, None)
        if previous is not None:
            with contextlib.suppress(UsageError):  # the tree may be another one by now
                tree.retract(previous)
        tree.absorb(cut)
        self.cuts[sender] = cut

    def weights(self) -> dict[int, float]:
        return {}
