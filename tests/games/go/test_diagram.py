"""Text boards: what is drawn is read, and what is read is drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from manyminds.core.errors import UsageError
from manyminds.games.go.colours import COLOURS
from manyminds.games.go.diagram import Position, draw, draw_rich, parse
from manyminds.games.go.stones import without_liberty

DRAWN = """
    to play: red
    ko: C3
    captured: black 2, red 1
      A B C D E F
    5 . . X O . . 5
    4 . X . X O . 4
    3 . . . R(.). 3
    2 . . . . . Y
    1 . . . . . .
      A B C D E F
"""


@st.composite
def positions(draw_from):
    width, height = draw_from(st.integers(1, 19)), draw_from(st.integers(1, 19))
    colours = draw_from(st.integers(2, 6))
    places = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))
    numbers = st.integers(1, colours)
    stones = draw_from(st.dictionaries(places, numbers, max_size=40))
    while without_liberty(stones, width, height):
        del stones[without_liberty(stones, width, height)[0]]
    ko = draw_from(st.none() | places.filter(lambda place: place not in stones))
    captured = draw_from(st.dictionaries(numbers, st.integers(0, 500)))
    return Position(
        *(width, height, colours, stones, draw_from(numbers), ko),
        *(draw_from(st.none() | places), captured),
    )


def test_reads_a_drawing_with_lines_above_it_and_coordinates_round_it():
    position = parse(DRAWN)
    assert (position.width, position.height, position.colours) == (6, 5, 6)
    assert position.stones == {
        (4, 2): 1,
        (4, 3): 2,
        (3, 1): 1,
        (3, 3): 1,
        (3, 4): 2,
        (2, 3): 3,
        (1, 5): 6,
    }
    assert (position.to_play, position.ko, position.last) == (3, (2, 2), (2, 4))
    assert position.captured == {1: 2, 3: 1}


def test_coordinates_and_spaces_may_be_left_out():
    assert parse("..X\nO..") == parse("  A B C\n2 . . X\n1 O . .\n")


def test_colours_are_those_seen_unless_told():
    assert parse("X.\n..").colours == 2
    assert parse("X.\n.G").colours == 5
    assert parse("colours: 4\nX.\n..").colours == 4
    assert parse("to play: blue\nX.\n..").colours == 4


def test_draws_what_people_expect_to_see():
    assert draw(parse(DRAWN)).splitlines()[-8:] == [
        "captured: black 2, red 1",
        "   A B C D E F",
        " 5 . . X O . . 5",
        " 4 . X . X O . 4",
        " 3 . . . R(.). 3",
        " 2 . . . . . Y 2",
        " 1 . . . . . . 1",
        "   A B C D E F",
    ]


@given(positions())
def test_what_is_drawn_reads_back_as_the_same_position(position):
    assert parse(draw(position)) == position
    assert str(position) == draw(position)


@given(positions())
def test_the_terminal_shows_the_same_points_with_a_mark_for_each_colour(position):
    plain = draw_rich(position, {1: "12 points"}).plain.splitlines()
    text = "\n".join(plain[1 : 1 + position.height])
    for one in COLOURS:
        text = text.replace(one.mark, one.letter)
    drawn = draw(position).splitlines()
    assert text.replace("·", ".").splitlines() == drawn[-position.height - 1 : -1]
    legend = plain[2 + position.height :]
    assert [one.split()[-1] for one in legend[1:]] == [
        one.name for one in COLOURS[1 : position.colours]
    ]
    assert [line.startswith(" ▶") for line in legend].index(True) == position.to_play - 1
    assert legend[0].endswith("12 points")


def test_every_cell_of_the_terminal_keeps_its_colour_where_colours_are_shown():
    console = Console(force_terminal=True, color_system="truecolor", width=60)
    with console.capture() as captured:
        console.print(draw_rich(parse(DRAWN)))
    assert captured.get().count("\x1b[1;38;2;255;123;114;48;2;122;78;40m■") == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "1 to 19 rows"),
        ("..\n...", "another length"),
        (".\n" * 20, "1 to 19 rows"),
        ("." * 20, "from 1 to 19"),
        ("W.\n..", "O white"),
        ("x.\n..", "X black"),
        ("(((", "no stone"),
        ("(.)(.)\n. .", "one last move"),
        ("last: A1\n..\n.(.)", "one last move"),
        ("XX\nXX", "A1 has no liberty"),
        ("XO.\nOX.\n...", "A3 has no liberty"),
        ("ko: A9\n..\n..", "not on this board"),
        ("ko: A1\n..\nX.", "ko point is an empty point"),
        ("ko: pass\n..\n..", "leave the line out"),
        ("colour: 3\n..", 'did you mean "colours"'),
        ("colours: 3\ncolours: 3\n..", "stands twice"),
        ("colours: 7\n..", "2 to 6"),
        ("colours: three\n..", 'write "colours: 3"'),
        ("colours: 2\n..\nR.", "red does not play"),
        ("to play: purple\n..", "is not a colour"),
        ("captured: 3\n..", "black 2, red 1"),
        ("3 ..\n2 ..", "row 2 of 2"),
        ("1 2 3", "no row of a text board"),
        ("." * 20_000, "at most 10000"),
    ],
)
def test_what_is_no_position_is_refused_with_advice(text, says):
    with pytest.raises(UsageError, match=says):
        parse(text)


@given(
    st.lists(st.sampled_from([*"XORBGY.()\n 19ACJ:,", "ko: ", "to play: red\n", "\n. . .\n"])).map(
        "".join
    )
)
def test_only_usage_errors_come_out_of_any_text(text):
    try:
        position = parse(text)
    except UsageError:
        return
    assert parse(draw(position)) == position
