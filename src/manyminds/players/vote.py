"""Different players decide one move together: by majority, or by what they think of the position.

Marcolino & Matsubara 2011, 5, ask how programs could settle on one move. Three ways are here, as data in
`WAYS`: Obata's majority, Sugiyama's choice of the voter that sees itself best off, and the proposal of
which all voters together think best.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.arguments import Argument, choice, flag
from manyminds.players.player import Decision, Forfeit, Lineup, Player
from manyminds.players.registry import Member, players, register

MOST_VOTERS = 64


@dataclass(frozen=True)
class Ballot:
    """What one voter says. `voter` is its place in the list of members; `seat` is whom they play for."""

    voter: int
    decision: Decision
    seat: int

    @property
    def move(self) -> int:
        return self.decision.move

    def thinks(self, move: int) -> float | None:
        """The voter's own estimate of a move for its seat, in [0, 1]; None where it has not said."""
        values = self.decision.values.get(move)
        return float(values[self.seat]) if values else None


Way = Callable[[Sequence[Ballot]], int]


def majority(ballots: Sequence[Ballot]) -> int:
    """The move of most voters; between equals the one of the higher mean estimate, then of the first."""
    count = {move: sum(b.move == move for b in ballots) for move in _proposed(ballots)}
    most = [move for move in count if count[move] == max(count.values())]
    return max(most, key=lambda move: _or_lowest(_mean(ballots, move)))


def optimist(ballots: Sequence[Ballot]) -> int:
    """The move of the voter that thinks best of its own; majority where nobody says what it thinks."""
    said = [(b.thinks(b.move), b.move) for b in ballots]
    best = max((value for value, _ in said if value is not None), default=None)
    if best is None:
        return majority(ballots)
    return majority([b for b, (value, _) in zip(ballots, said, strict=True) if value == best])


def mean(ballots: Sequence[Ballot]) -> int:
    """The proposal with the highest mean of all estimates of it; majority where there are none.

    Every voter has a say on every proposal that it looked at, not on its own alone.
    """
    means = {move: _mean(ballots, move) for move in _proposed(ballots)}
    known = {move: value for move, value in means.items() if value is not None}
    if not known:
        return majority(ballots)
    best = max(known.values())
    return next(move for move in known if known[move] == best)


WAYS: Mapping[str, Way] = {"majority": majority, "optimist": optimist, "mean": mean}


def _proposed(ballots: Sequence[Ballot]) -> list[int]:
    """The moves that somebody proposes, in the order of the voters."""
    return list(dict.fromkeys(b.move for b in ballots))


def _mean(ballots: Sequence[Ballot], move: int) -> float | None:
    said = [value for b in ballots if (value := b.thinks(move)) is not None]
    return sum(said) / len(said) if said else None


def _or_lowest(value: float | None) -> float:
    return -1.0 if value is None else value


