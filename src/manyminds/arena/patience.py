"""Calls that we wait for so long and no longer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from manyminds.players.player import Forfeit


class Patience:
    """Runs one player's calls, one after the other, in a thread that may be given up.

    Python cannot stop a call from outside: a late one goes on by itself until it returns or our
    process ends, and what it answers is dropped.
    """

    def __init__(self) -> None:
        self.late = False
        self._calls: queue.SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]] | None]
        self._calls, self._answers = queue.SimpleQueue(), queue.SimpleQueue()  # type: ignore[var-annotated]
        threading.Thread(target=self._work, daemon=True).start()

    def call(self, seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns or raises; Forfeit when it takes longer than `seconds`."""
        self._calls.put((function, arguments))
        try:
            answer, error = self._answers.get(timeout=seconds)
        except queue.Empty:
            self.late = True
            self.end()
            raise Forfeit(f"no answer within the deadline of {seconds:g} s") from None
        if error is not None:
            raise error
        return answer

    def end(self) -> None:
        """The thread ends when it has nothing left to do."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            function, arguments = call
            try:
                self._answers.put((function(*arguments), None))
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                self._answers.put((None, error))
