"""`make` finds a Python that works, or says how to get one."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools/find_python.sh"


@pytest.fixture
def machine(tmp_path):
    """A machine with these Pythons: machine(python3="3.9", ...) gives (exit status, out, err)."""

    def look(python=None, **versions):
        for name, version in versions.items():
            command = tmp_path / name.replace("_", ".")
            command.write_text(_pretend(version))
            command.chmod(command.stat().st_mode | stat.S_IXUSR)
        environment = {"PATH": f"{tmp_path}:{_without_python(tmp_path)}"}
        if python:
            environment["PYTHON"] = python
        done = subprocess.run(
            ["/bin/sh", SCRIPT], env=environment, capture_output=True, text=True, timeout=60
        )
        return done.returncode, done.stdout.strip(), done.stderr

    return look


def _pretend(version):
    """A command that answers the script's questions as such a Python would."""
    if version == "broken":
        return "#!/bin/sh\nexit 127\n"
    number, _, ensurepip = version.partition(" ")
    fits = 3011 <= int(number.split(".")[0]) * 1000 + int(number.split(".")[1]) <= 3014
    return (
        "#!/bin/sh\ncase $2 in\n"
        f"    *'not (3, 11)'*) exit {0 if fits else 1};;\n"
        f"    *ensurepip*) exit {1 if ensurepip else 0};;\n"
        f"    *print*) echo {number};;\nesac\n"
    )


def _without_python(folder):
    """A folder with `cat` alone, which is all that the script calls besides Pythons."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    if not (tools / "cat").exists():
        os.symlink("/bin/cat", tools / "cat")
    return tools


def test_takes_python3_when_it_is_new_enough(machine, tmp_path):
    assert machine(python3="3.12", python3_13="3.13") == (0, str(tmp_path / "python3"), "")


def test_passes_over_an_old_and_a_broken_one(machine, tmp_path):
    found = machine(python3="3.9", python3_13="broken", python3_12="3.12")
    assert found == (0, str(tmp_path / "python3.12"), "")


def test_passes_over_one_that_numba_does_not_know(machine, tmp_path):
    assert machine(python3="3.15", python3_11="3.11")[1] == str(tmp_path / "python3.11")


def test_takes_the_one_that_was_named(machine, tmp_path):
    found = machine(python="python3.11", python3="3.12", python3_11="3.11")
    assert found == (0, str(tmp_path / "python3.11"), "")


def test_says_what_to_do_without_a_new_python(machine):
    status, out, err = machine(python3="3.9")
    assert (status, out) == (1, "")
    assert "needs Python 3.11" in err
    assert "apt-get install python3 python3-venv" in err


def test_says_what_to_do_without_ensurepip(machine):
    status, out, err = machine(python3="3.11 no-ensurepip")
    assert (status, out) == (1, "")
    assert "apt-get install python3.11-venv" in err
