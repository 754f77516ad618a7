"""Who is near whom: as the game says (`near`), or by seat numbers where it says nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.kernel import entry
from manyminds.games.contract import Game


@entry
def _near(game, state, seat, out):
    game.near(state, seat, out)


def nearest_seats(game: Game, state: Any, seat: int) -> list[int]:
    """All other seats, the nearest first; of equally near ones the lowest."""
    out = np.abs(np.arange(game.seats, dtype=float) - seat)
    if "near" in game.functions:
        _near(game.kernels, state, seat, out)
    others = [other for other in range(game.seats) if other != seat]
    return sorted(others, key=lambda other: (out[other], other))
