"""A match kept in a file, also one that was interrupted."""

from __future__ import annotations

import os
from pathlib import Path

from manyminds.apps.scene import Scene
from manyminds.arena.match import Match
from manyminds.core.errors import Failure, UsageError
from manyminds.games.contract import Game


def check_file(file: Path, game: Game) -> None:
    """Refuse before the match what could not be written after it."""
    if file.suffix.lower() == ".sgf" and game.title != "go":
        raise UsageError(f"SGF keeps games of Go; save {game.title} as text: --save FILE.txt")
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise UsageError(f"{file} cannot be written; --save a file in a folder of yours")


def save(match: Match, file: Path) -> None:
    """Write the match's record: SGF for Go, plain text for other games."""
    try:
        file.write_text(match.record, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}") from error


def unfinished(scene: Scene) -> Match:
    """The match as far as it went, with the points of its last position."""
    game = scene.game
    points = (float(count) for count in game.points(scene.state))
    return Match(
        game=game.title,
        arguments=dict(game.arguments),
        settings={},
        seats=game.seat_names,
        lineup=scene.lineup,
        seed=scene.seed,
        joint_moves=tuple(turn.joint for turn in scene.turns),
        names=tuple(turn.name for turn in scene.turns),
        ending="interrupted",
        points=dict(zip(game.seat_names, points, strict=True)),
        rewards=tuple(float(reward) for reward in game.rewards(scene.state)),
        seconds=tuple(scene.seconds),
    )
