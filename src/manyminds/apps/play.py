"""`manyminds play`: one match at the terminal, of programs and people, on any game."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from manyminds.apps import options
from manyminds.core.errors import UsageError, nearest

if TYPE_CHECKING:
    from manyminds.games.contract import Game

DEFAULT_PLAYER, DEFAULT_BUDGET = "rave", "1000"


class GameCommand(click.Command):
    """A command that hands on to the game, `game_arguments`, what options are not its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the game's arguments out; what is left is the command's."""
        from manyminds.apps.game_arguments import split

        mine, ctx.meta["game_arguments"] = split(args, self.own_options(ctx))
        words = [word for word in mine if not word.startswith("-")]
        ctx.meta["game"] = words[0] if words else ""
        return super().parse_args(ctx, mine)

    def own_options(self, ctx: click.Context) -> dict[str, bool]:
        """This command's options, and whether a value follows each."""
        return {
            word: not (isinstance(option, click.Option) and option.is_flag)
            for option in self.get_params(ctx)
            if isinstance(option, click.Option)
            for word in option.opts
        }

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Behind the command's options, those of the game that was named."""
        super().format_options(ctx, formatter)
        from manyminds.apps.named_game import is_file, parameters, registered
        from manyminds.games.registry import known_games

        game = ctx.meta.get("game", "")
        if is_file(game) or registered(game) not in known_games():
            return
        rows = [(f"--{name.replace('_', '-')}", text) for name, text in parameters(game).items()]
        if rows:
            with formatter.section(f"Options of {registered(game)}"):
                formatter.write_dl(rows)


@click.command(cls=GameCommand)
@click.argument("game", required=False)
@click.option("--seat", "seats", multiple=True, metavar="NAME=PLAYER",
              help="Who sits on a seat: person, random, rave@1000 ... (manyminds list players).")  # fmt: skip
@click.option("--team", "teams", multiple=True, metavar="NAME=PLAYER",
              help="The same for each seat of a team.")  # fmt: skip
@click.option("--budget", metavar="BUDGET",
              help="Of players that name none: 1000 (simulations), 200ms, 5000nodes. [1000]")  # fmt: skip
@click.option("--deadline", type=click.FloatRange(0, 10**7, min_open=True), metavar="SECONDS",
              help="A program that answers later forfeits.")  # fmt: skip
@click.option("--moves", type=click.IntRange(1), metavar="N",
              help="End the match after so many moves.")  # fmt: skip
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Keep the match: SGF for Go, text for other games.")  # fmt: skip
@options.seed
@options.quiet
@options.json
@click.pass_context
def play(
    ctx: click.Context,
    /,
    game: str | None,
    seats: tuple[str, ...],
    teams: tuple[str, ...],
    budget: str | None,
    **choices: Any,
) -> int:
    """Play a match of GAME at the terminal; programs tell what they think.

    GAME is one of `manyminds list games`, or a file of yours with a Game in it: mine.py, or mine.py:name
    where it has several. Options that are not listed here are the game's: manyminds play GAME --help
    lists them. Who is not named is played by rave@1000.

    \b
    Example:
      manyminds play go --size 9 --seat black=person --seat white=rave@1000
      manyminds play go --seat red=uct@200ms --komi 0,6.5,7 --save game.sgf
      manyminds play nim --heaps 3,4,5 --seat first=person
    """
    from manyminds.apps.game_arguments import check
    from manyminds.apps.named_game import is_file, make_named, parameters, spelled
    from manyminds.core.budget import Budget

    if game is None:
        raise UsageError("say which game: manyminds play go (manyminds list games has them all)")
    game, within = spelled(game)
    given = within | ctx.meta["game_arguments"]
    named = _named((*seats, *teams))
    if not is_file(game):
        check(game, given, parameters(game), [*play.own_options(ctx)])
    made = make_named(game, given, named)
    if budget is not None:
        Budget.parse(budget)

    from manyminds.apps.sitting import Sitting, sit

    sitters = _all_seats(made, named, _default(made, budget or DEFAULT_BUDGET))
    return sit(Sitting(made, sitters, budget=budget, heading=_heading(made), **choices))


def _named(entries: Iterable[str]) -> dict[str, str]:
    """Players as typed, by the seat or team they were typed for."""
    named: dict[str, str] = {}
    for entry in entries:
        name, equals, player = entry.partition("=")
        if not equals or not name or not player:
            raise UsageError(
                f'"{entry[:40]}" does not say who sits where: --seat NAME=PLAYER, such as --seat black=person'
            )
        if name in named:
            raise UsageError(f"{name[:40]} was given a player twice; give one")
        named[name] = player
    return named


def _all_seats(game: Game, named: dict[str, str], default: str) -> tuple[str, ...]:
    """A player for every seat: those named by seat or team, and the default on the others."""
    sitters: dict[int, str] = {}
    for name, player in named.items():
        for seat in _seats_of(game, name):
            if seat in sitters:
                raise UsageError(f"{game.seat_names[seat]} was given a player twice; give one")
            sitters[seat] = player
    return tuple(sitters.get(seat, default) for seat in range(game.seats))


def _seats_of(game: Game, name: str) -> tuple[int, ...]:
    if name in game.seat_names:
        return (game.seat_names.index(name),)
    if name in game.team_names:
        return game.teams[game.team_names.index(name)]
    known = {*game.seat_names, *game.team_names}
    raise UsageError(f'{game.title} has no seat or team "{name[:40]}"; {nearest(name[:40], known)}')


def _default(game: Game, budget: str) -> str:
    """Who plays where nobody is named: rave, or random where that cannot play."""
    from manyminds.players.registry import entry

    fits = entry(DEFAULT_PLAYER).fits
    return "random" if fits is not None and fits(game) else f"{DEFAULT_PLAYER}@{budget}"


def _heading(game: Game) -> str:
    """ "go: size 9, colours 3, superko"."""
    given = {name: value for name, value in game.arguments.items() if value not in (None, False)}
    words = [name if value is True else f"{name} {_plain(value)}" for name, value in given.items()]
    return f"{game.title}: {', '.join(words)}" if words else game.title


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
