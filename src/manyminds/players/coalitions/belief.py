"""Who stands with whom, as far as the seen moves tell: a belief over all ways to part the seats.

A partition P puts every seat into one coalition. Before the first move its weight is prior ** (pairs of
seats that stand together in P); every seen move m of a seat c multiplies it by the likelihood of m for a
c that stands with those of its own coalition, p(m | c with P(c)). One's own moves count for nothing:
one's mind is one's own to make up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

Coalition = tuple[int, ...]
Partition = tuple[Coalition, ...]


def partitions(seats: Sequence[int], most: int) -> Iterator[Partition]:
    """All ways to part the seats into coalitions of at most `most`, but for one of them all.

    Every coalition is in the order of the seats, and so are the coalitions by their first.
    """
    return (found for found in _partitions(tuple(seats), most) if len(found) > 1)


def _partitions(seats: Coalition, most: int) -> Iterator[Partition]:
    if not seats:
        yield ()
        return
    for size in range(min(most, len(seats))):
        for others in combinations(seats[1:], size):
            rest = tuple(seat for seat in seats[1:] if seat not in others)
            for found in _partitions(rest, most):
                yield ((seats[0], *others), *found)


def of(partition: Partition, seat: int) -> Coalition:
    """The coalition of a seat, itself included."""
    return next(members for members in partition if seat in members)


class Belief:
    """Shares of all partitions, by the moves that were seen. They add up to 1."""

    def __init__(self, seats: int, most: int = 2, prior: float = 0.1) -> None:
        self.seats = seats
        self.partitions = tuple(partitions(range(seats), most))
        pairs = [
            sum(len(one) * (len(one) - 1) // 2 for one in partition)
            for partition in self.partitions
        ]
        self._logs = [count * math.log(prior) for count in pairs]

    def coalitions_of(self, seat: int) -> list[Coalition]:
        """All coalitions that a seat is in, in some partition; alone first."""
        found = dict.fromkeys(of(partition, seat) for partition in self.partitions)
        return sorted(found, key=lambda one: (len(one), one))

    def learn(self, seat: int, logs: Mapping[Coalition, float]) -> None:
        """A seat has moved: the logarithm of the move's likelihood for each of the seat's coalitions."""
        found = [
            log + logs[of(partition, seat)]
            for log, partition in zip(self._logs, self.partitions, strict=True)
        ]
        highest = max(found)
        self._logs = [log - highest for log in found]

    def shares(self, hints: Mapping[Coalition, float] = MappingProxyType({})) -> list[float]:
        """How much each partition is believed; hints add to those that hold the coalition."""
        logs = [
            log + sum(hint for one, hint in hints.items() if one in partition)
            for log, partition in zip(self._logs, self.partitions, strict=True)
        ]
        highest = max(logs)
        weights = [math.exp(log - highest) for log in logs]
        total = sum(weights)
        return [weight / total for weight in weights]

    def together(
        self, coalition: Coalition, hints: Mapping[Coalition, float] = MappingProxyType({})
    ) -> float:
        """How much it is believed that these stand together, and nobody else with them."""
        pairs = zip(self.shares(hints), self.partitions, strict=True)
        return sum(share for share, partition in pairs if coalition in partition)

    def likeliest(
        self, own: Coalition, hints: Mapping[Coalition, float] = MappingProxyType({})
    ) -> Partition:
        """The likeliest partition of those that hold this coalition."""
        pairs = zip(self.shares(hints), self.partitions, strict=True)
        return max((pair for pair in pairs if own in pair[1]), key=lambda pair: pair[0])[1]
