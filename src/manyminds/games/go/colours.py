"""The six colours, in the order in which they play.

Colours are numbered from 1 as on the compiled board, where 0 is an empty point; seat 0 plays
colour 1. Every colour has a letter for text boards and a mark of its own shape, so that nobody
needs to see colours to tell stones apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from manyminds.core.errors import UsageError, nearest

EMPTY = 0
EMPTY_LETTER = "."
EMPTY_MARK = "·"


@dataclass(frozen=True)
class Colour:
    """One colour: its number (1..6), its name, and how its stones are drawn."""

    number: int
    name: str
    letter: str
    mark: str
    style: str  # for Rich, on the board's own background


COLOURS = (
    Colour(1, "black", "X", "●", "bold #000000"),
    Colour(2, "white", "O", "○", "bold #ffffff"),
    Colour(3, "red", "R", "■", "bold #ff7b72"),
    Colour(4, "blue", "B", "▲", "bold #8ecbff"),
    Colour(5, "green", "G", "◆", "bold #7ee787"),
    Colour(6, "yellow", "Y", "★", "bold #ffe14d"),
)
FEWEST, MOST = 2, len(COLOURS)
BOARD_STYLE = "on #7a4e28"

_BY_NAME = {colour.name: colour for colour in COLOURS}
_BY_LETTER = {colour.letter: colour for colour in COLOURS}


def colour(number: int) -> Colour:
    """The colour with this number, 1..6."""
    if not 1 <= number <= MOST:
        raise UsageError(f"there is no colour {number}: colours are numbered 1 to {MOST}")
    return COLOURS[number - 1]


def colour_named(text: str) -> Colour:
    """The colour that was typed by its name; letters differ between programs and are refused."""
    name = text.strip().lower()
    if name not in _BY_NAME:
        raise UsageError(f"{text.strip()[:40]!r} is not a colour: {nearest(name[:40], _BY_NAME)}")
    return _BY_NAME[name]


def colour_lettered(letter: str) -> Colour:
    """The colour that this letter stands for on a text board."""
    if letter not in _BY_LETTER:
        known = ", ".join(f"{one.letter} {one.name}" for one in COLOURS)
        raise UsageError(f"{letter[:8]!r} is no stone of a text board: {known}, . empty")
    return _BY_LETTER[letter]


def colour_names(count: int) -> tuple[str, ...]:
    """The names of the first so many colours, in the order of play."""
    check_count(count)
    return tuple(one.name for one in COLOURS[:count])


def check_count(count: int) -> None:
    """Refuse a number of colours that nobody can play with here."""
    if not FEWEST <= count <= MOST:
        raise UsageError(f"Go is played by {FEWEST} to {MOST} colours here, not by {count}")
