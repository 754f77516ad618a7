"""A hunt under way: its process, its ticks so far, and the pages that look at it."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from manyminds.apps.web import protocol
from manyminds.apps.web.hunts import order as orders
from manyminds.apps.web.hunts.order import (
    END,
    GROUND,
    LONGEST_FRAME,
    TICK,
    Air,
    Live,
    Order,
    Pace,
    Tune,
)
from manyminds.apps.web.limits import Limits
from manyminds.apps.web.live import hash_of
from manyminds.apps.web.page import Page
from manyminds.apps.web.refused import Refused
from manyminds.core.errors import UsageError

COMMAND = (sys.executable, "-m", "manyminds.apps.web.hunts.hunter")
MOST_KEPT = 3_000  # ticks, the newest ones
MOST_AT_ONCE = 200  # ticks in one message
FIRST_SHOWN = 300  # of what has passed, to a page that comes later
READY, RUNNING, OVER, FAILED = "getting ready", "running", "over", "failed"
SECTIONS = ("ground", "state", "pace", "air", "you", "watchers")

_encode = msgspec.json.Encoder().encode


class Hunt:
    """`ticks` are JSON as pages get them; `first` is the number of the oldest that is kept, from 0."""

    def __init__(
        self,
        id: str,  # noqa: A002 - what it is called everywhere
        key: str,
        order: Order,
        limits: Limits,
        now: Callable[[], float],
    ) -> None:
        self.id, self.key_hash, self.order, self.limits, self.now = (
            id,
            hash_of(key),
            order,
            limits,
            now,
        )
        self.pages: set[Page] = set()
        self.ticks: list[bytes] = []
        self.first = 0
        self.ground = b"null"
        self.pace = order.pace
        self.air = order.air if isinstance(order, Live) else None
        self.phase, self.note = READY, ""
        self.result: Any = None
        self.untouched = now()
        self.process: asyncio.subprocess.Process | None = None
        self.task = asyncio.get_running_loop().create_task(self._run())

    @property
    def open(self) -> bool:
        """Whether there is more to come."""
        return self.phase in (READY, RUNNING)

    # --- pages -----------------------------------------------------------------------------------

    def join(self, page: Page, key: str) -> None:
        """A page watches; with the key it may change the channel and the pace."""
        if key and not hmac.compare_digest(hash_of(key), self.key_hash):
            raise Refused("this link does not belong to this hunt", 403)
        page.seat = 0 if key else None
        page.knows = max(self.first, self.first + len(self.ticks) - FIRST_SHOWN)
        self.pages.add(page)
        page.tell("ticks", *SECTIONS)
        self._tell("watchers")
        self._keep_pace()

    def leave(self, page: Page) -> None:
        """A page is gone; a hunt that nobody watches stands still."""
        self.pages.discard(page)
        self.untouched = self.now()
        self._tell("watchers")
        self._keep_pace()

    def hear(self, page: Page, text: str) -> None:
        """Do what a page says, or raise Refused."""
        said = protocol.read_said_of_hunt(text)
        if isinstance(said, protocol.Sit):
            raise Refused("this page has said who it is")
        if page.seat is None:
            raise Refused("who made this hunt sets its channel and pace; make one of your own", 403)
        if not self.open:
            raise Refused("this hunt is over")
        if isinstance(said, protocol.Pace):
            self.pace = Pace(said.ticks)
            self._keep_pace()
            self._tell("pace")
            return
        if self.air is None:
            raise Refused("a store's game keeps the channel that it was played over")
        self.air = air_of(said)
        self._say(Tune(self.air))
        self._tell("air")

    def message(self, page: Page) -> bytes:
        """All that is new to a page, in one message; more ticks follow in the next."""
        news, page.news = page.news, set()
        parts = [b'"%s":%s' % (name.encode(), self._section(name, page)) for name in sorted(news)]
        if page.knows < self.first + len(self.ticks):
            page.tell("ticks")
        return b"{%s}" % b",".join(parts)

    def _section(self, name: str, page: Page) -> bytes:
        if name == "ticks":
            begin = max(page.knows, self.first)
            ticks = self.ticks[begin - self.first : begin - self.first + MOST_AT_ONCE]
            page.knows = begin + len(ticks)
            return b"[%s]" % b",".join(ticks)
        if name == "ground":
            return self.ground
        sections = {
            "state": {"phase": self.phase, "note": self.note, "result": self.result},
            "pace": self.pace.ticks,
            "air": self.air,
            "you": page.seat is not None,
            "watchers": len(self.pages),
        }
        return _encode(sections[name])

    def _tell(self, *sections: str) -> None:
        for page in self.pages:
            page.tell(*sections)

    # --- the process -----------------------------------------------------------------------------

    def _keep_pace(self) -> None:
        self._say(self.pace if self.pages else Pace(0.0))

    def _say(self, word: orders.Word) -> None:
        if self.process is not None and self.process.stdin is not None and self.open:
            with contextlib.suppress(OSError, RuntimeError):
                self.process.stdin.write(orders.frame(word))

    async def _run(self) -> None:
        """Show what the process shows, until it ends or hangs."""
        try:
            await self._begin()
            while self.open:
                await self._next()
        except (EOFError, OSError):
            self._end(FAILED, "the hunt's process ended")
        except TimeoutError:
            self._end(FAILED, "the hunt took too long and was ended")
        finally:
            self._kill()
        self._tell("state", "ticks")

    async def _begin(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_FRAME,
            start_new_session=True,
        )
        self._say(self.order)
        self._keep_pace()

    async def _next(self) -> None:
        """One frame. Who stands still may be silent for as long as it stands."""
        assert self.process is not None
        assert self.process.stdout is not None
        stands = self.phase == RUNNING and (not self.pages or self.pace.ticks == 0)
        patience = self.limits.beginning if self.phase == READY else self.limits.deadline
        head = None
        try:
            async with asyncio.timeout(patience):
                head = await self.process.stdout.readexactly(4)
        except TimeoutError:
            if not stands:
                raise
            return
        size = int.from_bytes(head, "little")
        if not 1 <= size <= LONGEST_FRAME:
            raise EOFError("a frame that is too long")
        data = await self.process.stdout.readexactly(size)
        self._take(data[:1], data[1:])

    def _take(self, kind: bytes, data: bytes) -> None:
        if kind == GROUND:
            self.ground = data
            self._tell("ground")
        elif kind == TICK:
            self.ticks.append(data)
            if len(self.ticks) > MOST_KEPT + MOST_AT_ONCE:
                self.first += MOST_AT_ONCE
                del self.ticks[:MOST_AT_ONCE]
            self._tell("ticks", *(("state",) if self.phase == READY else ()))
            self.phase = RUNNING
        elif kind == END:
            self.result = msgspec.json.decode(data)
            self._end(OVER, "")
        else:
            self._end(FAILED, str(msgspec.json.decode(data)))

    def _end(self, phase: str, note: str) -> None:
        self.phase, self.note = phase, note[:300]

    def _kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    async def close(self, why: str) -> None:
        """End it; pages are told."""
        for page in self.pages:
            page.close(why)
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        if self.process is not None:
            await self.process.wait()


def air_of(said: protocol.Tune) -> Air:
    """The channel that was said; Refused where there can be none."""
    air = Air(said.rate, said.delay_ms, said.jitter_ms, said.loss, said.burst)
    try:
        air.plan()
    except UsageError as error:
        raise Refused(str(error)) from None
    return air
