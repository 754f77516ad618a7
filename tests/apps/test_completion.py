"""Shell completion as the documentation has it: the program prints scripts, and completes words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from manyminds.apps.main import COMMANDS

PROGRAM = Path(sys.executable).parent / "manyminds"


def completed(shell, words, number):
    """What the shell would be offered for the word of this number."""
    done = subprocess.run(
        [PROGRAM],
        env={
            **os.environ,
            "_MANYMINDS_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(number),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [line.rpartition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_the_shell_is_printed(shell):
    done = subprocess.run(
        [PROGRAM],
        env={**os.environ, "_MANYMINDS_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "_MANYMINDS_COMPLETE" in done.stdout
    assert f"{shell}_complete" in done.stdout


def test_commands_are_completed():
    assert completed("bash", ["manyminds", ""], 1) == list(COMMANDS)
    assert completed("bash", ["manyminds", "ca"], 1) == ["campaign"]


def test_commands_within_commands_and_options_are_completed():
    assert "resume" in completed("bash", ["manyminds", "campaign", "re"], 2)
    assert "--markdown" in completed("bash", ["manyminds", "bench", "--m"], 2)
    assert "--budget" in completed("bash", ["manyminds", "play", "--b"], 2)


def test_bash_itself_completes(tmp_path):
    """The printed script in a real shell, as it would be sourced."""
    script = f"""
    PATH={PROGRAM.parent}:$PATH
    eval "$(_MANYMINDS_COMPLETE=bash_source manyminds)"
    COMP_WORDS=(manyminds repr) COMP_CWORD=1
    _manyminds_completion manyminds
    echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert done.stdout.split() == ["reproduce"], done.stderr
