"""Mates that say nothing: independent ones, and the plain search they are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from manyminds.teams.mate import Habits

if TYPE_CHECKING:
    from manyminds.teams.mate import Heard, Mate


class Silent:
    """Independent mates (Filip, 3.3.2). With one seed for all, they build the same tree, each for itself."""

    def __init__(self, seeds: str = "same") -> None:
        self.habits = Habits(same_seed=seeds == "same")

    def begin(self, mate: Mate) -> None:
        pass

    def moved(self, moves: tuple[int, ...] | None) -> None:
        pass

    def say(self, room: int) -> list[bytes]:
        return []

    def hear(self, heard: Heard) -> None:
        pass

    def weights(self) -> dict[int, float]:
        return {}


class Plain(Silent):
    """No mates at all: one tree decides for every seat of the team (Filip, 4.5.1)."""

    def __init__(self) -> None:
        super().__init__()
        self.habits = Habits(shared=True, same_seed=True, jointly=True)
