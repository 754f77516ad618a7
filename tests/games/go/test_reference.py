"""The slow rules themselves, on drawn boards small enough to check by eye."""

import random

import pytest

from manyminds.games.go.diagram import parse

from .drawn import slow
from .local_search import MaxN, can_capture
from .reference import PASS, Reference, liberties, points, points_in_playouts, regions, string


def drawn(text, **choices):
    board = slow(parse(text))
    for name, value in choices.items():
        setattr(board, name, value)
    return board


def test_a_string_and_its_liberties():
    board = drawn("""
        4 . X X .
        3 O X . .
        2 . O X .
        1 . . . .
    """)
    found = string(board, board.stones, (3, 1))
    assert found == {(3, 1), (3, 2), (2, 1)}
    assert liberties(board, board.stones, found) == {(3, 0), (3, 3), (2, 2)}


def test_all_other_colours_go_at_once_and_only_those_without_liberty():
    board = drawn("""
        3 X X . .
        2 R O X .
        1 . O X B
    """)
    board.play((0, 0))
    assert (
        board.stones
        == parse("""
        3 X X . .
        2 . . X .
        1 X . X B
    """).stones
    )


def test_suicide_is_illegal_and_capturing_without_liberty_is_not():
    board = drawn("""
        3 . X .
        2 X O .
        1 . . .
        to play: white
    """)
    assert not board.legal((2, 0))
    board = drawn("""
        3 . X O
        2 X O .
        1 O . .
        to play: white
    """)
    assert board.legal((2, 0))
    board.play((2, 0))
    assert (2, 1) not in board.stones
    assert (1, 0) not in board.stones


KO = """
    4 . X O .
    3 X . X O
    2 . X O .
    1 . . . .
    to play: white
"""


def test_the_ban_of_a_ko_lasts_one_move():
    board = drawn(KO)
    board.play((2, 1))
    assert board.banned == (2, 2)
    assert not board.legal((2, 2))
    board.play((0, 0))
    assert board.banned is None


@pytest.mark.parametrize(("ko", "banned"), [("any", (2, 2)), ("own", None)])
def test_a_ban_by_owner_spares_the_colour_that_lost_nothing(ko, banned):
    board = drawn("colours: 3" + KO, ko=ko)
    board.play((2, 1))
    assert board.banned == banned


def test_two_stones_taken_are_no_ko():
    board = drawn("""
        4 . X O .
        3 X . X O
        2 X . X O
        1 . X O .
        to play: white
    """)
    board.play((2, 1))
    assert board.banned is None


def test_superko_forbids_every_earlier_board_whoever_moves():
    board = drawn("colours: 3" + KO, superko=True)
    for move in ((2, 1), PASS):
        board.play(move)
    assert not board.legal((2, 2))
    board.play((0, 0))  # a stone more, and the board is another
    for move in (PASS, PASS):
        board.play(move)
    assert board.legal((2, 2))


def test_the_game_ends_after_a_pass_of_every_colour_or_at_the_limit():
    board = drawn("colours: 3\n...\n...\n...")
    for move in (PASS, PASS, (0, 0), PASS, PASS):
        board.play(move)
        assert not board.over()
    board.play(PASS)
    assert board.over()
    assert board.legal_moves() == []
    assert drawn("...\n...", moves_made=5, limit=5).over()


def test_the_game_counts_regions_and_a_playout_counts_single_points():
    board = drawn("""
        5 . X . R .
        4 X X . R .
        3 O O . R R
        2 . O X . R
        1 O . X R .
    """)
    assert sorted(map(len, regions(board))) == [1, 1, 1, 1, 1, 2, 3]
    # black: 5 and A5; white: 4 and A2 (B1 touches black too); red: 6, E5 with E4, and E1
    assert points(board) == [6, 5, 9]
    # a playout does not see that E4 and E5 are red's
    assert points_in_playouts(board) == [6, 5, 7]
    assert points(board, (0.5, 1.0, 2.0)) == [6.5, 6.0, 11.0]


def test_an_empty_board_is_nobody_s():
    assert points(drawn("colours: 4\n...\n...\n...")) == [0, 0, 0, 0]


def test_no_string_is_ever_left_without_liberties():
    for seed in range(20):
        rng = random.Random(seed)
        board = Reference(rng.randint(2, 6), rng.randint(2, 6), rng.randint(2, 6))
        while not board.over() and board.moves_made < 100:
            board.play(rng.choice(board.legal_moves()))
            for place in board.stones:
                assert liberties(board, board.stones, string(board, board.stones, place))


def test_the_local_search_knows_a_dead_corner_from_one_with_two_eyes():
    board = drawn("""
        4 . . . .
        3 O O O .
        2 X X O .
        1 . X O .
        to play: white
    """)
    corner = [(0, 0)]
    assert can_capture(board, (1, 0), {2}, corner)
    board = drawn("""
        4 O O O O O
        3 X X X O .
        2 X . X O .
        1 . X X O O
        to play: white
    """)
    assert not can_capture(board, (2, 0), {2}, [(0, 0), (1, 1)])


def test_max_n_takes_what_is_in_atari():
    board = drawn("""
        3 X O .
        2 . O .
        1 . . .
        to play: white
    """)
    value, move = MaxN([(1, 0)]).value(board, 4)
    assert (value, move) == ((0, 9), (1, 0))
