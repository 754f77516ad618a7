"""Recorded games of the framework: played again under our rules, and compared field by field.

A record is JSON lines. The first says what was played:

    {"seed": 42, "rules": "full", "mazes": ["a.txt", "b.txt"], "state": {...}}

then a line for each tick: what the controllers answered, and the state after it, as far as it was kept.

    {"pacman": "LEFT", "ghosts": {"BLINKY": "UP", "SUE": "NEUTRAL"}, "reversed": false, "state": {...}}

`null` for Pac-Man or for a ghost, and a ghost that is left out, mean no answer: NEUTRAL. `null` for
`ghosts` means that the whole map was missing, and each ghost repeats its last move. Answers need not be
legal. `reversed` says that the framework turned the ghosts by chance, which it draws from a generator
without a seed; where no line says so, none were.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from manyminds.core.errors import UsageError, nearest
from manyminds.core.random import fraction
from manyminds.core.record import copy_of
from manyminds.core.unreadable import UNREADABLE
from manyminds.games.contract import Game, State
from manyminds.games.pacman.game import JAVA_SCRAMBLE, pacman
from manyminds.games.pacman.maze import NEUTRAL
from manyminds.games.pacman.rules import REVERSAL
from manyminds.games.pacman.state import GHOSTS, SEATS
from manyminds.games.pacman.tables import first_spots

WORDS = ("UP", "RIGHT", "DOWN", "LEFT", "NEUTRAL")
GHOST_WORDS = tuple(name.upper() for name in SEATS[1:])
MOST_BYTES = 200_000_000
_HEAD = ("seed", "rules", "mazes", "first", "state")
_TICK = ("pacman", "ghosts", "reversed", "state")


def fields_of(game: Game, state: State) -> dict[str, Any]:
    """A state in the framework's words: nodes counted from their own maze, pills by their numbers."""
    mazes: Any = game.mazes  # type: ignore[attr-defined] # every game of pacman has them
    maze, first = mazes[int(state.maze)], first_spots(mazes)[int(state.maze)]
    return {
        "maze": int(state.maze),
        "level": int(state.level),
        "time": int(state.time),
        "level_time": int(state.level_time),
        "score": int(state.score),
        "lives": int(state.lives),
        "over": bool(state.over),
        "extra_life": bool(state.extra_life),
        "multiplier": int(state.multiplier),
        "pacman": int(state.pacman) - first,
        "pacman_move": WORDS[int(state.pacman_move)],
        "ghosts": [int(spot) - first for spot in state.ghost],
        "ghost_moves": [WORDS[int(move)] for move in state.ghost_move],
        "edible": [int(ticks) for ticks in state.edible],
        "lair": [int(ticks) for ticks in state.lair],
        "pills": [n for n in range(maze.pills) if int(state.pills[n // 64]) >> n % 64 & 1],
        "power_pills": [n for n in range(maze.power_pills) if int(state.power) >> n & 1],
        "reversed": bool(state.reversed_),
    }


def play_recorded(file: str | Path) -> int:
    """Play a record; the ticks in which everything agreed. UsageError names the first field that differs."""
    path = Path(file)
    if path.stat().st_size > MOST_BYTES:
        raise UsageError(f"{path} is longer than {MOST_BYTES} bytes; cut the record into games")
    lines = [_read(path, n, line) for n, line in enumerate(path.read_bytes().splitlines(), 1)]
    if not lines:
        raise UsageError(f"{path} is empty; its first line says what was played")
    head, ticks = lines[0], lines[1:]
    game = _game(path, head)
    state = game.start(0)
    state.fallback = (int(head.get("seed", 0)) ^ JAVA_SCRAMBLE) & ((1 << 48) - 1)
    _compare(path, 0, game, state, head.get("state"))
    for number, tick in enumerate(ticks, 1):
        _known(path, number, tick, _TICK)
        play_tick(game, state, tick)
        _compare(path, number, game, state, tick.get("state"))
    return len(ticks)


def play_tick(game: Game, state: State, tick: Mapping[str, Any]) -> None:
    """One tick of a record, in place."""
    state.luck.word = turning_word() if tick.get("reversed") else 0
    game.play(state, list(wishes(state, tick)))
    state.luck.word = 0


def wishes(state: State, tick: Mapping[str, Any]) -> Iterator[int]:
    """The answers of a tick as the rules take them, by seat."""
    yield _direction(tick.get("pacman"))
    ghosts = tick.get("ghosts")
    for ghost in range(GHOSTS):
        if ghosts is None:
            yield int(state.ghost_move[ghost])
        else:
            yield _direction(ghosts.get(GHOST_WORDS[ghost]))


def turning_word() -> int:
    """A word of the generator whose next draw turns the ghosts."""
    return next(word for word in itertools.count(1) if _draw(word) < REVERSAL)


def _draw(word: int) -> float:
    from manyminds.core.random import RNG

    rng = RNG.new()
    rng.word = word
    return float(fraction(copy_of(rng)))


def _game(path: Path, head: Mapping[str, Any]) -> Game:
    _known(path, 0, head, _HEAD)
    mazes = head.get("mazes", [])
    files = [str(path.parent / name) for name in mazes] or int(head.get("first", 1))
    return pacman(files, rules=head.get("rules", "full"), reversals=False)


def _direction(word: Any) -> int:
    if word is None:
        return NEUTRAL
    if word not in WORDS:
        raise UsageError(f'"{str(word)[:20]}" is no move; {nearest(str(word)[:20], WORDS)}')
    return WORDS.index(word)


def _read(path: Path, number: int, line: bytes) -> Mapping[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except UNREADABLE as error:
        raise UsageError(f"{path}, line {number}: {error}") from None


def _known(path: Path, tick: int, given: Iterable[str], names: tuple[str, ...]) -> None:
    for name in given:
        if name not in names:
            raise UsageError(f'{path}, tick {tick}: unknown "{name[:40]}"; {nearest(name, names)}')


def _compare(path: Path, tick: int, game: Game, state: State, kept: Any) -> None:
    ours = fields_of(game, state)
    for name, theirs in (kept or {}).items():
        if name not in ours:
            raise UsageError(f'{path}, tick {tick}: no field "{name[:40]}"; {nearest(name, ours)}')
        if ours[name] != theirs:
            raise UsageError(f"{path}, tick {tick}: {name} is {ours[name]}, recorded as {theirs}")
