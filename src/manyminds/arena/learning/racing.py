"""A race: hopeless candidates are dropped after few games, and games go where they may change the choice.

After every round a model of all games so far (see `model`) says what each set may be worth, played or
not. The next round's games are given out by Thompson's rule: draw a possible truth from the model, and
play the set that would be the best one then. So a set is played as often as it may be the best, and
one that can hardly be is left alone. New sets come as neighbours of the leaders.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import numpy as np

from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.course import Ask, Candidates, Course, Learner, Tally
from manyminds.arena.learning.model import LIKENESS, Array, Model, chance_of_more
from manyminds.arena.learning.moves import (
    Neighbours,
    adding,
    adding_several,
    removing,
    swapping,
    weighing,
)
from manyminds.core.errors import UsageError, nearest
from manyminds.core.random import derive

_FIRST = 0.2  # of all games at most, for a first look at single agents
_FIRST_GROUPS = 0.1  # of all games, for a first look at groups
_LAST = 0.25  # of all games, for the finalists alone
_FINALISTS = 8
_LEADERS = 4  # whose neighbours are looked at
_HOPELESS = 0.01  # chance of being better than the leader, below which a set is not looked at
_MOST_LOOKED_AT = 400  # sets at a time, the likeliest first
_ADDED, _SWAPPED = 40, 12  # agents that are added, and put in others' places: the most promising
_DRAWN = 20  # agents of which groups are drawn, and as many groups of each size
_BOLD = 0.5  # of the spread that Thompson's rule draws with: there are always more sets to look at
_FIT_AGAIN = 1.6  # times as many games as when the spreads were last fitted


class Race(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """games: of the whole race. round: games between two looks. each: games given to a set at a time.

    most: agents in a set. together: how many may be added at once. heaviest: the greatest weight, 1 for
    sets that are drawn uniformly. alike: what agents' names say of them: "order" or "none".
    """

    games: int = 12_000
    round: int = 480
    each: int = 40
    most: int = 8
    together: int = 3
    heaviest: int = 4
    alike: str = "order"

    def __post_init__(self) -> None:
        if min(self.games, self.round, self.each, self.most, self.together, self.heaviest) < 1:
            raise UsageError("racing: all numbers are at least 1")
        if self.round > self.games or self.each > self.round:
            raise UsageError("racing: each is at most round, and round at most games")
        if self.alike not in LIKENESS:
            raise UsageError(f'racing: there is no likeness "{self.alike}"; '
                             f"{nearest(self.alike, LIKENESS)}")  # fmt: skip


class _Racer:
    """The state of one race: games asked for, and what is believed after those that were played."""

    def __init__(self, candidates: Candidates, race: Race, neighbours: Neighbours) -> None:
        self.candidates, self.race, self.neighbours = candidates, race, neighbours
        self.names = list(dict.fromkeys((*candidates.start.names, *candidates.agents)))
        self.asked: dict[AgentSet, int] = {}
        self.tallies: dict[AgentSet, Tally] = {}
        self.model = Model(self.names, candidates.even, LIKENESS[race.alike])
        self.random = random.Random(derive(candidates.seed, "race"))
        self.draws = np.random.default_rng(derive(candidates.seed, "thompson"))
        self._fitted = 0
        self.ranked: list[AgentSet] = []
        self.in_race = len(self.names)

    @property
    def spent(self) -> int:
        """Games that were asked for so far: one that failed is not played again."""
        return sum(self.asked.values())

    def ask(self, picks: Sequence[AgentSet], chosen: AgentSet) -> Ask:
        """A wish for `each` more games of a set, as often as it was picked."""
        for agents in picks:
            self.asked[agents] = self.asked.get(agents, 0) + self.race.each
        wanted = {agents: self.asked[agents] for agents in picks}
        note = f"{self.in_race} agents in the race, {len(self.tallies)} sets played"
        return Ask(wanted, chosen, note)

    def take(self, tallies: dict[AgentSet, Tally]) -> None:
        """Believe these too."""
        self.tallies.update(tallies)
        fit = self.spent >= _FIT_AGAIN * self._fitted
        self._fitted = self.spent if fit else self._fitted
        self.model.take(self.tallies, self._known(), fit)
        self.ranked = self._rank()

    def _rank(self) -> list[AgentSet]:
        """The played sets, the one that is believed best first; the start counts as played."""
        sets = list(dict.fromkeys((*self.tallies, self.candidates.start)))
        mean, _ = self.model.believe(sets)
        return [sets[at] for at in np.argsort(-mean, kind="stable")]

    def pool(self) -> list[AgentSet]:
        """What may still be the best: played sets and the leaders' neighbours, the hopeless left out."""
        promising = self._promising(self.ranked[0])
        near = (new for leader in self.ranked[:_LEADERS]
                for new in self.neighbours(leader, promising, self.random))  # fmt: skip
        sets = list(dict.fromkeys((*self.ranked, *near)))
        mean, covariance = self.model.believe(sets)
        hope = _hope(mean, covariance, 0)
        order = np.argsort(-hope, kind="stable")[:_MOST_LOOKED_AT]
        hopeful = [sets[at] for at in order if hope[at] >= _HOPELESS or at == 0]
        self.in_race = len({name for agents in hopeful for name in agents.names})
        return hopeful

    def picks(self, sets: Sequence[AgentSet]) -> list[AgentSet]:
        """For each part of the next round the set that is best in one possible truth."""
        mean, covariance = self.model.believe(sets)
        root = np.linalg.cholesky(
            covariance + 1e-9 * np.eye(len(sets))
        )  # every set has its own part
        games = min(self.race.round, self.race.games - self.spent)
        count = max(1, games // self.race.each)
        truths = mean + _BOLD * self.draws.standard_normal((count, len(sets))) @ root.T
        return [sets[at] for at in truths.argmax(axis=1)]

    def _known(self) -> AgentSet | None:
        return self.candidates.start if self.candidates.known else None

    def _promising(self, leader: AgentSet) -> list[str]:
        """The agents, the one most likely to improve the leader first."""
        new = [name for name in self.candidates.agents if name not in leader]
        if not new:
            return []
        mean, covariance = self.model.believe([leader, *(leader.with_agents(n) for n in new)])
        hope = _hope(mean, covariance, 0)[1:]
        order = np.argsort(-hope, kind="stable")
        return [new[at] for at in order if hope[at] >= _HOPELESS]


def _hope(mean: Array, covariance: Array, leader: int) -> Array:
    """Each set's chance of being better than the leader."""
    own = np.diag(covariance)
    variance = own + own[leader] - 2.0 * covariance[leader]
    pairs = zip(mean - mean[leader], variance, strict=True)
    return np.array([chance_of_more(float(gap), float(spread)) for gap, spread in pairs])


def _course(racer: _Racer) -> Course:
    race, start = racer.race, racer.candidates.start
    first = _first_look(racer)
    racer.take(dict((yield racer.ask(first, start))))
    while racer.spent + race.each <= (1.0 - _LAST) * race.games:
        picks = racer.picks(racer.pool())
        racer.take(dict((yield racer.ask(picks, racer.ranked[0]))))
    finalists = racer.ranked[:_FINALISTS]
    while racer.spent + race.each <= race.games:
        racer.in_race = len({name for agents in finalists for name in agents.names})
        racer.take(dict((yield racer.ask(racer.picks(finalists), racer.ranked[0]))))
    return racer.ranked[0]


def _first_look(racer: _Racer) -> list[AgentSet]:
    """Single agents, all of them where the games allow, and groups: only those show what mixing gives."""
    race, start, rng = racer.race, racer.candidates.start, racer.random
    singles = [AgentSet.of([name]) for name in racer.names]
    singles = [agents for agents in singles if not (racer.candidates.known and agents == start)]
    rng.shuffle(singles)
    picks = singles[: max(1, int(_FIRST * race.games / race.each))]
    most = min(race.most, race.together + 1, len(racer.names))
    for _ in range(int(_FIRST_GROUPS * race.games / race.each) if most > 1 else 0):
        picks.append(AgentSet.of(rng.sample(racer.names, rng.randint(2, most))))
    return picks or [start]


def _growing(
    race: Race,
    every: Sequence[str],
    agents: AgentSet,
    names: Sequence[str],
    rng: random.Random,
) -> Iterator[AgentSet]:
    """All that a race looks at beside a leader; `names`: the promising ones first.

    Several at once are drawn from all agents: two that are weak alone may be good together.
    """
    drawn = rng.sample(every, min(len(every), _DRAWN))
    yield from adding(agents, names[:_ADDED], race.most)
    yield from adding_several(agents, drawn, race.most, race.together, rng)
    yield from removing(agents)
    yield from swapping(agents, names[:_SWAPPED])
    yield from weighing(agents, race.heaviest)


def _reweighing(
    race: Race, agents: AgentSet, names: Sequence[str], rng: random.Random
) -> Iterator[AgentSet]:
    """Other weights for the same agents; one whose weight would be nothing goes."""
    yield from weighing(agents, race.heaviest)
    yield from adding(agents, names, race.most)
    yield from removing(agents)


def racing(candidates: Candidates, race: Race) -> Course:
    """Find the best set of any of the agents, within so many games."""
    return _course(_Racer(candidates, race, partial(_growing, race, candidates.agents)))


def weights(candidates: Candidates, race: Race) -> Course:
    """Find the best weights of the agents that the start has."""
    own = msgspec.structs.replace(candidates, agents=candidates.start.names)
    race = msgspec.structs.replace(race, most=max(race.most, len(candidates.start)))
    return _course(_Racer(own, race, partial(_reweighing, race)))


RACING = Learner(racing, Race)
WEIGHTS = Learner(weights, Race)
