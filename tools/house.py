"""What the checks of this folder share: the files to look at, and how findings are told."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef


def python_files(places: Iterable[str | Path]) -> Iterator[Path]:
    """Every Python file in these folders, in a stable order."""
    for place in map(Path, places):
        if not place.is_dir():
            sys.exit(f"{place} is no folder")
        yield from sorted(place.rglob("*.py"))


def syntax(file: Path) -> ast.Module:
    """The file's syntax tree."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def verdict(check: str, findings: list[str], summary: str) -> int:
    """Print the findings, or the summary when there are none; gives the exit status."""
    for finding in findings:
        print(finding)
    print(f"{check}: {f'{len(findings)} found' if findings else summary}")
    return 1 if findings else 0
