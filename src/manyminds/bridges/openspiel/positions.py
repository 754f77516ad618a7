"""OpenSpiel's states by what was played to reach them.

A state of ours is the list of moves since the start (nature's among them), as bytes. Of OpenSpiel's own
states those are kept that a tree has looked at last, since a search asks about positions one move further.
"""

from __future__ import annotations

import threading
from typing import Any

MOST_KEPT = 4096
MOVE = 4  # bytes


class Positions:
    """What `at` gives must not be changed; `fresh` gives a state of the caller's own."""

    def __init__(self, game: Any, most: int = MOST_KEPT) -> None:
        self.game, self.most = game, most
        self.kept: dict[bytes, Any] = {b"": game.new_initial_state()}
        self.last: tuple[bytes, Any] = (b"", self.kept[b""])
        self._lock = threading.Lock()  # kernels of several threads ask

    def at(self, history: bytes) -> Any:
        """The state behind these moves."""
        known, state = self.last
        if known == history:
            return state
        state = self.kept.get(history)
        if state is None:
            state = self.fresh(history)
        self.last = (history, state)
        return state

    def keep(self, history: bytes) -> Any:
        """The same, for a position from which others will be reached."""
        state = self.at(history)
        with self._lock:
            self.kept.pop(history, None)  # the latest stand last
            self.kept[history] = state
            if len(self.kept) > self.most:
                self.kept.pop(next(iter(self.kept)))
        return state

    def fresh(self, history: bytes) -> Any:
        """A state of the caller's own behind these moves."""
        known, state = self.last
        if known == history:
            return state.clone()
        start, near = self._nearest(history)
        state = near.clone() if near is not None else self.game.new_initial_state()
        for move in memoryview(history)[start:].cast("I"):
            state.apply_action(move)
        return state

    def _nearest(self, history: bytes) -> tuple[int, Any]:
        """The longest beginning of the history that is kept: its bytes, and its state."""
        for end in range(len(history), -1, -MOVE):
            state = self.kept.get(history[:end])
            if state is not None:
                return end, state
        return 0, None
