"""News as payloads: a head of what was heard from whom, then columns as narrow as their numbers allow.

    widths  serial  ears  (seat newest share) ...  above ...  moves ...  visits ...  means ...
    u8      u16     u8    u8   u16    u8           u8/16      u8/16/32   u16/32      u16 by team

`widths` says how wide columns are, whether the last team's mean follows from the others' (where rewards
sum to 1), and whether the sender's tree is new, so that it should be told everything.
The first row is the root, whose place above and move are 0.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from manyminds.search.exchange import taken_dtype
from manyminds.search.tree import ONE
from manyminds.teams.message import Refused

MOST_TOLD = 2**24  # own visits of a node; more than these are told as so many
MOST_EARS = 64
WINDOW = 32  # messages of a sender that its share is counted over

_HEAD, _EAR = struct.Struct("<BHB"), struct.Struct("<BHB")
_ABOVE, _MOVE16, _MOVE32, _VISITS, _SHARED, _NEW = 1, 2, 4, 8, 16, 32  # bits of `widths`
_FULL = 65_535
_UNIT = ONE / _FULL


class Ear(NamedTuple):
    """What a mate heard from a seat: the newest serial, and how many of the last WINDOW messages."""

    newest: int
    share: int


class News(NamedTuple):
    """A message of news, read: rows of `exchange.taken_dtype`."""

    serial: int
    ears: dict[int, Ear]
    rows: Any
    new: bool


def head_bytes(ears: int) -> int:
    """What a message takes without its rows."""
    return _HEAD.size + ears * _EAR.size


def most_rows(rows: Any, room: int, slots: int) -> int:
    """How many of the first of these rows fit so many bytes."""
    widths = _widths(rows, slots)
    return min(len(rows), max(room // _row_bytes(widths, slots), 0))


def pack_news(
    rows: Any, serial: int, ears: Mapping[int, Ear], slots: int, new: bool = False
) -> bytes:
    """Rows as bytes; sums are told as mean rewards in 16 bits."""
    widths = _widths(rows, slots)
    means = rows["sums"] / np.maximum(rows["visits"], 1)[:, None]
    columns = [
        _HEAD.pack(widths | (_NEW if new else 0), serial, len(ears)),
        *(_EAR.pack(seat, ear.newest, ear.share) for seat, ear in ears.items()),
        rows["parent"].astype(_above(widths)).tobytes(),
        rows["move"].astype(_move(widths)).tobytes(),
        np.minimum(rows["visits"], MOST_TOLD - 1).astype(_visits(widths)).tobytes(),
        np.rint(np.clip(means[:, : _told(widths, slots)] / _UNIT, 0, _FULL))
        .astype("<u2")
        .tobytes(),
    ]
    return b"".join(columns)


def unpack_news(payload: bytes, slots: int) -> News:
    """The news that were packed so; Refused for what nobody can have packed."""
    if len(payload) < _HEAD.size:
        raise Refused("truncated")
    widths, serial, n_ears = _HEAD.unpack_from(payload)
    if widths >= 2 * _NEW or (widths & _MOVE16 and widths & _MOVE32) or n_ears > MOST_EARS:
        raise Refused("garbage")
    at = head_bytes(n_ears)
    n, rest = divmod(len(payload) - at, _row_bytes(widths, slots))
    if rest or n < 1:
        raise Refused("truncated")
    ears = {
        seat: Ear(newest, share)
        for seat, newest, share in _EAR.iter_unpack(payload[_HEAD.size : at])
    }
    return News(serial, ears, _rows(payload, at, n, widths, slots), bool(widths & _NEW))


def _rows(payload: bytes, at: int, n: int, widths: int, slots: int) -> Any:
    rows = np.zeros(n, taken_dtype(slots))
    for name, kind in (
        ("parent", _above(widths)),
        ("move", _move(widths)),
        ("visits", _visits(widths)),
    ):
        rows[name] = column = np.frombuffer(payload, kind, n, at)
        at += column.nbytes
    if (rows["parent"][1:] >= np.arange(1, n)).any() or rows["parent"][0] != 0:
        raise Refused("garbage")
    visits = rows["visits"].astype(np.int64)
    if int(visits.max()) >= MOST_TOLD:
        raise Refused("garbage")
    told = _told(widths, slots)
    means = np.frombuffer(payload, "<u2", n * told, at).reshape(n, told)
    rows["sums"][:, :told] = means * (visits[:, None] * _UNIT) + 0.5
    if told < slots:
        rest = visits * ONE - rows["sums"][:, :told].sum(axis=1)
        if (rest < -visits).any():
            raise Refused("garbage")
        rows["sums"][:, -1] = np.maximum(rest, 0)
    return rows.view(np.recarray)


def _widths(rows: Any, slots: int) -> int:
    widths = _ABOVE if len(rows) > 2**8 else 0
    move = int(rows["move"].max())
    widths |= _MOVE32 if move >= 2**16 else _MOVE16 if move >= 2**8 else 0
    widths |= _VISITS if int(rows["visits"].max()) >= 2**16 else 0
    visits = rows["visits"].astype(np.int64)
    # Each simulation's rewards are rounded by team, so that their sum is off by a unit or two.
    if slots > 1 and (np.abs(rows["sums"].sum(axis=1) - visits * ONE) <= slots * visits).all():
        widths |= _SHARED
    return widths


def _above(widths: int) -> str:
    return "<u2" if widths & _ABOVE else "<u1"


def _move(widths: int) -> str:
    return "<u4" if widths & _MOVE32 else "<u2" if widths & _MOVE16 else "<u1"


def _visits(widths: int) -> str:
    return "<u4" if widths & _VISITS else "<u2"


def _told(widths: int, slots: int) -> int:
    """Teams whose means are told."""
    return slots - 1 if widths & _SHARED else slots


def _row_bytes(widths: int, slots: int) -> int:
    columns = (_above(widths), _move(widths), _visits(widths))
    return sum(np.dtype(kind).itemsize for kind in columns) + 2 * _told(widths, slots)
