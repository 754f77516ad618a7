"""Trees to run the project's checks on, and a way to run them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path):
    """Write files: tree({"src/manyminds/core/x.py": "text"}) gives their folder."""

    def write(files):
        for name, text in files.items():
            place = tmp_path / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return tmp_path

    return write


@pytest.fixture
def check():
    """Run tools/check_NAME.py; gives (exit status, what it printed)."""

    def run(name, *arguments):
        done = subprocess.run(
            [sys.executable, ROOT / f"tools/check_{name}.py", *arguments],
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.returncode, done.stdout + done.stderr

    return run
