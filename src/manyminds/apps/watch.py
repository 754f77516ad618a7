"""`manyminds watch`: a game of a campaign's store in the terminal, or a server's page in the browser."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from manyminds.apps import options
from manyminds.core.errors import Failure, UsageError

if TYPE_CHECKING:
    from manyminds.arena.match import Match, Turn
    from manyminds.games.contract import Game


@click.command()
@click.argument("what", metavar="STORE-OR-ADDRESS")
@click.option("--game", "number", type=click.IntRange(min=0), metavar="N",
              help="Which game, as `campaign export` numbers them. [the last]")  # fmt: skip
@click.option("--pace", type=click.FloatRange(0, 60), default=0.3, show_default=True,
              metavar="SECONDS", help="How long each move is on the screen at least.")  # fmt: skip
@options.quiet
@options.json
def watch(what: str, number: int | None, pace: float, quiet: bool, as_json: bool) -> None:
    """Watch a game that a campaign has played, move by move; also while the campaign runs.

    A store has the moves, and what players said and believed. An ADDRESS is one that `manyminds serve`
    prints, or the link of a table or a hunt there: it opens in your browser, where games are seen live.

    \b
    Example:
      manyminds watch go.db
      manyminds watch go.db --game 17 --pace 1
      manyminds watch http://127.0.0.1:8080
    """
    if "://" in what:
        if number is not None or as_json:
            raise UsageError("--game and --json are for a store; an address opens in the browser")
        _open(what)
        return
    match = _match(Path(what), number)
    _show(match, Path(what), pace, quiet, as_json)


def _open(address: str) -> None:
    """Show a server's page in the browser that the person uses."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            f"{address[:80]} is no address of a page: it begins with http:// or https://, as "
            "`manyminds serve` prints it"
        )
    if not webbrowser.open(address):
        raise Failure(f"no browser could be opened here: open {address} in one")


def _match(store: Path, number: int | None) -> Match:
    """The match of this number in a store, with all that its campaign imports imported."""
    from manyminds.arena.files import import_files
    from manyminds.arena.store import Store

    if not store.is_file():
        raise UsageError(
            f"there is no store {store}: give a campaign's file, such as go.db, or an http:// address"
        )
    with Store.read(store) as opened:
        done = opened.done()
        if not done:
            raise Failure(f"{store} has no finished game yet: watch it again in a while")
        chosen = max(done) if number is None else number
        kept = opened.result(chosen)
        if kept is None:
            raise UsageError(
                f"{store} has no finished game {chosen}; its numbers: `manyminds campaign export "
                f"{store} games.csv`"
            )
        import_files(opened.files())
        return kept.match()


def _show(match: Match, store: Path, pace: float, quiet: bool, as_json: bool) -> None:
    from contextlib import nullcontext

    from manyminds.apps.closing import document, show_closing
    from manyminds.apps.look import look_of
    from manyminds.apps.scene import Scene
    from manyminds.apps.stage import Stage
    from manyminds.apps.terminal import console_on, stoppable
    from manyminds.apps.transcript import Transcript
    from manyminds.games.registry import make_game

    game = make_game(match.game, **match.arguments)
    console = console_on(sys.stderr if as_json else sys.stdout)
    look = look_of(game, console.encoding)
    scene = Scene(game, match.lineup, match.seed)
    heading = f"{store.name}: {', '.join(match.lineup)}; seed {match.seed}"
    show: Stage | Transcript | None = None
    if not quiet:
        on_terminal = console.is_terminal
        show = (
            Stage(console, look, scene, heading, pace)
            if on_terminal
            else Transcript(console, look, scene, heading, console_on(sys.stderr))
        )
    with stoppable(), show or nullcontext():
        for turn in turns_of(game, match):
            (show or scene).take(turn)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(document(match, scene, None)))
    else:
        show_closing(console, match, scene, look, None)


def turns_of(game: Game, match: Match) -> Iterator[Turn]:
    """The turns of a kept match as they were told while it was played, as far as a store keeps them."""
    from manyminds.arena.course import Turn
    from manyminds.arena.match import replay
    from manyminds.games.contract import NONE
    from manyminds.players.player import Decision

    said = {(each.turn, each.seat): each.text for each in match.remarks}
    believed = {(each.turn, each.seat): each.shares for each in match.beliefs}
    positions = replay(game, match)
    before = next(positions)
    for number, (joint, state) in enumerate(zip(match.joint_moves, positions, strict=True)):
        movers = [seat for seat in game.movers(before) if joint[seat] != NONE]
        decisions = {
            seat: Decision(
                move=joint[seat],
                remark=said.get((number, seat), ""),
                beliefs=believed.get((number, seat), {}),
            )
            for seat in movers
        }
        yield Turn(
            number, game, state, joint, match.names[number], decisions, dict.fromkeys(movers, 0.0)
        )
        before = state
