"""A player that infers who stands with whom from the moves it has seen, and plays accordingly.

Nobody announces anything. It holds a belief over all ways to part the seats, learns from every move of
the others, and searches one tree: with a partner of whom it is sure enough, in that coalition; else as
Paranoid does, so that an alliance against it does not come as a surprise.
"""

from __future__ import annotations

from typing import Any

from manyminds.core.budget import Budget
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.arguments import Argument, choice, number, whole
from manyminds.players.coalitions.assumption import ALONE, JOINT, SCORINGS, Assumption
from manyminds.players.coalitions.confident import MOST
from manyminds.players.coalitions.evidence import greetings, knows_conduct
from manyminds.players.coalitions.mind import Mind, Temper
from manyminds.players.coalitions.paranoid import afraid
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS, Trees
from manyminds.players.player import Decision, Lineup
from manyminds.players.registry import register

SEEN, PRIOR, NONE = "seen", "prior", "none"


class InferPlayer:
    """One mind, and one tree of what it makes of the seats.

    until: it stands with partners as long as anybody else expects more than this reward; what is left of
    the game is between them. keeps: whether it ever cooperates. believes: whether it thinks of coalitions
    at all; else it is RAVE, everybody for itself.
    """

    def __init__(
        self,
        scoring: str,
        fear: float,
        until: float,
        temper: Temper,
        arguments: dict[str, Any],
        keeps: bool = True,
        believes: bool = True,
    ) -> None:
        self.scoring, self.fear, self.until, self.temper = scoring, fear, until, temper
        self.arguments, self.keeps, self.believes = arguments, keeps, believes

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        self.game, self.seat, self.lineup = game, seat, lineup
        self.mind = Mind(game, seat, lineup, self.temper, self.arguments)
        self.changes = 0
        self.expected = (1.0,) * game.seats  # by seat, as the last search saw it
        self.trees = self._trees(self.assumption())

    def saw(self, joint: JointMove) -> None:
        self.mind.saw(joint)
        self.trees.saw(joint)

    def assumption(self) -> Assumption:
        """With its partners, against what it believes of the others; alone, with all others against it."""
        if not self.believes:
            return ALONE
        own = self.mind.partners() if self.keeps else (self.seat,)
        others = [self.expected[seat] for seat in range(self.game.seats) if seat not in own]
        if len(own) == 1 or max(others) <= self.until:
            return afraid(self.game, self.seat, self.fear)
        return Assumption((own, *self.mind.others()), self.scoring)

    def decide(self, state: State, budget: Budget) -> Decision:
        self.mind.meet(state)
        legal = self.game.moves(state, self.seat)
        if len(legal) == 1:
            return Decision(int(legal[0]), beliefs=self.mind.shares(), remark="the only move")
        left = self.mind.look_back(budget)
        assumption = self.assumption()
        if self.trees.assumptions != (assumption,):
            self.trees = self._trees(assumption)
        decision = self.trees.search(state, left)[0]
        self.expected = self.trees.values()[0]
        if self.mind.rounds <= self.temper.greet and knows_conduct(self.game):
            self._greet(state, decision)
        decision.remark = self.trees.remark(state, 0, decision)
        decision.beliefs = self.mind.shares()
        if budget.simulations is not None:
            decision.simulations = budget.simulations
        return decision

    def _trees(self, assumption: Assumption) -> Trees:
        """The tree of what is assumed now, with seeds of its own."""
        lineup = self.lineup.within(self.changes) if self.changes else self.lineup
        self.changes += 1
        return Trees(self.game, self.seat, lineup, [assumption], self.arguments)

    def _greet(self, state: State, decision: Decision) -> None:
        """Instead of the best move the best of those that greet, if there are any."""
        search = self.trees.players[0].search
        points = greetings(self.game, state, self.mind.last)
        best = next((row for row in search.root() if row.move in points), None) if search else None
        if search is not None and best is not None:
            decision.move, decision.line = best.move, search.line(first=best.move)
            decision.values.setdefault(best.move, best.values)


def infer(
    scoring: str,
    most: int,
    belief: str,
    prior: float,
    sure: float,
    greet: int,
    fear: float,
    until: float,
    evidence: float,
    **arguments: Any,
) -> InferPlayer:
    believes = belief != NONE
    temper = Temper(most, prior, sure, greet if believes else 0, evidence, belief == SEEN)
    return InferPlayer(scoring, fear, until, temper, arguments, believes=believes)


def fits(game: Any) -> str:
    """Coalitions need a third seat, and seats that are teams of their own."""
    if not isinstance(game, Game):
        return "a search needs a game of the contract (manyminds.Game)"
    if game.seats < 3 or len(game.teams) < game.seats:
        return "it asks who stands with whom, which needs three seats or more, each for itself; try rave"
    return ""


SCORING = Argument(
    "scoring", choice(*SCORINGS), JOINT, "how playouts count with a partner, where a game can"
)
TEMPER = (
    MOST,
    Argument("sure", number(0.0, 1.0), 0.8, "of a partner, from where on it cooperates"),
    Argument(
        "fear", number(0.0, 1.0), 0.5, "alone: how much all others want it to lose, in the tree"
    ),
    Argument(
        "until", number(0.0, 1.0), 0.02, "it stands with partners while others expect more reward"
    ),
    Argument(
        "evidence", number(0.0, 0.9), 0.2, "of the budget to judge moves, where a game cannot"
    ),
)

register(
    "infer",
    infer,
    (
        SCORING,
        Argument(
            "belief",
            choice(SEEN, PRIOR, NONE),
            SEEN,
            "by the moves it has seen, or as before the first; none: everybody for itself, as Rave",
        ),
        Argument(
            "prior", number(1e-9, 1e9), 0.1, "a pair's weight before the first move; nobody: 1"
        ),
        Argument("greet", whole(0, 100), 3, "its first moves by which it greets a partner (Go)"),
        *TEMPER,
        *SEARCH_ARGUMENTS,
    ),
    help="infers from the moves who stands with whom; cooperates with who does, else is paranoid",
    fits=fits,
)
