"""`manyminds serve`: Go in the browser, for people and programs."""

from __future__ import annotations

import os
from pathlib import Path

import click

from manyminds.apps import options
from manyminds.core.errors import MissingExtra, UsageError


def default_store() -> Path:
    """Where tables are kept if nothing is said."""
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "manyminds" / "tables.db"


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Where to listen. 0.0.0.0 lets others in: read docs/web.md first.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True,
              metavar="N", help="0 finds a free one.")  # fmt: skip
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.db",
              help="Where tables are kept. [~/.local/state/manyminds/tables.db]")  # fmt: skip
@click.option("--origin", "origins", multiple=True, metavar="URL",
              help="An address by which people reach it, such as https://go.example.org.")  # fmt: skip
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS",
              help="A reverse proxy that is trusted to say where requests come from.")  # fmt: skip
@click.option("--program", "programs", multiple=True, metavar="NAME=PLAYER",
              help="A program to offer beside the known ones; it may run commands.")  # fmt: skip
@click.option("--watch", "stores", multiple=True, metavar="STORE.db",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A campaign's store whose hunts of Pac-Man may be watched.")  # fmt: skip
@click.option("--hunts", type=click.IntRange(0, 64), metavar="N",
              help="Teams that hunt at once, a process each. [3]")  # fmt: skip
@click.option("--thinkers", type=click.IntRange(1, 256), default=2, show_default=True, metavar="N",
              help="Processes that think for programs.")  # fmt: skip
@click.option("--tables", type=click.IntRange(1), metavar="N",
              help="Games at once. [1000]")  # fmt: skip
@click.option("--sockets", type=click.IntRange(1), metavar="N",
              help="Pages at once. [2000]")  # fmt: skip
@click.option("--per-address", type=click.IntRange(1), metavar="N",
              help="Pages at once from one address, and tables an hour. [100]")  # fmt: skip
@options.quiet
def serve(
    host: str,
    port: int,
    store: Path | None,
    origins: tuple[str, ...],
    proxies: tuple[str, ...],
    programs: tuple[str, ...],
    stores: tuple[Path, ...],
    hunts: int | None,
    thinkers: int,
    tables: int | None,
    sockets: int | None,
    per_address: int | None,
    quiet: bool,
) -> None:
    """Go in the browser: two to six colours, people at their own pages, and programs; and teams that hunt.

    Only this machine is let in, unless --host says otherwise. Ctrl-C stops; games are kept and go on when
    the server is back.

    \b
    Example:
      manyminds serve
      manyminds serve --port 9000 --program "gnugo=gtp('gnugo --mode gtp --level 8')"
      manyminds serve --watch hunts.db
      manyminds serve --origin https://go.example.org --proxy 127.0.0.1
    """
    try:
        import starlette  # noqa: F401 - is it here?
        import uvicorn  # noqa: F401 - is it here?
        import websockets  # noqa: F401 - is it here?
    except ImportError:
        raise MissingExtra("web", "manyminds serve") from None
    from manyminds.apps.web.limits import Limits
    from manyminds.apps.web.listener import address_of, listen
    from manyminds.apps.web.listener import serve as run

    own = _own(programs)
    more = {"thinkers": thinkers, "tables": tables, "sockets": sockets, "hunts": hunts}
    limits = Limits(**{name: n for name, n in more.items() if n is not None})
    if per_address is not None:
        limits = limits.for_each_address(per_address)
    listening = listen(host, port)
    with listening:
        first = _get_ready(quiet)
        if not quiet:
            at, number = address_of(listening)
            shown = f"[{at}]" if ":" in at else at
            click.echo(f"Go boards at http://{shown}:{number} (Ctrl-C stops; games are kept)")
        watched = {path.stem[:40]: path.resolve() for path in stores}
        place = store or default_store()
        run(listening, host, place, limits, origins, proxies, own, watched, first)


def _own(programs: tuple[str, ...]) -> dict[str, str]:
    """The host's own programs by name, each checked."""
    from manyminds.players.spec import PlayerSpec

    own = {}
    for text in programs:
        name, equals, player = text.partition("=")
        if not equals or not name.strip() or not player.strip():
            raise UsageError(f'"{text[:60]}" is not NAME=PLAYER, such as "gnugo=gtp(\'gnugo\')"')
        own[name.strip()] = str(PlayerSpec.parse(player))
    return own


def _get_ready(quiet: bool) -> bool:
    """Compile the rules for every number of colours, so that no table waits for it; whether it was needed."""
    from manyminds.apps.compiling import Compiling
    from manyminds.games.go.colours import FEWEST, MOST
    from manyminds.games.go.game import go

    if not quiet:
        click.echo("Getting the rules ready (a minute when it is the first time) ...", err=True)
    with Compiling() as compiling:
        for colours in range(FEWEST, MOST + 1):
            game = go(size=5, colours=colours)
            state = game.start()
            game.play(state, int(game.moves(state)[0]))
            game.over(game.copy(state))
            game.points(state)
    return compiling.count > 0
