"""Run shell commands at the same time: python tools/at_once.py COMMAND COMMAND ...

The first one's output is seen as it comes, the others' behind it, each under its command. The status is 0
when all of them end with 0. Half of the time that tests take is waiting, which two runs may do together.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import IO


def main(commands: Sequence[str]) -> int:
    """Start all, wait for all, tell what the later ones said."""
    # A run in the background is deaf to Ctrl-C, and so would be every program that the tests press it on.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    running = [
        (command, *_start(command, quiet=number > 0)) for number, command in enumerate(commands)
    ]
    statuses = [process.wait() for _, process, _ in running]
    for command, _, said in running[1:]:
        said.seek(0)
        print(f"\n{command}\n{said.read().decode(errors='replace')}", flush=True)
    return 1 if any(statuses) else 0


def _start(command: str, quiet: bool) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """The command, and the file that keeps what it says where it is to be quiet."""
    said = tempfile.TemporaryFile()  # noqa: SIM115 - it is read when the process has ended
    if not quiet:
        print(command, flush=True)
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=said if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
    )
    return process, said


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
