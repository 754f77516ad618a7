"""The moves of a table's game: legal ones only, each with the stones it took, and back again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from manyminds.apps.web.refused import Refused
from manyminds.core.errors import UsageError
from manyminds.games.contract import Game, State
from manyminds.games.go.board import EMPTY, POINTS
from manyminds.games.go.coordinates import all_points, row_and_column
from manyminds.games.go.diagram import Position
from manyminds.games.go.ownership import owners
from manyminds.games.go.setup import state_of
from manyminds.games.go.stones import Place


@dataclass(frozen=True)
class Played:
    """A move: who, where, and what it took as (point, colour). `own`: the seat chose it itself."""

    seat: int
    point: int
    taken: tuple[tuple[int, int], ...] = ()
    own: bool = True


class Course:
    """A game of Go under way. `opening`: the position before the first move, where it is not empty."""

    def __init__(self, game: Game, opening: Position | None = None) -> None:
        self.game, self.opening = game, opening
        self.points = np.array(all_points(*self._sides()), np.int64)
        self.state = self._first()
        self.moves: list[Played] = []
        self.captures = [0] * game.seats  # the stones that each seat has taken
        self._look()

    def _sides(self) -> tuple[int, int]:
        first = self.game.start()
        return int(first.width), int(first.height)

    def _first(self) -> State:
        return self.game.start() if self.opening is None else state_of(self.game, self.opening)

    def _look(self) -> None:
        """Reading a record from Python is slow, and these are asked often."""
        self.seat = int(self.state.to_play) - 1  # whose turn it is
        self.over = self.game.over(self.state)  # all passed in turn, or the last move was made
        self.ko = int(self.state.ko)  # the point where the mover may not retake; PASS: none

    @property
    def at_the_limit(self) -> bool:
        """Whether there is no move left to play on with."""
        return int(self.state.moves) >= int(self.state.limit)

    def point(self, name: str) -> int:
        """The point, or pass, of this name."""
        try:
            return self.game.move_named(name)
        except UsageError as error:
            raise Refused(str(error)) from None

    def name(self, point: int) -> str:
        """ "E5", or "pass"."""
        return self.game.name(point)

    def play(self, point: int, own: bool = True) -> Played:
        """The mover's move, if it is legal."""
        if self.over:
            raise Refused("the game has ended: no more moves")
        if not (self.game.moves(self.state) == point).any():
            raise Refused(self._why_not(point))
        before = self.state.color[self.points].copy()
        seat = self.seat
        self.game.play(self.state, point)
        gone = (before != EMPTY) & (self.state.color[self.points] == EMPTY)
        taken = tuple(
            (int(p), int(c)) for p, c in zip(self.points[gone], before[gone], strict=True)
        )
        self.moves.append(Played(seat, point, taken, own))
        self.captures[seat] += len(taken)
        self._look()
        return self.moves[-1]

    def _why_not(self, point: int) -> str:
        if self.state.color[point] != EMPTY:
            return f"{self.name(point)} is taken"
        if point == self.ko:
            return f"{self.name(point)} is ko: play elsewhere first"
        if self.state.superko:
            return f"{self.name(point)} would be suicide, or bring a position back"
        return f"{self.name(point)} would be suicide: the stone would have no liberty"

    def back_to(self, number: int) -> None:
        """As it was before move `number`, counted from 0."""
        kept = self.moves[:number]
        self.state, self.moves = self._first(), []
        self.captures = [0] * self.game.seats
        self._look()
        for played in kept:
            if self.over:  # people had played on after all passed
                self.go_on()
            self.play(played.point, played.own)

    def go_on(self, passes: int = 0) -> None:
        """All passed, and yet the game goes on; so many passes stand in a row then."""
        self.state.passes = passes
        self._look()

    def forbidden(self) -> list[int]:
        """The empty points where the mover may not play."""
        open_points = self.state.color[self.points] == EMPTY
        legal = np.zeros(POINTS, bool)
        legal[self.game.moves(self.state)] = True
        return self.points[open_points & ~legal[self.points]].tolist()

    def chain(self, point: int) -> list[int]:
        """The points of the chain that stands here."""
        if self.state.color[point] == EMPTY:
            raise Refused(f"no stone stands at {self.name(point)}")
        head = self.state.head[point]
        return [int(p) for p in self.points if self.state.head[p] == head]

    def without(self, dead: set[int]) -> State:
        """The position with these stones taken off."""
        stones: dict[Place, int] = {}
        for point in self.points.tolist():
            content = int(self.state.color[point])
            if content != EMPTY and point not in dead:
                stones[row_and_column(point)] = content
        width, height = self._sides()
        colours = int(self.state.colours)
        return state_of(self.game, Position(width, height, colours, stones))

    def count(self, dead: set[int]) -> tuple[list[int], list[float]]:
        """Without the dead stones: who has each point, from A1 row by row, and the points by seat."""
        state = self.without(dead) if dead else self.state
        whose = owners(state)[self.points]
        return [int(one) for one in whose], [float(n) for n in self.game.points(state)]

    def position_points(self) -> list[int]:
        """All points that are a move, in the order of `count`."""
        return [int(p) for p in self.points]
