"""Compliance tests as a product: what was checked, what came out, and who checks what.

A checker goes through named clauses ("moves", "rewards"), each a sentence that has to hold, and notes
for each what it found. The registry is open: a room registers the checker of its kind of thing, and
`manyminds check FILE.py` finds such things in a person's file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from manyminds.core.errors import UsageError

PASSED, FAILED, LEFT_OUT = "passed", "failed", "left out"
_SIGNS = {PASSED: "ok", FAILED: "FAILED", LEFT_OUT: "-"}


@dataclass(frozen=True, slots=True)
class Check:
    """One clause and its outcome: passed, failed or left out.

    `says` is what holds where it passes. `sentence` is empty then; else it says what is wrong and what
    to do, or why the clause was left out.
    """

    name: str
    says: str
    outcome: str
    sentence: str = ""

    def __str__(self) -> str:
        line = f"{_SIGNS[self.outcome]:<7}{self.name}: {self.says}"
        return f"{line}\n         {self.sentence}" if self.sentence else line


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All clauses of one thing: a game, a player, a channel."""

    kind: str
    title: str
    checks: tuple[Check, ...]

    @property
    def failures(self) -> tuple[Check, ...]:
        """The clauses that do not hold."""
        return tuple(check for check in self.checks if check.outcome == FAILED)

    @property
    def passed(self) -> bool:
        """Whether no clause failed."""
        return not self.failures

    def of(self, name: str) -> Check:
        """The clause of that name."""
        return next(check for check in self.checks if check.name == name)

    def summary(self) -> str:
        """One line."""
        done = sum(check.outcome == PASSED for check in self.checks)
        if self.passed:
            return f"the {self.kind} {self.title} passes all {done} checks"
        return (
            f"the {self.kind} {self.title} fails {len(self.failures)} of {len(self.checks)} checks"
        )

    def document(self) -> dict[str, Any]:
        """The report as `--json` prints it."""
        checks = [
            {"name": c.name, "says": c.says, "outcome": c.outcome, "sentence": c.sentence}
            for c in self.checks
        ]
        return {"kind": self.kind, "title": self.title, "passed": self.passed, "checks": checks}

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> CheckReport:
        """The report that was printed so."""
        checks = tuple(Check(**check) for check in document["checks"])
        return CheckReport(document["kind"], document["title"], checks)

    def __str__(self) -> str:
        return "\n".join([f"{self.summary()}", *(f"  {check}" for check in self.checks)])


class CheckError(UsageError):
    """What was checked does not hold; `report` has every clause."""

    def __init__(self, report: CheckReport) -> None:
        failures = [f"  {check.name}: {check.sentence}" for check in report.failures]
        super().__init__("\n".join([report.summary(), *failures]))
        self.report = report


class Findings:
    """What a checker has found so far, in the order of its clauses."""

    def __init__(self, clauses: Mapping[str, str]) -> None:
        self.clauses = clauses
        self._outcomes: dict[str, tuple[str, str]] = {}

    def left_out(self, name: str) -> bool:
        """Whether this clause need not be looked at."""
        return self._outcomes.get(self._known(name), (PASSED, ""))[0] == LEFT_OUT

    def passed(self, *names: str) -> None:
        """These were looked at; a failure found before or later outweighs it."""
        for name in names:
            self._outcomes.setdefault(self._known(name), (PASSED, ""))

    def fail(self, name: str, sentence: str) -> None:
        """Note a failure; of several in one clause the first is kept."""
        if self._outcomes.get(self._known(name), (PASSED, ""))[0] != FAILED:
            self._outcomes[name] = (FAILED, sentence)

    def leave_out(self, name: str, reason: str) -> None:
        """Say why a clause was not looked at, where it was not."""
        self._outcomes.setdefault(self._known(name), (LEFT_OUT, reason))

    def failed(self, *names: str) -> bool:
        """Whether one of these failed; of any, if none is named."""
        return any(
            outcome == FAILED
            for name, (outcome, _) in self._outcomes.items()
            if name in names or not names
        )

    def report(self, kind: str, title: str, otherwise: str) -> CheckReport:
        """The report; clauses that nobody looked at are left out for the reason `otherwise`."""
        checks = [
            Check(name, says, *self._outcomes.get(name, (LEFT_OUT, otherwise)))
            for name, says in self.clauses.items()
        ]
        return CheckReport(kind, title, tuple(checks))

    def _known(self, name: str) -> str:
        if name not in self.clauses:
            raise KeyError(f"there is no clause {name!r}")
        return name


@dataclass(frozen=True, slots=True)
class Checker:
    """Who checks a kind of thing.

    belongs: whether a value found in a person's file is such a thing. check(value, games, seed, tell):
    its report; it raises nothing for what does not hold, and calls `tell(text)` as it goes on.
    """

    kind: str
    belongs: Callable[[object], bool]
    check: Callable[[Any, int, int, Callable[[str], None]], CheckReport]


_checkers: dict[str, Checker] = {}


def register_checker(
    kind: str,
    belongs: type | Callable[[object], bool],
    check: Callable[[Any, int, int, Callable[[str], None]], CheckReport],
) -> None:
    """Let `manyminds check` know another kind of thing, by its type or by a test of values."""
    test = (lambda value: isinstance(value, belongs)) if isinstance(belongs, type) else belongs
    _checkers[kind] = Checker(kind, test, check)


def known_checkers() -> tuple[Checker, ...]:
    """Every checker, in the order of registration."""
    return tuple(_checkers.values())


def checker_of(value: object) -> Checker | None:
    """Who checks this value, if it is of a known kind."""
    return next((checker for checker in _checkers.values() if checker.belongs(value)), None)
