"""Our side of a search: what a player of ours does when it is asked for its first move."""

from __future__ import annotations

import itertools
import time

from manyminds.arena.benchmarks.contest import Batch
from manyminds.core.budget import Budget
from manyminds.games.contract import Game
from manyminds.players import Lineup, make_player


def decisions(game: Game, player: str, simulations: int) -> Batch:
    """Decisions at the game's start, each by a new player with its default settings and an empty tree.

    The clock runs from the question to the answer, and until the tree's memory is given back.
    """
    budget = Budget(simulations=simulations)
    seeds = itertools.count(1)

    def batch() -> tuple[float, float]:
        asked = make_player(player, game)
        state = game.start()
        asked.begin(game, game.seat(state), Lineup([player] * game.seats, next(seeds)))
        start = time.process_time()
        done = asked.decide(state, budget).simulations
        del asked
        return done, time.process_time() - start

    return batch
