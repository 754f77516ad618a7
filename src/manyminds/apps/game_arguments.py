"""A game's own arguments on the command line: `--size 9 --superko`, read for the game that is named.

What the command's own options are is known to Click; every other `--word` is the game's. A word with no
value behind it is a flag. Values are whole or real numbers, true or false, lists (3,4,5), 9x7, or words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from manyminds.core.errors import UsageError, nearest

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_REAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)", re.ASCII)
_SIDES = re.compile(r"([0-9]{1,3})x([0-9]{1,3})", re.ASCII)
MOST_CHARACTERS = 1000


def split(tokens: Sequence[str], own: Mapping[str, bool]) -> tuple[list[str], dict[str, Any]]:
    """The tokens that are the command's, and the game's arguments by name.

    own: the command's options as typed, and whether a value follows each.
    """
    mine: list[str] = []
    given: dict[str, Any] = {}
    waiting = list(tokens)
    while waiting:
        token = waiting.pop(0)
        word, equals, value = token.partition("=")
        if word in own:
            mine.append(token)
            if own[word] and not equals and waiting:
                mine.append(waiting.pop(0))
        elif not word.startswith("--") or word == "--":
            mine.append(token)
        else:
            if not equals and waiting and not waiting[0].startswith("--") and waiting[0] not in own:
                value, equals = waiting.pop(0), "="
            _add(given, word, read_value(word, value) if equals else True)
    return mine, given


def _add(given: dict[str, Any], word: str, value: Any) -> None:
    name = word[2:].replace("-", "_")
    if name in given:
        raise UsageError(f"{word[:40]} is given twice; give it once")
    given[name] = value


def read_value(word: str, text: str) -> Any:
    """What was typed behind an option, as Python has it."""
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"{word[:40]} has {len(text)} characters; at most {MOST_CHARACTERS}")
    text = text.strip()
    if "(" in text:  # a game within a game, with arguments and commas of its own
        return text
    if sides := _SIDES.fullmatch(text):
        return [int(sides[1]), int(sides[2])]
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if bare != text or "," in text:
        return [_one(part.strip()) for part in bare.split(",")] if bare.strip() else []
    return _one(text)


def _one(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _REAL.fullmatch(text) else text


def check(
    game: str, given: Mapping[str, Any], known: Mapping[str, str], own: Sequence[str]
) -> None:
    """Refuse a word that neither the game nor the command knows."""
    for name in given:
        if name not in known:
            word = f"--{name.replace('_', '-')}"
            words = [*(f"--{each.replace('_', '-')}" for each in known), *own]
            raise UsageError(f'"{game}" has no option {word[:40]}; {nearest(word[:40], words)}')
