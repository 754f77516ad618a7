"""Our players as OpenSpiel's bots, in OpenSpiel's own matches."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots

from manyminds.bridges.openspiel.bot import openspiel_bot
from manyminds.core.errors import UsageError


def test_a_bot_of_ours_beats_a_random_one():
    """From either seat; rave@200 loses a game of tic-tac-toe to random play less than once in 100."""
    game = pyspiel.load_game("tic_tac_toe")
    results = []
    for seed in range(10):
        seat = seed % 2
        bots = [None, None]
        bots[seat] = openspiel_bot("rave@200", game, seat, seed=seed)
        bots[1 - seat] = pyspiel.make_uniform_random_bot(1 - seat, seed)
        results.append(pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[seat])
    assert min(results) >= 0
    assert sum(results) >= 6


def test_one_bot_plays_match_after_match_and_through_chance():
    """Restarted by OpenSpiel's own loop in Python, which tells nature's moves to nobody."""
    game = pyspiel.load_game("pig(winscore=20)")
    bots = [openspiel_bot("uct@100", game, 0), pyspiel.make_uniform_random_bot(1, 3)]
    rng = np.random.RandomState(1)
    returns = [evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng) for _ in range(4)]
    assert all(abs(sum(each)) < 1e-9 for each in returns)


def test_a_position_that_was_taken_back_is_followed():
    game = pyspiel.load_game("connect_four")
    bot = openspiel_bot("uct@300", game, 0)
    state = game.new_initial_state()
    for move in (3, 0, 3, 0, 3, 1):
        state.apply_action(move)
    assert bot.step(state) == 3  # four in a column
    other = game.new_initial_state()
    for move in (0, 3, 0, 3, 1, 3):
        other.apply_action(move)
    assert bot.step(other) == 3  # stops the same


def test_a_seat_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="seats 0 to 1, not 2"):
        openspiel_bot("rave@10", "tic_tac_toe", 2)
    with pytest.raises(UsageError, match="no player"):
        openspiel_bot("raev@10", "tic_tac_toe", 0)
