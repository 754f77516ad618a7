"""A pool of local processes that die with their parent and are replaced when they are killed.

Every worker is a fresh interpreter (nothing is forked from a process with threads, and no `__main__`
is imported again), in a session of its own, so Ctrl-C reaches the driver only. Tasks wait at a worker
only where games are so quick that handing them out one by one would cost more than playing them.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

import msgspec

from manyminds.arena.result import FailedGame, Finished
from manyminds.arena.runner import BEAT, BrokenRunner
from manyminds.arena.task import Task
from manyminds.arena.worker import Frames, SetUp, frame
from manyminds.core.errors import UsageError

MOST_WORKERS = 4096
MOST_DEATHS = 3  # of workers, with the same task under way or before any was ready
_MOST_WAITING = 64  # tasks at one worker
_SECONDS_WAITING = 0.02  # worth of tasks at one worker
_STDERR_KEPT = 4000
_CHUNK = 1 << 18

_START = "import sys; sys.path.insert(0, {home!r}); from manyminds.arena.worker import main; main({socket})"
_HOME = str(Path(__file__).resolve().parents[2])

_decoder = msgspec.msgpack.Decoder(Finished)
_encoder = msgspec.msgpack.Encoder()


class Worker:
    """One process and what the pool knows of it. `tasks[0]` is the one that it plays now."""

    def __init__(self) -> None:
        self.channel, theirs = socket.socketpair()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _START.format(home=_HOME, socket=theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except OSError as error:
            self.channel.close()
            raise BrokenRunner(f"no worker could be started: {error}") from None
        finally:
            theirs.close()
        assert self.process.stderr is not None
        self.errors = self.process.stderr
        self.said = b""  # the last of its stderr
        self.channel.setblocking(False)
        os.set_blocking(self.errors.fileno(), False)
        self.tasks: deque[Task] = deque()
        self.ready = self.condemned = False
        self.began = time.monotonic()  # when it could begin tasks[0]
        self._frames, self._unsent = Frames(), bytearray()
        self.send(_encoder.encode(SetUp(os.getpid(), sys.path)))

    def give(self, task: Task) -> None:
        """Send a task to play after those it has."""
        if not self.tasks:
            self.began = time.monotonic()
        self.tasks.append(task)
        self.send(_encoder.encode(task))

    def send(self, message: bytes) -> None:
        """Send what the socket takes now and keep the rest."""
        self._unsent += frame(message)
        self.flush()

    def flush(self) -> bool:
        """Send what is still unsent; whether all of it is gone."""
        try:
            while self._unsent:
                del self._unsent[: self.channel.send(self._unsent)]
        except BlockingIOError:
            return False
        except OSError:  # it died; its end is seen when we read
            self._unsent.clear()
        return True

    def receive(self) -> list[bytes]:
        """The messages that have arrived. ValueError where it sends what is no message."""
        messages: list[bytes] = []
        try:
            while data := self.channel.recv(_CHUNK):
                messages += self._frames.feed(data)
        except OSError:  # nothing more now, or nothing ever: `dead` tells
            pass
        return messages

    def listen(self) -> None:
        """Take in what it says on stderr."""
        try:
            while data := self.errors.read(_CHUNK):
                self.said = (self.said + data)[-_STDERR_KEPT:]
        except OSError:
            return

    @property
    def dead(self) -> bool:
        """Whether the process has ended."""
        return self.process.poll() is not None

    def kill(self) -> None:
        """End the process with its group, and let go of it."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:  # the group is gone with its last process
            self.process.kill()
        self.process.wait()
        self.listen()
        self.channel.close()
        self.errors.close()

    def why(self) -> str:
        """How it ended, and what it last said."""
        code = self.process.returncode
        text = f"exit status {code}" if code is None or code >= 0 else f"signal {-code}"
        said = self.said.decode(errors="replace").strip()
        return f"{text}; on stderr: {said}" if said else text


