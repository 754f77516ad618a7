"""What a program says of its candidates when it is asked by lz-genmove_analyze or kata-genmove_analyze.

    info move E5 visits 40 winrate 5123 ... pv E5 D4 info move C3 ...     lz: of 10,000; kata: of 1
    play E5

The values are of use to whoever weighs them; whatever cannot be read is left out, never an error.
"""

from __future__ import annotations

import math
from typing import Any

from manyminds.core.errors import UsageError

ASKING = "genmove_analyze"  # how the names of such commands end
MOST_CANDIDATES = 64
_WHOLE = 10_000.0  # what a certain win is to lz


def answered(text: str) -> tuple[str, str]:
    """The last line of candidates (or ""), and the move."""
    lines = text.splitlines()
    info = next((line for line in reversed(lines) if line.startswith("info ")), "")
    word, _, move = (lines[-1] if lines else "").strip().partition(" ")
    return info, move.strip() if word == "play" else (lines[-1] if lines else "")


def values_of(info: str, game: Any, state: Any, seat: int) -> dict[int, tuple[float, ...]]:
    """The value by seat of each candidate, in games of two seats, where one's loss is the other's win."""
    if game.seats != 2:
        return {}
    found: dict[int, tuple[float, ...]] = {}
    for part in info.split("info ")[1 : MOST_CANDIDATES + 1]:
        words = part.split()
        told = dict(zip(words[::2], words[1::2], strict=False))
        value = _share(told.get("winrate", ""))
        move = _move(told.get("move", ""), game, state)
        if value is not None and move is not None:
            found[move] = (value, 1.0 - value) if seat == 0 else (1.0 - value, value)
    return found


def _share(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    value = value if "." in text else value / _WHOLE
    return value if math.isfinite(value) and 0.0 <= value <= 1.0 else None


def _move(name: str, game: Any, state: Any) -> int | None:
    try:
        return int(game.move_named(name, state))
    except UsageError:
        return None
