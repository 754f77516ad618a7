"""Players of Ms Pac-Man: those of the framework, and two that look ahead for a way that no ghost can cut."""

from __future__ import annotations

from typing import Any

from manyminds.players.arguments import Argument, number, whole
from manyminds.players.registry import register

_HERE = "manyminds.players.pacman"


def _fits(game: Any) -> str:
    return "" if getattr(game, "title", "") == "pacman" else "it knows mazes only; it plays pacman"


def _register(
    name: str,
    factory: str,
    arguments: tuple[Argument, ...],
    line: str,
    seats: tuple[str, ...] = (),
) -> None:
    register(name, f"{_HERE}.{factory}", arguments, line, _fits, seats)


_PACMAN, _GHOSTS = ("pacman",), ("blinky", "pinky", "inky", "sue")

_register(
    "nearest-pill",
    "pacmen:NearestPill",
    (),
    "Pac-Man: to the nearest pill, whoever waits there",
    _PACMAN,
)
_register(
    "starter",
    "starter:Starter",
    (
        Argument("near", whole(1, 1000), 20, "steps at which Pac-Man flees from a ghost"),
        Argument("steady", number(0, 1), 0.9, "how often a ghost goes straight for him"),
    ),
    "Pac-Man or ghosts as in the framework's example: flee or eat; hunt, now and then at random",
)
_register(
    "safe-path",
    "safe_path:SafePath",
    (Argument("ticks", whole(1, 250), 70, "that he looks ahead", positional=True),),
    "Pac-Man: a way on which no ghost can be, whatever they do; the nearest pill on it",
    _PACMAN,
)
_register(
    "deepening",
    "deepening:Deepening",
    (
        Argument("first", whole(1, 1000), 70, "ticks that the deepest search must reach"),
        Argument("more", whole(1, 1000), 20, "ticks by which it deepens, to the nearest pill"),
    ),
    "Pac-Man: AND/OR search for a way out of whatever the ghosts do, deeper and deeper",
    _PACMAN,
)
_register(
    "aggressive",
    "ghosts:Aggressive",
    (),
    "ghosts: each takes the shortest way to Pac-Man",
    _GHOSTS,
)
_register(
    "legacy",
    "ghosts:Legacy",
    (),
    "ghosts: one by the way, one as the crow flies, one by rows and columns, one at random",
    _GHOSTS,
)
