"""Two-colour rules against OpenSpiel's: legal moves and stones after every move, and the final score.

OpenSpiel numbers points row by row from A1, and its pass comes after the last point. It ends a game
when a position comes again (we leave superko off here, and leave such a game there).
"""

import random

import numpy as np
import pyspiel
import pytest

from manyminds.core.random import derive
from manyminds.games.go import coordinates as at
from manyminds.games.go.board import empty_board

from .drawn import any_go

MOVES = {9: 100_000, 19: 60_000}


class Twins:
    """One game on both boards."""

    def __init__(self, size):
        self.size, self.ours, self.passing = size, empty_board(size, size, 2), size * size
        self.points = np.array([*at.all_points(size, size), at.PASS])
        self.theirs = spiel(size, 0.5).new_initial_state()

    def agree(self):
        planes = np.array(self.theirs.observation_tensor(), np.uint8).reshape(4, -1)
        stones = self.ours.color[self.points[:-1]]
        assert np.array_equal(stones, planes[0] + 2 * planes[1]), str(self.theirs)
        legal = self.theirs.legal_actions()  # in order, pass last: so are ours
        assert np.array_equal(any_go().moves(self.ours), self.points[legal]), str(self.theirs)
        return legal

    def play(self, action):
        self.theirs.apply_action(action)
        any_go().play(self.ours, self.points[action])


def spiel(size, komi):
    return pyspiel.load_game(f"go(board_size={size},komi={komi},max_game_length=100000)")


def play_a_game(size, rng):
    """Random moves, some passes, and two passes in the end; the moves, and whether it ended so."""
    twins, played = Twins(size), []
    most, passing = rng.randrange(size, 4 * size * size), rng.choice([0.0, 0.02, 0.2])
    while not twins.theirs.is_terminal():
        legal = twins.agree()
        passes = len(played) >= most or len(legal) == 1 or rng.random() < passing
        action = twins.passing if passes else legal[rng.randrange(len(legal) - 1)]
        twins.play(action)
        played.append(action)
    by_passes = played[-2:] == [twins.passing] * 2
    assert any_go().over(twins.ours) is by_passes
    if by_passes:
        check_score(twins, played)
    return len(played), by_passes


def check_score(twins, played):
    """OpenSpiel tells who wins, so it must be Black with this much komi less a half, White with more."""
    black, white = any_go().points(twins.ours)[:2]
    for komi, winner in ((black - white - 0.5, 1.0), (black - white + 0.5, -1.0)):
        again = spiel(twins.size, komi).new_initial_state()
        for action in played:
            again.apply_action(action)
        assert again.returns() == [winner, -winner], str(again)


@pytest.mark.slow
@pytest.mark.parametrize("size", MOVES)
def test_random_games_agree_with_openspiel(size):
    rng = random.Random(derive(1, "openspiel", size))
    moves = scored = games = 0
    while moves < MOVES[size]:
        played, by_passes = play_a_game(size, rng)
        moves, games, scored = moves + played, games + 1, scored + by_passes
    assert scored > games / 2 > 25
