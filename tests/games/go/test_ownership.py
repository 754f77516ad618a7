"""Whose each point is: against the counted area, and on boards where it is known."""

import numpy as np
import pytest

from manyminds.core.random import generator
from manyminds.games.go.diagram import parse
from manyminds.games.go.game import go
from manyminds.games.go.ownership import owners, ownership
from manyminds.games.go.setup import state_of


@pytest.mark.parametrize(("size", "colours"), [(5, 2), (9, 3), (7, 6)])
def test_owned_points_add_up_to_the_area(size, colours):
    game = go(size=size, colours=colours, komi=0.0)
    rng = generator(size)
    for turns in range(0, 3 * size * size, 7):
        state = game.start()
        trace = game.trace.new()
        trace.limit = turns
        from manyminds.games import calls

        calls.playout(game.kernels, state, rng, trace, game.set_up())
        whose = owners(state)
        counted = [(whose == colour).sum() for colour in range(1, colours + 1)]
        assert counted == game.points(state).tolist()


def test_a_wall_divides_the_board():
    game = go(size=(5, 5), colours=3, komi=0.0)
    state = state_of(
        game,
        parse(
            """
            . . . . .
            R R R R R
            . . . . .
            X X X X X
            . . . . .
            """
        ),
    )
    whose = owners(state)
    rows = whose[: 6 * 20].reshape(6, 20)[1:6, 1:6]
    assert rows.tolist() == [[1] * 5, [1] * 5, [0] * 5, [3] * 5, [3] * 5]


def test_shares_are_shares_and_points_are_their_sums():
    game = go(size=5, colours=3)
    found = ownership(game, game.start(), playouts=50, seed=3)
    assert found.shares.shape == (3, 421)
    assert (found.shares.sum(axis=0) <= 1 + 1e-12).all()
    assert found.points == pytest.approx(found.shares.sum(axis=1).tolist())
    again = ownership(game, game.start(), playouts=50, seed=3)
    assert np.array_equal(found.shares, again.shares)


def test_stones_that_cannot_die_are_owned_in_every_playout():
    game = go(size=5, colours=2, komi=0.0)
    state = state_of(
        game,
        parse(
            """
            . X . X .
            X X X X X
            . . . . .
            . . . . .
            . . . . .
            """
        ),
    )
    found = ownership(game, state, playouts=100, seed=1)
    assert found.shares[0, 21 + 4 * 20 : 26 + 4 * 20].tolist() == [1.0] * 5
