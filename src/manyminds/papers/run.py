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
from manyminds.papers.campaigns import Choice, Part, parts_of, store_of, store_of_part
from manyminds.papers.comparing import compare, played_lines, together
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
    made = [(table, parts_of(paper, table, choice)) for table in tables]
    found: list[TableOutcome] = []
    stopped = ""
    for table, parts in made:
        place = store_of(paper, table, len(tables), store)
        run = _Run([None] * len(parts), ending=stopped or "finished")
        if not stopped:
            _play(run, parts, place, workers=workers, runner=runner, show=show, command=command)
            stopped = "" if run.ending == "finished" else run.ending
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


def _play(
    run: _Run,
    parts: Sequence[Part],
    place: Path,
    *,
    workers: int,
    runner: Callable[[], Runner] | None,
    show: Callable[[], Show] | None,
    command: str,
) -> None:
    for number, part in enumerate(parts):
        outcome = driver.run(
            part.campaign,
            store_of_part(place, number),
            workers=workers,
            runner=runner,
            show=show() if show else None,
            command=command,
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
