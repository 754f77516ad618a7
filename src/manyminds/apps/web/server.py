"""The door: addresses, sockets and headers. What happens behind it is the lobby's."""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import resources
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from manyminds.apps.web import policy
from manyminds.apps.web.door import HEADERS, Door, address_of
from manyminds.apps.web.hunts.ground import Hunts
from manyminds.apps.web.hunts.hunt import Hunt
from manyminds.apps.web.limits import REQUEST_BYTES
from manyminds.apps.web.live import LiveTable
from manyminds.apps.web.lobby import Lobby
from manyminds.apps.web.page import Page
from manyminds.apps.web.protocol import Sit, read_hunt_wish, read_said, read_wish
from manyminds.apps.web.record import record_of
from manyminds.apps.web.refused import Refused
from manyminds.core.errors import Failure
from manyminds.games.go import sgf
from manyminds.games.go.game import go

_CLEAN_UP = 30.0  # s between two looks for what may be forgotten
_NORMAL, _REFUSED = 1000, 1008  # why a socket is closed
Handler = Callable[[Request], Awaitable[Response]]
Find = Callable[[str], Awaitable[LiveTable | Hunt]]
_PAGES = {"": "index.html", "table": "table.html", "ghosts": "ghosts.html", "hunt": "hunt.html"}


def files() -> dict[str, tuple[bytes, str]]:
    """All that pages are made of, by name, with its type."""
    folder = resources.files("manyminds.apps.web") / "pages"
    found = {}
    for file in folder.iterdir():
        if file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            kind = "text/javascript" if file.name.endswith(".js") else kind
            text = kind.startswith("text/")
            found[file.name] = (file.read_bytes(), kind + ("; charset=utf-8" if text else ""))
    return found


