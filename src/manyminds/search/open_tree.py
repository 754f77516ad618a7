"""An open-loop search: a tree over the moves of some seats of a simultaneous game (open_loop.py).

Like `Search`, it can be stepped, asked and moved; and it can be told what other seats plan.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.core.random import derive, generator
from manyminds.core.record import copy_record, record
from manyminds.games.contract import NONE, Game, JointMove
from manyminds.search import open_loop
from manyminds.search.tree import reserve

MOST_PLANS, MOST_PLAN_MOVES = 16, 32
MEMORY_MB = 1024.0
_DEEPEST = 1000  # choices from the root
_SLICE = 64  # simulations between two looks at the clock or the memory

HEAD = record(
    used="uint32", full="uint32", root="uint32", weight="float64", simulations="uint64"
)  # weight: what the next simulation counts, while visits of old ones stay as they were written
PARAMETERS = record(
    exploration="float64",
    discount="float64",
    expand_after="float64",
    playout_limit="uint32",  # turns of a playout
    longest="uint32",  # turns of a simulation
)


class OpenTree(NamedTuple):
    """Nodes in one array; visits and sums (of rewards by team) are in units of weight."""

    head: Any
    nodes: Any


class Plans(NamedTuple):
    """What seats plan: [seat, plan] and [seat, plan, place]. sums: chances, added up."""

    n: np.ndarray
    length: np.ndarray
    move: np.ndarray
    sums: np.ndarray


class OpenDesk(NamedTuple):
    """The scratch of a search: by seat, by depth in the path, or by place in a list of moves."""

    root: Any
    state: Any
    trace: Any
    rng: Any
    order: np.ndarray  # the tree's seats
    in_tree: np.ndarray  # by seat: 1 for these
    path: np.ndarray
    depth: np.ndarray
    grown: np.ndarray
    joint: np.ndarray
    movers: np.ndarray
    plan: np.ndarray  # by seat: which plan it follows
    place: np.ndarray  # and how far
    moves: np.ndarray
    possible: np.ndarray  # by move: the stamp of the choice at which it was last possible
    stamp: np.ndarray
    rewards: np.ndarray
    sums: np.ndarray


@dataclass(frozen=True)
class Line:
    """A way through the tree, told as the moves of one seat: simulations, and their mean reward to it."""

    moves: tuple[int, ...]
    visits: float
    value: float


class OpenSearch:
    """A tree over the moves of `seats` (the first is whose search it is) from a state.

    seats: they choose in this order within a turn; all others follow `plan`s that they were said to have,
    and steps. c: of UCT. discount: what a simulation counts after another one. expand_after: visits of a
    leaf when it gets children. playout_limit: turns of a playout behind the tree.
    """

    def __init__(
        self,
        game: Game,
        state: Any,
        seats: Sequence[int],
        *,
        seed: int = 0,
        settings: Any = None,
        c: float = 0.1,
        discount: float = 1.0,
        expand_after: int = 1,
        playout_limit: int | None = None,
        memory_mb: float = MEMORY_MB,
    ) -> None:
        if not game.simultaneous:
            raise UsageError(
                f"in {game.title} one seat moves at a time; trees of single seats are for games in which "
                "mates move at once: use tree-cuts, results or news"
            )
        if not 0 < discount <= 1:
            raise UsageError(f"discount is above 0 and at most 1, not {discount}")
        self.game, self.kernels = game, game.kernels
        self.settings = game.set_up() if settings is None else settings
        self.parameters = PARAMETERS.new()
        self.parameters.exploration, self.parameters.discount = c, discount
        self.parameters.expand_after = expand_after
        self.parameters.longest = game.longest
        self.parameters.playout_limit = min(playout_limit or game.longest_playout, game.longest)
        self.node = _node_dtype(self.kernels.slots)
        self.capacity = max(int(memory_mb * 2**20 / self.node.itemsize), 4 * (game.most_moves + 1))
        self.tree = self._new_tree()
        self.desk = _new_desk(game, state, derive(seed, "search"))
        self.plans = _no_plans(game.seats)
        self.look_at(seats)

    # --- stepped ---------------------------------------------------------------------------------

    def run(
        self,
        simulations: int | None = None,
        milliseconds: float | None = None,
        budget: Budget | None = None,
    ) -> int:
        """Search for a budget; how many simulations it were."""
        if budget is None:
            budget = Budget(simulations=simulations, milliseconds=milliseconds)
        if budget.simulations is not None:
            return self._stretch(budget.simulations)
        if budget.milliseconds is None:
            raise UsageError("this search takes a budget in simulations or milliseconds")
        deadline, total = time.perf_counter() + budget.milliseconds / 1000, 0
        while time.perf_counter() < deadline:
            total += self._stretch(_SLICE // 8)
        return total

    def _stretch(self, simulations: int) -> int:
        arguments = (self.desk, self.plans, self.parameters, self.settings)
        for begun in range(0, simulations, _SLICE):
            if self.tree.head.full:
                self._begin_anew()
            n = min(_SLICE, simulations - begun)
            open_loop.run(self.kernels, self.tree, *arguments, n)
        return simulations

    def look_at(self, seats: Sequence[int]) -> None:
        """Branch on the moves of these seats from now on; the tree begins anew where they are others."""
        if [int(seat) for seat in self.desk.order] == [int(seat) for seat in seats]:
            return
        if not seats or len(set(seats)) < len(seats):
            raise UsageError("an open-loop tree is over one seat's moves, or several seats'")
        changed = len(self.desk.order) > 0
        self.desk = self.desk._replace(order=np.array(seats, np.uint32))
        self.desk.in_tree[:] = 0
        self.desk.in_tree[self.desk.order] = 1
        if changed:
            self._begin_anew()

    # --- told ------------------------------------------------------------------------------------

    def plan(self, seat: int, lines: Sequence[Sequence[int]], chances: Sequence[float]) -> None:
        """A seat follows one of these lines, drawn by the chances; each is its next choices."""
        kept = [(list(line)[:MOST_PLAN_MOVES], p) for line, p in zip(lines, chances, strict=True)]
        kept = [(line, p) for line, p in kept if p > 0][:MOST_PLANS]
        self.plans.n[seat] = len(kept)
        total = 0.0
        for k, (line, chance) in enumerate(kept):
            total += chance
            self.plans.length[seat, k] = len(line)
            self.plans.move[seat, k, : len(line)] = line
            self.plans.sums[seat, k] = total

    def planned(self, seat: int) -> list[tuple[list[int], float]]:
        """What a seat is believed to plan: lines with their chances."""
        n = int(self.plans.n[seat])
        chances = np.diff(self.plans.sums[seat, :n], prepend=0.0)
        return [
            (self.plans.move[seat, k, : self.plans.length[seat, k]].tolist(), float(chances[k]))
            for k in range(n)
        ]

    # --- asked -----------------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        """Nodes in use."""
        return int(self.tree.head.used)

    @property
    def simulations(self) -> int:
        """Made since the tree was new."""
        return int(self.tree.head.simulations)

    def root_bytes(self) -> bytes:
        """The root's position."""
        return bytes(self.desk.root.tobytes())

    def moves_of(self, seat: int) -> list[int]:
        """The moves that a seat has in the tree, where it moves now."""
        return [int(move) for move in self._tree_moves(self.desk.root, seat)]

    def lines(self, seat: int, most: int, least: float = 0.0) -> list[Line]:
        """The most visited lines of a seat's moves: leaves of the visit-count cut, followed on.

        At most so many, each as far as `least` simulations went; the shortest are one move long.
        """
        nodes, least = self.tree.nodes, least * float(self.tree.head.weight)
        leaves = [(int(self.tree.head.root), ())]  # type: list[tuple[int, tuple[int, ...]]]
        while len(leaves) < most:
            known = [
                leaf
                for leaf in leaves
                if self._children(leaf[0]) and (nodes[leaf[0]].visits >= least or not leaf[1])
            ]
            if not known:
                break
            opened = max(known, key=lambda leaf: (nodes[leaf[0]].visits, -leaf[0]))
            leaves.remove(opened)
            leaves += [
                (child, self._with(opened[1], seat, child)) for child in self._children(opened[0])
            ]
        found: dict[tuple[int, ...], Line] = {}
        for node, moves in leaves:
            line = self._line(seat, node, moves, least)
            if line.moves and (line.moves not in found or found[line.moves].visits < line.visits):
                found[line.moves] = line
        return sorted(found.values(), key=lambda line: -line.visits)[:most]

    def best_of(self, seat: int) -> int:
        """The seat's next choice that most simulations made."""
        possible = self.moves_of(seat)
        if len(possible) == 1:
            return possible[0]
        totals = dict.fromkeys(possible, 0.0)
        for move, visits in self._totals(int(self.tree.head.root), seat):
            if move in totals:
                totals[move] += visits
        return max(totals, key=lambda move: (totals[move], -move))

    def _totals(self, node: int, seat: int) -> list[tuple[int, float]]:
        """The seat's first choices below a node, with their visits."""
        found = []
        for child in self._children(node):
            chooser, move = divmod(int(self.tree.nodes[child].move), self.game.move_ids)
            if chooser == seat:
                found.append((move, float(self.tree.nodes[child].visits)))
            else:
                found += self._totals(child, seat)
        return found

    def _children(self, node: int) -> list[int]:
        """Children that were visited."""
        first, count = int(self.tree.nodes[node].first), int(self.tree.nodes[node].count)
        return [k for k in range(first, first + count) if self.tree.nodes[k].visits > 0]

    def _with(self, moves: tuple[int, ...], seat: int, node: int) -> tuple[int, ...]:
        chooser, move = divmod(int(self.tree.nodes[node].move), self.game.move_ids)
        return (*moves, move) if chooser == seat else moves

    def _line(self, seat: int, node: int, moves: tuple[int, ...], least: float) -> Line:
        """A leaf's line, and the most visited way on, through nodes of at least this weight."""
        row = self.tree.nodes[node]
        visits = float(row.visits) / float(self.tree.head.weight)
        value = float(row.sums[self.game.team_of(seat)]) / max(float(row.visits), 1e-300)
        while (children := self._children(node)) and len(moves) < MOST_PLAN_MOVES:
            node = max(children, key=lambda child: (self.tree.nodes[child].visits, -child))
            if moves and self.tree.nodes[node].visits < least:
                break
            moves = self._with(moves, seat, node)
        return Line(moves, visits, value)

    # --- moved -----------------------------------------------------------------------------------

    def chosen_moves(self, joint: JointMove) -> tuple[int, ...]:
        """Who had a choice in this joint move, as seat * move_ids + move."""
        out = np.zeros(2 * self.game.seats + 1, np.uint32)
        n = open_loop.choices(
            self.kernels,
            self.desk.root,
            np.asarray(joint, np.int32),
            out,
            self.desk.moves,
            self.game.move_ids,
            self.settings,
        )
        return tuple(int(code) for code in out[:n])

    def advance(self, joint: JointMove) -> bool:
        """Play a joint move; False when the tree has no such choice of its seats, and starts anew."""
        chosen = dict(divmod(code, self.game.move_ids) for code in self.chosen_moves(joint))
        for seat, move in chosen.items():
            self._follow_plan(seat, move)
        kept = True
        for seat in self.desk.order.tolist():
            if seat in chosen and kept:
                kept = self._step_root(seat * self.game.move_ids + chosen[seat])
        if not kept:
            self._begin_anew()
        self.game.play(self.desk.root, joint)
        return kept

    def meet(self, state: Any) -> bool:
        """The position is this one. The tree holds whatever the others did."""
        copy_record(self.desk.root, state)
        return True

    def _follow_plan(self, seat: int, move: int) -> None:
        """Of a seat's plans those are left that had it choose this."""
        left = [(line[1:], p) for line, p in self.planned(seat) if line and line[0] == move]
        left = [(line, p) for line, p in left if line]
        self.plan(seat, [line for line, _ in left], [p for _, p in left])

    def _step_root(self, code: int) -> bool:
        root = int(self.tree.head.root)
        for child in self._children(root):
            if int(self.tree.nodes[child].move) == code:
                self.tree.head.root = child
                if 2 * self.nodes > self.capacity:
                    self._compact()
                return True
        return not self.tree.nodes[root].visits

    def _compact(self) -> None:
        target = self._new_tree()
        open_loop.compact(self.kernels, self.tree, target)
        self.tree = target

    def _begin_anew(self) -> None:
        simulations = self.tree.head.simulations
        self.tree = self._new_tree()
        self.tree.head.simulations = simulations

    def _new_tree(self) -> OpenTree:
        head = HEAD.new()
        head.used, head.weight = 1, 1.0
        return OpenTree(head, reserve(self.capacity, self.node))

    def _tree_moves(self, state: Any, seat: int) -> np.ndarray:
        n = open_loop.tree_moves_of(self.kernels, state, seat, self.desk.moves, self.settings)
        return self.desk.moves[:n].copy()


