"""Elo: ratings from a table of results between pairs of players, with intervals.

The model is Bradley and Terry's: a player who is d Elo stronger scores 1 / (1 + 10^(-d / 400)).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from manyminds.arena.statistics.checked import Values, checked_level, checked_share
from manyminds.arena.statistics.differences import Difference
from manyminds.arena.statistics.distributions import critical_value, normal_both_tails
from manyminds.arena.statistics.interval import Interval
from manyminds.arena.statistics.tally import Tally
from manyminds.core.errors import UsageError, nearest

ELO_PER_NAT = 400.0 / math.log(10.0)  # one unit of log odds in Elo, about 173.7
VIRTUAL_DRAWS = 0.5  # between two players whose results all go one way
_MOST_STEPS = 200


def share_of_elo(elo: float) -> float:
    """The share of the games that a player `elo` stronger than the other scores."""
    if math.isnan(elo):
        raise UsageError("an Elo difference is a number")
    if elo < 0.0:  # 10 to a large negative power is 0, to a large positive one an overflow
        return 1.0 - share_of_elo(-elo)
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


def elo_of_share(share: float) -> float:
    """How much stronger a player is who scores this share; infinite at 0 and 1."""
    checked_share(share)
    if share in (0.0, 1.0):
        return math.copysign(math.inf, share - 0.5)
    return ELO_PER_NAT * (math.log(share) - math.log1p(-share))


def elo_of_interval(shares: Interval) -> Interval:
    """An interval of a share in Elo: the same games, the same coverage, other numbers."""
    low, high, estimate = (elo_of_share(s) for s in (shares.low, shares.high, shares.estimate))
    return Interval(low, high, estimate, shares.n, shares.level)


@dataclass(frozen=True, eq=False)
class EloTable:
    """Ratings with mean 0, best first, and what is needed for the difference of any two.

    `ratings[name]` is relative to the mean of all players; its n counts the player's games.
    `covariance[i, j]`, in Elo squared, is indexed as `names`. `one_sided` are the pairs that
    were given virtual draws, since no finite rating fits their results alone.
    """

    ratings: dict[str, Interval]
    names: tuple[str, ...]
    covariance: NDArray[np.float64]
    games: int
    level: float
    one_sided: tuple[tuple[str, str], ...]

    def difference(self, first: str, second: str) -> Difference:
        """How much stronger first is than second. Its error is not the two ratings' together."""
        i, j = self._place(first), self._place(second)
        away = self.ratings[first].estimate - self.ratings[second].estimate
        variance = self.covariance[i, i] + self.covariance[j, j] - 2.0 * self.covariance[i, j]
        error = math.sqrt(max(0.0, float(variance)))
        reach = critical_value(self.level) * error
        interval = Interval(away - reach, away + reach, away, self.games, self.level)
        p_value = normal_both_tails(away / error) if error > 0.0 else 1.0
        said = "virtual draws stand in for one-sided results" if self.one_sided else ""
        return Difference(interval, p_value, "Bradley-Terry", math.inf, said)

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise UsageError(f'no player "{name}" in the Elo table; {nearest(name, self.names)}')
        return self.names.index(name)


def elo_table(results: Mapping[tuple[str, str], Tally], level: float = 0.95) -> EloTable:
    """Maximum-likelihood ratings from {(first, second): first's tally against second}.

    Both orders of a pair may occur and are added up. Draws count half a win for both.
    """
    checked_level(level)
    names = tuple(dict.fromkeys(name for pair in results for name in pair))
    scores = _score_table(results, names)
    _check_joined(scores, names)
    games = scores + scores.T
    one_sided = (games > 0.0) & ~_mutual(scores)
    scores = scores + one_sided * (VIRTUAL_DRAWS / 2.0)
    nats, information = _most_likely(scores)
    # The ratings' sum is fixed: the inverse lives in the space without the all-ones direction.
    ones = np.full_like(information, 1.0 / len(names))
    covariance = (np.linalg.inv(information + ones) - ones) * ELO_PER_NAT**2
    reach = critical_value(level) * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    order = sorted(range(len(names)), key=lambda i: (-nats[i], i))
    ratings = {
        names[i]: _rating(float(nats[i]) * ELO_PER_NAT, float(reach[i]), games[i], level)
        for i in order
    }
    best_first = np.ix_(order, order)
    pairs = tuple(
        (names[i], names[j]) for i in order for j in order if i < j and bool(one_sided[i, j])
    )
    return EloTable(
        ratings,
        tuple(names[i] for i in order),
        covariance[best_first],
        sum(tally.n for tally in results.values()),
        level,
        pairs,
    )


def _rating(elo: float, reach: float, games: Values, level: float) -> Interval:
    return Interval(elo - reach, elo + reach, elo, round(float(games.sum())), level)


def _score_table(results: Mapping[tuple[str, str], Tally], names: tuple[str, ...]) -> Values:
    """scores[i, j]: what i scored against j, float64[players, players]."""
    place = {name: i for i, name in enumerate(names)}
    scores = np.zeros((len(names), len(names)))
    for (first, second), tally in results.items():
        if first == second:
            raise UsageError(f'"{first}" cannot be rated against itself: leave such games out')
        scores[place[first], place[second]] += tally.score
        scores[place[second], place[first]] += tally.other_side().score
    return scores


def _reached(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """reached[i, j]: is there a way from i to j along the edges? (Everybody reaches itself.)"""
    reached = edges | np.eye(len(edges), dtype=bool)
    for middle in range(len(edges)):
        reached |= np.outer(reached[:, middle], reached[middle, :])
    return reached


def _mutual(scores: Values) -> NDArray[np.bool_]:
    """Do both score against each other, directly or through others?

    The likelihood has a finite maximum exactly when all pairs do (Ford 1957): otherwise some
    players scored everything against all the rest, and their ratings would run away.
    """
    reached = _reached(scores > 0.0)
    return reached & reached.T


def _check_joined(scores: Values, names: tuple[str, ...]) -> None:
    if len(names) < 2:
        raise UsageError("Elo needs the results of two players at least")
    joined = _reached(scores + scores.T > 0.0)[0]
    if not joined.all():
        other = names[int(np.argmin(joined))]
        raise UsageError(
            f'no chain of games joins "{names[0]}" and "{other}": '
            "let them meet, or somebody who has met both, or rate them apart"
        )


def _most_likely(scores: Values) -> tuple[Values, Values]:
    """(ratings in nats with sum 0, observed information), by Newton's method with halved steps."""
    games = scores + scores.T
    ones = np.full_like(scores, 1.0 / len(scores))
    nats = np.zeros(len(scores))
    for _ in range(_MOST_STEPS):
        expected = 1.0 / (1.0 + np.exp(nats[None, :] - nats[:, None]))
        information = _information(games, expected)
        step = np.linalg.solve(information + ones, (scores - games * expected).sum(axis=1))
        if float(np.abs(step).max()) < 1e-9:
            return nats - nats.mean(), information
        reached = _log_likelihood(scores, nats)
        while _log_likelihood(scores, nats + step) < reached and float(np.abs(step).max()) > 1e-9:
            step = step / 2.0
        nats = nats + step
    raise ArithmeticError("the Elo ratings did not converge")


def _information(games: Values, expected: Values) -> Values:
    """Minus the second derivative of the log likelihood: a graph Laplacian of the pairs."""
    weights = games * expected * (1.0 - expected)
    return np.diag(weights.sum(axis=1)) - weights


def _log_likelihood(scores: Values, nats: Values) -> float:
    return -float((scores * np.logaddexp(0.0, nats[None, :] - nats[:, None])).sum())
