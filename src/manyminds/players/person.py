"""A person at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import State
from manyminds.players.player import Decision, Forfeit, Lineup
from manyminds.players.registry import register

_MOST_TRIES = 100
_MOST_SHOWN = 400
_HELP = """Type a move by its name, such as {example}. Besides:
  moves    the legal moves
  board    the position once more
  resign   give this match up
  help     this text"""


class Person:
    """Asks for moves by name until one is legal. No deadline: a person may think.

    `ask(prompt)` returns a line and raises EOFError at the end of the input; `tell(text)` shows one;
    `show(state)` draws the position, by default in the game's own text.
    """

    text = "person"  # in the line-up

    def __init__(
        self,
        ask: Callable[[str], str] | None = None,
        tell: Callable[[str], None] | None = None,
        show: Callable[[State], None] | None = None,
    ) -> None:
        self.ask = ask or input
        self.tell = tell or print
        self.show = show or (lambda state: self.tell(self.game.show(state)))
        self.game: Any = None
        self.seat = 0

    def begin(self, game: Any, seat: int, lineup: Lineup) -> None:
        self.game, self.seat = game, seat

    def saw(self, joint: tuple[int, ...]) -> None:
        pass

    def decide(self, state: Any, budget: Budget) -> Decision:
        legal = [int(move) for move in self.game.moves(state, self.seat)]
        self.show(state)
        for _ in range(_MOST_TRIES):
            word = self._line()
            if word == "resign":
                raise Forfeit("resigned")
            move = self._understood(word, legal, state)
            if move is not None:
                return Decision(move)
        raise Forfeit(f"no legal move in {_MOST_TRIES} lines")

    def _line(self) -> str:
        try:
            return self.ask(f"{self.game.seat_names[self.seat]}, your move: ").strip()[:1000]
        except EOFError as end:
            raise Forfeit("the person left: the input ended") from end

    def _understood(self, word: str, legal: list[int], state: Any) -> int | None:
        """The move that was typed, if it is one and legal; everything else is answered."""
        if word in ("help", "?", ""):
            self.tell(_HELP.format(example=self.game.name(legal[0], state)))
        elif word == "moves":
            names = [self.game.name(move, state) for move in legal[:_MOST_SHOWN]]
            more = f" and {len(legal) - _MOST_SHOWN} more" if len(legal) > _MOST_SHOWN else ""
            self.tell(" ".join(names) + more)
        elif word == "board":
            self.show(state)
        else:
            return self._move(word, legal, state)
        return None

    def _move(self, word: str, legal: list[int], state: Any) -> int | None:
        try:
            move = int(self.game.move_named(word, state))
        except UsageError as error:
            self.tell(f"{error} (help: all that can be typed)")
            return None
        if move not in legal:
            self.tell(f"{word} is not legal here (moves: all that are)")
            return None
        return move


register("person", Person, help="a person at the terminal, who types moves by their names")
