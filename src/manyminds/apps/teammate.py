"""`manyminds teammate`: one mate as a process of its own, on a real network, in real time."""

from __future__ import annotations

import math
import signal
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from manyminds.apps import options
from manyminds.core.errors import UsageError, nearest

if TYPE_CHECKING:
    from manyminds.games.contract import Game
    from manyminds.teams.network.post import Post
    from manyminds.teams.network.teammate import Teammate


@click.command()
@click.option("--game", metavar="NAME", help="The game of the match (manyminds list games).")
@click.option("--seat", metavar="NAME", help="The seat that this mate has.")
@click.option("--mate", metavar="MATE", help="What it is: roots@40ms, tree-cuts@440 ...")
@click.option("--listen", metavar="ADDRESS", default="127.0.0.1:0", show_default=True,
              help="Where others reach it: HOST:PORT. Beyond this machine only with a key.")  # fmt: skip
@click.option("--to", "peers", multiple=True, metavar="SEAT=ADDRESS",
              help="Where a mate listens; once for each of the others.")  # fmt: skip
@click.option("--over", default="udp", show_default=True, metavar="NETWORK",
              help="udp, or zenoh, which robots speak.")  # fmt: skip
@click.option("--key", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The team's key: only who has it is believed.")  # fmt: skip
@click.option("--rate", type=click.FloatRange(1), metavar="BYTES",
              help="A second to each mate, at most.")  # fmt: skip
@click.option("--through", metavar="CHANNEL",
              help="A worse line to try: virtual(rate=4000, loss=0.3), in this process.")  # fmt: skip
@click.option("--matches", type=click.IntRange(1), default=1, show_default=True, metavar="N",
              help="End after so many.")  # fmt: skip
@click.option("--patience", type=click.FloatRange(1, 10**7), default=60.0, show_default=True,
              metavar="SECONDS", help="Give up when nothing is heard of a match for so long.")  # fmt: skip
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write down all that happens to it.")  # fmt: skip
@click.option("--replay", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              metavar="FILE", help="Let what was recorded happen again, and say what differs.")  # fmt: skip
@options.seed
@options.quiet
@options.json
def teammate(
    replay: Path | None,
    game: str | None,
    seat: str | None,
    mate: str | None,
    quiet: bool,
    as_json: bool,
    **where: Any,
) -> int:
    """Run one mate of a team as a process of its own; it talks to the others over a real network.

    The match is played elsewhere, by `manyminds play` with remote(ADDRESS)@40ms on the seat; it tells
    where play stands, and a tick later takes the move. Mates may come, go and come back.

    \b
    Example:
      manyminds teammate --game hunt --seat wolf --mate roots@40ms --listen 127.0.0.1:7001 \\
          --to fox=127.0.0.1:7002
      manyminds teammate --game hunt --seat fox --mate roots@40ms --listen 127.0.0.1:7002 \\
          --to wolf=127.0.0.1:7001
      manyminds play hunt --seat 'wolf=remote("127.0.0.1:7001")@40ms' \\
          --seat 'fox=remote("127.0.0.1:7002")@40ms'
    """
    if replay is not None:
        return _replay(replay, as_json)
    for name, value in (("game", game), ("seat", seat), ("mate", mate)):
        if not value:
            raise UsageError(f"say which {name}: --{name} NAME (manyminds teammate --help)")
    quiet = quiet or as_json
    member = _member(str(game), str(seat), str(mate), quiet, where)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        if not quiet:
            click.echo(f"{seat} listens at {member.post.transport.address}")
        work = member.serve(where["matches"])
    finally:
        member.close()
    _report({"seat": seat, **asdict(work)}, as_json, quiet)
    return 0


def _member(game: str, seat: str, mate: str, quiet: bool, where: dict[str, Any]) -> Teammate:
    """The teammate that was asked for, its network open."""
    from manyminds.apps.named_game import registered
    from manyminds.games.registry import make_game
    from manyminds.teams.network.teammate import Teammate

    made = make_game(registered(game))
    own = _seat(made, seat)
    peers = _peers(made, own, where["peers"])
    post = _post(made, own, peers, where)
    try:
        return Teammate(
            made.title,
            seat,
            mate,
            post,
            lambda: _line(post, own, tuple(peers), where),
            patience=where["patience"],
            diary=None if where["record"] is None else str(where["record"]),
            tell=(lambda text: None) if quiet else click.echo,
        )
    except BaseException:
        post.close()
        raise


def _seat(game: Game, name: str) -> int:
    if name not in game.seat_names:
        raise UsageError(
            f'{game.title} has no seat "{name[:40]}"; {nearest(name[:40], game.seat_names)}'
        )
    return game.seat_names.index(name)


def _peers(game: Game, own: int, typed: tuple[str, ...]) -> dict[int, str]:
    peers: dict[int, str] = {}
    for entry in typed:
        name, equals, address = entry.partition("=")
        if not equals or not address:
            raise UsageError(f'"{entry[:60]}" is not SEAT=ADDRESS, such as fox=127.0.0.1:7002')
        seat = _seat(game, name)
        if seat == own or game.team_of(seat) != game.team_of(own):
            raise UsageError(f"{name} is no mate of {game.seat_names[own]}")
        peers[seat] = address
    return peers


def _post(game: Game, own: int, peers: dict[int, str], where: dict[str, Any]) -> Post:
    from manyminds.teams.network.envelope import WORLD, Seal, read_key
    from manyminds.teams.network.post import Post
    from manyminds.teams.network.transport import open_transport

    seal = Seal(read_key(where["key"]))
    names = game.seat_names
    transport = open_transport(where["over"], names[own], where["listen"], seal.has_key)
    try:
        known = {seat: transport.peer(names[seat], address) for seat, address in peers.items()}
        return Post(transport, seal, own, {WORLD: transport.peer("world", None), **known})
    except BaseException:
        transport.close()
        raise


def _line(post: Post, own: int, mates: tuple[int, ...], where: dict[str, Any]) -> Any:
    from manyminds.teams.channel import make_channel
    from manyminds.teams.network.post import Line
    from manyminds.teams.network.shim import Shim

    line = Line(post, mates, where["rate"] or math.inf)
    if where["through"] is None:
        return line
    return Shim(line, make_channel(where["through"]), own, mates, where["seed"])


def _replay(path: Path, as_json: bool) -> int:
    from manyminds.teams.network.diary import replay

    done = replay(path)
    _report(asdict(done), as_json, quiet=False)
    return 1 if done.different else 0


def _report(values: dict[str, Any], as_json: bool, quiet: bool) -> None:
    import msgspec

    if as_json:
        click.echo(msgspec.json.encode(values).decode())
    elif not quiet:
        for name, value in values.items():
            click.echo(f"{name:12} {value}")


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt
