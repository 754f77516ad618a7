"""Heuristics by name. The registry is open: anybody's heuristic registers the way ours do.

    @mm.heuristic("near-last")
    def near_last(board, out): ...

A heuristic is a kernel `(state, out) -> n`: it writes n candidate moves for the seat that is to move to
`out`, of which a playout draws one, or declines with 0. It reads the state and nothing else, so that any
order of heuristics makes sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from numba.core.dispatcher import Dispatcher

from manyminds.core.errors import UsageError, nearest
from manyminds.core.kernel import kernel
from manyminds.games.defaults import arity

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}", re.ASCII)


@dataclass(frozen=True)
class Heuristic:
    """A rule that proposes playout moves of a game or declines; `kernel` is its compiled function."""

    name: str
    game: str
    kernel: Any
    help: str = ""

    @property
    def title(self) -> str:
        """What reports call it."""
        return self.name


_known: dict[tuple[str, str], Heuristic] = {}

# Whose heuristics are registered when their module is imported: game: module.
HOMES = {"go": "manyminds.games.go.agents"}


def register_heuristic(name: str, function: Any, game: str = "go", help: str = "") -> Heuristic:  # noqa: A002 - as in `register`
    """Make a kernel known as a heuristic of a game.

    Who loads a file again gets the newer function; a name of ours stays ours.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f'a heuristic is named with a letter, then letters, digits, ".", "_" and "-", not "{name[:40]}"'
        )
    plain = getattr(function, "py_func", function)
    if not callable(plain) or arity(plain) != 2:
        raise UsageError(
            f"heuristic {name}: write a function of two arguments, (board, out), that returns how many "
            "candidates it has written to out"
        )
    before = _known.get((game, name))
    if before is not None and _is_ours(before) and not _is_ours_function(plain):
        raise UsageError(f"{game} has a heuristic {name} of its own; choose another name")
    # `kernel`, not `bare_kernel`: somebody's heuristic may make arrays.
    compiled = function if isinstance(function, Dispatcher) else kernel(function)
    found = Heuristic(name, game, compiled, help or _first_line(plain))
    _known[game, name] = found
    return found


def heuristic(
    name: str,
    game: str = "go",
    help: str = "",  # noqa: A002 - as in `register`
) -> Callable[[Callable[..., Any]], Heuristic]:
    """Make the function below a heuristic of this name: `@mm.heuristic("near-last")`."""

    def register(function: Callable[..., Any]) -> Heuristic:
        return register_heuristic(name, function, game, help)

    return register


def heuristic_named(name: str, game: str = "go") -> Heuristic:
    """The heuristic of that name; an error names the nearest known one."""
    known = heuristics_of(game)
    if name not in known:
        raise UsageError(
            f'there is no heuristic "{name[:40]}" for {game}; {nearest(name[:40], known)}. '
            'One of your own is named in files = ["mine.py"]'
        )
    return known[name]


def heuristics_of(game: str) -> dict[str, Heuristic]:
    """A game's heuristics by name, in the order in which they were registered."""
    if game in HOMES:
        import_module(HOMES[game])
    return {name: found for (title, name), found in _known.items() if title == game}


def known_heuristics() -> dict[str, str]:
    """Every heuristic with its one line, for `manyminds list heuristics`."""
    for home in HOMES.values():
        import_module(home)
    several = len({game for game, _ in _known}) > 1
    return {
        name if game == "go" or not several else f"{game}: {name}": found.help
        for (game, name), found in _known.items()
    }


def _is_ours(found: Heuristic) -> bool:
    return _is_ours_function(getattr(found.kernel, "py_func", found.kernel))


def _is_ours_function(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).startswith("manyminds.games.")


def _first_line(function: Any) -> str:
    lines = (function.__doc__ or "").strip().splitlines()
    return lines[0].strip() if lines else ""
