"""A tree in a process of its own, for root parallelization where threads are not enough.

Parent and child speak over a pair of sockets that only they have. The child ends when the parent lets go
of it, or dies; a child that fails, dies or is forgotten is replaced when the next question comes.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import weakref
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from manyminds.core.budget import Budget
from manyminds.core.errors import Failure, UsageError
from manyminds.games.contract import Game
from manyminds.games.registry import make_game
from manyminds.search.exchange import Cut
from manyminds.search.search import Search
from manyminds.search.selection import STANDARD, Selection

_SECONDS_TO_END = 5.0
_LOOK = 0.2  # seconds between two looks at whether the child lives
_CODE = (
    "import sys; sys.path[:] = {path!r}; from manyminds.parallel.process import serve; serve({fd})"
)


class TreeProcess:
    """What a Forest asks of a tree, answered by a Search in another process.

    The game has to be one that is made by its name: registered in a module that can be imported.
    """

    def __init__(
        self, game: Game, state: Any, rule: Selection | None, arguments: Mapping[str, Any]
    ) -> None:
        if rule is not None and rule.kernels is not STANDARD:
            raise UsageError("a selection rule of one's own searches on threads: parallel=root")
        self.game, self.arguments = game, dict(arguments)
        self.rule = (
            None if rule is None else (rule.title, dict(rule.constants), rule.rave, rule.squares)
        )
        settings = self.arguments.pop("settings", None)
        if settings is None or isinstance(settings, Mapping):
            settings = game.set_up(**(settings or {}))
        self.settings = settings.tobytes()
        self._state = game.start() if state is None else game.copy(state)
        self._child: subprocess.Popen[bytes] | None = None
        self._line: Connection | None = None

    def run(self, *, budget: Budget) -> int:
        """Search there; how many simulations."""
        return int(self._ask("run", budget))

    def next_moves(self, seat: int) -> Cut:
        """Its next-move cut."""
        return self._cut(self._ask("next_moves", seat))

    def cut(self, size: int) -> Cut:
        """Its visit-count cut."""
        return self._cut(self._ask("cut", size))

    def advance(self, joint: Any) -> bool:
        """Play a joint move there."""
        if np.ndim(joint) == 0:
            joint = [int(joint)]
        kept = self._line is None or bool(self._ask("advance", [int(move) for move in joint]))
        self.game.play(self._state, joint[0] if len(joint) == 1 else tuple(joint))
        return kept

    def meet(self, state: Any) -> bool:
        """Make the root there this state."""
        self._state = self.game.copy(state)
        return self._line is None or bool(self._ask("meet", state.tobytes()))

    def forget(self) -> None:
        """End the process; the next question starts another."""
        if self._child is not None and self._line is not None:
            _end(self._child, self._line)
        self._child = self._line = None

    def copy(self) -> TreeProcess:
        """No."""
        raise UsageError("a search on processes cannot be copied; use threads: parallel=root")

    def _cut(self, entries: bytes) -> Cut:
        return Cut.unpack(entries, len(self.game.teams))

    def _ask(self, what: str, argument: Any) -> Any:
        line, child = self._ready()
        try:
            line.send((what, argument))
            while not line.poll(_LOOK):
                if child.poll() is not None or self._line is None:
                    raise EOFError
            answer = line.recv()
        except (EOFError, OSError) as error:
            self.forget()
            raise Failure("a process of the search ended before it had answered") from error
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _ready(self) -> tuple[Connection, subprocess.Popen[bytes]]:
        if self._child is None or self._line is None:
            ours, theirs = socket.socketpair()
            code = _CODE.format(path=sys.path, fd=theirs.fileno())
            command = [sys.executable, "-c", code]
            self._child = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
            theirs.close()
            self._line = Connection(ours.detach())
            weakref.finalize(self, _end, self._child, self._line)
            game = (self.game.title, dict(self.game.arguments))
            set_up = (game, self._state.tobytes(), self.rule, self.settings, self.arguments)
            self._line.send(set_up)
        return self._line, self._child


def _end(child: subprocess.Popen[bytes], line: Connection) -> None:
    """Hang up, and see to it that the child is gone."""
    line.close()
    try:
        child.wait(0.05)  # it is waiting for the next question, most likely
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait(_SECONDS_TO_END)


def serve(descriptor: int) -> None:
    """Answer the parent at the other end of this socket until it hangs up."""
    line = Connection(descriptor)
    try:
        set_up, search = line.recv(), None
        while True:
            what, argument = line.recv()
            try:
                search = search or _search(*set_up)
                answer = _answer(search, what, argument)
            except Exception as error:  # noqa: BLE001 - it is the parent's to know
                answer = Failure(f"{type(error).__name__}: {error}")
                if isinstance(error, UsageError | Failure | ValueError | ArithmeticError):
                    answer = error
            line.send(answer)
    except (EOFError, OSError):
        return


def _search(
    game: tuple[str, dict[str, Any]],
    state: bytes,
    rule: tuple[str, dict[str, Any], bool, bool] | None,
    settings: bytes,
    arguments: dict[str, Any],
) -> Search:
    made = make_game(game[0], **game[1])
    values = np.frombuffer(bytearray(settings), made.set_up().dtype).view(np.recarray)[0]
    selection = None
    if rule is not None:
        selection = Selection(rule[0], constants=rule[1], rave=rule[2], squares=rule[3])
    return Search(made, made.state.unpack(state), selection, settings=values, **arguments)


def _answer(search: Search, what: str, argument: Any) -> Any:
    if what == "run":
        return search.run(budget=argument)
    if what in ("next_moves", "cut"):
        return getattr(search, what)(argument).pack()
    if what == "advance":
        return search.advance(argument[0] if len(argument) == 1 else argument)
    if what == "meet":
        return search.meet(search.game.state.unpack(argument))
    raise UsageError(f"nobody asks a tree to {what}")
