"""A game in plain Python that looks to players like any other, and programs that play it."""

import itertools
import shlex
import sys
from pathlib import Path
from types import MappingProxyType

import numpy as np
import psutil
import pytest

from manyminds.core.errors import UsageError

PROGRAMS = Path(__file__).with_name("programs")
MARK = "MANYMINDS_TEST_RUN"
_runs = itertools.count()


class PlainNim:
    """Nim with heaps 3, 4, 5: who takes the last stone wins. Only what the contract promises."""

    title = "nim"
    seats = 2
    seat_names = ("first", "second")
    teams = ((0,), (1,))
    team_names = seat_names
    simultaneous = has_chance = False
    move_ids, most_moves, longest = 64, 12, 12
    arguments = MappingProxyType({})

    def start(self, seed=0):
        return np.array([3, 4, 5, 0])  # the heaps, and who moves

    def copy(self, state):
        return state.copy()

    def seat(self, state):
        return int(state[3])

    def movers(self, state):
        return [] if self.over(state) else [int(state[3])]

    def moves(self, state, seat=None):
        moves = [heap * 16 + take for heap in range(3) for take in range(1, state[heap] + 1)]
        return np.array(moves, np.uint32)

    def play(self, state, joint):
        move = joint if isinstance(joint, int) else max(joint)
        state[move // 16] -= move % 16
        state[3] = 1 - state[3]

    def over(self, state):
        return not state[:3].any()

    def rewards(self, state, settings=None):
        won = np.zeros(2)
        won[1 - state[3]] = 1.0
        return won if self.over(state) else np.full(2, 0.5)

    def points(self, state):
        return self.rewards(state)

    def name(self, move, state=None):
        return "ABC"[move // 16] + str(move % 16)

    def move_named(self, text, state=None):
        word = text.strip().upper()
        if len(word) != 2 or word[0] not in "ABC" or word[1] not in "123456789":
            raise UsageError(f'"{text}" is no move here')
        return "ABC".index(word[0]) * 16 + int(word[1])

    def show(self, state):
        return "\n".join(f"{'ABC'[heap]} {'o' * state[heap]}" for heap in range(3))


@pytest.fixture
def nim():
    return PlainNim()


@pytest.fixture
def program():
    """The command line of one of our programs."""

    def command(name, *arguments):
        return shlex.join([sys.executable, str(PROGRAMS / f"{name}.py"), *map(str, arguments)])

    return command


def carriers(mark):
    """The processes that carry this mark in their environment, as everything we start does."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


@pytest.fixture
def nothing_left(monkeypatch):
    """Fails the test when anything that it started, however far removed, is running at its end."""
    mark = f"{psutil.Process().pid}-{next(_runs)}"
    monkeypatch.setenv(MARK, mark)
    yield lambda: carriers(mark)
    _, alive = psutil.wait_procs(carriers(mark), timeout=1.0)
    lines = [f"{process.pid} {process.cmdline()}" for process in alive]
    for process in alive:
        process.kill()
    assert not lines
