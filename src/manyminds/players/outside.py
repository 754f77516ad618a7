"""An outside program as a player: any command that speaks GTP 2 on its standard input and output.

Go of two colours needs nothing beyond the protocol. What it has no words for, we say so:

    manyminds-colours black white red    before boardsize, where more than two colours play
    manyminds-komi 0 6.5 0               after clear_board, one number a colour, where not all are 0
    rectangular_boardsize 9 7            width and height of a board that is not square
    manyminds-game nim                   instead of boardsize and komi, where the game is not Go

A colour is named as its seat: `play red E5`, `genmove red`; a move as the game names it.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.players.analysed import ASKING, answered, values_of
from manyminds.players.arguments import Argument, number, text
from manyminds.players.conversation import Conversation
from manyminds.players.player import NONE, Decision, Forfeit, Lineup
from manyminds.players.registry import register

_MOST_SECONDS = 7 * 24 * 3600.0


class OutsidePlayer:
    """Starts its command anew for every match; `{seed}` in it stands for the seat's seed (31 bits).

    A move that is not there after `deadline` seconds (or twice the budget, where that is time and more)
    loses the match, as does any other answer that is not there after `start` seconds. Of budgets only
    whole seconds can be said in GTP; with others the command's own options set its strength.
    """

    def __init__(
        self, command: str, deadline: float = 60.0, start: float = 30.0, ask: str = "genmove"
    ) -> None:
        self.command = _split(command)
        self.deadline, self.start, self.genmove = deadline, start, ask
        self.program: Conversation | None = None
        self.game: Any = None
        self.seat = 0
        self._history: list[tuple[int, int]] = []  # seat and move
        self._answered: int | None = None  # our move that the program has on its board already
        self._time = 0

    def begin(self, game: Any, seat: int, lineup: Lineup) -> None:
        if self.program is not None:
            self.program.close()
        seed = str(lineup.seed_of(seat) >> 33)
        command = [word.replace("{seed}", seed) for word in self.command]
        self.game, self.seat = game, seat
        self._history, self._answered, self._time = [], None, 0
        self.program = Conversation(command)
        self._set_up()

    def saw(self, joint: tuple[int, ...]) -> None:
        played = [(seat, move) for seat, move in enumerate(joint) if move != NONE]
        self._history += played
        for seat, move in played:
            if seat == self.seat and self._answered is not None:
                if move != self._answered:  # somebody overruled it
                    self._answered = None
                    self._replay()
                    return
                self._answered = None
            else:
                self._tell(seat, move)

    def decide(self, state: Any, budget: Budget) -> Decision:
        seconds = self._tell_time(budget)
        answer = self._ask(f"{self.genmove} {self.game.seat_names[self.seat]}", seconds)
        info = ""
        if self.genmove.endswith(ASKING):
            info, answer = answered(answer)
        word = answer.lower()
        if word == "resign":
            raise Forfeit("resigned")
        try:
            move = int(self.game.move_named(answer, state))
        except UsageError as error:
            raise self._program().failed(
                f'it answered "{answer[:80]}", no move: {error}'
            ) from error
        self._answered = move
        return Decision(move, values_of(info, self.game, state, self.seat))

    def tell_dead(self) -> str:
        """Which stones it takes for dead, now that all have passed, as it says it."""
        return self._ask("final_status_list dead", self.deadline)

    def close(self) -> None:
        """Ends the program and all that it started."""
        if self.program is not None:
            self.program.close()

    def _set_up(self) -> None:
        for line in _OPENINGS.get(self.game.title, _foreign_opening)(self.game):
            self._ask(line, self.start)

    def _replay(self) -> None:
        """The position once more from its beginning: not every program can undo."""
        self._set_up()
        for seat, move in self._history:
            self._tell(seat, move)

    def _tell(self, seat: int, move: int) -> None:
        self._ask(f"play {self.game.seat_names[seat]} {self.game.name(move)}", self.start)

    def _tell_time(self, budget: Budget) -> float:
        """Says a budget in time as byo-yomi, once; the seconds after which the move is late."""
        if budget.milliseconds is None:
            return self.deadline
        seconds = budget.milliseconds / 1000.0
        if self._time != int(seconds):
            self._time = int(seconds)
            # A program without a clock may refuse, and plays as its options say.
            self._program().ask(f"time_settings 0 {self._time} 1", self.start)
        return max(self.deadline, 2.0 * seconds)

    def _ask(self, command: str, seconds: float) -> str:
        did, answer = self._program().ask(command, seconds)
        if not did:
            raise self._program().failed(
                f'it refused "{command}": {answer[:200] or "no reason given"}'
            )
        return answer

    def _program(self) -> Conversation:
        if self.program is None:
            raise UsageError("this player has not begun a match")
        return self.program


def _split(command: str) -> list[str]:
    """The words of a command line, refused where its program is not on this machine."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f'"{command[:80]}" is no command line: {error}') from error
    if not words or shutil.which(words[0]) is None:
        raise UsageError(
            f'there is no program "{words[0] if words else ""}" here: '
            'install it, or write its path, as in gtp("/usr/games/gnugo --mode gtp")'
        )
    return words


def _go_opening(game: Any) -> list[str]:
    board = game.start()
    colours = len(game.seat_names)
    komi = [float(points) for points in board.komi[1 : colours + 1]]
    square = board.width == board.height
    size = (
        f"boardsize {board.width}"
        if square
        else f"rectangular_boardsize {board.width} {board.height}"
    )
    if colours == 2:
        return [size, "clear_board", f"komi {komi[1] - komi[0]:g}"]
    lines = [f"manyminds-colours {' '.join(game.seat_names)}", size, "clear_board"]
    return (
        [*lines, f"manyminds-komi {' '.join(f'{points:g}' for points in komi)}"]
        if any(komi)
        else lines
    )


def _foreign_opening(game: Any) -> list[str]:
    return [f"manyminds-game {game.title}", "clear_board"]


_OPENINGS: dict[str, Callable[[Any], list[str]]] = {"go": _go_opening}


def _fits(game: Any) -> str:
    if game.simultaneous or getattr(game, "has_chance", False):
        return "GTP knows neither moves at the same time nor dice; uct plays such games"
    return ""


register(
    "gtp",
    OutsidePlayer,
    [
        Argument(
            "command",
            text,
            help="what to run, in quotes; {seed} becomes the seat's",
            positional=True,
        ),
        Argument("deadline", number(0.001, _MOST_SECONDS), 60.0, "seconds for a move"),
        Argument("start", number(0.001, _MOST_SECONDS), 30.0, "seconds for any other answer"),
        Argument("ask", text, "genmove", "what asks for a move, such as lz-genmove_analyze"),
    ],
    help='an outside program that speaks GTP: gtp("gnugo --mode gtp --level 8")',
    fits=_fits,
)
