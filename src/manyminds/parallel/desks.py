"""A desk for each thread, in memory of its own: two threads never write to one cache line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from manyminds.core.random import derive, generator
from manyminds.search.desk import Desk

_LINE = 128  # bytes; two lines of 64, since processors fetch them in pairs


def desks_beside(desk: Desk, n: int) -> list[Desk]:
    """`n` more desks like this one, without a log, each with chance of its own that follows from it."""
    seed = int(desk.rng.word)
    return [_desk_apart(desk, derive(seed, "thread", k)) for k in range(1, n + 1)]


def copies_of(desks: list[Desk]) -> list[Desk]:
    """Desks that go on as these would."""
    return [_apart(desk) for desk in desks]


def _desk_apart(desk: Desk, seed: int) -> Desk:
    empty = np.zeros(0, desk.log.dtype).view(np.recarray)
    return _apart(desk._replace(rng=generator(seed), log=empty))


def _apart(desk: Desk) -> Desk:
    """A copy of all parts in one piece of memory, each at the beginning of a line."""
    sizes = [_room(part.nbytes) for part in desk]
    memory = np.zeros(sum(sizes) + 3 * _LINE, np.uint8)
    place = _LINE + -memory.ctypes.data % _LINE
    parts: list[Any] = []
    for part, size in zip(desk, sizes, strict=True):
        parts.append(_placed(part, memory[place : place + part.nbytes]))
        place += size
    return Desk(*parts)


def _placed(part: Any, memory: np.ndarray) -> Any:
    memory[:] = np.frombuffer(part.tobytes(), np.uint8)
    if not isinstance(part, np.ndarray):
        return memory.view(part.dtype).view(np.recarray)[0]
    values = memory.view(part.dtype).reshape(part.shape)
    return values.view(np.recarray) if part.dtype.names else values


def _room(size: int) -> int:
    return _LINE * max(1, math.ceil(size / _LINE))
