"""Functions stay short: none over 60 lines, and at most one in ten over 28.

Usage: check_functions.py FOLDER ...   (the share of one in ten is taken over each folder)
"""

from __future__ import annotations

import ast
import statistics
import sys
from pathlib import Path

from house import Function, python_files, syntax, verdict

LONGEST = 60
LONG = 28
SHARE_OF_LONG = 0.10


def functions(folder: str) -> list[tuple[int, str]]:
    """(lines, place) of every function, methods and nested ones too; decorators do not count."""
    return [
        (node.end_lineno - node.lineno + 1, f"{file}:{node.lineno} {node.name}")
        for file in python_files([folder])
        for node in ast.walk(syntax(file))
        if isinstance(node, Function) and node.end_lineno is not None
    ]


def distribution(folder: str, lengths: list[int]) -> str:
    """Median, the length that nine in ten keep within, and the longest."""
    if not lengths:
        return f"{folder}: no functions"
    ordered = sorted(lengths)
    p90 = ordered[int(0.9 * (len(ordered) - 1))]
    long = sum(n > LONG for n in ordered)
    return (
        f"{folder}: {len(ordered)} functions, median {statistics.median(ordered):g}, p90 {p90}, "
        f"longest {ordered[-1]} lines; {100 * long / len(ordered):.1f} % over {LONG}"
    )


def problems(folder: str) -> list[str]:
    """What breaks the rule in one folder; the long ones are named when they are too many."""
    found = functions(folder)
    over = sorted(((n, where) for n, where in found if n > LONG), reverse=True)
    told = [f"{where}: {n} lines, more than {LONGEST}" for n, where in over if n > LONGEST]
    if len(over) > SHARE_OF_LONG * len(found):
        told.append(f"{folder}: {len(over)} of {len(found)} functions are over {LONG} lines:")
        told += [f"  {where}: {n} lines" for n, where in over if n <= LONGEST]
    return told


def main(folders: list[str]) -> int:
    """Print each folder's distribution, then what is wrong."""
    for folder in folders:
        print(distribution(Path(folder).name, [n for n, _ in functions(folder)]))
    findings = [finding for folder in folders for finding in problems(folder)]
    return verdict("check_functions", findings, f"none over {LONGEST} lines")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
