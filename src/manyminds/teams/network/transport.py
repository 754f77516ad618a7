"""What carries datagrams between processes. The registry is open, and two come with us: udp and zenoh.

A transport belongs to one end, which has a name (a seat's, or "world") and listens at an address. It
never waits but in `wait`, delivers what arrives at most once, and may lose anything.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from manyminds.core.errors import UsageError, nearest

MOST_AT_ONCE = 1000  # datagrams that one look takes in

Address = Any  # of a peer, as its transport has it


class Transport(Protocol):
    """One end of a network."""

    address: str  # where it listens, as peers may be told

    def peer(self, name: str, address: str | None) -> Address:
        """Where to send what is for that peer; None where its address is not known yet."""

    def send(self, to: Address, data: bytes) -> None:
        """Send a datagram. Never waits, and never complains of what the network does."""

    def receive(self) -> list[tuple[Address, bytes]]:
        """What has arrived, at most MOST_AT_ONCE, each with where from (None where that is not known)."""

    def wait(self, seconds: float) -> None:
        """Return when something has arrived, at the latest after so many seconds."""

    def close(self) -> None:
        """Give back what it holds."""


@dataclass(frozen=True)
class _Entry:
    make: Callable[[str, str], Transport] | str
    help: str


_entries: dict[str, _Entry] = {}


def register_transport(
    name: str,
    make: Callable[[str, str], Transport] | str,
    help: str = "",  # noqa: A002 - as in `register`
) -> None:
    """Make a transport known as `name`: `make(own name, address to listen at)`, or "module:function"."""
    _entries[name] = _Entry(make, help)


def known_transports() -> dict[str, str]:
    """Every transport's name with its one line, in alphabetical order."""
    return {name: _entries[name].help for name in sorted(_entries)}


def open_transport(kind: str, name: str, listen: str, has_key: bool) -> Transport:
    """An end called `name` that listens at an address; beyond this machine only with a key."""
    if kind not in _entries:
        raise UsageError(f'there is no transport "{kind}"; {nearest(kind, _entries)}')
    if not has_key and not is_loopback(listen):
        raise UsageError(
            f"{listen} can be reached from other machines, where anybody could speak for a mate: give "
            "the team a key (--key FILE), or listen at 127.0.0.1"
        )
    make = _entries[kind].make
    if isinstance(make, str):
        module, _, function = make.partition(":")
        make = getattr(import_module(module), function)
    assert callable(make)
    return make(name, listen)


def host_and_port(address: str) -> tuple[str, int]:
    """An address as typed, `HOST:PORT` or `[HOST]:PORT`, in its two parts."""
    host, colon, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not (port.isascii() and port.isdigit() and int(port) < 65_536):
        raise UsageError(f'"{address[:60]}" is no address; write HOST:PORT, such as 127.0.0.1:7001')
    return host, int(port)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address; `udp/HOST:PORT` is one, too."""
    host, _ = host_and_port(address.rpartition("/")[2])
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


register_transport(
    "udp", "manyminds.teams.network.udp:Udp", "one datagram a message, straight to each mate"
)
register_transport(
    "zenoh",
    "manyminds.teams.network.zenoh:open_zenoh",
    'best effort over Zenoh, which robots speak (extra "network")',
)
