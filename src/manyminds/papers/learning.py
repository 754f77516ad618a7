"""A paper's learning curves: a learner is run, and its steps become the lines of a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from manyminds.arena import statistics
from manyminds.arena.learning.course import Step
from manyminds.arena.learning.learnt import Learnt
from manyminds.arena.learning.page import percent
from manyminds.arena.learning.plan import Plan
from manyminds.arena.learning.run import learn
from manyminds.papers.campaigns import Choice, store_of_part
from manyminds.papers.how import How
from manyminds.papers.outcome import NOT_PRINTED, Compared, TableOutcome
from manyminds.papers.paper import WINS, PaperTable


def play_learning(
    table: PaperTable, choice: Choice, place: Path, how: How, stopped: str = ""
) -> TableOutcome:
    """Run the learners of a table, one after the other, each with a store of its own.

    stopped: how an earlier table was stopped; then nothing is played.
    """
    found: list[Learnt] = []
    for number, plan in enumerate(() if stopped else table.learning):
        found.append(_learn(_chosen(table, plan, choice), store_of_part(place, number), how))
        if found[-1].ending != "finished":
            break
    outcome = _outcome(table, choice, found, place)
    return msgspec.structs.replace(outcome, ending=stopped) if stopped else outcome


def _learn(plan: Plan, store: Path, how: How) -> Learnt:
    made = how.runner() if how.runner else None
    try:
        return learn(
            plan, store, workers=how.workers, runner=made, show=how.show, command=how.command
        )
    finally:
        if made is not None:
            made.close()


def _chosen(table: PaperTable, plan: Plan, choice: Choice) -> Plan:
    """The plan with what was typed; `--games` is its learner's number."""
    learner = dict(plan.learner)
    if choice.games is not None:
        learner["games"] = choice.games
    budget = table.budget if choice.budget is None else choice.budget
    seed = (plan.seed + choice.seed) % 2**64
    return msgspec.structs.replace(plan, learner=learner, budget=budget, seed=seed)


def _outcome(
    table: PaperTable, choice: Choice, found: Sequence[Learnt], place: Path
) -> TableOutcome:
    one = len(table.learning) == 1
    rows = list(_curve(table, found) if one else _runs(found))
    return TableOutcome(
        kind=table.kind,
        name=table.name,
        title=table.title,
        budget=str(table.budget if choice.budget is None else choice.budget),
        rows=tuple(rows),
        notes=(*table.notes, *_notes(found)),
        paper_budget=table.paper_budget,
        across=table.across,
        store=str(place),
        ending=found[-1].ending if found else "finished",
        played=sum(learnt.played for learnt in found),
        failed=sum(learnt.failed for learnt in found),
    )


# --- one learner's curve ----------------------------------------------------------------------------


def _curve(table: PaperTable, found: Sequence[Learnt]) -> Iterator[Compared]:
    """A line per step; what is printed is of the first set, and of the one that was chosen."""
    steps = found[0].steps if found else ()
    printed = {line.title: line.numbers[0] for line in table.lines}
    for at, step in enumerate(steps):
        tried, tally = max(step.tried.items(), key=lambda item: (item[1].games, item[0]))
        yield Compared(
            line=_what(at, step, tried),
            players=(tried, "default"),
            of=WINS,
            x=float(at),
            ours=tally.interval(),
            verdict=NOT_PRINTED,
        )
    for title, number in printed.items():
        row = Compared(line=title, players=(), of=WINS, x=float(max(0, len(steps) - 1)),
                       printed=number.mean, printed_n=number.n)  # fmt: skip
        if found and (ours := found[0].first) is not None and found[0].chosen is not None:
            score = ours.estimate * ours.n
            away = statistics.published_share_difference(
                score, ours.n, number.published, ours.level
            )
            row = msgspec.structs.replace(
                row,
                players=(str(found[0].chosen), "default"),
                ours=ours,
                difference=away.interval,
                p=away.p_value,
                assumption=away.assumption,
            )
        yield row


def _what(at: int, step: Step, tried: str) -> str:
    if at == 0:
        return "the default agent"
    return f"try {at}" + (", kept" if str(step.chosen) == tried else "")


# --- several learners -------------------------------------------------------------------------------


def _runs(found: Sequence[Learnt]) -> Iterator[Compared]:
    """A line per learner: its choice in fresh games."""
    for at, learnt in enumerate(found):
        yield Compared(
            line=f"run {at + 1}",
            players=(str(learnt.chosen), "default"),
            of=WINS,
            ours=learnt.fresh,
            verdict=NOT_PRINTED,
        )


def _notes(found: Sequence[Learnt]) -> Iterator[str]:
    """What was chosen, both its numbers, and how much of it two runs have in common."""
    for at, learnt in enumerate(found):
        if learnt.chosen is None or learnt.fresh is None:
            continue
        first = percent(learnt.first) if learnt.first else "no games"
        yield (
            f"Run {at + 1} chose {learnt.chosen}: {first} in the games it was chosen by, "
            f"{percent(learnt.fresh)} in fresh ones."
        )
    chosen = [(at, learnt) for at, learnt in enumerate(found) if learnt.chosen is not None]
    for (one, first_run), (two, second_run) in combinations(chosen, 2):
        assert first_run.chosen is not None
        assert second_run.chosen is not None
        mine, other = set(first_run.chosen.names), set(second_run.chosen.names)
        chance = len(mine) * len(other) / max(1, first_run.candidates)
        yield (
            f"Runs {one + 1} and {two + 1} have {len(mine & other)} agents in common, of {len(mine)} "
            f"and {len(other)}; by chance it would be {chance:.1f}."
        )
