"""The rules of Go for two to six colours, as slowly and obviously as they can be written.

Nothing here is shared with the compiled board or with `manyminds.games.go.stones`: positions are
dicts from (row, column) to a colour 1..6, strings and regions are sets found by flood fill, and every
question is answered from the whole position. Tests compare the fast programs with this one.

The rules:
* Colours play in turn. A move puts a stone on an empty point, or passes; passing is always allowed.
* A new stone first takes off all strings of ALL other colours that have no liberty left, at once.
* A move after which its own string would have no liberty is forbidden (no suicide).
* Simple ko: when a single stone that captured exactly one stone has exactly one liberty, the next move
  may not be played on that liberty. The ban concerns the next move only, whatever it is; with
  `ko="own"` it concerns it only where the stone taken was of the colour that moves next (with two
  colours this is the same; with more, anybody else's stone there makes a new position).
* Positional superko, as a setting: a stone may not make a position on the board that was there before.
* The game ends when every colour has passed in turn, or at the limit of moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

Place = tuple[int, int]
Stones = dict[Place, int]
PASS = None
Move = Place | None


@dataclass
class Reference:
    """One position and what the rules must remember of the game."""

    width: int
    height: int
    colours: int = 2
    stones: Stones = field(default_factory=dict)
    to_play: int = 1
    banned: Place | None = None  # where the next move is forbidden by the simple ko
    passes: int = 0
    moves_made: int = 0
    superko: bool = False
    limit: int | None = None
    ko: str = "own"
    earlier: set[frozenset[tuple[Place, int]]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.earlier.add(frozenset(self.stones.items()))

    def copy(self) -> Reference:
        return Reference(
            self.width,
            self.height,
            self.colours,
            dict(self.stones),
            self.to_play,
            self.banned,
            self.passes,
            self.moves_made,
            self.superko,
            self.limit,
            self.ko,
            set(self.earlier),
        )

    # --- the board ------------------------------------------------------------------------------

    def places(self) -> list[Place]:
        return [(row, column) for row in range(self.height) for column in range(self.width)]

    def empties(self) -> list[Place]:
        return [place for place in self.places() if place not in self.stones]

    def beside(self, place: Place) -> list[Place]:
        row, column = place
        near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return [(r, c) for r, c in near if 0 <= r < self.height and 0 <= c < self.width]

    # --- moves ----------------------------------------------------------------------------------

    def legal(self, move: Move) -> bool:
        if move is PASS:
            return True
        if move in self.stones or move == self.banned:
            return False
        after = self._after(move)
        if not liberties(self, after, string(self, after, move)):
            return False
        return not (self.superko and frozenset(after.items()) in self.earlier)

    def legal_moves(self) -> list[Move]:
        """Empty when the game is over."""
        if self.over():
            return []
        return [PASS, *(place for place in self.empties() if self.legal(place))]

    def play(self, move: Move) -> None:
        assert self.legal(move), move
        assert not self.over()
        if move is PASS:
            self.banned = None
            self.passes += 1
        else:
            after = self._after(move)
            self.banned = self._ban(move, after)
            self.stones = after
            self.passes = 0
            self.earlier.add(frozenset(after.items()))
        self.moves_made += 1
        self.to_play = self._next()

    def over(self) -> bool:
        return self.passes >= self.colours or (
            self.limit is not None and self.moves_made >= self.limit
        )

    def _next(self) -> int:
        return self.to_play % self.colours + 1

    def _after(self, place: Place) -> Stones:
        """The stones once this one stands and all others' strings without liberties are gone."""
        with_it = {**self.stones, place: self.to_play}
        dead: set[Place] = set()
        for near in self.beside(place):  # nobody else lost a liberty
            if with_it.get(near, self.to_play) != self.to_play:
                its_string = string(self, with_it, near)
                if not liberties(self, with_it, its_string):
                    dead |= its_string
        return {one: colour for one, colour in with_it.items() if one not in dead}

    def _ban(self, place: Place, after: Stones) -> Place | None:
        taken = [one for one in self.stones if one not in after]
        own = string(self, after, place)
        if len(taken) != 1 or len(own) != 1 or len(liberties(self, after, own)) != 1:
            return None
        if self.ko == "own" and self.stones[taken[0]] != self._next():
            return None
        return taken[0]


def string(board: Reference, stones: Stones, place: Place) -> set[Place]:
    """The stones connected to the one at `place`."""
    found = {place}
    while True:
        more = {
            near
            for one in found
            for near in board.beside(one)
            if stones.get(near) == stones[place] and near not in found
        }
        if not more:
            return found
        found |= more


def liberties(board: Reference, stones: Stones, its_string: set[Place]) -> set[Place]:
    return {near for one in its_string for near in board.beside(one) if near not in stones}


# --- counting -----------------------------------------------------------------------------------


def regions(board: Reference) -> Iterator[set[Place]]:
    """The connected empty points, region by region."""
    left = set(board.empties())
    while left:
        region = {left.pop()}
        frontier = set(region)
        while frontier:
            frontier = {near for one in frontier for near in board.beside(one) if near in left}
            left -= frontier
            region |= frontier
        yield region


def points(board: Reference, komi: tuple[float, ...] = ()) -> list[float]:
    """The game's count: stones, and every empty region that only one colour borders, plus komi."""
    counted = _stones_and_komi(board, komi)
    for region in regions(board):
        owners = {
            board.stones[near]
            for one in region
            for near in board.beside(one)
            if near in board.stones
        }
        if len(owners) == 1:
            counted[owners.pop() - 1] += len(region)
    return counted


def points_in_playouts(board: Reference, komi: tuple[float, ...] = ()) -> list[float]:
    """A playout's count: stones, and single empty points with only one colour's stones beside them.

    At the end of a playout other empty points are hardly left.
    """
    counted = _stones_and_komi(board, komi)
    for place in board.empties():
        beside = {board.stones.get(near) for near in board.beside(place)}
        if len(beside) == 1 and None not in beside:
            counted[beside.pop() - 1] += 1  # type: ignore[operator]
    return counted


def _stones_and_komi(board: Reference, komi: tuple[float, ...]) -> list[float]:
    given = [*komi, *[0.0] * board.colours]
    colours = list(board.stones.values())
    return [given[one - 1] + colours.count(one) for one in range(1, board.colours + 1)]
