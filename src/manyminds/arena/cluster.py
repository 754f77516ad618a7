"""A Dask cluster as a runner: a scheduler that runs somewhere, or one that is started here.

The same tasks as everywhere, sent as bytes: a worker needs manyminds installed in the same version,
and nothing else of ours. Dask repeats what a lost worker had under way, and gives up a task that has
cost it several workers; should it also repeat one that was finished, the store keeps the first result.
"""

from __future__ import annotations

import math
import os
import threading
import time
import uuid
from collections.abc import Generator, Iterable, Iterator
from typing import Any

import msgspec

from manyminds.arena.result import FailedGame, Finished
from manyminds.arena.runner import BEAT, BrokenRunner
from manyminds.arena.task import Task, play_task
from manyminds.arena.versions import versions
from manyminds.core.errors import MissingExtra, UsageError

_AHEAD = 2  # tasks per thread of the cluster that are submitted and not back
_SECONDS_TO_CONNECT = 30
_SECONDS_WITHOUT_WORKERS = 300  # a queueing system takes its time
_LOOK_EVERY = 2.0  # s between two questions of how many threads the cluster has


class DaskRunner:
    """A runner on the cluster of the scheduler at `address`, or on `workers` local processes of Dask's."""

    def __init__(self, address: str | None = None, workers: int = 2) -> None:
        self._distributed = _library()
        self._address = address
        self._cluster = None if address else self._local_cluster(workers)
        try:
            self._client = self._distributed.Client(
                address or self._cluster, timeout=_SECONDS_TO_CONNECT, set_as_default=False
            )
        except (OSError, ValueError) as error:
            self._close_cluster()
            raise UsageError(
                f"no Dask scheduler answers at {address}: start one with `dask scheduler` and give its "
                f"address, such as tcp://head:8786 ({error})"
            ) from None
        self._draining = False
        self._threads, self._looked, self._seen = 0, -math.inf, time.monotonic()

    def _local_cluster(self, workers: int) -> Any:
        return self._distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs="ERROR",
        )

    @property
    def title(self) -> str:
        """What it is, for people."""
        return f"Dask at {self._address}" if self._address else "Dask on this machine"

    def submit(self, tasks: Iterable[Task]) -> Generator[Finished | None, None, None]:
        """Play the tasks; see `runner.Runner`."""
        self._draining, self._seen = False, time.monotonic()
        source, campaign = iter(tasks), uuid.uuid4().hex
        under_way: dict[Any, int] = {}
        finished = self._distributed.as_completed(
            [], loop=self._client.loop, with_results=True, raise_errors=False
        )
        try:
            while self._fill(source, under_way, finished, campaign):
                batch = self._batch(finished)
                for future, data in batch:
                    yield self._answer(future, data, under_way.pop(future))
                if not batch:
                    yield None
        finally:
            self._client.cancel(list(under_way), force=True)

    def drain(self) -> None:
        """Begin nothing more; what was submitted is waited for."""
        self._draining = True

    def close(self) -> None:
        """Leave the cluster; end it where it was started here."""
        self._client.close()
        self._close_cluster()

    def _close_cluster(self) -> None:
        if self._cluster is not None:
            self._cluster.close()

    # --- the parts of submit ---------------------------------------------------------------------------

    def _fill(
        self, source: Iterator[Task], under_way: dict[Any, int], finished: Any, campaign: str
    ) -> bool:
        """Submit up to the window; whether anything is under way."""
        window = _AHEAD * max(1, self._count_threads())
        while not self._draining and len(under_way) < window:
            if (task := next(source, None)) is None:
                break
            key = f"manyminds-{campaign}-{task.number}"
            data = msgspec.msgpack.encode(task)
            future = self._client.submit(play_bytes, data, essential(), key=key, pure=False)
            under_way[future] = task.number
            finished.add(future)
        return bool(under_way)

    def _count_threads(self) -> int:
        """The cluster's threads; BrokenRunner once there was none for too long."""
        now = time.monotonic()
        if now - self._looked > _LOOK_EVERY:
            self._looked = now
            self._threads = sum(self._client.nthreads().values())
            if self._threads:
                self._seen = now
        if now - self._seen > _SECONDS_WITHOUT_WORKERS:
            raise BrokenRunner(
                f"{self.title} has had no worker for {_SECONDS_WITHOUT_WORKERS} seconds: start some "
                "with `dask worker`, then `manyminds campaign resume` goes on"
            )
        return self._threads

    def _batch(self, finished: Any) -> list[Any]:
        """What came back within a beat: futures with their results."""
        end, pause = time.monotonic() + BEAT, 0.001
        while not finished.has_ready():
            if time.monotonic() > end:
                return []
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        return list(finished.next_batch(block=False))

    def _answer(self, future: Any, data: Any, number: int) -> Finished:
        if future.status in ("cancelled", "lost"):
            raise BrokenRunner(
                f"{self.title}: the scheduler was lost. What was reported is in the store, and "
                "`manyminds campaign resume` goes on"
            )
        if future.status == "error":
            return FailedGame(number, f"failed on the cluster: {future.exception()!r}"[:_LONGEST])
        answer: Finished = msgspec.msgpack.decode(data, type=Finished)
        return answer


_LONGEST = 4000


def essential() -> tuple[str, ...]:
    """The versions that must be the same everywhere, for results to be."""
    found = versions()
    return tuple(f"{name} {found[name]}" for name in ("manyminds", "numba", "numpy"))


def play_bytes(data: bytes, wanted: tuple[str, ...]) -> bytes:
    """What a worker of the cluster runs: a task as bytes in, what came of it as bytes out."""
    task = msgspec.msgpack.decode(data, type=Task)
    have = essential()
    if have != tuple(wanted):
        text = (
            f"a worker has {', '.join(have)}; the driver has {', '.join(wanted)}: install the same"
        )
        return msgspec.msgpack.encode(FailedGame(task.number, text, typed=True))
    # A game that never ends takes its worker along: Dask starts another, and gives the game up in the end.
    watch = threading.Timer(task.rules.game_deadline, os._exit, (1,))
    watch.daemon = True
    watch.start()
    try:
        return msgspec.msgpack.encode(play_task(task))
    finally:
        watch.cancel()


def _library() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtra("cluster", "a Dask cluster") from None
    return distributed
