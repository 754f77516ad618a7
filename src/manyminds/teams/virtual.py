"""A channel in virtual time: exact, seeded, and as slow or unreliable as one likes.

Every sender has one link of `rate` bytes a second, on which its messages stand in line. A message is out
when its last byte is, and arrives `delay` later, plus a jitter drawn evenly from 0 to `jitter`. With
`broadcast` a message to all goes over the link once, and is lost or late for each receiver apart; without,
it goes over the link once for each. Losses strike packets: a message of several arrives when all do.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from manyminds.core.errors import UsageError
from manyminds.core.random import derive
from manyminds.players.arguments import Argument, flag, number, whole
from manyminds.teams.channel import ALL, Traffic, register_channel
from manyminds.teams.message import MOST_BYTES

MOST_WAITING = 100_000  # messages under way to one seat
PACKET = 1400


@dataclass(frozen=True)
class VirtualPlan:
    """How a virtual channel behaves.

    rate: bytes a second; None: no limit. delay_ms, jitter_ms: milliseconds. loss: share of packets lost,
    below 1. burst: packets lost in a row on average (Gilbert's two states); 1: each for itself.
    packet: bytes of a packet. broadcast: whether a message to all goes out once.
    """

    rate: float | None = None
    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    loss: float = 0.0
    burst: float = 1.0
    packet: int = PACKET
    broadcast: bool = True

    def __post_init__(self) -> None:
        _between("rate", 1 if self.rate is None else self.rate, 1e-3, 1e15, "bytes a second")
        _between("delay_ms", self.delay_ms, 0, 1e7, "milliseconds")
        _between("jitter_ms", self.jitter_ms, 0, 1e7, "milliseconds")
        _between("loss", self.loss, 0, 0.999, "the share of packets that are lost")
        _between("burst", self.burst, 1, 1e6, "packets lost in a row on average")
        _between("packet", self.packet, 1, MOST_BYTES, "bytes of a packet")
        if self.burst > 1 and self.loss > self.burst / (1 + self.burst):
            raise UsageError(
                f"bursts of {self.burst:g} packets cannot lose {self.loss:g} of all: the pauses between them "
                "would be shorter than a packet; take longer bursts"
            )

    def open(self, seats: Sequence[int], seed: int) -> VirtualChannel:
        return VirtualChannel(self, seats, seed)

    def __str__(self) -> str:
        default = VirtualPlan()
        given = {
            name: getattr(self, name)
            for name in self.__dataclass_fields__
            if getattr(self, name) != getattr(default, name)
        }
        return f"virtual({', '.join(f'{name}={_text(value)}' for name, value in given.items())})"


class Passage(NamedTuple):
    """What became of a message on its way to one seat: `arrives` is None where it was lost.

    Times are seconds: out is when its last byte was on its way.
    """

    sender: int
    to: int
    size: int
    out: float
    arrives: float | None


class VirtualChannel:
    """A channel of such a plan between some seats, for one match.

    `witness` is told of every message on its way, and changes nothing.
    """

    witness: Callable[[Passage], None] | None = None

    def __init__(self, plan: VirtualPlan, seats: Sequence[int], seed: int) -> None:
        self.seats = tuple(seats)
        self.traffic = Traffic()
        self._free = dict.fromkeys(self.seats, 0.0)  # when each sender's link is free
        self._waiting: dict[int, list[tuple[float, int, bytes]]] = {s: [] for s in self.seats}
        pairs = [(one, other) for one in self.seats for other in self.seats if one != other]
        self._links = {
            pair: _Link(plan, random.Random(derive(seed, "link", *pair))) for pair in pairs
        }
        self._sent = 0
        self.change(plan)

    def change(self, plan: VirtualPlan) -> None:
        """It behaves so from now on; what is under way arrives as it would have."""
        self.plan = plan
        self.rate = math.inf if plan.rate is None else float(plan.rate)
        for link in self._links.values():
            link.change(plan)

    def send(self, sender: int, to: int, data: bytes, now: float) -> None:
        others = [seat for seat in self.seats if seat != sender]
        receivers = others if to == ALL else [to]
        if sender not in self.seats or any(seat not in others for seat in receivers):
            raise UsageError(f"this channel has the seats {self.seats}, not {sender} to {to}")
        if len(data) > MOST_BYTES:
            raise UsageError(f"a message of {len(data)} bytes; at most {MOST_BYTES}")
        self.traffic.messages += 1
        out = self._out(sender, len(data), now) if self.plan.broadcast else 0.0
        for receiver in receivers:
            if not self.plan.broadcast:
                out = self._out(sender, len(data), now)
            self._under_way(sender, receiver, data, out)

    def receive(self, to: int, now: float) -> list[bytes]:
        waiting = self._waiting[to]
        arrived = []
        while waiting and waiting[0][0] <= now:
            arrived.append(heapq.heappop(waiting)[2])
        self.traffic.delivered += len(arrived)
        return arrived

    def busy(self, sender: int, now: float) -> float:
        return max(0.0, self._free[sender] - now)

    def _out(self, sender: int, n: int, now: float) -> float:
        """When the last byte of a message is on its way."""
        self.traffic.bytes_sent += n
        self._free[sender] = max(now, self._free[sender]) + n / self.rate
        return self._free[sender]

    def _under_way(self, sender: int, receiver: int, data: bytes, out: float) -> None:
        self.traffic.addressed += 1
        late = self._links[sender, receiver].carry(len(data))
        waiting = self._waiting[receiver]
        arrives = None if late is None or len(waiting) >= MOST_WAITING else out + late
        if self.witness is not None:
            self.witness(Passage(sender, receiver, len(data), out, arrives))
        if arrives is None:
            self.traffic.lost += 1
            return
        self._sent += 1
        heapq.heappush(waiting, (arrives, self._sent, data))


class _Link:
    """What befalls packets from one seat to another."""

    def __init__(self, plan: VirtualPlan, rng: random.Random) -> None:
        self.rng = rng
        self.change(plan)
        self.bad = rng.random() < plan.loss

    def change(self, plan: VirtualPlan) -> None:
        self.plan = plan
        self.leave = 1 / plan.burst
        self.enter = plan.loss / (1 - plan.loss) / plan.burst

    def carry(self, n: int) -> float | None:
        """Seconds until a message of n bytes arrives after it is out; None when a packet of it is lost."""
        lost = False
        for _ in range(max(1, -(-n // self.plan.packet))):
            lost |= self._loses()
        jitter = self.rng.random() * self.plan.jitter_ms
        return None if lost else (self.plan.delay_ms + jitter) / 1000

    def _loses(self) -> bool:
        if self.plan.burst == 1:
            return self.rng.random() < self.plan.loss
        lost = self.bad
        change = self.leave if self.bad else self.enter
        if self.rng.random() < change:
            self.bad = not self.bad
        return lost


def channel(
    rate: float | None = None,
    delay_ms: float = 0.0,
    jitter_ms: float = 0.0,
    loss: float = 0.0,
    burst: float = 1.0,
    packet: int = PACKET,
    broadcast: bool = True,
) -> VirtualPlan:
    """A channel in virtual time; what is not said does not hold messages up.

    >>> import manyminds as mm
    >>> mm.channel(rate=64_000, delay_ms=5, loss=0.3).loss
    0.3
    """
    return VirtualPlan(rate, delay_ms, jitter_ms, loss, burst, packet, broadcast)


def _between(name: str, value: float, least: float, most: float, words: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise UsageError(f"a channel's {name} is {words}, from {least:g} to {most:g}, not {value}")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value}"


register_channel(
    "virtual",
    channel,
    (
        Argument("rate", number(1e-3, 1e15), None, "bytes a second of each sender; none: no limit"),
        Argument("delay_ms", number(0, 1e7), 0.0, "milliseconds under way"),
        Argument("jitter_ms", number(0, 1e7), 0.0, "milliseconds more, at random"),
        Argument("loss", number(0, 0.999), 0.0, "share of packets that are lost"),
        Argument("burst", number(1, 1e6), 1.0, "packets lost in a row on average"),
        Argument("packet", whole(1, MOST_BYTES), PACKET, "bytes of a packet"),
        Argument("broadcast", flag, True, "a message to all goes out once, not once to each"),
    ),
    "in virtual time, exact and seeded: rate, delay, jitter, loss, bursts",
)
