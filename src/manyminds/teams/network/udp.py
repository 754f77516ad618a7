"""Datagrams over UDP: the plainest network there is, and the best on bad links."""

from __future__ import annotations

import select
import socket

from manyminds.core.errors import UsageError
from manyminds.teams.network.transport import MOST_AT_ONCE, host_and_port

_LARGEST = 65_536
_BUFFER = 1 << 20  # bytes that may wait to be received


class Udp:
    """One socket. Whoever sends from an address can be answered there."""

    def __init__(self, name: str, listen: str) -> None:
        host, port = host_and_port(listen)
        found = _resolve(host, port)
        self.family = found[0]
        self.socket = socket.socket(self.family, socket.SOCK_DGRAM)
        try:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
            self.socket.setblocking(False)
            self.socket.bind(found[1])
        except OSError as error:
            self.socket.close()
            raise UsageError(
                f"cannot listen at {listen}: {error.strerror}; give another address, or port 0 for a free one"
            ) from error
        at, number = self.socket.getsockname()[:2]
        self.address = f"[{at}]:{number}" if ":" in at else f"{at}:{number}"

    def peer(self, name: str, address: str | None) -> tuple[object, ...] | None:
        if address is None:
            return None
        return _resolve(*host_and_port(address), self.family)[1]

    def send(self, to: tuple[object, ...], data: bytes) -> None:
        try:
            self.socket.sendto(data, to)
        except OSError:
            return  # a full buffer, no way there: lost, as networks lose things

    def receive(self) -> list[tuple[tuple[object, ...], bytes]]:
        arrived = []
        for _ in range(MOST_AT_ONCE):
            try:
                data, origin = self.socket.recvfrom(_LARGEST)
            except BlockingIOError:
                break
            except OSError:
                continue  # somebody's "nobody listens here", about what was sent before
            arrived.append((origin, data))
        return arrived

    def wait(self, seconds: float) -> None:
        select.select([self.socket], [], [], max(seconds, 0.0))

    def close(self) -> None:
        self.socket.close()


def _resolve(host: str, port: int, family: int = 0) -> tuple[int, tuple[object, ...]]:
    try:
        found = socket.getaddrinfo(host, port, family, socket.SOCK_DGRAM)
    except OSError as error:
        raise UsageError(f'no machine is called "{host[:60]}": {error.strerror}') from error
    return found[0][0], found[0][4]
