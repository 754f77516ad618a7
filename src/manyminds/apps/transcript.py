"""A match as text that scrolls by: for pipes and files, and where a person sits at the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.live import Live
from rich.text import Text

from manyminds.apps.compiling import WORD, Compiling
from manyminds.apps.look import Look
from manyminds.apps.scene import Scene
from manyminds.apps.status import Status
from manyminds.arena.match import Turn


class Transcript:
    """A line for every move, and one more each for what its player expects and believes.

    On a terminal a spinner stands below them while programs think, and `pause` takes it away before a
    person is asked; elsewhere `notes` is told when something is compiled.
    """

    def __init__(
        self, console: Console, look: Look, scene: Scene, heading: str, notes: Console
    ) -> None:
        self.console, self.look, self.scene, self.heading = console, look, scene, heading
        self._notes = notes
        self.compiling = Compiling(None if console.is_terminal else self._note)
        self._live: Live | None = None

    def __enter__(self) -> Transcript:
        self.console.print(Text(self.heading, "bold"))
        self.compiling.__enter__()
        self._wait()
        return self

    def __exit__(self, *ending: object) -> None:
        self.compiling.__exit__()
        try:
            self.pause()
        finally:
            self.console.show_cursor(True)

    def take(self, turn: Turn) -> None:
        """A joint move was played."""
        self.scene.take(turn)
        for line in self._lines(turn):
            self.console.print(line)
        self._wait()

    def pause(self) -> None:
        """Nothing moves on the screen from now on, until the next move."""
        if self._live is not None:
            live, self._live = self._live, None
            live.stop()

    def _wait(self) -> None:
        if self.console.is_terminal and self._live is None:
            status = Status(self.scene, self.compiling)
            self._live = Live(status, console=self.console, transient=True)
            self._live.start()

    def _lines(self, turn: Turn) -> Iterator[Text]:
        """For each who moved the move with the remark; what it expects and believes, where it does."""
        number = f"{turn.number + 1:>4}. "
        if not turn.decisions:
            who = "the world" if self.scene.game.simultaneous else "nature"
            yield Text.assemble(number, f"{who} ", (turn.name, "bold"))
        for seat in turn.decisions:
            thought = self.scene.thoughts[seat]
            assert thought is not None, "the scene has taken this turn"
            name = self.scene.game.seat_names[seat]
            yield Text.assemble(
                number,
                self.look.mark(seat),
                f"{name} ",
                (thought.move, "bold"),
                (f"  {thought.remark}".rstrip(), "dim"),
            )
            if expected := thought.expectations(self.scene.game.seat_names):
                yield Text(f"      {expected}", "dim")
            if believed := thought.believed():
                yield Text(f"      {believed}", "dim")
            number = " " * len(number)

    def _note(self, kernel: str) -> None:
        if self.compiling.count == 1:
            self._notes.print(f"{WORD} ...")
        self._notes.print(f"  {kernel}")
