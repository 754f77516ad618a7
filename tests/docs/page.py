"""A page of documentation as the tests see it: its blocks, and what each must do."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"(?P<indent>\s*)(?P<fence>`{3,})(?P<language>\w*)(?P<info>.*)")
_MARK = re.compile(r"\s*<!-- (?:(?P<compare>compare)|exit (?P<exit>\d+)) -->\s*")
_TITLE = re.compile(r'title="([\w.-]+)"')


@dataclass(frozen=True)
class Block:
    """A fenced block; `line` is that of its first line of text, counted from 1.

    `title` is the file it is saved as, `compare` whether a console's output has to be as printed,
    `status` the exit status that its commands must have.
    """

    language: str
    text: str
    line: int
    title: str | None = None
    compare: bool = False
    status: int = 0

    def commands(self) -> Iterator[tuple[str, str]]:
        """A console's commands that are ours, each with the output printed below it."""
        for piece in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, _, output = piece.replace("\\\n", " ").partition("\n")
            if re.match(r"manyminds\b", command):
                yield command, output


def read_page(page: Path) -> list[Block]:
    """All fenced blocks of a Markdown page, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    blocks, at = [], 0
    while at < len(lines):
        start = _FENCE.fullmatch(lines[at])
        if start is None:
            at += 1
            continue
        end = at + 1
        while end < len(lines) and lines[end].strip() != start["fence"]:
            end += 1
        if end == len(lines):
            raise ValueError(f"{page}:{at + 1}: this block has no end")
        blocks.append(_block(start, lines, at, end))
        at = end + 1
    return blocks


def _block(start: re.Match[str], lines: list[str], at: int, end: int) -> Block:
    """The block whose fences are lines[at] and lines[end], with the marks that stand above it."""
    compare, status, above = False, 0, at - 1
    while above >= 0 and (mark := _MARK.fullmatch(lines[above])):
        compare = compare or bool(mark["compare"])
        status = int(mark["exit"] or status)
        above -= 1
    title = _TITLE.search(start["info"])
    text = textwrap.dedent("\n".join(lines[at + 1 : end])) + "\n"
    return Block(start["language"], text, at + 2, title and title[1], compare, status)
