"""The sequential test (SPRT): play until one of two shares can be told from the other.

It looks at prefixes of game numbers, 0, 0..1, 0..2, ..., never at what happened to finish first:
quick games may be lost ones, and then the order of arrival would be evidence of nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from manyminds.arena.statistics.checked import checked_count, checked_inner_share, checked_share
from manyminds.arena.statistics.elo import share_of_elo
from manyminds.core.errors import UsageError, nearest


@dataclass(frozen=True)
class Sprt:
    """Wald's test of share0 ("H0", not stronger) against share1 ("H1", stronger).

    Error rates: `alpha` of accepting H1 at share0, `beta` of accepting H0 at share1. `model`
    names how the log likelihood ratio is taken (MODELS). Decisions fall only after whole blocks
    of `block` games, which is the number of seatings when line-ups rotate.
    """

    share0: float
    share1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "wald"
    block: int = 1

    def __post_init__(self) -> None:
        checked_inner_share(self.share0, "share0")
        checked_inner_share(self.share1, "share1")
        if not self.share0 < self.share1:
            raise UsageError(
                f"share0 (elo0) must be below share1 (elo1); not {self.share0} and {self.share1}"
            )
        for name in ("alpha", "beta"):
            if not 0.0 < getattr(self, name) < 0.5:
                raise UsageError(f"{name} is an error rate between 0 and 0.5, such as 0.05")
        if self.model not in MODELS:
            raise UsageError(f'no SPRT model "{self.model}"; {nearest(self.model, MODELS)}')
        checked_count(self.block, "block", least=1)

    @staticmethod
    def of_elo(
        elo0: float,
        elo1: float,
        alpha: float = 0.05,
        beta: float = 0.05,
        model: str = "wald",
        block: int = 1,
    ) -> Sprt:
        """The same test with its two hypotheses in Elo, between two sides."""
        return Sprt(share_of_elo(elo0), share_of_elo(elo1), alpha, beta, model, block)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at or beyond which H0 and H1 are accepted."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def log_ratio(self, n: int, score: float, squares: float) -> float:
        """log P(results | share1) / P(results | share0), from n games' results and squares."""
        return MODELS[self.model](self, n, score, squares)


def wald_log_ratio(sprt: Sprt, n: int, score: float, squares: float) -> float:
    """Exact for games won or lost. A draw counts as half of each, which errs on the safe side:

    the ratio is linear in a game's result, so its exponential is convex, and results between 0
    and 1 with the same mean give it a smaller expectation. Error rates hold, it takes longer.
    """
    win = math.log(sprt.share1) - math.log(sprt.share0)
    loss = math.log1p(-sprt.share1) - math.log1p(-sprt.share0)
    return score * win + (n - score) * loss


def normal_log_ratio(sprt: Sprt, n: int, score: float, squares: float) -> float:
    """The generalised ratio in its normal approximation: drawn games end the test sooner.

    Wald's ratio, times how much less the results vary than games won or lost would; without draws
    it is Wald's. One virtual win and one virtual loss count in the variance, so that a run of
    draws at the start does not look like certainty. Error rates hold about, not strictly.
    """
    mean = (score + 1.0) / (n + 2)
    spread = (squares + 1.0) / (n + 2) - mean * mean
    return wald_log_ratio(sprt, n, score, squares) * mean * (1.0 - mean) / spread


# Open: a model of one's own is a function (sprt, n, sum of results, sum of their squares).
MODELS: dict[str, Callable[[Sprt, int, float, float], float]] = {
    "wald": wald_log_ratio,
    "normal": normal_log_ratio,
}


class Decision(Enum):
    """What a sequential test says."""

    GO_ON = "go on"
    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True)
class Verdict:
    """A test's answer after `games` games, numbered 0 to games - 1.

    `game` is the number of the game at which the decision fell, None while it goes on. Once
    fallen, a verdict never changes, and games after `game` have no part in it.
    """

    decision: Decision
    game: int | None
    games: int
    log_ratio: float


class SequentialTest:
    """Takes results in any order, judges them by number.

    The verdict is a function of {game number: result} alone: results whose predecessors have not
    all arrived are kept and have no say yet.
    """

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self._results: dict[int, float] = {}
        self._score = 0.0
        self._squares = 0.0
        self._verdict = Verdict(Decision.GO_ON, None, 0, 0.0)

    @property
    def verdict(self) -> Verdict:
        """What the games of the complete prefix say."""
        return self._verdict

    @property
    def waiting(self) -> int:
        """How many results have arrived that the verdict does not take in."""
        return len(self._results) - self._verdict.games

    def add(self, game: int, result: float) -> Verdict:
        """One game's result in [0, 1] (1 won, 0.5 drawn, 0 lost); the verdict after it.

        The same again is no harm, as when a run resumes. Another result is refused.
        """
        game = checked_count(game, "a game number")
        result = checked_share(result, "a result")
        if self._results.setdefault(game, result) != result:
            raise UsageError(
                f"game {game} ended with {self._results[game]} before and with {result} now:"
                " one campaign's results must come from one store"
            )
        while self._verdict.game is None and self._verdict.games in self._results:
            self._verdict = self._after_one_more()
        return self._verdict

    def _after_one_more(self) -> Verdict:
        game = self._verdict.games
        result = self._results[game]
        self._score += result
        self._squares += result * result
        ratio = self.sprt.log_ratio(game + 1, self._score, self._squares)
        decision = self._decision(ratio) if (game + 1) % self.sprt.block == 0 else Decision.GO_ON
        return Verdict(decision, None if decision is Decision.GO_ON else game, game + 1, ratio)

    def _decision(self, ratio: float) -> Decision:
        low, high = self.sprt.bounds
        if ratio >= high:
            return Decision.H1
        return Decision.H0 if ratio <= low else Decision.GO_ON


def judge(sprt: Sprt, results: Mapping[int, float]) -> Verdict:
    """The verdict on {game number: result}, at once."""
    test = SequentialTest(sprt)
    for game, result in results.items():
        test.add(game, result)
    return test.verdict
