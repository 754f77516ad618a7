"""`manyminds gtp`: a player of ours at the other end of GTP 2."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from manyminds.apps import options

if TYPE_CHECKING:
    from manyminds.players.spec import PlayerSpec

DEFAULT_PLAYER = "rave"


@click.command()
@click.option("--player", metavar="SPEC",
              help=f"Who plays: rave@2s, uct@10000 ... [{DEFAULT_PLAYER}]")  # fmt: skip
@click.option("--database", metavar="NAME-OR-FILE", help="The agent database of its playouts.")
@click.option("--threads", type=click.IntRange(1, 256), metavar="N", help="Threads of a decision.")
@options.seed
@options.quiet
def gtp(
    player: str | None, database: str | None, threads: int | None, seed: int, quiet: bool
) -> int:
    """Speak GTP 2 on standard input and output: for Sabaki, GoGui, KGS, twogtp and the like.

    \b
    Example:
      manyminds gtp
      manyminds gtp --player rave@2s
      manyminds gtp --database table1 --threads 2
    """
    from manyminds.apps.gtp import more, standard  # noqa: F401  (they register their commands)
    from manyminds.apps.gtp.lines import Lines
    from manyminds.apps.gtp.session import Session

    spec = chosen(player, database, threads)
    # What libraries print must not come between the answers: standard output is the protocol's alone.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)

    def write(text: str) -> None:
        out.write(text)
        out.flush()

    session = Session(spec, Lines(0), write, seed=seed)
    session.thinker.warm_up()
    if not quiet and sys.stdin.isatty():
        click.echo('GTP 2: type "list_commands", or "quit"', err=True)
    try:
        session.run()
    except BrokenPipeError:
        pass  # nobody listens any more
    if session.thinker.warming:
        os._exit(0)  # compiling cannot be stopped, and nobody wants what it makes
    return 0


def chosen(player: str | None, database: str | None, threads: int | None) -> PlayerSpec:
    """The player that these options mean."""
    from manyminds.core.errors import UsageError
    from manyminds.players.spec import PlayerSpec

    default = DEFAULT_PLAYER if database is None else "go"
    spec = PlayerSpec.parse(player or default)
    more = {"database": database, "threads": threads}
    named = dict(spec.named) | {key: value for key, value in more.items() if value is not None}
    for key, value in more.items():
        if value is not None and key in dict(spec.named):
            raise UsageError(f"--{key} and the player's own {key} say the same: give one of them")
    return PlayerSpec(spec.name, spec.positional, tuple(named.items()), spec.budget)
