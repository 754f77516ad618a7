"""The game contract: a game is declared once, as data, with plain functions over its state record.

What a game must give, what it may give, and what the rest of the project gets from it. The functions
are kernels: compiled when searched, plain Python to read and debug. `Game` keeps them in one set
(`game.kernels`) with uniform arguments, fills in the defaults, and offers the same to Python.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from manyminds.core.errors import UsageError, nearest
from manyminds.core.kernel_set import Kernels
from manyminds.core.record import Record, record
from manyminds.games import calls, defaults

NONE = -1  # "this seat makes no move", in a joint move
CHANCE = -2  # the seat of nature, whose moves are drawn by the game's `chance`
MOST_SEATS = 64

JointMove = tuple[int, ...]
State = Any  # a numpy record of the game's `state` shape

_NEEDED = ("moves", "play", "over", "rewards")
_OPTIONAL = (
    "copy",
    "step",
    "playout",
    "points",
    "prior",
    "tree_moves",
    "tree_movers",
    "chance",
    "near",
)


class Game:
    """Rules as kernels over a state record, with declared traits.

    A turn-based game gives `seat(state)`; a simultaneous one gives `movers(state, out) -> n`, and its
    `moves`, `tree_moves` and `step` take the seat as second argument, its `play` a joint move: an array
    of one move a seat, `NONE` where a seat does not move. A game with settings takes them as the last
    argument of `rewards`, `step`, `playout`, `prior` and `tree_moves`.

    `tree_movers(state, out) -> n` may leave out of a tree's turns those movers who have one move only;
    `play` then makes that move for `NONE`.

    `near(state, seat, out)` writes how far every seat is from one, for large teams that look at their
    neighbours only.

    move_ids: all moves are below it. most_moves: of one seat in one position. longest: turns of a game.
    longest_playout: turns of a playout, where that should be less. trace_room: (longest, most_moves) of
    the largest game of a family, for all of whose games the kernels are then compiled once.

        >>> import manyminds as mm
        >>> nim = mm.make_game("nim", heaps=[1, 2])
        >>> state = nim.start()
        >>> [nim.name(move) for move in nim.moves(state)]
        ['a1', 'b1', 'b2']
        >>> nim.play(state, nim.move_named("b1", state))
        >>> nim.seat_names[nim.seat(state)], nim.over(state)
        ('second', False)
    """

    def __init__(
        self,
        title: str,
        state: Record,
        *,
        seats: int,
        start: Callable[..., State],
        move_ids: int,
        most_moves: int,
        longest: int,
        longest_playout: int | None = None,
        trace_room: tuple[int, int] | None = None,
        seat_names: Sequence[str] | None = None,
        teams: Mapping[str, Sequence[int]] | None = None,
        settings: Record | None = None,
        set_up: Callable[..., Any] | None = None,
        name: Callable[..., str] | None = None,
        show: Callable[[State], str] | None = None,
        arguments: Mapping[str, Any] | None = None,
        **functions: Callable[..., Any],
    ) -> None:
        self.title, self.state, self.seats, self.settings = title, state, int(seats), settings
        self.move_ids, self.most_moves, self.longest = int(move_ids), int(most_moves), int(longest)
        self.longest_playout = min(self.longest, longest_playout or self.longest)
        self._trace_room = trace_room or (self.longest, self.most_moves)
        self.arguments = dict(arguments or {})  # what `make_game(title, **arguments)` was given
        self.seat_names = tuple(seat_names or (f"seat{seat}" for seat in range(self.seats)))
        self.teams, self.team_names = _teams(self.seat_names, teams)
        self._start, self._name, self._show, self._set_up = start, name, show, set_up
        self._name_takes_state = name is not None and defaults.arity(name) > 1
        self.functions = functions
        _check_declaration(self)
        self.simultaneous = "movers" in functions
        self.has_chance = "chance" in functions
        self.kernels = self._kernels()

    def __repr__(self) -> str:
        return f"<Game {self.title}: {', '.join(self.seat_names)}>"

    # --- what kernels get -----------------------------------------------------------------------

    def _kernels(self) -> Kernels:
        """The game's functions with uniform arguments (settings always last) and all defaults filled in."""
        given = dict(self.functions)
        if self.settings is None:
            for name in defaults.TAKE_SETTINGS:
                if name in given:
                    given[name] = defaults.without_settings(name, given[name], self.simultaneous)
        if "step" in given:
            given["step"] = defaults.with_trace(given["step"], self.simultaneous)
        bounds = {name: getattr(self, name) for name in ("move_ids", "most_moves", "longest")}
        traits = {
            "seats": self.seats,
            "slots": len(self.teams),
            "has_prior": int("prior" in given),
            "has_chance": int(self.has_chance),
        }
        members = defaults.fill(given, self.simultaneous) | traits
        members["slot"] = defaults.slot_of(tuple(self.team_of(seat) for seat in range(self.seats)))
        return Kernels(self.title, bounds, **members)

    @functools.cached_property
    def trace(self) -> Record:
        """The shape of a trace: who played what, in `seat[:n]` and `move[:n]`.

        `turns` counts a playout's turns, which end at `limit`. `unread`: nobody will look at the moves
        (no RAVE), so that a playout for which they cost much may leave them out. `choices`, `movers`
        and `joint` are room for a list of moves, of seats, and for a joint move. Twice the longest
        game: a tree's moves and a playout of full length fit behind each other.
        """
        turns, moves = self._trace_room
        room = 2 * turns * (self.seats if self.simultaneous else 1) + 2
        return record(
            n="uint32",
            turns="uint32",
            limit="uint32",
            unread="uint32",
            seat=f"uint8[{room}]",
            move=f"uint32[{room}]",
            choices=f"uint32[{moves}]",
            movers=f"uint32[{self.seats}]",
            joint=f"int32[{self.seats}]",
        )

    # --- what Python gets ------------------------------------------------------------------------

    def start(self, seed: int = 0) -> State:
        """A fresh state in memory of its own; `seed` matters to games that start at random."""
        return self._start(seed) if defaults.arity(self._start) else self._start()

    def variant(
        self,
        functions: Mapping[str, Callable[..., Any]],
        settings: Record,
        set_up: Callable[..., Any],
    ) -> Game:
        """The same game on the same states with other functions and settings."""
        game = Game(
            self.title,
            self.state,
            seats=self.seats,
            start=self._start,
            move_ids=self.move_ids,
            most_moves=self.most_moves,
            longest=self.longest,
            longest_playout=self.longest_playout,
            trace_room=self._trace_room,
            seat_names=self.seat_names,
            teams=dict(zip(self.team_names, self.teams, strict=True)),
            settings=settings,
            set_up=set_up,
            name=self._name,
            show=self._show,
            arguments=self.arguments,
            **functions,
        )
        if "move_named" in vars(self):
            game.move_named = self.move_named  # type: ignore[method-assign]
        return game

    def copy(self, state: State) -> State:
        """A state of its own, equal to this one."""
        return self.state.unpack(state.tobytes())

    def pack(self, state: State) -> bytes:
        """The state's bytes."""
        return self.state.pack(state)

    def unpack(self, data: bytes) -> State:
        """The state whose bytes these are."""
        return self.state.unpack(data)

    def movers(self, state: State) -> list[int]:
        """The seats that move now; none when nature or the world moves alone, or the game is over."""
        if self.simultaneous:
            out = np.zeros(self.seats, np.uint32)
            return [int(seat) for seat in out[: calls.movers(self.kernels, state, out)]]
        seat = int(calls.seat(self.kernels, state))
        return [seat] if seat >= 0 and not self.over(state) else []

    def seat(self, state: State) -> int:
        """Whose turn it is; `CHANCE` when nature moves. Turn-based games only."""
        if self.simultaneous:
            raise UsageError(f"{self.title} is simultaneous: ask movers(state), not seat(state)")
        return int(calls.seat(self.kernels, state))

    def moves(self, state: State, seat: int | None = None) -> np.ndarray:
        """The legal moves (uint32[n]) of the mover, or of `seat` where several move at once."""
        out = np.zeros(self.most_moves, np.uint32)
        if not self.simultaneous:
            return out[: calls.moves(self.kernels, state, out)]
        if seat is None:
            raise UsageError(f"{self.title} is simultaneous: say whose moves, moves(state, seat)")
        return out[: calls.seat_moves(self.kernels, state, seat, out)]

    def play(self, state: State, joint: JointMove | Sequence[int] | int) -> None:
        """Play a joint move, or the mover's move, in place. Legality is the caller's: `moves` lists it."""
        if self.simultaneous:
            calls.play_joint(self.kernels, state, np.asarray(joint, np.int32))
            return
        move = joint if isinstance(joint, int | np.integer) else next(m for m in joint if m != NONE)
        calls.play(self.kernels, state, int(move))

    def roll(self, state: State, rng: Any) -> int:
        """Nature's move, drawn by the game's `chance` from the generator's record."""
        return int(calls.roll(self.kernels, state, rng))

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return bool(calls.over(self.kernels, state))

    def rewards(self, state: State, settings: Any = None) -> np.ndarray:
        """The reward of each seat, in [0, 1]; on unfinished states too."""
        out = np.zeros(self.seats)
        calls.rewards(self.kernels, state, out, self.set_up() if settings is None else settings)
        return out

    def points(self, state: State) -> np.ndarray:
        """What the game counts, as people read it, by seat; the rewards where a game has no points."""
        if "points" not in self.functions:
            return self.rewards(state)
        out = np.zeros(self.seats)
        calls.points(self.kernels, state, out)
        return out

    def playout(self, state: State, rng: Any, settings: Any = None) -> Any:
        """Play out in place at random; the trace of what was played."""
        trace = self.trace.new()
        trace.limit = self.longest_playout
        calls.playout(
            self.kernels, state, rng, trace, self.set_up() if settings is None else settings
        )
        return trace

    def set_up(self, **choices: Any) -> Any:
        """The game's settings for simulations, as a record: the defaults with these choices instead."""
        if self.settings is None:
            if choices:
                raise UsageError(
                    f"{self.title} has no settings, so {', '.join(choices)} cannot be set"
                )
            return NO_SETTINGS
        if self._set_up is not None:
            return self._set_up(**choices)
        values = self.settings.new()
        for name, value in choices.items():
            if name not in (values.dtype.names or ()):
                raise UsageError(
                    f"{self.title} has no setting {name}; {nearest(name, values.dtype.names or ())}"
                )
            values[name] = value
        return values

    def team_of(self, seat: int) -> int:
        """The number of the seat's team."""
        return next(number for number, team in enumerate(self.teams) if seat in team)

    # --- what people read ------------------------------------------------------------------------

    def name(self, move: int, state: State | None = None) -> str:
        """A move as people write it: "E5", "pass"."""
        if self._name is None:
            return str(int(move))
        return self._name(int(move), state) if self._name_takes_state else self._name(int(move))

    def move_named(self, text: str, state: State | None = None) -> int:
        """The move that people write so, in any case of letters."""
        for move in range(self.move_ids) if state is None else self._all_moves(state):
            if self.name(move, state).lower() == text.strip().lower():
                return int(move)
        raise UsageError(f'"{text.strip()[:40]}" is no move here' + self._hint(state))

    def _hint(self, state: State | None) -> str:
        names = [] if state is None else [self.name(move, state) for move in self._all_moves(state)]
        return f"; possible: {' '.join(names[:40])}" if names else ""

    def _all_moves(self, state: State) -> list[int]:
        movers: list[int | None] = [*self.movers(state)] if self.simultaneous else [None]
        return sorted({int(move) for seat in movers for move in self.moves(state, seat)})

    def show(self, state: State) -> str:
        """A text drawing of the state."""
        if self._show is not None:
            return self._show(state)
        return "  ".join(f"{field}={state[field]}" for field in state.dtype.names)