class Site:
    """Answers requests and holds sockets for a lobby, and for hunts. first: on a machine new to programs."""

    def __init__(self, lobby: Lobby, hunts: Hunts, door: Door, first: bool = False) -> None:
        self.lobby, self.hunts, self.door, self.first = lobby, hunts, door, first
        self.files = files()

    def app(self) -> Starlette:
        """The ASGI application."""
        routes = [
            Route("/", self.guarded(self.file)),
            Route("/table/{id}", self.guarded(self.file)),
            Route("/table/{id}/game.sgf", self.guarded(self.sgf)),
            Route("/ghosts", self.guarded(self.file)),
            Route("/hunt/{id}", self.guarded(self.file)),
            Route("/static/{name}", self.guarded(self.file)),
            Route("/api/tables", self.guarded(self.listed), methods=["GET"]),
            Route("/api/tables", self.guarded(self.make), methods=["POST"]),
            Route("/api/players", self.guarded(self.players)),
            Route("/api/hunts", self.guarded(self.hunters), methods=["GET"]),
            Route("/api/hunts", self.guarded(self.hunt), methods=["POST"]),
            WebSocketRoute("/table/{id}/socket", self.table_socket),
            WebSocketRoute("/hunt/{id}/socket", self.hunt_socket),
        ]
        return Starlette(routes=routes, lifespan=self.life)

    @contextlib.asynccontextmanager
    async def life(self, app: Starlette) -> AsyncIterator[None]:
        """While the server runs, what nobody looks at is forgotten now and then."""
        work = [asyncio.create_task(self._clean_up())]
        if self.first:
            work.append(asyncio.create_task(self.lobby.warm_up()))
        try:
            yield
        finally:
            for task in work:
                task.cancel()
            await self.hunts.close()
            await self.lobby.close()

    async def _clean_up(self) -> None:
        while True:
            await asyncio.sleep(_CLEAN_UP)
            self.lobby.forget()
            await self.hunts.forget()

    # --- requests --------------------------------------------------------------------------------

    def guarded(self, handler: Handler) -> Handler:
        """The handler behind the door; a refusal is an answer as well."""

        async def answer(request: Request) -> Response:
            try:
                self.door.check(request.headers, from_page=request.method == "POST")
                self.lobby.asks(address_of(request.client))
                response = await handler(request)
            except Refused as problem:
                response = _json({"refused": problem.reason}, problem.status)
            except Failure as problem:
                response = _json({"refused": f"the server cannot do this now: {problem}"}, 503)
            response.headers.update(HEADERS)
            return response

        return answer

    async def file(self, request: Request) -> Response:
        """A page, or what it is made of."""
        name = request.path_params.get("name") or _PAGES[request.url.path.split("/")[1]]
        if name not in self.files:
            raise Refused("there is no such file", 404)
        data, kind = self.files[name]
        return Response(data, media_type=kind, headers={"cache-control": "no-cache"})

    async def listed(self, request: Request) -> Response:
        """The tables that may be watched."""
        return _json({"tables": self.lobby.listed()})

    async def players(self, request: Request) -> Response:
        """The programs that may be asked for; what plays three colours plays any number."""
        return _json(
            {"players": policy.catalogue(go(size=9, colours=3)), "own": sorted(self.lobby.own)}
        )

    async def make(self, request: Request) -> Response:
        """A new table."""
        wish = read_wish(await self._body(request))
        return _json(self.lobby.make(wish, address_of(request.client)), 201)

    async def hunters(self, request: Request) -> Response:
        """Who may hunt, and the stores with hunts to look at."""
        return _json(await self.hunts.offer())

    async def hunt(self, request: Request) -> Response:
        """A new hunt."""
        wish = read_hunt_wish(await self._body(request))
        self.lobby.makes(address_of(request.client))
        return _json(self.hunts.make(wish), 201)

    async def sgf(self, request: Request) -> Response:
        """A table's game as a file."""
        live = await self.lobby.find(request.path_params["id"])
        headers = {"content-disposition": f'attachment; filename="manyminds-{live.table.id}.sgf"'}
        text = sgf.write(record_of(live.table))
        return Response(text, media_type="application/x-go-sgf; charset=utf-8", headers=headers)

    async def _body(self, request: Request) -> bytes:
        """What was sent, if it is not too much and arrives in time."""
        data = bytearray()
        try:
            async with asyncio.timeout(self.lobby.limits.patience):
                async for part in request.stream():
                    data += part
                    if len(data) > REQUEST_BYTES:
                        raise Refused(f"at most {REQUEST_BYTES} bytes at once", 413)
        except TimeoutError:
            raise Refused("this request took too long to arrive", 408) from None
        return bytes(data)

    # --- sockets ---------------------------------------------------------------------------------

    async def table_socket(self, socket: WebSocket) -> None:
        """A page at a table."""
        await self.socket(socket, self.lobby.find)

    async def hunt_socket(self, socket: WebSocket) -> None:
        """A page that watches a hunt."""
        await self.socket(socket, self.hunts.find)

    async def socket(self, socket: WebSocket, find: Find) -> None:
        """A page, until it leaves."""
        address = address_of(socket.client)
        try:
            self.door.check(socket.headers, from_page=True)
        except Refused:
            await socket.close(_REFUSED)  # before it is accepted: HTTP 403
            return
        await socket.accept()
        try:
            self.lobby.asks(address)
            self.lobby.admit(address)
        except Refused as problem:
            await _goodbye(socket, problem.reason)
            return
        try:
            await self._sit(socket, find, Page(address, self.lobby.limits, self.lobby.now()))
        except Refused as problem:
            await _goodbye(socket, problem.reason)
        except (WebSocketDisconnect, TimeoutError, RuntimeError):
            await _goodbye(socket, "")
        finally:
            self.lobby.dismiss(address)

    async def _sit(self, socket: WebSocket, find: Find, page: Page) -> None:
        async with asyncio.timeout(self.lobby.limits.patience):
            said = read_said(await socket.receive_text())
        if not isinstance(said, Sit):
            raise Refused("a page says first who it is")
        live = await find(socket.path_params["id"])
        self.lobby.enter(live, page, said.key)
        try:
            await self._talk(socket, live, page)
        finally:
            live.leave(page)

    async def _talk(self, socket: WebSocket, live: LiveTable | Hunt, page: Page) -> None:
        """Both directions; when one ends, the other does."""
        ways = [
            asyncio.ensure_future(page.run(live.message, socket.send_text)),
            asyncio.ensure_future(self._listen(socket, live, page)),
        ]
        try:
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in done:
                way.result()
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        await _goodbye(socket, "")

    async def _listen(self, socket: WebSocket, live: LiveTable | Hunt, page: Page) -> None:
        while True:
            text = await socket.receive_text()
            if not page.messages.take(self.lobby.now()):
                page.close("too many messages at once; reload the page to come back")
                await asyncio.sleep(self.lobby.limits.patience)  # until the reason has been sent
            try:
                live.hear(page, text)
            except Refused as problem:
                page.answer(refused=problem.reason)


async def _goodbye(socket: WebSocket, reason: str) -> None:
    """Close, with the reason in a message; the socket may be gone already."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(1.0):
            if reason:
                await socket.send_text(msgspec.json.encode({"closing": reason}).decode())
            await socket.close(_REFUSED if reason else _NORMAL)


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")
