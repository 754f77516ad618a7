"""Symmetric Confident: a coalition is chosen where it is the best for both (Cazenave 2008, 4.6).

The trees of all pairs of seats and one for none, n (n - 1) / 2 + 1, say what each coalition is worth to
each of its members: the tree of a pair serves both.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from manyminds.games.contract import Game
from manyminds.players.coalitions.alliance import SCORING
from manyminds.players.coalitions.assumption import ALONE, Assumption
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS, Trees, TreesPlayer
from manyminds.players.player import Lineup
from manyminds.players.registry import register


def partner(table: Sequence[Sequence[float]], seat: int) -> int:
    """Whom a seat stands with, itself for nobody. table[i][j]: what i gets with j, and alone for j = i.

    1. Its best partner, if that one's best is it.
    2. Else, of those whose best it is and who are better than none, the best.
    3. Else nobody.
    """
    n = len(table)
    favourite = [max(range(n), key=lambda j: (table[i][j], i == j)) for i in range(n)]
    wish = favourite[seat]
    if favourite[wish] == seat:
        return wish
    suitors = [j for j in range(n) if favourite[j] == seat and table[seat][j] > table[seat][seat]]
    return max(suitors, key=lambda j: table[seat][j], default=seat)


def table_of(trees: Trees) -> list[list[float]]:
    """What each seat gets with each other one, by the trees of all pairs and of none."""
    n = trees.game.seats
    worths = [trees.worths(seat) for seat in range(n)]
    table = [[-float("inf")] * n for _ in range(n)]  # mates, who have no tree of their own
    for number, assumption in enumerate(trees.assumptions):
        for seat in range(n):
            if not assumption.coalitions:
                table[seat][seat] = worths[seat][number]
        for i, j in assumption.coalitions:
            table[i][j], table[j][i] = worths[i][number], worths[j][number]
    return table


def _choose(trees: Trees) -> int:
    found = partner(table_of(trees), trees.seat)
    pair = tuple(sorted((trees.seat, found)))
    wanted = () if found == trees.seat else (pair,)
    return next(k for k, one in enumerate(trees.assumptions) if one.coalitions == wanted)


def symmetric(scoring: str, **arguments: Any) -> TreesPlayer:
    def assume(game: Game, seat: int, lineup: Lineup) -> list[Assumption]:
        pairs = [
            (i, j)
            for i, j in combinations(range(game.seats), 2)
            if game.team_of(i) != game.team_of(j)
        ]
        return [ALONE, *(Assumption((pair,), scoring) for pair in pairs)]

    return TreesPlayer(assume, _choose, arguments)


register(
    "symmetric",
    symmetric,
    (SCORING, *SEARCH_ARGUMENTS),
    help="searches every pair's coalition and none, and follows one that both its members like best",
)
