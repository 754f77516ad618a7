"""Games by name. The registry is open: anybody's game registers the way ours do.

    register_game("nim", "manyminds.games.small.nim:nim", "take stones", {"heaps": "their sizes"})

A maker is a function that returns a `Game`, or where one is: "module:function". The module is imported
when a game is made, so that listing games costs nothing. A game is made again from its own words, in
another process too: `make_game(game.title, **game.arguments)`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from manyminds.core.errors import UsageError, nearest
from manyminds.core.plugins import load_plugins

if TYPE_CHECKING:
    from manyminds.games.contract import Game

Maker = Callable[..., "Game"]


@dataclass(frozen=True)
class Entry:
    """A game that can be asked for. `parameters` are its arguments, with one line each.

    extra: what has to be installed for it, "" where nothing has.
    """

    name: str
    maker: Maker | str
    help: str
    parameters: Mapping[str, str]
    extra: str = ""


_entries: dict[str, Entry] = {}


def register_game(
    name: str,
    maker: Maker | str,
    help: str = "",  # noqa: A002 - the word people know from argument parsers
    parameters: Mapping[str, str] | None = None,
    extra: str = "",
) -> None:
    """Make `maker` known as `name`. `help` is one line for `manyminds list games`.

    The same maker may register again (a notebook cell that runs twice); another may not take its name.
    """
    entry = Entry(name, maker, help, dict(parameters or {}), extra)
    if not name.replace("-", "_").isidentifier():
        raise UsageError(f'a game is named with letters, digits, "_" and "-", not "{name[:40]}"')
    if "\n" in help:
        raise UsageError(f'game "{name}": its help is one line')
    if name in _entries and _origin(_entries[name].maker) != _origin(maker):
        raise UsageError(f'there is a game "{name}" already, from {_origin(_entries[name].maker)}')
    _entries[name] = entry


def known_games() -> dict[str, str]:
    """Every game's name with its one line, in alphabetical order."""
    load_plugins()
    return {name: _entries[name].help for name in sorted(_entries)}


def is_game(name: str) -> bool:
    """Whether a game is registered under this name. Plug-ins are looked for only if it is not yet."""
    if name not in _entries:
        load_plugins()
    return name in _entries


def game_entry(name: str) -> Entry:
    """What is registered under this name."""
    if not is_game(name):
        raise UsageError(f'there is no game "{name[:40]}"; {nearest(name[:40], _entries)}')
    return _entries[name]


def make_game(name: str, **arguments: Any) -> Game:
    """The game of that name with these arguments; the others are what its maker says."""
    entry = game_entry(name)
    maker = _load(entry)
    return maker(**_read(name, maker, arguments))


def _load(entry: Entry) -> Maker:
    if not isinstance(entry.maker, str):
        return entry.maker
    module, _, function = entry.maker.partition(":")
    return getattr(import_module(module), function)


def _read(name: str, maker: Maker, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, each of the type that the maker declares; what it declares no type for, as it is."""
    signature = inspect.signature(maker)
    for word in arguments:
        if word not in signature.parameters:
            known = signature.parameters
            advice = nearest(word[:40], known) if known else "it takes none"
            raise UsageError(f'game "{name}" has no argument "{word[:40]}"; {advice}')
    try:
        signature.bind(**arguments)
    except TypeError as error:
        raise UsageError(f'game "{name}": {error}') from error
    types = get_type_hints(maker)
    return {word: _convert(name, word, value, types) for word, value in arguments.items()}


def _convert(name: str, word: str, value: Any, types: Mapping[str, Any]) -> Any:
    if word not in types:
        return value
    try:
        return msgspec.convert(value, types[word])
    except msgspec.ValidationError as error:
        raise UsageError(f'game "{name}": argument {word}: {error}') from error


def _origin(maker: Maker | str) -> str:
    if isinstance(maker, str):
        return maker
    return f"{maker.__module__}:{maker.__qualname__}"


_SMALL = "manyminds.games.small"

register_game(
    "pacman",
    "manyminds.games.pacman:pacman",
    "Ms Pac-Man against a team of four ghosts; all move at once",
    {
        "maze": "1 to 4, or files of mazes (1)",
        "rules": "thesis (one life, one maze, no power pills) or full (thesis)",
        "power_pills": "with ghosts that can be eaten (as the rules say)",
        "levels": "the next maze follows when one is cleared (as the rules say)",
        "reversals": "by chance all ghosts turn round (as the rules say)",
        "lives": "of Pac-Man (1, or 3)",
        "limit": "ticks of a level (2000, or 4000)",
        "award": "pills left at that limit count for Pac-Man (false)",
    },
)

register_game(
    "go",
    "manyminds.games.go:go",
    "Go for two to six colours",
    {
        "size": "points on a side, 5 to 19, or [width, height] (9)",
        "colours": "2 to 6 (2)",
        "komi": "for White, or one for each colour (6.5 with two colours, else 0)",
        "superko": "no position may come again (false)",
        "limit": "the last move of a game (6 times the points)",
    },
)
register_game(
    "tic_tac_toe",
    f"{_SMALL}.tic_tac_toe:tic_tac_toe",
    "three in a line on nine squares; a draw",
)
register_game(
    "connect_four",
    f"{_SMALL}.connect_four:connect_four",
    "stones fall into columns, four in a line win",
    {"width": "columns (7)", "height": "rows (6)"},
)
register_game(
    "nim",
    f"{_SMALL}.nim:nim",
    "take stones from one heap; the last one decides",
    {"heaps": "their sizes ([3, 4, 5])", "misere": "who takes the last stone loses (false)"},
)
register_game(
    "three_hills",
    f"{_SMALL}.three_hills:three_hills",
    "three seats send soldiers to three hills; coalitions matter",
    {
        "soldiers": "strengths of each seat's soldiers ([1, 2])",
        "worths": "of the hills, at most 100 together ([1, 1, 2])",
    },
)
register_game(
    "goofspiel",
    f"{_SMALL}.goofspiel:goofspiel",
    "all bid a card at once for a prize",
    {
        "cards": "of each hand, 1 to 13 (4)",
        "seats": "2 to 8 (2)",
        "order": "of the prizes: descending or ascending (descending)",
    },
)
register_game(
    "hunt",
    f"{_SMALL}.hunt:hunt",
    "a wolf and a fox, one team, chase a hare; all move at once",
    {
        "width": "of the board (3)",
        "height": "of the board (3)",
        "turns": "that the hare must live (6)",
        "rest": "every so many turns the hare rests; 0: never (2)",
    },
)
register_game(
    "sweep",
    f"{_SMALL}.sweep:sweep",
    "up to 32 robots, one team, sweep a floor",
    {
        "robots": "of the team",
        "width": "of the floor",
        "height": "of the floor",
        "turns": "of a game",
        "pillars": "how far they stand from each other; 0: none",
    },
)
register_game(
    "pig",
    f"{_SMALL}.pig:pig",
    "roll a die as often as you dare",
    {
        "target": "the score that wins (20)",
        "sides": "of the die (6)",
        "rounds": "turns of each seat; then the higher score wins (10)",
    },
)
