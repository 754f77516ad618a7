"""What came of learning: the chosen set, how it was found, and what fresh games say of it. Plain data."""

from __future__ import annotations

from typing import Any

import msgspec

from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.course import Step
from manyminds.arena.statistics import Interval


class Learnt(msgspec.Struct, frozen=True, kw_only=True):
    """One run of `manyminds learn`. games: of the choice; ending: "finished", or how it was stopped.

    first: the chosen set's share of wins in the games that it was chosen by, which is biased upwards.
    fresh: its share in games played after the choice. alone: fresh shares of its agents, each on its
    own. best_member: the best of these; against_best: the set's share of wins against it, in other
    fresh games. All against `against`, but the last. database: what else the written file is to have.
    """

    title: str
    learner: dict[str, Any]
    game: dict[str, Any]
    player: str
    against: str
    budget: str
    seed: int
    candidates: int
    chosen: AgentSet | None = None
    games: int = 0
    first: Interval | None = None
    fresh: Interval | None = None
    alone: dict[str, Interval] = {}
    best_member: str = ""
    database: dict[str, Any] = {}
    against_best: Interval | None = None
    steps: tuple[Step, ...] = ()
    versions: dict[str, str] = {}
    store: str = ""
    ending: str = "finished"
    played: int = 0
    failed: int = 0

    def to_json(self) -> bytes:
        """This as one JSON object; `from_json` reads it back."""
        return msgspec.json.encode(self)

    @staticmethod
    def from_json(data: bytes | str) -> Learnt:
        """What `to_json` wrote; ValueError where it is none."""
        return msgspec.json.decode(data, type=Learnt)
