"""A player: a program (or a person) on a seat, and what it answers.

A match calls `begin` once, `saw` for every joint move that was played, and `decide` when the seat moves.
Optional, and looked for by name: `say() -> bytes` and `hear(seat, message)` between teammates, `close()`,
and `measures() -> dict` of numbers by name, which the match keeps for the player's team.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, overload, runtime_checkable

from manyminds.core.budget import Budget
from manyminds.core.random import derive
from manyminds.games.contract import NONE, Game, JointMove, State

__all__ = ["NONE", "Decision", "Forfeit", "Lineup", "Player"]


class Forfeit(Exception):
    """Raised by a player that cannot go on: its seat loses this match, with the reason kept."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class Decision:
    """A move, and what the player thinks of it. Only the move is needed.

    `values` has the moves that were considered, each with one value in [0, 1] per seat; `line` the moves
    expected next; `beliefs` a share in [0, 1] per hypothesis ("white with red"); `remark` is for people;
    `simulations` says how many were spent on it, if any.
    """

    move: int
    values: dict[int, tuple[float, ...]] = field(default_factory=dict)
    line: list[int] = field(default_factory=list)
    beliefs: dict[str, float] = field(default_factory=dict)
    remark: str = ""
    simulations: int = 0


class Lineup(Sequence[str]):
    """Who sits where: one player as typed per seat, and the seed that all their seeds follow from."""

    def __init__(self, specs: Iterable[str], seed: int = 0) -> None:
        self.specs = tuple(specs)
        self.seed = int(seed)

    def seed_of(self, seat: int) -> int:
        """The 64-bit seed of the player on this seat."""
        return derive(self.seed, "seat", seat)

    def within(self, word: object) -> Lineup:
        """The same seats with other seeds: for a player made of players, which must not all draw alike."""
        return Lineup(self.specs, derive(self.seed, "within", word))

    @overload
    def __getitem__(self, seat: int) -> str: ...
    @overload
    def __getitem__(self, seat: slice) -> tuple[str, ...]: ...
    def __getitem__(self, seat: int | slice) -> str | tuple[str, ...]:
        return self.specs[seat]

    def __len__(self) -> int:
        return len(self.specs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lineup) and (self.specs, self.seed) == (other.specs, other.seed)

    def __hash__(self) -> int:
        return hash((self.specs, self.seed))

    def __repr__(self) -> str:
        return f"Lineup({list(self.specs)}, seed={self.seed})"


@runtime_checkable
class Player(Protocol):
    """What a match needs of whoever sits on a seat."""

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        """A match begins from the game's start; whatever was remembered of another one is over."""

    def saw(self, joint: JointMove) -> None:
        """This joint move was played; one's own are told too."""

    def decide(self, state: State, budget: Budget) -> Decision:
        """A legal move of one's seat, within the budget; the state must stay as it is."""
