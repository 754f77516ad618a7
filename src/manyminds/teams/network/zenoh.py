"""Best effort over Zenoh: what ROS 2 and many robots speak, through routers and across networks.

Every end has a key of its own, `manyminds/SEAT`, that it listens to. Discovery is off: an end listens at
its address and connects to those it is given. A message that finds a full queue is dropped, since a newer
one will follow.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from manyminds.core.errors import MissingExtra, UsageError
from manyminds.teams.network.transport import MOST_AT_ONCE, host_and_port

PREFIX = "manyminds"
LEASE_MS = 1000  # a silently dead link is noticed after so long
_SETTINGS = {
    "mode": '"peer"',
    "scouting/multicast/enabled": "false",
    "scouting/gossip/enabled": "false",
    "connect/timeout_ms": "0",  # mates come and go: nobody waits for them
    "connect/exit_on_failure": "false",
    "connect/retry": '{"period_init_ms": 250, "period_max_ms": 1000, "period_increase_factor": 2}',
    "transport/link/tx/lease": str(LEASE_MS),
    "transport/link/tx/queue/size/data": "16",  # with the usual 2, some are dropped under load
}


def open_zenoh(name: str, listen: str) -> ZenohEnd:
    """An end on Zenoh; an address is HOST:PORT (over UDP), or Zenoh's own, such as tcp/HOST:PORT."""
    try:
        import zenoh
    except ImportError:
        raise MissingExtra("network", "a network over Zenoh") from None
    return ZenohEnd(zenoh, name, listen)


class ZenohEnd:
    """A session that opens when it is first used, with all peers that are known by then."""

    def __init__(self, zenoh: Any, name: str, listen: str) -> None:
        self._zenoh, self._name = zenoh, name
        self.address = _locator(listen)
        self._peers: list[str] = []
        self._arrived: deque[bytes] = deque(maxlen=MOST_AT_ONCE)
        self._news = threading.Event()
        self._session: Any = None
        self._publishers: dict[str, Any] = {}

    def peer(self, name: str, address: str | None) -> str:
        if address is not None:
            if self._session is not None:
                raise UsageError("over Zenoh, peers are named before anything is sent")
            self._peers.append(_locator(address))
        return f"{PREFIX}/{name}"

    def send(self, to: str, data: bytes) -> None:
        self._open()
        try:
            self._publisher(to).put(data)
        except self._zenoh.ZError:
            return  # lost, as networks lose things

    def receive(self) -> list[tuple[None, bytes]]:
        self._open()
        self._news.clear()
        return [(None, self._arrived.popleft()) for _ in range(len(self._arrived))]

    def wait(self, seconds: float) -> None:
        self._open()
        if not self._arrived:
            self._news.wait(max(seconds, 0.0))

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def _open(self) -> None:
        if self._session is not None:
            return
        config = self._zenoh.Config()
        for key, value in _SETTINGS.items():
            config.insert_json5(key, value)
        listening = [] if self.address.endswith(":0") else [self.address]
        config.insert_json5("listen/endpoints", _texts(listening))
        config.insert_json5("connect/endpoints", _texts(self._peers))
        try:
            self._session = self._zenoh.open(config)
        except self._zenoh.ZError as error:
            raise UsageError(f"Zenoh cannot listen at {self.address}: {error}") from error
        self._session.declare_subscriber(f"{PREFIX}/{self._name}", self._take)

    def _take(self, sample: Any) -> None:
        self._arrived.append(bytes(sample.payload))
        self._news.set()

    def _publisher(self, key: str) -> Any:
        if key not in self._publishers:
            self._publishers[key] = self._session.declare_publisher(
                key,
                congestion_control=self._zenoh.CongestionControl.DROP,
                reliability=self._zenoh.Reliability.BEST_EFFORT,
                express=False,
            )
        return self._publishers[key]


def _locator(address: str) -> str:
    """An address in Zenoh's writing; over UDP where nothing else is said."""
    kind, slash, place = address.rpartition("/")
    host_and_port(place)
    return f"{kind}/{place}" if slash else f"udp/{place}"


def _texts(texts: list[str]) -> str:
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"
