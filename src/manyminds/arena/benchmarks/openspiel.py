"""The rival OpenSpiel, as its package has it: its C++ search with its C++ random playouts.

Its UCT is used with C = 2, the value of its own examples, and without its solver, which would end a
search of a small game early. A child it has not seen is tried first, as with us.
"""

from __future__ import annotations

import itertools
import time
from importlib import metadata
from typing import Any

from manyminds.arena.benchmarks.contest import Batch, MissingRival

PACKAGE = "open_spiel"
GO_9 = "go(board_size=9,komi=6.5)"
_HOW = 'OpenSpiel is not installed: pip install "manyminds[bench]"'
_C = 2.0
_MEMORY_MB = 1000
_ROLLOUTS = 250  # playouts of one leaf, where playouts are measured
SAMPLE = 10_000  # playouts whose length is taken: its mean is known to 0.3 %


def openspiel() -> Any:
    """The module, or MissingRival."""
    try:
        import pyspiel
    except ImportError as error:
        raise MissingRival(_HOW) from error
    return pyspiel


def python_games() -> Any:
    """The module, with the games that OpenSpiel has in Python."""
    module = openspiel()
    try:
        import open_spiel.python.games  # noqa: F401 - it registers them
    except ImportError as error:
        raise MissingRival(_HOW) from error
    return module


def version() -> str:
    """Which one is installed."""
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return "not installed"


def searches(game: str, simulations: int, module: Any = None) -> Batch:
    """Searches of so many simulations each, from the game's start."""
    module = module or openspiel()
    loaded = module.load_game(game)
    state = loaded.new_initial_state()
    seeds = itertools.count(1)

    def batch() -> tuple[float, float]:
        bot = _bot(module, loaded, simulations, 1, next(seeds))
        start = time.process_time()
        bot.mcts_search(state)  # its tree is given back here, as ours is in our time
        return simulations, time.process_time() - start

    return batch


def playouts(game: str) -> Batch:
    """Random playouts: searches of two simulations with many playouts each, which do next to nothing else."""
    module = openspiel()
    loaded = module.load_game(game)
    state = loaded.new_initial_state()
    seeds = itertools.count(1)

    def batch() -> tuple[float, float]:
        bot = _bot(module, loaded, 2, _ROLLOUTS, next(seeds))
        start = time.process_time()
        bot.mcts_search(state)
        return 2 * _ROLLOUTS, time.process_time() - start

    return batch


def moves_a_playout(game: str, sample: int = SAMPLE) -> float:
    """The mean length of the playouts above, by its own uniformly random bots, which it runs in C++.

    Half of the playouts begin one move after the start: hence the half.
    """
    module = openspiel()
    loaded = module.load_game(game)
    total = 0
    for number in range(sample):
        state = loaded.new_initial_state()
        bots = [module.make_uniform_random_bot(seat, 2 * number + seat) for seat in (0, 1)]
        module.evaluate_bots(state, bots, number)
        total += state.move_number()
    return total / sample - 0.5


def _bot(module: Any, game: Any, simulations: int, rollouts: int, seed: int) -> Any:
    evaluator = module.RandomRolloutEvaluator(rollouts, seed)
    solve, verbose = False, False
    return module.MCTSBot(game, evaluator, _C, simulations, _MEMORY_MB, solve, seed, verbose)
