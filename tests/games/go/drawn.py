"""Drawn boards on the compiled board and on the reference's, and both side by side."""

from __future__ import annotations

import functools
from typing import Any

from manyminds.games.contract import Game
from manyminds.games.go import go
from manyminds.games.go.board import empty_board
from manyminds.games.go.coordinates import PASS, point_at, point_named, row_and_column
from manyminds.games.go.diagram import Position, parse
from manyminds.games.go.views import begin_views

from .reference import Move, Reference


def place_of(point: int) -> Move:
    """The reference's name of a compiled point, or of a pass."""
    return None if point == PASS else row_and_column(int(point))


def point_of(move: Move) -> int:
    return PASS if move is None else point_at(*move)


@functools.cache
def any_go() -> Game:
    """One game for every board: its kernels read size, colours and limit from the board."""
    return go(19, 6, limit=2048)


def compiled(position: Position, superko: bool = False, limit: int | None = None) -> Any:
    """A compiled board with these stones, no move made yet."""
    state = empty_board(position.width, position.height, position.colours)
    begin_views(state)
    state.superko = int(superko)
    for place, colour in position.stones.items():  # in no order does a stone take another
        state.to_play = colour
        any_go().play(state, point_at(*place))
    state.to_play = position.to_play
    state.ko = 0 if position.ko is None else point_at(*position.ko)
    state.seen[0] = state.seen[state.moves]  # the hash of all these stones; 0 without superko
    state.moves = state.passes = state.last = state.last2 = 0
    state.limit = limit or state.limit
    return state


def slow(position: Position, superko: bool = False, limit: int | None = None) -> Reference:
    """The reference's board with these stones."""
    return Reference(
        position.width,
        position.height,
        position.colours,
        dict(position.stones),
        position.to_play,
        position.ko,
        superko=superko,
        limit=limit,
    )


class Pair:
    """One position on both boards, which must agree after every move."""

    def __init__(self, position: Position, superko: bool = False, limit: int | None = None) -> None:
        self.game, self.state = any_go(), compiled(position, superko, limit)
        self.reference = slow(position, superko, int(self.state.limit))
        self.agree()

    @classmethod
    def drawn(cls, text: str, superko: bool = False) -> Pair:
        return cls(parse(text), superko)

    def play(self, move: str | Move) -> None:
        """Play a move on both boards; moves are drawn by the reference or typed."""
        place = self._typed(move) if isinstance(move, str) else move
        self.reference.play(place)
        self.game.play(self.state, point_of(place))
        self.agree()

    def legal(self, move: str) -> bool:
        return self._typed(move) in self.reference.legal_moves()

    def points(self) -> list[float]:
        """The compiled board's count, one number a colour."""
        return self.game.points(self.state)[: self.reference.colours].tolist()

    def _typed(self, move: str) -> Move:
        return place_of(point_named(move, self.reference.width, self.reference.height))

    def agree(self) -> None:
        seen, game, state = self.reference, self.game, self.state
        position = Position.of(state)
        assert position.stones == seen.stones, position
        assert (position.to_play, position.ko) == (seen.to_play, seen.banned), position
        assert game.over(state) == seen.over(), position
        assert game.movers(state) == ([] if seen.over() else [seen.to_play - 1])
        if not seen.over():
            moves = [place_of(point) for point in game.moves(state)]
            assert len(moves) == len(set(moves))
            assert set(moves) == set(seen.legal_moves()), position
