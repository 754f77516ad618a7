"""What came of a paper's tables here: each printed number with ours beside it, and a verdict.

Plain data: it is shown, written as JSON, and read back from the results that are kept with the papers.
"""

from __future__ import annotations

import msgspec

from manyminds.arena.statistics import Interval

AGREES, DIFFERS, NOT_PLAYED, NOT_PRINTED = "agrees", "differs", "not played", "not printed"
HOLDS, OTHER_WAY, NOT_SHOWN = "holds", "the other way", "not shown"


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One number of one line. `difference` is ours minus printed; `p` has Holm's correction.

    of: "points", "wins" (shares in [0, 1]) or a measure's name. p is over all numbers of all tables
    that were looked at together.
    """

    line: str
    players: tuple[str, ...]
    of: str
    place: int = 0
    x: float | None = None
    printed: float | None = None
    printed_n: int | None = None
    ours: Interval | None = None
    difference: Interval | None = None
    p: float | None = None
    verdict: str = NOT_PLAYED
    assumption: str = ""


class ClaimOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """A claim in words; our difference of its lines, `more` minus `less`; Holm's p over all claims."""

    text: str
    more: str
    less: str
    of: str
    difference: Interval | None = None
    p: float | None = None
    verdict: str = NOT_PLAYED


class TableOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """A table or figure as it came out. budget: of a decision; ending: of the run; played: its games."""

    kind: str
    name: str
    title: str
    budget: str
    rows: tuple[Compared, ...]
    claims: tuple[ClaimOutcome, ...] = ()
    notes: tuple[str, ...] = ()
    paper_budget: str = ""
    across: str = ""
    store: str = ""
    ending: str = "finished"
    played: int = 0
    failed: int = 0

    @property
    def label(self) -> str:
        """'table 2'."""
        return f"{self.kind} {self.name}"


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """All that was looked at together. versions: of what played it."""

    paper: str
    citation: str
    seed: int
    tables: tuple[TableOutcome, ...]
    versions: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    level: float = 0.95

    @property
    def ending(self) -> str:
        """ "finished", or how the first table that did not finish ended."""
        endings = [table.ending for table in self.tables if table.ending != "finished"]
        return endings[0] if endings else "finished"

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers have each verdict."""
        found: dict[str, int] = {}
        for table in self.tables:
            for row in table.rows:
                found[row.verdict] = found.get(row.verdict, 0) + 1
        return found

    def to_json(self) -> bytes:
        """The outcome as one JSON object; `from_json` reads it back."""
        return msgspec.json.encode(self)

    @staticmethod
    def from_json(data: bytes | str) -> Outcome:
        """The outcome that `to_json` wrote; ValueError where it is none."""
        return msgspec.json.decode(data, type=Outcome)
