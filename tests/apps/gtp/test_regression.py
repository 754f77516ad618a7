"""Regressions in the form of GNU Go's: commands in a file, and what numbered ones have to answer.

`#? [pattern]` stands below a command and holds its whole answer to a regular expression; `[!pattern]`
to anything else.
"""

import re
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).with_name("regression").glob("*.tst"))


def run(talk, file):
    """Every expectation that is not met."""
    wrong, answer = [], ""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#? ["):
            pattern = line.removeprefix("#? [").removesuffix("]")
            hit = re.fullmatch(pattern.removeprefix("!"), answer) is not None
            if hit == pattern.startswith("!"):
                wrong.append(f"{file.name}:{number}: {answer!r} where [{pattern}] is expected")
        elif line and not line.startswith("#"):
            raw = talk.raw(line)
            assert raw.startswith("="), f"{file.name}:{number}: {line}: {raw}"
            answer = raw.removeprefix("=").partition(" ")[2].strip()
    return wrong


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_regression(talk, file):
    assert run(talk("rave@3000", seed=1), file) == []
