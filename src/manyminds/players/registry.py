"""Players by name. The registry is open: anybody's player registers the way ours do.

    register("rave", RavePlayer, [Argument("k", number(), 1000.0, "visits at which ...")], help="...")

A factory is called with every declared argument by its name, read and checked, and returns a new Player.
It may also be given as where it is, "module:function", and is then imported when a player is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError, nearest
from manyminds.core.plugins import load_plugins
from manyminds.players.arguments import REQUIRED, Argument, Kind, flag
from manyminds.players.player import Player
from manyminds.players.spec import PlayerSpec, Value

Factory = Callable[..., Player] | str
Fits = Callable[[Any], str]

_RESERVED = ("name", "budget")  # a player's table has these beside its arguments


@dataclass(frozen=True)
class Entry:
    """A player that can be asked for. `fits(game)` is "" or why it cannot play this game, and what can.

    seats: names of the seats that it can sit on; none: on every seat.
    """

    name: str
    factory: Factory
    arguments: tuple[Argument, ...]
    help: str
    fits: Fits | None
    seats: tuple[str, ...] = ()

    def sits_on(self, seat: str) -> bool:
        """Whether it can play this seat, of a game that fits it."""
        return not self.seats or seat in self.seats


@dataclass(frozen=True)
class Member:
    """A player within a player, as factories get it; `budget` is None where none was typed."""

    player: Player
    budget: Budget | None
    text: str


_entries: dict[str, Entry] = {}


def register(
    name: str,
    factory: Factory,
    arguments: Iterable[Argument] = (),
    help: str = "",  # noqa: A002 - the word people know from argument parsers
    fits: Fits | None = None,
    seats: Iterable[str] = (),
) -> None:
    """Makes `factory` known as `name`. `help` is one line for `manyminds list players`.

    seats: the names of those that it can sit on, where it cannot sit on all. Forms offer it for these;
    the player itself refuses others when a game begins.

    The same factory may register again (a notebook cell that runs twice); another may not take its name.
    """
    spec = PlayerSpec(name)
    entry = Entry(spec.name, factory, tuple(arguments), help, fits, tuple(seats))
    _check_declared(entry)
    if name in _entries and _origin(_entries[name].factory) != _origin(factory):
        raise UsageError(
            f'there is a player "{name}" already, from {_origin(_entries[name].factory)}'
        )
    _entries[name] = entry


def known() -> dict[str, str]:
    """Every player's name with its one line, in alphabetical order."""
    load_plugins()
    return {name: _entries[name].help for name in sorted(_entries)}


def entry(name: str) -> Entry:
    """What is registered under this name."""
    if name not in _entries:
        load_plugins()
    if name not in _entries:
        raise UsageError(f'there is no player "{name}"; {nearest(name, _entries)}')
    return _entries[name]


def entry_of(factory: Any) -> Entry | None:
    """The entry of this very factory, if it is registered."""
    return next((entry for entry in _entries.values() if entry.factory is factory), None)


def make_player(spec: str | Mapping[str, Any] | PlayerSpec, game: Any) -> Player:
    """A new player for this game. Its budget is not its own affair: whoever asks it to decide passes one.

    >>> import manyminds as mm
    >>> nim = mm.make_game("nim", heaps=[1, 2])
    >>> player = mm.make_player("uct(c=0.3)", nim)
    >>> player.begin(nim, seat=0, lineup=mm.Lineup(["uct(c=0.3)", "random"], seed=1))
    >>> decision = player.decide(nim.start(), mm.Budget(simulations=200))
    >>> nim.name(decision.move)
    'b1'
    """
    spec = PlayerSpec.of(spec)
    found = entry(spec.name)
    if found.fits is not None and (misfit := found.fits(game)):
        raise UsageError(f'"{spec.name}" cannot play {game.title}: {misfit}')
    arguments = read_arguments(found, spec, game)
    return _load(found.factory)(**arguments)


