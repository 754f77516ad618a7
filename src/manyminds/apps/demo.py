"""`manyminds demo`: three programs play three-colour Go while you watch."""

from __future__ import annotations

from typing import Any

import click

from manyminds.apps import options

PROGRAMS = {"black": "rave@2000", "white": "uct@2000", "red": "rave@500"}
HEADING = "Three programs play three-colour Go, {size}x{size}"


@click.command()
@click.option("--size", type=click.IntRange(5, 19), default=9, show_default=True, metavar="N",
              help="Points on a side of the board.")  # fmt: skip
@click.option("--black", default=PROGRAMS["black"], show_default=True, metavar="PLAYER",
              help="Who plays black.")  # fmt: skip
@click.option("--white", default=PROGRAMS["white"], show_default=True, metavar="PLAYER",
              help="Who plays white.")  # fmt: skip
@click.option("--red", default=PROGRAMS["red"], show_default=True, metavar="PLAYER",
              help="Who plays red.")  # fmt: skip
@click.option("--pace", type=click.FloatRange(0, 60), default=0.1, show_default=True,
              metavar="SECONDS", help="How long each move is on the screen at least.")  # fmt: skip
@options.seed
@options.quiet
@options.json
def demo(size: int, **choices: Any) -> int:
    """Three programs play three-colour Go, live in the terminal, with a closing table.

    The first run compiles for some seconds. To sit down yourself: manyminds play go --seat black=person.

    \b
    Example:
      manyminds demo
      manyminds demo --seed 7 --red uct@2000
    """
    from manyminds.apps.sitting import Sitting, sit
    from manyminds.games.registry import make_game

    sitters = tuple(choices.pop(colour) for colour in PROGRAMS)
    game = make_game("go", size=size, colours=len(sitters))
    return sit(Sitting(game, sitters, heading=HEADING.format(size=size), **choices))
