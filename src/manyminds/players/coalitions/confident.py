"""Confident: a tree for each partner and one for none; whichever promises most is followed.

It trusts that whoever is the best partner will be one (Cazenave 2008, 4.6).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from manyminds.games.contract import Game
from manyminds.players.arguments import Argument, whole
from manyminds.players.coalitions.alliance import SCORING
from manyminds.players.coalitions.assumption import ALONE, Assumption
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS, TreesPlayer, best
from manyminds.players.player import Lineup
from manyminds.players.registry import register

MOST = Argument("most", whole(2, 64), 2, "members of a coalition at most; the paper's have two")


def coalitions_with(seat: int, others: Iterable[int], most: int, scoring: str) -> list[Assumption]:
    """None, then every coalition of the seat with one of the others, with two, ... up to `most` members."""
    others, found = tuple(others), [ALONE]
    for size in range(1, most):
        for partners in combinations(others, size):
            found.append(Assumption((tuple(sorted((seat, *partners))),), scoring))
    return found


def confident(scoring: str, most: int, **arguments: Any) -> TreesPlayer:
    def assume(game: Game, seat: int, lineup: Lineup) -> list[Assumption]:
        others = [o for o in range(game.seats) if game.team_of(o) != game.team_of(seat)]
        return coalitions_with(seat, others, most, scoring)

    return TreesPlayer(assume, best, arguments)


register(
    "confident",
    confident,
    (SCORING, MOST, *SEARCH_ARGUMENTS),
    help="searches with each partner and with none, and follows what promises most",
)
