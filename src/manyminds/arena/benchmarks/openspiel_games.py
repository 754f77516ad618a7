"""Our search on OpenSpiel's games, against OpenSpiel's own search in Python with its own random playouts.

Both ask OpenSpiel for the rules. Theirs is `mcts.MCTSBot` as its examples use it, with C = 2, without its
solver, and its `RandomRolloutEvaluator`.
"""

from __future__ import annotations

import itertools
import math
import time
from importlib import import_module

from manyminds.arena.benchmarks.contest import Batch, MissingRival, contest
from manyminds.arena.benchmarks.decisions import decisions
from manyminds.arena.benchmarks.openspiel import GO_9, openspiel
from manyminds.arena.benchmarks.row import Effort, Figure, Tell
from manyminds.core.errors import MissingExtra
from manyminds.games.registry import make_game

CHECKERS_3 = "chinese_checkers(players=3)"
_C = 2.0


def go(effort: Effort, tell: Tell) -> Figure:
    """The player `uct`."""
    return _against_python(GO_9, "uct", 1000, effort, tell)


def go_rave(effort: Effort, tell: Tell) -> Figure:
    """The player `rave`, which has to be told all moves of every playout; OpenSpiel's has no such thing."""
    return _against_python(GO_9, "rave", 1000, effort, tell)


def checkers(effort: Effort, tell: Tell) -> Figure:
    """The player `uct` with three seats."""
    return _against_python(CHECKERS_3, "uct", 150, effort, tell)


def _against_python(text: str, player: str, simulations: int, effort: Effort, tell: Tell) -> Figure:
    try:
        game = make_game("openspiel", game=text)
    except MissingExtra as error:  # nothing is played without OpenSpiel, by us neither
        return Figure(math.nan, missing=str(error))
    amount = effort.of(simulations)
    ours = decisions(game, player, amount)
    return contest(ours, lambda: python_searches(text, amount), effort, tell)


def python_searches(game: str, simulations: int) -> Batch:
    """Searches of so many simulations each, from the game's start."""
    module = openspiel()
    try:
        mcts = import_module("open_spiel.python.algorithms.mcts")
        random_state = import_module("numpy.random").RandomState
    except ImportError as error:
        raise MissingRival(f"OpenSpiel's Python part does not load: {error}") from error
    loaded = module.load_game(game)
    seeds = itertools.count(1)

    def batch() -> tuple[float, float]:
        random = random_state(next(seeds))
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        bot = mcts.MCTSBot(loaded, _C, simulations, evaluator, solve=False, random_state=random)
        start = time.process_time()
        bot.mcts_search(loaded.new_initial_state())
        return simulations, time.process_time() - start

    return batch
