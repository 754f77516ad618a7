"""Boards with the properties that Cazenave (2008, section 3) tells of his figure 1, proved by search.

His drawings are not at hand; these boards are our own. Every claim is proved for all replies on the
points in question by the slow rules, and the lines are played on the compiled board too.
"""

import pytest

from manyminds.games.go.coordinates import point_named, row_and_column
from manyminds.games.go.diagram import parse

from .drawn import Pair, slow
from .local_search import MaxN, after, can_capture, options
from .reference import PASS

BLACK, WHITE, RED = 1, 2, 3


def at(name):
    return row_and_column(point_named(name, 9, 9))


def board(text, ko="own", to_play=BLACK):
    """The reference's board; `ko` says whether a ban concerns only the colour that lost the stone."""
    drawn = slow(parse(text))
    drawn.ko, drawn.to_play = ko, to_play
    return drawn


# --- the first board: a way to live in three-colour Go -------------------------------------------

# Black's eyes are J9 and H8; the white stone at G8 is a part of the wall round H8.
EYE_WITH_A_WHITE_WALL = """
      A B C D E F G H J
    9 . O . R . R R X .
    8 O O R R R R O . X
    7 . O O R . R X X X
    6 O O R R R R R R R
    5 . O . R . R . O O
    4 O O R R R R R O .
    3 O O O O O O O O O
    2 . O . O . O . O .
    1 O O O O O O O O O
"""
# The same with two white stones in the wall, so that no ko can come up.
EYE_WITH_TWO_WHITE_STONES = EYE_WITH_A_WHITE_WALL.replace("R . R R X .", "R . R O X .")

LIVING = [
    pytest.param(EYE_WITH_A_WHITE_WALL, "own", id="one white stone"),
    pytest.param(EYE_WITH_TWO_WHITE_STONES, "any", id="two white stones"),
    pytest.param(EYE_WITH_TWO_WHITE_STONES, "own", id="two white stones, ko by owner"),
]
EYE_POINTS = [at("H8"), at("G8"), at("G9"), at("J9")]
BLACK_STONES = [at("H7"), at("H9")]
NOT_H8 = [(BLACK, at("H8"))]


def killed(position, **limits):
    """Whether White and Red together can take some of Black's stones."""
    return any(
        can_capture(position, stone, {WHITE, RED}, EYE_POINTS, **limits) for stone in BLACK_STONES
    )


@pytest.mark.parametrize(("text", "ko"), LIVING)
@pytest.mark.parametrize("to_play", [BLACK, WHITE, RED])
def test_black_lives_against_both_as_long_as_he_stays_away_from_h8(text, ko, to_play):
    assert not killed(board(text, ko, to_play), never=NOT_H8)


@pytest.mark.parametrize(("text", "ko"), LIVING)
def test_black_dies_once_he_plays_h8(text, ko):
    position = after(board(text, ko), at("H8"))
    assert at("G8") not in position.stones  # the white stone is taken, and with it the eye
    assert all(can_capture(position, stone, {RED}, EYE_POINTS) for stone in BLACK_STONES)


@pytest.mark.parametrize(("text", "ko"), LIVING)
def test_white_cannot_play_h8(text, ko):
    assert not board(text, ko, WHITE).legal(at("H8"))


@pytest.mark.parametrize(("text", "ko"), LIVING)
def test_when_red_takes_white_at_h8_black_must_and_can_retake(text, ko):
    position = after(board(text, ko, RED), at("H8"))
    assert at("G8") not in position.stones
    saving = [move for move in options(position, EYE_POINTS) if not killed(after(position, move))]
    assert saving == [at("G8")]
    position = after(position, at("G8"))
    assert at("H8") not in position.stones
    for eye in (at("H8"), at("J9")):  # two eyes, which nobody else may fill
        for other in (WHITE, RED):
            position.to_play = other
            assert not position.legal(eye)


