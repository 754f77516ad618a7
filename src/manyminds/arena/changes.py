"""What of a campaign may change between two runs into one store, and what is refused.

May change: titles, the question, published numbers, more games, more line-ups, more files, game_deadline,
and everything about line-ups of which no game was played. Anything else would let one table mix games
that do not belong together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from manyminds.arena.campaign import Campaign
from manyminds.arena.files import UserFile
from manyminds.arena.pairing import Lineup
from manyminds.core.errors import UsageError

_FIXED = {
    "data": "the game",
    "settings": "the settings",
    "seed": "the seed",
    "rotate": "rotate",
    "paired": "paired",
    "stop": "the stopping rule",
    "budget": "the budget",
    "move_limit": "move_limit",
    "deadline": "deadline",
    "judge": "the judge",
}
_ADVICE = "this store has games that were played otherwise: put it back, or use another store"


def check_changes(
    old: Campaign,
    new: Campaign,
    played: Mapping[tuple[str, ...], int],
    lineups: Iterable[Lineup],
) -> None:
    """A UsageError for the first change that the games in the store forbid.

    `played` has the games wanted by the old campaign, for each line-up of which one was played.
    """
    if not played:
        return
    for name, words in _FIXED.items():
        before, now = getattr(old, name), getattr(new, name)
        if before != now:
            raise UsageError(
                f"{words} changed from {_shown(before)} to {_shown(now)}, but {_ADVICE}"
            )
    _check_lineups(played, {lineup.names: lineup for lineup in lineups})
    for name in sorted({name for names in played for name in names}):
        if old.spec(name) != new.spec(name):
            raise UsageError(
                f'the player "{name}" changed from {_shown(old.spec(name))} to '
                f"{_shown(new.spec(name))}, but {_ADVICE}; a new name makes it another player"
            )


def check_files(old: Iterable[UserFile], new: Iterable[UserFile], played: bool) -> None:
    """A UsageError where a file is missing or not what the games in the store were played with."""
    now = {Path(file.path).name: file.digest for file in new}
    for file in old:
        name = Path(file.path).name
        if played and now.get(name) != file.digest:
            what = "was changed since" if name in now else "is no longer listed"
            raise UsageError(f"files: {name} {what}, but {_ADVICE}")


def _check_lineups(
    played: Mapping[tuple[str, ...], int], lineups: Mapping[tuple[str, ...], Lineup]
) -> None:
    for names, games in played.items():
        if names not in lineups:
            raise UsageError(f"the line-up {', '.join(names)} is gone, but {_ADVICE}")
        if lineups[names].games < games:
            raise UsageError(
                f"the line-up {', '.join(names)} is to play {lineups[names].games} games after "
                f"{games} were asked for: numbers of games only grow"
            )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."
