"""Whether a store holds what its campaign says: every seed and line-up derived anew, games replayed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from manyminds.arena.campaign import Campaign, Spec
from manyminds.arena.result import FailedGame, Result, difference
from manyminds.arena.schedule import GamePlan, Schedule
from manyminds.arena.schema import BrokenStore
from manyminds.arena.store import Store
from manyminds.arena.table import schedule_of
from manyminds.arena.task import Tasks, play_task
from manyminds.arena.versions import versions
from manyminds.core.errors import UsageError

_MOST_PROBLEMS = 100


class Findings(msgspec.Struct, frozen=True):
    """What `check` saw. No problems: every game is what the campaign's data give.

    replayed: the numbers of the games that were played again. other_versions: the games were played
    by versions that are not those here, which may explain differences.
    """

    games: int
    replayed: tuple[int, ...]
    problems: tuple[str, ...]
    other_versions: bool

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return not self.problems


def check(store: Store, replay: int = 0, seed: int = 0) -> Findings:
    """Look at every game, and play `replay` of them again, drawn with `seed`.

    Only games that follow from their seed can be replayed: not those with budgets in time. An outside
    program that draws at random of its own differs too, and that is then no fault of the store.
    """
    schedule, _ = schedule_of(store)
    problems = list(store.unsound())
    numbers: list[int] = []
    for key in sorted(store.lineups().values()):
        try:
            for result in store.results(key, details=True):
                numbers.append(result.number)
                if len(problems) < _MOST_PROBLEMS:
                    problems += _problems(schedule, result)
        except BrokenStore as error:  # the other line-ups may be whole
            problems.append(str(error))
    chosen = _chosen(schedule.campaign, numbers, replay, seed)
    problems += _replayed(store, schedule, chosen)
    here = versions()
    others = any(run.versions != here for run in store.runs())
    return Findings(len(numbers), tuple(chosen), tuple(problems[:_MOST_PROBLEMS]), others)


def _problems(schedule: Schedule, result: Result) -> Iterator[str]:
    """What is wrong with one game."""
    where = f"game {result.number}"
    if Schedule.lineup_of(result.number) not in schedule.lineups:
        yield f"{where} is of a line-up that the campaign does not have"
        return
    plan = schedule[result.number]
    if result.seed != plan.seed:
        yield f"{where} has the seed {result.seed}; {plan.seed} follows from its number"
    try:
        match = result.match()
    except ValueError as error:
        yield f"{where}: {error}"
        return
    told = (
        match.seed,
        match.rewards,
        tuple(match.points.values()),
        match.ending,
        len(match.joint_moves),
    )
    kept = (result.seed, result.rewards, result.points, result.ending, result.turns)
    if told != kept:
        yield f"{where}: its match says {told}, its row {kept}"
    if match.game != schedule.campaign.data["name"]:
        yield f"{where} is a game of {match.game}"
    expected = _lineup(plan)
    if expected is not None and match.lineup != expected:
        yield f"{where} was played by {', '.join(match.lineup)}; its number says {', '.join(expected)}"


def _lineup(plan: GamePlan) -> tuple[str, ...] | None:
    """The line-up as a match writes it; None where seats are named and teams may be made of mates."""
    from manyminds.players.spec import PlayerSpec

    if isinstance(plan.players, dict):
        return None
    return tuple(str(PlayerSpec.of(spec)) for spec in plan.players)


def _chosen(campaign: Campaign, numbers: list[int], replay: int, seed: int) -> list[int]:
    if replay < 1:
        return []
    timed = [name for name, spec in campaign.players.items() if _is_timed(spec)]
    if timed or (campaign.budget is not None and _is_timed(f"x@{campaign.budget}")):
        who = f"the player {timed[0]} has" if timed else "it has"
        raise UsageError(
            f"a campaign with budgets in time cannot be replayed, and {who} one: leave --replay out"
        )
    return sorted(random.Random(seed).sample(numbers, min(replay, len(numbers))))


def _is_timed(spec: Spec) -> bool:
    from manyminds.players.spec import PlayerSpec

    budget = PlayerSpec.of(spec).budget
    return budget is not None and budget.milliseconds is not None


def _replayed(store: Store, schedule: Schedule, numbers: list[int]) -> Iterator[str]:
    tasks = Tasks(schedule.campaign, store.files())
    for number in numbers:
        kept = store.result(number)
        assert kept is not None
        again = play_task(tasks.task(schedule[number]))
        if isinstance(again, FailedGame):
            yield f"game {number} cannot be replayed: {again.reason.splitlines()[-1]}"
        elif differs := difference(kept, again):
            yield f"game {number} was replayed and differs, in {differs}"
