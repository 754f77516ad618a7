"""Fuego's heuristics and MoGo's patterns, as slowly and obviously as they can be written.

On the reference's dicts, with strings and liberties as sets; patterns are drawings that are turned and
mirrored. Any colour but the one to play is the enemy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .reference import Place, Reference, liberties, string

# x and o are either side and the other, X and O the side to play and the other, as either side too
# where a pattern says so below; "." free, "*" a stone, "?" anything that is on the board, "n" no x.
MIDDLE = {
    # Hane: at least two neighbours are free, at most three (tested apart).
    "H1": ("oxo", ".+.", "???"),
    "H2": ("ox.", ".+.", "?.?"),
    "H3": ("*x?", "o+.", "?.?"),
    "H4": ("XOO", ".+.", "?.?"),
    "C1": ("ox?", "x+?", "???"),
    "C2": ("?o?", "x+x", "n?n"),
}
EDGE = {  # the lowest row is outside
    "E1": ("o.?", "x+?"),
    "E2": ("?x?", "o+n"),
    "E3": ("OX?", "?+?"),
    "E4": ("XO?", "v+?"),  # v: no O
    "E5": ("XO?", "O+X"),
}


@dataclass
class Seen:
    """A position with its last two moves, and the questions that heuristics ask."""

    board: Reference
    last: Place | None = None
    last2: Place | None = None

    @property
    def me(self) -> int:
        return self.board.to_play

    def colour(self, place: Place) -> int | None:
        return self.board.stones.get(place)

    def string(self, place: Place) -> set[Place]:
        return string(self.board, self.board.stones, place)

    def liberties(self, place: Place) -> set[Place]:
        return liberties(self.board, self.board.stones, self.string(place))

    def free(self, place: Place) -> list[Place]:
        return [near for near in self.board.beside(place) if near not in self.board.stones]

    def of(self, colour: int, place: Place) -> list[Place]:
        return [near for near in self.board.beside(place) if self.colour(near) == colour]

    def enemies(self, place: Place) -> list[Place]:
        return [n for n in self.board.beside(place) if self.colour(n) not in (None, self.me)]

    def strings(self, places: list[Place]) -> list[set[Place]]:
        """The different strings of these stones."""
        found: list[set[Place]] = []
        for place in places:
            its = self.string(place)
            if its not in found:
                found.append(its)
        return found

    def string_liberties(self, its: set[Place]) -> set[Place]:
        return liberties(self.board, self.board.stones, its)

    @property
    def answers(self) -> bool:
        return self.last is not None and self.colour(self.last) not in (None, self.me)


def eight_round(board: Reference, place: Place) -> list[Place]:
    row, column = place
    return [
        (r, c)
        for r in range(row - 1, row + 2)
        for c in range(column - 1, column + 2)
        if (r, c) != place and 0 <= r < board.height and 0 <= c < board.width
    ]


# --- patterns --------------------------------------------------------------------------------------


def drawn_ways(drawing: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The drawing in all its turns and mirrors."""
    rows = drawing if len(drawing) == 3 else (*drawing, "###")
    for _ in range(4):
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))
        yield rows
        yield tuple(row[::-1] for row in rows)


def view_of(seen: Seen, place: Place) -> tuple[str, ...]:
    """The 3x3 points round a place, the highest row first: . X O #."""
    row, column = place
    letters = {None: ".", seen.me: "X"}
    return tuple(
        "".join(
            letters.get(seen.colour((r, c)), "O")
            if 0 <= r < seen.board.height and 0 <= c < seen.board.width
            else "#"
            for c in range(column - 1, column + 2)
        )
        for r in range(row + 1, row - 2, -1)
    )


def fits(letter: str, seen: str, x: str) -> bool:
    o = {"X": "O", "O": "X"}[x]
    allowed = {"x": x, "o": o, "X": "X", "O": "O", ".": ".", "#": "#", "*": "XO"}
    rest = {"?": "XO.#", "n": "XO.#".replace(x, ""), "v": "X.#", "+": "."}
    return seen in (allowed | rest)[letter]


def pattern_fits(name: str, drawing: tuple[str, ...], view: tuple[str, ...]) -> bool:
    beside = view[0][1] + view[1][0] + view[1][2] + view[2][1]
    corners = view[0][0] + view[0][2] + view[2][0] + view[2][2]
    for x in "XO":
        if name[0] == "H" and beside.count(".") not in (2, 3):
            continue
        if name == "H3" and beside.count(".") != 2:
            continue
        if name == "C1" and beside.count(x) == 3 and beside.count(".") == 1:
            continue
        if name == "C2" and (beside.count(x) != 2 or corners.count(x) > 2):
            continue
        for way in drawn_ways(drawing):
            pairs = zip("".join(way), "".join(view), strict=True)
            if all(fits(letter, seen, x) for letter, seen in pairs):
                return True
    return False


