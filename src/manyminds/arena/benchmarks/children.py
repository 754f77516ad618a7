"""Processes of our own program that are measured from outside; none of them is waited for without end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from manyminds.core.errors import Failure

DEADLINE = 900.0  # seconds


@contextmanager
def child(
    arguments: list[str],
    environment: Mapping[str, str] | None = None,
    deadline: float = DEADLINE,
) -> Iterator[subprocess.Popen[str]]:
    """`python -m ARGUMENTS`, its output and errors on one pipe; killed at the end, or at the deadline."""
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    late = threading.Timer(deadline, process.kill)
    late.start()
    try:
        yield process
    finally:
        late.cancel()
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def lines_of(process: subprocess.Popen[str], arguments: list[str]) -> Iterator[str]:
    """What the process says, line by line; Failure when it does not end well."""
    said = []
    for line in process.stdout or ():
        said.append(line)
        yield line.rstrip("\n")
    status = process.wait()
    if status != 0:
        raise Failure(_ended(arguments, status, said))


def run(
    arguments: list[str],
    tell: Callable[[str], None] = lambda _: None,
    environment: Mapping[str, str] | None = None,
    deadline: float = DEADLINE,
) -> str:
    """Run to the end; every line is told. The last line."""
    last = ""
    with child(arguments, environment, deadline) as process:
        for last in lines_of(process, arguments):
            tell(last)
    return last


def run_until(arguments: list[str], pattern: str, deadline: float = DEADLINE) -> str:
    """Run until a line is printed in which the pattern is found: that line."""
    with child(arguments, deadline=deadline) as process:
        for line in lines_of(process, arguments):
            if re.search(pattern, line):
                return line
    raise Failure(f"python -m {' '.join(arguments)} ended before it printed what was waited for")


def _ended(arguments: list[str], status: int, said: list[str]) -> str:
    how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
    return f"python -m {' '.join(arguments)} {how}: {''.join(said[-5:]).strip()[-400:]}"
