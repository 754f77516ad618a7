"""Threads that stay between runs: the caller is the first, the others wait for work.

Every wait ends: a worker that does not come back is given up, with all threads of its set.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from manyminds.core.errors import Failure, UsageError

MOST_THREADS = 256
_PATIENCE = 60.0  # seconds that the others may take longer than the caller's own share did ...
_TIMES_AS_LONG = 10.0  # ... beyond so many times as long


class Threads:
    """A set of `n` workers. `run` is for one thread at a time."""

    def __init__(self, n: int, patience: float = _PATIENCE) -> None:
        if int(n) != n or not 1 <= n <= MOST_THREADS:
            raise UsageError(f"threads are a whole number from 1 to {MOST_THREADS}, not {n}")
        self.n, self.patience = int(n), patience
        self._inboxes: list[queue.SimpleQueue[Any]] = []
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._process = 0

    def run(self, work: Callable[[int], None], stop: Callable[[], None] = lambda: None) -> None:
        """`work(k)` for k = 0 to n - 1, all at once; returns when all are done.

        When one fails, or the caller is interrupted, `stop` is called, which is to make the others leave
        off; the first error is raised when they have.
        """
        self._start()
        began = time.monotonic()
        for k, inbox in enumerate(self._inboxes, start=1):
            inbox.put((work, k, stop))
        errors: list[BaseException] = []
        try:
            work(0)
        except BaseException as error:  # noqa: BLE001 - it is raised when all have left off
            _fail(errors, error, stop)
        now = time.monotonic()
        self._collect(errors, stop, now + self.patience + _TIMES_AS_LONG * (now - began))
        try:
            if errors:
                raise errors[0]
        finally:
            errors.clear()  # whose tracebacks hold this frame, and with it the search

    def _collect(
        self, errors: list[BaseException], stop: Callable[[], None], deadline: float
    ) -> None:
        """One answer of each worker."""
        missing = len(self._inboxes)
        while missing:
            try:
                error = self._answers.get(timeout=max(deadline - time.monotonic(), 0.0))
            except queue.Empty:
                stop()
                self._let_go()
                late = Failure(
                    f"a thread of the search did not come back in {self.patience:.0f} s; "
                    "does a playout of the game never end?"
                )
                raise late from (errors[0] if errors else None)
            except BaseException as interrupted:  # noqa: BLE001 - dito
                _fail(errors, interrupted, stop)
                continue
            missing -= 1
            if error is not None:
                errors.append(error)

    def _start(self) -> None:
        if self._process == os.getpid() and len(self._inboxes) == self.n - 1:
            return
        self._process = os.getpid()  # threads do not survive a fork
        self._inboxes = [queue.SimpleQueue() for _ in range(self.n - 1)]
        self._answers = queue.SimpleQueue()
        for inbox in self._inboxes:
            threading.Thread(target=_serve, args=(inbox, self._answers), daemon=True).start()
        weakref.finalize(self, _dismiss, self._inboxes).atexit = False

    def _let_go(self) -> None:
        """Leave these threads to themselves; those that still come back end."""
        _dismiss(self._inboxes)
        self._inboxes, self._process = [], 0


def _fail(errors: list[BaseException], error: BaseException, stop: Callable[[], None]) -> None:
    errors.append(error)
    with contextlib.suppress(Exception):
        stop()


def _dismiss(inboxes: list[queue.SimpleQueue[Any]]) -> None:
    for inbox in inboxes:
        inbox.put(None)


def _serve(inbox: queue.SimpleQueue[Any], answers: queue.SimpleQueue[Any]) -> None:
    while (job := inbox.get()) is not None:
        work, k, stop = job
        error: BaseException | None = None
        try:
            work(k)
        except BaseException as failure:  # noqa: BLE001 - the caller raises it
            error = failure
            with contextlib.suppress(Exception):
                stop()  # from here: the caller is at work itself
        del job, work, stop  # the search may go before the next job comes
        answers.put(error)
        del error
