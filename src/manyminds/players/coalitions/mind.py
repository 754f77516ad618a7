"""A mind: what a player believes about who stands with whom, kept up to date with every move it sees.

It follows the game by the joint moves it is told, so that it knows the position before each of them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manyminds.core.budget import Budget
from manyminds.games.contract import NONE, Game, JointMove, State
from manyminds.players.coalitions.belief import Belief, Coalition
from manyminds.players.coalitions.evidence import (
    ByTrees,
    Logs,
    by_conduct,
    by_greeting,
    clipped,
    knows_conduct,
)
from manyminds.players.player import Lineup

_QUICK = 60  # simulations for a seen move, of budgets that do not count simulations


@dataclass(frozen=True)
class Temper:
    """How a mind takes things.

    most: members of a coalition. prior: what a pair weighs before the first move, nobody weighing 1.
    sure: the belief in a partner from which on it cooperates. greet: rounds of greetings. evidence: the
    share of a budget for quick searches, where a game does not know its moves' conduct. learns: whether
    what is seen changes anything.
    """

    most: int = 2
    prior: float = 0.1
    sure: float = 0.8
    greet: int = 0
    evidence: float = 0.2
    learns: bool = True


class Mind:
    """The belief of one seat; `hints` are what others say, as logarithms of odds by pair."""

    def __init__(
        self, game: Game, seat: int, lineup: Lineup, temper: Temper, arguments: Mapping[str, Any]
    ) -> None:
        self.game, self.seat, self.temper = game, seat, temper
        self.belief = Belief(game.seats, temper.most, temper.prior)
        self.hints: dict[Coalition, float] = {}
        self.last: dict[int, int] = {}  # each seat's last move
        self.rounds = 0  # own turns that have come
        self._trees = None if knows_conduct(game) else ByTrees(game, lineup, arguments)
        self._view: State | None = game.start()  # None: not known until it is its own turn
        self._seen: list[tuple[State, int, int, dict[int, int]]] = []

    def meet(self, state: State) -> None:
        """It is its own turn, and this is the position."""
        self._view = self.game.copy(state)
        self.rounds += 1

    def saw(self, joint: JointMove) -> None:
        """A joint move was played."""
        if self._view is None or not self._possible(self._view, joint):
            self._view = None  # the match began elsewhere
            return
        for seat in self.game.movers(self._view):
            move = int(joint[seat])
            if seat != self.seat and move != NONE and self.temper.learns:
                self._seen.append((self.game.copy(self._view), seat, move, dict(self.last)))
            self.last[seat] = move
        self.game.play(self._view, joint)
        if self._trees is None:
            self._learn(0)

    def _possible(self, view: State, joint: JointMove) -> bool:
        """Whether the position has these moves: what a wrong one does to a state nobody knows."""
        game = self.game
        if game.over(view):
            return False
        movers = game.movers(view)
        if not movers:  # nature, or a world that moves alone
            return game.simultaneous or bool((game.moves(view) == joint[0]).any())
        return all(bool((game.moves(view, seat) == joint[seat]).any()) for seat in movers)

    def look_back(self, budget: Budget) -> Budget:
        """Quick searches of what was seen, where they are needed; what is left of the budget."""
        if self._trees is None or not self._seen:
            return budget
        if budget.simulations is None:
            begun = time.perf_counter()
            self._learn(_QUICK * len(self._seen))
            return _less_time(budget, 1000 * (time.perf_counter() - begun))
        spent = min(int(budget.simulations * self.temper.evidence), budget.simulations - 1)
        spent = self._learn(spent)
        return Budget(simulations=budget.simulations - spent)

    def _learn(self, simulations: int) -> int:
        """Takes in what was seen since the last time; how many simulations that took."""
        seen, self._seen = self._seen, []
        spent = 0
        for before, seat, move, last in seen:
            coalitions = self.belief.coalitions_of(seat)
            if self._trees is not None:
                each = simulations // len(seen) // len(coalitions)
                if each == 0:
                    continue
                spent += each * len(coalitions)
                logs = self._trees(before, seat, move, coalitions, each)
            else:
                logs = self._by_conduct(before, seat, move, coalitions, last)
            self.belief.learn(seat, logs)
        return spent

    def _by_conduct(
        self,
        before: State,
        seat: int,
        move: int,
        coalitions: list[Coalition],
        last: Mapping[int, int],
    ) -> Logs:
        logs = by_conduct(self.game, before, seat, move, coalitions)
        if int(before.moves) < self.temper.greet * self.game.seats:
            greeted = by_greeting(self.game, before, seat, move, coalitions, last)
            logs = {one: log + greeted[one] for one, log in logs.items()}
        return clipped(logs)

    # --- asked -----------------------------------------------------------------------------------

    def together(self, coalition: Coalition) -> float:
        """How much it is believed that these stand together, and nobody else with them."""
        return self.belief.together(coalition, self.hints)

    def wish(self) -> Coalition:
        """The likeliest of its own coalitions with others; between equals, with who moves next after it."""

        def order(one: Coalition) -> tuple[float, tuple[int, ...]]:
            turns = tuple(sorted((s - self.seat) % self.game.seats for s in one))
            return (-round(self.together(one), 9), turns)

        return min((one for one in self.belief.coalitions_of(self.seat) if len(one) > 1), key=order)

    def partners(self) -> Coalition:
        """Its coalition, itself included: the likeliest, if it is sure enough of that; else alone."""
        found = self.wish()
        return found if self.together(found) >= self.temper.sure else (self.seat,)

    def coalitions(self) -> list[Coalition]:
        """All that it may be in, alone first."""
        return self.belief.coalitions_of(self.seat)

    def others(self, own: Coalition) -> list[Coalition]:
        """What it believes of all others, should these be its partners: their coalitions of two and more."""
        found = self.belief.likeliest(own, self.hints)
        return [one for one in found if one != own and len(one) > 1]

    def shares(self) -> dict[str, float]:
        """Each partition by its coalitions' names, the likeliest first, for people."""
        names = self.game.seat_names
        pairs = zip(self.belief.shares(self.hints), self.belief.partitions, strict=True)
        return {
            ", ".join("+".join(names[seat] for seat in one) for one in partition if len(one) > 1)
            or "each alone": share
            for share, partition in sorted(pairs, key=lambda pair: -pair[0])
        }


def _less_time(budget: Budget, milliseconds: float) -> Budget:
    """What is left of a budget in time; one in nodes stays as it is."""
    if budget.milliseconds is None:
        return budget
    return Budget(milliseconds=max(1.0, budget.milliseconds - milliseconds))
