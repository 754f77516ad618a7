"""Random games of one self of a game (`Twin`), with every answer on the way looked at.

What is drawn depends on the seed, the game's number and the turn alone, so that two selves that agree
play the same games, and a failure comes again.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from manyminds.core.checks import Findings
from manyminds.core.random import derive, generator
from manyminds.games.contract import CHANCE, Game, State
from manyminds.games.twin import Broken, Twin, compared

FIRST_TURNS = 8  # of every game are looked at; later ones in strides
TRIED = 4  # listed moves of a position that are played from a copy
DRAWN = 5  # moves of nature drawn in a position

Answers = dict[str | tuple[str, int], Any]  # by question, or by question and seat
Joint = dict[int, int]  # the move of each seat that moves; CHANCE for nature's


@dataclass
class Log:
    """A random game: what was listed and played at each turn, and the answers where it was looked at."""

    number: int
    start: bytes
    listed: list[dict[int, list[int]]] = field(default_factory=list)
    played: list[Joint] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    answers: dict[int, Answers] = field(default_factory=dict)
    finished: bool = False


class Examination:
    """Random games of one twin, from seeds that follow from `seed`. `positions`: looked at in a game."""

    def __init__(self, twin: Twin, findings: Findings, seed: int, positions: int) -> None:
        self.twin, self.findings, self.seed = twin, findings, seed
        self.game: Game = twin.game
        self.stride = max(1, self.game.longest // positions)
        self.leftover = self.game.pack(self.game.state.new())  # what a state's memory held before

    def chooser(self, *words: object) -> random.Random:
        """Chance for what is chosen here."""
        return random.Random(derive(self.seed, *words))

    def kernel_rng(self, *words: object) -> Any:
        """Chance for what kernels draw."""
        return generator(derive(self.seed, *words))

    def start(self, number: int) -> State:
        """The start of a random game."""
        return self.game.unpack(self.game.start(derive(self.seed, "start", number)).tobytes())

    # --- a random game ----------------------------------------------------------------------------

    def random_game(self, number: int) -> Log:
        """Play one; what breaks it off is noted."""
        state = self.start(number)
        log = Log(number, state.tobytes())
        try:
            while not self._turn(state, log):
                pass
        except Broken:
            return log
        log.finished = True
        self.leftover = state.tobytes()
        self.findings.passed("turns", "moves", "legal", "questions", "room", "rewards", "end")
        return log

    def _turn(self, state: State, log: Log) -> bool:
        """Look at the position and play on; whether the game is over."""
        turn = len(log.played)
        self.twin.where = self._place(log)
        log.digests.append(hashlib.blake2b(state.tobytes(), digest_size=16).digest())
        over = self.twin.over(state)
        if over or turn < FIRST_TURNS or turn % self.stride == 0:
            log.answers[turn] = self.look(state, log, over)
        if over:
            return True
        if turn >= self.game.longest:
            self.findings.fail(
                "end",
                f"a random game is not over after longest={turn} turns, nature's counted: raise "
                f"longest, or let over(state) be true in the end ({self.twin.where})",
            )
            raise Broken
        log.listed.append(self.listed(state))
        log.played.append(self.choose(log.listed[-1], state, log.number, turn))
        self.twin.play(state, log.played[-1])
        return False

    def listed(self, state: State) -> dict[int, list[int]]:
        """The moves of every seat that moves now."""
        return {seat: self.twin.moves(state, seat) for seat in self.twin.turn(state)}

    def choose(self, listed: dict[int, list[int]], state: State, number: int, turn: int) -> Joint:
        """One move for each; nature's by the game's own odds."""
        chooser = self.chooser("choice", number, turn)
        joint = {seat: chooser.choice(moves) for seat, moves in listed.items()}
        if CHANCE in joint:
            joint[CHANCE] = self._draw(state, listed[CHANCE], self.kernel_rng("dice", number, turn))
        return joint

    def _draw(self, state: State, listed: list[int], rng: Any) -> int:
        drawn = self.twin.chance(state, rng)
        if drawn not in listed:
            self.findings.fail(
                "chance",
                f"chance draws {drawn}, which moves does not list: list all that nature may do "
                f"({self.twin.where})",
            )
            raise Broken
        self.findings.passed("chance")
        return drawn

    def _place(self, log: Log) -> str:
        if not log.played:
            return f"at the start of random game {log.number} of seed {self.seed}"
        last = ", ".join(_told(joint) for joint in log.played[-12:])
        more = "... " if len(log.played) > 12 else ""
        return (
            f"in random game {log.number} of seed {self.seed}, turn {len(log.played)}, "
            f"after {more}{last}"
        )

    # --- one position -----------------------------------------------------------------------------

    def look(self, state: State, log: Log, over: bool) -> Answers:
        """Every question about one position; the answers."""
        answers: Answers = {"over": over, "rewards": self.twin.rewards(state)}
        if "points" in self.game.functions:
            answers["points"] = self.twin.points(state)
            self.findings.passed("points")
        if over:
            return answers
        listed = self.listed(state)
        if self.listed(state) != listed:
            self.twin.note(
                "moves", "moves lists other moves when asked again: list the same in the same order"
            )
        answers["seats and their moves"] = listed
        for seat, moves in listed.items():
            if seat != CHANCE:
                answers |= self._ask_mover(state, log, seat, moves)
            elif len(moves) > 0:
                rng = self.kernel_rng("draws", log.number, len(log.played))
                answers["chance"] = [self._draw(state, moves, rng) for _ in range(DRAWN)]
        self._try_moves(state, log, listed)
        return answers

    def _ask_mover(self, state: State, log: Log, seat: int, moves: list[int]) -> Answers:
        """What is asked of the seat that moves, beside its moves."""
        answers: Answers = {("step", seat): self._steps(state, log, seat, moves)}
        if "tree_moves" in self.game.functions:
            answers["tree_moves", seat] = self._tree_moves(state, seat, moves)
        if "prior" in self.game.functions:
            answers["prior", seat] = self._prior(state, moves)
        return answers

    def _steps(self, state: State, log: Log, seat: int, moves: list[int]) -> list[int]:
        """Two steps of a playout from here."""
        rng = self.kernel_rng("step", log.number, len(log.played), seat)
        steps = []
        for _ in range(2):
            asked = self.game.unpack(state.tobytes())
            steps.append(self.twin.step(asked, seat, rng))
            if steps[-1] not in moves and not self.findings.left_out("step"):
                self.twin.note("step", f"step gives {steps[-1]}, which moves does not list")
            if asked.tobytes() != state.tobytes() and (what := self._unlike(asked, state)):
                self.twin.note(
                    "questions",
                    f"step changes the {what}: it says what is played, and play plays it",
                )
        self.findings.passed("step")
        return steps

    def _tree_moves(self, state: State, seat: int, moves: list[int]) -> list[int]:
        chosen = self.twin.tree_moves(state, seat)
        if extra := [move for move in chosen if move not in moves]:
            self.twin.note(
                "tree moves",
                f"tree_moves lists {extra[0]}, which moves does not: list fewer, not others",
            )
        self.findings.passed("tree moves")
        return chosen

    def _prior(self, state: State, moves: list[int]) -> np.ndarray:
        known = self.twin.prior(state, moves)
        for move, (weight, value) in zip(moves, known, strict=True):
            if not (np.isfinite(weight) and 0 <= weight < 2**31):
                self.twin.note(
                    "prior",
                    f"prior gives move {move} the weight {weight:g}; out[k, 0] is a number of "
                    "simulations, 0 or more",
                )
            elif not 0 <= value <= 1:
                self.twin.note(
                    "prior",
                    f"prior gives move {move} the value {value:g}; out[k, 1] is the mover's expected "
                    "reward, from 0 to 1",
                )
        self.findings.passed("prior")
        return known

    def _try_moves(self, state: State, log: Log, listed: dict[int, list[int]]) -> None:
        """Play some of the listed moves, each from a copy, and ask what comes next."""
        where, turn = self.twin.where, len(log.played)
        chooser = self.chooser("tried", log.number, turn)
        widest = max((len(moves) for moves in listed.values()), default=0)
        firsts = chooser.sample(range(widest), min(TRIED, widest))
        for first in firsts:
            joint = {
                seat: moves[first] if first < len(moves) else chooser.choice(moves)
                for seat, moves in listed.items()
            }
            child = self.game.unpack(state.tobytes())
            self.twin.where = f"{where}, then {_told(joint)}"
            self.twin.play(child, joint)
            self.twin.rewards(child)
            if not self.twin.over(child):
                self.listed(child)
        self.twin.where = where

    # --- copies, bytes, the same again ------------------------------------------------------------

    def copies(self, log: Log) -> None:
        """Copies over old states are equal to their source and go their own way."""
        for turn, state in self.positions_of(log, (1, 5, len(log.played) // 2)):
            before = state.tobytes()
            to, exact = self.game.unpack(self.leftover), self.game.unpack(before)
            self.twin.copy(to, state)
            if (what := self._unlike(to, exact)) or (what := self._unlike_later(to, exact, turn)):
                self.twin.note(
                    "copies",
                    f"after copy(to, source) the {what} differ: copy every field that the rules "
                    "read, whatever `to` held before",
                )
            if state.tobytes() != before:
                self.twin.note("copies", "playing on a copy changes its source")
        self.findings.passed("copies")

    def positions_of(self, log: Log, turns: tuple[int, ...]) -> Iterator[tuple[int, State]]:
        """The positions of a random game at some of its turns."""
        state = self.game.unpack(log.start)
        for turn, joint in enumerate(log.played):
            if turn in turns:
                self.twin.where = f"at turn {turn} of random game {log.number} of seed {self.seed}"
                yield turn, state
            self.twin.play(state, joint)

    def _unlike(self, one: State, two: State) -> str:
        """What differs in the answers about two states."""
        if self.twin.over(one) != self.twin.over(two):
            return "answers of over"
        if not np.array_equal(self.twin.rewards(one), self.twin.rewards(two), equal_nan=True):
            return "rewards"
        if not self.twin.over(one) and self.listed(one) != self.listed(two):
            return "moves"
        return ""

    def _unlike_later(self, one: State, two: State, turn: int) -> str:
        """The same after a playout of each with the same chance."""
        traces = []
        for state in (one, two):
            trace = self.game.trace.new()
            self.twin.playout(state, self.kernel_rng("copy", turn), trace, self.game.longest)
            traces.append(trace.move[: trace.n].tolist())
        return "playouts" if traces[0] != traces[1] else self._unlike(one, two)

    def again(self, log: Log) -> None:
        """Play the same moves again: alone, while another game goes on, and through bytes."""
        sentences = {
            "again": "the same moves lead to another position when they are played again: keep all of "
            "the game in its record, nothing in lists or variables beside it",
            "copies": "a game goes another way while a second one is played: keep all of the game in "
            "its record, nothing in lists or variables beside it",
            "bytes": "a game goes another way after unpack(pack(state)): keep all of it in its record",
        }
        for clause, sentence in sentences.items():
            if (turn := self._first_difference(log, clause)) is not None:
                self.twin.where = f"random game {log.number} of seed {self.seed}, turn {turn}"
                self.twin.note(clause, sentence)
                return
            self.findings.passed(clause)

    def _first_difference(self, log: Log, how: str) -> int | None:
        state = self.game.unpack(log.start)
        other, turns = self.start(log.number + 1), 0
        for turn, joint in enumerate(log.played):
            if hashlib.blake2b(state.tobytes(), digest_size=16).digest() != log.digests[turn]:
                return turn
            if turn in log.answers and self.listed(state) != log.listed[turn]:
                return turn
            if how == "bytes":
                state = self.game.unpack(self.game.pack(state))
            if how == "copies" and not self.twin.over(other) and turns < self.game.longest:
                self.twin.play(other, self.choose(self.listed(other), other, log.number + 1, turns))
                turns += 1
            self.twin.play(state, joint)
        same = hashlib.blake2b(state.tobytes(), digest_size=16).digest() == log.digests[-1]
        return None if same else len(log.played)


def _told(joint: Joint) -> str:
    """A joint move in a sentence: the move alone where one seat moves."""
    if len(joint) == 1:
        ((seat, move),) = joint.items()
        return f"nature's {move}" if seat == CHANCE else str(move)
    return f"({', '.join(f'{seat}: {move}' for seat, move in joint.items())})"


def difference(one: State, two: State) -> str:
    """The fields in which two states differ, for a sentence."""
    return ", ".join(
        f"{name} is {_value(one, name)} compiled and {_value(two, name)} in plain Python"
        for name in compared(one, two)[:3]
    )


def _value(state: State, name: str) -> str:
    value = state
    for part in name.split("."):
        value = value[part]
    text = str(value).replace("\n", "")
    return text if len(text) <= 60 else text[:57] + "..."
