"""Searches of Go 9x9 from the empty board, with our players' default settings."""

from __future__ import annotations

from manyminds.arena.benchmarks import openspiel
from manyminds.arena.benchmarks.contest import contest
from manyminds.arena.benchmarks.decisions import decisions
from manyminds.arena.benchmarks.row import Effort, Figure, Tell
from manyminds.games.registry import make_game

_SIMULATIONS = 50_000


def uct(effort: Effort, tell: Tell) -> Figure:
    """The player `uct` with two colours."""
    return _against_openspiel("uct", 2, effort, tell)


def rave_of_three(effort: Effort, tell: Tell) -> Figure:
    """The player `rave` with three colours; OpenSpiel, which has no such Go, plays with two."""
    return _against_openspiel("rave", 3, effort, tell)


def coalition(effort: Effort, tell: Tell) -> Figure:
    """RAVE of three colours with a coalition of two, its rule and joint scoring, beside plain RAVE."""
    game, simulations = make_game("go", colours=3), effort.of(_SIMULATIONS)
    allied = decisions(game, "alliance(with=[white], scoring=joint)", simulations)
    return contest(allied, lambda: decisions(game, "rave", simulations), effort, tell)


def _against_openspiel(player: str, colours: int, effort: Effort, tell: Tell) -> Figure:
    simulations = effort.of(_SIMULATIONS)
    ours = decisions(make_game("go", colours=colours), player, simulations)
    return contest(ours, lambda: openspiel.searches(openspiel.GO_9, simulations), effort, tell)
