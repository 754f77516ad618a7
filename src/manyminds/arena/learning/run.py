"""Plays what a learner asks for: through the arena's driver, into a store that is an ordinary campaign's.

Every wish becomes games of line-ups in one campaign that grows. A run that was killed is run again: the
learner asks the same, and what the store has is not played again. Nothing else is remembered.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from manyminds.arena import driver
from manyminds.arena.campaign import LineupChoice, Spec
from manyminds.arena.files import read_files
from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.course import Ask, Step, Tally, follow
from manyminds.arena.learning.learnt import Learnt
from manyminds.arena.learning.plan import Plan, read_plan
from manyminds.arena.local import LocalPool
from manyminds.arena.pairing import Seats
from manyminds.arena.progress import Progress, Show
from manyminds.arena.runner import InProcess, Runner
from manyminds.arena.sample import Values
from manyminds.arena.statistics import Interval, wilson
from manyminds.arena.store import Store
from manyminds.arena.table import Table
from manyminds.arena.task import make
from manyminds.arena.versions import versions
from manyminds.core.errors import Failure

DEFAULT = "default"  # what the opponent is called in line-ups
_LONGEST = 150  # characters of a set in a line-up
LEVEL = 0.95

Names = tuple[str, ...]


class Stopped(Exception):
    """The run was interrupted or terminated; what was played is in the store."""


class Watch(Show):
    """Shows a run of the driver, with the learner's word."""

    def __init__(self, show: Show, note: str) -> None:
        self._show, self._note = show, note

    def update(self, progress: Progress) -> None:
        """As the show inside, with the note where there is no other."""
        progress.note = progress.note or self._note
        self._show.update(progress)

    def close(self) -> None:
        """Close the show inside."""
        self._show.close()


