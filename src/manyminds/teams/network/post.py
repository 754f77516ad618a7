"""One end of a team's network: envelopes out and in, and what mates say as a channel carries it."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping, Sequence

from manyminds.core.errors import UsageError
from manyminds.teams.channel import ALL, Traffic
from manyminds.teams.message import MOST_BYTES, Refused
from manyminds.teams.network.envelope import ENVELOPE_BYTES, TALK, WORLD, Envelope, Seal
from manyminds.teams.network.transport import Address, Transport

MOST_HEARD = 10_000  # messages of mates that wait to be taken in; the oldest give way


class Post:
    """Sends to seats and the world, and opens what comes. `counts` says what was dropped for which reason.

    Who was given no address is answered where it last wrote from.
    """

    def __init__(
        self, transport: Transport, seal: Seal, own: int, peers: Mapping[int, Address]
    ) -> None:
        self.transport, self.seal, self.own = transport, seal, own
        self.addresses = {seat: peer for seat, peer in peers.items() if peer is not None}
        self._given = frozenset(self.addresses)
        self.match = 0
        self.counts: Counter[str] = Counter()
        self.heard: deque[bytes] = deque(maxlen=MOST_HEARD)

    def tell(self, kind: int, to: int, content: bytes = b"", match: int | None = None) -> bool:
        """Send somebody something; False where nobody knows its address."""
        address = self.addresses.get(to)
        if address is None:
            return False
        envelope = Envelope(kind, self.own, self.match if match is None else match, content)
        self.transport.send(address, self.seal.close(envelope))
        return True

    def collect(self) -> list[Envelope]:
        """What has arrived but for mates' talk, which waits in `heard`."""
        others = []
        for origin, data in self.transport.receive():
            try:
                envelope = self.seal.open(data)
                if envelope.sender == self.own:
                    raise Refused("stranger")
            except Refused as refused:
                self.counts[refused.reason] += 1
                continue
            if origin is not None and envelope.sender not in self._given:
                self.addresses[envelope.sender] = origin
            if envelope.kind != TALK:
                others.append(envelope)
            elif envelope.match != self.match:
                self.counts["elsewhere"] += 1
            else:
                self.heard.append(envelope.content)
        return others

    def close(self) -> None:
        """Give the network back."""
        self.transport.close()


class Line:
    """A post as the channel of one seat: the mates' side of a real network.

    rate: bytes a second that it sends at most, envelopes included, to each of the others.
    """

    def __init__(self, post: Post, mates: Sequence[int], rate: float = math.inf) -> None:
        self.post, self.rate = post, rate
        self.mates = tuple(seat for seat in mates if seat not in (post.own, WORLD))
        self.traffic = Traffic()
        self._free = 0.0

    def send(self, sender: int, to: int, data: bytes, now: float) -> None:
        if sender != self.post.own or (to != ALL and to not in self.mates):
            raise UsageError(
                f"this is seat {self.post.own}'s line to {self.mates}, not {sender} to {to}"
            )
        if len(data) > MOST_BYTES:
            raise UsageError(f"a message of {len(data)} bytes; at most {MOST_BYTES}")
        self.traffic.messages += 1
        self._free = max(now, self._free) + (len(data) + ENVELOPE_BYTES) / self.rate
        for mate in self.mates if to == ALL else (to,):
            self.traffic.addressed += 1
            self.traffic.bytes_sent += len(data) + ENVELOPE_BYTES
            if not self.post.tell(TALK, mate, data):
                self.traffic.lost += 1

    def receive(self, to: int, now: float) -> list[bytes]:
        arrived = list(self.post.heard)
        self.post.heard.clear()
        self.traffic.delivered += len(arrived)
        return arrived

    def busy(self, sender: int, now: float) -> float:
        return max(0.0, self._free - now)
