"""Mates that tell what they plan: a few lines of their own moves, with probabilities (Dec-MCTS).

Each mate's tree is over its own moves only (Best, Cliff, Patten, Mettu, Fitch 2019), or over those of its
nearest mates, too, in large teams. In every simulation the others follow lines drawn from what they
announced.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.search.near import nearest_seats
from manyminds.search.open_tree import MOST_PLAN_MOVES, MOST_PLANS, Line, OpenSearch
from manyminds.teams.mate import Habits
from manyminds.teams.message import HEADER_BYTES, MOST_BYTES
from manyminds.teams.plan_wire import line_bytes, pack_plan, unpack_plan

if TYPE_CHECKING:
    from manyminds.teams.mate import Heard, Mate

# What a search is told, at the values that an open-loop one has.
_NOT_TAKEN = {
    "select_after": 0,
    "playouts": 1,
    "first_play_urgency": math.inf,
    "optimistic": False,
}
_COOLING, _COLDEST = 0.8, 0.02  # of `beta`, with each update


class PlansTalk:
    """Says up to `lines` lines of its own next choices with their probabilities.

    discount: of D-UCT, for each simulation. reach: how many of the nearest mates' moves the tree has, too.
    beta: how evenly lines are told at first, in units of the spread of their values. step: of the
    distribution, for each update. replies: the other teams' moves are in the tree, too; else steps. least:
    simulations that went along a line as far as it is told. pause: looks at the channel from one message
    to the next.
    """

    def __init__(
        self,
        lines: int = 4,
        discount: float = 0.999,
        reach: int = 0,
        beta: float = 0.1,
        step: float = 0.5,
        replies: bool = True,
        least: float = 10.0,
        pause: int = 5,
    ) -> None:
        self.most, self.discount, self.reach = min(lines, MOST_PLANS), discount, reach
        self.beta, self.step, self.replies = beta, step, replies
        self.least, self.pause = least, pause
        self.habits = Habits(kind=6, tree=self._tree, cost=(0.6, 0.0))

    def begin(self, mate: Mate) -> None:
        self.mate = mate
        self.chances: dict[tuple[int, ...], float] = {}
        self.warmth = self.beta
        self.said = b""
        self.looks = 0

    def _tree(self, mate: Mate, state: Any, arguments: dict[str, Any]) -> OpenSearch:
        for name, value in _NOT_TAKEN.items():
            if arguments.pop(name, value) != value:
                raise UsageError(f"trees over single seats' moves know no {name}; leave it out")
        return OpenSearch(
            mate.game,
            state,
            self._seats(state),
            discount=self.discount,
            seed=mate.seed,
            settings=mate.settings,
            c=float(mate.selection.constants["exploration"]),
            **arguments,
        )

    def _seats(self, state: Any) -> list[int]:
        """Whose moves the tree is over: its own, its nearest mates', and the other teams'."""
        mate, own = self.mate, [self.mate.seat]
        if self.reach:
            mates = [s for s in nearest_seats(mate.game, state, mate.seat) if s in mate.team]
            own += mates[: self.reach]
        others = [s for s in range(mate.game.seats) if s not in mate.team] if self.replies else []
        return own + others

    @property
    def tree(self) -> OpenSearch:
        tree: Any = self.mate.tree
        return tree

    def moved(self, moves: tuple[int, ...] | None) -> None:
        own = [] if moves is None else self._own(list(moves), self.mate.seat)
        if own:
            self.warmth = self.beta
        for move in own:
            self.chances = {
                line[1:]: p for line, p in self.chances.items() if line[0] == move and line[1:]
            }
        self.said = b""
        if self.reach and self.mate.search is not None:
            self._look_round()

    def _look_round(self) -> None:
        """The neighbours are others by now: unless those in the tree are still near enough."""
        tree = self.tree
        now = self._seats(tree.desk.root)
        near = nearest_seats(self.mate.game, tree.desk.root, self.mate.seat)
        near = [seat for seat in near if seat in self.mate.team][: 2 * self.reach]
        kept = [s for s in tree.desk.order.tolist() if s in self.mate.team and s != self.mate.seat]
        if not set(kept) <= set(near):
            tree.look_at(now)

    def say(self, room: int) -> list[bytes]:
        self.looks += 1
        if self.looks % self.pause:
            return []
        found = self.tree.lines(self.mate.seat, self.most, self.least)
        if not found:
            return []
        self._update(found)
        told = sorted(self.chances.items(), key=lambda item: (-item[1], item[0]))
        ids = self.mate.game.move_ids
        room = min(max(room, 2 * line_bytes(ids, MOST_PLAN_MOVES)), MOST_BYTES) - HEADER_BYTES - 2
        fit: list[tuple[tuple[int, ...], float]] = []
        for line, chance in told:
            room -= line_bytes(ids, len(line))
            if room < 0:
                break
            fit.append((line, chance))
        payload = pack_plan(fit, ids)
        if payload == self.said:
            return []
        self.said = payload
        return [payload]

    def hear(self, heard: Heard) -> None:
        said = unpack_plan(heard.payload, self.mate.game.move_ids)
        made = self._own(heard.moves, heard.sender)
        left = [(line[len(made) :], p) for line, p in said if line[: len(made)] == made]
        left = [(line, p) for line, p in left if line]
        self.tree.plan(heard.sender, [line for line, _ in left], [p for _, p in left])

    def weights(self) -> dict[int, float]:
        """How likely its first moves are: it does what it says."""
        found = self.tree.lines(self.mate.seat, self.most, self.least)
        if not found:
            return {}
        self._update(found)
        sums: dict[int, float] = {}
        for line, chance in self.chances.items():
            sums[line[0]] = sums.get(line[0], 0.0) + chance
        return sums

    def _own(self, codes: list[int], seat: int) -> list[int]:
        """The choices that a seat made, of all that were made."""
        ids = self.mate.game.move_ids
        return [code % ids for code in codes if code // ids == seat]

    def _update(self, found: list[Line]) -> None:
        """A step of the distribution towards that of least free energy (Dec-MCTS, algorithm 3).

        q(x) <- q(x) - a q(x) ((E f - E[f | x]) / b + H(q) + ln q(x)), with rewards in units of the spread
        of the lines' values. E[f | x] is the mean over the tree's simulations along x, old ones faded.
        """
        values = np.array([line.value for line in found])
        spread = float(values.max() - values.min())
        values = (values - values.min()) / spread if spread > 0 else np.zeros(len(found))
        known = np.array([self.chances.get(line.moves, 0.0) for line in found])
        new = (1 - min(float(known.sum()), 1.0)) / max(int((known == 0).sum()), 1)
        q = np.maximum(np.where(known > 0, known, new), 1e-3)
        q /= q.sum()
        entropy = -float((q * np.log(q)).sum())
        change = (float(q @ values) - values) / self.warmth + entropy + np.log(q)
        q = q * np.exp(np.clip(-self.step * change, -3.0, 3.0))
        q /= q.sum()
        self.warmth = max(self.warmth * _COOLING, _COLDEST)
        self.chances = {line.moves: float(p) for line, p in zip(found, q, strict=True)}
