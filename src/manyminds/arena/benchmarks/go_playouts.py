"""Random playouts of Go 9x9, from the empty board."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

from manyminds.arena.benchmarks import openspiel
from manyminds.arena.benchmarks.contest import Batch, contest
from manyminds.arena.benchmarks.row import Effort, Figure, Tell
from manyminds.core.random import generator
from manyminds.games import calls
from manyminds.games.contract import Game
from manyminds.games.registry import make_game

_PLAYOUTS = 500  # in a batch


def surrounded(effort: Effort, tell: Tell) -> Figure:
    """Playouts with Cazenave's rule Surrounded; OpenSpiel's fill any eye, and pass at any time."""
    return _against_openspiel("surrounded", effort, tell)


def eye(effort: Effort, tell: Tell) -> Figure:
    """Playouts with Cazenave's rule Eye."""
    return _against_openspiel("eye", effort, tell)


def moves(effort: Effort, tell: Tell) -> Figure:
    """Moves of the playouts with the rule Surrounded, passes among them, on both sides."""
    ours = Playouts(make_game("go"), "surrounded")
    length = 1.0

    def rival() -> Batch:
        nonlocal length
        batch = openspiel.playouts(openspiel.GO_9)
        tell("the mean length of OpenSpiel's playouts")
        length = openspiel.moves_a_playout(openspiel.GO_9, sample=effort.of(openspiel.SAMPLE))
        return _times(batch, lambda: length)

    figure = contest(ours.moves, rival, effort, tell)
    details = {"our_moves_a_playout": ours.length}
    if figure.rival is not None:
        details["their_moves_a_playout"] = length
    return dataclasses.replace(figure, details=details)


def three_colours(effort: Effort, tell: Tell) -> Figure:
    """Moves of playouts with three colours beside ours with two, the rule Surrounded on both sides."""
    three = Playouts(make_game("go", colours=3), "surrounded")
    two = Playouts(make_game("go"), "surrounded")
    figure = contest(three.moves, lambda: two.moves, effort, tell)
    lengths = {"moves_a_playout": three.length, "moves_a_playout_of_two_colours": two.length}
    return dataclasses.replace(figure, details=lengths)


def _against_openspiel(rule: str, effort: Effort, tell: Tell) -> Figure:
    ours = Playouts(make_game("go"), rule)
    figure = contest(ours.playouts, lambda: openspiel.playouts(openspiel.GO_9), effort, tell)
    return dataclasses.replace(figure, details={"our_moves_a_playout": ours.length})


def _times(batch: Batch, factor: Callable[[], float]) -> Batch:
    def scaled() -> tuple[float, float]:
        done, seconds = batch()
        return done * factor(), seconds

    return scaled


class Playouts:
    """Playouts of a game of Go with one of its rules, other choices, and the game's own limit of moves."""

    def __init__(self, game: Game, rule: str, **choices: Any) -> None:
        self._game, self._settings = game, game.set_up(playout=rule, **choices)
        self._root, self._state = game.start(), game.start()
        self._trace, self._rng = game.trace.new(), generator(1)
        self._made, self._moved = 0, 0

    @property
    def length(self) -> float:
        """Moves of a playout, on average over all so far."""
        return self._moved / max(self._made, 1)

    def playouts(self) -> tuple[float, float]:
        """A batch, counted in playouts."""
        _, seconds = self.moves()
        return _PLAYOUTS, seconds

    def moves(self) -> tuple[float, float]:
        """A batch, counted in moves; a pass is one."""
        game = self._game
        start = time.process_time()
        done = calls.playouts(
            game.kernels,
            self._root,
            self._state,
            self._rng,
            self._trace,
            self._settings,
            _PLAYOUTS,
            game.longest_playout,
        )
        seconds = time.process_time() - start
        self._made += _PLAYOUTS
        self._moved += int(done)
        return int(done), seconds