def _node_dtype(slots: int) -> np.dtype:
    """A node. move: seat * move_ids + the seat's move, by which it is reached."""
    fields = [
        ("visits", np.float64),
        ("first", np.uint32),
        ("move", np.uint32),
        ("count", np.uint32),
        ("sums", np.float64, (slots,)),
    ]
    return np.dtype(fields, align=True)


def _no_plans(seats: int) -> Plans:
    return Plans(
        np.zeros(seats, np.uint32),
        np.zeros((seats, MOST_PLANS), np.uint32),
        np.zeros((seats, MOST_PLANS, MOST_PLAN_MOVES), np.uint32),
        np.zeros((seats, MOST_PLANS)),
    )


def _new_desk(game: Game, state: Any, seed: int) -> OpenDesk:
    return OpenDesk(
        root=game.copy(state),
        state=game.copy(state),
        trace=game.trace.new(),
        rng=generator(seed),
        order=np.zeros(0, np.uint32),
        in_tree=np.zeros(game.seats, np.uint8),
        path=np.zeros(_DEEPEST, np.uint32),
        depth=np.zeros(1, np.uint32),
        grown=np.zeros(1, np.uint8),
        joint=np.full(game.seats, NONE, np.int32),
        movers=np.zeros(game.seats, np.uint32),
        plan=np.zeros(game.seats, np.int32),
        place=np.zeros(game.seats, np.uint32),
        moves=np.zeros(game.most_moves + 1, np.uint32),
        possible=np.zeros(game.move_ids, np.uint32),
        stamp=np.zeros(1, np.uint32),
        rewards=np.zeros(game.seats),
        sums=np.zeros(len(game.teams)),
    )
