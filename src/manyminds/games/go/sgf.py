"""Games of Go as SGF FF[4]: read and written, for two to six colours.

With two colours the files are plain SGF. With more, black and white are written the same way, and
what SGF has no word for stands in private properties, which other programs skip:

    CL[black][white][red]   the colours, in their order of play (root)
    MC[red:cc], MC[red:]    a move of a further colour, a pass of it: one node each
    AC[red:cc][red:dd]      setup stones of further colours (root)
    TP[red]                 who plays first, where PL cannot say it (root)
    PN[red:Ada]             the player's name, beside PB and PW (root)
    KC[black:0][white:1]    komi by colour, where KM cannot say it (root)
    RC[black:31][white:25]  points by colour, komi included (root)

So that a program for two colours shows the game too, stones of further colours are labelled (LB) in
every node, the nodes of their moves say so in a comment, and there AE, AB and AW bring black's and
white's stones to what is really on the board. Reading skips these aids: games are replayed exactly.
"""

from __future__ import annotations

from pathlib import Path

from manyminds.core.errors import UsageError
from manyminds.games.go.sgf_reader import record_of
from manyminds.games.go.sgf_record import SgfRecord, in_turn
from manyminds.games.go.sgf_tree import LONGEST, Node, decode, parse, serialise
from manyminds.games.go.sgf_writer import tree_of

__all__ = [
    "Node",
    "SgfRecord",
    "in_turn",
    "load",
    "parse",
    "read",
    "read_trees",
    "save",
    "serialise",
    "write",
]


def read(data: bytes | str) -> SgfRecord:
    """The main line of the first game in this file."""
    return record_of(read_trees(data)[0])


def read_trees(data: bytes | str) -> list[Node]:
    """All game trees of this file, with their variations and the properties we do not know."""
    return parse(decode(data) if isinstance(data, bytes) else data)


def write(record: SgfRecord) -> str:
    """The record as the text of a file in UTF-8; `read` gives back an equal record."""
    return serialise([tree_of(record)])


def load(path: str | Path) -> SgfRecord:
    """Read the first game of a file."""
    try:
        with Path(path).open("rb") as file:
            return read(file.read(LONGEST + 1))
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}") from problem


def save(record: SgfRecord, path: str | Path) -> None:
    """Write the record to a file."""
    Path(path).write_text(write(record), encoding="utf-8")
