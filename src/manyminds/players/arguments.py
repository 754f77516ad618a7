"""Arguments that a player declares: a name, what it may be, and what it is when nothing is said.

A kind is a function from what was typed (spec.Value) and the game to what the factory gets; it raises
UsageError with the end of a sentence that begins "argument NAME". A kind of one's own is one more such
function: `Kind("a file of openings", read_openings)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from manyminds.core.errors import UsageError, nearest
from manyminds.players.spec import Value

REQUIRED: Final = object()


@dataclass(frozen=True)
class Kind:
    """What an argument may be. `words` completes "is ..." in help and errors; `choices` are its words.

    harmless: whatever is typed, reading and using it opens no file, runs no command and reaches no
    machine, so that strangers may fill it in from a web page.
    """

    words: str
    read: Callable[[Value, Any], Any]
    choices: tuple[str, ...] = ()
    harmless: bool = False


@dataclass(frozen=True)
class Argument:
    """One declared argument.

    A flag is given by its name alone, a choice by its word alone; beyond these, `positional` ones take
    the values without a name in the order declared, and `rest` takes all that are left. `to` is the
    factory's parameter, where it cannot have the argument's name (`with`).
    """

    name: str
    kind: Kind
    default: Any = REQUIRED
    help: str = ""
    positional: bool = False
    rest: bool = False
    to: str = ""

    @property
    def parameter(self) -> str:
        return self.to or self.name.replace("-", "_")


def _refuse(kind: str, value: Value) -> UsageError:
    text = str(value) if not isinstance(value, tuple) else "a list"
    return UsageError(f"is {kind}, not {text[:60]}")


def _read_flag(value: Value, game: Any) -> bool:
    if not isinstance(value, bool):
        raise _refuse("true or false", value)
    return value


def _read_text(value: Value, game: Any) -> str:
    if not isinstance(value, str):
        raise _refuse("a text", value)
    return value


def _read_words(value: Value, game: Any) -> tuple[str, ...]:
    values = value if isinstance(value, tuple) else (value,)
    return tuple(_read_text(word, game) for word in values)


def _read_seats(value: Value, game: Any) -> tuple[int, ...]:
    seats = []
    for word in _read_words(value, game):
        if word not in game.seat_names:
            raise UsageError(
                f'has no seat "{word}" in {game.title}; {nearest(word, game.seat_names)}'
            )
        seats.append(game.seat_names.index(word))
    if len(set(seats)) < len(seats):
        raise UsageError("names a seat twice; name each once")
    return tuple(seats)


flag = Kind("true or false", _read_flag, harmless=True)
text = Kind("a text", _read_text)
words = Kind("a list of words", _read_words)
seats = Kind("a list of seats such as [white, red]", _read_seats, harmless=True)


def whole(least: int = 0, most: int = 2**63) -> Kind:
    """A whole number from `least` to `most`."""
    kind = f"a whole number from {least} to {most}"

    def read(value: Value, game: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _refuse(kind, value)
        return value

    return Kind(kind, read, harmless=True)


def number(least: float = 0.0, most: float = 1e300) -> Kind:
    """A real number from `least` to `most`; a whole one is taken too."""
    kind = f"a number from {least:g} to {most:g}"

    def read(value: Value, game: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _refuse(kind, value)
        if not least <= value <= most:
            raise _refuse(kind, value)
        return float(value)

    return Kind(kind, read, harmless=True)


def choice(*known: str) -> Kind:
    """One of these words, which may stand without the argument's name: `same(allies)`."""
    kind = f"one of {', '.join(known)}"

    def read(value: Value, game: Any) -> str:
        if value not in known or not isinstance(value, str):
            raise UsageError(
                f'is {kind}, not "{str(value)[:60]}"; {nearest(str(value)[:60], known)}'
            )
        return value

    return Kind(kind, read, known, harmless=True)
