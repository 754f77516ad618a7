"""A player that infers who stands with whom from the moves it has seen, and plays accordingly.

Nobody announces anything. It holds a belief over all ways to part the seats, learns from every move of
the others, and searches by it: every coalition that it may be in has a tree, and its share of the budget
is how much it is believed. Alone it searches as Paranoid does, so that an alliance against it does not
come as a surprise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from manyminds.core.budget import Budget
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.arguments import Argument, choice, number, whole
from manyminds.players.coalitions.assumption import ALONE, JOINT, SCORINGS, Assumption
from manyminds.players.coalitions.belief import Coalition
from manyminds.players.coalitions.confident import MOST
from manyminds.players.coalitions.evidence import greetings, knows_conduct
from manyminds.players.coalitions.mind import Mind, Temper
from manyminds.players.coalitions.paranoid import afraid
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS, Trees
from manyminds.players.player import Decision, Lineup
from manyminds.players.registry import register

SEEN, PRIOR, NONE = "seen", "prior", "none"
SHARED, WAITS = "shared", "waits"
LEAST_SHARE = 0.02  # of a budget; what is believed less is not searched


class InferPlayer:
    """One mind, and a tree for each of what it makes of the seats.

    until: it stands with partners as long as anybody else expects more than this reward; what is left of
    the game is between them. doubt: while it is sure of nothing, the budget is SHARED by belief, or it
    WAITS, alone. keeps: whether it ever cooperates. believes: whether it thinks of coalitions at all; else
    it is RAVE, everybody for itself.
    """

    def __init__(
        self,
        scoring: str,
        fear: float,
        until: float,
        temper: Temper,
        arguments: dict[str, Any],
        doubt: str = WAITS,
        keeps: bool = True,
        believes: bool = True,
    ) -> None:
        self.scoring, self.fear, self.until, self.temper = scoring, fear, until, temper
        self.arguments, self.doubt = arguments, doubt
        self.keeps, self.believes = keeps, believes

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        self.game, self.seat, self.lineup = game, seat, lineup
        self.mind = Mind(game, seat, lineup, self.temper, self.arguments)
        self.expected = (1.0,) * game.seats  # by seat, as the last search saw it
        self.trees: dict[Assumption, Trees] = {}
        self.begun = 0  # trees, in this match
        self._tend(self.assumptions())

    def saw(self, joint: JointMove) -> None:
        self.mind.saw(joint)
        for trees in self.trees.values():
            trees.saw(joint)

    def assumptions(self) -> dict[Assumption, float]:
        """What it takes for granted in a tree, and that tree's share of the budget; the largest first."""
        if not self.believes:
            return {ALONE: 1.0}
        own = {one: self.mind.together(one) for one in self.mind.coalitions()} if self.keeps else {}
        sure = next((one for one, share in own.items() if share >= self.temper.sure), None)
        if sure is not None or self.doubt == WAITS or not own:
            return {self._with(sure or (self.seat,)): 1.0}
        found: dict[Assumption, float] = {}
        for one, share in own.items():
            assumption = self._with(one)
            found[assumption] = found.get(assumption, 0.0) + share
        kept = {one: share for one, share in found.items() if share >= LEAST_SHARE}
        ranked = sorted(kept.items(), key=lambda item: -item[1])
        return {one: share / sum(kept.values()) for one, share in ranked}

    def _with(self, own: Coalition) -> Assumption:
        """With its partners, against what it believes of the others; alone, with all others against it."""
        others = [self.expected[seat] for seat in range(self.game.seats) if seat not in own]
        if len(own) == 1 or max(others) <= self.until:
            return afraid(self.game, self.seat, self.fear)
        return Assumption((own, *self.mind.others(own)), self.scoring)

    def decide(self, state: State, budget: Budget) -> Decision:
        self.mind.meet(state)
        legal = self.game.moves(state, self.seat)
        if len(legal) == 1:
            return Decision(int(legal[0]), beliefs=self.mind.shares(), remark="the only move")
        left = self.mind.look_back(budget)
        shares = divided(left, self.assumptions())
        self._tend(shares)
        decisions = [self.trees[one].search(state, part)[0] for one, part in shares.items()]
        main = self.trees[next(iter(shares))]
        self.expected = main.values()[0]
        decision = decisions[0]
        self._play(decision, self._choice(state, decision.move))
        decision.remark = main.remark(state, 0, decision)
        decision.beliefs = self.mind.shares()
        decision.simulations = budget.simulations or sum(one.simulations for one in decisions)
        return decision

    def _tend(self, assumptions: Iterable[Assumption]) -> None:
        """A tree for each assumption: those that there are go on, new ones have seeds of their own."""
        old, self.trees = self.trees, {}
        for assumption in assumptions:
            found = old.get(assumption)
            if found is None:
                lineup = self.lineup.within(self.begun) if self.begun else self.lineup
                found = Trees(self.game, self.seat, lineup, [assumption], self.arguments)
                self.begun += 1
            self.trees[assumption] = found

    def _choice(self, state: State, first: int) -> int:
        """The move with the most visits in all trees together; where it greets, of those that greet.

        first: the largest tree's choice, which wins where visits are equal.
        """
        visits: dict[int, int] = {}
        for trees in self.trees.values():
            search = trees.players[0].search
            for row in search.root() if search else []:
                visits[row.move] = visits.get(row.move, 0) + row.visits
        wanted = list(visits)
        if self._greets():
            points = greetings(self.game, state, self.mind.last)
            wanted = [move for move in wanted if move in points] or wanted
        if len(self.trees) == 1 and len(wanted) == len(visits):
            return first
        return max(wanted, key=lambda move: (visits[move], move == first), default=first)

    def _greets(self) -> bool:
        """In its first move, for not everybody could greet before; in some more, unless sure to be alone."""
        if self.mind.rounds > self.temper.greet or not knows_conduct(self.game):
            return False
        if self.doubt == WAITS or self.mind.rounds == 1:
            return True
        return self.mind.together((self.seat,)) < self.temper.sure

    def _play(self, decision: Decision, move: int) -> None:
        """Another move instead of the largest tree's own, with what that tree makes of it."""
        search = next(iter(self.trees.values())).players[0].search
        if move == decision.move or search is None:
            return
        row = next((row for row in search.root() if row.move == move), None)
        decision.move, decision.line = move, search.line(first=move) if row else [move]
        if row is not None:
            decision.values.setdefault(move, row.values)