class VotePlayer:
    """Asks all members and follows the vote.

    A member's own budget counts; those without one share the vote's equally, or have all of it each.
    A member that forfeits or says an illegal move is out for the rest of the match; when all are out,
    the vote forfeits.
    """

    def __init__(self, members: Sequence[Member], by: str = "majority", each: bool = False) -> None:
        if not 1 <= len(members) <= MOST_VOTERS:
            raise UsageError(
                f"a vote has 1 to {MOST_VOTERS} members, such as vote(rave, uct); this one {len(members)}"
            )
        self.members, self.way, self.each = tuple(members), WAYS[by], each
        self.out: dict[int, str] = {}  # members that are out, and why

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        self.game, self.seat, self.out = game, seat, {}
        for voter, member in enumerate(self.members):
            self._ask(voter, member.player.begin, game, seat, lineup.within(voter))
        self._check_any()

    def saw(self, joint: JointMove) -> None:
        for voter, member in self._present():
            self._ask(voter, member.player.saw, joint)

    def decide(self, state: State, budget: Budget) -> Decision:
        ballots = [b for b in (self._ballot(v, m, state, budget) for v, m in self._present()) if b]
        self._check_any()
        move = self.way(ballots)
        followed = next(b for b in ballots if b.move == move)
        return Decision(
            move,
            self._values(ballots),
            followed.decision.line,
            beliefs=self._shares(ballots, state),
            remark=self._remark(ballots, move, state),
            simulations=sum(b.decision.simulations for b in ballots),
        )

    def close(self) -> None:
        """Lets every member give back what it holds."""
        for member in self.members:
            _close(member.player)

    def _present(self) -> list[tuple[int, Member]]:
        return [(v, member) for v, member in enumerate(self.members) if v not in self.out]

    def _ask(self, voter: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the member answers; None once it is out."""
        try:
            return function(*arguments)
        except Forfeit as forfeit:
            self._leave(voter, forfeit.reason)

    def _leave(self, voter: int, reason: str) -> None:
        self.out[voter] = reason
        _close(self.members[voter].player)

    def _check_any(self) -> None:
        if len(self.out) == len(self.members):
            raise Forfeit(
                "; ".join(f"{self.members[v].text}: {why}" for v, why in self.out.items())
            )

    def _ballot(self, voter: int, member: Member, state: State, budget: Budget) -> Ballot | None:
        own = member.budget or (budget if self.each else self._share(budget))
        decision = self._ask(voter, member.player.decide, self.game.copy(state), own)
        if decision is None:
            return None
        if decision.move not in self.game.moves(state, self.seat):
            self._leave(voter, f"illegal move {decision.move}")
            return None
        return Ballot(voter, decision, self.seat)

    def _share(self, budget: Budget) -> Budget:
        """An equal part of the budget for each member that has none of its own, at least the smallest."""
        parts = max(1, sum(member.budget is None for member in self.members))
        if budget.milliseconds is not None:
            return Budget(milliseconds=max(0.001, budget.milliseconds / parts))
        if budget.nodes is not None:
            return Budget(nodes=max(1, budget.nodes // parts))
        return Budget(simulations=max(1, (budget.simulations or 1) // parts))

    def _values(self, ballots: Sequence[Ballot]) -> dict[int, tuple[float, ...]]:
        """For every move that somebody has a value of, the mean of those values by seat."""
        found: dict[int, list[tuple[float, ...]]] = {}
        for ballot in ballots:
            for move, values in ballot.decision.values.items():
                found.setdefault(move, []).append(values)
        return {
            move: tuple(sum(seat) / len(all_of) for seat in zip(*all_of, strict=True))
            for move, all_of in found.items()
        }

    def _shares(self, ballots: Sequence[Ballot], state: State) -> dict[str, float]:
        """The share of votes of each proposal."""
        part = 1.0 / len(ballots)
        shares: dict[str, float] = {}
        for ballot in ballots:
            name = self.game.name(ballot.move, state)
            shares[name] = shares.get(name, 0.0) + part
        return shares

    def _remark(self, ballots: Sequence[Ballot], move: int, state: State) -> str:
        """Who is for what, the move that is played first, and who is out."""
        parts = []
        for proposed in sorted(_proposed(ballots), key=lambda other: other != move):
            voters = ", ".join(self.members[b.voter].text for b in ballots if b.move == proposed)
            value = _mean(ballots, proposed)
            worth = "" if value is None else f" ({value:.3f})"
            parts.append(f"{self.game.name(proposed, state)}{worth}: {voters}")
        parts += [f"out: {self.members[v].text} ({why})" for v, why in self.out.items()]
        return "; ".join(parts)


def _close(player: Player) -> None:
    close = getattr(player, "close", None)
    if close is not None:
        with contextlib.suppress(Forfeit):
            close()


register(
    "vote",
    VotePlayer,
    [
        Argument("players", players, help="the members", rest=True, to="members"),
        Argument("by", choice(*WAYS), "majority", "how the vote is counted"),
        Argument("each", flag, False, "the whole budget for each, instead of a share"),
    ],
    help="different players decide together: vote(rave, uct), vote(rave, gtp(...), by=optimist)",
)