class LocalPool:
    """A runner: so many local processes, started when first needed and kept until `close`."""

    def __init__(self, workers: int = 2) -> None:
        if not 1 <= workers <= MOST_WORKERS:
            raise UsageError(f"workers is 1 to {MOST_WORKERS} processes, not {workers}")
        self.size = workers
        self._selector = selectors.DefaultSelector()
        self._workers: list[Worker] = []
        self._again: deque[Task] = deque()  # tasks of workers that died
        self._deaths: dict[int, int] = {}  # by game
        self._still_born = 0  # workers in a row that died before they were ready
        self._pace = 1.0  # s per game, on the slow side
        self._draining = False

    @property
    def title(self) -> str:
        """What it is, for people."""
        return f"{self.size} local process{'es' if self.size > 1 else ''}"

    @property
    def processes(self) -> list[int]:
        """The workers' process numbers."""
        return [worker.process.pid for worker in self._workers]

    def submit(self, tasks: Iterable[Task]) -> Generator[Finished | None, None, None]:
        """Play the tasks; see `runner.Runner`."""
        self._draining = False
        source = iter(tasks)
        while len(self._workers) < self.size:
            self._start()
        try:
            while self._fill(source):
                finished = self._pump()
                yield from finished
                if not finished:
                    yield None
        finally:
            self._forget()

    def drain(self) -> None:
        """Begin nothing more. Workers with tasks waiting are ended after the one under way."""
        self._draining = True
        self._again.clear()
        for worker in self._workers:
            worker.condemned = len(worker.tasks) > 1
            while len(worker.tasks) > 1:
                worker.tasks.pop()

    def close(self) -> None:
        """End all workers, at once."""
        for worker in self._workers:
            self._end(worker)
        self._workers.clear()

    # --- giving out ------------------------------------------------------------------------------------

    def _fill(self, source: Iterator[Task]) -> bool:
        """Give tasks to whoever has room, evenly; whether anything is still under way."""
        if not self._draining:
            room = 1 + min(_MOST_WAITING - 1, int(_SECONDS_WAITING / self._pace))
            for depth in range(room):
                for worker in self._workers:
                    if len(worker.tasks) <= depth and (task := self._next(source)) is not None:
                        self._give(worker, task)
        return any(worker.tasks for worker in self._workers)

    def _next(self, source: Iterator[Task]) -> Task | None:
        return self._again.popleft() if self._again else next(source, None)

    def _give(self, worker: Worker, task: Task) -> None:
        worker.give(task)
        self._watch(worker)

    def _watch(self, worker: Worker) -> None:
        """Look for room to write only while there is something to write."""
        events = selectors.EVENT_READ | (0 if worker.flush() else selectors.EVENT_WRITE)
        if self._selector.get_key(worker.channel).events != events:
            self._selector.modify(worker.channel, events, worker)

    # --- taking in ---------------------------------------------------------------------------------------

    def _pump(self) -> list[Finished]:
        """What has come back within a beat."""
        finished: list[Finished] = []
        for key, _ in self._selector.select(BEAT):
            worker: Worker = key.data
            self._take(worker, finished)
            self._watch(worker)
        now = time.monotonic()
        for worker in list(self._workers):
            worker.listen()  # a full pipe would stop it
            if worker.dead:
                self._take(worker, finished)  # what it sent before it died is whole
                self._bury(worker, finished)
            elif worker.tasks and now - worker.began > worker.tasks[0].rules.game_deadline:
                self._stop_late(worker, finished)
            elif worker.condemned and not worker.tasks:
                self._replace(worker)
        return finished

    def _take(self, worker: Worker, finished: list[Finished]) -> None:
        try:
            for message in worker.receive():
                self._answer(worker, message, finished)
        except (ValueError, msgspec.MsgspecError) as error:  # a game wrote into our socket
            worker.said = f"it sent what is no message: {error}".encode()
            worker.process.kill()
            worker.process.wait()

    def _answer(self, worker: Worker, message: bytes, finished: list[Finished]) -> None:
        if not message:
            worker.ready, worker.began = True, time.monotonic()
            self._still_born = 0
            return
        answer = _decoder.decode(message)
        if not worker.tasks or answer.number != worker.tasks[0].number:
            return  # a game that nobody waits for any more
        now = time.monotonic()
        worker.tasks.popleft()
        self._pace = max(now - worker.began, 0.9 * self._pace, 1e-6)
        worker.began = now
        finished.append(answer)

    def _bury(self, worker: Worker, finished: list[Finished]) -> None:
        """A worker died: its tasks are played again, unless the first of them has cost too many."""
        self._end(worker)
        if not worker.ready:
            self._still_born += 1
            if self._still_born >= MOST_DEATHS * self.size:
                raise BrokenRunner(f"workers die before they can play: {worker.why()}")
        elif worker.tasks:
            task = worker.tasks[0]
            deaths = self._deaths[task.number] = self._deaths.get(task.number, 0) + 1
            if deaths >= MOST_DEATHS:
                worker.tasks.popleft()
                reason = f"killed its worker {deaths} times; the last one ended with {worker.why()}"
                finished.append(FailedGame(task.number, reason))
        self._replace(worker)

    def _stop_late(self, worker: Worker, finished: list[Finished]) -> None:
        task = worker.tasks.popleft()
        seconds = task.rules.game_deadline
        finished.append(FailedGame(task.number, f"not over after {seconds:g} seconds, and stopped"))
        self._end(worker)
        self._replace(worker)

    # --- processes ---------------------------------------------------------------------------------------

    def _start(self) -> None:
        worker = Worker()
        self._workers.append(worker)
        self._selector.register(worker.channel, selectors.EVENT_READ, worker)
        self._watch(worker)

    def _end(self, worker: Worker) -> None:
        if worker.channel.fileno() >= 0:
            self._selector.unregister(worker.channel)
            worker.kill()

    def _replace(self, worker: Worker) -> None:
        """A new worker for one that ended, or is to end; the tasks it had come first."""
        self._end(worker)
        self._workers.remove(worker)
        if not self._draining:
            self._again.extend(worker.tasks)
        worker.tasks.clear()
        self._start()

    def _forget(self) -> None:
        """Nobody waits for what is still under way: workers that play it are ended."""
        self._again.clear()
        for worker in list(self._workers):
            if worker.tasks:
                self._end(worker)
                self._workers.remove(worker)
