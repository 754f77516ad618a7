"""A process that thinks for programs: reads jobs from standard input, answers on standard output.

It ends when its input does, so that it cannot outlive its server; what hangs is killed from there.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections import OrderedDict
from typing import BinaryIO

import numpy as np

from manyminds.apps.web.course import Course
from manyminds.apps.web.event import Thought
from manyminds.apps.web.job import LONGEST_FRAME, Answer, Job, Ready, Reply, Trouble, frame, jobs
from manyminds.apps.web.opening import game_of, opening_of
from manyminds.arena.match import DEFAULT_BUDGET
from manyminds.core.errors import Failure, UsageError
from manyminds.core.random import derive
from manyminds.games.contract import NONE, State
from manyminds.games.go.board import EMPTY
from manyminds.games.go.ownership import Ownership, ownership
from manyminds.players.player import Decision, Forfeit, Lineup
from manyminds.players.registry import make_player
from manyminds.players.spec import PlayerSpec

MOST_KEPT = 4  # programs with their trees
PLAYOUTS = 200  # for who owns what
DEAD_PLAYOUTS, DEAD_SHARE = 600, 0.75
MOST_CANDIDATES, MOST_LINE, MOST_BELIEFS, MOST_REMARK = 10, 12, 24, 300
NICENESS = 5  # pages come first


class Sitter:
    """A program on its seat, with the moves it has been told."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.course = Course(game_of(job.setup), opening_of(job.setup))
        spec = PlayerSpec.parse(job.player)
        self.budget = spec.budget or DEFAULT_BUDGET
        self.player = make_player(spec, self.course.game)
        lineup = Lineup((one.player or "person" for one in job.setup.seats), job.setup.seed)
        self.player.begin(self.course.game, job.seat, lineup)

    def fits(self, job: Job) -> bool:
        """Whether it can go on from what it was told."""
        told = tuple(one.point for one in self.course.moves)
        return self.job.player == job.player and told == job.moves[: len(told)]

    def catch_up(self, job: Job) -> None:
        """Tell it the moves that it has not seen."""
        for point in job.moves[len(self.course.moves) :]:
            if self.course.over:
                self.course.go_on()
            joint = [NONE] * self.course.game.seats
            joint[self.course.seat] = point
            self.course.play(point)
            self.player.saw(tuple(joint))
        self.course.go_on(job.passes)

    def decide(self) -> Thought:
        """Its move, and what it thinks."""
        course = self.course
        begun = time.perf_counter()
        decision = self.player.decide(course.game.copy(course.state), self.budget)
        seconds = time.perf_counter() - begun
        if not (course.game.moves(course.state) == decision.move).any():
            raise Forfeit("the program chose an illegal move")
        return thought_of(course, self.job, decision, seconds)

    def close(self) -> None:
        """Let the program give back what it holds."""
        close = getattr(self.player, "close", None)
        if close is not None:
            close()


def thought_of(course: Course, job: Job, decision: Decision, seconds: float) -> Thought:
    """The decision as pages are told it: names for numbers, and who owns what where it leads."""
    own = job.setup.seats[course.seat]
    line, state = _follow(course, decision)
    whose, shares, points = _expected(course, state, job.setup.seed)
    best = (
        {decision.move: decision.values[decision.move]} if decision.move in decision.values else {}
    )
    candidates = list((best | decision.values).items())[:MOST_CANDIDATES]
    return Thought(
        number=len(course.moves),
        seat=course.seat,
        move=course.name(decision.move),
        player=own.shown if own.player == job.player else job.player,
        candidates=tuple(
            (course.name(move), tuple(float(value) for value in values))
            for move, values in candidates
        ),
        line=line,
        beliefs={
            str(name)[:60]: float(share)
            for name, share in list(decision.beliefs.items())[:MOST_BELIEFS]
        },
        remark=decision.remark[:MOST_REMARK],
        simulations=int(decision.simulations),
        seconds=seconds,
        owners=whose,
        shares=shares,
        points=points,
    )


