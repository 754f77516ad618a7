"""What the rules do on boards drawn for it, on the compiled board and the reference's at once."""

import pytest

from manyminds.games.go import go
from manyminds.games.go.coordinates import point_named
from manyminds.games.go.diagram import draw, parse

from .drawn import Pair, any_go, compiled

pytestmark = pytest.mark.interpreted


def stones(text):
    return parse(text).stones


def test_captures_the_stone_in_atari():
    pair = Pair.drawn("""
        5 . . . . .
        4 . . O . .
        3 . O X O .
        2 . . . . .
        1 . . . . .
        to play: white
    """)
    pair.play("C2")
    assert (2, 2) not in pair.reference.stones


def test_two_colours_that_touch_each_other_are_captured_at_once():
    """Neither lives on the points that the other leaves."""
    pair = Pair.drawn("""
        5 X X . . .
        4 R O X . .
        3 . O X . .
        2 . X . . .
        1 . . . . .
    """)
    pair.play("A3")
    assert pair.reference.stones == stones("""
        5 X X . . .
        4 . . X . .
        3 X . X . .
        2 . X . . .
        1 . . . . .
    """)
    assert pair.reference.banned is None  # three stones were taken


def test_one_stone_captures_four_colours():
    pair = Pair.drawn("""
        to play: yellow
        7 . . . . . . .
        6 . . . Y . . .
        5 . . Y X Y . .
        4 . Y O . R Y .
        3 . . Y B Y . .
        2 . . . Y . . .
        1 . . . . . . .
    """)
    pair.play("D4")
    assert set(pair.reference.stones.values()) == {6}
    assert pair.points() == [0, 0, 0, 0, 0, 49]


def test_a_string_falls_that_no_single_colour_surrounds():
    """Cazenave rejects the other rule, under which strings between two colours would be immortal."""
    pair = Pair.drawn("""
        to play: red
        5 R . . . .
        4 X O R . .
        3 X O R . .
        2 . R . . .
        1 . . . . .
    """)
    pair.play("A2")
    assert pair.reference.stones == stones("""
        5 R . . . .
        4 . O R . .
        3 . O R . .
        2 R R . . .
        1 . . . . .
    """)


def test_suicide_is_forbidden_to_stones_and_to_strings():
    pair = Pair.drawn("""
        5 X . O . .
        4 O O R . .
        3 . . . . .
        2 . . . . .
        1 . . . . .
    """)
    assert not pair.legal("B5")
    pair = Pair.drawn("""
        to play: blue
        5 . X . . .
        4 X O . . .
        3 . . . . .
        2 . . . . .
        1 . . . . .
    """)
    assert not pair.legal("A5")


def test_a_stone_without_liberty_is_no_suicide_where_it_captures():
    pair = Pair.drawn("""
        to play: red
        5 . X R . .
        4 X O R . .
        3 R . . . .
        2 . . . . .
        1 . . . . .
    """)
    pair.play("A5")
    assert pair.reference.stones == stones("""
        5 R . R . .
        4 . O R . .
        3 R . . . .
        2 . . . . .
        1 . . . . .
    """)


KO = """
    5 . . . . .
    4 . X O . .
    3 X . X O .
    2 . X O . .
    1 . . . . .
    to play: white
"""


def test_the_next_move_may_not_retake_a_ko():
    pair = Pair.drawn(KO)
    pair.play("B3")
    assert pair.reference.banned == (2, 2)
    assert not pair.legal("C3")
    pair.play("E5")
    pair.play("E1")
    assert pair.legal("C3")


def test_a_pass_lifts_the_ban_too():
    pair = Pair.drawn(KO)
    pair.play("B3")
    pair.play("pass")
    pair.play("pass")
    assert pair.reference.over()


def test_with_three_colours_the_ban_ends_before_the_stone_s_owner_moves():
    pair = Pair.drawn("colours: 3" + KO)
    pair.play("B3")  # white takes a black stone; red is next, and then black may retake
    pair.play("E5")
    assert pair.reference.banned is None
    pair.play("C3")
    assert (2, 1) not in pair.reference.stones


def test_positional_superko_forbids_what_simple_ko_lets_pass():
    """White takes, everybody else passes, Black would retake: the board of the start comes again."""
    for superko in (False, True):
        pair = Pair.drawn("colours: 3" + KO, superko)
        pair.play("B3")
        pair.play("pass")
        assert pair.legal("C3") is not superko


def test_the_game_ends_when_every_colour_has_passed_in_turn():
    pair = Pair.drawn("colours: 4\n.....\n.....\n.....\n.....\n.....")
    for move in ("pass", "pass", "pass", "C3", "pass", "pass", "pass"):
        pair.play(move)
        assert not pair.reference.over()
    pair.play("pass")
    assert pair.reference.over()


def test_the_game_ends_at_its_limit():
    pair = Pair(parse(".....\n.....\n.....\n.....\n....."), limit=3)
    for move in ("A1", "B1", "C1"):
        assert not pair.reference.over()
        pair.play(move)
    assert pair.reference.over()


def test_a_colour_with_nothing_to_play_passes():
    pair = Pair.drawn("""
        5 . O O O .
        4 O O . O O
        3 O . O O O
        2 O O O O O
        1 . O O O O
    """)
    assert pair.game.moves(pair.state).tolist() == [0]


@pytest.mark.parametrize("colours", [2, 3, 6])
@pytest.mark.parametrize("size", [(5, 5), (9, 7), (19, 19)])
def test_a_game_starts_on_the_board_that_was_asked_for(size, colours):
    state = go(size, colours, superko=True, limit=77).start()
    drawn = compiled(parse(f"colours: {colours}\n" + ("." * size[0] + "\n") * size[1]), True, 77)
    drawn.komi = state.komi
    assert state.tobytes() == drawn.tobytes()


def test_a_game_shows_its_position_as_a_drawing_that_reads_back():
    state = compiled(parse(KO))
    any_go().play(state, point_named("B3", 5, 5))
    shown = any_go().show(state)
    assert draw(parse(shown)) == shown
    assert "to play: black" in shown
    assert "ko: C3" in shown
    assert "X(O)." in shown
