"""Thinking for programs: a bounded number of processes, each answering one job at a time.

A job that takes longer than its deadline ends with its process, which is replaced; so does one whose
process dies. Whoever asks waits in a line of bounded length.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import dataclass, field

from manyminds.apps.web.job import LONGEST_FRAME, Answer, Job, Ready, Trouble, frame, replies
from manyminds.apps.web.limits import Limits
from manyminds.apps.web.refused import Refused

_COMMAND = (sys.executable, "-m", "manyminds.apps.web.thinker")


class NoAnswer(Exception):
    """A program failed, with what is known of the reason."""


@dataclass(eq=False)
class Process:
    """A thinker; `keys` are those whose programs it may have kept, the newest last."""

    process: asyncio.subprocess.Process
    keys: list[str] = field(default_factory=list)

    def kill(self) -> None:
        """End it and whatever it has started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    async def ask(self, job: Job, limits: Limits) -> Answer:
        """The job's answer; NoAnswer when there is none, in time."""
        stdin = self.process.stdin
        assert stdin is not None
        stdin.write(frame(job))
        async with asyncio.timeout(limits.beginning):
            await stdin.drain()
            reply = await self._read()
        if isinstance(reply, Ready):
            async with asyncio.timeout(limits.deadline):
                reply = await self._read()
        if isinstance(reply, Trouble):
            raise NoAnswer(reply.reason)
        if not isinstance(reply, Answer):
            raise EOFError("two announcements")
        return reply

    async def _read(self) -> Answer | Ready | Trouble:
        stdout = self.process.stdout
        assert stdout is not None
        size = int.from_bytes(await stdout.readexactly(4), "little")
        if size > LONGEST_FRAME:
            raise EOFError("an answer that is too long")
        return replies.decode(await stdout.readexactly(size))


class Pool:
    """The thinkers of one server. `waiting` counts the jobs that are not yet answered."""

    def __init__(self, limits: Limits, command: tuple[str, ...] = _COMMAND) -> None:
        self.limits, self.command = limits, command
        self.free: list[Process] = []
        self.all: set[Process] = set()
        self.room = asyncio.Semaphore(limits.thinkers)
        self.waiting = 0
        self.closed = False

    async def ask(self, job: Job) -> Answer:
        """The job's answer, after those that came before it."""
        if self.waiting >= self.limits.waiting:
            raise Refused("too many programs are thinking: try again in a while", 503)
        self.waiting += 1
        try:
            async with self.room:
                return await self._ask(job)
        finally:
            self.waiting -= 1

    async def _ask(self, job: Job) -> Answer:
        process = await self._process(job.key)
        try:
            answer = await process.ask(job, self.limits)
        except NoAnswer:
            self._release(process, job.key)
            raise
        except TimeoutError:
            self._end(process)
            raise NoAnswer("the program took too long and was ended") from None
        except (EOFError, OSError, ValueError):
            self._end(process)
            raise NoAnswer("the program's process ended") from None
        except asyncio.CancelledError:
            self._end(process)
            raise
        self._release(process, job.key)
        return answer

    async def _process(self, key: str) -> Process:
        """A free thinker, one that knows this key if there is one, or a new one."""
        for process in self.free:
            if key in process.keys:
                self.free.remove(process)
                return process
        if self.free:
            return self.free.pop(0)
        if self.closed:
            raise Refused("the server is closing", 503)
        child = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_FRAME,
            start_new_session=True,
        )
        process = Process(child)
        self.all.add(process)
        return process

    def _release(self, process: Process, key: str) -> None:
        process.keys = [*[one for one in process.keys if one != key][-16:], key]
        self.free.append(process)

    def _end(self, process: Process) -> None:
        process.kill()
        self.all.discard(process)

    async def close(self) -> None:
        """End all thinkers."""
        self.closed = True
        for process in list(self.all):
            self._end(process)
            await process.process.wait()
        self.free.clear()
