"""A conversation in GTP 2 with an outside program: one command, one answer, one deadline."""

from __future__ import annotations

import time
from collections.abc import Sequence

from manyminds.players.player import Forfeit
from manyminds.players.process import Process
from manyminds.players.readable import readable

MOST_IN_ANSWER = 262_144  # characters
_SECONDS_TO_QUIT = 0.5


class Conversation:
    """Commands go out one at a time; each has an answer before its deadline, or the program is ended.

    Raises Forfeit with the reason when the program is silent, dies, or does not speak GTP.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.process = Process(command)
        self.name = self.process.name

    def ask(self, command: str, seconds: float) -> tuple[bool, str]:
        """Whether the program did it ("=") or refused ("?"), and its answer without that sign."""
        unread = self.process.unread()
        if unread:
            raise self.process.failed(f'it said "{_short(unread)}" before "{_short(command)}"')
        deadline = time.monotonic() + seconds
        late = f'no answer to "{_short(command)}" within {seconds:g} s'
        self.process.write(command, deadline)
        lines = [self._first_line(command, deadline, late)]
        length = 0
        while line := self.process.read_line(deadline, late).strip():
            lines.append(line)
            length += len(line)
            if length > MOST_IN_ANSWER:
                raise self.process.failed(f'its answer to "{_short(command)}" has no end')
        text = "\n".join([lines[0][1:].lstrip("0123456789").strip(), *lines[1:]])
        return lines[0][0] == "=", text

    def _first_line(self, command: str, deadline: float, late: str) -> str:
        line = ""
        while not line:
            line = self.process.read_line(deadline, late).strip()
        if line[0] not in "=?":
            raise self.process.failed(f'it answered "{_short(line)}" to "{_short(command)}"')
        return line

    def failed(self, what: str) -> Forfeit:
        """Ends the program; the Forfeit to raise."""
        return self.process.failed(what)

    def close(self) -> None:
        """Asks the program to quit, and ends it with all that it started."""
        self.process.stop("quit", _SECONDS_TO_QUIT)


def _short(text: str) -> str:
    line = readable(text).replace("\n", " ")
    return line if len(line) <= 80 else line[:77] + "..."
