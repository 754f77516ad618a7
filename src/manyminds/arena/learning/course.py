"""What a learner is: a generator that asks for games, is sent what they gave, and returns a set.

It plays nothing and keeps no file. All that it does follows from its candidates (with their seed), its
settings and the tallies that it is sent, so that a run which was killed is resumed by running it again
over the games that are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

import msgspec

from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.statistics import Interval, wilson


class Tally(msgspec.Struct, frozen=True):
    """A set's games against the default: how many, and the sum of its shares of their wins."""

    score: float = 0.0
    games: int = 0

    @property
    def share(self) -> float:
        """Of wins; there are games."""
        return self.score / self.games

    def interval(self, level: float = 0.95) -> Interval:
        """The share with Wilson's interval; there are games."""
        return wilson(self.score, self.games, level)


class Candidates(msgspec.Struct, frozen=True):
    """What may be chosen from. start: the first set; agents: all that may be in a set.

    even: the share of wins of equals, 1 / seats. known: whether `start` is the opponent itself with the
    same budget, so that its true share is `even` without a game. seed: of all the learner's own chance.
    """

    start: AgentSet
    agents: tuple[str, ...]
    seed: int = 0
    even: float = 0.5
    known: bool = False


class Ask(msgspec.Struct, frozen=True):
    """A learner's wish: so many games in all (not more of them) of each of these sets.

    chosen: what it would return now; note: a word to those who watch.
    """

    wanted: dict[AgentSet, int]
    chosen: AgentSet
    note: str = ""


Tallies = Mapping[AgentSet, Tally]
Course = Generator[Ask, Tallies, AgentSet]  # it is sent the tallies of exactly what it asked for
Measure = Callable[[Ask], Tallies]


class Step(msgspec.Struct, frozen=True):
    """One wish and what came of it. games: of the whole run so far; chosen: after it."""

    games: int
    tried: dict[str, Tally]
    chosen: AgentSet
    note: str = ""


def follow(course: Course, measure: Measure) -> tuple[AgentSet, list[Step]]:
    """Run a learner to its end; what it chose, and its steps."""
    most: dict[AgentSet, int] = {}
    open_step: tuple[Ask, Tallies] | None = None
    steps: list[Step] = []
    answer: Tallies | None = None
    while True:
        try:
            ask = next(course) if answer is None else course.send(answer)
        except StopIteration as end:
            if open_step is not None:
                steps.append(_step(most, *open_step, chosen=end.value))
            return end.value, steps
        if open_step is not None:
            steps.append(_step(most, *open_step, chosen=ask.chosen))
        answer = measure(ask)
        for agents, games in ask.wanted.items():
            most[agents] = max(games, most.get(agents, 0))
        open_step = ask, answer


def _step(most: Mapping[AgentSet, int], ask: Ask, answer: Tallies, chosen: AgentSet) -> Step:
    tried = {str(agents): answer[agents] for agents in ask.wanted}
    return Step(sum(most.values()), tried, chosen, ask.note)


Learn = Callable[[Candidates, Any], Course]


class Learner(msgspec.Struct, frozen=True):
    """A way of learning: its function, and the shape of its settings with their defaults."""

    learn: Learn
    settings: type[msgspec.Struct]
