"""Mates that vote: each tells the joint move it thinks best, the most frequent one is played (3.3.3)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from manyminds.teams.mate import Habits
from manyminds.teams.message import WIDE, Refused

if TYPE_CHECKING:
    from manyminds.teams.mate import Heard, Mate

MOST_MOVES = 64  # from the root to the team's next choice


class JointActions:
    """Says a vote when it has changed, or when the position has.

    A vote is the path in the tree to the team's next choice and through it, so that it holds in later
    ticks too, as long as play follows the path. Where votes are equal, the lowest seat's counts.
    """

    habits = Habits(kind=1, jointly=True, cost=(0.02, 0.0))

    def begin(self, mate: Mate) -> None:
        self.mate = mate
        self.votes: dict[int, list[int]] = {}  # by seat: the path from the present root
        self.said: list[int] | None = None

    def moved(self, moves: tuple[int, ...] | None) -> None:
        self.said = None
        if moves is None:
            self.votes.clear()
            return
        left = {seat: _after(path, moves) for seat, path in self.votes.items()}
        self.votes = {seat: path for seat, path in left.items() if path}

    def say(self, room: int) -> list[bytes]:
        path = self._own()
        if not path or path == self.said or len(path) > MOST_MOVES:
            return []
        self.said = path
        return [np.array(path, "<u4" if self.mate.flags & WIDE else "<u2").tobytes()]

    def hear(self, heard: Heard) -> None:
        size = 4 if heard.flags & WIDE else 2
        if not heard.payload or len(heard.payload) % size:
            raise Refused("truncated")
        if len(heard.payload) > size * MOST_MOVES:
            raise Refused("garbage")
        path = np.frombuffer(heard.payload, f"<u{size}").tolist()
        left = _after(path, heard.moves)
        if not left:
            raise Refused("stale")
        self.votes[heard.sender] = left

    def weights(self) -> dict[int, float]:
        votes = {seat: path[-1] for seat, path in self.votes.items()}
        own = self._own()
        if own:
            votes[self.mate.seat] = own[-1]
        frequent = Counter(votes.values())
        # The lowest seat behind a move breaks ties: less than one vote, and more for lower seats.
        first = {move: min(s for s in votes if votes[s] == move) for move in frequent}
        return {move: n + 1 / (2 + first[move]) for move, n in frequent.items()}

    def _own(self) -> list[int]:
        """The path to the most visited joint move, among all first choices of the team."""
        cut = self.mate.tree.next_moves(self.mate.seat)
        visits = cut.entries["visits"]
        if not len(visits) or not visits.max():
            return []
        return list(cut.path(int(np.argmax(visits))))


def _after(path: list[int], moves: list[int] | tuple[int, ...]) -> list[int]:
    """What is left of a path when these moves were made; nothing when they went another way."""
    n = len(moves)
    return path[n:] if path[:n] == list(moves) else []
