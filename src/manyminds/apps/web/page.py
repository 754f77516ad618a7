"""A page that looks at a table: who it is, and what it has not been told yet.

There is no line of messages that could grow: a page remembers which sections are new to it and how many
moves it has, and gets all of that in one message whenever its socket takes one. A slow page is told less
often, and costs the others nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from manyminds.apps.web.limits import Bucket, Limits

_encode = msgspec.json.Encoder().encode
MOST_ANSWERS = 20  # answers to this page alone that may wait


class Page:
    """One socket at one table. seat: None for who only watches."""

    def __init__(self, address: str, limits: Limits, now: float) -> None:
        self.address, self.limits = address, limits
        self.seat: int | None = None
        self.knows = 0  # moves that it has been told
        self.news: set[str] = set()
        self.answers: list[dict[str, Any]] = []  # to this page alone
        self.wake = asyncio.Event()
        self.messages = Bucket(limits.messages, limits.burst, now)
        self.hints = Bucket(limits.hints, 3.0, now)
        self.closing = ""  # why the server ends the connection

    def tell(self, *sections: str) -> None:
        """These sections are new."""
        self.news.update(sections)
        self.wake.set()

    def answer(self, **answer: Any) -> None:
        """For this page alone; the oldest is lost where it does not listen."""
        self.answers = [*self.answers[-MOST_ANSWERS + 1 :], answer]
        self.wake.set()

    def close(self, why: str) -> None:
        """End the connection, with a reason for people."""
        self.closing = self.closing or why
        self.wake.set()

    async def run(
        self, message: Callable[[Page], bytes], send: Callable[[str], Awaitable[None]]
    ) -> None:
        """Send what is new until the connection is to end; TimeoutError when it takes nothing."""
        while not self.closing:
            await self.wake.wait()
            self.wake.clear()
            if self.news:
                await self._send(send, message(self))
            while self.answers:
                await self._send(send, _encode(self.answers.pop(0)))
        await self._send(send, _encode({"closing": self.closing}))

    async def _send(self, send: Callable[[str], Awaitable[None]], data: bytes) -> None:
        async with asyncio.timeout(self.limits.patience):
            await send(data.decode())
