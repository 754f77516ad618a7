"""`.ci/run` gets the outside programs where it can, and goes on where it cannot."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def ci(tmp_path):
    """Run .ci/run on a machine with these commands: ci({"apt-get": "script"}) gives its output."""
    (tmp_path / "tree/.ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci/run", tmp_path / "tree/.ci/run")
    machine = tmp_path / "bin"
    machine.mkdir()
    for name in ("dirname", "mktemp", "tail", "rm", "timeout", "cat"):
        os.symlink(shutil.which(name), machine / name)

    def run(status=0, **commands):
        here = {"make": f"echo make $*; exit {status}", "id": "echo 0", **commands}
        for name, script in here.items():
            file = machine / name.replace("_", "-")
            file.write_text(f"#!/bin/sh\n{script}\n")
            file.chmod(0o755)
        done = subprocess.run(
            [shutil.which("bash"), tmp_path / "tree/.ci/run"],
            env={"PATH": str(machine)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
        )
        return done.returncode, done.stdout

    return run


@pytest.fixture
def apt(tmp_path):
    """An apt-get that notes what it is asked: apt(status) is its script, apt.log its notes."""
    log = tmp_path / "apt.log"

    def script(status=0):
        return f'echo "$*" >> {log}; echo "E: words of apt"; exit {status}'

    script.log = log
    return script


def test_runs_make_test_and_ends_with_its_status(ci):
    status, said = ci(status=3, gnugo="", chromium="")
    assert (status, said) == (3, "make test\n")


def test_installs_only_what_is_missing(ci, apt):
    status, said = ci(chromium="", apt_get=apt())
    # GNU Go may really be in Debian's folder for games, which is no part of PATH
    missing = [] if Path("/usr/games/gnugo").exists() else ["gnugo"]
    asked = apt.log.read_text().splitlines() if apt.log.exists() else []
    assert [line for line in asked if "install" in line] == [
        f"install -y -q --no-install-recommends {name}" for name in missing
    ]
    assert status == 0
    assert said.endswith("make test\n")


def test_updates_once_and_installs(ci, apt):
    status, said = ci(apt_get=apt())
    update, install = apt.log.read_text().splitlines()
    assert update == "update -q"
    assert install.startswith("install -y -q --no-install-recommends")
    assert install.endswith("chromium")
    assert said.startswith("Installed: ")
    assert status == 0


def test_goes_on_and_says_so_when_it_cannot_install(ci, apt):
    status, said = ci(apt_get=apt(100))
    assert "Could not install" in said
    assert "E: words of apt" in said
    assert said.endswith("make test\n")
    assert status == 0


def test_asks_for_nothing_when_not_root(ci, apt):
    status, said = ci(id="echo 1000", apt_get=apt())
    assert not apt.log.exists()
    assert (status, said) == (0, "make test\n")
