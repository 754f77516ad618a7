"""What a command gives back: a text, an error, or lines that come as long as nobody says anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from manyminds.core.errors import UsageError


class Refused(UsageError):
    """A command that fails: its answer begins with "?"."""


@dataclass(frozen=True)
class Stream:
    """Lines that are sent as they come. An empty one only gives time to look for the next command.

    until_told: the next command ends it; else it ends by itself and what comes waits.
    """

    lines: Iterator[str]
    until_told: bool = True


Answer = str | Stream
