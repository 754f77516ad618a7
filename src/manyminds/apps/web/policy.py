"""Which programs a page may ask for: those that cannot run commands, read files or think without end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from manyminds.apps.web.limits import Limits
from manyminds.apps.web.refused import Refused
from manyminds.arena.match import DEFAULT_BUDGET
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import Game
from manyminds.players import arguments, registry
from manyminds.players.arguments import Argument
from manyminds.players.person import Person
from manyminds.players.spec import PlayerSpec, Value

_MEMBERS = (registry.player, registry.players)
_PLAIN = re.compile(r"[A-Za-z0-9 _+-]{1,40}", re.ASCII)
MOST_MEMBERS = 8  # players within a player
# What arguments of these names may ask for of the host; memory is in megabytes.
MOST = {"memory": 1024, "threads": 2, "processes": 2, "workers": 2}


def delicate(argument: Argument) -> bool:
    """Whether it may be a command, a file, an address. Pages may not give it."""
    return not argument.kind.harmless


def safe(entry: registry.Entry) -> bool:
    """Whether pages may ask for this player: a program that takes nothing delicate but by name."""
    asks_much = any(
        delicate(a) and (a.default is arguments.REQUIRED or a.positional or a.rest)
        for a in entry.arguments
    )
    return not asks_much and entry.name != Person.text


def check(text: str, game: Game, limits: Limits, own: dict[str, str]) -> str:
    """The program, as it is written canonically. own: programs of the host's, which are trusted."""
    try:
        spec = PlayerSpec.parse(own.get(text, text))
        if spec.budget is None:
            spec = PlayerSpec(spec.name, spec.positional, spec.named, DEFAULT_BUDGET)
        if text not in own:
            _check_all(spec, limits)
        entry = registry.entry(spec.name)
        if entry.fits is not None and (misfit := entry.fits(game)):
            raise Refused(f'"{spec.name}" cannot play here: {misfit}')
        registry.read_arguments(entry, spec, game)
    except UsageError as error:
        raise Refused(str(error)) from None
    return str(spec)


def _members(value: Value) -> Iterator[PlayerSpec]:
    """The players in a player, itself first."""
    if isinstance(value, PlayerSpec):
        yield value
        for inner in _values(value):
            yield from _members(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _members(inner)


def _values(spec: PlayerSpec) -> tuple[Value, ...]:
    return (*spec.positional, *(value for _, value in spec.named))


def _check_all(spec: PlayerSpec, limits: Limits) -> None:
    members = list(_members(spec))
    if len(members) > MOST_MEMBERS:
        raise Refused(f"a program has at most {MOST_MEMBERS} programs in it")
    for one in members:
        _check_one(one, limits)


def _check_one(spec: PlayerSpec, limits: Limits) -> None:
    _check_name(spec.name)
    free = {a.name for a in registry.entry(spec.name).arguments if delicate(a)}
    for name, value in spec.named:
        if name in free:
            raise Refused(f"{name} cannot be set from a page")
        if name in MOST and isinstance(value, (int, float)) and value > MOST[name]:
            raise Refused(f"a program has {name}={MOST[name]} here at most")
    for value in _values(spec):
        for word in value if isinstance(value, tuple) else (value,):
            if isinstance(word, str):
                _check_word(word)
    if spec.budget is not None:
        check_budget(spec.budget, limits)


def _check_word(word: str) -> None:
    """A plain word is no file and no command; it may be a player, as `rave` in vote(rave, uct)."""
    if not _PLAIN.fullmatch(word):
        raise Refused(f'"{word[:40]}" cannot be asked for from a page: plain words only')
    if word in registry.known():
        _check_name(word)


def _check_name(name: str) -> None:
    if not safe(registry.entry(name)):
        raise Refused(f'"{name[:40]}" cannot be asked for from a page; a host may offer it')


def check_budget(budget: Budget, limits: Limits) -> None:
    """Refuse what would keep a thinker busy for too long."""
    if budget.milliseconds is not None and budget.milliseconds > 1000 * limits.thinking:
        raise Refused(f"a program thinks for at most {limits.thinking:g} s a move here")
    spent = budget.simulations or budget.nodes or 0
    if spent > limits.simulations:
        raise Refused(f"a program has at most {limits.simulations} simulations a move here")


def catalogue(game: Game) -> list[dict[str, Any]]:
    """Every player that pages may ask for on this game, with its arguments, for a form."""
    entries = [registry.entry(name) for name in registry.known()]
    return [
        {
            "name": entry.name,
            "help": entry.help,
            "arguments": [_described(a) for a in entry.arguments if not delicate(a)],
        }
        for entry in entries
        if safe(entry) and not (entry.fits and entry.fits(game))
    ]


def _described(argument: Argument) -> dict[str, Any]:
    kind, default = argument.kind, argument.default
    required = default is arguments.REQUIRED
    plain = isinstance(default, bool | int | float | str) and default == default
    finite = not isinstance(default, float) or abs(default) < 1e300
    return {
        "name": argument.name,
        "help": argument.help,
        "words": kind.words,
        "form": _form(argument),
        "choices": list(kind.choices),
        "required": required,
        "default": default if plain and finite and not required else None,
    }


def _form(argument: Argument) -> str:
    """What a page asks with."""
    kind = argument.kind
    if kind is arguments.flag:
        return "flag"
    if kind is arguments.seats:
        return "seats"
    if kind in _MEMBERS:
        return "players"
    return "choice" if kind.choices else "value"
