"""A player in one line: `NAME(ARGUMENTS)@BUDGET`, and the same from a TOML table.

    player   = NAME [ "(" [ argument { "," argument } ] ")" ] [ "@" BUDGET ]
    argument = [ NAME "=" ] value
    value    = word | number | true | false | quoted text | "[" values "]" | player

A word alone (`tree`, `white`, `rave`) is a text; only who takes the argument knows whether it is a flag,
a seat or a player. What is read is bounded: MOST_CHARACTERS, MOST_DEPTH.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError

MOST_CHARACTERS = 4096
MOST_DEPTH = 8
_MOST_WHOLE = 2**63

Value: TypeAlias = "bool | int | float | str | tuple[Any, ...] | PlayerSpec"

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}", re.ASCII)
_BARE = re.compile(r"[A-Za-z0-9_.+/~:-]+", re.ASCII)
_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
_REAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]+)?", re.ASCII)
_BLANK = re.compile(r"[ \t\r\n]*")
_FORM = "a player is NAME(ARGUMENTS)@BUDGET, such as rave@1000 or alliance(with=[white])@200ms"


@dataclass(frozen=True)
class PlayerSpec:
    """Who is to sit on a seat, as typed: nothing is looked up yet.

    `named` is sorted by name, so that equal players are equal. A player within a player that has neither
    arguments nor budget is kept as its name, a word as any other.
    """

    name: str
    positional: tuple[Value, ...] = ()
    named: tuple[tuple[str, Value], ...] = ()
    budget: Budget | None = None

    def __post_init__(self) -> None:
        _check_name(self.name, "player")
        for key, _ in self.named:
            _check_name(key, "argument")
        if len({key for key, _ in self.named}) < len(self.named):
            raise UsageError(f"{self.name}: an argument is given twice; give each once")
        positional = tuple(_clean(value, 1) for value in self.positional)
        named = tuple(sorted((key, _clean(value, 1)) for key, value in dict(self.named).items()))
        object.__setattr__(self, "positional", positional)
        object.__setattr__(self, "named", named)
        if len(str(self)) > MOST_CHARACTERS:
            raise UsageError(f"the player {self.name} has more than {MOST_CHARACTERS} characters")

    @staticmethod
    def parse(text: str) -> PlayerSpec:
        """The player that was typed; everything else is a UsageError that says where it stopped."""
        if len(text) > MOST_CHARACTERS:
            raise UsageError(f"a player of {len(text)} characters; at most {MOST_CHARACTERS}")
        return _Reader(text).whole()

    @staticmethod
    def of(value: str | Mapping[str, Any] | PlayerSpec) -> PlayerSpec:
        """A player from its text, its table, or itself."""
        if isinstance(value, PlayerSpec):
            return value
        if isinstance(value, str):
            return PlayerSpec.parse(value)
        if isinstance(value, Mapping):
            return _from_table(value, 1)
        raise UsageError(f"{_shown(value)} is no player; {_FORM}")

    def __str__(self) -> str:
        """The canonical text: `parse` reads it as this player, and equal players have equal texts."""
        arguments = [_format(value) for value in self.positional]
        arguments += [f"{key}={_format(value)}" for key, value in self.named]
        inside = f"({', '.join(arguments)})" if arguments else ""
        return f"{self.name}{inside}" + (f"@{self.budget}" if self.budget else "")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _check_name(name: object, what: str) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(
            f"{_shown(name)} cannot name {'an' if what[0] in 'aeiou' else 'a'} {what}: "
            f"a letter, then letters, digits, - and _; {_FORM}"
        )


def _clean(value: object, depth: int) -> Value:
    """The value if it may stand in a spec (lists as tuples), checked to its bottom."""
    if depth > MOST_DEPTH:
        raise UsageError(f"players and lists lie more than {MOST_DEPTH} deep in each other")
    if isinstance(value, PlayerSpec):
        if not (value.positional or value.named or value.budget):
            return value.name
        for inner in (*value.positional, *(inner for _, inner in value.named)):
            _clean(inner, depth + 1)
        return value
    if isinstance(value, (list, tuple)):
        return tuple(_clean(inner, depth + 1) for inner in value)
    if isinstance(value, str):
        if not value.isprintable():
            raise UsageError(f"{_shown(value)} has characters that cannot be printed")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UsageError(f"{value} is no number that an argument can have")
        return value
    if isinstance(value, int):
        if not -_MOST_WHOLE <= value <= _MOST_WHOLE:
            raise UsageError("a whole number beyond 2**63 is no argument")
        return value
    raise UsageError(
        f"{_shown(value)} cannot be an argument: true, false, a number, a text, a list or a player"
    )


def _format(value: Value) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_format(inner) for inner in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        if _BARE.fullmatch(value) and isinstance(_bare(value), str):
            return value
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)  # a float's shortest text, a whole number, or a player


def _bare(word: str) -> Value:
    """What a word without quotes stands for."""
    if word in ("true", "false"):
        return word == "true"
    if _WHOLE.fullmatch(word):
        if len(word) > 20:
            raise UsageError("a whole number beyond 2**63 is no argument")
        return int(word)
    if _REAL.fullmatch(word):
        return float(word)
    return word


def _from_table(table: Mapping[str, Any], depth: int) -> PlayerSpec:
    if "name" not in table:
        raise UsageError('a player\'s table needs its name: {name = "rave", budget = 1000}')
    named = {key: value for key, value in table.items() if key not in ("name", "budget")}
    budget = table.get("budget")
    return PlayerSpec(
        name=table["name"],
        named=tuple((key, _from_toml(value, depth + 1)) for key, value in named.items()),
        budget=None if budget is None else Budget.parse(budget),
    )


def _from_toml(value: Any, depth: int) -> Any:
    """TOML's lists and tables as a spec's; what else there is `_clean` judges."""
    if depth > MOST_DEPTH + 1:
        raise UsageError(f"players and lists lie more than {MOST_DEPTH} deep in each other")
    if isinstance(value, Mapping):
        return _from_table(value, depth)
    if isinstance(value, (list, tuple)):
        return tuple(_from_toml(inner, depth + 1) for inner in value)
    return value


class _Reader:
    """Recursive descent over one text; `at` is the first character not read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> PlayerSpec:
        spec = self.player(self.word(), 0)
        if self.peek():
            raise self.error("the end")
        return spec

    def player(self, name: str, depth: int) -> PlayerSpec:
        """What follows a name: arguments and budget, if any."""
        if depth > MOST_DEPTH:
            raise UsageError(f"players and lists lie more than {MOST_DEPTH} deep in each other")
        _check_name(name, "player")
        positional: list[Value] = []
        named: list[tuple[str, Value]] = []
        if self.take("("):
            while not self.take(")"):
                if (positional or named) and not self.take(","):
                    raise self.error('"," or ")"')
                self.argument(positional, named, depth + 1)
        budget = Budget.parse(self.word()) if self.take("@") else None
        return PlayerSpec(name, tuple(positional), tuple(named), budget)

    def argument(self, positional: list[Value], named: list[tuple[str, Value]], depth: int) -> None:
        start = self.at
        self.peek()
        match = _NAME.match(self.text, self.at)
        if match:
            self.at = match.end()
            if self.take("="):
                named.append((match[0], self.value(depth)))
                return
        self.at = start
        positional.append(self.value(depth))

    def value(self, depth: int) -> Value:
        if depth > MOST_DEPTH:
            raise UsageError(f"players and lists lie more than {MOST_DEPTH} deep in each other")
        if self.peek() in ('"', "'"):
            return self.quoted()
        if self.take("["):
            values: list[Value] = []
            while not self.take("]"):
                if values and not self.take(","):
                    raise self.error('"," or "]"')
                values.append(self.value(depth + 1))
            return tuple(values)
        word = self.word()
        if self.peek() in ("(", "@"):
            return self.player(word, depth)
        return _bare(word)

    def quoted(self) -> str:
        """Text between two quotes of one kind; a backslash makes the next quote or backslash plain."""
        quote = self.text[self.at]
        self.at += 1
        letters: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != quote:
            if self.text[self.at] == "\\" and self.text[self.at + 1 : self.at + 2] in (
                "\\",
                '"',
                "'",
            ):
                self.at += 1
            letters.append(self.text[self.at])
            self.at += 1
        if self.at == len(self.text):
            raise self.error(f"a closing {quote}")
        self.at += 1
        return "".join(letters)

    def word(self) -> str:
        self.peek()
        match = _BARE.match(self.text, self.at)
        if match is None:
            raise self.error("a word")
        self.at = match.end()
        return match[0]

    def peek(self) -> str:
        """The next character that is not blank, or "" at the end."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.text[self.at : self.at + 1]

    def take(self, character: str) -> bool:
        if self.peek() != character:
            return False
        self.at += 1
        return True

    def error(self, wanted: str) -> UsageError:
        read, rest = self.text[: self.at].rstrip()[-30:], self.text[self.at :][:20]
        where = f'"{rest}"' if rest else "the end"
        return UsageError(f'after "{read}" comes {wanted}, not {where}; {_FORM}')