def read_arguments(entry: Entry, spec: PlayerSpec, game: Any) -> dict[str, Any]:
    """Every declared argument as the factory gets it, defaults included."""
    given = dict(spec.named)
    by_name = {argument.name: argument for argument in entry.arguments}
    for name in given:
        if name not in by_name:
            raise UsageError(
                f'player "{entry.name}" has no argument "{name}"; {nearest(name, by_name)}'
            )
    for argument, value in _placed(entry, spec, set(given)):
        given[argument.name] = value
    return {a.parameter: _read(entry, a, given, game) for a in entry.arguments}


def _read(entry: Entry, argument: Argument, given: Mapping[str, Value], game: Any) -> Any:
    if argument.name not in given:
        if argument.default is REQUIRED:
            raise UsageError(
                f'player "{entry.name}" needs its argument {argument.name}, {argument.kind.words}'
            )
        return argument.default
    try:
        return argument.kind.read(given[argument.name], game)
    except UsageError as error:
        raise UsageError(f'player "{entry.name}": argument {argument.name} {error}') from error


def _placed(entry: Entry, spec: PlayerSpec, taken: set[str]) -> list[tuple[Argument, Value]]:
    """Which argument each value without a name belongs to; `taken` are those given by name."""
    placed: list[tuple[Argument, Value]] = []
    rest: list[Value] = []
    for value in spec.positional:
        argument = _place(entry, value, taken)
        if argument is None:
            raise UsageError(_homeless(entry, value))
        if argument.rest:
            rest.append(value)
        else:
            taken.add(argument.name)
            placed.append((argument, True if argument.kind is flag else value))
    collectors = [argument for argument in entry.arguments if argument.rest]
    return placed + [(argument, tuple(rest)) for argument in collectors if rest]


def _place(entry: Entry, value: Value, taken: set[str]) -> Argument | None:
    free = [argument for argument in entry.arguments if argument.name not in taken]
    if isinstance(value, str):
        for argument in free:
            if argument.kind is flag and argument.name == value:
                return argument
        for argument in free:
            if value in argument.kind.choices:
                return argument
    return next((argument for argument in free if argument.positional or argument.rest), None)


def _homeless(entry: Entry, value: Value) -> str:
    flags = [argument.name for argument in entry.arguments if argument.kind is flag]
    choices = [word for argument in entry.arguments for word in argument.kind.choices]
    others = [f"{a.name}=" for a in entry.arguments if a.kind is not flag and not a.kind.choices]
    shown = str(value)[:60] if not isinstance(value, tuple) else "a list"
    words = [*flags, *choices, *others]
    advice = nearest(shown, words) if words else "it takes none"
    return f'player "{entry.name}" has no place for the argument {shown}; {advice}'


def _check_declared(entry: Entry) -> None:
    names = [argument.name for argument in entry.arguments]
    if len(set(names)) < len(names) or set(names) & set(_RESERVED):
        raise UsageError(
            f'player "{entry.name}": argument names must differ, and none may be {" or ".join(_RESERVED)}'
        )
    if "\n" in entry.help:
        raise UsageError(f'player "{entry.name}": its help is one line')


def _load(factory: Factory) -> Callable[..., Player]:
    if not isinstance(factory, str):
        return factory
    module, _, name = factory.partition(":")
    loaded = getattr(import_module(module), name)
    assert callable(loaded)
    return loaded


def _origin(factory: Factory) -> str:
    if isinstance(factory, str):
        return factory.replace(":", ".")
    module = getattr(factory, "__module__", "?")
    return f"{module}.{getattr(factory, '__qualname__', type(factory).__qualname__)}"


def _read_member(value: Value, game: Any) -> Member:
    if not isinstance(value, (str, PlayerSpec)):
        raise UsageError("is a player, such as rave or rave@500")
    spec = PlayerSpec.of(value)
    return Member(make_player(spec, game), spec.budget, str(spec))


def _read_members(value: Value, game: Any) -> tuple[Member, ...]:
    values = value if isinstance(value, tuple) else (value,)
    return tuple(_read_member(inner, game) for inner in values)


# Harmless themselves; who lets strangers ask for players looks at those within as well.
player = Kind("a player", _read_member, harmless=True)
players = Kind("a list of players", _read_members, harmless=True)
