"""`manyminds list`: what there is, one line each."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from manyminds.apps import options
from manyminds.core.errors import UsageError, nearest

# What can be listed: where the function is that gives every name with its one line.
KINDS = {
    "games": "manyminds.games.registry:known_games",
    "players": "manyminds.teams:known_players",  # mates are players too
    "heuristics": "manyminds.games.agents:known_heuristics",
    "databases": "manyminds.games.agents:known_databases",
    "channels": "manyminds.teams:known_channels",
    "campaigns": "manyminds.papers:known_campaigns",
    "learners": "manyminds.arena.learning:known_learners",
    "papers": "manyminds.papers:known_papers",
}


@click.command(name="list")
@click.argument("what", required=False, metavar=f"[{'|'.join(KINDS)}]")
@options.json
def listing(what: str | None, as_json: bool) -> None:
    """What there is, with one line each.

    \b
    Example:
      manyminds list games
      manyminds list campaigns
      manyminds list players --json
    """
    if what not in KINDS:
        wrong = "say what to list" if what is None else f'"{what[:40]}" cannot be listed'
        raise UsageError(f"{wrong}; {nearest(what or '', KINDS)}")
    module, _, name = KINDS[what].partition(":")
    known: dict[str, str] = getattr(import_module(module), name)()
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode({what: _data(known)}))
        return
    width = max(map(len, known), default=0)
    for each, line in known.items():
        click.echo(f"{each:<{width}}  {line}")


def _data(known: dict[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "help": line} for name, line in known.items()]
