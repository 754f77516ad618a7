"""Command lines from standard input: read beside the thinking, bounded, cleaned and taken apart."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from dataclasses import dataclass, field

MOST_IN_LINE = 65_536  # bytes; of a longer line only this is known, and it is refused
MOST_WAITING = 1000  # lines that may wait while a move is thought about
_CHUNK = 65_536
_MOST_DIGITS = 18


@dataclass(frozen=True)
class Line:
    """One command: its number as typed ("" for none), its name, what follows it, and when it came.

    came: by `time.perf_counter()`; what a command before it has still to do is time of its own.
    """

    number: str
    name: str
    arguments: tuple[str, ...]
    too_long: bool = False
    came: float = field(default_factory=time.perf_counter)


def parse(text: str) -> Line | None:
    """The command of a line as GTP 2 says: controls dropped, tabs as blanks, comments off; None for none."""
    clean = "".join(" " if c == "\t" else c for c in text if c == "\t" or c.isprintable())
    words = clean.partition("#")[0].split()
    if not words:
        return None
    number = ""
    if words[0].isascii() and words[0].isdigit() and len(words[0]) <= _MOST_DIGITS:
        number, words = words[0], words[1:]
    return Line(number, words[0] if words else "", tuple(words[1:]))


class Lines:
    """Lines of a file descriptor, read by a thread of their own, so that thinking can end when one comes."""

    def __init__(self, descriptor: int) -> None:
        self._waiting: queue.Queue[Line | None] = queue.Queue(MOST_WAITING)
        self._descriptor = descriptor
        threading.Thread(target=self._read, daemon=True, name="gtp-lines").start()

    def next(self, seconds: float | None = None) -> Line | None:
        """The next command; None at the end of the input. queue.Empty after so many seconds without."""
        line = self._waiting.get(timeout=seconds)
        if line is None:
            self._waiting.put(None)  # the end stays the end
        return line

    @property
    def waiting(self) -> bool:
        """Whether a command, or the end, has come already."""
        return not self._waiting.empty()

    def _read(self) -> None:
        rest = bytearray()
        skipping = False
        with contextlib.suppress(OSError):
            while data := os.read(self._descriptor, _CHUNK):
                *whole, last = (bytes(rest) + data).replace(b"\r", b"").split(b"\n")
                for raw in whole:
                    if not skipping:
                        self._take(raw)
                    skipping = False
                rest = bytearray() if skipping else bytearray(last)
                if len(rest) > MOST_IN_LINE:
                    self._take(bytes(rest))
                    rest, skipping = bytearray(), True
        if rest:
            self._take(bytes(rest))
        self._waiting.put(None)

    def _take(self, raw: bytes) -> None:
        line = parse(raw[:MOST_IN_LINE].decode("utf-8", errors="replace"))
        if line is None:
            return
        if len(raw) > MOST_IN_LINE:
            line = Line(line.number, line.name[:40], (), too_long=True)
        self._waiting.put(line)
