"""Cuts and results as payloads: columns of small numbers, a third of what they take in memory.

Mean rewards have 16 bits, so what is received differs from what was meant by less than 10**-5. Every
reader checks all that it is given, and raises Refused for what no search can have said.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from manyminds.search.desk import LOGGED_MOVES, log_dtype
from manyminds.search.exchange import MOST_VISITS, ROOT, Cut, cut_dtype
from manyminds.search.tree import ONE
from manyminds.teams.message import WIDE, Refused

_FULL = 65_535  # a mean reward of 1
_UNIT = ONE / _FULL
_NUMBERS = np.arange(ROOT)
MOST_RESULTS = 4_000  # in one message
_READ = 32  # messages that are remembered as they were read: one goes to all mates of a process


def entry_bytes(slots: int, wide: bool) -> int:
    """What an entry of a cut takes."""
    return 8 + (2 if wide else 0) + 2 * slots


def flags_for(most_move: int) -> int:
    """The flags of messages whose moves are below `most_move`."""
    return WIDE if most_move > 2**16 else 0


def pack_cut(cut: Cut, flags: int, values: bool = True) -> bytes:
    """A cut's columns: above, move, visits and, unless visits are enough, mean rewards by team."""
    entries = cut.entries
    visits = entries["visits"]
    columns = [
        entries["parent"].astype("<u2").tobytes(),
        entries["move"].astype(_move_type(flags)).tobytes(),
        visits.astype("<u4").tobytes(),
    ]
    if values:
        means = entries["sums"] / np.maximum(visits, 1)[:, None]
        columns.append(_quantised(means).tobytes())
    return b"".join(columns)


def unpack_cut(payload: bytes, flags: int, slots: int, values: bool = True) -> Cut:
    """The cut that was packed so. Several mates may read one message: its entries stay as they are."""
    return Cut(_read_cut(payload, flags, slots, values))


@functools.lru_cache(maxsize=_READ)
def _read_cut(payload: bytes, flags: int, slots: int, values: bool) -> np.ndarray:
    size = 8 + (2 if flags & WIDE else 0) + (2 * slots if values else 0)
    n, rest = divmod(len(payload), size)
    if rest or n >= ROOT:
        raise Refused("truncated")
    moves = 4 if flags & WIDE else 2
    above = np.frombuffer(payload, "<u2", n)
    visits = np.frombuffer(payload, "<u4", n, (2 + moves) * n).astype(np.int64)
    if ((above >= _NUMBERS[:n]) & (above != ROOT)).any() or int(visits.sum()) >= MOST_VISITS:
        raise Refused("garbage")
    entries = np.zeros(n, cut_dtype(slots))
    entries["parent"] = above
    entries["move"] = np.frombuffer(payload, f"<u{moves}", n, 2 * n)
    entries["visits"] = visits
    if values:
        means = np.frombuffer(payload, "<u2", n * slots, (6 + moves) * n).reshape(n, slots)
        entries["sums"] = means * (visits[:, None] * _UNIT) + 0.5
    return entries.view(np.recarray)


def pack_results(results: np.ndarray, flags: int) -> bytes:
    """Simulations one behind the other: how long each path is, all moves, mean rewards by team."""
    lengths = np.minimum(results["n"], LOGGED_MOVES)
    taken = np.arange(LOGGED_MOVES) < lengths[:, None]
    return b"".join(
        (
            len(results).to_bytes(2, "little"),
            lengths.astype(np.uint8).tobytes(),
            results["moves"][taken].astype(_move_type(flags)).tobytes(),
            _quantised(results["sums"]).tobytes(),
        )
    )


def results_bytes(results: np.ndarray, flags: int, slots: int) -> np.ndarray:
    """What each result takes of a message."""
    lengths = np.minimum(results["n"], LOGGED_MOVES).astype(np.int64)
    return 1 + lengths * np.dtype(_move_type(flags)).itemsize + 2 * slots


@functools.lru_cache(maxsize=_READ)
def unpack_results(payload: bytes, flags: int, slots: int) -> np.ndarray:
    """The simulations that were packed so, as a search takes them in; they stay as they are."""
    if len(payload) < 2:
        raise Refused("truncated")
    n = int.from_bytes(payload[:2], "little")
    moves = np.dtype(_move_type(flags))
    if n > MOST_RESULTS:
        raise Refused("garbage")
    if len(payload) < 2 + n:
        raise Refused("truncated")
    lengths = np.frombuffer(payload, np.uint8, n, 2)
    total = int(lengths.sum(dtype=np.int64))
    at = 2 + n + total * moves.itemsize
    if len(payload) != at + 2 * slots * n:
        raise Refused("truncated")
    if n and int(lengths.max()) > LOGGED_MOVES:
        raise Refused("garbage")
    results = np.zeros(n, log_dtype(slots))
    results["n"] = lengths
    results["moves"][np.arange(LOGGED_MOVES) < lengths[:, None]] = np.frombuffer(
        payload, moves, total, 2 + n
    )
    means = np.frombuffer(payload, "<u2", n * slots, at).reshape(n, slots)
    results["sums"] = np.rint(means * _UNIT)
    return results.view(np.recarray)


def reroot_cut(cut: Cut, moves: list[int]) -> Cut:
    """What a cut says of the position that these moves of the tree lead to; empty when it says nothing."""
    for move in moves:
        cut = _below(cut, move)
    return cut


def reroot_results(results: np.ndarray, moves: list[int]) -> np.ndarray:
    """The results that went through these moves, told from there on."""
    for move in moves:
        results = results[(results["n"] > 0) & (results["moves"][:, 0] == move)].copy()
        results["moves"][:, :-1] = results["moves"][:, 1:]
        results["n"] -= 1
    return results


def _below(cut: Cut, move: int) -> Cut:
    entries = cut.entries
    places: dict[int, int] = {}  # old number: new number, of what is below the move
    kept: list[int] = []
    for number, (above, first) in enumerate(
        zip(entries["parent"].tolist(), entries["move"].tolist(), strict=True)
    ):
        if above == ROOT and first == move:
            places[number] = ROOT
        elif above in places:
            places[number] = len(kept)
            kept.append(number)
    left = entries[kept].copy()
    left["parent"] = [places[int(above)] for above in left["parent"]]
    return Cut(left.view(np.recarray))


def _move_type(flags: int) -> str:
    return "<u4" if flags & WIDE else "<u2"


def _quantised(sums: Any) -> np.ndarray:
    """Rewards in units of 1 / ONE as 16-bit numbers."""
    return np.rint(np.clip(sums / _UNIT, 0, _FULL)).astype("<u2")