def _follow(course: Course, decision: Decision) -> tuple[tuple[str, ...], State]:
    """The moves that it expects, its own first, as far as they are legal; the position after them."""
    game, state = course.game, course.game.copy(course.state)
    expected = decision.line if decision.line[:1] == [decision.move] else [decision.move]
    names = []
    for move in expected[:MOST_LINE]:
        if game.over(state) or not (game.moves(state) == move).any():
            break
        names.append(course.name(move))
        game.play(state, int(move))
    return tuple(names), state


def _expected(course: Course, state: State, seed: int) -> tuple[str, str, tuple[float, ...]]:
    """Who is likeliest to own each point, how likely in tenths, and the points, by playouts."""
    found = ownership(course.game, state, PLAYOUTS, derive(seed, len(course.moves)))
    shares = found.shares[:, course.points]
    best = shares.argmax(axis=0)
    most = shares.max(axis=0)
    whose = "".join(str(int(one) + 1) if m > 0 else "0" for one, m in zip(best, most, strict=True))
    tenths = "".join(str(min(9, int(10 * one))) for one in most)
    return whose, tenths, found.points


def dead_points(course: Course, found: Ownership) -> tuple[int, ...]:
    """The stones of chains whose points are, in most playouts, another colour's in the end."""
    dead = []
    for point in course.points.tolist():
        colour = int(course.state.color[point])
        if colour != EMPTY:
            chain = np.array(course.chain(point))
            others = found.shares[:, chain].sum(axis=0) - found.shares[colour - 1, chain]
            if float(others.mean()) >= DEAD_SHARE:
                dead.append(point)
    return tuple(dead)


class Thinker:
    """Answers jobs one by one, and keeps a few programs for when they are asked again."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, Sitter] = OrderedDict()

    def answer(self, job: Job, reply: BinaryIO) -> Reply:
        """The job's answer; `Ready` has been sent before it where a program decides."""
        try:
            if job.want == "dead":
                return self._dead(job)
            sitter = self._sitter(job)
            sitter.catch_up(job)
            send(reply, Ready())
            return Answer(thought=sitter.decide())
        except Forfeit as forfeit:
            reason = forfeit.reason
        except (UsageError, Failure) as error:
            reason = str(error)
        except Exception as error:  # noqa: BLE001 - a program may fail in any way; the table goes on
            traceback.print_exc()
            reason = f"{type(error).__name__}: {error}"
        self._drop(job.key)
        return Trouble(reason[:MOST_REMARK])

    def _dead(self, job: Job) -> Answer:
        course = Course(game_of(job.setup), opening_of(job.setup))
        for point in job.moves:
            if course.over:
                course.go_on()
            course.play(point)
        course.go_on()
        found = ownership(course.game, course.state, DEAD_PLAYOUTS, job.setup.seed)
        return Answer(dead=dead_points(course, found))

    def _sitter(self, job: Job) -> Sitter:
        sitter = self.kept.get(job.key)
        if sitter is not None and not sitter.fits(job):
            self._drop(job.key)
            sitter = None
        if sitter is None:
            while len(self.kept) >= MOST_KEPT:
                self._drop(next(iter(self.kept)))
            sitter = self.kept[job.key] = Sitter(job)
        self.kept.move_to_end(job.key)
        return sitter

    def _drop(self, key: str) -> None:
        sitter = self.kept.pop(key, None)
        if sitter is not None:
            sitter.close()


def send(to: BinaryIO, reply: Reply) -> None:
    """One frame."""
    to.write(frame(reply))
    to.flush()


def main() -> None:
    """Answer until the input ends."""
    os.nice(NICENESS)
    jobs_in, replies_out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a program prints must not get among the answers
    thinker = Thinker()
    while len(head := jobs_in.read(4)) == 4:
        size = int.from_bytes(head, "little")
        if size > LONGEST_FRAME:
            break
        send(replies_out, thinker.answer(jobs.decode(jobs_in.read(size)), replies_out))


if __name__ == "__main__":
    main()
