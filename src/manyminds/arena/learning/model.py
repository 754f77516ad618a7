"""What all games together say of sets of agents, played or not: a Gaussian process over their weights.

Share of wins of a set with draw probabilities w, over agents i, j:

    f(w) = even + b + sum_i w_i a_i + sum_{i<j} 2 w_i w_j s_ij + d (1 - sum_i w_i^2) + e_w

with normal b, d (what mixing gives at all), s_ij (what two give together) and e_w (the set's own), all
independent, and a_i alike for agents that are alike. Integrating them out leaves the kernel below.
Games are taken as normal with the variance of a fair coin, which a few already are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.course import Tally

Array = NDArray[np.floating[Any]]
Likeness = Callable[[Sequence[str]], Array]  # correlation of the agents' own worth, by name

_LEVEL = 0.2  # sd of b: a set of weak agents may be far below the default
_OWN = 0.008  # sd of e_w
_SINGLES = (0.03, 0.06, 0.12)  # sd of a_i
_PAIRS = (0.08, 0.16)  # sd of s_ij; never small: what agents give together shows in groups alone,
# so that a race which began by believing in none would look for none
_MIXING = (0.0, 0.05)  # sd of d
_ALIKE = (0.0, 0.6, 0.95)  # how much likeness counts


class Spreads(msgspec.Struct, frozen=True):
    """Standard deviations in shares of wins, and the part of agents' worth that their likeness tells."""

    singles: float = 0.06
    pairs: float = 0.08
    mixing: float = 0.05
    alike: float = 0.6


def unlike(names: Sequence[str]) -> Array:
    """Nothing is known of agents from their names."""
    return np.eye(len(names))


def by_order(names: Sequence[str]) -> Array:
    """Names are heuristics in their order, such as AD-N-P: alike where they try the same one first.

    A pair of heuristics counts 1 where the first is tried before the other or without it, -1 the other
    way round, 0 where neither is there.
    """
    rules = [name.split("-") for name in names]
    known = sorted({rule for each in rules for rule in each})
    pairs = list(itertools.combinations(known, 2))
    if not pairs:
        return unlike(names)
    table = np.array([[_before(each, *pair) for pair in pairs] for each in rules], dtype=float)
    size = np.sqrt(np.maximum((table**2).sum(axis=1), 1.0))
    found: Array = (table @ table.T) / np.outer(size, size)
    np.fill_diagonal(found, 1.0)
    return found


def _before(rules: Sequence[str], one: str, other: str) -> int:
    far = len(rules)
    place, second = (rules.index(x) if x in rules else far for x in (one, other))
    return int(place < second) - int(second < place)


LIKENESS: dict[str, Likeness] = {"none": unlike, "order": by_order}


class Model:
    """Beliefs on sets over these agents, fitted to tallies."""

    def __init__(self, names: Sequence[str], even: float, likeness: Likeness) -> None:
        self.column = {name: at for at, name in enumerate(names)}
        self.even = even
        self._likeness = likeness(names)
        self.spreads = Spreads()
        self._played: list[AgentSet] = []
        self._weights: Array = np.zeros((0, len(names)))
        self._values: Array = np.zeros(0)
        self._noise: Array = np.zeros(0)
        self._factor: Array = np.zeros((0, 0))
        self._solved: Array = np.zeros(0)

    def take(self, tallies: Mapping[AgentSet, Tally], known: AgentSet | None, fit: bool) -> None:
        """Believe these games and no others; known: a set whose share is `even` for sure."""
        self._played = [agents for agents, tally in tallies.items() if tally.games]
        counts = np.array([tallies[agents].games for agents in self._played], dtype=float)
        shares = np.array([tallies[agents].share for agents in self._played])
        variance = self.even * (1.0 - self.even) / np.maximum(counts, 1.0)
        if known is not None:
            self._played.append(known)
            shares, variance = np.append(shares, self.even), np.append(variance, 1e-8)
        self._weights = self._matrix(self._played)
        self._values, self._noise = shares - self.even, variance
        parts = self._parts(self._weights, self._weights)
        if fit:
            self.spreads = max(_grid(), key=lambda spreads: self._evidence(spreads, parts))
        self._factor, self._solved = self._factored(self.spreads, parts)

    def believe(self, sets: Sequence[AgentSet]) -> tuple[Array, Array]:
        """Mean and covariance of these sets' true shares."""
        weights = self._matrix(sets)
        cross = _kernel(self.spreads, self._parts(weights, self._weights))
        place = {agents: at for at, agents in enumerate(self._played)}
        for row, agents in enumerate(sets):
            if agents in place:
                cross[row, place[agents]] += _OWN**2
        mean = self.even + cross @ self._solved
        half = np.linalg.solve(self._factor, cross.T)
        prior = _kernel(self.spreads, self._parts(weights, weights)) + _OWN**2 * np.eye(len(sets))
        return mean, prior - half.T @ half

    def _matrix(self, sets: Sequence[AgentSet]) -> Array:
        out = np.zeros((len(sets), len(self.column)))
        for row, agents in enumerate(sets):
            for name, share in agents.shares().items():
                out[row, self.column[name]] = share
        return out

    def _parts(self, one: Array, other: Array) -> _Parts:
        mixed = np.outer(1.0 - (one**2).sum(axis=1), 1.0 - (other**2).sum(axis=1))
        same = one @ other.T
        both = 2.0 * (same**2 - (one**2) @ (other**2).T)
        return _Parts(same, one @ self._likeness @ other.T, both, mixed)

    def _factored(self, spreads: Spreads, parts: _Parts) -> tuple[Array, Array]:
        covariance = _kernel(spreads, parts) + np.diag(self._noise + _OWN**2)
        factor = np.linalg.cholesky(covariance)
        solved = np.linalg.solve(factor.T, np.linalg.solve(factor, self._values))
        return factor, solved

    def _evidence(self, spreads: Spreads, parts: _Parts) -> float:
        """The logarithm of the games' probability under these spreads, up to a constant."""
        factor, solved = self._factored(spreads, parts)
        return float(-0.5 * self._values @ solved - np.log(np.diag(factor)).sum())


class _Parts(NamedTuple):
    """What the kernel of two lists of sets is made of, whatever the spreads: float64[sets, sets]."""

    same: Array
    alike: Array
    both: Array
    mixed: Array


def _kernel(spreads: Spreads, parts: _Parts) -> Array:
    single = (1.0 - spreads.alike) * parts.same + spreads.alike * parts.alike
    out: Array = _LEVEL**2 + spreads.singles**2 * single
    out += spreads.pairs**2 * parts.both + spreads.mixing**2 * parts.mixed
    return out


def _grid() -> list[Spreads]:
    return [Spreads(*each) for each in itertools.product(_SINGLES, _PAIRS, _MIXING, _ALIKE)]


def chance_of_more(gap: float, variance: float) -> float:
    """How probably a normal value with this mean and variance is above zero."""
    if variance <= 0.0:
        return float(gap > 0.0)
    return 0.5 * math.erfc(-gap / math.sqrt(2.0 * variance))
