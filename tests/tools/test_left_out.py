"""Tests whose outside program is not here are left out, and the end of the run says so."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
TESTS = """
import pytest

@pytest.mark.chromium
@pytest.mark.parametrize("n", range(2))
def test_browser(n): ...

def test_other(): ...
"""


@pytest.fixture
def suite(tree, tmp_path):
    """Run a small suite: suite(chromium=..., arguments...) gives its last lines."""
    programs = tmp_path / "programs"
    programs.mkdir()
    marks = "markers =\n    gnugo: -\n    chromium: -\n"
    folder = tree({"suite/test_it.py": TESTS, "suite/pytest.ini": f"[pytest]\n{marks}"}) / "suite"
    shutil.copy(CONFTEST, folder)

    def run(*arguments, chromium):
        if chromium:
            (programs / "chromium").touch(0o755)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
            cwd=folder,
            env={"PATH": str(programs)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout.strip().splitlines()

    return run


def test_says_how_many_and_how_to_get_it_just_before_the_closing_line(suite):
    *_, said, closing = suite(chromium=False)
    assert said == (
        "LEFT OUT: 2 tests need Chromium, which is not here. "
        "To get it: apt-get install chromium (as root)"
    )
    assert closing.startswith("1 passed, 2 deselected")


def test_runs_them_where_the_program_is(suite):
    *rest, closing = suite(chromium=True)
    assert closing.startswith("3 passed")
    assert "LEFT OUT" not in "".join(rest)


def test_does_not_count_what_was_not_asked_for(suite):
    *rest, closing = suite("-k", "other", chromium=False)
    assert closing.startswith("1 passed, 2 deselected")
    assert "LEFT OUT" not in "".join(rest)
