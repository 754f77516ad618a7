"""How a person stops a run: Ctrl-C once ends it cleanly, twice at once; SIGTERM at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType

_HANDLED = (signal.SIGINT, signal.SIGTERM)


class Signals:
    """Counts what arrives while it is entered; the loop asks `cleanly` and `at_once`.

    No exception is raised from a handler: nothing is cut in two. A third signal gets what Python
    does without us, should the loop itself be stuck. Outside the main thread nothing can be
    handled, and nothing is changed.
    """

    def __init__(self) -> None:
        self.caught: list[int] = []
        self._before: dict[int, object] = {}

    @property
    def cleanly(self) -> bool:
        """Whether the run is to finish what is under way and end."""
        return bool(self.caught)

    @property
    def at_once(self) -> bool:
        """Whether the run is to end without waiting."""
        return len(self.caught) > 1 or self.terminated

    @property
    def terminated(self) -> bool:
        """Whether it was SIGTERM."""
        return signal.SIGTERM in self.caught

    def __enter__(self) -> Signals:
        if threading.current_thread() is threading.main_thread():
            for number in _HANDLED:
                self._before[number] = signal.signal(number, self._catch)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> None:
        self._restore()

    def _catch(self, number: int, frame: FrameType | None) -> None:
        self.caught.append(number)
        if len(self.caught) > 1:
            self._restore()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        self._before.clear()
