"""The plain-Python stones behind drawings and SGF, against the reference."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from manyminds.games.go.stones import put, without_liberty

from .reference import PASS, Reference, liberties, string


@settings(max_examples=30)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(2, 6), st.integers(0, 2**32))
def test_games_leave_the_same_stones_as_by_the_reference(width, height, colours, seed):
    board, stones, rng = Reference(width, height, colours), {}, random.Random(seed)
    for _ in range(3 * width * height):
        move = rng.choice(board.legal_moves())
        before, colour = set(board.stones), board.to_play
        board.play(move)
        if move is not PASS:
            assert put(stones, move, colour, width, height) == before - set(board.stones)
        assert stones == board.stones
        if board.over():
            return


def test_a_stone_without_liberty_takes_itself_off_where_nothing_else_goes():
    stones = {(0, 1): 2, (1, 0): 2}
    assert put(stones, (0, 0), 1, 3, 3) == {(0, 0)}
    assert stones == {(0, 1): 2, (1, 0): 2}


@given(st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 4)), st.integers(1, 3)))
def test_every_string_without_liberty_is_named_once(stones):
    board = Reference(5, 4, 3)
    strings = {frozenset(string(board, stones, place)) for place in stones}
    dead = {one for one in strings if not liberties(board, stones, set(one))}
    found = without_liberty(stones, 5, 4)
    assert len(found) == len(dead)
    assert {next(one for one in dead if place in one) for place in found} == dead
