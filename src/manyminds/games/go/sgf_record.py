"""One game of Go as it was played: the board at the start, the moves, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from manyminds.core.errors import UsageError
from manyminds.games.go.colours import FEWEST, check_count, colour
from manyminds.games.go.coordinates import PASS, check_size, on_board
from manyminds.games.go.diagram import Position
from manyminds.games.go.stones import Stones

PlayedMove = tuple[int, int]  # colour 1..6, point or PASS


@dataclass
class SgfRecord:
    """What a file keeps of one game; the moves are those of the main line.

    `komi`, `names` and `points` have one entry a colour, or none when nothing is known; points
    include komi. `result` is what RE says ("B+3.5", "W+Resign"); with two colours it follows from
    the points when it is empty. `remarks` are comments by the number of the move, from 0.
    """

    width: int
    height: int
    colours: int = FEWEST
    moves: list[PlayedMove] = field(default_factory=list)
    stones: Stones = field(default_factory=dict)  # at the start
    to_play: int = 1  # first
    komi: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    points: tuple[float, ...] = ()
    result: str = ""
    rules: str = ""
    event: str = ""
    date: str = ""
    comment: str = ""
    remarks: dict[int, str] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse what no file can keep, and what could not be read back."""
        check_size(self.width, self.height)
        check_count(self.colours)
        Position(self.width, self.height, self.colours, self.stones, self.to_play)
        for what, entries in (("komi", self.komi), ("names", self.names), ("points", self.points)):
            if len(entries) not in (0, self.colours):
                raise UsageError(f"{len(entries)} {what} for {self.colours} colours")
        for played, point in self.moves:
            if not 1 <= played <= self.colours:
                raise UsageError(f"{colour(played).name} does not play with {self.colours} colours")
            if point != PASS and not on_board(point, self.width, self.height):
                raise UsageError(f"{point} is no point of a {self.width}x{self.height} board")
        if any(not 0 <= number < len(self.moves) for number in self.remarks):
            raise UsageError("a remark on a move that was not played")

    def start(self) -> Position:
        """The board before the first move."""
        return Position(self.width, self.height, self.colours, dict(self.stones), self.to_play)

    def moves_in_turn(self, fill_passes: bool = False) -> list[int]:
        """The moves as points, colours playing in turn from `to_play`.

        Some files leave passes out; `fill_passes` puts one in for every colour that is skipped.
        """
        moves: list[int] = []
        for number, (played, point) in enumerate(self.moves):
            skipped = (played - self.to_play - len(moves)) % self.colours
            if skipped and not fill_passes:
                due = (self.to_play - 1 + len(moves)) % self.colours + 1
                raise UsageError(
                    f"move {number + 1} is {colour(played).name}'s where it is "
                    f"{colour(due).name}'s turn: ask for fill_passes if passes were left out"
                )
            moves += [PASS] * skipped
            moves.append(point)
        return moves


def in_turn(moves: Iterable[int], colours: int, first: int = 1) -> list[PlayedMove]:
    """Points or passes, played by the colours in turn, as a record keeps them."""
    check_count(colours)
    return [((first - 1 + turn) % colours + 1, int(point)) for turn, point in enumerate(moves)]
