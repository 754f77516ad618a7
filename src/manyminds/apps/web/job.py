"""What a thinker is asked and what it answers: one frame each, four bytes of length and MessagePack."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from manyminds.apps.web.event import Setup, Thought

LONGEST_FRAME = 4_000_000  # bytes


class Job(Struct, frozen=True, kw_only=True):
    """A question about a table after `moves`, to a program as typed.

    key: who asks; the same key keeps the program and its tree. want: "move", or "dead" for the points
    that are likely another colour's in the end; `seat` is then of no meaning.
    """

    key: str
    setup: Setup
    moves: tuple[int, ...]
    passes: int
    seat: int
    player: str
    want: Literal["move", "dead"] = "move"


class Ready(Struct, frozen=True, tag=True):
    """The program has begun its game; from here on its time counts."""


class Answer(Struct, frozen=True, tag=True):
    """What it would play, with what it thinks; or the dead points."""

    thought: Thought | None = None
    dead: tuple[int, ...] = ()


class Trouble(Struct, frozen=True, tag=True):
    """Why there is no answer."""

    reason: str


Reply = Ready | Answer | Trouble

jobs = msgspec.msgpack.Decoder(Job)
replies = msgspec.msgpack.Decoder(Reply)


def frame(value: Job | Reply) -> bytes:
    """As it is sent."""
    data = msgspec.msgpack.encode(value)
    return len(data).to_bytes(4, "little") + data
