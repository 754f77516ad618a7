"""Searches of small games: what a simulation costs when its playout costs next to nothing."""

from __future__ import annotations

import sys
from pathlib import Path

from manyminds.arena.benchmarks import openspiel
from manyminds.arena.benchmarks.contest import contest
from manyminds.arena.benchmarks.decisions import decisions
from manyminds.arena.benchmarks.row import Effort, Figure, Tell
from manyminds.arena.files import import_files, read_files
from manyminds.games.contract import Game
from manyminds.games.registry import make_game

PLUG_IN = Path(__file__).parent / "examples" / "tic_tac_toe.py"
_SIMULATIONS = 20_000


def plug_in(effort: Effort, tell: Tell) -> Figure:
    """Our plug-in beside OpenSpiel's tic-tac-toe in Python, both under a compiled search."""
    simulations = effort.of(_SIMULATIONS)
    ours = decisions(plug_in_game(), "uct", simulations)
    return contest(
        ours,
        lambda: openspiel.searches("python_tic_tac_toe", simulations, openspiel.python_games()),
        effort,
        tell,
    )


def plug_in_against_cpp(effort: Effort, tell: Tell) -> Figure:
    """The same plug-in beside OpenSpiel's tic-tac-toe in C++."""
    return _against_openspiel(plug_in_game(), "tic_tac_toe", effort, tell)


def connect_four(effort: Effort, tell: Tell) -> Figure:
    """Connect four on both sides."""
    return _against_openspiel(make_game("connect_four"), "connect_four", effort, tell)


def plug_in_game() -> Game:
    """The example's game, imported as any user's file."""
    (file,) = files = read_files([PLUG_IN])
    import_files(files)
    module = next(m for m in sys.modules.values() if getattr(m, "__file__", None) == file.path)
    game = module.tic_tac_toe
    assert isinstance(game, Game)
    return game


def _against_openspiel(game: Game, theirs: str, effort: Effort, tell: Tell) -> Figure:
    simulations = effort.of(_SIMULATIONS)
    ours = decisions(game, "uct", simulations)
    return contest(ours, lambda: openspiel.searches(theirs, simulations), effort, tell)
