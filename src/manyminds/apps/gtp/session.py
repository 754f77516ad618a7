"""One conversation: commands in, answers out, until "quit" or the end of the input."""

from __future__ import annotations

import queue
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from manyminds.apps.gtp.answer import Answer, Refused, Stream
from manyminds.apps.gtp.clock import Clock
from manyminds.apps.gtp.game_board import GameBoard
from manyminds.apps.gtp.lines import Line, Lines
from manyminds.apps.gtp.thinker import Thinker
from manyminds.core.errors import Failure, UsageError
from manyminds.players.player import Forfeit
from manyminds.players.spec import PlayerSpec

MOST_IN_ANSWER = 1_000_000
_PONDER_SLICE = 30.0  # ms


@dataclass(frozen=True)
class Command:
    """A command: what carries it out, and its line of help."""

    run: Callable[[Session, tuple[str, ...]], Answer]
    help: str


COMMANDS: dict[str, Command] = {}


def command(name: str, help: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:  # noqa: A002 - as in `register`
    """Make a function of (session, words) the command of that name."""

    def register(function: Callable[..., Answer]) -> Callable[..., Answer]:
        COMMANDS[name] = Command(function, help)
        return function

    return register


class Session:
    """What the commands work on: the board, the clock, the player, and what can be set.

    resign: a mover that expects less than this gives up; 0: never. ponder: think on while the others do.
    """

    def __init__(
        self,
        spec: PlayerSpec,
        lines: Lines,
        write: Callable[[str], None],
        *,
        game: str = "go",
        seed: int = 0,
    ) -> None:
        self.lines, self.write, self.seed = lines, write, seed
        self.board = GameBoard(game)
        self.clock = Clock()
        self.thinker = Thinker(spec, self.board, seed)
        self.resign, self.ponder = 0.0, False
        self.open = True
        self.came = 0.0  # when the command under way was read
        self._afterwards: list[Callable[[], None]] = []

    def run(self) -> None:
        """Answer until it is over."""
        while self.open and (line := self._next()) is not None:
            self.answer(line)
        self.thinker.forget()

    def answer(self, line: Line) -> None:
        """Carry out one command and send its answer, whatever happens."""
        self.came = line.came
        try:
            self._carry_out(line)
        finally:
            while self._afterwards:
                self._afterwards.pop(0)()

    def _carry_out(self, line: Line) -> None:
        try:
            result = self._result(line)
            if isinstance(result, Stream):
                self._stream(line, result)
            else:
                self._send("=", line, result)
        except (UsageError, Failure) as error:
            self._send("?", line, str(error))
        except Forfeit as error:
            self._send("?", line, error.reason)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - one command that fails must not end the game
            traceback.print_exc(file=sys.stderr)
            self._send("?", line, f"internal error: {type(error).__name__}")

    def after(self, work: Callable[[], None]) -> None:
        """Do this once the answer is sent: players look at what was played while nobody waits."""
        self._afterwards.append(work)

    def replace(self, spec: PlayerSpec | None = None, board: GameBoard | None = None) -> None:
        """Another player, or another game; players that thought about the old one go."""
        thinker = Thinker(spec or self.thinker.spec, board or self.board, self.seed)
        self.thinker.wait()
        self.thinker.forget()
        self.thinker, self.board = thinker, thinker.board

    # --- within ---------------------------------------------------------------------------------------

    def _result(self, line: Line) -> Answer:
        if line.too_long:
            raise Refused("this line is too long")
        found = COMMANDS.get(line.name)
        if found is None:
            raise Refused("unknown command")
        return found.run(self, line.arguments)

    def _next(self) -> Line | None:
        while self.ponder and not self.lines.waiting and self._think_on():
            pass
        try:
            return self.lines.next()
        except queue.Empty:  # pragma: no cover - without a time there is no such end
            return None

    def _think_on(self) -> bool:
        """A little thinking while the others do; False where nobody has anything to think about."""
        for seat in list(self.thinker.players):
            search = self.thinker.search(seat)
            if search is not None and search.seat_to_choose() >= 0:
                search.run(milliseconds=_PONDER_SLICE)
                return True
        return False

    def _stream(self, line: Line, stream: Stream) -> None:
        """Send lines as they come, until the next command or their end; an error in between ends them."""
        begun = False
        try:
            for text in stream.lines:
                if not begun:
                    self.write(f"={line.number}\n")
                    begun = True
                if text:
                    self.write(f"{text}\n")
                if stream.until_told and self.lines.waiting:
                    break
        except (UsageError, Failure, Forfeit) as error:
            if not begun:
                raise
            print(f"manyminds: {error}", file=sys.stderr, flush=True)
        self.write("\n" if begun else f"={line.number}\n\n")

    def _send(self, sign: str, line: Line, text: str) -> None:
        first, *rest = text[:MOST_IN_ANSWER].splitlines() or [""]
        # A blank line would end the answer.
        body = "\n".join(
            [f"{sign}{line.number} {first}".rstrip(), *(r.rstrip() or " " for r in rest)]
        )
        self.write(f"{body}\n\n")
