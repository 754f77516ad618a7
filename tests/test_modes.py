"""The three runs of the suite are what their names say: interpreted, bounds checked, compiled."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from manyminds.core.kernel import entry, interpreted, kernel

READ_PAST_THE_END = """
import numpy as np
from manyminds.core.kernel import entry, kernel

@kernel
def read(numbers, at):
    return numbers[at]

@entry
def outer(numbers, at):
    return read(numbers, at)

block = np.arange(8)
try:
    print(outer(block[:4], np.uint32(5)))
except IndexError:
    print("refused")
"""


@kernel
def double(x):
    return 2 * x


@entry
def twice_double(numbers, at):
    return double(double(numbers[at]))


@pytest.mark.interpreted
def test_kernels_run_in_the_mode_that_was_asked_for():
    assert interpreted() == (os.environ.get("NUMBA_DISABLE_JIT") == "1")
    assert twice_double(np.arange(5), 3) == 12
    assert isinstance(double, numba.core.dispatcher.Dispatcher) != interpreted()
    if not interpreted():
        assert len(twice_double.signatures) == 1


def test_bounds_are_checked_when_that_was_asked_for():
    asked = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
    assert bool(numba.config.BOUNDSCHECK) == asked


@pytest.mark.parametrize(("checked", "said"), [("1", "refused"), ("0", "5")])
def test_bounds_checks_are_compiled_in_and_never_taken_from_the_other_modes_cache(checked, said):
    """Each mode twice: the second run loads what the first kept on disk."""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", READ_PAST_THE_END],
            env={**os.environ, "NUMBA_BOUNDSCHECK": checked},
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.stdout.strip() == said, done.stderr