def matches(view: tuple[str, ...]) -> bool:
    beside = view[0][1] + view[1][0] + view[1][2] + view[2][1]
    if not set(beside) & set("XO") or beside.count("#") > 1:
        return False
    drawings = EDGE if "#" in beside else MIDDLE
    return any(pattern_fits(name, drawing, view) for name, drawing in drawings.items())


# --- self-atari ------------------------------------------------------------------------------------


def self_atari(seen: Seen, place: Place) -> bool:
    board, free = seen.board, seen.free(place)
    if len(free) >= 2:
        return False
    own = seen.strings(seen.of(seen.me, place))
    if any(len(seen.string_liberties(one)) > 2 for one in own):
        return False
    points = set(free)
    for one in own:
        points |= seen.string_liberties(one) - {place}
    taken = [near for near in seen.enemies(place) if len(seen.liberties(near)) == 1]
    points |= set(taken)
    if len(points) != 1:
        return False
    if not taken:
        return True
    if not own:
        return False
    in_atari = [one for one in own if len(seen.string_liberties(one)) == 1]
    others = seen.string(taken[0]) - set(taken)
    return not any(
        near in one for other in others for near in board.beside(other) for one in in_atari
    )


# --- heuristics: lists, repeats included -------------------------------------------------------------


def nakade(seen: Seen) -> list[Place]:
    def mine(place: Place) -> bool:
        return bool(seen.of(seen.me, place))

    found: list[Place] = []
    for p in seen.free(seen.last) if seen.answers else []:
        if mine(p):
            continue
        if len(seen.free(p)) == 2:
            ends = seen.free(p)
            if all(len(seen.free(end)) == 1 and not mine(end) for end in ends):
                found.append(p)
        elif len(seen.free(p)) == 1:
            (q,) = seen.free(p)
            if len(seen.free(q)) == 2 and not mine(q):
                (r,) = set(seen.free(q)) - {p}
                if len(seen.free(r)) == 1 and not mine(r):
                    found.append(q)
    return found


def atari_capture(seen: Seen) -> list[Place]:
    if not seen.answers:
        return []
    free = seen.liberties(seen.last)
    return list(free) if len(free) == 1 else []


def atari_defend(seen: Seen) -> list[Place]:
    found: list[Place] = []
    if not seen.answers:
        return found
    for own in seen.strings(seen.of(seen.me, seen.last)):
        if len(seen.string_liberties(own)) != 1:
            continue
        (escape,) = seen.string_liberties(own)
        if not self_atari(seen, escape):
            found.append(escape)
        for enemy in seen.strings([near for place in own for near in seen.enemies(place)]):
            free = seen.string_liberties(enemy)
            if len(free) == 1 and free != {escape}:
                found.extend(free)
    return found


def gains(seen: Seen, its: set[Place], at: Place) -> bool:
    colour, free = seen.colour(next(iter(its))), seen.string_liberties(its)
    new = len([near for near in seen.free(at) if near not in free])
    for near in seen.of(colour, at):
        if near not in its:
            new += len(seen.liberties(near) - free)
    return new >= 2


def lowlib(seen: Seen, spare_bamboo: bool = False) -> list[Place]:
    found: list[Place] = []
    if not seen.answers:
        return found
    for its in [seen.string(seen.last), *seen.strings(seen.of(seen.me, seen.last))]:
        free = seen.string_liberties(its)
        if len(free) != 2:
            continue
        if spare_bamboo:
            colour = seen.colour(next(iter(its)))
            others = [seen.strings([s for s in seen.of(colour, p) if s not in its]) for p in free]
            if any(one in others[1] for one in others[0]):
                continue
        found += [p for p in free if gains(seen, its, p) and not self_atari(seen, p)]
    return found


def patterns_round(seen: Seen, places: list[Place]) -> list[Place]:
    free = [place for place in places if place not in seen.board.stones]
    return [place for place in free if matches(view_of(seen, place))]


def mogo_pattern(seen: Seen) -> list[Place]:
    return patterns_round(seen, eight_round(seen.board, seen.last)) if seen.answers else []


def pattern(seen: Seen) -> list[Place]:
    if not seen.answers:
        return []
    near = eight_round(seen.board, seen.last)
    if seen.last2 is not None:
        near += [p for p in eight_round(seen.board, seen.last2) if p not in near]
    return [place for place in patterns_round(seen, near) if not self_atari(seen, place)]


def capture(seen: Seen) -> list[Place]:
    enemies = [place for place, colour in seen.board.stones.items() if colour != seen.me]
    free = [seen.string_liberties(its) for its in seen.strings(enemies)]
    return [place for one in free if len(one) == 1 for place in one]
