"""The player that plays any legal move, each as likely as the others."""

from __future__ import annotations

from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.random import derive
from manyminds.players.player import Decision, Lineup
from manyminds.players.registry import register


class RandomPlayer:
    """Its n-th draw follows from its seat's seed and n alone; the budget is not touched."""

    def __init__(self) -> None:
        self.game: Any = None
        self.seat = 0
        self.seed = 0
        self.draws = 0

    def begin(self, game: Any, seat: int, lineup: Lineup) -> None:
        self.game, self.seat, self.seed, self.draws = game, seat, lineup.seed_of(seat), 0

    def saw(self, joint: tuple[int, ...]) -> None:
        pass

    def decide(self, state: Any, budget: Budget) -> Decision:
        moves = self.game.moves(state, self.seat)
        self.draws += 1
        return Decision(int(moves[derive(self.seed, self.draws) % len(moves)]))


register("random", RandomPlayer, help="any legal move, each as likely as the others")
