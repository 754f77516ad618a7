"""What befell a mate, written down as it happens: enough to do all of it again, bit for bit.

A diary is a file of MessagePack values, one an event: first what the mate is, then everything that it was
asked and, behind it, what it answered. Thinking is written down as the number of simulations, however
long they took. A file that ends in the middle of an event (its writer was killed) is read as far as it goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import msgspec

from manyminds.core.budget import Budget
from manyminds.core.errors import Failure, UsageError
from manyminds.core.unreadable import UNREADABLE
from manyminds.games.contract import Game, JointMove, State
from manyminds.games.registry import make_game
from manyminds.players.player import Lineup
from manyminds.players.registry import make_player
from manyminds.teams.mate import Mate
from manyminds.teams.network.sight import Beginning

VERSION = 1
MOST_EVENT = 10_000_000  # bytes of one event
_LENGTH = 4


class Diary:
    """A mate that writes down what it is asked and what it answers; with no file, it only answers."""

    def __init__(self, mate: Mate, spec: str, path: str | Path | None = None) -> None:
        self.mate, self.spec = mate, spec
        self._file: IO[bytes] | None = None
        if path is not None:
            try:
                self._file = Path(path).open("ab")  # noqa: SIM115 - open as long as the mate
            except OSError as error:
                raise UsageError(f"cannot write to {path}: {error.strerror}") from error

    def begin(self, game: Game, seat: int, beginning: Beginning) -> None:
        """A match begins."""
        self.mate.begin(game, seat, Lineup(beginning.lineup, beginning.seed))
        self._note("begin", [VERSION, self.spec, seat, beginning.pack()])

    def saw(self, joint: JointMove) -> None:
        """A joint move was played."""
        self.mate.saw(joint)
        self._note("saw", list(joint))

    def skip(self, ticks: int) -> None:
        """So many joint moves were played that it knows nothing of."""
        self.mate.skip(ticks)
        self._note("skip", ticks)

    def meet(self, state: State) -> None:
        """The position of the tick."""
        self.mate.meet(state)
        self._note("meet", state.tobytes())

    def think(self, budget: Budget) -> int:
        """Simulations for this budget; how many it were."""
        simulations = self.mate.think(budget)
        self._note("think", simulations)
        return simulations

    def received(self, message: bytes) -> bool:
        """What a mate said; whether it was taken in."""
        taken = self.mate.received(message)
        self._note("received", message, taken)
        return taken

    def to_send(self, room: int) -> list[bytes]:
        """What it has to say."""
        messages = self.mate.to_send(room)
        self._note("to_send", room, messages)
        return messages

    def choose(self, state: State, seat: int) -> int:
        """The move it chooses now."""
        move = int(self.mate.choose(state, seat).move)
        self._note("choose", [state.tobytes(), seat], move)
        return move

    def close(self) -> None:
        """The file is whole from here on."""
        if self._file is not None:
            self._file.close()

    def _note(self, event: str, asked: Any, answer: Any = None) -> None:
        if self._file is None:
            return
        data = msgspec.msgpack.encode([event, asked, answer])
        self._file.write(len(data).to_bytes(_LENGTH, "little") + data)
        if event == "choose":
            self._file.flush()


@dataclass
class Replay:
    """What a diary's mate did when all of it happened once more. different: where it answered otherwise."""

    matches: int = 0
    ticks: int = 0
    simulations: int = 0
    received: int = 0
    sent: int = 0
    decisions: int = 0
    different: list[str] = field(default_factory=list)


def replay(path: str | Path) -> Replay:
    """Let everything in a diary happen again, to a new mate; what came of it."""
    done = Replay()
    game: Game | None = None
    mate: Mate | None = None
    for number, (event, asked, answer) in enumerate(read_events(path)):
        try:
            if event == "begin":
                game, mate = _begun(asked)
                done.matches += 1
                continue
            if game is None or mate is None:
                raise Failure(f"{path} does not begin with a match; is it a diary of a teammate?")
            again = _again(game, mate, done, event, asked)
        except (TypeError, ValueError, IndexError, OverflowError) as error:
            raise Failure(f"{path}: event {number}, {event}, cannot be: {error}") from error
        if again != answer:
            done.different.append(f"event {number}, {event}, tick {mate.trail.tick}")
    return done


def read_events(path: str | Path) -> Iterator[tuple[str, Any, Any]]:
    """The events of a diary, as far as they are whole."""
    try:
        with Path(path).open("rb") as file:
            yield from _events(file, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _events(file: IO[bytes], path: str | Path) -> Iterator[tuple[str, Any, Any]]:
    while len(head := file.read(_LENGTH)) == _LENGTH:
        size = int.from_bytes(head, "little")
        if size > MOST_EVENT:
            raise Failure(f"{path} is no diary of a teammate: an event of {size} bytes")
        data = file.read(size)
        if len(data) < size:
            return
        try:
            event, asked, answer = msgspec.msgpack.decode(data, type=tuple[str, Any, Any])
        except UNREADABLE as error:
            raise Failure(f"{path} is no diary of a teammate: {error}") from error
        yield event, asked, answer


def _begun(asked: Any) -> tuple[Game, Mate]:
    version, spec, seat, data = asked
    if version != VERSION:
        raise Failure(f"this diary is of version {version}, and this program reads {VERSION}")
    beginning = Beginning.unpack(data)
    game = make_game(beginning.game, **beginning.arguments)
    mate = make_player(spec, game)
    if not isinstance(mate, Mate):
        raise Failure(f'"{spec}" is no mate')
    mate.begin(game, seat, Lineup(beginning.lineup, beginning.seed))
    return game, mate


def _again(game: Game, mate: Mate, done: Replay, event: str, asked: Any) -> Any:
    """One event happens again: what the mate answers, None where nothing is asked of it."""
    if event == "think":
        done.simulations += int(asked)
        if asked:
            mate.think(Budget(simulations=int(asked)))
    elif event == "received":
        done.received += 1
        return mate.received(asked)
    elif event == "to_send":
        messages = mate.to_send(int(asked))
        done.sent += len(messages)
        return messages
    elif event == "choose":
        done.decisions += 1
        return int(mate.choose(game.unpack(asked[0]), int(asked[1])).move)
    elif event == "meet":
        done.ticks += 1
        mate.meet(game.unpack(asked))
    elif event == "saw":
        mate.saw(tuple(int(move) for move in asked))
    elif event == "skip":
        mate.skip(int(asked))
    else:
        raise Failure(f'a diary has no event "{event[:40]}"')
    return None
