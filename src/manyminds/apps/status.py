"""The line that says what we wait for: who thinks, what is compiled, how long it takes."""

from __future__ import annotations

import time

from rich.spinner import Spinner
from rich.text import Text

from manyminds.apps.compiling import WORD, Compiling
from manyminds.apps.scene import Scene


class Status:
    """Drawn anew whenever a terminal refreshes: a spinner, and words that follow the match."""

    def __init__(self, scene: Scene, compiling: Compiling) -> None:
        self.scene, self.compiling = scene, compiling
        self._spinner = Spinner("dots")

    def __rich__(self) -> Spinner:
        self._spinner.update(text=Text(self.words(), no_wrap=True, overflow="ellipsis"))
        return self._spinner

    def words(self) -> str:
        """What is going on."""
        scene, compiling = self.scene, self.compiling
        if compiling.kernel:
            done = f", {compiling.count - 1} done" if compiling.count > 1 else ""
            return f"{WORD}: {compiling.kernel}{done}, {compiling.seconds:.0f} s"
        if not scene.turns:
            return "getting ready"
        waited = time.monotonic() - scene.moved_at
        parts = [f"move {len(scene.turns)}"]
        if scene.movers:
            names = [scene.game.seat_names[seat] for seat in scene.movers]
            seconds = f", {waited:.0f} s" if waited >= 1 else ""
            parts.append(f"{' and '.join(names)} to move{seconds}")
        if sum(scene.simulations):
            parts.append(f"{scene.rate:,.0f} simulations a second")
        return " · ".join(parts)
