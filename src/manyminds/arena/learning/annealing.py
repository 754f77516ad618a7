"""Simulated annealing over sets: a worse set is accepted sometimes, so that local maxima can be left."""

from __future__ import annotations

import math
import random

import msgspec

from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.course import Ask, Candidates, Course, Learner, Tally
from manyminds.arena.learning.moves import removing, weighing
from manyminds.core.errors import UsageError
from manyminds.core.random import derive

_FINALISTS = 4


class Annealing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """tries: sets that are measured. games: of each. most, together, heaviest: as racing's.

    hot, cold: the temperature at the beginning and at the end, as a loss of share (0.03: 3 %) that is
    accepted once in e times; it falls geometrically. final: games of each finalist at the end, in all.
    """

    tries: int = 100
    games: int = 200
    hot: float = 0.03
    cold: float = 0.003
    most: int = 8
    together: int = 3
    heaviest: int = 1
    final: int = 1000

    def __post_init__(self) -> None:
        if min(self.tries, self.games, self.most, self.together, self.heaviest, self.final) < 1:
            raise UsageError("annealing: all numbers are at least 1, temperatures above 0")
        if not 0.0 < self.cold <= self.hot:
            raise UsageError("annealing: temperatures are positive, and cold is at most hot")


def annealing(candidates: Candidates, settings: Annealing) -> Course:
    """A walk over sets; the best of those it has seen, measured again, is chosen."""
    rng = random.Random(derive(candidates.seed, "annealing"))
    here = candidates.start
    tallies = dict((yield Ask({here: settings.games}, here, "the start")))
    for at in range(settings.tries):
        heat = settings.hot * (settings.cold / settings.hot) ** (at / max(1, settings.tries - 1))
        there = _neighbour(here, candidates, settings, rng)
        note = f"try {at + 1} of {settings.tries}, temperature {100 * heat:.2f} %"
        wanted = max(settings.games, tallies[there].games if there in tallies else 0)
        tallies.update((yield Ask({there: wanted}, here, note)))
        gain = tallies[there].share - tallies[here].share
        if gain >= 0 or rng.random() < math.exp(gain / heat):
            here = there
    finalists = sorted(tallies, key=lambda agents: -_safe(tallies[agents]))[:_FINALISTS]
    wanted_last = {agents: max(settings.final, tallies[agents].games) for agents in finalists}
    tallies.update((yield Ask(wanted_last, finalists[0], "the finalists")))
    return max(finalists, key=lambda agents: tallies[agents].share)


def _safe(tally: Tally) -> float:
    """One standard error below the share: what was seen with few games is less believed."""
    return tally.share - 0.5 / math.sqrt(tally.games)


def _neighbour(
    agents: AgentSet, candidates: Candidates, settings: Annealing, rng: random.Random
) -> AgentSet:
    """One step away: some added, one removed, one exchanged, or another weight."""
    new = [name for name in candidates.agents if name not in agents]
    room = min(settings.together, settings.most - len(agents), len(new))
    found: list[AgentSet] = []
    if room > 0:
        found.append(agents.with_agents(*rng.sample(new, rng.randint(1, room))))
    if len(agents) > 1:
        found.append(rng.choice(list(removing(agents))))
    if new:
        rest = agents.without(rng.choice(agents.names)) if len(agents) > 1 else None
        name = rng.choice(new)
        found.append(AgentSet.of([name]) if rest is None else rest.with_agents(name))
    if weighed := list(weighing(agents, settings.heaviest)):
        found.append(rng.choice(weighed))
    return rng.choice(found) if found else agents


ANNEALING = Learner(annealing, Annealing)
