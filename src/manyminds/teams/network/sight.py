"""What the world and a mate tell each other: how a match begins, what is seen, and which move is made.

world to mate   BEGIN: the match           SIGHT: tick, the last joint moves, the position      END
mate to world   WHO: which match is on?    READY: it has begun here                             MOVE
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from manyminds.core.unreadable import UNREADABLE
from manyminds.games.contract import Game, JointMove
from manyminds.teams.message import Refused

MOST_JOINTS = 16  # joint moves that come with a position, for those who missed some
MOST_TICK_MS = 3_600_000

_SIGHT = struct.Struct("<IB")
_MOVE = struct.Struct("<II")


class Beginning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match: the game and its arguments, who sits where, the seed, and milliseconds of a tick."""

    game: str
    arguments: dict[str, Any]
    lineup: list[str]
    seed: int
    tick_ms: float

    def pack(self) -> bytes:
        """As MessagePack; what it has no word for, as text."""
        return msgspec.msgpack.encode(self, enc_hook=str)

    @staticmethod
    def unpack(data: bytes) -> Beginning:
        """The beginning whose bytes these are; Refused when they are none."""
        try:
            beginning = msgspec.msgpack.decode(data, type=Beginning)
        except UNREADABLE:
            raise Refused("garbage") from None
        if not 0 < beginning.tick_ms <= MOST_TICK_MS or not 0 <= beginning.seed < 2**64:
            raise Refused("garbage")
        return beginning


@dataclass(frozen=True, slots=True)
class Sight:
    """The position after `tick` joint moves, the last of which come with it, and its state's bytes."""

    tick: int
    joints: tuple[JointMove, ...]
    state: bytes

    def pack(self) -> bytes:
        """The bytes that are sent."""
        joints = np.array(self.joints, "<i4").tobytes()
        return _SIGHT.pack(self.tick, len(self.joints)) + joints + self.state

    @staticmethod
    def unpack(data: bytes, game: Game) -> Sight:
        """What was seen of this game; Refused when it cannot be."""
        if len(data) < _SIGHT.size:
            raise Refused("truncated")
        tick, n = _SIGHT.unpack_from(data)
        end = _SIGHT.size + 4 * n * game.seats
        if len(data) - end != game.state.dtype.itemsize:
            raise Refused("truncated")
        if n > min(MOST_JOINTS, tick):
            raise Refused("garbage")
        joints = np.frombuffer(data, "<i4", n * game.seats, _SIGHT.size).reshape(n, game.seats)
        if n and not (-1 <= int(joints.min()) and int(joints.max()) < game.move_ids):
            raise Refused("garbage")
        return Sight(tick, tuple(map(tuple, joints.tolist())), data[end:])


def pack_move(tick: int, move: int) -> bytes:
    """A seat's move at a tick."""
    return _MOVE.pack(tick, move)


def unpack_move(data: bytes) -> tuple[int, int]:
    """The tick and the move; Refused when the bytes are none."""
    if len(data) != _MOVE.size:
        raise Refused("truncated")
    tick, move = _MOVE.unpack(data)
    return tick, move


def last_joints(joints: Sequence[JointMove], game: Game) -> tuple[JointMove, ...]:
    """As many of the last joint moves as half a kilobyte holds, one at least."""
    most = max(1, min(MOST_JOINTS, 512 // (4 * game.seats)))
    return tuple(joints[-most:])
