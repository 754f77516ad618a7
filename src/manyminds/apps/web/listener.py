"""The server process: uvicorn, told to wait for nobody and to lose nobody's moves."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from manyminds.apps.web.door import Door
from manyminds.apps.web.hunts.ground import Hunts
from manyminds.apps.web.limits import MESSAGE_BYTES, Limits
from manyminds.apps.web.lobby import Lobby
from manyminds.apps.web.server import Site
from manyminds.apps.web.store import TableStore
from manyminds.apps.web.thinking import Pool
from manyminds.core.errors import UsageError

_PING, _PONG = 15.0, 15.0  # s; who does not answer is offline
_BACKLOG = 1024


class _Impatient(H11Protocol):
    """Closes connections that do not say what they want, or take no bytes."""

    patience = Limits.patience

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        _give_up_after(transport, self.patience)
        self.loop.call_later(self.patience, self._still_silent)

    def _still_silent(self) -> None:
        silent: bool = self.cycle is None  # its first request would have made one
        if silent and self.transport.get_protocol() is self:
            self.transport.abort()


def _give_up_after(transport: asyncio.Transport, seconds: float) -> None:
    """Let the kernel end a connection that takes nothing for so long."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux
    connection = transport.get_extra_info("socket")
    if option is not None and connection is not None:
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, option, int(seconds * 1000))


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 finds a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host.strip("[]"), port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise UsageError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}; choose another --port"
        ) from None
    return listening


def serve(
    listening: socket.socket,
    host: str,
    store: Path,
    limits: Limits,
    origins: tuple[str, ...] = (),
    proxies: tuple[str, ...] = (),
    own: dict[str, str] | None = None,
    watched: dict[str, Path] | None = None,
    first: bool = False,
) -> None:
    """Serve until told to stop. proxies: whose word about addresses is taken. watched: campaigns' stores.

    first: programs have not been compiled on this machine yet, and are while people look round.
    """
    door = Door(host, origins)
    lobby = Lobby(TableStore(store), Pool(limits), limits, own)
    hunts = Hunts(limits, watched or {}, lobby.now)
    config = uvicorn.Config(
        Site(lobby, hunts, door, first).app(),
        http=_Impatient,
        ws="websockets-sansio",
        ws_max_size=4 * MESSAGE_BYTES,
        ws_ping_interval=_PING,
        ws_ping_timeout=_PONG,
        ws_per_message_deflate=False,
        lifespan="on",
        log_level="warning",
        access_log=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        server_header=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run(sockets=[listening])


def address_of(listening: socket.socket) -> Any:
    """Where it listens: host and port."""
    return listening.getsockname()[:2]
