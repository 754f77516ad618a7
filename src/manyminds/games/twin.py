"""A game's kernels, asked warily: its compiled self or its plain Python self, by the same questions.

Every answer gets more room than it should need, filled with marks, so that what is written behind
its end, or not written at all, is seen. Questions are held to leave the state as it is.
"""

from __future__ import annotations

import itertools
import os
import re
import sysconfig
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numba
import numpy as np
from numba.core.errors import NumbaError

from manyminds.core.checks import Findings
from manyminds.core.errors import UsageError
from manyminds.core.kernel import entry
from manyminds.core.plain import plain
from manyminds.games import calls
from manyminds.games.contract import CHANCE, NONE, Game, State

GUARD = 4096  # numbers of room behind the end of an answer
MARK = 0xDEADBEEF
UNWRITTEN = -777.25


@entry
def copy(game, to, source):
    game.copy(to, source)


@entry
def tree_moves(game, state, out, settings):
    return game.tree_moves(state, out, settings)


@entry
def seat_tree_moves(game, state, seat, out, settings):
    return game.tree_moves(state, seat, out, settings)


@entry
def step(game, state, rng, trace, settings):
    return game.step(state, rng, trace, settings)


@entry
def seat_step(game, state, seat, rng, trace, settings):
    return game.step(state, seat, rng, trace, settings)


@entry
def prior(game, state, moves, out, settings):
    game.prior(state, moves, out, settings)


class Broken(Exception):
    """This game cannot go on; why has been noted."""


