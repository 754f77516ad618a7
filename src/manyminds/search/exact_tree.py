"""A game as the tree that exact solvers walk: one seat chooses at a time, or nature, or nobody.

A simultaneous turn is split by teams: the searcher's team chooses first, and all others know what it
chose (pessimistic), or last, when it knows what the others chose (optimistic); seats of one team
choose one after the other. The turn is played when its last seat has chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from manyminds.core.errors import UsageError
from manyminds.games.contract import CHANCE, NONE, Game, State

Odds = Callable[[State], Sequence[float]]  # of nature's moves, in the order of game.moves(state)

NOBODY = -3  # who acts where the world moves alone
END = -4  # who acts where the game is over


@dataclass(frozen=True, slots=True)
class Position:
    """A state, and what the first of its movers have chosen already in this turn; not to be changed.

    `turns` counts the turns that are still looked ahead; None: to the end of the game.
    """

    state: State
    chosen: tuple[int, ...]
    turns: int | None

    def key(self) -> tuple[bytes, tuple[int, ...], int | None]:
        """The same for positions with the same future."""
        return self.state.tobytes(), self.chosen, self.turns


class ExactTree:
    """Who acts in a position, and what follows."""

    def __init__(
        self, game: Game, odds: Odds | None = None, searcher: int = 0, optimistic: bool = False
    ) -> None:
        if not 0 <= searcher < game.seats:
            raise UsageError(f"{game.title} has seats 0 to {game.seats - 1}, not {searcher}")
        self.game, self.odds = game, odds
        self.team = [game.team_of(seat) for seat in range(game.seats)]
        mine = self.team[searcher]
        self._order = sorted(
            range(game.seats),
            key=lambda seat: ((self.team[seat] == mine) == optimistic, self.team[seat], seat),
        )

    def root(self, state: State, depth: int | None) -> Position:
        """Where a search `depth` turns deep starts; without a depth it goes to the end of the game."""
        if depth is not None and depth < 1:
            raise UsageError(f"a search looks at least one turn ahead, not {depth}")
        return Position(self.game.copy(state), (), depth)

    def movers(self, state: State) -> list[int]:
        """The seats that move now, in the order in which they choose."""
        moving = set(self.game.movers(state))
        return [seat for seat in self._order if seat in moving]

    def actor(self, position: Position) -> int:
        """The seat that chooses; CHANCE, NOBODY or END where none does."""
        game, state = self.game, position.state
        if not position.chosen and (position.turns == 0 or game.over(state)):
            return END
        if not game.simultaneous:
            return game.seat(state)
        movers = self.movers(state)
        return movers[len(position.chosen)] if movers else NOBODY

    def children(self, position: Position, actor: int) -> Iterator[tuple[int, Position]]:
        """Every move of the actor with the position that follows; (NONE, position) for nobody's."""
        game, state = self.game, position.state
        if actor == NOBODY:
            yield NONE, self._played(position, (NONE,) * game.seats)
        elif not game.simultaneous:
            for move in game.moves(state):
                yield int(move), self._played(position, int(move))
        else:
            movers = self.movers(state)
            for move in game.moves(state, actor):
                yield int(move), self._chosen(position, movers, int(move))

    def chances(self, position: Position) -> list[tuple[float, Position]]:
        """The positions that nature's moves lead to, each with its probability."""
        after = [child for _, child in self.children(position, CHANCE)]
        if self.odds is None:
            return [(1.0 / len(after), child) for child in after]
        odds = [float(share) for share in self.odds(position.state)]
        if len(odds) != len(after) or min(odds) < 0.0 or abs(sum(odds) - 1.0) > 1e-9:
            raise UsageError(
                f"odds gives a probability for each of nature's {len(after)} moves, in their order, "
                f"that sum to 1; it gave {odds}"
            )
        return list(zip(odds, after, strict=True))

    def _chosen(self, position: Position, movers: list[int], move: int) -> Position:
        """The position after one more seat has chosen; played out when it was the last one."""
        chosen = (*position.chosen, move)
        if len(chosen) < len(movers):
            return Position(position.state, chosen, position.turns)
        joint = [NONE] * self.game.seats
        for seat, choice in zip(movers, chosen, strict=True):
            joint[seat] = choice
        return self._played(position, tuple(joint))

    def _played(self, position: Position, move: int | tuple[int, ...]) -> Position:
        """The position after a move, or a joint move; nature's moves are no turns of their own."""
        state = self.game.copy(position.state)
        nature = not self.game.simultaneous and self.game.seat(state) == CHANCE
        self.game.play(state, move)
        turns = position.turns
        return Position(state, (), turns if turns is None or nature else turns - 1)
