"""What goes over a real network: an envelope round what is said, sealed with the team's key.

    magic  version  kind  sender  -   match  content  seal
    "mM"   u8       u8    u8      u8  u64    bytes    16 bytes of an HMAC (SHA-256) over all before it

`match` grows from match to match, so that nothing of an earlier one is taken for news. Whatever is not
exactly so is refused, with a reason that can be counted.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from dataclasses import dataclass
from pathlib import Path

from manyminds.core.errors import UsageError
from manyminds.teams.message import MOST_BYTES, Refused

VERSION = 1
WORLD = 255  # the sender that is no mate: whoever plays the game's moves
TALK, SIGHT, MOVE, WHO, BEGIN, READY, END = range(1, 8)  # kinds
SEAL_BYTES = 16
LEAST_KEY, MOST_KEY = 16, 4096  # bytes of a key file

_MAGIC = b"mM"
_HEAD = struct.Struct("<2sBBBxQ")
ENVELOPE_BYTES = _HEAD.size + SEAL_BYTES


@dataclass(frozen=True, slots=True)
class Envelope:
    """One thing that was said to somebody. kind: TALK is a mate's message, the rest see sight.py."""

    kind: int
    sender: int
    match: int
    content: bytes


class Seal:
    """Seals and opens envelopes with a key that all of a team share.

    Without a key the seal only tells damaged envelopes from whole ones, which is enough on loopback.
    """

    def __init__(self, key: bytes = b"") -> None:
        self.has_key = bool(key)
        self._key = hashlib.sha256(b"manyminds team" + key).digest()

    def close(self, envelope: Envelope) -> bytes:
        """The sealed envelope's bytes."""
        if len(envelope.content) > MOST_BYTES:
            raise UsageError(
                f"a message of {len(envelope.content)} bytes; at most {MOST_BYTES} go into one"
            )
        head = _HEAD.pack(_MAGIC, VERSION, envelope.kind, envelope.sender, envelope.match)
        return head + envelope.content + self._of(head + envelope.content)

    def open(self, data: bytes) -> Envelope:
        """The envelope whose bytes these are; Refused when they are none of the team's."""
        if len(data) < ENVELOPE_BYTES:
            raise Refused("truncated")
        if len(data) > MOST_BYTES + ENVELOPE_BYTES:
            raise Refused("long")
        magic, version, kind, sender, match = _HEAD.unpack_from(data)
        if magic != _MAGIC:
            raise Refused("foreign")
        if version != VERSION:
            raise Refused("version")
        if not hmac.compare_digest(self._of(data[:-SEAL_BYTES]), data[-SEAL_BYTES:]):
            raise Refused("forged")
        return Envelope(kind, sender, match, bytes(data[_HEAD.size : -SEAL_BYTES]))

    def _of(self, data: bytes) -> bytes:
        return hmac.digest(self._key, data, "sha256")[:SEAL_BYTES]


def read_key(path: str | Path | None) -> bytes:
    """The team's key: what a file holds. No file, no key."""
    if path is None or str(path) == "":
        return b""
    try:
        with Path(path).open("rb") as file:
            key = file.read(MOST_KEY + 1)
    except OSError as error:
        raise UsageError(f"the key file {path} cannot be read: {error.strerror}") from error
    if not LEAST_KEY <= len(key) <= MOST_KEY:
        raise UsageError(
            f"a key file has {LEAST_KEY} to {MOST_KEY} bytes, {path} has "
            f"{'more' if len(key) > MOST_KEY else len(key)}; make one: head -c 32 /dev/urandom > {path}"
        )
    return key
