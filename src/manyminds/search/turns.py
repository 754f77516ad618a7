"""Any game as a game of turns: how a simultaneous turn is split so that a tree can be built on it.

A simultaneous turn becomes one choice after the other: the searcher's team first (pessimistic: the
others answer knowing its moves) or last (optimistic). A team chooses seat by seat in one order, common
to all its mates, or jointly: then a move stands for one move of each of its movers, written in base
`move_ids`, the first mover's as lowest digit (Filip, sections 1.1.1 and 4.2.1).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.core.kernel import inline, kernel
from manyminds.core.kernel_set import Kernels
from manyminds.core.record import Record, copy_record, record
from manyminds.games.contract import NONE, Game
from manyminds.games.defaults import note
from manyminds.search import calls

MOST_JOINT_MOVES = 60_000


class Turns:
    """A turn-based game as it is. `jointly`: whether a move of the tree is one of a whole team."""

    jointly = False

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernels: Kernels = game.kernels
        self.state: Record = game.state
        self.trace: Record = game.trace
        self.longest_playout = game.longest_playout

    def enter(self, state: Any) -> Any:
        """The state as the tree's root has it."""
        return self.game.copy(state)

    def moves_of(self, state: Any, joint: Any) -> list[int]:
        """The tree's moves that make up one joint move of the game."""
        if isinstance(joint, int | np.integer):
            return [int(joint)]
        moves = [int(move) for move in joint if move != NONE]
        if len(moves) != 1:
            raise UsageError(f"in {self.game.title} one seat moves at a time, not {len(moves)}")
        return moves

    def choice_of(self, state: Any, seat: int) -> Any:
        """The position at which a seat chooses in the turn that is on; None when it does not."""
        return state if calls.seat(self.kernels, state) == seat else None

    def seat_move(self, state: Any, seat: int, move: int) -> int:
        """What a move of the tree means for one of the seats that make it."""
        return int(move)

    def name_of(self, state: Any, move: int) -> str:
        """A move of the tree as people write it; of split turns, with who makes it."""
        return self.game.name(int(move), state)


