"""Results that are kept with the papers: what was played for the tables, as it came out.

A file is what `manyminds reproduce ... --json` printed.
"""

from __future__ import annotations

from pathlib import Path

from manyminds.core.errors import UsageError
from manyminds.papers.outcome import Outcome

FOLDER = Path(__file__).parent / "results"


def kept(paper: str, folder: Path = FOLDER) -> list[Outcome]:
    """All results of a paper, by the names of their files."""
    found = []
    for file in sorted(folder.glob("*.json")):
        try:
            outcome = Outcome.from_json(file.read_bytes())
        except ValueError as error:
            raise UsageError(f"{file.name} holds no results of a paper: {error}") from None
        if outcome.paper == paper:
            found.append(outcome)
    return found
