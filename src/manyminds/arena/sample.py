"""A line-up's counted games as arrays, seen from the places of the line-up instead of the seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from manyminds.arena.pairing import Seats
from manyminds.arena.result import Result
from manyminds.arena.schedule import Schedule

Values = NDArray[np.float64]


class Sample:
    """float64[games, places] of points, rewards and shares of wins, in the order of game numbers.

    indices: of the games. forfeits: how often each place lost a game by forfeit.
    """

    def __init__(self, schedule: Schedule, seats: Seats, results: Sequence[Result]) -> None:
        size = len(seats.names)
        plans = [schedule.places_of(result.number) for result in results]
        self.indices = [schedule.index_of(result.number) for result in results]
        self.points = by_place((result.points for result in results), plans, size)
        self.rewards = by_place((result.rewards for result in results), plans, size)
        self.shares = by_place(
            (win_shares(result.rewards, seats) for result in results), plans, size
        )
        self.forfeits = [0] * size
        for result, places in zip(results, plans, strict=True):
            for seat, _ in result.forfeits:
                self.forfeits[places[seat]] += 1
        self.seconds = sum(result.seconds for result in results) / max(1, len(results))
        self.turns = sum(result.turns for result in results) / max(1, len(results))

    def __len__(self) -> int:
        return len(self.indices)


def win_shares(rewards: Sequence[float], seats: Seats) -> tuple[float, ...]:
    """Each seat's share of the win: 1/t for the seats of the t teams with the highest reward."""
    best = max(rewards)
    winners = [team for team in seats.teams if any(rewards[seat] == best for seat in team)]
    shares = [0.0] * len(rewards)
    for team in winners:
        for seat in team:
            shares[seat] = 1.0 / len(winners)
    return tuple(shares)


def by_place(rows: Iterable[Sequence[float]], plans: Sequence[Sequence[int]], size: int) -> Values:
    """Values by seat as values by place: row g's value of seat s goes to column plans[g][s]."""
    out = np.zeros((len(plans), size))
    for game, (row, places) in enumerate(zip(rows, plans, strict=True)):
        for seat, place in enumerate(places):
            out[game, place] = row[seat]
    return out
