"""Which chains are alive, dead or in seki, by how playouts end; and what a board counts without the dead.

Playouts know nothing of life and death but what comes of playing on; of many of them most end as the
position should, and a chain whose points mostly end up another's is taken for dead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.core.random import derive
from manyminds.games.contract import Game, State
from manyminds.games.go.board import POINTS
from manyminds.games.go.coordinates import point_at
from manyminds.games.go.diagram import Position
from manyminds.games.go.ownership import ownership
from manyminds.games.go.setup import state_of
from manyminds.games.go.stones import Place, neighbours, string_of

PLAYOUTS = 400
LIVES = 0.5  # the least share of playouts at whose end a living chain's points are its own
HOPELESS = 0.2  # below this no chain is in seki
_LARGEST_SHARED = 4  # points of an empty region that two chains in seki may have in common

ALIVE, DEAD, SEKI = "alive", "dead", "seki"
Regions = list[tuple[frozenset[Place], set[int]]]


@dataclass(frozen=True)
class Chain:
    """Connected stones of one colour, and whether they are alive, dead or in seki."""

    colour: int
    places: tuple[Place, ...]
    status: str


@dataclass(frozen=True)
class Outlook:
    """A position, and shares of playouts: `shares[c - 1, p]` of those at whose end p was colour c's."""

    position: Position
    shares: np.ndarray

    def of(self, place: Place, colour: int) -> float:
        """The share of playouts in which this place was the colour's."""
        return float(self.shares[colour - 1, point_at(*place)])

    def chains(self) -> list[Chain]:
        """Every chain with its status, from A1 upwards."""
        position, seen = self.position, set()
        found: list[tuple[int, list[Place], float]] = []
        for place in sorted(position.stones):
            if place not in seen:
                string, _ = string_of(position.stones, place, position.width, position.height)
                seen |= string
                colour = position.stones[place]
                own = sum(self.of(each, colour) for each in string) / len(string)
                found.append((colour, sorted(string), own))
        hopeless = {place for _, places, own in found if own < HOPELESS for place in places}
        left = _without(position, hopeless)
        regions = _regions(left)
        return [
            Chain(colour, tuple(places), _status(left, regions, colour, places, own))
            for colour, places, own in found
        ]

    def without_dead(self) -> Position:
        """The position after its dead chains have been taken off."""
        dead = {p for chain in self.chains() if chain.status == DEAD for p in chain.places}
        return _without(self.position, dead)


def _without(position: Position, places: set[Place]) -> Position:
    kept = {place: c for place, c in position.stones.items() if place not in places}
    return Position(position.width, position.height, position.colours, kept, position.to_play)


def _status(
    position: Position, regions: Regions, colour: int, places: list[Place], own: float
) -> str:
    """What a chain is; in seki, where it owns no region and shares only small ones with others.

    Playouts that know no seki play into it sooner or later, so half of them may end with it lost.
    """
    if own >= HOPELESS:
        near = [(r, b) for r, b in regions if any(_touches(p, r, position) for p in places)]
        if near and all(len(r) <= _LARGEST_SHARED and len(b) > 1 for r, b in near):
            return SEKI
    return ALIVE if own >= LIVES else DEAD


def outlook(
    game: Game, state: State, playouts: int = PLAYOUTS, seed: int = 0, settings: Any = None
) -> Outlook:
    """How so many playouts end, the colours beginning in turn."""
    colours = int(state.colours)
    each = max(1, playouts // colours)
    board = game.copy(state)
    board.ko = board.passes = board.moves = 0
    board.limit = max(int(board.limit), 3 * int(board.width) * int(board.height))
    shares = np.zeros((colours, POINTS))
    for colour in range(1, colours + 1):
        board.to_play = colour
        shares += ownership(game, board, each, derive(seed, "outlook", colour), settings).shares
    return Outlook(Position.of(state), shares / colours)


def points_without_dead(game: Game, found: Outlook) -> list[float]:
    """What each colour counts once dead stones are off, komi included."""
    return [float(count) for count in game.points(state_of(game, found.without_dead()))]


def _regions(position: Position) -> Regions:
    """The empty regions, and the colours at the border of each."""
    seen: set[Place] = set()
    found = []
    for row in range(position.height):
        for column in range(position.width):
            if (row, column) in seen or (row, column) in position.stones:
                continue
            region, border, frontier = {(row, column)}, set(), [(row, column)]
            while frontier:
                for near in neighbours(frontier.pop(), position.width, position.height):
                    if near in position.stones:
                        border.add(position.stones[near])
                    elif near not in region:
                        region.add(near)
                        frontier.append(near)
            seen |= region
            found.append((frozenset(region), border))
    return found


def _touches(place: Place, region: frozenset[Place], position: Position) -> bool:
    return any(near in region for near in neighbours(place, position.width, position.height))
