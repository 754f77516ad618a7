"""Keep what stores have of a paper's tables: python tools/keep_results.py PAPER STORE=TABLE ...

    python tools/keep_results.py cazenave2008 caz-2.db=2 caz-3.db=3 --seed 0

Writes src/manyminds/papers/results/PAPER-table-N.json, and in docs/PAPER.md the table between the lines
`<!-- table N -->` and `<!-- end of table N -->`. Nothing is played.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from manyminds.papers.campaigns import Choice
from manyminds.papers.outcome import Outcome
from manyminds.papers.page import markdown_of
from manyminds.papers.registry import paper_named
from manyminds.papers.run import so_far

_ROOT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Keep every table that is named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paper")
    parser.add_argument("stores", nargs="+", metavar="STORE=TABLE")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    for word in given.stores:
        store, _, number = word.rpartition("=")
        keep(given.paper, Path(store), number, given.seed)
    return 0


def keep(name: str, store: Path, number: str, seed: int) -> None:
    """Keep one table, and show it."""
    paper = paper_named(name)
    outcome = so_far(paper, paper.chosen(table=number), Choice(seed=seed), store=store)
    kept = _without_places(outcome)
    folder = _ROOT / "src/manyminds/papers/results"
    (folder / f"{name}-table-{number}.json").write_bytes(kept.to_json())
    text = markdown_of(kept.tables[0]).rstrip("\n")
    _write_between(_ROOT / f"docs/{name}.md", f"table {number}", text)
    print(text)


def _without_places(outcome: Outcome) -> Outcome:
    """The same, without the files of this machine that it came from."""
    tables = tuple(msgspec.structs.replace(table, store="") for table in outcome.tables)
    return msgspec.structs.replace(outcome, tables=tables)


def _write_between(page: Path, name: str, text: str) -> None:
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    head, found, rest = page.read_text().partition(begin)
    _, found_end, tail = rest.partition(end)
    if not (found and found_end):
        raise SystemExit(f"{page.name} has no lines {begin.strip()} and {end}")
    page.write_text(f"{head}{begin}{text}\n{end}{tail}")


if __name__ == "__main__":
    sys.exit(main())
