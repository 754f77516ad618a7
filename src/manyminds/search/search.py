"""A search: a tree that can be stepped, asked, fed, moved and copied. Nothing else is needed of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.core.random import derive
from manyminds.core.record import copy_of, copy_record
from manyminds.games.contract import Game, JointMove
from manyminds.search import calls, exchange, loop, surgery
from manyminds.search.desk import Desk, new_desk
from manyminds.search.selection import Selection, uct
from manyminds.search.tree import ONE, Needs, Tree, bytes_per_node, copy_tree, new_tree
from manyminds.search.turns import Turns, turns_of

MEMORY_MB = 1024.0
_STRETCH = 1024  # simulations between two looks at whether the tree is full
_SLICE = 0.004  # seconds of searching between two looks at the clock


@dataclass(frozen=True)
class Row:
    """A move at the root: its visits, and the mean reward of each seat after it."""

    move: int
    name: str
    visits: int
    values: tuple[float, ...]


class Search:
    """One tree on a game, from a state.

    selection: the rule in the tree. settings: the game's, as a record or a mapping of choices. weights:
    [seat][seat], what each seat is assumed to maximise as a weighted sum of all seats' rewards; by
    default its own (max^n). expand_after: visits of a leaf when it gets children (Filip's T_e).
    select_after: visits below which a node follows the playout's step (T_s). playouts: from each leaf.
    playout_limit: turns of a playout. first_play_urgency: what an unvisited child is worth. memory_mb:
    beyond it, the parts that few simulations saw are dropped. team, optimistic, jointly: how simultaneous
    turns are split. results: how many of its newest results the search remembers for `results()`;
    social: whether it can take in others' work; echo: whether it tells that on.

    The same game, seed and arguments with the same numbers of simulations give the same tree, bit for bit.
    """

    def __init__(
        self,
        game: Game,
        state: Any = None,
        selection: Selection | None = None,
        *,
        seed: int = 0,
        settings: Any = None,
        weights: Sequence[Sequence[float]] | np.ndarray | None = None,
        expand_after: int = 1,
        select_after: int = 0,
        playouts: int = 1,
        playout_limit: int | None = None,
        first_play_urgency: float = float("inf"),
        memory_mb: float = MEMORY_MB,
        team: int = 0,
        optimistic: bool = False,
        jointly: bool = False,
        results: int = 0,
        social: bool = False,
        echo: bool = False,
    ) -> None:
        self.game, self.selection, self.echo = game, selection or uct(), echo
        self.turns: Turns = turns_of(game, team, optimistic, jointly)
        self.kernels = self.turns.kernels
        self.settings = game.set_up(**settings) if isinstance(settings, Mapping) else settings
        if self.settings is None:
            self.settings = game.set_up()
        self.parameters = self.selection.parameters(
            expand_after=_at_least(0, expand_after, "expand_after"),
            select_after=_at_least(0, select_after, "select_after"),
            playouts=_at_least(1, playouts, "playouts"),
            playout_limit=_at_least(
                1, playout_limit or self.turns.longest_playout, "playout_limit"
            ),
            first_play_urgency=first_play_urgency,
            own_reward=weights is None,
        )
        needs = Needs(self.selection.rave, self.selection.squares, social)
        self._capacity = _capacity(memory_mb, bytes_per_node(self.kernels.slots, needs), game)
        self._needs = needs
        self.tree: Tree = self._new_tree()
        view = self.turns.enter(game.start() if state is None else state)
        self.desk: Desk = new_desk(
            self.turns.state,
            self.turns.trace,
            self.kernels,
            view,
            _weights(game, weights),
            results,
            derive(seed, "search"),
        )
        self._read = 0  # results of the log that have been told
        self._absorbed: dict[exchange.Cut, np.ndarray] = {}

    # --- stepped ---------------------------------------------------------------------------------

    def run(
        self,
        simulations: int | None = None,
        milliseconds: float | None = None,
        nodes: int | None = None,
        budget: Budget | None = None,
    ) -> int:
        """Search for a budget; how many simulations it were. Exactly one way to say it."""
        if budget is None:
            budget = Budget(simulations=simulations, milliseconds=milliseconds, nodes=nodes)
        if budget.simulations is not None:
            return self._stretch(budget.simulations)
        if budget.milliseconds is not None:
            return self._run_until(time.perf_counter() + budget.milliseconds / 1000)
        return self._run_to_nodes(int(budget.nodes or 0))

    def _stretch(self, simulations: int) -> int:
        """So many simulations, with a look at the memory wherever their number in all says so."""
        left = simulations
        while left > 0:
            done = int(self.tree.head.simulations)
            n = min(left, max(1, (_STRETCH - done % _STRETCH) // int(self.parameters.playouts)))
            loop.run(
                self.kernels,
                self.selection.kernels,
                self.tree,
                self.desk,
                self.parameters,
                self.settings,
                n,
            )
            left -= n
            if self.tree.head.full:
                self._prune()
        return simulations

    def _run_until(self, deadline: float) -> int:
        """Simulations until the deadline, in runs that grow as long as they keep to a short slice of time."""
        total, n = 0, 8
        while (now := time.perf_counter()) < deadline:
            total += self._stretch(n)
            spent = max(time.perf_counter() - now, 1e-7)
            left = deadline - time.perf_counter()
            n = int(max(1, min(n * _SLICE / spent, n * left / spent, 4 * n)))
        return total

    def _run_to_nodes(self, nodes: int) -> int:
        total = 0
        while int(self.tree.head.used) < nodes and total < 100 * nodes:
            total += self._stretch(
                max(1, min(64, (nodes - int(self.tree.head.used)) // self.kernels.most_moves))
            )
        return total

    # --- asked -----------------------------------------------------------------------------------

    @property
    def simulations(self) -> int:
        """Simulations through the root that the tree holds, received ones included."""
        return int(self.tree.nodes[0].visits)

    @property
    def nodes(self) -> int:
        """Nodes in use."""
        return int(self.tree.head.used)

    @property
    def memory_bytes(self) -> int:
        """Memory that the nodes in use take."""
        return self.nodes * bytes_per_node(self.kernels.slots, self._needs)

    def values(self) -> tuple[float, ...]:
        """The mean reward of each seat at the root."""
        return self._values_of(0)

    def root(self) -> list[Row]:
        """The moves at the root, the most visited first. Inside an edge there is one."""
        forced = self._forced()
        if forced is not None:
            return [Row(forced, self._name(forced), self.simulations, self.values())]
        first, count = int(self.tree.nodes[0].first), int(self.tree.nodes[0].count)
        rows = []
        for child in range(first, first + count):
            node = self.tree.nodes[child]
            rows.append(
                Row(
                    int(node.move),
                    self._name(int(node.move)),
                    int(node.visits),
                    self._values_of(child),
                )
            )
        return sorted(rows, key=lambda row: -row.visits)

    def best(self) -> int:
        """The most visited move at the root (of the seat, or jointly of the team, that chooses there)."""
        rows = self.root()
        if not rows:
            raise UsageError(
                "the search has no move yet: run at least two simulations before you ask"
            )
        return rows[0].move

    def best_of(self, seat: int) -> int:
        """A seat's most visited next move, whoever chooses before it in the tree."""
        forced = self._forced()
        if forced is not None and self.seat_to_choose() == seat:
            return self.turns.seat_move(self.desk.root, seat, forced)
        totals = self.next_moves(seat).totals()
        if not totals:
            raise UsageError(f"the search knows no next move of {self.game.seat_names[seat]} yet")
        sums: dict[int, int] = {}
        for move, visits in totals.items():
            own = self.turns.seat_move(self.desk.root, seat, move)
            sums[own] = sums.get(own, 0) + visits
        return max(sums, key=lambda move: (sums[move], -move))

    def line(self, most: int = 20) -> list[int]:
        """The moves of the most visited path, one an edge."""
        moves: list[int] = []
        node = 0
        while self.tree.nodes[node].count and len(moves) < most:
            first, count = int(self.tree.nodes[node].first), int(self.tree.nodes[node].count)
            node = first + int(np.argmax(self.tree.nodes["visits"][first : first + count]))
            if self.tree.nodes[node].visits == 0:
                break
            moves.append(int(self.tree.nodes[node].move))
        return moves

    def next_moves(self, seat: int) -> exchange.Cut:
        """The next-move cut: the children of the first nodes at which the seat chooses."""
        most = 256
        chooser = self._chooser(seat)
        while True:
            entries, nodes = exchange.new_entries(self.kernels.slots, most)
            n = exchange.next_move_cut(self.kernels, self.tree, entries, nodes, chooser, self.echo)
            if n >= 0:
                return exchange.Cut(entries[:n])
            if most >= exchange.MOST_ENTRIES:
                raise UsageError("the next-move cut of this game is too large to be told")
            most = min(4 * most, exchange.MOST_ENTRIES)

    def cut(self, size: int) -> exchange.Cut:
        """The visit-count cut that takes at most `size` bytes."""
        most = min(size // exchange.cut_dtype(self.kernels.slots).itemsize, exchange.MOST_ENTRIES)
        entries, nodes = exchange.new_entries(self.kernels.slots, max(most, 1))
        n = exchange.visit_count_cut(self.kernels, self.tree, entries[:most], nodes, self.echo)
        return exchange.Cut(entries[:n])

    def results(self) -> np.ndarray:
        """Its own simulations since it was last asked, oldest first: moves[:n] and sums by team.

        As many of the newest as `results=` made room for.
        """
        room = self.desk.log.shape[0]
        logged = int(self.tree.head.logged)
        fresh = min(logged - self._read, room) if room > 1 else 0
        self._read = logged
        return self.desk.log[np.arange(logged - fresh, logged) % room].copy()

    # --- fed -------------------------------------------------------------------------------------

    def absorb(self, work: exchange.Cut | np.ndarray) -> None:
        """Take in another search's cut or results. A cut can be taken out again."""
        self._must_be_social()
        if isinstance(work, exchange.Cut):
            paths = self._paths_of(work)
            self._take_in(paths)
            self._absorbed[work] = paths
            return
        paths = exchange.new_paths(self.kernels.slots, len(work))
        for name in ("n", "moves", "sums"):
            paths[name] = work[name]
        paths["visits"] = 1
        self._take_in(paths)

    def retract(self, cut: exchange.Cut) -> None:
        """Take out a cut that was absorbed, as far as the tree still holds it."""
        paths = self._absorbed.pop(cut, None)
        if paths is None:
            raise UsageError("this cut was not absorbed, or has been taken out before")
        exchange.retract(self.kernels, self.tree, self.desk, paths, len(paths))

    def _paths_of(self, cut: exchange.Cut) -> Any:
        entries = cut.entries.view(np.recarray)
        paths = exchange.new_paths(self.kernels.slots, max(len(cut), 1))
        n = exchange.cut_paths(entries, len(entries), paths, self.kernels.slots)
        return paths[:n]

    def _take_in(self, paths: Any) -> None:
        exchange.absorb(self.kernels, self.tree, self.desk, self.settings, paths, len(paths))
        if self.tree.head.full:
            self._prune()

    def _must_be_social(self) -> None:
        if not self._needs.received:
            raise UsageError(
                "this search keeps no room for others' work: make it with Search(..., social=True)"
            )

    # --- moved and copied ------------------------------------------------------------------------

    def advance(self, joint: JointMove | Sequence[int] | int) -> bool:
        """Play a joint move, or the mover's; False when play left the tree, which then starts anew."""
        moves = self.turns.moves_of(self.desk.root, joint)
        kept = True
        for move in moves:
            kept &= self._step_root(move)
            calls.play(self.kernels, self.desk.root, move)
        return kept

    def meet(self, state: Any) -> bool:
        """Make the root this state, by a move of nature's if one leads there; False when it starts anew."""
        view = self.turns.enter(state)
        if view.tobytes() == self.desk.root.tobytes():
            return True
        if self.seat_to_choose() == -2:
            for move in self._moves_at_root():
                there = self.turns.state.unpack(self.desk.root.tobytes())
                calls.play(self.kernels, there, int(move))
                if there.tobytes() == view.tobytes():
                    kept = self._step_root(int(move))
                    copy_record(self.desk.root, view)
                    return kept
        self._restart()
        copy_record(self.desk.root, view)
        return False

    def copy(self) -> Search:
        """A search of its own that goes on as this one would."""
        twin = object.__new__(Search)
        twin.__dict__.update(self.__dict__)
        twin.tree = copy_tree(self.tree, self._new_tree())
        twin.desk = Desk(*(copy_of(part) for part in self.desk))
        twin._absorbed = {cut: paths.copy() for cut, paths in self._absorbed.items()}
        return twin

    def seat_to_choose(self) -> int:
        """Who chooses at the root; -2 nature, -3 nobody since the game is over."""
        return int(calls.seat(self.kernels, self.desk.root))

    # --- within ----------------------------------------------------------------------------------

    def _new_tree(self) -> Tree:
        return new_tree(self.kernels.slots, self._capacity, self._needs)

    def _graft(self, root: int, target: Tree, least_visits: int) -> int:
        return int(surgery.graft(self.kernels, self.tree, target, root, least_visits))

    def _step_root(self, move: int) -> bool:
        """Move the root along an edge by one move: inside the edge, to the child, or out of the tree."""
        forced = self._forced()
        if forced is not None:
            if forced != move:
                self._restart()
                return False
            self.tree.nodes[0].length -= 1
            return True
        child = int(calls.child_of_root(self.tree, move))
        if child == 0:
            untouched = self.simulations == 0
            self._restart()
            return untouched
        target = self._new_tree()
        self._graft(child, target, 0)
        target.nodes[0].length -= 1
        self.tree = target
        self._absorbed = {
            cut: exchange.reroot(paths, move) for cut, paths in self._absorbed.items()
        }
        return True

    def _restart(self) -> None:
        simulations, logged = int(self.tree.head.simulations), int(self.tree.head.logged)
        self.tree = self._new_tree()
        self.tree.head.simulations, self.tree.head.logged = simulations, logged
        self.desk.played[:] = 0
        self._absorbed.clear()

    def _prune(self) -> None:
        """Drop what few simulations saw until half the room is free."""
        least = 16
        while True:
            target = self._new_tree()
            used = self._graft(0, target, least)
            if used <= self._capacity // 2 or least > self.simulations:
                self.tree = target
                return
            least *= 2

    def _forced(self) -> int | None:
        """The only move at a root that lies inside an edge."""
        if self.tree.nodes[0].length == 0:
            return None
        return int(self._moves_at_root()[0])

    def _moves_at_root(self) -> np.ndarray:
        out = np.zeros(self.kernels.most_moves + 1, np.uint32)
        return out[: calls.tree_moves(self.kernels, self.desk.root, out, self.settings)]

    def _chooser(self, seat: int) -> int:
        """The seat by which nodes know who chooses: the first of the team when it moves jointly."""
        if not getattr(self.turns, "jointly", False):
            return seat
        team = self.game.teams[self.game.team_of(seat)]
        movers = [int(mover) for mover in self.desk.root.movers[: self.desk.root.n]]
        return next((mover for mover in movers if mover in team), seat)

    def _values_of(self, node: int) -> tuple[float, ...]:
        visits = max(int(self.tree.nodes[node].visits), 1)
        sums = self.tree.nodes[node].sums
        return tuple(
            float(sums[self.game.team_of(seat)]) / ONE / visits for seat in range(self.game.seats)
        )

    def _name(self, move: int) -> str:
        return str(move) if self.game.simultaneous else self.game.name(move, self.desk.root)


def _at_least(least: int, value: int, name: str) -> int:
    if int(value) != value or value < least:
        raise UsageError(f"{name} is a whole number from {least} up, not {value}")
    return int(value)


def _capacity(memory_mb: float, node_bytes: int, game: Game) -> int:
    """Nodes that fit the memory; at least a few expansions."""
    nodes = int(memory_mb * 2**20 / node_bytes)
    if nodes < 4 * (game.most_moves + 1):
        raise UsageError(
            f"{memory_mb} MB hold only {nodes} nodes, too few for a game of {game.most_moves} moves"
        )
    return min(nodes, 2**31)


def _weights(game: Game, weights: Any) -> np.ndarray:
    """[seat][team] from [seat][seat] (or [seat][team]); each seat for its own team by default."""
    if weights is None:
        own = [[float(seat in team) for team in game.teams] for seat in range(game.seats)]
        return np.array(own)
    given = np.array(weights, float)
    if given.shape == (game.seats, game.seats):
        return np.stack([given[:, list(team)].sum(axis=1) for team in game.teams], axis=1)
    if given.shape != (game.seats, len(game.teams)):
        raise UsageError(
            f"weights are {game.seats} rows (who chooses) of {game.seats} numbers (whose reward counts)"
        )
    return given
