"""tools/at_once.py runs commands together and fails when one of them does."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "at_once.py"


def run(*commands):
    return subprocess.run(
        [sys.executable, TOOL, *commands], capture_output=True, text=True, timeout=60
    )


def test_all_are_told_the_first_one_first():
    done = run("sleep 0.3; echo first", "echo second >&2", "echo third")
    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if line.isalpha()] == [
        "first",
        "second",
        "third",
    ]


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_fails_when_one_of_them_fails(failing):
    commands = ["true", "true", "true"]
    commands[failing] = "exit 3"
    assert run(*commands).returncode == 1


def test_they_run_at_the_same_time():
    start = time.monotonic()
    assert run("sleep 2", "sleep 2", "sleep 2").returncode == 0
    assert time.monotonic() - start < 5


def test_ctrl_c_reaches_programs_even_where_the_run_is_in_the_background():
    """A shell without job control starts what it puts in the background deaf to the interrupt."""
    press = (
        f"{sys.executable} -c 'import os, signal; os.kill(os.getpid(), signal.SIGINT); print(1)'"
    )
    deaf = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} {TOOL} true {_quoted(press)} & wait $!"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "KeyboardInterrupt" in deaf.stdout
    assert deaf.returncode == 1


def _quoted(command):
    return "'" + command.replace("'", "'\\''") + "'"
