"""A game on its way, as an environment needs it: what agents may do, what they did, what it brought."""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.core.random import below, derive, generator
from manyminds.games.contract import CHANCE, NONE, Game


class Position:
    """Nature's moves, and turns in which the world moves alone, are played by themselves.

    turns: joint moves of the seats so far.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.state = game.start(derive(seed, "start"))
        self.rng = generator(derive(seed, "nature"))
        self.turns = 0
        self._settle()

    @property
    def over(self) -> bool:
        return self.game.over(self.state)

    @property
    def cut_off(self) -> bool:
        """Whether the game goes on beyond its longest."""
        return not self.over and self.turns >= self.game.longest

    def movers(self) -> list[int]:
        """The seats that move now."""
        return [] if self.over else self.game.movers(self.state)

    def legal(self, seat: int) -> np.ndarray:
        """A seat's moves; none where it does not move now."""
        if seat not in self.movers():
            return np.zeros(0, np.uint32)
        return self.game.moves(self.state, seat)

    def mask(self, seat: int) -> np.ndarray:
        """1 for each move that a seat may make, `int8[move_ids]`."""
        mask = np.zeros(self.game.move_ids, np.int8)
        mask[self.legal(seat)] = 1
        return mask

    def settled(self, seat: int, action: Any, illegal: str) -> tuple[int, bool]:
        """The move that an action stands for, and whether it is the action itself."""
        moves = self.legal(seat)
        if (moves == action).any():
            return int(action), True
        if illegal == "raise":
            raise UsageError(
                f"{self.game.seat_names[seat]} cannot play {action!r:.40} here: choose one that the mask has"
            )
        return int(moves[below(self.rng, len(moves))]), False

    def play(self, chosen: dict[int, int]) -> None:
        """One turn: the move of each seat that moves."""
        joint = [chosen.get(seat, NONE) for seat in range(self.game.seats)]
        self.game.play(self.state, joint)
        self.turns += 1
        self._settle()

    def _settle(self) -> None:
        game, alone = self.game, [NONE] * self.game.seats
        while not self.over and not game.movers(self.state):
            if game.simultaneous:
                game.play(self.state, alone)
            else:
                assert game.seat(self.state) == CHANCE
                game.play(self.state, game.roll(self.state, self.rng))
