"""States from drawn positions."""

import random

import pytest

from manyminds.core.errors import UsageError
from manyminds.games.go import go
from manyminds.games.go.diagram import Position, draw, parse
from manyminds.games.go.setup import state_of

from .drawn import compiled

DRAWN = """
    colours: 3
    to play: red
    ko: C3
      A B C D E
    5 . . X O .
    4 . X . X O
    3 . . .(X).
    2 . . . R .
    1 R . . . .
"""


@pytest.fixture(scope="module")
def game():
    return go(5, 3, superko=True, limit=40)


def test_a_state_shows_what_was_drawn(game):
    position = parse(DRAWN)
    state = state_of(game, position)
    assert draw(Position.of(state)) == draw(position)
    assert game.seat(state) == 2
    assert (state.moves, state.passes, state.limit, state.superko) == (0, 0, 40, 1)


def test_the_order_of_the_stones_leaves_no_trace_in_what_can_be_played(game):
    """The same play from a state and from the board that other tests build in another order."""
    position, rng = parse(DRAWN), random.Random(3)
    state, other = state_of(game, position), compiled(position, superko=True, limit=40)
    while not game.over(state):
        moves = game.moves(state)
        assert moves.tolist() == game.moves(other).tolist()
        move = int(rng.choice(moves))
        game.play(state, move)
        game.play(other, move)
        assert game.points(state).tolist() == game.points(other).tolist()


def test_superko_remembers_the_drawn_board(game):
    state = state_of(
        game,
        parse("""
            to play: white
            5 . . . . .
            4 . X O . .
            3 X . X O .
            2 . X O . .
            1 . . . . .
        """),
    )
    game.play(state, game.move_named("B3"))
    game.play(state, game.move_named("pass"))
    assert game.move_named("C3") not in game.moves(state)


@pytest.mark.parametrize("text", [".....\n" * 4, "......\n" * 5, "colours: 4\n" + ".....\n" * 5])
def test_what_does_not_fit_the_game_is_refused(game, text):
    with pytest.raises(UsageError, match="does not fit go on 5x5 with 3"):
        state_of(game, parse(text))


def test_stones_without_liberty_are_refused(game):
    with pytest.raises(UsageError, match="cannot be"):
        state_of(game, Position(5, 5, 3, {(0, 0): 1, (0, 1): 2, (1, 0): 3}))
