"""The report of a campaign: one HTML page that needs nothing else, and a Markdown twin.

For a person who does not know the code: what was asked, what was found and how surely, what others
had found, and all that is needed to play it again.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from manyminds.arena.budgets import without_budget
from manyminds.arena.document import (
    Block,
    Bullets,
    Grid,
    Heading,
    Listing,
    Paragraph,
    to_html,
    to_markdown,
)
from manyminds.arena.findings import findings
from manyminds.arena.store import Store
from manyminds.arena.table import Table
from manyminds.arena.toml import to_toml
from manyminds.core.errors import UsageError

_MOST_REASONS = 20
_GAMES = "n (games) is how many games a number rests on. a ± b: the mean is a, and"
_POINTS = (
    "Points are what the game counts. A win is the highest reward of a game; when several share it, "
    "each has its part of one win."
)
_P = (
    "p is how often chance alone would give a difference as large; Holm's correction raises it where "
    "many differences are looked at, since some of many look large by chance."
)


def write_report(store: str | os.PathLike[str], page: str | os.PathLike[str]) -> Path:
    """Write the page and its twin (the same name with .md); the page's path."""
    path = check_name(Path(page))
    with Store.read(Path(store)) as opened:
        title, blocks = report(opened)
    write_whole(path, to_html(title, blocks))
    write_whole(path.with_suffix(".md"), to_markdown(title, blocks))
    return path


def check_name(path: Path) -> Path:
    """The path, if a page may have it."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"a report is an HTML page: name it {path.with_suffix('.html')}")
    return path


def report(store: Store) -> tuple[str, list[Block]]:
    """The report's title and its parts."""
    table = Table.of(store)
    blocks: list[Block] = [
        *_opening(table),
        *findings(table),
        *_trouble(store, table),
        *_reading(table),
        *_provenance(store, table),
    ]
    return table.campaign.name, blocks


def write_whole(path: Path, text: str) -> None:
    """The whole file or none of it."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


# --- what was asked and found -----------------------------------------------------------------------


def _opening(table: Table) -> Iterator[Block]:
    campaign = table.campaign
    if campaign.question:
        yield Paragraph(campaign.question)
    played = sum(row.games for row in table.rows)
    wanted = sum(row.wanted for row in table.rows if not row.decided)
    arguments = ", ".join(f"{k} {v}" for k, v in campaign.data.items() if k != "name")
    game = f"{campaign.data['name']} ({arguments})" if arguments else str(campaign.data["name"])
    words = [
        f"{played} games of {game}, {len(table.rows)} line-up{'s' if len(table.rows) > 1 else ''}",
        f"seed {campaign.seed}",
        f"budget {_budget_words(table)}",
    ]
    yield Paragraph("; ".join(words) + ".")
    missing = wanted - sum(row.games for row in table.rows if not row.decided)
    if missing > 0:
        yield Paragraph(f"This campaign is not finished: {missing} games are still to be played.")


def _budget_words(table: Table) -> str:
    default = table.campaign.budget
    own = {name for row in table.rows for name in row.names}
    parts = sorted({text for name in own if (text := _own_budget(table, name))}, key=_by_size)
    if default is None and parts:
        return ", ".join(parts)
    usual = str(1000 if default is None else default)
    return f"{usual}, and {', '.join(parts)} where a player names its own" if parts else usual


def _by_size(budget: str) -> tuple[int, str]:
    return len(budget), budget


def _own_budget(table: Table, name: str) -> str:
    _, budget = without_budget(table.campaign.spec(name))
    return "" if budget is None else f"{name} {budget}" if "@" not in name else str(budget)


# --- what went wrong, how to read it, and what was run --------------------------------------------------


def _trouble(store: Store, table: Table) -> Iterator[Block]:
    failures = store.failures()
    forfeits: Counter[str] = Counter()
    limited = 0
    for row in table.rows:
        for result in store.results(row.lineup):
            places = table.schedule.places_of(result.number)
            for seat, reason in result.forfeits:
                forfeits[
                    f"{row.names[places[seat]]}: {reason.splitlines()[0][:200] if reason else '?'}"
                ] += 1
            limited += result.ending == "move limit"
    if not (failures or forfeits or limited):
        return
    yield Heading("What went wrong")
    items = [
        f"{count} x lost by forfeit, {text}" for text, count in forfeits.most_common(_MOST_REASONS)
    ]
    if limited:
        items.append(f"{limited} games ended at the move limit and count as they stood")
    reasons = Counter(texts[-1].splitlines()[-1][:200] for texts in failures.values())
    items += [
        f"{count} x without a result: {text}" for text, count in reasons.most_common(_MOST_REASONS)
    ]
    yield Bullets(tuple(items))
    if failures:
        yield Paragraph("Games without a result are in no number above.")


def _reading(table: Table) -> Iterator[Block]:
    yield Heading("How to read this")
    yield Bullets(
        (
            f"{_GAMES} {100 * table.level:g} % of intervals made like a ± b contain the true mean.",
            _POINTS,
            _P,
        )
    )


def _provenance(store: Store, table: Table) -> Iterator[Block]:
    yield Heading("What was run")
    runs = store.runs()
    last = runs[-1]
    names = list(dict.fromkeys(name for row in table.rows for name in row.names))
    specs = tuple((name, _spec_text(table, name)) for name in names)
    if any(name != spec for name, spec in specs):
        yield Grid(("player", "definition"), specs)
    yield Paragraph("The command:")
    yield Listing(last.command or "(run from Python: Campaign(...).run(...))")
    yield Paragraph("The campaign:")
    yield Listing(last.toml or to_toml(last.campaign), "toml")
    yield Grid(
        ("run", "began", "ended", "how", "by", "versions"),
        tuple(
            (
                str(run.run),
                _time(run.began),
                _time(run.ended or ""),
                run.outcome or "under way, or killed",
                run.runner,
                ", ".join(f"{k} {v}" for k, v in run.versions.items()),
            )
            for run in runs
        ),
    )
    if len({tuple(sorted(run.versions.items())) for run in runs}) > 1:
        yield Paragraph(
            "Not all runs had the same versions; games of different versions may differ."
        )


def _time(text: str) -> str:
    return text.replace("T", " ").replace("+00:00", " UTC")


def _spec_text(table: Table, name: str) -> str:
    spec = table.campaign.spec(name)
    return (
        spec
        if isinstance(spec, str)
        else ", ".join(f"{key} = {value}" for key, value in spec.items())
    )
