"""The terminal that a command runs in: where it writes, and that it is left as it was found."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn, TextIO

from rich.console import Console

TERMINATED = 143
_WIDE = 1000  # columns of pipes and files, whose lines need not be broken


def console_on(stream: TextIO) -> Console:
    """A console on a stream. Only a terminal gets colours and pictures; `NO_COLOR` is respected."""
    terminal = stream.isatty() and os.environ.get("TERM", "") not in ("dumb", "unknown")
    return Console(
        file=stream,
        force_terminal=terminal,
        color_system="auto" if terminal else None,
        width=None if stream.isatty() else _WIDE,
        highlight=False,
        emoji=False,
    )


@contextmanager
def stoppable() -> Iterator[None]:
    """SIGTERM ends what is within as Ctrl-C does, by an exception, so that everything is closed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(TERMINATED)