class Twin:
    """One self of a game; what is wrong with an answer is noted in `findings`.

    `where` is put into every sentence: the position that is being looked at.
    """

    def __init__(self, game: Game, compiled: bool, findings: Findings, settings: Any) -> None:
        self.game, self.compiled, self.findings = game, compiled, findings
        self.settings = settings
        self.kernels = game.kernels if compiled else plain(game.kernels)
        self.where = "at the start"
        self.blame = "compiles" if compiled else "plain"  # the clause that an error breaks
        self.trace = game.trace.new()

    # --- the questions --------------------------------------------------------------------------

    def over(self, state: State) -> bool:
        """Whether the game has ended."""
        return bool(self._ask(calls.over, "over", state))

    def turn(self, state: State) -> list[int]:
        """The seats that move: one of a turn-based game, [CHANCE] for nature, none for the world."""
        if not self.game.simultaneous:
            return [self._seat(state)]
        out = self._room(self.game.seats)
        n = int(self._ask(calls.movers, "movers", state, out))
        self._guarded("movers", out, self.game.seats)
        seats = [int(seat) for seat in out[: max(n, 0)]]
        known = set(range(self.game.seats))
        if n < 0 or len(set(seats)) < n or not set(seats) <= known:
            self._break(
                "turns",
                f"movers lists {seats or n}; it must give 0 to {self.game.seats} different seats, "
                f"numbers from 0 to {self.game.seats - 1}, and return how many",
            )
        return seats

    def _seat(self, state: State) -> int:
        seat = int(self._ask(calls.seat, "seat", state))
        if seat == CHANCE and not self.game.has_chance:
            self._break(
                "turns",
                "seat gives CHANCE, nature's turn, but the game has no chance(state, rng): "
                "write one that draws nature's move",
            )
        if seat != CHANCE and not 0 <= seat < self.game.seats:
            self._break(
                "turns",
                f"seat gives {seat}; seats are numbers from 0 to {self.game.seats - 1}, "
                f"and nature is CHANCE ({CHANCE})",
            )
        return seat

    def moves(self, state: State, seat: int) -> list[int]:
        """The listed moves; at least one, or the game breaks off here."""
        return self._list("moves", "moves", calls.moves, calls.seat_moves, state, seat, ())

    def tree_moves(self, state: State, seat: int) -> list[int]:
        """The moves for a tree."""
        settings = (self.settings,)
        return self._list(
            "tree_moves", "tree moves", tree_moves, seat_tree_moves, state, seat, settings
        )

    def _list(
        self,
        name: str,
        clause: str,
        of_mover: Any,
        of_seat: Any,
        state: State,
        seat: int,
        settings: tuple[Any, ...],
    ) -> list[int]:
        most = self.game.most_moves
        out = self._room(most)
        if self.game.simultaneous:
            n = int(self._ask(of_seat, name, state, seat, out, *settings))
        else:
            n = int(self._ask(of_mover, name, state, out, *settings))
        if n < 1:
            self._break(
                clause,
                f"{name} gives {n} moves for {self.seat_name(seat)}, though over(state) is false; "
                "list at least one, a pass if nothing else, or let the game be over there",
            )
        if n > most:
            self._break(
                clause, f"{name} gives {n} moves, more than most_moves={most}: raise most_moves"
            )
        self._guarded(name, out, most)
        return self._listed(name, clause, out[:n])

    def _listed(self, name: str, clause: str, out: np.ndarray) -> list[int]:
        moves, ids = [int(move) for move in out], self.game.move_ids
        if unwritten := [place for place, move in enumerate(moves) if move == MARK]:
            self._break(
                clause,
                f"{name} returns {len(moves)} but writes nothing to out[{unwritten[0]}]: "
                "count a move when it is written",
            )
        if max(moves) >= ids:
            self._break(
                clause,
                f"{name} lists {self._signed(max(moves))}, but moves are numbers from 0 to "
                f"move_ids - 1 = {ids - 1}: raise move_ids or number the moves from 0",
            )
        if len(set(moves)) < len(moves):
            twice = next(move for move in moves if moves.count(move) > 1)
            self.note(clause, f"{name} lists {twice} more than once: list every move once")
        return moves

    def rewards(self, state: State) -> np.ndarray:
        """The reward of every seat."""
        out = self._numbers("rewards", calls.rewards, state, self.settings)
        wrong = [seat for seat, reward in enumerate(out) if not 0.0 <= reward <= 1.0]
        if wrong:
            seat = wrong[0]
            self.note(
                "rewards",
                f"rewards gives {self.seat_name(seat)} {out[seat]:g}; scale rewards into 0 (worst) "
                "to 1 (best), in unfinished games too",
            )
        for team in self.game.teams:
            if len({float(out[seat]) for seat in team}) > 1:
                told = ", ".join(f"{self.seat_name(seat)} {out[seat]:g}" for seat in team)
                self.note("mates", f"rewards gives mates {told}; one team has one reward")
        return out

    def points(self, state: State) -> np.ndarray:
        """What the game counts, by seat."""
        out = self._numbers("points", calls.points, state)
        for seat, value in enumerate(out):
            if not np.isfinite(value):
                self.note(
                    "points",
                    f"points gives {self.seat_name(seat)} {value:g}; give a number, in unfinished "
                    "games too",
                )
        return out

    def _numbers(self, name: str, kernel: Any, state: State, *settings: Any) -> np.ndarray:
        out = np.full(self.game.seats + GUARD, UNWRITTEN)
        self._ask(kernel, name, state, out, *settings)
        if np.any(out[self.game.seats :] != UNWRITTEN):
            self.note("room", f"{name} writes behind out[{self.game.seats - 1}], the last seat's")
        for seat in range(self.game.seats):
            if out[seat] == UNWRITTEN:
                self._break(
                    name,
                    f"{name} writes nothing for {self.seat_name(seat)}: write out[{seat}] on every "
                    "path, since the room holds old numbers",
                )
        return out[: self.game.seats]

    def chance(self, state: State, rng: Any) -> int:
        """Nature's move, drawn."""
        return int(self._ask(calls.roll, "chance", state, rng))

    def step(self, state: State, seat: int, rng: Any) -> int:
        """A playout's next move. It may leave scratch in the state, so it is asked about copies."""
        trace = self.trace
        if self.game.simultaneous:
            return int(self._run(seat_step, "step", state, seat, rng, trace, self.settings))
        return int(self._run(step, "step", state, rng, trace, self.settings))

    def prior(self, state: State, moves: Sequence[int]) -> np.ndarray:
        """What the game knows of these moves: (weight, value) each; zeros are "nothing known"."""
        n = len(moves)
        out = np.full((n + GUARD, 2), UNWRITTEN)
        out[:n] = 0.0
        self._ask(prior, "prior", state, np.array(moves, np.uint32), out, self.settings)
        if np.any(out[n:] != UNWRITTEN):
            self.note("room", "prior writes behind the last of the moves that it is asked about")
        return out[:n]

    # --- what changes a state ---------------------------------------------------------------------

    def play(self, state: State, joint: dict[int, int]) -> None:
        """Play the moves of the seats that move now."""
        if not self.game.simultaneous:
            self._run(calls.play, "play", state, next(iter(joint.values())))
            return
        moves = np.full(self.game.seats, NONE, np.int32)
        for seat, move in joint.items():
            moves[seat] = move
        asked = moves.copy()
        self._run(calls.play_joint, "play", state, moves)
        if not np.array_equal(moves, asked):
            self.note("questions", "play changes the joint move that it is given: only read it")

    def copy(self, to: State, source: State) -> None:
        """Make `to`, whatever it was, equal to the source."""
        before = source.tobytes()
        self._run(copy, "copy", to, source)
        if source.tobytes() != before:
            self._break("copies", "copy(to, source) changes its source: write to `to` only")

    def playout(self, state: State, rng: Any, trace: Any, limit: int) -> None:
        """Play out in place."""
        trace.n = trace.turns = 0
        trace.limit = limit
        self._run(calls.playout, "playout", state, rng, trace, self.settings)

    # --- how a kernel is run ------------------------------------------------------------------------

    def _ask(self, kernel: Any, name: str, state: State, *arguments: Any) -> Any:
        before = state.tobytes()
        answer = self._run(kernel, name, state, *arguments)
        if state.tobytes() != before:
            field = next(f for f, same in _compared(state, self.game.unpack(before)) if not same)
            self._break(
                "questions",
                f"{name} changes the state ({field}); only play may: work on numbers of its own",
            )
        return answer

    def _run(self, kernel: Any, name: str, *arguments: Any) -> Any:
        try:
            with np.errstate(over="ignore"):  # NumPy's scalars wrap round as compiled ones do
                if self.compiled:
                    return kernel(self.kernels, *arguments)
                return getattr(self.kernels, name)(*arguments)
        except UsageError as error:
            self._break(self.blame, f"{name}: {error}")
        except Exception as error:  # noqa: BLE001 - a person's kernel may raise anything
            if self.compiled and _compiling(error):
                self._break("compiles", f"{name} does not compile: {_gist(error)}")
            # Only listed moves are played here.
            clause = "legal" if name == "play" else self.blame
            self._break(clause, f"{name} raises {told(error)}")

    def note(self, clause: str, sentence: str) -> None:
        """Note a failure and go on."""
        self.findings.fail(clause, f"{sentence} ({self.where})")

    def _break(self, clause: str, sentence: str) -> NoReturn:
        self.note(clause, sentence)
        raise Broken

    def _room(self, size: int) -> np.ndarray:
        return np.full(size + GUARD, MARK, np.uint32)

    def _guarded(self, name: str, out: np.ndarray, size: int) -> None:
        if np.any(out[size:] != MARK):
            last = int(np.flatnonzero(out != MARK)[-1])
            bound = "seats" if name == "movers" else "most_moves"
            self.note(
                "room",
                f"{name} writes to out[{last}], but the room ends at out[{size - 1}]: raise {bound} "
                "or list fewer",
            )

    def seat_name(self, seat: int) -> str:
        """How sentences call a seat."""
        return "nature" if seat < 0 else f"seat {seat} ({self.game.seat_names[seat]})"

    @staticmethod
    def _signed(move: int) -> int:
        return move - 2**32 if move >= 2**31 else move


