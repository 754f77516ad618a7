"""How a paper's games are played, whatever they are: what every part of a run is handed on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from manyminds.arena.progress import Show
from manyminds.arena.runner import Runner


@dataclass(frozen=True)
class How:
    """workers: local processes. runner, show: what makes others of them. command: as typed."""

    workers: int = 1
    runner: Callable[[], Runner] | None = None
    show: Callable[[], Show] | None = None
    command: str = ""
