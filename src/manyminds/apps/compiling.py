"""What is being compiled just now, for people who wait for a first run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from numba.core import event

from manyminds.core.cache import on_compile

WORD = "compiling for this machine, which a first run does once"


class Compiling(event.Listener):
    """`kernel` is the one under way ("" when none is), `count` how many there were.

    Watches from `with` to its end; `tell(kernel)` is called as each begins.
    """

    def __init__(self, tell: Callable[[str], None] | None = None) -> None:
        self.kernel, self.count = "", 0
        self._tell, self._began = tell, 0.0
        self._depth = 0  # kernels within kernels: Numba tells of each
        self._watching = False

    @property
    def seconds(self) -> float:
        """Since the first compilation began."""
        return time.monotonic() - self._began if self.count else 0.0

    def __enter__(self) -> Compiling:
        self._watching = True
        on_compile(self._begins)
        event.register("numba:compile", self)
        return self

    def __exit__(self, *ending: object) -> None:
        self._watching = False
        event.unregister("numba:compile", self)

    def _begins(self, kernel: str) -> None:
        if not self._watching:
            return
        if self.count == 0:
            self._began = time.monotonic()
        self.kernel, self.count, self._depth = kernel, self.count + 1, 0
        if self._tell is not None:
            self._tell(kernel)

    def on_start(self, event: Any) -> None:
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth <= 0:
            self.kernel = ""
