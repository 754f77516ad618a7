"""Where a mate's root has been: what a message of an earlier tick means for the present root.

Trees keep edges over moves without a choice, so a path from an older root is one from the present root
with the moves taken off that were chosen in between. They follow from the positions alone and are the
same for all mates, whatever their trees hold.
"""

from __future__ import annotations

from collections import deque

from manyminds.teams.message import Refused

TICKS_KEPT = 64
TICKS_AHEAD = 8  # a message may come before its position does


class Trail:
    """The roots of the last ticks, and the moves of the tree that led from each to the next."""

    def __init__(self) -> None:
        self.tick = 0
        self._roots: dict[int, int] = {}
        self._steps: deque[tuple[int, ...] | None] = deque(maxlen=TICKS_KEPT)

    def at(self, root: int) -> None:
        """The root of the present tick has this hash."""
        self._roots[self.tick] = root

    @property
    def root(self) -> int:
        """The present root's hash."""
        return self._roots[self.tick]

    def step(self, chosen: tuple[int, ...] | None) -> None:
        """A tick later, by these moves of the tree; None when the tree has no such way."""
        self._steps.append(chosen)
        self._roots.pop(self.tick - TICKS_KEPT, None)
        self.tick += 1

    def skip(self, ticks: int) -> None:
        """So many ticks later, by ways that nobody saw."""
        self._steps.clear()
        self._roots.clear()
        self.tick += ticks

    def since(self, tick: int, root: int) -> list[int]:
        """The moves of the tree from a message's root to the present one; Refused where there is no way."""
        if tick > self.tick:
            raise Refused("early")
        if self.tick - tick > len(self._steps):
            raise Refused("stale")
        if self._roots.get(tick) != root:
            raise Refused("elsewhere")
        moves: list[int] = []
        for chosen in list(self._steps)[len(self._steps) - (self.tick - tick) :]:
            if chosen is None:
                raise Refused("stale")
            moves.extend(chosen)
        return moves
