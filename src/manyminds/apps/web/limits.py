"""How much of everything one server gives, and a bucket that measures rates."""

from __future__ import annotations

from dataclasses import dataclass, replace

MESSAGE_BYTES = 1_000  # of one message from a page
REQUEST_BYTES = 1_000_000  # of one request, which may bring an SGF file
NAME_CHARACTERS, TITLE_CHARACTERS, PLAYER_CHARACTERS = 40, 60, 300


@dataclass(frozen=True)
class Limits:
    """Numbers beyond which the server says no. Times are in seconds.

    An address is what the connection comes from, or what a trusted proxy says it comes from.
    """

    tables: int = 1_000  # that are not over
    tables_per_address: int = 100  # in an hour
    sockets: int = 2_000
    sockets_per_address: int = 100
    sockets_per_table: int = 200
    messages: float = 10.0  # in a second, from one socket
    burst: float = 40.0
    requests: float = 20.0  # in a second, from one address
    request_burst: float = 200.0
    hints: float = 0.2  # in a second, from one socket
    patience: float = 20.0  # for a request to arrive, a message to leave
    answers: float = 300.0  # to agree on dead stones
    thinkers: int = 2  # processes
    waiting: int = 100  # questions to them
    thinking: float = 10.0  # a program's budget in time for one move
    simulations: int = 100_000  # or in simulations
    hunts: int = 3  # teams that hunt at once, a process each
    hunting: int = 5_000  # a mate's budget in simulations for one tick
    deadline: float = 60.0  # after which a program is taken to hang
    beginning: float = 180.0  # the same for getting ready: its first game is compiled then

    def for_each_address(self, pages: int) -> Limits:
        """With so many pages from one address, and as much more or less of all else from it."""
        share = pages / self.sockets_per_address
        return replace(
            self,
            sockets_per_address=pages,
            tables_per_address=pages,
            requests=max(5.0, self.requests * share),
            request_burst=max(50.0, self.request_burst * share),
        )


class Bucket:
    """Holds up to `burst` drops and gains `rate` a second; who may do something takes one."""

    __slots__ = ("at", "burst", "drops", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate, self.burst, self.drops, self.at = rate, burst, burst, now

    def take(self, now: float, drops: float = 1.0) -> bool:
        """Whether there was enough; then it is gone."""
        self.drops = min(self.burst, self.drops + self.rate * max(now - self.at, 0.0))
        self.at = now
        if self.drops < drops:
            return False
        self.drops -= drops
        return True

    def full(self, now: float) -> bool:
        """Whether nothing has been taken for so long that it may be forgotten."""
        return self.drops + self.rate * (now - self.at) >= self.burst