_NO_SETTINGS = record(none="uint8")
NO_SETTINGS = _NO_SETTINGS.new()


def _teams(
    names: tuple[str, ...], teams: Mapping[str, Sequence[int]] | None
) -> tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]:
    """Teams as tuples of seats, in order, and their names; every seat alone where none are given."""
    if teams is None:
        return tuple((seat,) for seat in range(len(names))), names
    members = tuple(tuple(int(seat) for seat in team) for team in teams.values())
    if sorted(seat for team in members for seat in team) != list(range(len(names))):
        raise UsageError(
            f"every one of the seats 0 to {len(names) - 1} belongs to exactly one team"
        )
    return members, tuple(teams)


def _check_declaration(game: Game) -> None:
    """Refuse early what cannot be a game, and say what is missing."""
    functions = game.functions
    turn = [name for name in ("seat", "movers") if name in functions]
    missing = [name for name in _NEEDED if name not in functions]
    unknown = [name for name in functions if name not in (*_NEEDED, *_OPTIONAL, "seat", "movers")]
    if unknown:
        word = unknown[0]
        raise UsageError(
            f"a game has no {word}; {nearest(word, (*_NEEDED, *_OPTIONAL, 'seat', 'movers'))}"
        )
    if missing or len(turn) != 1:
        lack = missing or ["either seat (one moves at a time) or movers (several move at once)"]
        raise UsageError(f"the game {game.title} still needs {', '.join(lack)}")
    if not 1 <= game.seats <= MOST_SEATS or len(game.seat_names) != game.seats:
        raise UsageError(f"{game.title}: seats must be 1 to {MOST_SEATS}, with one name each")
    if min(game.move_ids, game.most_moves, game.longest) < 1:
        raise UsageError(f"{game.title}: move_ids, most_moves and longest are at least 1")
