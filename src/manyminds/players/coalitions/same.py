"""Same: as Confident, but among those only who are the same, whom the line-up names.

Cazenave 2008, 4.6: "it assumes that it knows who are the other Same algorithms".
"""

from __future__ import annotations

from typing import Any

from manyminds.core.errors import UsageError
from manyminds.games.contract import Game
from manyminds.players.coalitions.alliance import SCORING
from manyminds.players.coalitions.assumption import Assumption
from manyminds.players.coalitions.confident import MOST, coalitions_with
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS, TreesPlayer, best
from manyminds.players.player import Lineup
from manyminds.players.registry import register
from manyminds.players.spec import PlayerSpec

NAME = "same"


def sames(lineup: Lineup) -> list[int]:
    """The seats of all players of this name, whatever their arguments and budgets."""
    found = []
    for seat, text in enumerate(lineup.specs):
        try:
            name = PlayerSpec.parse(text).name
        except UsageError:  # a player's object, which has no text that could be typed
            continue
        if name == NAME:
            found.append(seat)
    return found


def same(scoring: str, most: int, **arguments: Any) -> TreesPlayer:
    def assume(game: Game, seat: int, lineup: Lineup) -> list[Assumption]:
        others = [o for o in sames(lineup) if game.team_of(o) != game.team_of(seat)]
        return coalitions_with(seat, others, most, scoring)

    return TreesPlayer(assume, best, arguments)


register(
    NAME,
    same,
    (SCORING, MOST, *SEARCH_ARGUMENTS),
    help="RAVE in a coalition with all who are a `same`, too, as the line-up says",
)
