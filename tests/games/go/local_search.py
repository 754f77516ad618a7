"""Exhaustive search over a few points of a board, by the slow rules: what is proved there is proved.

Only the given places may be played on, and anybody may pass at any time. Positions are those that can
come up, each with its player and its ko; a game may go round in circles, so nothing depends on depth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .reference import PASS, Move, Place, Reference, points

Key = tuple[frozenset[tuple[Place, int]], int, Place | None]


def after(board: Reference, move: Move) -> Reference:
    """The board after a move; passes do not end a local fight."""
    new = board.copy()
    new.earlier, new.passes, new.superko, new.limit = set(), 0, False, None
    new.play(move)
    return new


def options(board: Reference, places: Iterable[Place]) -> list[Move]:
    return [PASS, *(place for place in places if board.legal(place))]


def can_capture(
    board: Reference,
    target: Place,
    attackers: Collection[int],
    places: Collection[Place],
    passive: Collection[int] = (),
    never: Collection[tuple[int, Place]] = (),
) -> bool:
    """Whether the attackers together can take the stone at `target`, whatever all others do.

    Passive colours always pass; `never` lists moves (colour, place) that a colour leaves alone.
    """
    colour = board.stones[target]
    followers = _graph(board, places, passive, never, target)
    won = {key for key in followers if dict(key[0]).get(target) != colour}
    while True:
        more = {
            key
            for key, moves in followers.items()
            if key not in won
            and (any if key[1] in attackers else all)(_key(one) in won for one in moves.values())
        }
        if not more:
            return _key(board) in won
        won |= more


def _graph(
    board: Reference,
    places: Collection[Place],
    passive: Collection[int],
    never: Collection[tuple[int, Place]],
    target: Place,
) -> dict[Key, dict[Move, Reference]]:
    """Every position that can come up while the target stands, and where its moves lead."""
    followers: dict[Key, dict[Move, Reference]] = {}
    waiting = [board]
    while waiting:
        here = waiting.pop()
        if _key(here) in followers:
            continue
        moves: list[Move] = [PASS]
        if here.to_play not in passive:
            moves = [m for m in options(here, places) if (here.to_play, m) not in never]
        stands = here.stones.get(target) == board.stones[target]
        followers[_key(here)] = {move: after(here, move) for move in moves} if stands else {}
        waiting += followers[_key(here)].values()
    return followers


def _key(board: Reference) -> Key:
    return frozenset(board.stones.items()), board.to_play, board.banned


class MaxN:
    """Exact max^n over a few places: every colour maximises its own points at the end.

    A line ends when all have passed in turn, or after `depth` moves, and the whole board is counted.
    Among equals `pick` chooses (`min` the first, `max` the last), so that a test can show that ties
    do not matter.
    """

    def __init__(self, places: Collection[Place], pick: int = 0) -> None:
        self.places, self.pick = list(places), pick
        self.known: dict[tuple[Key, int, int], tuple[tuple[float, ...], Move]] = {}

    def values(self, board: Reference, depth: int) -> dict[Move, tuple[float, ...]]:
        """Everybody's points after each move of the colour to play."""
        found = {}
        for move in options(board, self.places):
            new = after(board, move)
            new.passes = board.passes + 1 if move is PASS else 0
            found[move] = self.value(new, depth - 1)[0]
        return found

    def value(self, board: Reference, depth: int) -> tuple[tuple[float, ...], Move]:
        """Everybody's points with best play, and the best move."""
        if depth == 0 or board.passes >= board.colours:
            return tuple(points(board)), PASS
        key = _key(board), board.passes, depth
        if key not in self.known:
            values = self.values(board, depth)
            best = max(value[board.to_play - 1] for value in values.values())
            equal = [move for move in values if values[move][board.to_play - 1] == best]
            self.known[key] = values[equal[self.pick]], equal[self.pick]
        return self.known[key]
