"""Whose each point is: on a board as it stands by the rules, before the end by how playouts end.

`shares[colour - 1][p]` is the part of the playouts at whose end colour has point p, as a stone or as
an empty point that only it surrounds; summed over p it is the colour's mean area. The playouts are
those of a search with the same settings, so this is what such a search sees at its leaves.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.core.kernel import entry, kernel
from manyminds.core.random import generator
from manyminds.core.record import Record
from manyminds.games.contract import Game, State
from manyminds.games.go.board import EMPTY, MOST_COLOURS, POINTS, WALL, copy_board, neighbours
from manyminds.games.go.game import go
from manyminds.games.go.playout import playout

MOST_PLAYOUTS = 100_000


@dataclass(frozen=True)
class Ownership:
    """What so many playouts from a position came to. shares: float[colours, 421]; points: by seat."""

    playouts: int
    shares: np.ndarray
    points: tuple[float, ...]


@kernel
def _own_region(board, start, seen, region, out):
    """Give the empty region of `start` to the only colour at its border, if there is only one."""
    seen[start] = 1
    region[0] = start
    n, at = 1, 0
    owner, several = 0, False
    while at < n:
        point = region[np.uint32(at)]
        at += 1
        for q in neighbours(point):
            content = int(board.color[q])
            if content == EMPTY:
                if seen[q] == 0:
                    seen[q] = 1
                    region[np.uint32(n)] = q
                    n += 1
            elif content != WALL:
                several |= owner != 0 and owner != content
                owner = content
    for k in range(n):
        out[region[np.uint32(k)]] = 0 if several else owner


@kernel
def _own_points(board, seen, region, out):
    seen[:] = 0
    for p in range(POINTS):
        content = int(board.color[np.uint32(p)])
        out[np.uint32(p)] = 0 if content == WALL else content
    for k in range(board.empties):
        point = board.empty[np.uint32(k)]
        if seen[point] == 0:
            _own_region(board, point, seen, region, out)


@functools.cache
def _trace() -> Record:
    """One shape of trace for all games of Go, so that these kernels are compiled once."""
    return go(colours=MOST_COLOURS).trace


@entry
def _owners(board, out):
    _own_points(board, np.zeros(POINTS, np.uint8), np.empty(POINTS, np.uint16), out)


@entry
def _tally(board, scratch, rng, trace, settings, n, counts):
    """n playouts from `board`: counts[colour, p] grows by one for each that ends with p colour's."""
    seen, region = np.zeros(POINTS, np.uint8), np.empty(POINTS, np.uint16)
    out = np.zeros(POINTS, np.uint8)
    limit = trace.limit
    for _ in range(n):
        copy_board(scratch, board)
        trace.n = trace.turns = 0
        trace.limit = limit
        playout(scratch, rng, trace, settings)
        _own_points(scratch, seen, region, out)
        for p in range(POINTS):
            counts[out[np.uint32(p)], np.uint32(p)] += 1


def owners(state: State) -> np.ndarray:
    """The colour that each point counts for (uint8[421], by point), 0 for nobody: `points` without komi."""
    out = np.zeros(POINTS, np.uint8)
    _owners(state, out)
    return out


def ownership(
    game: Game, state: State, playouts: int = 200, seed: int = 0, settings: Any = None
) -> Ownership:
    """Play out so often from this position of Go, and tell whose each point was at the end."""
    if not 1 <= playouts <= MOST_PLAYOUTS:
        raise UsageError(f"1 to {MOST_PLAYOUTS} playouts, not {playouts}")
    counts = np.zeros((MOST_COLOURS + 1, POINTS), np.uint32)
    trace = _trace().new()
    trace.limit = game.longest_playout
    chosen = game.set_up() if settings is None else settings
    _tally(state, game.copy(state), generator(seed), trace, chosen, playouts, counts)
    colours = int(state.colours)
    shares = counts[1 : colours + 1] / float(playouts)
    points = tuple(float(shares[seat].sum() + state.komi[seat + 1]) for seat in range(colours))
    return Ownership(playouts, shares, points)
