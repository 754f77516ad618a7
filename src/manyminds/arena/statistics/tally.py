"""Wins, draws and losses of one side, and the score they come to."""

from __future__ import annotations

from dataclasses import dataclass

from manyminds.arena.statistics.checked import checked_count


@dataclass(frozen=True)
class Tally:
    """What one side's games came to. A draw is half a win and half a loss, everywhere."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        for name in ("wins", "draws", "losses"):
            checked_count(getattr(self, name), f"the number of {name}")

    @property
    def n(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Wins and half the draws, in [0, n]."""
        return self.wins + self.draws / 2.0

    def other_side(self) -> Tally:
        """The same games as the other side counts them."""
        return Tally(self.losses, self.draws, self.wins)
