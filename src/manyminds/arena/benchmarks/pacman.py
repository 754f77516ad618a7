"""Ms Pac-Man under the thesis's rules: playouts, the plain search, and what a teammate's cut costs."""

from __future__ import annotations

import dataclasses
import itertools
import time

import numpy as np

from manyminds.arena.benchmarks.contest import Batch, MissingRival, contest
from manyminds.arena.benchmarks.row import Effort, Figure, Tell
from manyminds.arena.match import play, replay
from manyminds.core.budget import Budget
from manyminds.core.random import generator
from manyminds.games import calls
from manyminds.games.contract import Game, State
from manyminds.games.registry import make_game
from manyminds.players import Lineup, make_player
from manyminds.teams.mate import Heard, Mate

FRAMEWORK = 34_800.0  # playouts a second of the Java framework with their copies, one core
THESIS = 11_002.0  # simulations a second (4.5.1)
_PLAYOUTS, _SIMULATIONS, _CUT, _CUTS = 200, 1760, 4096, 100


def middle_states(game: Game) -> list[State]:
    """Every twentieth tick of a game from its sixtieth on, when all but one ghost are out."""
    match = play(game, {"pacman": "nearest-pill", "ghosts": "random"}, seed=1)
    return [state for tick, state in enumerate(replay(game, match)) if tick % 20 == 0][3:-1]


def playouts(effort: Effort, tell: Tell) -> Figure:
    """Playouts of at most 120 ticks from the middle of a game, each on a copy of its state."""
    game = make_game("pacman")
    made = Playouts(game)
    figure = _against(made.batch, FRAMEWORK, effort, tell)
    ticks = figure.ours * made.ticks / max(made.made, 1)
    return dataclasses.replace(figure, details={"ticks_a_second": ticks})


def plain(effort: Effort, tell: Tell) -> Figure:
    """Decisions of the player `plain` in the middle of a game, each on an empty tree."""
    return _against(_decisions(effort.of(_SIMULATIONS)), THESIS, effort, tell)


def tree_cut(effort: Effort, tell: Tell) -> Figure:
    """Microseconds to take in a tree cut of 4 kB in place of the same sender's last one."""
    batch, size = _cuts()
    figure = contest(batch, _no_rival, effort, tell)
    spread = figure.spread and (1e6 / figure.spread[1], 1e6 / figure.spread[0])
    return dataclasses.replace(
        figure, ours=1e6 / figure.ours, spread=spread, details={"bytes": float(size)}
    )


class Playouts:
    """Playouts from states by turns; `ticks` that were played in `made` of them."""

    def __init__(self, game: Game) -> None:
        self.game, self.roots = game, middle_states(game)
        self.settings, self.state = game.set_up(), game.start()
        self.trace, self.rng = game.trace.new(), generator(1)
        self.made = self.ticks = 0

    def batch(self) -> tuple[float, float]:
        """So many from each state."""
        game, limit = self.game, self.game.longest_playout
        start = time.process_time()
        for root in self.roots:
            calls.playouts(
                game.kernels,
                root,
                self.state,
                self.rng,
                self.trace,
                self.settings,
                _PLAYOUTS,
                limit,
            )
            self.made += 1
            self.ticks += int(self.trace.turns)  # of the last one of each batch
        return _PLAYOUTS * len(self.roots), time.process_time() - start


def _decisions(simulations: int) -> Batch:
    game = make_game("pacman")
    states = itertools.cycle(middle_states(game))
    seeds = itertools.count(1)

    def batch() -> tuple[float, float]:
        mate = _mate(game, "plain", 1, next(seeds))
        state = next(states)
        start = time.process_time()
        mate.meet(state)
        done = mate.think(Budget(simulations=simulations))
        return done, time.process_time() - start

    return batch


def _cuts() -> tuple[Batch, int]:
    """Two mates in one position, one takes in the other's cuts, an early and a late one by turns.

    And the bytes of the smaller one.
    """
    game = make_game("pacman")
    state = middle_states(game)[4]
    teller, hearer = (_mate(game, f"tree-cuts({_CUT})", seat, 1) for seat in (1, 2))
    payloads = []
    for mate in (teller, hearer, teller):
        mate.meet(state)
        mate.think(Budget(simulations=4 * _SIMULATIONS))
        payloads.append(mate.talk.say(_CUT)[0])
    heard = [Heard(1, payload, teller.flags, [], 0) for payload in (payloads[0], payloads[2])]

    def batch() -> tuple[float, float]:
        start = time.process_time()
        for k in range(_CUTS):
            hearer.talk.hear(heard[k % 2])
        return _CUTS, time.process_time() - start

    return batch, min(len(each.payload) for each in heard)


def _mate(game: Game, text: str, seat: int, seed: int) -> Mate:
    mate = make_player(text, game)
    assert isinstance(mate, Mate)
    mate.begin(game, seat, Lineup([text] * game.seats, seed))
    return mate


def _against(batch: Batch, known: float, effort: Effort, tell: Tell) -> Figure:
    """Ours beside a number that somebody else measured."""
    figure = contest(batch, _no_rival, effort, tell)
    spread = figure.spread and tuple(np.divide(figure.spread, known).tolist())
    return dataclasses.replace(figure, rival=known, ratio=figure.ours / known, spread=spread)


def _no_rival() -> Batch:
    raise MissingRival("")
