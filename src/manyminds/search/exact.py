"""Exact solvers for small games: max^n and paranoid search, memoised, with pruning.

`max_n` lets every seat choose what is best for itself (Luckhart and Irani, 1986); `paranoid` lets all
others choose what is worst for one seat, which is alpha-beta (Sturtevant and Korf, 2000). Both take
turn-based games, games with chance (by expectation) and simultaneous games, whose turns are split by
teams as in `ExactTree`.

Ties: of moves whose values for the seat that chooses differ by less than `CLOSE`, the first in the
game's order is taken, with and without pruning. In max^n the others' values may depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple, TypeVar

from manyminds.core.errors import UsageError
from manyminds.games.contract import CHANCE, Game, State
from manyminds.search.exact_tree import END, NOBODY, ExactTree, Odds, Position

CLOSE = 1e-9  # rewards this close are equal: sums of them carry rounding

Values = tuple[float, ...]
T = TypeVar("T")

_NEW: Any = object()


@dataclass(frozen=True)
class Solution:
    """What max^n finds: a value for each seat, the move of the seat that chooses, positions visited.

    `move` is None where nobody chooses: at the end, before nature's move, where the world moves alone.
    """

    values: Values
    move: int | None
    nodes: int


@dataclass(frozen=True)
class Assured:
    """What paranoid search finds: the reward that a seat is sure of, whatever all others do.

    `move` is the best one of the seat's team, or the most hostile one where another team chooses.
    """

    value: float
    move: int | None
    nodes: int


def max_n(
    game: Game,
    state: State,
    depth: int | None = None,
    *,
    total: float | None = None,
    odds: Odds | None = None,
    searcher: int = 0,
    optimistic: bool = False,
) -> Solution:
    """The max^n value of a position, by all turns to come or by so many (`depth`), then by rewards.

    total: what the teams' rewards sum to at most; given it, branches are cut that a sum so bounded
    cannot make better (`_MaxN`). odds: probabilities of nature's moves; without them, equal ones.
    searcher, optimistic: whose team chooses first or, if optimistic, last in a simultaneous turn.

        >>> import manyminds as mm
        >>> nim = mm.make_game("nim", heaps=[1, 2])
        >>> mm.max_n(nim, nim.start()).values
        (1.0, 0.0)
    """
    tree = ExactTree(game, odds, searcher, optimistic)
    if total is not None and total <= 0:
        raise UsageError(f"rewards are from 0 to 1, so that they cannot sum to at most {total}")
    solver = _MaxN(tree, total)
    values, move = _deep(game, lambda: solver.root(tree.root(state, depth)))
    return Solution(values, move, solver.nodes)


def paranoid(
    game: Game,
    state: State,
    seat: int,
    depth: int | None = None,
    *,
    odds: Odds | None = None,
    optimistic: bool = False,
) -> Assured:
    """What `seat` gets when its team does the best for it and all other teams the worst.

    In a simultaneous turn its team chooses first, or last if optimistic.
    """
    tree = ExactTree(game, odds, seat, optimistic)
    solver = _Paranoid(tree, seat)
    value, move = _deep(game, lambda: solver.root(tree.root(state, depth)))
    return Assured(value, move, solver.nodes)


def _deep(game: Game, solve: Callable[[], T]) -> T:
    try:
        return solve()
    except RecursionError as error:
        raise UsageError(f"{game.title} goes on too long to be solved: give a depth") from error


class _Rival(NamedTuple):
    """The team that chose last before a position, what it has elsewhere, and the one before it."""

    team: int
    has: float
    outer: _Rival | None


class _Whole(NamedTuple):
    """Values and move of a position."""

    values: Values
    move: int | None


class _Cut(NamedTuple):
    """A position left early: `team` is sure of so much there that `unwanted_by`, the rival, stays away."""

    team: int
    sure: float
    unwanted_by: int


class _MaxN:
    """One max^n search.

    Two cuts, both after Korf (1991). Immediate: a team that has all there is looks no further.
    Shallow: a team is sure of so much that of the total no more is left for its rival than that has
    elsewhere. Deeper cuts, over a third team's head, are wrong in max^n.
    """

    def __init__(self, tree: ExactTree, total: float | None) -> None:
        self.tree, self.total, self.nodes = tree, total, 0
        self.most = min(1.0, inf if total is None else total)  # that one team can have
        self._known: dict[object, _Whole | _Cut | None] = {}  # None: on the way to where we are

    def root(self, position: Position) -> tuple[Values, int | None]:
        """The values and the move of a position."""
        outcome = self._solve(position, None)
        assert isinstance(outcome, _Whole), "without a rival nothing is cut"
        return outcome.values, outcome.move

    def _solve(self, position: Position, rival: _Rival | None) -> _Whole | _Cut:
        key = position.key()
        known = self._known.get(key, _NEW)
        if known is None:
            raise _circle(self.tree.game)
        if isinstance(known, _Cut):
            known = self._held_against(rival, known.team, known.sure) or _NEW
        if known is not _NEW:
            return known
        self.nodes += 1
        self._known[key] = None
        outcome = self._known[key] = self._look(position, rival)
        return outcome

    def _held_against(self, rival: _Rival | None, team: int, sure: float) -> _Cut | None:
        """A cut, if the rival has no reason to come where the team is sure of so much."""
        rival = _other(rival, team)
        if rival is None or self.total is None or self.total - sure > rival.has + CLOSE:
            return None
        return _Cut(team, sure, rival.team)

    def _look(self, position: Position, rival: _Rival | None) -> _Whole | _Cut:
        actor = self.tree.actor(position)
        if actor == END:
            return _Whole(self._rewards(position.state), None)
        if actor == CHANCE:
            return _Whole(self._expected(position), None)
        if actor == NOBODY:
            ((_, child),) = self.tree.children(position, actor)
            outcome = self._solve(child, rival)
            return outcome if isinstance(outcome, _Cut) else _Whole(outcome.values, None)
        return self._choose(position, actor, rival)

    def _expected(self, position: Position) -> Values:
        parts = [(p, self.root(child)[0]) for p, child in self.tree.chances(position)]
        return tuple(sum(p * values[k] for p, values in parts) for k in range(self.tree.game.seats))

    def _choose(self, position: Position, actor: int, rival: _Rival | None) -> _Whole | _Cut:
        team = self.tree.team[actor]
        best: _Whole | None = None
        has = -inf
        for move, child in self.tree.children(position, actor):
            found = self._solve(child, _Rival(team, has, _other(rival, team)))
            if isinstance(found, _Cut):
                if found.unwanted_by == team:
                    continue
                return found  # this team chose again there, and did too well for its rival
            if found.values[actor] > has + CLOSE:
                best, has = _Whole(found.values, move), found.values[actor]
            if has >= self.most - CLOSE:
                break
            if cut := self._held_against(rival, team, has):
                return cut
        if best is None:
            raise _stuck(self.tree.game, actor)
        return best

    def _rewards(self, state: State) -> Values:
        game = self.tree.game
        rewards = tuple(float(reward) for reward in game.rewards(state))
        given = sum(rewards[team[0]] for team in game.teams)
        if self.total is not None and given > self.total + CLOSE:
            raise UsageError(
                f"the teams' rewards sum to {given:g} at an end of {game.title}, more than the "
                f"total={self.total:g} that was given; without a total nothing is cut for it"
            )
        return rewards


class _Paranoid:
    """One alpha-beta search for a seat; every position keeps the bounds proved for its value."""

    def __init__(self, tree: ExactTree, seat: int) -> None:
        self.tree, self.seat, self.nodes = tree, seat, 0
        self._bounds: dict[object, tuple[float, float]] = {}
        self._open: set[object] = set()  # the positions on the way to the present one

    def root(self, position: Position) -> tuple[float, int | None]:
        """The value and the move of a position."""
        self.nodes += 1
        return self._look(position, self.tree.actor(position), 0.0, 1.0)

    def _solve(self, position: Position, low: float, high: float) -> float:
        """The value, if it is between low and high; else a bound for it beyond them."""
        key = position.key()
        least, most = self._bounds.get(key, (0.0, 1.0))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        if key in self._open:
            raise _circle(self.tree.game)
        self._open.add(key)
        self.nodes += 1
        actor = self.tree.actor(position)
        value, _ = self._look(position, actor, low, high)
        exact = actor in (END, CHANCE)
        self._bounds[key] = (
            value if exact or value > low else least,
            value if exact or value < high else most,
        )
        self._open.remove(key)
        return value

    def _look(
        self, position: Position, actor: int, low: float, high: float
    ) -> tuple[float, int | None]:
        if actor == END:
            return float(self.tree.game.rewards(position.state)[self.seat]), None
        if actor == CHANCE:
            parts = self.tree.chances(position)
            return sum(p * self._solve(child, 0.0, 1.0) for p, child in parts), None
        if actor == NOBODY:
            ((_, child),) = self.tree.children(position, actor)
            return self._solve(child, low, high), None
        return self._choose(position, actor, low, high)

    def _choose(
        self, position: Position, actor: int, low: float, high: float
    ) -> tuple[float, int | None]:
        ours = self.tree.team[actor] == self.tree.team[self.seat]
        best, best_move = -inf if ours else inf, None
        for move, child in self.tree.children(position, actor):
            value = self._solve(child, low, high)
            if value > best + CLOSE if ours else value < best - CLOSE:
                best, best_move = value, move
            if ours:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
        if best_move is None:
            raise _stuck(self.tree.game, actor)
        return best, best_move


def _other(rival: _Rival | None, team: int) -> _Rival | None:
    """The rival of a team: never itself, though it may have chosen twice in a row."""
    return rival.outer if rival is not None and rival.team == team else rival


def _circle(game: Game) -> UsageError:
    return UsageError(f"play of {game.title} can come back to where it was: give a depth")


def _stuck(game: Game, seat: int) -> UsageError:
    name = game.seat_names[seat]
    return UsageError(f"in {game.title} {name} is to move and has no move: run check_game on it")
