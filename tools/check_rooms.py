"""Rooms import only from rooms above them; the facade may import from all, and no room from it.

Looked at: every import wherever it stands (in functions and under TYPE_CHECKING too), and every
string that is the dotted name of one of our modules, since such strings are imported by name later.
Usage: check_rooms.py src/manyminds
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from house import python_files, syntax, verdict

ROOMS = (
    "core",
    "games",
    "search",
    "parallel",
    "players",
    "teams",
    "arena",
    "papers",
    "bridges",
    "apps",
)
FACADE = ("__init__.py", "__main__.py")
FROM_THE_FACADE = {"__version__"}  # written there, so that it stands in one place
EXAMPLES = "examples"  # a folder of files as users write them, who see the facade alone

Import = tuple[int, tuple[str, ...]]  # line, parts of the dotted name below the package


def imports(file: Path, package: Path) -> Iterator[Import]:
    """What of the package a file imports: () is the facade, ("games", "go") a module."""
    here = (package.name, *file.relative_to(package).parent.parts)
    for node in ast.walk(syntax(file)):
        for line, name in _named(node, here):
            parts = tuple(name.split("."))
            if parts[0] == package.name:
                yield line, parts[1:]


def _named(node: ast.AST, here: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield node.lineno, alias.name
    elif isinstance(node, ast.ImportFrom):
        base = ".".join(here[: len(here) - node.level + 1]) + "." if node.level else ""
        source = f"{base}{node.module or ''}".rstrip(".")
        for alias in node.names:  # `from manyminds import games` names a room in its second part
            yield node.lineno, f"{source}.{alias.name}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        module = re.fullmatch(rf"({re.escape(here[0])}(\.\w+)+)(:\w+)?", node.value)
        if module:
            yield node.lineno, module[1]


def problem(room: str, target: tuple[str, ...]) -> str | None:
    """Why this room may not import that; None if it may."""
    if _is_facade(target):
        if target and target[0] in FROM_THE_FACADE:
            return None
        return f"{room}/ imports from the facade; import from the room where it is written"
    if ROOMS.index(target[0]) > ROOMS.index(room):
        return f"{room}/ imports from {target[0]}/, which comes after it"
    return None


def _is_facade(target: tuple[str, ...]) -> bool:
    return not target or target[0] not in ROOMS


def check(package: Path) -> list[str]:
    """All that breaks the order, and all that stands in no room."""
    findings = []
    for file in python_files([package]):
        parts = file.relative_to(package).parts
        if len(parts) == 1 and parts[0] in FACADE:
            continue
        if len(parts) == 1 or parts[0] not in ROOMS:
            findings.append(f"{file}: stands in no room; the rooms are {', '.join(ROOMS)}")
            continue
        for line, target in imports(file, package):
            wrong = problem(parts[0], target)
            if wrong and not (EXAMPLES in parts and _is_facade(target)):
                findings.append(f"{file}:{line}: {wrong}")
    return findings


def main(arguments: list[str]) -> int:
    """Check one package."""
    (package,) = map(Path, arguments)
    return verdict("check_rooms", check(package), " > ".join(ROOMS))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
