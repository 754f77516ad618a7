"""Agents of known strength that play nothing: what a learner finds among them can be judged exactly.

The log odds of a set's win against the start, with draw probabilities w:

    g(w) = sum_i w_i a_i + sum_{i<j} 2 w_i w_j s_ij + e_w,     log odds = g(w) - g(start)

a_i: worth of an agent alone; s_ij: what two give together, which no single agent tells; e_w: what only
this very set has. All are normal and drawn once. Games are won or lost by chance with these odds, plus
or minus what the first move is worth.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import msgspec
import numpy as np

from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.course import Ask, Candidates, Tallies, Tally
from manyminds.arena.learning.model import Array, by_order
from manyminds.core.random import derive


class World(msgspec.Struct, frozen=True):
    """How agents differ, in log odds (0.4 is about 10 % of wins).

    The numbers give what was printed of the 120 orders: all together about 41 %, the best alone 57 to
    60 %, the worst 25 to 30 %. alike: the part of the agents' variance that their orders explain.
    """

    mean: float = -0.36
    singles: float = 0.30
    pairs: float = 0.30
    own: float = 0.05
    first_move: float = 0.1
    alike: float = 0.0


class Simulated:
    """One world of agents; the first of `names` is the start, which everything is measured against."""

    def __init__(self, names: Sequence[str], seed: int, world: World | None = None) -> None:
        self.names, self.world, self.seed = tuple(names), world or World(), seed
        self.start = AgentSet.of(self.names[:1])
        self._column = {name: at for at, name in enumerate(self.names)}
        chance = np.random.default_rng(derive(seed, "world"))
        size = len(self.names)
        self._singles = self._worth(chance)
        self._singles[0] = 0.0
        upper = np.triu(chance.standard_normal((size, size)) * self.world.pairs, 1)
        self._pairs = upper + upper.T
        self._games: dict[AgentSet, np.random.Generator] = {}
        self._tallies: dict[AgentSet, Tally] = {}
        self.played = 0

    def candidates(self, known: bool = True) -> Candidates:
        """What a learner is given."""
        return Candidates(self.start, self.names[1:], derive(self.seed, "learner"), known=known)

    def truth(self, agents: AgentSet) -> float:
        """The set's true share of wins."""
        odds, first = self._odds(agents), self.world.first_move
        return 0.5 * (_share(odds + first) + _share(odds - first))

    def measure(self, ask: Ask) -> Tallies:
        """Play until each set has the games asked for: half with the first move."""
        for agents, games in ask.wanted.items():
            tally = self._tallies.get(agents, Tally())
            if games > tally.games:
                score = tally.score + self._play(agents, tally.games, games)
                self.played += games - tally.games
                self._tallies[agents] = Tally(score, games)
        return {agents: self._tallies[agents] for agents in ask.wanted}

    def _worth(self, chance: np.random.Generator) -> Array:
        world, size = self.world, len(self.names)
        free = chance.standard_normal(size)
        if world.alike:
            covariance = by_order(self.names) + 1e-9 * np.eye(size)
            ordered = np.linalg.cholesky(covariance) @ chance.standard_normal(size)
            free = math.sqrt(1 - world.alike) * free + math.sqrt(world.alike) * ordered
        worth: Array = world.mean + world.singles * free
        return worth

    def _odds(self, agents: AgentSet) -> float:
        if agents == self.start:
            return 0.0
        shares = agents.shares()
        alone = sum(share * self._singles[self._column[name]] for name, share in shares.items())
        both = sum(
            2 * shares[one] * shares[other] * self._pairs[self._column[one], self._column[other]]
            for one, other in itertools.combinations(shares, 2)
        )
        own = np.random.default_rng(derive(self.seed, "own", agents)).standard_normal()
        return float(alone + both + self.world.own * own)

    def _play(self, agents: AgentSet, begin: int, end: int) -> float:
        rng = self._games.setdefault(
            agents, np.random.default_rng(derive(self.seed, "games", agents))
        )
        side = np.where(np.arange(begin, end) % 2 == 0, 1.0, -1.0) * self.world.first_move
        odds = self._odds(agents)
        return float((rng.random(end - begin) < 1.0 / (1.0 + np.exp(-(odds + side)))).sum())


def _share(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))
