"""A search: a tree that can be stepped, asked, fed, moved and copied. Nothing else is needed of it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.core.kernel_set import Kernels
from manyminds.core.random import derive
from manyminds.core.record import copy_of, copy_record
from manyminds.games.contract import CHANCE, Game, JointMove
from manyminds.search import calls, exchange, loop, surgery
from manyminds.search.access import ALONE
from manyminds.search.crew import Crew
from manyminds.search.desk import Desk, log_dtype, new_desk
from manyminds.search.selection import Selection, uct
from manyminds.search.tree import (
    MOST_CHILDREN,
    ONE,
    Needs,
    Tree,
    bytes_per_node,
    copy_amaf,
    copy_tree,
    new_tree,
)
from manyminds.search.turns import Turns, turns_of

MEMORY_MB = 1024.0
_STRETCH = 1024  # simulations between two looks at whether the tree is full
_SLICE = 0.004  # seconds of searching between two looks at the clock
_FOR_CREWS = 8  # times as long are both for a crew, whose threads meet there
_MOST_DICE = 5000  # positions that are looked through for what nature has done


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
    `[seat][seat]`, what each seat is assumed to maximise as a weighted sum of all seats' rewards; by
    default its own (max^n). expand_after: visits of a leaf when it gets children (Filip's T_e).
    select_after: visits below which a node follows the playout's step (T_s). playouts: from each leaf.
    playout_limit: turns of a playout. first_play_urgency: what an unvisited child is worth. memory_mb:
    beyond it, the parts that few simulations saw are dropped. team (its number), optimistic, jointly: how
    simultaneous turns are split. results: how many of its newest results the search remembers for
    `results()`; social: whether it can take in others' work; echo: whether it tells that on. crew: who
    runs the simulations, if not the caller's thread alone (one of parallel/; mm.parallel_search makes them).

    The same game, seed and arguments with the same numbers of simulations give the same tree, bit for bit.

        >>> import manyminds as mm
        >>> nim = mm.make_game("nim", heaps=[1, 2])
        >>> search = mm.Search(nim, selection=mm.uct(), seed=1)
        >>> search.run(simulations=500)
        500
        >>> nim.name(search.best())
        'b1'
        >>> search.root()[0].values
        (1.0, 0.0)
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
        crew: Crew | None = None,
    ) -> None:
        self.game, self.selection, self.echo = game, _rule(selection), echo
        self.turns = _turns(game, self.selection, team, optimistic, jointly)
        self.kernels = self.turns.kernels
        self.settings = _settings(game, settings)
        self.parameters = self.selection.parameters(
            expand_after=_at_least(0, expand_after, "expand_after"),
            select_after=_at_least(0, select_after, "select_after"),
            playouts=_at_least(1, playouts, "playouts"),
            playout_limit=_playout_limit(playout_limit, self.turns),
            first_play_urgency=first_play_urgency,
            own_reward=weights is None,
            virtual_loss=crew.virtual_loss if crew else 0,
        )
        self._crew = _fit(crew, results)
        needs = self._what_it_needs(social, crew)
        self._capacity = _capacity(
            memory_mb, bytes_per_node(self.kernels.slots, needs), self.kernels
        )
        self._needs = needs
        self.tree: Tree = self._new_tree()
        view = self.turns.enter(game.start() if state is None else state)
        self.desk: Desk = new_desk(
            self.turns.state,
            self.turns.trace,
            self.kernels,
            view,
            _weights(game, weights),
            _at_least(0, results, "results"),
            derive(seed, "search"),
            needs.rave,
        )
        self._read = 0  # results of the log that have been told
        self._absorbed: dict[exchange.Cut, Any] = {}

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
        """So many simulations, with a look at the memory wherever the number of playouts in all says so."""
        left, stretch = simulations, _STRETCH * (_FOR_CREWS if self._crew else 1)
        while left > 0:
            before = int(self.tree.head.simulations)
            n = min(left, max(1, (stretch - before % stretch) // int(self.parameters.playouts)))
            self._simulate(n)
            left -= n
            # Only there, wherever a call ends: the tree is the same in how many calls ever it grows.
            if self.tree.head.full and before // stretch < self.tree.head.simulations // stretch:
                self._prune()
        return simulations

    def _simulate(self, n: int) -> None:
        """n simulations. When a crew fails, the tree starts anew: it may be half counted."""
        if self._crew is None:
            rule, p = self.selection.kernels, self.parameters
            loop.run(self.kernels, rule, ALONE, self.tree, self.desk, p, self.settings, n)
            return
        try:
            self._crew.run(self, n)
        except BaseException:
            self.forget()
            raise

    def _run_until(self, deadline: float) -> int:
        """Simulations until the deadline, in runs that grow as long as they keep to a short slice of time."""
        total, n = 0, 8
        most = _SLICE * (_FOR_CREWS if self._crew else 1)
        while (now := time.perf_counter()) < deadline:
            total += self._stretch(n)
            spent = max(time.perf_counter() - now, 1e-7)
            left = deadline - time.perf_counter()
            n = int(max(1, min(n * most / spent, n * left / spent, 4 * n)))
        return total

    def _run_to_nodes(self, nodes: int) -> int:
        """Simulations until the tree has so many nodes more, or has all that there are."""
        room = self._capacity - self.kernels.most_moves
        if self.nodes + nodes > room:
            self._prune()
        goal, total = min(self.nodes + nodes, room), 0
        while self.nodes < goal and total < 100 * nodes:
            n = min(512 if self._crew else 64, (goal - self.nodes) // self.kernels.most_moves)
            total += self._stretch(max(1, n))
        return total

    # --- asked -----------------------------------------------------------------------------------

    @property
    def simulations(self) -> int:
        """Playouts that the tree holds at its root, received ones included."""
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
        return self.values_of(0)

    def root(self) -> list[Row]:
        """The moves at the root, the most visited first. Inside an edge there is one."""
        forced = self._forced()
        if forced is not None:
            return [Row(forced, self._name(forced), self.simulations, self.values())]
        first, count = int(self.tree.nodes[0].first), int(self.tree.nodes[0].count)
        children = self.tree.nodes[first : first + count]
        visits = children["visits"].astype(np.int64)
        means = children["sums"].astype(float) / ONE / np.maximum(visits, 1)[:, None]
        by_seat = means[:, [self.game.team_of(seat) for seat in range(self.game.seats)]]
        columns = (children["move"].tolist(), visits.tolist(), by_seat.tolist())
        rows = [
            Row(move, self._name(move), seen, tuple(values))
            for move, seen, values in zip(*columns, strict=True)
        ]
        return sorted(rows, key=lambda row: -row.visits)

    def moves(self) -> np.ndarray:
        """The moves that the tree has at its root, searched or not."""
        return self.moves_at(self.desk.root)

    def moves_at(self, view: Any) -> np.ndarray:
        """The moves that the tree has in a position of its own (`turns.state`)."""
        out = np.zeros(self.kernels.most_moves + 1, np.uint32)
        return out[: calls.tree_moves(self.kernels, view, out, self.settings)]

    def values_of(self, node: int) -> tuple[float, ...]:
        """The mean reward of each seat at a node."""
        visits = max(int(self.tree.nodes[node].visits), 1)
        sums = self.tree.nodes[node].sums
        return tuple(
            float(sums[self.game.team_of(seat)]) / ONE / visits for seat in range(self.game.seats)
        )

    def best(self) -> int:
        """The most visited move at the root (of the seat, or jointly of the team, that chooses there)."""
        rows = self.root()
        if rows:
            return rows[0].move
        if self.seat_to_choose() == -3:
            raise UsageError("the game is over, so that there is no best move")
        raise UsageError("the search has no move yet: run at least one simulation before you ask")

    def best_of(self, seat: int) -> int:
        """A seat's most visited next move, whoever chooses before it in the tree.

        Where it chooses now and the tree does not reach so far, it is the first that it could choose.
        """
        now = self.turns.choice_of(self.desk.root, seat)
        own = [] if now is None else [int(move) for move in self.moves_at(now)]
        if len(own) == 1:
            return self.turns.seat_move(self.desk.root, seat, own[0])
        totals = self.next_moves(seat, own=False).totals() or dict.fromkeys(own[:1], 0)
        if not totals:
            raise UsageError(f"the search knows no next move of {self.game.seat_names[seat]} yet")
        sums: dict[int, int] = {}
        for move, visits in totals.items():
            single = self.turns.seat_move(self.desk.root, seat, move)
            sums[single] = sums.get(single, 0) + visits
        return max(sums, key=lambda move: (sums[move], -move))

    def line(self, most: int = 20, first: int | None = None) -> list[int]:
        """The moves of the most visited path, those between where there was no choice included.

        first: of those paths that choose this move at the root.
        """
        view = self.turns.state.unpack(self.desk.root.tobytes())
        moves: list[int] = []
        node = 0
        self._follow(view, int(self.tree.nodes[0].length), moves)
        while self.tree.nodes[node].count and len(moves) < most:
            node = self._child(node, first if node == 0 else None)
            if self.tree.nodes[node].visits == 0:
                break
            moves.append(int(self.tree.nodes[node].move))
            calls.play(self.kernels, view, moves[-1])
            self._follow(view, int(self.tree.nodes[node].length) - 1, moves)
        return moves[:most]

    def _child(self, node: int, move: int | None) -> int:
        """A node's child by this move, if it has it; else its most visited one."""
        first, count = int(self.tree.nodes[node].first), int(self.tree.nodes[node].count)
        children = self.tree.nodes[first : first + count]
        wanted = children["move"] == (-1 if move is None else move)
        return first + int(np.argmax(wanted if wanted.any() else children["visits"]))

    def _follow(self, view: Any, n: int, moves: list[int]) -> None:
        """Play n moves that have no other, and note them."""
        for _ in range(n):
            moves.append(int(self.moves_at(view)[0]))
            calls.play(self.kernels, view, moves[-1])

    def next_moves(self, seat: int, own: bool = True) -> exchange.Cut:
        """The next-move cut: the children of the first nodes at which the seat chooses.

        own: with the search's own work, as others are told; else with all that the tree holds.
        """
        most, jointly, echo = 256, self.turns.jointly, self.echo or not own
        while True:
            entries, nodes = exchange.new_entries(self.kernels.slots, most)
            n = exchange.next_move_cut(self.kernels, self.tree, entries, nodes, seat, jointly, echo)
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

        As many of the newest as `results=` made room for. Those that do not pass through the present
        root are not told any more.
        """
        first, end = self._unread()
        self._read = end
        return self.desk.log[np.arange(first, end) % max(len(self.desk.log), 1)].copy()

    def _unread(self) -> tuple[int, int]:
        """The numbers of the first result that is in the log and was not told, and behind the last."""
        end = int(self.tree.head.logged)
        return max(self._read, end - len(self.desk.log)), end

    # --- fed -------------------------------------------------------------------------------------

    def absorb(self, work: exchange.Cut | np.ndarray) -> None:
        """Take in another search's cut or results. A cut can be taken out again."""
        if not self._needs.received:
            raise UsageError(
                "this search keeps no room for others' work: make it with Search(..., social=True)"
            )
        if isinstance(work, exchange.Cut):
            self._absorb_cut(work)
        else:
            self._check_shape(work, log_dtype(self.kernels.slots), "results")
            exchange.take_in_results(
                self.kernels, self.tree, self.desk, self.settings, work.view(np.recarray), len(work)
            )
        if self.tree.head.full:
            self._prune()

    def _absorb_cut(self, cut: exchange.Cut) -> None:
        if cut in self._absorbed:
            raise UsageError("this cut was absorbed before: retract it first")
        self._check_shape(cut.entries, exchange.cut_dtype(self.kernels.slots), "a cut")
        n = len(cut.entries)
        taken, nodes = exchange.new_taken(self.kernels.slots, n)
        entries = cut.entries.view(np.recarray)
        exchange.take_in(
            self.kernels, self.tree, self.desk, self.settings, entries, n, taken, nodes
        )
        self._absorbed[cut] = taken

    def retract(self, cut: exchange.Cut) -> None:
        """Take out a cut that was absorbed, as far as the tree still holds it."""
        taken = self._absorbed.pop(cut, None)
        if taken is None:
            raise UsageError("this cut was not absorbed, or has been taken out before")
        nodes = np.zeros(len(taken), np.uint32)
        exchange.take_out(self.kernels, self.tree, self.desk, taken, len(taken), nodes)

    def _check_shape(self, work: np.ndarray, dtype: np.dtype, what: str) -> None:
        if work.dtype != dtype or work.ndim != 1:
            raise UsageError(
                f"{what} of a search with another number of teams cannot be absorbed here"
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

    def chosen_moves(self, joint: JointMove) -> tuple[int, ...] | None:
        """The moves of the tree that a joint move consists of where there was a choice.

        None when the tree has no such move (it may have fewer moves than the rules).
        """
        view = self.turns.state.unpack(self.root_bytes())
        chosen = []
        for move in self.turns.moves_of(view, joint):
            known = self.moves_at(view)
            if move not in known:
                return None
            if len(known) > 1:
                chosen.append(int(move))
            calls.play(self.kernels, view, move)
        return tuple(chosen)

    def root_bytes(self) -> bytes:
        """The root's position, as the tree has it."""
        return bytes(self.desk.root.tobytes())

    def meet(self, state: Any) -> bool:
        """Make the root this state, by moves of nature's if they lead there; False when it starts anew."""
        view = self.turns.enter(state)
        path = self._path_of_nature(self.desk.root, view.tobytes())
        if path is None:
            self._restart()
            copy_record(self.desk.root, view)
            return False
        kept = True
        for move in path:
            kept &= self.advance(move)
        return kept

    def _path_of_nature(self, view: Any, wanted: bytes) -> list[int] | None:
        """Nature's moves from one position to another, the fewest; None where none of a few lead there."""
        paths: list[tuple[Any, list[int]]] = [(view, [])]
        for view, path in paths:
            if view.tobytes() == wanted:
                return path
            if calls.seat(self.kernels, view) != CHANCE or len(paths) > _MOST_DICE:
                continue
            for move in self.moves_at(view):
                there = self.turns.state.unpack(view.tobytes())
                calls.play(self.kernels, there, int(move))
                paths.append((there, [*path, int(move)]))
        return None

    def forget(self) -> None:
        """Start anew at the present root."""
        self._restart()

    def copy(self) -> Search:
        """A search of its own that goes on as this one would."""
        twin = object.__new__(Search)
        twin.__dict__.update(self.__dict__)
        twin.tree = copy_tree(self.tree, self._new_tree())
        twin.desk = Desk(*(copy_of(part) for part in self.desk))
        twin._crew = self._crew and self._crew.copy()
        twin._absorbed = {cut: taken.copy() for cut, taken in self._absorbed.items()}
        return twin

    def seat_to_choose(self) -> int:
        """Who chooses at the root; -2 nature, -3 nobody since the game is over."""
        return int(calls.seat(self.kernels, self.desk.root))

    # --- within ----------------------------------------------------------------------------------

    def _what_it_needs(self, social: bool, crew: Crew | None) -> Needs:
        rule, kernels = self.selection, self.kernels
        return Needs(
            rule.rave,
            rule.squares,
            social,
            bool(crew and crew.locks),
            (kernels.move_ids, kernels.seats) if self.parameters.ref else (1, 1),
        )

    def _new_tree(self) -> Tree:
        return new_tree(self.kernels.slots, self._capacity, self._needs)

    def _graft(self, root: int, target: Tree, least_visits: int) -> int:
        copy_amaf(self.tree, target, 1.0 if root == 0 else float(self.parameters.amaf_kept))
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
        self._read = exchange.shift_results(self.desk.log, *self._unread(), move)
        self._absorbed = {cut: self._reroot(taken, move) for cut, taken in self._absorbed.items()}
        return True

    def _reroot(self, taken: Any, move: int) -> Any:
        kept, places = exchange.new_taken(self.kernels.slots, len(taken) - 1)
        return kept[: exchange.reroot(self.kernels, taken, len(taken), move, kept, places)]

    def _restart(self) -> None:
        simulations, logged = int(self.tree.head.simulations), int(self.tree.head.logged)
        self.tree = self._new_tree()
        self.tree.head.simulations, self.tree.head.logged = simulations, logged
        self._absorbed.clear()
        self._read = logged

    def _prune(self) -> None:
        """Drop what few simulations saw until half the room is free."""
        least = 16
        while True:
            target = self._new_tree()
            used = self._graft(0, target, least)
            if used <= self._capacity // 2 or least > self.simulations:
                break
            least *= 2
        self.tree = target
        for taken in self._absorbed.values():
            exchange.find_rows(self.tree, taken, len(taken), np.zeros(len(taken), np.uint32))

    def _forced(self) -> int | None:
        """The only move at a root that lies inside an edge."""
        if self.tree.nodes[0].length == 0:
            return None
        return int(self.moves()[0])

    def _name(self, move: int) -> str:
        return self.turns.name_of(self.desk.root, move)


def _at_least(least: int, value: int, name: str) -> int:
    if int(value) != value or value < least:
        raise UsageError(f"{name} is a whole number from {least} up, not {value}")
    return int(value)


def _rule(selection: Any) -> Selection:
    if selection is None:
        return uct()
    if not isinstance(selection, Selection):
        raise UsageError(
            f"a selection rule is one such as mm.uct() or mm.rave(), not {selection!r}"
        )
    return selection


def _fit(crew: Crew | None, results: int) -> Crew | None:
    if crew and results and not crew.results:
        raise UsageError(
            "threads that share a tree keep no results of single simulations: search on one thread, "
            "or without results="
        )
    return crew


def _settings(game: Game, settings: Any) -> Any:
    if settings is None or isinstance(settings, Mapping):
        return game.set_up(**(settings or {}))
    if getattr(settings, "dtype", None) != game.set_up().dtype:
        raise UsageError(
            f"settings are a mapping of choices, or what {game.title}'s set_up() gives"
        )
    return settings


def _turns(game: Game, rule: Selection, team: int, optimistic: bool, jointly: bool) -> Turns:
    turns = turns_of(game, team, optimistic, jointly)
    if rule.rave and turns.jointly:
        raise UsageError(
            "RAVE looks at moves that come later on, which moves of a whole team hardly do; "
            "search seat by seat (jointly=False) or with another rule"
        )
    return turns


def _playout_limit(turns: int | None, game: Turns) -> int:
    """Turns of a playout: the game's own limit where nothing is said, and never more than a game has."""
    return min(_at_least(1, turns or game.longest_playout, "playout_limit"), game.game.longest)


def _capacity(memory_mb: float, node_bytes: int, game: Kernels) -> int:
    """Nodes that fit the memory; at least a few expansions."""
    if game.most_moves > MOST_CHILDREN:
        raise UsageError(
            f"a node has room for {MOST_CHILDREN} children, and the game may have {game.most_moves} "
            "moves in one position: give the tree fewer (`tree_moves`)"
        )
    if not 0 < memory_mb < math.inf:
        raise UsageError(f"memory_mb is a number of megabytes, not {memory_mb}")
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
    if not np.isfinite(given).all():
        raise UsageError("weights are numbers")
    if given.shape == (game.seats, game.seats):
        return np.stack([given[:, list(team)].sum(axis=1) for team in game.teams], axis=1)
    if given.shape != (game.seats, len(game.teams)):
        raise UsageError(
            f"weights are {game.seats} rows (who chooses) of {game.seats} numbers (whose reward counts)"
        )
    return given
