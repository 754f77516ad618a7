"""When a line-up has played enough: a function of which games ended how, never of the order of arrival."""

from __future__ import annotations

from manyminds.arena.campaign import Campaign
from manyminds.arena.statistics import Decision, SequentialTest


class Stopping:
    """The stopping rule on one line-up's games, given in any order by their index.

    A sequential test sees the complete prefix only: games whose predecessors are neither finished nor
    failed have no say yet, and games after the decision are not counted, though they were played.
    """

    def __init__(self, campaign: Campaign, places: int) -> None:
        stop = campaign.stop
        block = places if campaign.rotate else 1
        self._test = SequentialTest(stop.test(block)) if stop.rule == "sprt" else None
        self._waiting: dict[int, float | None] = {}
        self._next = 0  # the first index that is neither finished nor failed
        self._taken = 0  # games that the test has seen
        self._end: int | None = None

    @property
    def decided(self) -> bool:
        """Whether no further game is needed."""
        return self._end is not None

    def add(self, index: int, share: float) -> None:
        """Game `index` ended with this share of a win for the first place."""
        self._take(index, share)

    def fail(self, index: int) -> None:
        """Game `index` has no result; the test goes on without it."""
        self._take(index, None)

    def counts(self, index: int) -> bool:
        """Whether this game belongs to the result: not one that was played after the decision."""
        return self._end is None or index <= self._end

    def sentence(self) -> str:
        """What the test says, for people; empty without one."""
        if self._test is None:
            return ""
        test, verdict = self._test.sprt, self._test.verdict
        low, high = f"{test.share0:.4g}", f"{test.share1:.4g}"
        if verdict.decision is Decision.GO_ON:
            return f"undecided between {low} and {high} after {verdict.games} games"
        found, other = (high, low) if verdict.decision is Decision.H1 else (low, high)
        return f"after {verdict.games} games: {found} rather than {other}"

    def _take(self, index: int, share: float | None) -> None:
        if self._test is None or self.decided:
            return
        self._waiting[index] = share
        while self._next in self._waiting and not self.decided:
            value = self._waiting.pop(self._next)
            if value is not None and self._test.add(self._taken, value).game is not None:
                self._end = self._next
            self._taken += value is not None
            self._next += 1
