"""What plays a campaign's games: one interface for a pool of local processes and for a cluster.

A runner gives tasks to workers and yields what comes back, in any order. It takes tasks from the
iterator only when it can use them soon, so whoever feeds it may stop at any time. It knows nothing
of campaigns and writes no store.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Protocol

from manyminds.arena.result import Finished
from manyminds.arena.task import Task, play_task
from manyminds.core.errors import Failure

BEAT = 0.1  # s; a runner yields None at least this often while nothing finishes


class BrokenRunner(Failure):
    """Workers cannot be started or were lost for good; what was finished is in the store."""


class Runner(Protocol):
    """See the module. `title` says what it is, for people."""

    @property
    def title(self) -> str:
        """What it is, for people: "2 local processes"."""

    def submit(self, tasks: Iterable[Task]) -> Generator[Finished | None, None, None]:
        """Play the tasks. None: nothing came within a beat. Ends when all tasks have come back."""

    def drain(self) -> None:
        """Begin nothing more: `submit` ends once the games under way have come back."""

    def close(self) -> None:
        """End all workers, at once."""


class InProcess:
    """Plays in this process, one game after the other: for debuggers, and where nothing can be started."""

    def __init__(self) -> None:
        self._drained = False

    @property
    def title(self) -> str:
        """What it is, for people."""
        return "this process"

    def submit(self, tasks: Iterable[Task]) -> Generator[Finished | None, None, None]:
        """Play each task when the next result is asked for."""
        self._drained = False
        for task in tasks:
            yield play_task(task)
            if self._drained:
                return

    def drain(self) -> None:
        """No further game."""
        self._drained = True

    def close(self) -> None:
        """Nothing was started."""
