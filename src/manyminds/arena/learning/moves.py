"""The neighbours of a set of agents: what may be tried next."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from manyminds.arena.learning.agent_set import AgentSet

Neighbours = Callable[[AgentSet, Sequence[str], random.Random], Iterator[AgentSet]]


def adding(agents: AgentSet, names: Sequence[str], most: int) -> Iterator[AgentSet]:
    """The set with one more."""
    if len(agents) < most:
        yield from (agents.with_agents(name) for name in names if name not in agents)


def adding_several(
    agents: AgentSet, names: Sequence[str], most: int, together: int, rng: random.Random
) -> Iterator[AgentSet]:
    """The set with two, three ... `together` more at once: as many drawn groups as there are names."""
    new = [name for name in names if name not in agents]
    for size in range(2, min(together, most - len(agents), len(new)) + 1):
        for _ in new:
            yield agents.with_agents(*rng.sample(new, size))


def removing(agents: AgentSet) -> Iterator[AgentSet]:
    """The set with one less."""
    if len(agents) > 1:
        yield from (agents.without(name) for name in agents.names)


def swapping(agents: AgentSet, names: Sequence[str]) -> Iterator[AgentSet]:
    """The set with another agent in the place, and with the weight, of one that it has."""
    weights = dict(agents.weights)
    for old, weight in agents.weights:
        rest = {name: each for name, each in weights.items() if name != old}
        yield from (AgentSet.of({**rest, new: weight}) for new in names if new not in agents)


def weighing(agents: AgentSet, most: int) -> Iterator[AgentSet]:
    """The set with one agent drawn about twice as often, or half as often, weights up to `most`."""
    if len(agents) > 1:
        for name, weight in agents.weights:
            if 2 * weight <= most:
                yield agents.weighing(name, 2 * weight)
            if weight > 1:
                yield agents.weighing(name, weight // 2)
            elif all(2 * each <= most for other, each in agents.weights if other != name):
                doubled = {each: 2 * w for each, w in agents.weights}
                yield AgentSet.of({**doubled, name: 1})
