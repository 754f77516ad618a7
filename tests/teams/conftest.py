"""A hunt, and mates in the middle of it."""

import pytest

from manyminds.core.budget import Budget
from manyminds.games.small.hunt import hunt
from manyminds.players import Lineup, make_player
from manyminds.teams import Team
from manyminds.teams.virtual import VirtualPlan


@pytest.fixture(scope="session")
def game():
    return hunt()


@pytest.fixture
def pair(game):
    """Two mates of a kind, hunting; both have met the start."""

    def make(spec, simulations=60, seed=1):
        mates = [make_player(spec, game) for _ in range(2)]
        for seat, mate in enumerate(mates):
            mate.begin(game, seat, Lineup([spec] * 3, seed))
            mate.meet(game.start())
            if simulations:
                mate.think(Budget(simulations=simulations))
        return mates

    return make


@pytest.fixture
def team():
    """A team over a channel that loses messages."""

    def make(spec, loss=0.3, rate=64_000, **others):
        return Team(spec, VirtualPlan(rate=rate, delay_ms=1, loss=loss), **others)

    return make
