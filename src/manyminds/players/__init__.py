"""Who sits on a seat: the algorithms of the papers, voters, outside programs over GTP, people."""

from manyminds.players import (  # noqa: F401  (they register their players)
    coalitions,
    engine,
    outside,
    pacman,
    person,
    random,
    searching,
    vote,
)
from manyminds.players.player import Decision, Forfeit, Lineup, Player
from manyminds.players.registry import known, make_player, register
from manyminds.players.spec import PlayerSpec

__all__ = [
    "Decision",
    "Forfeit",
    "Lineup",
    "Player",
    "PlayerSpec",
    "known",
    "make_player",
    "register",
]
