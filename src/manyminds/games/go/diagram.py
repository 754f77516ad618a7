"""Text boards: positions as people draw them, read and written.

    position = parse('''
        to play: red
        ko: C3
          A B C D E
        5 . . X O .
        4 . X . X O
        3 . . R . .
        2 . . . . .
        1 . . . . .
    ''')

Letters are those of `colours`, "." is empty, "(X)" marks the last move. The coordinates round the
board and the spaces between points may be left out. Lines "to play:", "ko:", "last:", "colours:"
and "captured: black 2, red 1" may stand above or below the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from manyminds.core.errors import UsageError, nearest
from manyminds.games.go.colours import (
    BOARD_STYLE,
    COLOURS,
    EMPTY,
    EMPTY_LETTER,
    EMPTY_MARK,
    FEWEST,
    check_count,
    colour,
    colour_lettered,
    colour_named,
)
from manyminds.games.go.coordinates import (
    COLUMNS,
    LARGEST,
    PASS,
    all_points,
    check_size,
    point_at,
    point_name,
    point_named,
    row_and_column,
)
from manyminds.games.go.stones import Place, Stones, without_liberty

if TYPE_CHECKING:
    from rich.text import Text

LONGEST_TEXT = 10_000  # characters; a 19x19 board with everything takes about 1,000

_ROW = re.compile(r"(?:(\d{1,2})(?!\d))?\s*([^\d\s][^\d]*?)\s*(\d{1,2})?", re.ASCII)
_HEADERS = ("to play", "ko", "last", "colours", "captured")
_CAPTURED = re.compile(r"([A-Za-z]+)\s+(\d{1,5})", re.ASCII)


@dataclass(frozen=True)
class Position:
    """Stones on a board, and who moves next; rows from the bottom, colours 1..6.

    `ko` is the point where the next move is forbidden, `last` the move that led here, and
    `captured` how many stones each colour has lost so far.
    """

    width: int
    height: int
    colours: int = FEWEST
    stones: Stones = field(default_factory=dict)
    to_play: int = 1
    ko: Place | None = None
    last: Place | None = None
    captured: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        check_count(self.colours)
        for place in (*self.stones, *(place for place in (self.ko, self.last) if place)):
            if not (0 <= place[0] < self.height and 0 <= place[1] < self.width):
                raise UsageError(f"{place} is not on a {self.width}x{self.height} board")
        if self.ko in self.stones:
            raise UsageError("the ko point is an empty point, and a stone is drawn there")
        for number in (self.to_play, *self.stones.values(), *self.captured):
            if not 1 <= number <= self.colours:
                raise UsageError(f"{colour(number).name} does not play with {self.colours} colours")

    @classmethod
    def of(cls, state: Any) -> Position:
        """The position of a compiled board."""
        width, height = int(state.width), int(state.height)
        points = all_points(width, height)
        stones = {row_and_column(p): int(state.color[p]) for p in points if state.color[p]}
        ko, last = (row_and_column(int(p)) if p else None for p in (state.ko, state.last))
        return cls(width, height, int(state.colours), stones, int(state.to_play), ko, last)

    def __str__(self) -> str:
        return draw(self)


def parse(text: str) -> Position:
    """The position of a drawing; refuses what is not one, and stones that could not stand."""
    if len(text) > LONGEST_TEXT:
        raise UsageError(f"a text board has at most {LONGEST_TEXT} characters, not {len(text)}")
    headers: dict[str, str] = {}
    rows: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if ":" in line:
            word, value = line.split(":", 1)
            _add_header(headers, word.strip().lower(), value.strip())
        elif line and not line.startswith(COLUMNS[0]):
            rows.append(line)
    cells = [_cells(row, len(rows) - above, len(rows)) for above, row in enumerate(rows)]
    position = _assemble(cells[::-1], headers)
    for place in without_liberty(position.stones, position.width, position.height):
        point = point_name(point_at(*place), position.width, position.height)
        raise UsageError(f"the string at {point} has no liberty: such a position cannot be")
    return position


def _add_header(headers: dict[str, str], word: str, value: str) -> None:
    if word not in _HEADERS:
        raise UsageError(f'a text board has no line "{word[:40]}:": {nearest(word[:40], _HEADERS)}')
    if word in headers:
        raise UsageError(f'the line "{word}:" stands twice above this board')
    headers[word] = value


def _cells(line: str, number: int, height: int) -> str:
    """The letters of one row, left to right, "(" and ")" round the last move left in."""
    found = _ROW.fullmatch(line)
    if found is None:
        raise UsageError(f"{line[:40]!r} is no row of a text board: draw it like '5 . X O . .'")
    for label in (found[1], found[3]):
        if label is not None and int(label) != number:
            raise UsageError(
                f"a row is labelled {label} where row {number} of {height} stands: "
                "rows count down to 1 at the bottom"
            )
    return "".join(found[2].split())


def _assemble(rows: list[str], headers: Mapping[str, str]) -> Position:
    """Rows from the bottom and header lines, put together."""
    if not 1 <= len(rows) <= LARGEST:
        raise UsageError(f"a text board has 1 to {LARGEST} rows, this one has {len(rows)}")
    width, height = len(re.sub("[()]", "", rows[0])), len(rows)
    stones: Stones = {}
    marked: list[Place] = []
    for row, cells in enumerate(rows):
        if len(re.sub("[()]", "", cells)) != width:
            raise UsageError(f"row {row + 1} has another length than row 1, of {width} points")
        for column, cell in enumerate(re.findall(r"\(.\)|.", cells)):
            letter = cell[1:-1] if cell.startswith("(") and len(cell) > 1 else cell
            if letter != EMPTY_LETTER:
                stones[row, column] = colour_lettered(letter).number
            if cell != letter:
                marked.append((row, column))
    return _with_headers(width, height, stones, marked, headers)


def _with_headers(
    width: int, height: int, stones: Stones, marked: list[Place], headers: Mapping[str, str]
) -> Position:
    """What the lines above the board add; colours are as many as are seen, unless told."""
    to_play = colour_named(headers["to play"]).number if "to play" in headers else 1
    captured = _captured(headers.get("captured", ""))
    last = _place(headers.get("last"), width, height) or (marked[0] if marked else None)
    if any(place != last for place in marked):
        raise UsageError("one last move, and no other point, stands in brackets")
    return Position(
        width,
        height,
        _count(headers["colours"])
        if "colours" in headers
        else max([FEWEST, to_play, *stones.values(), *captured]),
        stones,
        to_play,
        _place(headers.get("ko"), width, height),
        last,
        captured,
    )


def _place(text: str | None, width: int, height: int) -> Place | None:
    if text is None:
        return None
    check_size(width, height)
    point = point_named(text, width, height)
    if point == PASS:
        raise UsageError("a pass has no place on the board: leave the line out")
    return row_and_column(point)


def _count(text: str) -> int:
    if not re.fullmatch("[0-9]", text):
        raise UsageError(f'"colours: {text[:40]}" is not a number of colours: write "colours: 3"')
    return int(text)


def _captured(text: str) -> dict[int, int]:
    captured: dict[int, int] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        found = _CAPTURED.fullmatch(part)
        if found is None:
            raise UsageError(f'{part[:40]!r}: captured stones are written "black 2, red 1"')
        captured[colour_named(found[1]).number] = int(found[2])
    return captured


def draw(position: Position) -> str:
    """The position as plain text, which `parse` reads back; the last move in brackets."""
    lines = [*_header_lines(position), _columns(position.width)]
    for row in range(position.height - 1, -1, -1):
        cells = ""
        for column in range(position.width):
            number = position.stones.get((row, column), EMPTY)
            letter = colour(number).letter if number else EMPTY_LETTER
            cells += _cell(letter, (row, column), position.last)
        lines.append(f"{row + 1:>2}{_closed(cells, row, position)}{row + 1}")
    return "\n".join([*lines, _columns(position.width)])


def _cell(sign: str, place: Place, last: Place | None) -> str:
    """Two characters: what parts it from the point to its left, and the sign itself."""
    row, column = place
    before = "(" if place == last else ")" if last == (row, column - 1) else " "
    return before + sign


def _closed(cells: str, row: int, position: Position) -> str:
    return cells + (")" if position.last == (row, position.width - 1) else " ")


def _columns(width: int) -> str:
    return "   " + " ".join(COLUMNS[:width])


def _header_lines(position: Position) -> list[str]:
    lines = [f"colours: {position.colours}", f"to play: {colour(position.to_play).name}"]
    if position.ko is not None:
        lines.append(f"ko: {_name(position.ko, position)}")
    if position.last is not None:
        lines.append(f"last: {_name(position.last, position)}")
    if position.captured:
        counts = sorted(position.captured.items())
        lines.append("captured: " + ", ".join(f"{colour(one).name} {n}" for one, n in counts))
    return lines


def _name(place: Place, position: Position) -> str:
    return point_name(point_at(*place), position.width, position.height)


def draw_rich(position: Position, captions: Mapping[int, str] | None = None) -> Text:
    """The position for a terminal: a mark of its own for every colour, the last move in brackets.

    Below the board stands one line for each colour, the one to play pointed at; `captions` adds
    to it what the caller knows, such as points or the player's name.
    """
    text = board_rich(position)
    for one in COLOURS[: position.colours]:
        pointer = "▶" if one.number == position.to_play else " "
        text.append(f" {pointer} ").append_text(mark_rich(one.number))
        text.append(f" {one.name}  {(captions or {}).get(one.number, '')}".rstrip() + "\n")
    return text


def board_rich(position: Position) -> Text:
    """The same without the lines below the board."""
    from rich.text import Text  # where nothing is drawn in colour, Rich is not loaded

    text = Text(_columns(position.width) + "\n", no_wrap=True)
    for row in range(position.height - 1, -1, -1):
        text.append(f"{row + 1:>2}")
        for column in range(position.width):
            number = position.stones.get((row, column), EMPTY)
            cell = _cell(
                colour(number).mark if number else EMPTY_MARK, (row, column), position.last
            )
            text.append(cell[0], BOARD_STYLE)
            text.append(cell[1], f"{colour(number).style if number else ''} {BOARD_STYLE}")
        text.append(_closed("", row, position), BOARD_STYLE)
        text.append(f"{row + 1}\n")
    return text.append(_columns(position.width) + "\n")


def mark_rich(number: int) -> Text:
    """A colour's mark as it stands on the board, three characters wide."""
    from rich.text import Text

    one = colour(number)
    return Text(f" {one.mark} ", f"{one.style} {BOARD_STYLE}")
