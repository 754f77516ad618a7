"""What SGF values mean: text and its escapes, points and lists of points, numbers, pairs.

Raw values, as `sgf_tree` keeps them, go in and out. SGF counts columns and rows from the top left
corner and writes them as letters, "aa" to "ss"; our rows count from the bottom.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from manyminds.core.errors import UsageError
from manyminds.games.go.coordinates import LARGEST, PASS, point_at, row_and_column

LETTERS = "abcdefghijklmnopqrs"

_LINE_BREAK = re.compile(r"\r\n|\n\r|\r|\n")
_ESCAPED = re.compile(r"\\(\n)|\\(.)|([\t\v\f])", re.S)
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9}))\s*", re.ASCII)
_SIZE = re.compile(r"\s*([0-9]{1,3})\s*(?::\s*([0-9]{1,3})\s*)?", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_PAIR = re.compile(r"((?:[^:\\]++|\\.)*+)(?::(.*))?", re.S)


def text(raw: str) -> str:
    """FF[4] Text: escapes undone, "\\" at a line's end joins lines; tabs become spaces."""

    def plain(found: re.Match[str]) -> str:
        return "" if found[1] else found[2] or " "

    return _ESCAPED.sub(plain, _LINE_BREAK.sub("\n", raw))


def simple_text(raw: str) -> str:
    """FF[4] SimpleText: the same in one line."""
    return text(raw).replace("\n", " ")


def escape(words: str, composed: bool = False) -> str:
    """The raw value of a text, or of half a pair; characters that no file can hold are replaced."""
    words = _LINE_BREAK.sub("\n", words).replace("\t", " ").replace("\v", " ").replace("\f", " ")
    words = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", words.encode("utf-8", "replace").decode())
    words = words.replace("\\", "\\\\").replace("]", "\\]")
    return words.replace(":", "\\:") if composed else words


def pair(raw: str) -> tuple[str, str | None]:
    """A composed value's two raw halves, parted by the first ":" that is not escaped."""
    found = _PAIR.fullmatch(raw)
    return (raw, None) if found is None else (found[1], found[2])


def number(raw: str) -> float:
    """A real number in decimal digits."""
    found = _NUMBER.fullmatch(raw)
    if found is None:
        raise UsageError(f"{raw[:40]!r} in an SGF file is not a number such as 6.5")
    return float(found[1])


def number_text(value: float) -> str:
    """The number without an exponent, and without a point where it is whole."""
    return f"{value:.9f}".rstrip("0").rstrip(".")


def size(raw: str) -> tuple[int, int]:
    """Width and height of a board: "9", or "9:13"."""
    found = _SIZE.fullmatch(raw)
    width = int(found[1]) if found else 0
    height = int(found[2]) if found and found[2] else width
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise UsageError(f"SZ[{raw[:40]}] is not a board of at most {LARGEST}x{LARGEST} points")
    return width, height


def size_text(width: int, height: int) -> str:
    """What SZ says of this board."""
    return str(width) if width == height else f"{width}:{height}"


def point(raw: str, width: int, height: int) -> int:
    """The point that "cc" stands for."""
    column, down = (LETTERS.find(letter) for letter in raw) if len(raw) == 2 else (-1, -1)
    if not (0 <= column < width and 0 <= down < height):
        raise UsageError(f"[{raw[:40]}] is not a point of a {width}x{height} board in SGF")
    return point_at(height - 1 - down, column)


def point_text(number: int, height: int) -> str:
    """The letters of a point; a pass is an empty value."""
    if number == PASS:
        return ""
    row, column = row_and_column(number)
    return LETTERS[column] + LETTERS[height - 1 - row]


def move(raw: str, width: int, height: int) -> int:
    """The point of a move: an empty value passes, and so does "tt", as FF[3] wrote it."""
    raw = raw.strip()
    return PASS if raw in ("", "tt") else point(raw, width, height)


def points(values: Sequence[str], width: int, height: int) -> list[int]:
    """The points of a list, where "aa:cc" is the rectangle between two corners."""
    found: dict[int, None] = {}
    for raw in values:
        first, second = pair(raw.strip())
        corner = point(first, width, height)
        corners = corner, point(second, width, height) if second is not None else corner
        for one in _rectangle(*corners, raw):
            if one in found:
                raise UsageError(f"[{raw[:40]}]: a point stands twice in one list of SGF points")
            found[one] = None
    return list(found)


def _rectangle(upper_left: int, lower_right: int, raw: str) -> list[int]:
    (top, left), (low, right) = row_and_column(upper_left), row_and_column(lower_right)
    if low > top or right < left:
        raise UsageError(f"[{raw[:40]}] is not a rectangle from its upper left corner")
    return [point_at(r, c) for r in range(low, top + 1) for c in range(left, right + 1)]
