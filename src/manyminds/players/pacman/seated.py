"""What the players of Pac-Man and of the ghosts have in common."""

from __future__ import annotations

import random
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import Game, JointMove, State
from manyminds.games.pacman.maze import NEUTRAL
from manyminds.games.pacman.state import PACMAN
from manyminds.players.pacman.greedy import ways
from manyminds.players.pacman.ground import Ground, ground_here, ground_of
from manyminds.players.player import Decision, Lineup


class Sight:
    """A state with nodes counted from its own maze's first."""

    def __init__(self, game: Any, state: State) -> None:
        self.state = state
        self.ground, self.first = ground_here(game.mazes, state)

    @property
    def pacman(self) -> int:
        """His node."""
        return int(self.state.pacman) - self.first

    def ghost(self, ghost: int) -> int:
        """A ghost's node."""
        return int(self.state.ghost[ghost]) - self.first

    def is_out(self, ghost: int) -> bool:
        """Whether it has left the lair."""
        return int(self.state.lair[ghost]) == 0

    def is_edible(self, ghost: int) -> bool:
        """Whether it can be eaten now."""
        return int(self.state.edible[ghost]) > 0


class Placed:
    """A player that looks at one state at a time. `seats`: those that it can play, all by default."""

    seats: tuple[int, ...] = ()

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        if self.seats and seat not in self.seats:
            able = " or ".join(game.seat_names[each] for each in self.seats)
            raise UsageError(
                f"{lineup[seat]} plays {able}, not {game.seat_names[seat]}: see manyminds list players"
            )
        self.game, self.seat = game, seat
        self.rng = random.Random(lineup.seed_of(seat))
        for maze in game.mazes:  # type: ignore[attr-defined] # measured before clocks run
            ground_of(maze)

    def saw(self, joint: JointMove) -> None:
        """Nothing is remembered."""

    def decide(self, state: State, budget: Budget) -> Decision:
        sight = Sight(self.game, state)
        if self.seat == PACMAN:
            return Decision(self.pacman(sight))
        legal = [int(move) for move in self.game.moves(state, self.seat)]
        return Decision(legal[0] if len(legal) == 1 else self.ghost(sight, legal))

    def pacman(self, sight: Sight) -> int:
        """His move."""
        raise NotImplementedError

    def ghost(self, sight: Sight, legal: list[int]) -> int:
        """The move of a ghost that has a choice."""
        raise NotImplementedError


def ways_of_pacman(sight: Sight) -> list[int]:
    """The directions in which he can go, back among them."""
    return ways(sight.ground, sight.pacman)


def step_or_stay(ground: Ground, direction: int | None) -> int:
    """No direction is NEUTRAL: on as before."""
    return NEUTRAL if direction is None else direction
