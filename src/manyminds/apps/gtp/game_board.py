"""The game that is being talked about: its position, how it came about, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from manyminds.core.errors import UsageError
from manyminds.games.contract import NONE, Game, JointMove, State
from manyminds.games.go.diagram import Position
from manyminds.games.go.setup import state_of
from manyminds.games.registry import make_game

FEWEST_POINTS, MOST_POINTS = 5, 19  # of a side
_LETTERS = {"b": "black", "w": "white", "r": "red", "g": "green", "y": "yellow"}  # blue in full


class IllegalMove(UsageError):
    """The rules forbid it."""


class GameBoard:
    """One game: `states[-1]` is the position, `played` has (seat, move) from the start position on.

    in_turn: every seat moved when it was its turn, from the game's own start; only then can players be
    told the moves one by one. Go has a size, colours and komi that can be set; other games are as made.
    """

    def __init__(self, name: str = "go") -> None:
        self.arguments: dict[str, Any] = {"size": 9, "colours": 2} if name == "go" else {}
        self.name = name
        self.komi: tuple[float, ...] = ()
        self._make()

    # --- which game -----------------------------------------------------------------------------------

    @property
    def is_go(self) -> bool:
        """Whether what only Go has can be asked for."""
        return self.name == "go"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        size = self.arguments["size"]
        return (size, size) if isinstance(size, int) else (size[0], size[1])

    def resize(self, width: int, height: int) -> None:
        """An empty board of another size; komi stays."""
        if not all(FEWEST_POINTS <= side <= MOST_POINTS for side in (width, height)):
            raise UsageError("unacceptable size")
        self._change(size=width if width == height else (width, height))

    def set_colours(self, colours: int) -> None:
        """An empty board for so many colours, without komi of one's own."""
        self.komi = ()
        self._change(colours=colours)

    def set_komi(self, komi: tuple[float, ...]) -> None:
        """Komi by colour. The position stays; so does the game in every other way."""
        self.komi = komi
        self._make_game()
        for state in self.states:
            state.komi[1 : len(komi) + 1] = komi

    def _change(self, **arguments: Any) -> None:
        self.arguments |= arguments
        self._make()

    def _make(self) -> None:
        self._make_game()
        self.clear()

    def _make_game(self) -> None:
        komi: Mapping[str, Any] = {"komi": self.komi} if self.komi else {}
        self.game: Game = make_game(self.name, **self.arguments, **komi)

    # --- what was played ------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    @property
    def mover(self) -> int:
        """Whose turn it is: a seat; 0 where it is nobody's."""
        return max(0, int(self.game.seat(self.state)))

    def clear(self) -> None:
        """The game's start again."""
        self.begin(self.game.start(), set_up=False)

    def begin(self, state: State, set_up: bool = True) -> None:
        """Play on from this position; what was before is forgotten."""
        self.states: list[State] = [state]
        self.played: list[tuple[int, int]] = []
        self.in_turn = not set_up

    def put(self, stones: Mapping[tuple[int, int], int], to_play: int) -> None:
        """An empty board with these stones: {(row, column): colour}."""
        width, height = self.size
        position = Position(width, height, self.game.seats, dict(stones), to_play)
        self.begin(state_of(self.game, position))

    def turned_to(self, seat: int) -> State:
        """A position of its own, as it is now, with this seat to move."""
        state = self.game.copy(self.state)
        if self.is_go and int(state.to_play) != seat + 1:
            state.to_play, state.ko = seat + 1, 0
        return state

    def play(self, seat: int, move: int) -> JointMove:
        """Play a seat's move, also out of turn in Go."""
        state = self.turned_to(seat)
        if self.is_go and int(state.moves) >= int(state.limit):
            raise IllegalMove(f"a game of more than {int(state.limit)} moves")
        if not self.is_go and (self.game.over(state) or self.game.seat(state) != seat):
            raise IllegalMove("it is not this seat's turn")
        if not (self.game.moves(state) == move).any():
            raise IllegalMove("illegal move")
        self.in_turn &= seat == self.mover and not self.game.over(self.state)
        self.game.play(state, move)
        self.states.append(state)
        self.played.append((seat, move))
        return self.joint(seat, move)

    def joint(self, seat: int, move: int) -> JointMove:
        """The move as a match tells it."""
        return tuple(move if each == seat else NONE for each in range(self.game.seats))

    def undo(self) -> None:
        """Take the last move back."""
        if not self.played:
            raise UsageError("cannot undo")
        self.states.pop()
        self.played.pop()

    # --- names ----------------------------------------------------------------------------------------

    def seat_named(self, word: str) -> int:
        """The seat of a colour as typed: its name, or for Go its first letter (blue in full only)."""
        name = word.lower()
        name = _LETTERS.get(name, name) if self.is_go else name
        if name not in self.game.seat_names:
            raise UsageError("invalid color")
        return self.game.seat_names.index(name)

    def move_named(self, word: str) -> int:
        """The move as typed."""
        try:
            return int(self.game.move_named(word, self.state))
        except UsageError:
            raise UsageError("invalid coordinate") from None

    def show(self) -> str:
        """The position for people."""
        return self.game.show(self.state)
