"""Paranoid: all others are taken for one coalition against the searcher (Cazenave 2008, 4.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from manyminds.games.contract import Game
from manyminds.players.arguments import Argument, choice
from manyminds.players.coalitions.assumption import Assumption, knows_coalitions
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS, TreesPlayer, first
from manyminds.players.player import Lineup
from manyminds.players.registry import register

PLAYOUTS, TREE, BOTH = "playouts", "tree", "both"


def assumption(game: Game, seat: int, where: str) -> Assumption:
    """The others spare each other's eyes in playouts, or minimise the searcher's reward in the tree.

    On a game without coalition playouts it is in the tree in any case.
    """
    others = tuple(o for o in range(game.seats) if game.team_of(o) != game.team_of(seat))
    return Assumption(
        coalitions=(others,) if len(others) > 1 else (),
        everywhere=False,
        hostile=where != PLAYOUTS or not knows_coalitions(game),
        in_playouts=where != TREE,
    )


def afraid(game: Game, seat: int, fear: float) -> Assumption:
    """More than the paper's paranoia: in playouts the searcher alone spares what it surrounds with others,
    and in the tree they want it to lose as much as `fear`. With none it is the paper's.
    """
    found = assumption(game, seat, PLAYOUTS)
    return replace(found, fear=fear, sparing=seat) if fear else found


def paranoid(where: str, **arguments: Any) -> TreesPlayer:
    def assume(game: Game, seat: int, lineup: Lineup) -> list[Assumption]:
        return [assumption(game, seat, where)]

    return TreesPlayer(assume, first, arguments)


register(
    "paranoid",
    paranoid,
    (
        Argument(
            "where",
            choice(PLAYOUTS, TREE, BOTH),
            PLAYOUTS,
            "others stand together in playouts (Cazenave's), in the tree (his suggestion), or in both",
        ),
        *SEARCH_ARGUMENTS,
    ),
    help="RAVE that takes all others for a coalition against it",
)
