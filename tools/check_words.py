"""Words that must not stand in a tracked file: paths of somebody's machine, unfinished-work marks,
and hosts of package registries.

Each pattern is written so that it does not find itself.
Usage: check_words.py FOLDER   (a git work tree)
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from house import verdict

WORDS = {
    "a path of one machine": re.compile(r"(?<![\w./~-])/(?:[w]ork|[r]oot|[h]ome|[U]sers)(?=/|\b)"),
    "a mark of unfinished work": re.compile(r"\b(?:[T]ODO|[F]IXME)\b|(?:#|//|<!--).*\b[X]XX\b"),
    "a host of a package registry": re.compile(
        r"(?:[p]ypi\.org|[p]ythonhosted\.org|[n]pmjs\.(?:org|com)|[d]eb\.debian\.org|[c]onda\.anaconda)"
    ),
}


def tracked(folder: Path) -> list[Path]:
    """The files that git tracks in this folder and that are still there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=folder, check=True, capture_output=True, timeout=60
    )
    names = listed.stdout.decode().split("\0")
    return [folder / name for name in names if name and (folder / name).is_file()]


def findings_in(file: Path) -> list[str]:
    """Every line of a text file that has such a word."""
    data = file.read_bytes()
    if b"\0" in data:
        return []
    found = []
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), 1):
        for what, pattern in WORDS.items():
            if match := pattern.search(line):
                found.append(f"{file}:{number}: {match[0]!r} is {what}")
    return found


def main(arguments: list[str]) -> int:
    """Check the files tracked in one folder."""
    (folder,) = map(Path, arguments)
    files = tracked(folder)
    findings = [finding for file in files for finding in findings_in(file)]
    return verdict("check_words", findings, f"{len(files)} files clean")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
