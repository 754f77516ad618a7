"""What a hunter's process is told: one frame each, four bytes of length and MessagePack.

It answers with frames whose first byte says what follows, as JSON that goes to pages as it is.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from manyminds.teams.virtual import VirtualPlan

LONGEST_FRAME = 4_000_000  # bytes
GROUND, TICK, END, TROUBLE = b"g", b"t", b"e", b"x"


class Air(Struct, frozen=True):
    """What the channel is like. rate: bytes a second of each mate; None: no limit."""

    rate: float | None = None
    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    loss: float = 0.0
    burst: float = 1.0

    def plan(self) -> VirtualPlan:
        """The channel; UsageError where there can be none."""
        return VirtualPlan(self.rate, self.delay_ms, self.jitter_ms, self.loss, self.burst)

    @staticmethod
    def of(plan: VirtualPlan) -> Air:
        """What a channel of this plan is like."""
        return Air(plan.rate, plan.delay_ms, plan.jitter_ms, plan.loss, plan.burst)


class Pace(Struct, frozen=True, tag=True):
    """Ticks a second at most; 0: stand still."""

    ticks: float


class Live(Struct, frozen=True, kw_only=True, tag=True):
    """Play a game. game: arguments of Pac-Man; broken: by seat what ails a mate."""

    game: dict[str, Any]
    pacman: str
    mates: str
    air: Air
    seed: int
    pace: Pace
    broken: dict[str, str] = {}


class Stored(Struct, frozen=True, kw_only=True, tag=True):
    """Play a store's game again: the same mates, seed and channel, held against what was played then."""

    store: str
    number: int
    pace: Pace


class Tune(Struct, frozen=True, tag=True):
    """The channel is like this from now on."""

    air: Air


Order = Live | Stored
Word = Live | Stored | Tune | Pace

words = msgspec.msgpack.Decoder(Word)


def frame(word: Word) -> bytes:
    """As it is sent to the process."""
    data = msgspec.msgpack.encode(word)
    return len(data).to_bytes(4, "little") + data


def shown(kind: bytes, value: Any) -> bytes:
    """As the process shows something."""
    data = kind + msgspec.json.encode(value)
    return len(data).to_bytes(4, "little") + data
