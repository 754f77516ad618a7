"""A candidate: playout agents with weights, which is what a learner chooses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import msgspec

from manyminds.core.errors import UsageError

MOST_WEIGHT = 1000
AND, TIMES = " + ", "*"  # "N-AC-AD-L-P + 2*AD-N-AC-P-L"


class AgentSet(msgspec.Struct, frozen=True, order=True):
    """Agents by name, each with how often it is drawn against the others.

    Sorted by name, weights of 1 to MOST_WEIGHT without a common divisor: equal sets are equal objects.
    """

    weights: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        if not self.weights:
            raise UsageError("a set of agents has at least one")
        if len(dict(self.weights)) < len(self.weights):
            raise UsageError(f"{self}: an agent is there twice; give it a weight instead")
        if any(not 1 <= weight <= MOST_WEIGHT for _, weight in self.weights):
            raise UsageError(f"{self}: weights are whole numbers from 1 to {MOST_WEIGHT}")
        common = math.gcd(*(weight for _, weight in self.weights))
        canonical = tuple(sorted((name, weight // common) for name, weight in self.weights))
        msgspec.structs.force_setattr(self, "weights", canonical)

    @staticmethod
    def of(agents: Iterable[str] | Mapping[str, int]) -> AgentSet:
        """The set of these agents: alike, or with weights."""
        if isinstance(agents, Mapping):
            return AgentSet(tuple(agents.items()))
        return AgentSet(tuple((name, 1) for name in agents))

    @staticmethod
    def parse(text: str) -> AgentSet:
        """The set that `str` wrote."""
        found: list[tuple[str, int]] = []
        for part in text.split("+"):
            weight, times, name = part.strip().rpartition(TIMES)
            if not name or (times and not weight.strip().isdecimal()):
                raise UsageError(f'"{text[:80]}" is no set of agents such as "A + 2*B"')
            found.append((name.strip(), int(weight) if times else 1))
        return AgentSet(tuple(found))

    def __str__(self) -> str:
        return AND.join(
            name if weight == 1 else f"{weight}{TIMES}{name}" for name, weight in self.weights
        )

    def __len__(self) -> int:
        return len(self.weights)

    def __contains__(self, name: object) -> bool:
        return any(name == each for each, _ in self.weights)

    @property
    def names(self) -> tuple[str, ...]:
        """The agents."""
        return tuple(name for name, _ in self.weights)

    def shares(self) -> dict[str, float]:
        """How often each is drawn; they sum to one."""
        total = sum(weight for _, weight in self.weights)
        return {name: weight / total for name, weight in self.weights}

    def with_agents(self, *names: str) -> AgentSet:
        """The set with these too, each with the mean weight of those that are in it, rounded up."""
        mean = math.ceil(sum(weight for _, weight in self.weights) / len(self.weights))
        return AgentSet((*self.weights, *((name, mean) for name in names)))

    def without(self, name: str) -> AgentSet:
        """The set without this agent."""
        return AgentSet(tuple(pair for pair in self.weights if pair[0] != name))

    def weighing(self, name: str, weight: int) -> AgentSet:
        """The set with another weight for this agent."""
        return AgentSet.of({**dict(self.weights), name: weight})
