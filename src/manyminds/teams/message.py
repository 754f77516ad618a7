"""What mates say: a short binary header, and what the kind of message puts behind it.

    version  kind  sender  flags  tick  root  number  payload
    u8       u8    u8      u8     u32   u32   u16     bytes

`tick` counts the joint moves that were played before, `root` is a hash of the position they led to and
of the match, `number` counts the sender's messages of that tick. All of it is little-endian. Whatever
is not exactly so is refused, with a reason that can be counted.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass

VERSION = 1
MOST_BYTES = 60_000  # of a message, header included: what one datagram holds
WIDE = 1  # flag: moves take four bytes instead of two

_HEADER = struct.Struct("<BBBBIIH")
HEADER_BYTES = _HEADER.size
MOST_NUMBER = 2**16

# Why a message is dropped; what it is counted under.
REASONS = {
    "truncated": "shorter than a header, or than its kind needs",
    "long": f"more than {MOST_BYTES} bytes",
    "foreign": "no message of ours",
    "version": "of another version",
    "kind": "of a kind that this mate does not take",
    "stranger": "from nobody in the team",
    "stale": "speaks of a position that play has left",
    "elsewhere": "speaks of a position that never was in this match",
    "repeated": "was received before, or a newer one was",
    "early": "speaks of positions too far ahead",
    "garbage": "what it says cannot be",
    "forged": "not sealed with the team's key",
}


class Refused(Exception):
    """A message that is dropped; `reason` is one of REASONS."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Message:
    """What one mate tells the others about one position."""

    kind: int
    sender: int
    tick: int
    root: int
    number: int
    payload: bytes
    flags: int = 0

    @property
    def order(self) -> tuple[int, int]:
        """Messages of one sender were said in this order; each has its own."""
        return self.tick, self.number

    def pack(self) -> bytes:
        """The message's bytes."""
        return (
            _HEADER.pack(
                VERSION, self.kind, self.sender, self.flags, self.tick, self.root, self.number
            )
            + self.payload
        )

    @staticmethod
    def unpack(data: bytes) -> Message:
        """The message whose bytes these are; Refused when they are none."""
        if len(data) < HEADER_BYTES:
            raise Refused("truncated")
        if len(data) > MOST_BYTES:
            raise Refused("long")
        version, kind, sender, flags, tick, root, number = _HEADER.unpack_from(data)
        if version != VERSION:
            raise Refused("version")
        if flags & ~WIDE:
            raise Refused("garbage")
        return Message(kind, sender, tick, root, number, bytes(data[HEADER_BYTES:]), flags)


def root_hash(position: bytes, match: int) -> int:
    """32 bits that tell a position of a match from others."""
    key = int(match).to_bytes(8, "little")
    return int.from_bytes(hashlib.blake2b(position, digest_size=4, key=key).digest(), "little")
