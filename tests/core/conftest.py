"""A folder with modules of its own, and fresh processes that import them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import manyminds

SOURCES = str(Path(manyminds.__file__).parents[1])
SECONDS = 100  # no process of a test lives longer


class Bench:
    """Modules are written to `folder`; each `run` is a new process that prints one JSON document."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": os.pathsep.join([str(folder), SOURCES]),
            "PYTHONDONTWRITEBYTECODE": "1",  # a module edited twice within a second is read twice
            "MANYMINDS_CACHE_DIR": str(folder / "kernels"),
            "NUMBA_CACHE_DIR": str(folder / "numba"),
        }
        for name in ("NUMBA_BOUNDSCHECK", "COVERAGE_PROCESS_START"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def write(self, name: str, text: str) -> None:
        """Write or overwrite a module."""
        (self.folder / name).write_text(textwrap.dedent(text))

    def start(self, text: str, without: tuple[str, ...] = (), **options: Any) -> subprocess.Popen:
        """A process that runs the text, with some variables taken out of its environment."""
        environment = {k: v for k, v in self.environment.items() if k not in without}
        return subprocess.Popen(
            [*options.pop("before", []), sys.executable, "-c", textwrap.dedent(text)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment | options.pop("env", {}),
            cwd=self.folder,
            **options,
        )

    def finish(self, process: subprocess.Popen) -> Any:
        """What the process printed; it has to end well."""
        try:
            output, errors = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
        assert process.returncode == 0, errors.decode()
        return json.loads(output)

    def run(self, text: str, **options: Any) -> Any:
        """What a process that runs the text prints."""
        return self.finish(self.start(text, **options))


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


@pytest.fixture(scope="module")
def module_bench(tmp_path_factory):
    """One bench for all tests of a module, where processes are dear."""
    return Bench(tmp_path_factory.mktemp("bench"))
