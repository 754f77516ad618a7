"""Plans as payloads: how many lines; of each its length, its chance in 16 bits, and its moves.

lines  (length  chance  move ...) ...
u8      u8      u16     u8, u16 or u32, by the game's moves
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from manyminds.search.open_tree import MOST_PLAN_MOVES, MOST_PLANS
from manyminds.teams.message import Refused

_LINE = struct.Struct("<BH")
_FULL = 65_535


def line_bytes(move_ids: int, moves: int) -> int:
    """What a line of so many moves takes."""
    return _LINE.size + moves * _move(move_ids).itemsize


def pack_plan(lines: Sequence[tuple[Sequence[int], float]], move_ids: int) -> bytes:
    """Lines with their chances."""
    parts = [bytes([len(lines)])]
    for line, chance in lines:
        parts.append(_LINE.pack(len(line), max(1, round(min(chance, 1.0) * _FULL))))
        parts.append(np.array(line, _move(move_ids)).tobytes())
    return b"".join(parts)


def unpack_plan(payload: bytes, move_ids: int) -> list[tuple[list[int], float]]:
    """The lines that were packed so; Refused for what nobody plans."""
    if not payload:
        raise Refused("truncated")
    if not 1 <= payload[0] <= MOST_PLANS:
        raise Refused("garbage")
    lines, at, move = [], 1, _move(move_ids)
    for _ in range(payload[0]):
        if len(payload) < at + _LINE.size:
            raise Refused("truncated")
        length, chance = _LINE.unpack_from(payload, at)
        at += _LINE.size
        if not 1 <= length <= MOST_PLAN_MOVES or chance == 0:
            raise Refused("garbage")
        if len(payload) < at + length * move.itemsize:
            raise Refused("truncated")
        moves = np.frombuffer(payload, move, length, at)
        if int(moves.max()) >= move_ids:
            raise Refused("garbage")
        lines.append((moves.tolist(), chance / _FULL))
        at += moves.nbytes
    if at != len(payload):
        raise Refused("truncated")
    return lines


def _move(move_ids: int) -> np.dtype:
    return np.dtype("<u1" if move_ids <= 2**8 else "<u2" if move_ids <= 2**16 else "<u4")
