"""One match at the terminal: shown while it goes on, told when it has ended, kept where asked."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from manyminds.apps.closing import document, show_closing
from manyminds.apps.keyboard import Keyboard
from manyminds.apps.look import Look, look_of
from manyminds.apps.saving import check_file, save, unfinished
from manyminds.apps.scene import Scene
from manyminds.apps.stage import Stage
from manyminds.apps.terminal import console_on, stoppable
from manyminds.apps.transcript import Transcript
from manyminds.arena import match as arena
from manyminds.arena.seating import seat_players
from manyminds.core.errors import UsageError
from manyminds.games.contract import Game
from manyminds.players.person import Person
from manyminds.players.spec import PlayerSpec

FAILED = 1
_RESIGNED = "resigned"


@dataclass(frozen=True)
class Sitting:
    """A match to be played here. `sitters`: a player as typed for every seat, in their order."""

    game: Game
    sitters: tuple[str, ...]
    seed: int = 0
    budget: str | None = None
    deadline: float | None = None
    moves: int | None = None
    save: Path | None = None
    quiet: bool = False
    as_json: bool = False
    pace: float = 0.0
    heading: str = ""

    @property
    def with_person(self) -> bool:
        """Whether somebody sits at this terminal."""
        return any(is_person(sitter) for sitter in self.sitters)


def is_person(sitter: str) -> bool:
    """Whether this is the player `person`."""
    return PlayerSpec.parse(sitter).name == Person.text


def sit(sitting: Sitting) -> int:
    """Play it; the exit status: 0 when it went well, which resigning is and failing players are not."""
    _check(sitting)
    game = sitting.game
    console = console_on(sys.stderr if sitting.as_json else sys.stdout)
    look = look_of(game, console.encoding)
    scene = Scene(game, [str(PlayerSpec.parse(each)) for each in sitting.sitters], sitting.seed)
    show = _show(sitting, console, look, scene)
    keyboard = Keyboard(console, look, scene, getattr(show, "pause", lambda: None))
    players: list[Any] = [
        Person(keyboard.ask, keyboard.tell, keyboard.show) if is_person(each) else each
        for each in sitting.sitters
    ]
    try:
        with stoppable(), show:
            match = arena.play(
                game,
                players,
                sitting.seed,
                budget=sitting.budget,
                deadline=sitting.deadline,
                move_limit=sitting.moves,
                on_move=getattr(show, "take", scene.take),
            )
    except (KeyboardInterrupt, SystemExit):
        _interrupted(sitting, scene)
        raise
    return _ended(sitting, match, scene, console, look)


def _check(sitting: Sitting) -> None:
    """Say what is typed wrong before anything is drawn or begun."""
    seat_players(sitting.game, list(sitting.sitters))
    if sitting.deadline is not None and sitting.with_person:
        raise UsageError(
            "--deadline would end a person's match too: leave it out, and give programs a budget "
            "in time, such as rave@2s"
        )
    if sitting.save is not None:
        check_file(sitting.save, sitting.game)


def _show(
    sitting: Sitting, console: Console, look: Look, scene: Scene
) -> AbstractContextManager[Any]:
    """What suits: nothing, a picture drawn in place, or lines."""
    if sitting.quiet:
        return nullcontext()
    if console.is_terminal and not sitting.with_person:
        return Stage(console, look, scene, sitting.heading, sitting.pace)
    return Transcript(console, look, scene, sitting.heading, console_on(sys.stderr))


def _interrupted(sitting: Sitting, scene: Scene) -> None:
    """Keep what there is, and say so."""
    text = f"interrupted after {len(scene.turns)} moves"
    if sitting.save is not None and scene.turns:
        save(unfinished(scene), sitting.save)
        text += f", which are saved in {sitting.save}"
    newline = "\n" if sitting.with_person else ""  # the prompt's line was left in its middle
    click.echo(f"{newline}manyminds: {text}", err=True)


def _ended(sitting: Sitting, match: arena.Match, scene: Scene, console: Console, look: Look) -> int:
    if sitting.save is not None:
        save(match, sitting.save)
    saved = None if sitting.save is None else str(sitting.save)
    if sitting.as_json:
        click.echo(msgspec.json.encode(document(match, scene, saved)))
    else:
        show_closing(console, match, scene, look, saved)
    return FAILED if any(reason != _RESIGNED for _, reason in match.forfeits) else 0
