"""The game that is named on the command line: one of the registry, or one in a file of the user's."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manyminds.core.errors import UsageError, nearest
from manyminds.games.registry import game_entry, is_game, known_games, make_game

if TYPE_CHECKING:
    from manyminds.games.contract import Game


def spelled(name: str) -> tuple[str, dict[str, Any]]:
    """A game's name, and what stands in brackets for one that takes a `game`: `openspiel(hex)`."""
    word, bracket, rest = name.partition("(")
    if is_file(name) or not bracket or not rest.endswith(")"):
        return name, {}
    if "game" not in parameters(word):
        raise UsageError(
            f"what {word[:40]} can be given are options: manyminds play {word[:40]} --help"
        )
    return word, {"game": rest[:-1].strip().strip("\"'")}


def is_file(name: str) -> bool:
    """Whether this names a file: `mine.py`, or `mine.py:nim` for one of several games in it."""
    return name.partition(":")[0].endswith(".py")


def parameters(name: str) -> Mapping[str, str]:
    """What the game of the registry can be given, with a line each; nothing for a file's."""
    return {} if is_file(name) else game_entry(registered(name)).parameters


def registered(name: str) -> str:
    """The name in the registry: tic-tac-toe may be typed for tic_tac_toe."""
    underlined = name.replace("-", "_")
    return underlined if is_game(underlined) else name


def make_named(name: str, given: Mapping[str, Any], seats: Iterable[str]) -> Game:
    """The game with these arguments. Where the colours are not counted, those that are named count."""
    if is_file(name):
        return _from_file(name, given)
    arguments = dict(given)
    if "colours" in parameters(name):
        arguments = _fewest_colours(seats) | arguments
    return make_game(registered(name), **arguments)


def _fewest_colours(seats: Iterable[str]) -> dict[str, int]:
    """As many colours as the last of those named needs; none named: as the game has it."""
    from manyminds.games.go.colours import FEWEST, MOST, colour_names

    names = colour_names(MOST)
    numbers = []
    for seat in seats:
        if seat not in names:
            raise UsageError(f'there is no colour "{seat[:40]}"; {nearest(seat[:40], names)}')
        numbers.append(names.index(seat) + 1)
    return {"colours": max(FEWEST, *numbers)} if numbers else {}


def _from_file(name: str, given: Mapping[str, Any]) -> Game:
    from manyminds.arena.files import import_files, read_files

    path, _, wanted = name.partition(":")
    before = set(known_games())
    files = read_files([Path(path)])
    import_files(files)
    new = sorted(set(known_games()) - before)
    games = _games_in(files[0].path)
    chosen = wanted or next(iter([*games, *new]), "")
    if not chosen or (not wanted and len({*games, *new}) > 1):
        what = f"has the games {', '.join([*games, *new])}" if chosen else "has no game"
        how = f"say which: {path}:{chosen}" if chosen else "a game is a Game in a variable"
        raise UsageError(f"{path} {what}; {how}")
    if chosen in new:
        return make_game(chosen, **given)
    if chosen not in games:
        raise UsageError(
            f'{path} has no game "{chosen[:40]}"; {nearest(chosen[:40], [*games, *new])}'
        )
    if given:
        raise UsageError(
            f"{path}:{chosen} is a Game as it is, so --{next(iter(given))} cannot be set"
        )
    return games[chosen]


def _games_in(path: str) -> dict[str, Game]:
    """The games that stand in variables of an imported file."""
    from manyminds.games.contract import Game

    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == path:
            found = {name: value for name, value in vars(module).items() if isinstance(value, Game)}
            return {name: value for name, value in found.items() if not name.startswith("_")}
    return {}
