"""Stones as a plain dict: what text boards and SGF need of the rules, in plain Python.

Matches and searches use the compiled board; this one is for drawing, checking and writing, where
a dict is easier to read. Places are `(row, column)`, row 0 at the bottom; values are colours 1..6,
and an empty point has no entry.
"""

from __future__ import annotations

from collections.abc import Iterator

Place = tuple[int, int]
Stones = dict[Place, int]


def neighbours(place: Place, width: int, height: int) -> Iterator[Place]:
    """The two to four places beside this one."""
    row, column = place
    for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 0 <= r < height and 0 <= c < width:
            yield r, c


def string_of(stones: Stones, place: Place, width: int, height: int) -> tuple[set[Place], int]:
    """The connected stones of one colour that `place` belongs to, and how many liberties."""
    colour = stones[place]
    string, frontier = {place}, [place]
    liberties: set[Place] = set()
    while frontier:
        for near in neighbours(frontier.pop(), width, height):
            if near not in stones:
                liberties.add(near)
            elif stones[near] == colour and near not in string:
                string.add(near)
                frontier.append(near)
    return string, len(liberties)


def put(
    stones: Stones, place: Place, colour: int, width: int, height: int, suicide: bool = True
) -> set[Place]:
    """Put a stone, in place, and take what has no liberty off; answers with what was taken.

    Other colours' strings go first, all at once, then, with `suicide`, the own one. Nothing is
    refused: SGF asks that every move is carried out, even on an occupied point.
    """
    stones[place] = colour
    taken: set[Place] = set()
    for near in neighbours(place, width, height):
        if stones.get(near, colour) != colour and near not in taken:
            string, liberties = string_of(stones, near, width, height)
            if not liberties:
                taken |= string
    if suicide and not taken:
        own, liberties = string_of(stones, place, width, height)
        taken = own if not liberties else taken
    for gone in taken:
        del stones[gone]
    return taken


def without_liberty(stones: Stones, width: int, height: int) -> list[Place]:
    """One place, the lowest, of every string that has no liberty: none in a real position."""
    seen: set[Place] = set()
    found = []
    for place in sorted(stones):
        if place not in seen:
            string, liberties = string_of(stones, place, width, height)
            seen |= string
            if not liberties:
                found.append(place)
    return found
