"""Handicap stones: where the protocol wants them, and where we put them when we may choose."""

from __future__ import annotations

from manyminds.core.errors import UsageError

Place = tuple[int, int]  # row and column, from 0


def most_fixed(width: int, height: int) -> int:
    """How many fixed stones a board has room for: GTP 2 says none below 7, four on even sides and on 7."""
    if min(width, height) < 7:
        return 0
    if width % 2 == 0 or height % 2 == 0 or 7 in (width, height):
        return 4
    return 9


def fixed(width: int, height: int, stones: int) -> list[Place]:
    """The places of so many fixed stones, in the order of GTP 2's section 4.1.1."""
    if not 2 <= stones <= most_fixed(width, height):
        raise UsageError("invalid number of stones")
    (bottom, middle, top), (left, centre, right) = _lines(height), _lines(width)
    corners = [(bottom, left), (top, right), (top, left), (bottom, right)]
    sides = [(middle, left), (middle, right), (bottom, centre), (top, centre)]
    if stones <= 4:
        return corners[:stones]
    pairs = sides[: (stones - 4) // 2 * 2]
    return [*corners, *pairs, *([(middle, centre)] if stones % 2 else [])]


def free(width: int, height: int, stones: int) -> list[Place]:
    """As many stones as wanted: the fixed ones first, then along the lines round the middle."""
    if not 2 <= stones < width * height:
        raise UsageError("invalid number of stones")
    most = min(stones, most_fixed(width, height))
    chosen = fixed(width, height, most) if most >= 2 else []
    near = sorted(
        ((row, column) for row in range(height) for column in range(width)),
        key=lambda place: (_from_good(place, width, height), place),
    )
    return (chosen + [place for place in near if place not in chosen])[:stones]


def _lines(side: int) -> tuple[int, int, int]:
    """The third line of small boards or the fourth of large ones, the middle, and the far one."""
    edge = 2 if side <= 12 else 3
    return edge, side // 2, side - 1 - edge


def _from_good(place: Place, width: int, height: int) -> int:
    """How far from a line where stones stand well; stones do not stand beside each other at first."""
    row, column = place
    edge = min(row, column, height - 1 - row, width - 1 - column)
    return abs(edge - (2 if min(width, height) <= 12 else 3)) * 2 + (row + column) % 2
