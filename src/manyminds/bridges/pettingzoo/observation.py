"""What an agent sees of a game: numbers of a fixed shape.

    register_observation("go", make)     make(game) -> Observation

Where nobody registered one for a game, an agent sees the whole state: all fields of its record in a row,
and a one at its own seat behind them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.games.contract import Game, State


@dataclass(frozen=True)
class Observation:
    """low, high: bounds, arrays of the observation's shape and type. of: (state, seat) -> such an array."""

    low: np.ndarray
    high: np.ndarray
    of: Callable[[State, int], np.ndarray]


_makers: dict[str, Callable[[Game], Observation]] = {}


def register_observation(title: str, make: Callable[[Game], Observation]) -> None:
    """Let agents see the games of this title so."""
    _makers[title] = make


def observation_of(game: Game) -> Observation:
    """What agents see of a game where nothing else is said."""
    return _makers.get(game.title, whole_state)(game)


def whole_state(game: Game) -> Observation:
    """All numbers of the state's record, and whose eyes they are seen with."""
    fields = _fields(game.state.dtype)
    own = np.eye(game.seats, dtype=np.float32)
    low = np.concatenate([_filled(kind, "min") for _, kind in fields] + [np.zeros(game.seats)])
    high = np.concatenate([_filled(kind, "max") for _, kind in fields] + [np.ones(game.seats)])

    def of(state: State, seat: int) -> np.ndarray:
        numbers = [np.ravel(_at(state, path)).astype(np.float32) for path, _ in fields]
        return np.concatenate([*numbers, own[seat]])

    return Observation(low.astype(np.float32), high.astype(np.float32), of)


def _fields(shape: np.dtype, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], np.dtype]]:
    """The path of names to each field of plain numbers, with its type."""
    found = []
    for name, field in (shape.fields or {}).items():
        kind = field[0]
        if kind.fields:
            found += _fields(kind, (*path, name))
        else:
            found.append(((*path, name), kind))
    return found


def _at(state: State, path: tuple[str, ...]) -> Any:
    for name in path:
        state = state[name]
    return state


def _filled(kind: np.dtype, bound: str) -> np.ndarray:
    """The least or greatest number of a field's type, as often as the field has numbers."""
    base, size = kind.base, int(np.prod(kind.shape, dtype=int))
    if base == np.bool_:
        number = float(bound == "max")
    elif np.issubdtype(base, np.integer):
        number = float(getattr(np.iinfo(base), bound))
    else:
        number = float(getattr(np.finfo(np.float32), bound))
    return np.full(size, number, np.float32)


def planes(game: Game) -> Observation:
    """Go: `[row, column, plane]`, row 0 at the top. Planes: one's own stones, those of each colour that
    follows in turn, and the last move.
    """
    from manyminds.games.go.board import STRIDE

    width, height = int(game.start().width), int(game.start().height)
    shape, seats = (height, width, game.seats + 1), game.seats
    points = (np.arange(height)[::-1, None] + 1) * STRIDE + np.arange(width)[None, :] + 1

    def of(state: State, seat: int) -> np.ndarray:
        seen = np.zeros(shape, np.int8)
        colours = np.asarray(state.color)[points]
        for plane in range(seats):
            seen[:, :, plane] = colours == (seat + plane) % seats + 1
        seen[:, :, seats] = (points == int(state.last)) & (int(state.last) != 0)
        return seen

    return Observation(np.zeros(shape, np.int8), np.ones(shape, np.int8), of)


register_observation("go", planes)
