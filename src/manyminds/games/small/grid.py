"""Squares of a small board: named as in Go and chess, drawn with coordinates at two sides."""

from __future__ import annotations

from collections.abc import Sequence

COLUMNS = "abcdefghijklmnopqrstuvwxyz"


def square_name(square: int, width: int) -> str:
    """ "b3" for the second column and the third row from the bottom; rows follow each other."""
    row, column = divmod(square, width)
    return f"{COLUMNS[column]}{row + 1}"


def draw(cells: Sequence[str], width: int) -> str:
    """The board as text, the last row on top; one sign for each square, rows from the bottom."""
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    margin = len(str(len(rows)))
    lines = [f"{number:>{margin}} {' '.join(row)}" for number, row in enumerate(rows, 1)]
    return "\n".join([*reversed(lines), f"{'':>{margin}} {' '.join(COLUMNS[:width])}"])
