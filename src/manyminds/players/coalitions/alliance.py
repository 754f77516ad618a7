"""Alliance: a coalition that is agreed before the game (Cazenave 2008, 4.5)."""

from __future__ import annotations

from typing import Any

from manyminds.core.errors import UsageError
from manyminds.games.contract import Game
from manyminds.players.arguments import Argument, choice, seats
from manyminds.players.coalitions.assumption import NORMAL, SCORINGS, Assumption
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS, TreesPlayer, first
from manyminds.players.player import Lineup
from manyminds.players.registry import register


def alliance(
    partners: tuple[int, ...], against: tuple[int, ...], scoring: str, **arguments: Any
) -> TreesPlayer:
    def assume(game: Game, seat: int, lineup: Lineup) -> list[Assumption]:
        members = tuple(sorted({seat, *partners}))
        if set(members) & set(against):
            raise UsageError("alliance: a seat is either with or against you, not both")
        found = (members, tuple(sorted(against)))
        return [Assumption(tuple(one for one in found if len(one) > 1), scoring)]

    return TreesPlayer(assume, first, arguments)


SCORING = Argument(
    "scoring", choice(*SCORINGS), NORMAL, "how playouts count for the coalition, where a game can"
)

register(
    "alliance",
    alliance,
    (
        Argument("with", seats, help="the partners' seats", positional=True, to="partners"),
        SCORING,
        Argument("against", seats, (), "seats that are assumed to stand together, too"),
        *SEARCH_ARGUMENTS,
    ),
    help="RAVE in a coalition with the seats it names",
)
