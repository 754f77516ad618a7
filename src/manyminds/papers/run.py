"""Play a paper's tables: what the stores have already is not played again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from manyminds.arena import driver
from manyminds.arena.progress import Show
from manyminds.arena.runner import Runner
from manyminds.arena.table import Table
from manyminds.arena.versions import versions
from manyminds.core.errors import UsageError
from manyminds.papers.campaigns import Choice, Part, parts_of, store_of, store_of_part, with_kept
from manyminds.papers.comparing import compare, compare_computed, played_lines, together
from manyminds.papers.how import How
from manyminds.papers.learning import play_learning
from manyminds.papers.outcome import Outcome, TableOutcome
from manyminds.papers.paper import Paper, PaperTable

LEVEL = 0.95


@dataclass
class _Run:
    """How the campaigns of a table went."""

    tables: list[Table | None]
    ending: str = "finished"
    played: int = 0
    failed: int = 0


def reproduce(
    paper: Paper,
    tables: Sequence[PaperTable],
    choice: Choice | None = None,
    *,
    store: Path | None = None,
    workers: int = 1,
    runner: Callable[[], Runner] | None = None,
    show: Callable[[], Show] | None = None,
    command: str = "",
) -> Outcome:
    """Play these tables and compare; a run that was stopped leaves later tables not played."""
    choice = choice or Choice()
    made = [(t, [] if t.learning else parts_of(paper, t, choice)) for t in tables]
    how = How(workers, runner, show, command)
    found: list[TableOutcome] = []
    stopped = ""
    for table, parts in made:
        place = store_of(paper, table, len(tables), store)
        if table.learning:
            outcome = play_learning(table, choice, place, how, stopped)
        elif table.computed is not None:
            outcome = _computed(table, choice, stopped)
        else:
            run = _Run([None] * len(parts), ending=stopped or "finished")
            if not stopped:
                _play(run, parts, place, how, paper.one_store)
            outcome = _outcome(table, parts, run, place)
        stopped = "" if outcome.ending == "finished" else outcome.ending
        found.append(outcome)
    return Outcome(
        paper=paper.name,
        citation=paper.citation,
        seed=choice.seed,
        tables=together(found, LEVEL),
        versions=versions(),
        notes=paper.notes,
        level=LEVEL,
    )


def so_far(
    paper: Paper, tables: Sequence[PaperTable], choice: Choice, *, store: Path | None = None
) -> Outcome:
    """What the stores have of these tables by now; nothing is played, learnt or computed."""
    found: list[TableOutcome] = []
    for table in tables:
        if table.learning or table.computed is not None:
            raise UsageError(f"{table.label} has no games of its own in a store; play it")
        place = store_of(paper, table, len(tables), store)
        parts = parts_of(paper, table, choice)
        stores = [store_of_part(place, number) for number in range(len(parts))]
        run = _Run([Table.of(each) if each.exists() else None for each in stores])
        found.append(_outcome(table, parts, run, place))
    return Outcome(
        paper=paper.name,
        citation=paper.citation,
        seed=choice.seed,
        tables=together(found, LEVEL),
        versions=versions(),
        notes=paper.notes,
        level=LEVEL,
    )


def _computed(table: PaperTable, choice: Choice, stopped: str) -> TableOutcome:
    """A table that no match is played for; the same seed and samples give it again."""
    assert table.computed is not None
    samples = table.games if choice.games is None else choice.games
    measured = {} if stopped else table.computed(samples, choice.seed)
    return TableOutcome(
        kind=table.kind,
        name=table.name,
        title=table.title,
        budget=str(table.budget),
        rows=tuple(compare_computed(table, measured, LEVEL)),
        notes=table.notes,
        paper_budget=table.paper_budget,
        across=table.across,
        ending=stopped or "finished",
    )


def _play(run: _Run, parts: Sequence[Part], place: Path, how: How, one_store: bool) -> None:
    for number, part in enumerate(parts):
        store = store_of_part(place, number)
        outcome = driver.run(
            with_kept(part.campaign, store) if one_store else part.campaign,
            store,
            workers=how.workers,
            runner=how.runner,
            show=how.show() if how.show else None,
            command=how.command,
        )
        run.tables[number] = outcome.table
        run.played += outcome.played
        run.failed += outcome.failed
        run.ending = outcome.ending
        if outcome.ending != "finished":
            return


def _outcome(table: PaperTable, parts: Sequence[Part], run: _Run, place: Path) -> TableOutcome:
    rows, claims = compare(table, played_lines(parts, run.tables))
    return TableOutcome(
        kind=table.kind,
        name=table.name,
        title=table.title,
        budget=str(parts[0].campaign.budget),
        rows=tuple(rows),
        claims=tuple(claims),
        notes=table.notes,
        paper_budget=table.paper_budget,
        across=table.across,
        store=str(place),
        ending=run.ending,
        played=run.played,
        failed=run.failed,
    )
