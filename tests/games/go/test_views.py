"""Views kept as stones come and go are the views seen anew."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from manyminds import go, with_agents
from manyminds.core.kernel import entry
from manyminds.core.random import generator
from manyminds.games.agents import find_database
from manyminds.games.go.board import EMPTY
from manyminds.games.go.views import look, view


@entry
def differences(board):
    """Empty points that the board's own views and those seen anew do not agree on, for either colour."""
    n = 0
    for k in range(board.empties):
        point = np.uint32(board.empty[np.uint32(k)])
        for colour in range(1, 3):
            n += int(view(board, point, colour) != look(board, point, colour))
    return n


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 10), st.integers(5, 10), st.integers(0, 2**31))
def test_moves_keep_them(width, height, seed):
    game = go((width, height))
    state, rng = game.start(), np.random.default_rng(seed)
    while not game.over(state) and state.moves < 3 * width * height:
        moves = game.moves(state)
        game.play(state, int(rng.choice(moves)))
        assert state.viewed == 1
        assert differences(state) == 0


def test_playouts_of_agents_keep_them_and_others_say_that_they_do_not():
    game = with_agents(go(9), find_database("default"))
    for seed in range(20):
        state = game.start()
        game.playout(state, generator(seed))
        assert (state.viewed, differences(state)) == (1, 0)
        assert (np.asarray(state.color)[:200] != EMPTY).any()
    plain = go(9)
    state = plain.start()
    plain.playout(state, generator(1))
    assert state.viewed == 0


def test_more_colours_have_none():
    assert go(9, colours=3).start().viewed == 0