def compared(one: State, two: State) -> list[str]:
    """The fields in which two states differ; floats may differ in the last digits."""
    return [field for field, same in _compared(one, two) if not same]


def _compared(one: State, two: State) -> list[tuple[str, bool]]:
    told: list[tuple[str, bool]] = []
    for field in one.dtype.names or ():
        a, b = one[field], two[field]
        if one.dtype[field].names:
            told += [(f"{field}.{inner}", same) for inner, same in _compared(a, b)]
        elif np.issubdtype(one.dtype[field].base, np.floating):
            told.append((field, bool(np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True))))
        else:
            told.append((field, np.array_equal(a, b)))
    return told


def told(error: BaseException) -> str:
    """An error with the person's line that led to it."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(_OTHERS):
            return f"{what} in line {frame.lineno} of {Path(frame.filename).name}"
    return what


def _compiling(error: BaseException) -> bool:
    """Whether it came out of the compiler, which also raises what is no error of its own kind."""
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, NumbaError) or frames[-1].filename.startswith(_COMPILER)


def _gist(error: BaseException) -> str:
    """What matters of a compiler's message, which is long: the innermost reason and its place."""
    if not isinstance(error, NumbaError):
        return f"{type(error).__name__}: {error}"
    lines = [line.strip() for line in _COLOURS.sub("", str(error)).splitlines() if line.strip()]
    reasons = [line for line in lines if not line.startswith(("Failed in", "File ", "During"))]
    reason = reasons[0] if reasons else type(error).__name__
    for line, following in itertools.pairwise(lines):
        if line.startswith("Rejected as the implementation raised"):
            reason = following
            break
        if line == reason and following.startswith(">>>"):
            reason = f"{line} {following.removeprefix('>>> ')}"
    places = (match for line in lines if (match := _PLACE.match(line)))
    for match in places:
        if Path(match[1]).name != Path(calls.__file__).name:
            return f"{reason.rstrip('.:')} in line {match[2]} of {Path(match[1]).name}"
    return reason.rstrip(".:")


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_COMPILER = str(Path(numba.__file__).parent) + os.sep
# Whose lines are not the person's: libraries, and who calls the kernels.
_OTHERS = (
    *(
        str(Path(sysconfig.get_path(name)).resolve()) + os.sep
        for name in ("stdlib", "purelib", "platlib")
    ),
    *(str(Path(sysconfig.get_path(name))) + os.sep for name in ("stdlib", "purelib", "platlib")),
    *(str(Path(__file__).with_name(name)) for name in ("twin.py", "calls.py", "defaults.py")),
    str(Path(__file__).parents[1] / "core") + os.sep,
)
