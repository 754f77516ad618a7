"""The errors that people see, by what they can do about them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UsageError(ValueError):
    """What was typed or passed is wrong; the message says what to do instead."""


class MissingExtra(UsageError):
    """A capability whose optional dependencies are not installed."""

    def __init__(self, extra: str, need: str = "this") -> None:
        super().__init__(f'{need} needs the extra "{extra}": pip install "manyminds[{extra}]"')
        self.extra = extra


class Failure(RuntimeError):
    """What was asked is right but cannot be done: a damaged store, a full disk, a lost peer.

    The message says what happened and what is left whole. The command line shows it without a
    traceback and ends with status 1.
    """


def nearest(word: str, known: Iterable[str]) -> str:
    """How an error names what was probably meant: 'did you mean "rave"?', or all that is known."""
    words = sorted(known)
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.5)
    return f'did you mean "{close[0]}"?' if close else f"known: {', '.join(words) or 'none'}"
