"""OpenSpiel itself, and which of its games our search can play."""

from __future__ import annotations

import math
from typing import Any

from manyminds.core.errors import MissingExtra, UsageError, nearest

MOST_TURNS = 1_000_000


def pyspiel() -> Any:
    """OpenSpiel's module."""
    try:
        import pyspiel as module
    except ImportError as error:
        raise MissingExtra("bridges", "OpenSpiel") from error
    return module


def load(text: str) -> Any:
    """OpenSpiel's game of this name and parameters, if a search of ours can play it."""
    module = pyspiel()
    name = text.partition("(")[0].strip()
    if name.startswith("python_"):
        import open_spiel.python.games  # noqa: F401 - it registers them
    known = {kind.short_name: kind for kind in module.registered_games()}
    if name not in known:
        fitting = [each for each, kind in known.items() if not misfit(module, kind)]
        raise UsageError(f'OpenSpiel has no game "{name[:60]}"; {nearest(name[:60], fitting)}')
    _refuse(name, misfit(module, known[name]))
    try:
        game = module.load_game(text)
    except module.SpielError as error:
        raise UsageError(f'OpenSpiel does not load "{text[:100]}": {error}') from error
    _refuse(name, misfit(module, game.get_type()))
    return game


def _refuse(name: str, why: str) -> None:
    if why:
        raise UsageError(f"OpenSpiel's {name} {why}")


def misfit(module: Any, kind: Any) -> str:
    """Why a tree of ours cannot search games of this type, and what can; "" where it can."""
    types = module.GameType
    if kind.dynamics == types.Dynamics.SIMULTANEOUS:
        return (
            "has simultaneous moves: write it as a game of ours, with movers(state, out), or search "
            'its "turn_based_simultaneous_game" with OpenSpiel'
        )
    if kind.dynamics != types.Dynamics.SEQUENTIAL:
        return "is a mean field game: use OpenSpiel's own algorithms for these"
    if kind.information != types.Information.PERFECT_INFORMATION:
        return "hides something from its players: use OpenSpiel's ISMCTS or CFR, which are made for that"
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        return (
            "draws chance without saying the odds, so that no position comes again from its moves: "
            "use OpenSpiel's own search"
        )
    return ""


def utilities_of(game: Any, given: tuple[float, float] | None) -> tuple[float, float]:
    """The worst and the best return, which become the rewards 0 and 1."""
    low, high = given or (float(game.min_utility()), float(game.max_utility()))
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise UsageError(
            f"returns from {low} to {high} cannot be scaled into rewards: say utilities=[worst, best]"
        )
    return low, high


def longest_of(game: Any, given: int | None) -> int:
    """Moves of the longest game, nature's counted."""
    own = int(game.max_game_length()) + max(0, int(game.max_chance_nodes_in_history()))
    longest = given or own
    if not 1 <= longest <= MOST_TURNS:
        raise UsageError(
            f"its games may have {longest} moves; say where to stop, longest=1 to {MOST_TURNS}"
        )
    return longest


def has_chance(game: Any) -> bool:
    """Whether nature moves, too."""
    return bool(game.get_type().chance_mode != pyspiel().GameType.ChanceMode.DETERMINISTIC)