def divided(budget: Budget, shares: Mapping[Assumption, float]) -> dict[Assumption, Budget]:
    """Every tree's part of a budget; those that would get nothing are left out. All parts add up to it.

    Of what cannot be divided evenly the largest gets the rest.
    """
    whole = budget.simulations or budget.nodes
    if whole is None:
        time = budget.milliseconds or 0.0
        return {one: Budget(milliseconds=time * share) for one, share in shares.items()}
    parts = {one: int(whole * share) for one, share in shares.items()}
    parts[next(iter(parts))] += whole - sum(parts.values())
    kind = "simulations" if budget.simulations else "nodes"
    return {one: Budget(**{kind: part}) for one, part in parts.items() if part}


def infer(
    scoring: str,
    most: int,
    belief: str,
    prior: float,
    sure: float,
    greet: int,
    doubt: str,
    fear: float,
    until: float,
    evidence: float,
    **arguments: Any,
) -> InferPlayer:
    believes = belief != NONE
    temper = Temper(most, prior, sure, greet if believes else 0, evidence, belief == SEEN)
    return InferPlayer(scoring, fear, until, temper, arguments, doubt, believes=believes)


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

# Sooner sure than those who talk, since doubt costs it simulations. At small budgets a tree that grows by
# every simulation sees more, as in the paper's own tables, and replies are judged by what the root knows.
OWN_DEFAULTS = {"sure": 0.7, "expand_after": 1, "ref": 1000, "keep": 0.8}
COMMON = tuple(
    replace(one, default=OWN_DEFAULTS.get(one.name, one.default))
    for one in (*TEMPER, *SEARCH_ARGUMENTS)
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
            "prior", number(1e-9, 1e9), 0.3, "a pair's weight before the first move; nobody: 1"
        ),
        Argument("greet", whole(0, 100), 3, "its first moves by which it greets a partner (Go)"),
        Argument(
            "doubt",
            choice(SHARED, WAITS),
            SHARED,
            "sure of nobody, it shares the budget among coalitions by belief, or waits, alone",
        ),
        *COMMON,
    ),
    help="infers from the moves who stands with whom; cooperates with who does, else is paranoid",
    fits=fits,
)
