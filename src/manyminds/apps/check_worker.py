"""The process in which `manyminds check` loads a person's file and runs what is in it.

It writes one JSON document a line: `{"begin": ...}` and `{"report": ...}` for each thing that is
checked, `{"at": ...}` and `{"compiling": ...}` as it goes on, `{"wrong": ...}` when the file cannot be
loaded or has nothing to check, and `{"done": true}` at last. What the file prints goes to standard
error.

Usage: check_worker.py FILE GAMES SEED
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

# Who registers checkers of what people write.
HOMES = (
    "manyminds.games.check",
    "manyminds.games.agents.check",
    "manyminds.players.check",
    "manyminds.teams.check",
)


def things_in(module: ModuleType) -> list[tuple[str, Any]]:
    """What a module has that somebody checks, each once, by its first name."""
    from manyminds.core.checks import checker_of

    found: dict[int, tuple[str, Any]] = {}
    for name, value in vars(module).items():
        if checker_of(value) is not None:
            found.setdefault(id(value), (name, value))
    return list(found.values())


def check_file(file: Path, games: int, seed: int, say: Callable[[dict[str, Any]], None]) -> None:
    """Load the file and check all that is in it; what comes of it is said."""
    from manyminds.core.cache import on_compile
    from manyminds.core.checks import CheckError, checker_of, known_checkers
    from manyminds.core.errors import UsageError
    from manyminds.core.user_file import load_user_file

    for home in HOMES:
        import_module(home)
    on_compile(lambda kernel: say({"compiling": kernel}))
    try:
        things = things_in(load_user_file(file))
        if not things:
            kinds = ", ".join(f"a {checker.kind}" for checker in known_checkers())
            raise UsageError(
                f"{file.name} has nothing to check at its top level, such as {kinds}: "
                "nim = mm.Game(...)"
            )
    except CheckError as error:  # the file checks its game itself, as the first example does
        say({"report": error.report.document()})
        return
    except UsageError as error:
        say({"wrong": str(error)})
        return
    for name, value in things:
        checker = checker_of(value)
        assert checker is not None
        say({"begin": {"kind": checker.kind, "title": getattr(value, "title", name)}})
        report = checker.check(value, games, seed, lambda at: say({"at": at}))
        say({"report": report.document()})


def main(arguments: list[str]) -> None:
    """Keep standard output for what is said here, and give the file standard error instead."""
    file, games, seed = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as output:
        os.dup2(2, 1)

        def say(document: dict[str, Any]) -> None:
            output.write(json.dumps(document) + "\n")
            output.flush()

        check_file(file, games, seed, say)
        say({"done": True})


if __name__ == "__main__":
    main(sys.argv[1:])
