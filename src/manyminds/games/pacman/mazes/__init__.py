"""The four mazes that come with the game, as drawings, and mazes from people's own files."""

from __future__ import annotations

import functools
from importlib import resources
from pathlib import Path

from manyminds.core.errors import UsageError
from manyminds.games.pacman.drawing import read_drawing
from manyminds.games.pacman.framework_files import is_framework_file, read_framework_file
from manyminds.games.pacman.maze import Maze

NAMES = ("orchard", "harbour", "terraces", "cloister")  # in the order of the levels
MOST_BYTES = 1_000_000


@functools.cache
def shipped_mazes() -> tuple[Maze, ...]:
    """Our own four."""
    return tuple(
        read_drawing(resources.files(__name__).joinpath(f"{name}.txt").read_text("utf-8"), name)
        for name in NAMES
    )


def read_maze(file: str | Path) -> Maze:
    """A maze from a file: a drawing, or one of the framework's."""
    path = Path(file)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path} is too large for a maze")
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as a maze: {error}") from error
    return read_framework_file(text) if is_framework_file(text) else read_drawing(text, path.stem)
