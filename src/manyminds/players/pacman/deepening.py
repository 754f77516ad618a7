"""Deepening: the strong Pac-Man, by iterative-deepening AND/OR search (the idea of ICEP_IDDFS)."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass, field

import numpy as np

from manyminds.core.budget import Budget
from manyminds.core.record import copy_of
from manyminds.games.contract import Game, State
from manyminds.games.pacman.maze import NEUTRAL
from manyminds.games.pacman.state import GHOSTS, PACMAN
from manyminds.players.pacman.and_or import DEEPEST, FRAME, LOST, UNKNOWN, survives
from manyminds.players.pacman.chase import Chase, chase_of
from manyminds.players.pacman.greedy import nearest
from manyminds.players.pacman.ground import FAR, Ground, pills_left
from manyminds.players.pacman.layers import NEVER, layers_of
from manyminds.players.pacman.safe_path import pill_marks
from manyminds.players.pacman.seated import Placed, Sight, ways_of_pacman
from manyminds.players.player import Decision, Lineup

_SHALLOW = (15, 30, 45)  # horizons before the first that counts: who cannot live long lives longest
_FIRST_NODES = 500  # of a budget in time, doubled as long as there is some
_MOST_PILL_TICKS = 120  # for which the first pill on a safe way is looked for


@dataclass
class Outlook:
    """What is known of the directions: how far each was proven or at least not refuted.

    rank: by direction, twice the number of horizons proven, one more where the next was not refuted
    for want of nodes. nodes: spent on it.
    """

    rank: dict[int, int]
    nodes: int = 0
    horizons: list[int] = field(default_factory=list)


class Deepening(Placed):
    """Goes where he can be sure to live longest; of such ways, where the first pill is.

    first: the horizon in ticks that he looks for at least; more: by which it grows as long as the
    nearest pill is farther. The budget is in nodes (choices of Pac-Man or of a ghost; a number of
    simulations counts as so many nodes), or in milliseconds.
    """

    seats = (PACMAN,)

    def __init__(self, first: int = 70, more: int = 20) -> None:
        self.first, self.more = first, more

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        super().begin(game, seat, lineup)
        sight = Sight(game, game.start())  # what has to be compiled is so now
        self.look(sight, 10)
        layers_of(sight.ground, chase_of(sight), pill_marks(sight), 2)

    def decide(self, state: State, budget: Budget) -> Decision:
        sight = Sight(self.game, state)
        if budget.milliseconds is not None:
            outlook = self._look_until(sight, time.perf_counter() + budget.milliseconds / 1000)
        else:
            outlook = self.look(sight, int(budget.nodes or budget.simulations or 1))
        move = self._choose(sight, outlook)
        remark = f"{self.game.name(move)}: {outlook.nodes:,} nodes to {outlook.horizons[-1]} ticks"
        return Decision(move, remark=remark)

    def look(self, sight: Sight, nodes: int) -> Outlook:
        """Search deeper and deeper, only the directions that nothing has refuted, for so many nodes."""
        chase = chase_of(sight)
        outlook = Outlook(dict.fromkeys(ways_of_pacman(sight), 0))
        alive = list(outlook.rank)
        for horizon in self.horizons(sight):
            outlook.horizons.append(horizon)
            known = {}
            for number, move in enumerate(alive):
                share = (nodes - outlook.nodes) // (len(alive) - number)
                known[move], spent = outcome(sight.ground, chase, move, horizon, share)
                outlook.nodes += spent
            for move in alive:
                outlook.rank[move] += (0, 2, 1)[known[move]]
            alive = [move for move in alive if known[move] != LOST]
            if not alive or UNKNOWN in known.values():
                break
        return outlook

    def horizons(self, sight: Sight) -> list[int]:
        """The ticks that are looked for, one after the other."""
        found = [*(each for each in _SHALLOW if each < self.first), self.first]
        places = pills_left(sight.ground, sight.state, powers=True)
        steps = int(sight.ground.distance[sight.pacman, places].min()) if len(places) else 0
        while found[-1] < steps < FAR:
            found.append(min(found[-1] + self.more, steps))
        return found

    def _look_until(self, sight: Sight, deadline: float) -> Outlook:
        nodes, begun = _FIRST_NODES, time.perf_counter()
        outlook = self.look(sight, nodes)
        while outlook.nodes >= nodes:
            now = time.perf_counter()
            if deadline - now < 3 * (now - begun):
                break  # the next takes about twice as long as all so far
            nodes, begun = 2 * nodes, now
            outlook = self.look(sight, nodes)
        return outlook

    def _choose(self, sight: Sight, outlook: Outlook) -> int:
        best = max(outlook.rank.values())
        able = [move for move, rank in outlook.rank.items() if rank == best]
        if len(able) == 1:
            return able[0]
        if best == 0:
            return max(able, key=lambda move: nearest_ghost(sight, move))
        marks = pill_marks(sight)
        mark_prey(sight, marks)
        found = layers_of(sight.ground, chase_of(sight), marks, _MOST_PILL_TICKS)
        ticks = {move: int(found.pill[move]) for move in able}
        if min(ticks.values()) < NEVER:
            return min(able, key=lambda move: (ticks[move], move != int(sight.state.pacman_move)))
        return min(able, key=lambda move: way_to_pill(sight, move))


def outcome(ground: Ground, chase: Chase, move: int, horizon: int, nodes: int) -> tuple[int, int]:
    """What comes of a first move (LOST, WON, UNKNOWN), and the nodes that it took."""
    frames, flood = _scratch(len(ground.exits))
    begun, spent = copy_of(chase), np.zeros(1, np.int64)
    begun.wish[0], begun.chooser = move, 1
    known = survives(ground, begun, horizon, nodes, frames, flood, spent)
    return int(known), int(spent[0])


@functools.lru_cache(maxsize=8)
def _scratch(nodes: int) -> tuple[np.ndarray, np.ndarray]:
    return FRAME.block(DEEPEST), np.zeros((2 + 8, nodes), np.uint16)


def mark_prey(sight: Sight, marks: np.ndarray) -> None:
    """Ghosts that can be eaten and reached in time are as good as pills."""
    for ghost in range(GHOSTS):
        if sight.is_out(ghost) and sight.is_edible(ghost):
            node = sight.ghost(ghost)
            if int(sight.ground.distance[sight.pacman, node]) < int(sight.state.edible[ghost]):
                marks[node] = 1


def nearest_ghost(sight: Sight, move: int) -> int:
    """Steps to the nearest ghost that is out, after a step."""
    ground, there = sight.ground, int(sight.ground.after[8 * sight.pacman + move])
    out = [sight.ghost(g) for g in range(GHOSTS) if sight.is_out(g) and not sight.is_edible(g)]
    return min((int(ground.distance[there, node]) for node in out), default=FAR)


def way_to_pill(sight: Sight, move: int) -> int:
    """Steps to the nearest pill after a step, whatever lies between."""
    there = int(sight.ground.after[8 * sight.pacman + move])
    target = nearest(
        sight.ground, there, pills_left(sight.ground, sight.state, powers=True).tolist()
    )
    return NEUTRAL if target is None else int(sight.ground.distance[there, target])
