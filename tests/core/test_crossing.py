"""Kernels that ask Python: what is asked arrives, what is answered comes back, errors come out."""

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from manyminds.core.crossing import NoAnswer, answer, ask
from manyminds.core.kernel import bare_entry, bare_kernel
from manyminds.core.record import record

pytestmark = pytest.mark.interpreted

KEY = 20_000_011
SHAPE = record(count="uint32", numbers="uint32[4]")


@bare_kernel
def helper(state, out, more):
    return ask(KEY, 3, state, out, more, -7)


@bare_entry
def total(state, out, times):
    found = 0
    for k in range(times):
        found += helper(state, out[1:], k)
    return found


def test_questions_numbers_and_memory_arrive_and_the_answer_comes_back():
    asked = []

    def handler(question, state, out, first, second):
        asked.append((question, first, second))
        read = ctypes.c_uint32.from_address(state).value
        ctypes.c_uint32.from_address(out).value = read + first
        return 10 + first

    answer(KEY, handler)
    state, out = SHAPE.new(), np.zeros(3, np.uint32)
    state.count = 40
    assert total(state, out, 3) == 10 + 11 + 12
    assert asked == [(3, 0, -7), (3, 1, -7), (3, 2, -7)]
    assert out.tolist() == [0, 42, 0]


def test_an_error_ends_the_kernel_and_is_the_cause_of_what_comes_out():
    calls = []

    def handler(*asked):
        calls.append(asked)
        if len(calls) == 2:
            raise ValueError("out of dice")
        return 1

    answer(KEY, handler)
    with pytest.raises(NoAnswer, match="out of dice") as raised:
        total(SHAPE.new(), np.zeros(3, np.uint32), 1000)
    assert isinstance(raised.value.__cause__, ValueError)
    assert len(calls) == 2


def test_an_interrupt_comes_out_as_what_it_is():
    def handler(*asked):
        raise KeyboardInterrupt

    answer(KEY, handler)
    with pytest.raises(KeyboardInterrupt):
        total(SHAPE.new(), np.zeros(3, np.uint32), 1000)


AGAIN = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import test_crossing as here
here.answer(here.KEY, lambda *asked: int(sys.argv[2]))
print(here.total(here.SHAPE.new(), np.zeros(3, np.uint32), 5))
"""


def test_machine_code_from_disk_asks_the_process_that_runs_it():
    said = []
    for number in ("3", "4"):  # the second run loads what the first kept on disk
        done = subprocess.run(
            [sys.executable, "-c", AGAIN, Path(__file__).parent, number],
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.strip())
    assert said == ["15", "20"]