class Ground:
    """Where the games of one plan are played and kept."""

    def __init__(
        self, plan: Plan, store: Path, runner: Runner, show: Callable[[], Show] | None, command: str
    ) -> None:
        self.plan, self.path, self.runner = plan, store, runner
        self._show, self._command = show, command
        self.seats = len(Seats.of(make(_data(plan.game), read_files(plan.files))).names)
        self._players: dict[str, Spec] = {DEFAULT: plan.opponent}
        self._wanted: dict[Names, int] = {}
        self._done: dict[Names, int] = {}  # what was wanted when the store was last read
        self._shares: dict[Names, tuple[Values, Values]] = {}  # indices and first player's shares
        self.played = self.failed = 0
        self._recall()

    def measure(self, ask: Ask) -> dict[AgentSet, Tally]:
        """Play what is missing of a learner's wish."""
        lineups = {agents: self._lineup(agents) for agents in ask.wanted}
        self.play({lineups[a]: games for a, games in ask.wanted.items()}, ask.note)
        return {a: self.tally(lineups[a], games) for a, games in ask.wanted.items()}

    def fresh(self, games: Mapping[AgentSet, int], note: str) -> dict[AgentSet, Tally]:
        """Games that no choice has seen: of line-ups with names, and so seeds, of their own."""
        lineups = {agents: self._lineup(agents, " (fresh)") for agents in games}
        self.play({lineups[a]: n for a, n in games.items()}, note)
        return {a: self.tally(lineups[a], n) for a, n in games.items()}

    def duel(self, one: AgentSet, other: AgentSet, games: int) -> Tally:
        """One set's games against another set."""
        opponent = self._named(other)
        names = (self._named(one), *(opponent,) * (self.seats - 1))
        self.play({names: games}, "the set against the best of its agents")
        return self.tally(names, games)

    def play(self, wanted: Mapping[Names, int], note: str) -> None:
        """Play what the store does not have yet of these line-ups."""
        for names, games in wanted.items():
            whole = -(-games // self.seats) * self.seats  # every seat as often
            self._wanted[names] = max(whole, self._wanted.get(names, 0))
        if all(self._has(names) for names in wanted):
            return
        outcome = driver.run(
            self.plan.campaign(self._players, self._wanted),
            self.path,
            runner=self.runner,
            show=Watch(self._show(), note) if self._show else None,
            command=self._command,
        )
        self.played += outcome.played
        self.failed += outcome.failed
        self._take(outcome.table)
        if outcome.ending != "finished":
            raise Stopped(outcome.ending)

    def tally(self, names: Names, games: int) -> Tally:
        """Of a line-up's first so many games, whatever was played beyond them."""
        indices, shares = self._shares[names]
        whole = -(-games // self.seats) * self.seats
        counted = shares[indices < whole]
        if not len(counted):
            raise Failure(f"{names[0]}: none of its games has a result; `manyminds campaign report "
                          f"{self.path}` says why")  # fmt: skip
        return Tally(float(counted.sum()), len(counted))

    def _has(self, names: Names) -> bool:
        return names in self._shares and self._wanted[names] <= self._done.get(names, 0)

    def _take(self, table: Table) -> None:
        self._done = dict(self._wanted)
        for row in table.rows:
            sample = table.samples[row.lineup]
            self._shares[row.names] = np.array(sample.indices), sample.shares[:, 0]

    def _recall(self) -> None:
        """What an earlier run has asked for stays in the campaign, whatever is asked for now."""
        if not self.path.exists():
            return
        with Store.read(self.path) as store:
            old = store.campaign()
        if old is None:
            return
        for choice in old.lineups:
            if isinstance(choice, LineupChoice) and isinstance(choice.seats, tuple):
                self._wanted[choice.seats] = choice.games or old.games
        self._players.update({k: v for k, v in old.players.items() if k != DEFAULT})

    def _lineup(self, agents: AgentSet, suffix: str = "") -> Names:
        return (self._named(agents, suffix), *(DEFAULT,) * (self.seats - 1))

    def _named(self, agents: AgentSet, suffix: str = "") -> str:
        text = str(agents)
        if len(text) > _LONGEST:
            digest = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
            text = f"{len(agents)} agents, {digest}"
        self._players[text + suffix] = self.plan.spec_of(agents)
        return text + suffix


def learn(
    plan: Plan | str | os.PathLike[str],
    store: str | os.PathLike[str],
    *,
    workers: int = 2,
    runner: Runner | None = None,
    show: Callable[[], Show] | None = None,
    command: str = "",
    step: Callable[[Ask, int], None] | None = None,
) -> Learnt:
    """Learn as the plan (or its TOML file) says; what the store has already is not played again.

    workers: local processes, 0 for this one. step: told of every wish, with the games played so far.
    """
    plan = plan if isinstance(plan, Plan) else read_plan(plan)
    made = runner or (LocalPool(workers) if workers else InProcess())
    try:
        ground = Ground(plan, Path(store), made, show, command)
        return _learn(plan, ground, step)
    finally:
        if runner is None:
            made.close()


def _learn(plan: Plan, ground: Ground, step: Callable[[Ask, int], None] | None) -> Learnt:
    found = Learnt(
        title=plan.title,
        learner=plan.learner,
        game=_data(plan.game),
        player=str(plan.player),
        against=str(plan.opponent),
        budget=str(1000 if plan.budget is None else plan.budget),
        seed=plan.seed,
        candidates=len(plan.names),
        database=plan.database,
        versions=versions(),
        store=str(ground.path),
    )
    asked: list[Ask] = []

    def measure(ask: Ask) -> dict[AgentSet, Tally]:
        asked.append(ask)
        if step is not None:
            step(ask, ground.played)
        return ground.measure(ask)

    try:
        chosen, steps = follow(plan.begin(even=1.0 / ground.seats), measure)
        found = _found(found, ground, chosen, steps)
        found = _measured(found, ground, chosen, plan)
    except Stopped as stopped:
        found = msgspec.structs.replace(found, ending=str(stopped))
    return msgspec.structs.replace(found, played=ground.played, failed=ground.failed)


def _found(found: Learnt, ground: Ground, chosen: AgentSet, steps: list[Step]) -> Learnt:
    """With the choice, and the number that it was chosen by."""
    replace = msgspec.structs.replace
    found = replace(found, chosen=chosen, steps=tuple(steps), games=steps[-1].games if steps else 0)
    tried = [step.tried[str(chosen)] for step in steps if str(chosen) in step.tried]
    return replace(found, first=tried[-1].interval(LEVEL)) if tried else found


def _measured(found: Learnt, ground: Ground, chosen: AgentSet, plan: Plan) -> Learnt:
    """With what fresh games say of the choice, of its agents alone, and against the best of these."""
    replace = msgspec.structs.replace
    fresh = ground.fresh({chosen: plan.fresh}, "the chosen set, fresh games")[chosen]
    found = replace(found, fresh=_interval(fresh))
    if not plan.members or len(chosen) < 2:
        return found
    single = {AgentSet.of([name]): plan.members for name in chosen.names}
    alone = ground.fresh(single, "each of its agents alone, fresh games")
    best = max(alone, key=lambda agents: alone[agents].share)
    found = replace(
        found,
        alone={str(agents): _interval(tally) for agents, tally in alone.items()},
        best_member=str(best),
    )
    return replace(found, against_best=_interval(ground.duel(chosen, best, plan.members)))


def _interval(tally: Tally) -> Interval:
    return wilson(tally.score, tally.games, LEVEL)


def _data(game: str | dict[str, Any]) -> dict[str, Any]:
    return dict(game) if isinstance(game, dict) else {"name": game}
