"""The person at this terminal: what a player `person` asks, tells and shows."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from manyminds.apps.look import Look
from manyminds.apps.picture import seats_text
from manyminds.apps.scene import Scene
from manyminds.games.contract import State


class Keyboard:
    """Lines from standard input; prompts, answers and boards on the console. `hush` is called before each."""

    def __init__(
        self, console: Console, look: Look, scene: Scene, hush: Callable[[], None]
    ) -> None:
        self.console, self.look, self.scene, self.hush = console, look, scene, hush

    def ask(self, prompt: str) -> str:
        """What was typed; EOFError at the end of the input."""
        self.hush()
        self.console.print(prompt, end="", markup=False, highlight=False)
        self.console.file.flush()
        if sys.stdin.isatty():
            _wait_for_line()
            if self.console.file is sys.stdout:
                return input()
        line = sys.stdin.readline()
        if not line:
            self.console.print()
            raise EOFError
        if not sys.stdin.isatty():  # nobody has seen it
            self.console.print(line.rstrip("\n"), markup=False, highlight=False)
        return line

    def tell(self, text: str) -> None:
        """An answer to what was typed."""
        self.hush()
        self.console.print(Text(text))

    def show(self, state: State) -> None:
        """The position, and who sits round it."""
        self.hush()
        seats = seats_text(self.scene, self.look)
        self.console.print(Text.assemble("\n", self.look.draw(state), "\n", seats), soft_wrap=True)


def _wait_for_line() -> None:
    """Till there is something to read, however long a person thinks. Ctrl-C and SIGTERM are answered within
    half a second: one that came just before a read would be answered only behind it, at the next key.
    """
    with suppress(OSError):  # not every system waits for what is no socket
        while not select.select([sys.stdin], [], [], 0.5)[0]:
            pass
