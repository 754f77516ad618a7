"""A match of programs, drawn in place in a terminal."""

from __future__ import annotations

import time

from rich.console import Console, Group, RenderableType
from rich.live import Live

from manyminds.apps.compiling import Compiling
from manyminds.apps.look import Look
from manyminds.apps.picture import picture
from manyminds.apps.scene import Scene
from manyminds.apps.status import Status
from manyminds.arena.match import Turn

_A_SECOND = 12  # times that the status is drawn


class Stage:
    """Draws every move; each stays for `pace` seconds at least. The last picture stays on the screen."""

    def __init__(
        self, console: Console, look: Look, scene: Scene, heading: str, pace: float = 0.0
    ) -> None:
        self.console, self.look, self.scene = console, look, scene
        self.heading, self.pace = heading, pace
        self.compiling = Compiling()
        self._status: RenderableType = Status(scene, self.compiling)
        self._picture = self._draw()
        self._live = Live(
            get_renderable=lambda: Group(self._picture, self._status),
            console=console,
            refresh_per_second=_A_SECOND,
        )

    def __enter__(self) -> Stage:
        self.compiling.__enter__()
        self._live.start()
        return self

    def __exit__(self, *ending: object) -> None:
        """Give the terminal back, whatever happened."""
        self.compiling.__exit__()
        self._status = ""
        try:
            self._live.stop()
        finally:
            self.console.show_cursor(True)

    def take(self, turn: Turn) -> None:
        """A joint move was played."""
        time.sleep(max(0.0, self.scene.moved_at + self.pace - time.monotonic()))
        self.scene.take(turn)
        self._picture = self._draw()
        self._live.refresh()

    def _draw(self) -> RenderableType:
        size = self.console.size
        return picture(self.scene, self.look, self.heading, size.width, size.height)