class SplitTurns(Turns):
    """A simultaneous game, its turns split for the search of `team`."""

    def __init__(
        self, game: Game, team: int, optimistic: bool = False, jointly: bool = False
    ) -> None:
        super().__init__(game)
        if not 0 <= team < len(game.teams):
            raise UsageError(f"{game.title} has the teams 0 to {len(game.teams) - 1}, not {team}")
        others = [number for number in range(len(game.teams)) if number != team]
        teams = [*others, team] if optimistic else [team, *others]
        self.order = tuple(seat for number in teams for seat in game.teams[number])
        self.jointly = jointly
        largest = max(len(members) for members in game.teams) if jointly else 1
        if game.most_moves**largest > MOST_JOINT_MOVES or game.move_ids**largest >= 2**32:
            raise UsageError(
                f"{game.most_moves} moves for each of {largest} mates are too many joint moves; "
                "search seat by seat instead (jointly=False)"
            )
        self.state = record(
            position=game.state,
            joint=f"int32[{game.seats}]",
            movers=f"uint32[{game.seats}]",
            n="int32",
            next="int32",
        )
        self.kernels = _split_kernels(game, self.order, jointly, largest)

    def enter(self, state: Any) -> Any:
        view = self.state.new()
        copy_record(view.position, state)
        calls.open_turn(self.kernels, view)
        return view

    def choice_of(self, state: Any, seat: int) -> Any:
        movers = self._movers(state)
        if seat not in movers:
            return None
        team = self.game.team_of(seat)
        mates = [mover for mover in movers if self.game.team_of(mover) == team]
        view = self.state.unpack(state.tobytes())
        view.next = movers.index(mates[0] if self.jointly else seat)
        return view

    def _movers(self, state: Any) -> list[int]:
        """Who moves in the turn that is on, in the order of the search."""
        return [int(seat) for seat in state.movers[: state.n]]

    def moves_of(self, state: Any, joint: Any) -> list[int]:
        movers = self._movers(state)
        moves = [NONE] if isinstance(joint, int | np.integer) else [int(move) for move in joint]
        if all(move == NONE for move in moves) and len(moves) == self.game.seats:
            return []  # the world moved alone, which the root has seen coming
        # Who has one move only may be none of the tree's movers.
        known = set(movers if "tree_movers" in self.game.functions else range(self.game.seats))
        if [seat for seat, move in enumerate(moves) if move != NONE and seat in known] != sorted(
            movers
        ):
            names = ", ".join(self.game.seat_names[seat] for seat in sorted(movers)) or "nobody"
            raise UsageError(f"a joint move has a move for each seat that moves now: {names}")
        return self._split(movers, moves)

    def _split(self, movers: list[int], joint: list[int]) -> list[int]:
        moves: list[int] = []
        at = 0
        while at < len(movers):
            size = self._together(movers, at)
            digits = [joint[seat] for seat in movers[at : at + size]]
            moves.append(
                sum(digit * self.game.move_ids**place for place, digit in enumerate(digits))
            )
            at += size
        return moves

    def seat_move(self, state: Any, seat: int, move: int) -> int:
        if not self.jointly:
            return int(move)
        team = self.game.teams[self.game.team_of(seat)]
        members = [mover for mover in self._movers(state) if mover in team]
        if seat not in members:
            raise UsageError(
                f"{self.game.seat_names[seat]} does not move now, its team jointly does"
            )
        return int(move) // self.game.move_ids ** members.index(seat) % self.game.move_ids

    def name_of(self, state: Any, move: int) -> str:
        mates = self._movers(state)[state.next :]
        mates = mates[: self._together(self._movers(state), int(state.next))]
        singles = [int(move) // self.game.move_ids**place for place in range(len(mates))]
        return " ".join(
            f"{self.game.seat_names[seat]} {self.game.name(single % self.game.move_ids, state.position)}"
            for seat, single in zip(mates, singles, strict=True)
        )

    def _together(self, movers: list[int], at: int) -> int:
        if not self.jointly:
            return 1
        team = self.game.team_of(movers[at])
        return sum(self.game.team_of(seat) == team for seat in movers[at:])


@functools.lru_cache(maxsize=64)  # to hash a game's kernels takes milliseconds
def turns_of(game: Game, team: int = 0, optimistic: bool = False, jointly: bool = False) -> Turns:
    """The game as turns: itself, or split for a team."""
    return SplitTurns(game, team, optimistic, jointly) if game.simultaneous else Turns(game)


def _split_kernels(game: Game, order: tuple[int, ...], jointly: bool, largest: int) -> Kernels:
    """The turn-based game that a simultaneous one becomes."""
    base = game.kernels
    members = _turn_kernels(base, order)
    members |= _team_kernels(base) if jointly else _seat_kernels(base)
    members |= _rest_of_game(base, members)
    traits = {name: getattr(base, name) for name in ("seats", "slots", "slot", "longest")}
    traits |= {
        "move_ids": base.move_ids**largest if jointly else base.move_ids,
        "most_moves": base.most_moves**largest if jointly else base.most_moves,
        "has_prior": 0,
        "has_chance": 0,
    }
    return Kernels(f"{game.title} in turns", **members, **traits)


def _turn_kernels(base: Kernels, order: tuple[int, ...]) -> dict[str, Any]:
    """Opening a turn, and whose choice it is."""
    seats = len(order)

    @kernel
    def open_turn(view):
        """List the movers in the search's order; let the world move alone while nobody does."""
        view.n = 0
        view.next = 0
        while True:
            for seat in range(seats):
                view.joint[seat] = NONE
            if base.over(view.position):
                return
            n = base.tree_movers(view.position, view.movers)
            if n > 0:
                break
            base.play(view.position, view.joint)
        for k in range(n):
            view.joint[view.movers[k]] = 0
        for place in range(seats):
            if view.joint[order[place]] == 0:
                view.movers[view.n] = order[place]
                view.joint[order[place]] = NONE
                view.n += 1
        for place in range(view.n, seats):
            view.movers[place] = 0  # so that equal positions have equal bytes

    @inline
    def seat(view):
        return view.movers[view.next]

    @inline
    def over(view):
        return view.next == 0 and base.over(view.position)

    @inline
    def close_turn(view):
        if view.next == view.n:
            base.play(view.position, view.joint)
            open_turn(view)

    @inline
    def copy(to, source):
        base.copy(to.position, source.position)
        for seat in range(seats):
            to.joint[seat] = source.joint[seat]
            to.movers[seat] = source.movers[seat]
        to.n = source.n
        to.next = source.next

    return {
        "open_turn": open_turn,
        "seat": seat,
        "over": over,
        "close_turn": close_turn,
        "copy": copy,
    }


def _seat_kernels(base: Kernels) -> dict[str, Any]:
    """Seat by seat: a move is one seat's."""

    @inline
    def tree_moves(view, out, settings):
        return base.tree_moves(view.position, view.movers[view.next], out, settings)

    @inline
    def put(view, move):
        view.joint[view.movers[view.next]] = move
        view.next += 1

    @inline
    def step(view, rng, trace, settings):
        return base.step(view.position, view.movers[view.next], rng, trace, settings)

    return {"tree_moves": tree_moves, "put": put, "step": step}


def _team_kernels(base: Kernels) -> dict[str, Any]:
    """Jointly: a move is one digit for each mover of the team, in base `move_ids`."""
    ids = base.move_ids

    @inline
    def mates_from(view, place):
        """How many movers of one team stand together from this place."""
        n = 1
        while place + n < view.n and base.slot(view.movers[place + n]) == base.slot(
            view.movers[place]
        ):
            n += 1
        return n

    @kernel
    def tree_moves(view, out, settings):
        """All joint moves of the team in turn; each mover's moves are listed behind those found so far."""
        out[0] = 0
        n = 1
        power = 1
        for mate in range(mates_from(view, view.next)):
            seat = view.movers[view.next + mate]
            rest = out[n:]
            k = base.tree_moves(view.position, seat, rest, settings)
            # From the last one backwards, so that the single moves are read before they are overwritten.
            own = rest[:k].copy()
            for j in range(k - 1, -1, -1):
                for i in range(n):
                    out[j * n + i] = out[i] + np.uint32(own[j] * power)
            n *= k
            power *= ids
        return n

    @inline
    def put(view, move):
        left = int(move)
        for _ in range(mates_from(view, view.next)):
            view.joint[view.movers[view.next]] = left % ids
            left //= ids
            view.next += 1

    @inline
    def step(view, rng, trace, settings):
        joint, power = 0, 1
        for mate in range(mates_from(view, view.next)):
            joint += power * int(
                base.step(view.position, view.movers[view.next + mate], rng, trace, settings)
            )
            power *= ids
        return joint

    return {"tree_moves": tree_moves, "put": put, "step": step}


def _rest_of_game(base: Kernels, turn: dict[str, Any]) -> dict[str, Any]:
    """Playing a choice, playing out, and what the base game answers unchanged."""
    put, close_turn = turn["put"], turn["close_turn"]

    @kernel
    def play(view, move):
        put(view, move)
        close_turn(view)

    @kernel
    def playout(view, rng, trace, settings):
        """First the seats that still choose in an open turn, by the playout's steps; then the base game's."""
        while 0 < view.next:
            seat = view.movers[view.next]
            move = base.step(view.position, seat, rng, trace, settings)
            note(trace, seat, move)
            view.joint[seat] = move
            view.next += 1
            if view.next == view.n:
                trace.turns += 1
                base.play(view.position, view.joint)
                view.next = 0
        base.playout(view.position, rng, trace, settings)

    @inline
    def rewards(view, out, settings):
        base.rewards(view.position, out, settings)

    @inline
    def chance(view, rng):
        return 0

    @inline
    def prior(view, moves, out, settings):
        return

    return {"play": play, "playout": playout, "rewards": rewards, "chance": chance, "prior": prior}