def test_black_would_die_if_a_ko_banned_those_who_lost_no_stone():
    """Why the ban concerns the colour that lost the stone: Black's retaking repeats nothing."""
    position = after(board(EYE_WITH_A_WHITE_WALL, "any", RED), at("H8"))
    assert not position.legal(at("G8"))
    assert killed(position)


def test_the_compiled_board_plays_the_two_eyes_too():
    pair = Pair.drawn("to play: red" + EYE_WITH_TWO_WHITE_STONES)
    for move in ("H8", "G8"):
        pair.play(move)
    for _ in range(3):
        assert pair.legal("H8") is (pair.reference.to_play == BLACK)
        assert pair.legal("J9") is (pair.reference.to_play == BLACK)
        pair.play("pass")


# --- the second board: an implicit coalition -----------------------------------------------------

# Red in the corner has one liberty, C9; Black round him has two, D6 and G8. White plays.
RACE = """
      A B C D E F G H J
    9 R R . R R X O . O
    8 R R R R R X . O O
    7 X X X X X X O O .
    6 R R R . R R O O O
    5 . R . R . R O . O
    4 R R R R R R O O O
    3 X X X X X X X X X
    2 X . X . X X . X X
    1 . X X X X X X X .
"""
LIBERTIES = [at("C9"), at("D6"), at("G8")]
BLACK_STONE, RED_STONE = at("F9"), at("A9")


@pytest.mark.parametrize("to_play", [BLACK, RED])
def test_between_black_and_red_alone_black_wins_the_race_whoever_begins(to_play):
    position = board(RACE, to_play=to_play)
    assert can_capture(position, RED_STONE, {BLACK}, LIBERTIES, passive={WHITE})
    assert not can_capture(position, BLACK_STONE, {RED}, LIBERTIES, passive={WHITE})


def test_white_and_red_together_win_it_for_red_when_white_begins():
    position = board(RACE, to_play=WHITE)
    assert can_capture(position, BLACK_STONE, {WHITE, RED}, LIBERTIES)
    helping = [
        move
        for move in options(position, LIBERTIES)
        if can_capture(after(position, move), BLACK_STONE, {WHITE, RED}, LIBERTIES)
    ]
    assert helping == [at("G8")]
    position = after(position, at("G8"))
    finishing = [
        move
        for move in options(position, LIBERTIES)
        if BLACK_STONE not in after(position, move).stones
    ]
    assert finishing == [at("D6")]


@pytest.mark.parametrize("alone", [WHITE, RED])
def test_neither_of_them_wins_it_alone(alone):
    other = WHITE + RED - alone
    position = board(RACE, to_play=WHITE)
    assert not can_capture(position, BLACK_STONE, {alone}, LIBERTIES, passive={other})


@pytest.mark.parametrize("tie", [0, -1], ids=["first of equals", "last of equals"])
def test_each_for_himself_white_and_red_kill_black(tie):
    """Nobody means to help: by max^n, helping gives White and Red more points of their own."""
    places = [*LIBERTIES, at("E7"), at("F7"), at("F8"), at("F9")]
    search, position = MaxN(places, tie), board(RACE, to_play=WHITE)
    white = {move: value[WHITE - 1] for move, value in search.values(position, 6).items()}
    assert all(white[at("G8")] > other for move, other in white.items() if move != at("G8"))
    position = after(position, at("G8"))
    red = {move: value[RED - 1] for move, value in search.values(position, 5).items()}
    assert all(red[at("D6")] > other for move, other in red.items() if move != at("D6"))
    assert red[at("D6")] - red[PASS] >= 9  # his stones in the corner, and room


def test_the_compiled_board_plays_the_coalition_too():
    pair = Pair.drawn("to play: white" + RACE)
    before = pair.points()
    for move in ("G8", "D6"):
        pair.play(move)
    assert BLACK_STONE not in pair.reference.stones
    assert pair.points()[BLACK - 1] == before[BLACK - 1] - 8
