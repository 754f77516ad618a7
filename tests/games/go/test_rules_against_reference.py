"""The compiled rules against the slow ones: the same stones, moves, points and ko after every move."""

import functools
import random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from manyminds.games.go.diagram import Position
from manyminds.games.go.stones import string_of, without_liberty

from .drawn import Pair
from .reference import PASS, points

# A game from another seed is another game and no simpler one: a failing one is not shrunk.
games = functools.partial(settings, phases=(Phase.explicit, Phase.reuse, Phase.generate))
seeds = st.integers(0, 2**32)
small_boards = st.tuples(st.integers(5, 9), st.integers(5, 9))


def play_at_random(pair, rng, passing, most=150):
    """A random game, and the same points on both boards after every move."""
    for _ in range(most):
        if pair.reference.over():
            return
        moves = pair.reference.legal_moves()
        stones = [move for move in moves if move is not PASS]
        pair.play(PASS if rng.random() < passing or not stones else rng.choice(stones))
        assert pair.points() == points(pair.reference)


@games(max_examples=50)
@given(
    small_boards,
    st.integers(2, 6),
    st.booleans(),
    st.sampled_from([0.0, 0.05, 0.4]),
    st.none() | st.integers(1, 100),
    seeds,
)
def test_random_games_agree_move_by_move(size, colours, superko, passing, limit, seed):
    pair = Pair(Position(*size, colours), superko, limit)
    play_at_random(pair, random.Random(seed), passing)


@games(max_examples=40)
@given(st.integers(2, 6), st.booleans(), seeds)
def test_games_on_full_boards_agree_where_captures_and_kos_are_many(colours, superko, seed):
    """Empty points without neighbours of their own are what a random game ends with; start there."""
    rng = random.Random(seed)
    stones = {(r, c): rng.randint(1, colours) for r in range(5) for c in range(6)}
    for place in rng.sample(sorted(stones), 9):
        del stones[place]
    board = Position(6, 5, colours, with_liberties(stones), rng.randint(1, colours))
    play_at_random(Pair(board, superko), rng, passing=0.05, most=80)


def with_liberties(stones):
    """These stones without the strings that could not stand."""
    while dead := without_liberty(stones, 6, 5):
        for place in string_of(stones, dead[0], 6, 5)[0]:
            del stones[place]
    return stones
