"""Where a point is: numbers on the compiled board, rows and columns, and what people type.

A point is `(row + 1) * STRIDE + column + 1`: row 0 is the bottom rank "1", column 0 is "A".
The stride is the same for every board, so that a point keeps its number whatever the size.
Point 0 lies outside every board and stands for a pass.
"""

from __future__ import annotations

import re

from manyminds.core.errors import UsageError

STRIDE = 20
PASS = 0
LARGEST = 19
COLUMNS = "ABCDEFGHJKLMNOPQRST"

_TYPED = re.compile(r"([A-Za-z])([0-9]{1,2})", re.ASCII)


def check_size(width: int, height: int) -> None:
    """A text board may be smaller than the game allows (tests draw corners), never larger."""
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise UsageError(
            f"a board of {width}x{height} points cannot be written: width and height are "
            f"whole numbers from 1 to {LARGEST}"
        )


def point_at(row: int, column: int) -> int:
    """The number of the point in this row (0 is the bottom one) and column (0 is "A")."""
    return (row + 1) * STRIDE + column + 1


def row_and_column(point: int) -> tuple[int, int]:
    """The inverse of `point_at`; a pass lies nowhere and is refused."""
    if not 0 < point < STRIDE * (LARGEST + 2):
        raise UsageError(f"{point} is not the number of a point on any board")
    return point // STRIDE - 1, point % STRIDE - 1


def on_board(point: int, width: int, height: int) -> bool:
    """Whether this number is a point of the board; a pass is not."""
    row, column = point // STRIDE - 1, point % STRIDE - 1
    return 0 <= row < height and 0 <= column < width


def all_points(width: int, height: int) -> list[int]:
    """Every point of the board, from A1 along the bottom row upwards."""
    return [point_at(row, column) for row in range(height) for column in range(width)]


def point_name(point: int, width: int, height: int) -> str:
    """ "E5", or "pass"."""
    if point == PASS:
        return "pass"
    if not on_board(point, width, height):
        raise UsageError(f"{point} is not the number of a point on a {width}x{height} board")
    row, column = row_and_column(point)
    return f"{COLUMNS[column]}{row + 1}"


def point_named(text: str, width: int, height: int) -> int:
    """The point that was typed as "E5", "e5" or "pass"."""
    typed = text.strip()
    if typed.lower() == "pass":
        return PASS
    found = _TYPED.fullmatch(typed)
    if found is None:
        raise UsageError(f'{_quoted(typed)} is not a point: type one like "E5", or "pass"')
    column, row = COLUMNS.find(found[1].upper()), int(found[2]) - 1
    if column < 0:
        raise UsageError(f'no board has a column "{found[1]}": columns are {_range(width)}, no I')
    if not (0 <= row < height and column < width):
        raise UsageError(
            f"{typed.upper()} is not on this board: columns {_range(width)}, rows 1-{height}"
        )
    return point_at(row, column)


def _range(width: int) -> str:
    return f"A-{COLUMNS[width - 1]}"


def _quoted(text: str, longest: int = 40) -> str:
    """What was typed, short enough to stand in a message."""
    return repr(text if len(text) <= longest else text[:longest] + "...")
