"""A tree for each of several assumptions, all on the same position and each with the whole budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manyminds.core.budget import Budget
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.arguments import Argument
from manyminds.players.coalitions.assumption import (
    JOINT,
    Assumption,
    caveat,
    choices_of,
    knows_coalitions,
    weights_of,
    worth,
)
from manyminds.players.player import Decision, Lineup
from manyminds.players.registry import entry
from manyminds.players.searching import SearchPlayer, search_player
from manyminds.search.selection import rave

MOST_NAMED = 6  # moves of a line, in a remark

# What every player here takes besides its own: the constants of RAVE, and all that a search takes.
SEARCH_ARGUMENTS: tuple[Argument, ...] = entry("rave").arguments
_OF_RAVE = ("k", "c", "weighting", "ref", "keep")


def tree_of(
    game: Game, seat: int, assumption: Assumption, arguments: Mapping[str, Any]
) -> SearchPlayer:
    """A RAVE player whose tree takes the assumption for granted."""
    constants = {name: arguments[name] for name in _OF_RAVE if name in arguments}
    rest = {name: value for name, value in arguments.items() if name not in _OF_RAVE}
    player = search_player(rave(**constants), rest)
    player.choices.update(choices_of(game, assumption))
    weights = weights_of(game, seat, assumption)
    if weights is not None:
        player.arguments["weights"] = weights
    return player


class Trees:
    """One tree for each assumption. None is built twice, and each draws its own chance."""

    def __init__(
        self,
        game: Game,
        seat: int,
        lineup: Lineup,
        assumptions: Sequence[Assumption],
        arguments: Mapping[str, Any],
    ) -> None:
        self.game, self.seat = game, seat
        self.assumptions = tuple(dict.fromkeys(assumptions))
        self.players = [tree_of(game, seat, one, arguments) for one in self.assumptions]
        for number, player in enumerate(self.players):
            player.begin(game, seat, lineup.within(number) if number else lineup)

    def saw(self, joint: JointMove) -> None:
        for player in self.players:
            player.saw(joint)

    def search(self, state: State, budget: Budget) -> list[Decision]:
        """Every tree's decision, in the order of the assumptions."""
        return [player.decide(self.game.copy(state), budget) for player in self.players]

    def values(self) -> list[tuple[float, ...]]:
        """Every tree's mean at the root, by seat."""
        return [
            player.search.values() if player.search else (0.0,) * self.game.seats
            for player in self.players
        ]

    def worths(self, seat: int) -> list[float]:
        """What every tree promises a seat."""
        pairs = zip(self.assumptions, self.values(), strict=True)
        return [worth(self.game, assumption, values, seat) for assumption, values in pairs]

    def remark(self, state: State, number: int, decision: Decision) -> str:
        """What the player thinks, by the tree it follows: who stands together, points, the line."""
        assumption, values = self.assumptions[number], self.values()[number]
        parts = [
            f"{self.game.name(decision.move, state)}, {assumption.text(self.game)}",
            f"expects {self._expected(state, assumption, values)}",
        ]
        if decision.line and not self.game.simultaneous:
            parts.append(f"line {' '.join(self._names(state, decision.line[:MOST_NAMED]))}")
        parts.append(caveat(self.game, assumption))
        return "; ".join(part for part in parts if part)

    def _names(self, state: State, line: Sequence[int]) -> list[str]:
        view, names = self.game.copy(state), []
        for move in line:
            names.append(self.game.name(move, view))
            self.game.play(view, move)
        return names

    def _expected(self, state: State, assumption: Assumption, values: Sequence[float]) -> str:
        """Expected points of every colour where rewards are shares of a board, else rewards."""
        game, whole = self.game, 1.0
        if knows_coalitions(game) and not self.players[0].settings.reward:
            whole = float(state.width * state.height)
        jointly = knows_coalitions(game) and assumption.scoring == JOINT
        shown: dict[tuple[int, ...], float] = {}
        for seat in range(game.seats):
            shown[assumption.of(seat) if jointly else (seat,)] = values[seat] * whole
        return ", ".join(
            f"{'+'.join(game.seat_names[seat] for seat in seats)} {value:.{1 if whole > 1 else 3}f}"
            for seats, value in shown.items()
        )


class TreesPlayer:
    """A player that searches trees of several assumptions and follows one of them.

    `assume(game, seat, lineup)` lists the assumptions; `choose(trees)` gives the number of the one to
    follow, once all have been searched.
    """

    def __init__(self, assume: Any, choose: Any, arguments: Mapping[str, Any]) -> None:
        self.assume, self.choose, self.arguments = assume, choose, dict(arguments)

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        self.game, self.seat = game, seat
        assumptions = self.assume(game, seat, lineup)
        self.trees = Trees(game, seat, lineup, assumptions, self.arguments)

    def saw(self, joint: JointMove) -> None:
        self.trees.saw(joint)

    def decide(self, state: State, budget: Budget) -> Decision:
        legal = self.game.moves(state, self.seat)
        if len(legal) == 1:
            return Decision(int(legal[0]), remark="the only move")
        decisions = self.trees.search(state, budget)
        number = self.choose(self.trees)
        chosen = decisions[number]
        chosen.remark = self.trees.remark(state, number, chosen)
        chosen.simulations = sum(decision.simulations for decision in decisions)
        return chosen


def first(trees: Trees) -> int:
    """The only tree."""
    return 0


def best(trees: Trees) -> int:
    """The tree that promises the searcher most."""
    worths = trees.worths(trees.seat)
    return worths.index(max(worths))
