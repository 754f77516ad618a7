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
        if not Path(store).is_file():
            parser.error(f"there is no store {store or word}: say STORE=TABLE, such as caz-2.db=2")
        keep(given.paper, Path(store), number, given.seed)
    return 0


def keep(name: str, store: Path, number: str, seed: int) -> None:
    """Keep one table, and show it. Nothing is written where the page has no place for it."""
    paper = paper_named(name)
    outcome = so_far(paper, paper.chosen(table=number), Choice(seed=seed), store=store)
    kept = _without_places(outcome)
    text = markdown_of(kept.tables[0]).rstrip("\n")
    page = _ROOT / f"docs/{name}.md"
    page.write_text(put_between(page.read_text(), f"table {number}", text))
    folder = _ROOT / "src/manyminds/papers/results"
    (folder / f"{name}-table-{number}.json").write_bytes(kept.to_json())
    print(text)


def _without_places(outcome: Outcome) -> Outcome:
    """The same, without the files of this machine that it came from."""
    tables = tuple(msgspec.structs.replace(table, store="") for table in outcome.tables)
    return msgspec.structs.replace(outcome, tables=tables)


def put_between(page: str, name: str, text: str) -> str:
    """A page with this text between the lines that name a table."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    head, found, rest = page.partition(begin)
    _, found_end, tail = rest.partition(end)
    if not (found and found_end):
        raise SystemExit(f"the paper's page has no lines {begin.strip()} and {end}")
    return f"{head}{begin}{text}\n{end}{tail}"


if __name__ == "__main__":
    sys.exit(main())
