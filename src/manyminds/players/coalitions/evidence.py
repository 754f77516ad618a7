"""How likely a seen move is for a seat that stands with these or those: what beliefs are made of.

An evidence is a function of the game, the position before the move, the mover, its move, and the
coalitions to be told apart; it returns the logarithm of the move's likelihood for each of them. Two are
here: what the move does to others, where a game can say that (Go: games/go/conduct.py), and what a
quick search of each coalition would have played, on any game.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from manyminds.core.budget import Budget
from manyminds.games.contract import Game, State
from manyminds.games.go.conduct import FEATURES, conduct, mirrored
from manyminds.players.coalitions.assumption import JOINT, Assumption
from manyminds.players.coalitions.belief import Coalition
from manyminds.players.coalitions.trees import tree_of
from manyminds.players.player import Lineup
from manyminds.search.search import Search

Logs = dict[Coalition, float]
Coalitions = Sequence[Coalition]

# How much more readily a move is chosen for what it does to others: each feature multiplies its
# likelihood by exp(weight). Who stands with somebody has weights for partners and for the others, whom
# allies go for together; who stands alone has one table for everybody. Fitted to recorded games of both
# kinds (tools/fit_conduct.py says how).
TO_PARTNERS: Mapping[str, float] = {
    "takes": 0.67,
    "ataris": 0.33,
    "touches": -0.23,
    "near": 0.26,
    "rescues": 0.10,
    "fills": -8.2,
}
TO_OTHERS: Mapping[str, float] = {
    "takes": -0.30,
    "ataris": -0.14,
    "touches": 1.06,
    "near": 0.35,
    "rescues": -0.45,
    "fills": -0.20,
}
ALONE: Mapping[str, float] = {
    "takes": 0.38,
    "ataris": 0.21,
    "touches": 0.12,
    "near": 0.12,
    "rescues": -0.17,
    "fills": 0.69,
}
PASSES, PASSES_ALONE = -2.8, -4.3
LEAST = -4.0  # no move says more than this against anything, so that every belief can recover


def _weights(table: Mapping[str, float]) -> np.ndarray:
    return np.array([table[name] for name in FEATURES])


def knows_conduct(game: Game) -> bool:
    """Whether the game can say what a move does to the other seats."""
    return game.title == "go"


def by_conduct(game: Game, before: State, seat: int, move: int, coalitions: Coalitions) -> Logs:
    """A conditional logit: a move's likelihood is proportional to exp(sum of its features' weights)."""
    moves, does = conduct(game, before)
    played = np.flatnonzero(moves == move)
    if len(played) == 0 or len(moves) < 3:  # nothing to choose
        return dict.fromkeys(coalitions, 0.0)
    to_partners, to_others = does @ _weights(TO_PARTNERS), does @ _weights(TO_OTHERS)
    to_all = does @ _weights(ALONE)
    logs = {}
    for coalition in coalitions:
        alone = len(coalition) == 1
        scores = np.zeros(len(moves))
        scores[-1] = PASSES_ALONE if alone else PASSES
        for other in range(game.seats):
            if other != seat:
                friend = other in coalition
                scores += (to_all if alone else to_partners if friend else to_others)[:, other]
        scores -= scores.max()
        logs[coalition] = float(scores[played[0]] - math.log(np.exp(scores).sum()))
    return clipped(logs)


def clipped(logs: Logs) -> Logs:
    """The same with the best at 0 and none below LEAST: one move never settles it."""
    best = max(logs.values())
    return {coalition: max(log - best, LEAST) for coalition, log in logs.items()}


GREETS = 0.95  # how likely a seat that looks for partners greets, where it can


def greetings(game: Game, state: State, last: Mapping[int, int]) -> tuple[int, ...]:
    """The mover's points that mirror another seat's last stone, in which it says: I may be your partner.

    last: the last move of each seat. A mirrored point is about as good as the stone it mirrors.
    """
    mover = game.seat(state)
    others = (stone for seat, stone in last.items() if seat != mover)
    return tuple(dict.fromkeys(p for stone in others for p in mirrored(game, state, stone)))


def by_greeting(
    game: Game, before: State, seat: int, move: int, coalitions: Coalitions, last: Mapping[int, int]
) -> Logs:
    """Whether the move greets: so does, where it can, who stands with anybody; others do by chance only.

    By chance is as often as a move that is drawn among all.
    """
    points = greetings(game, before, last)
    chance = len(points) / max(len(game.moves(before)) - 1, 1)  # the pass is none of them
    if not 0 < chance < GREETS:
        return dict.fromkeys(coalitions, 0.0)
    log = math.log(GREETS / chance if move in points else (1 - GREETS) / (1 - chance))
    return {one: log if len(one) > 1 else 0.0 for one in coalitions}


class ByTrees:
    """On any game: the share that the move has of a quick search's visits, for each coalition.

    Each coalition is searched as an Alliance of it would search.
    """

    def __init__(self, game: Game, lineup: Lineup, arguments: Mapping[str, Any]) -> None:
        self.game, self.lineup = game, lineup.within("evidence")
        self.arguments = {**arguments, "fresh": True}
        self.searched = 0

    def __call__(
        self, before: State, seat: int, move: int, coalitions: Coalitions, each: int
    ) -> Logs:
        """So many simulations are spent on each coalition."""
        logs = {}
        for coalition in coalitions:
            found = (coalition,) if len(coalition) > 1 else ()
            tree = tree_of(self.game, seat, Assumption(found, JOINT), self.arguments)
            self.searched += 1
            tree.begin(self.game, seat, self.lineup.within(self.searched))
            tree.decide(self.game.copy(before), Budget(simulations=each))
            logs[coalition] = self._log_share(tree.search, before, seat, move)
        return clipped(logs)

    def _log_share(self, search: Search | None, before: State, seat: int, move: int) -> float:
        """Every legal move has one visit more than it was given, so that none is impossible."""
        visits = {} if search is None else search.next_moves(seat).totals()
        count = len(self.game.moves(before, seat))
        return math.log((visits.get(move, 0) + 1) / (sum(visits.values()) + count))
