"""The six colours and how they are told apart."""

import pytest

from manyminds.core.errors import UsageError
from manyminds.games.go.colours import (
    COLOURS,
    EMPTY_LETTER,
    EMPTY_MARK,
    check_count,
    colour,
    colour_lettered,
    colour_named,
    colour_names,
)


def test_colours_play_in_their_fixed_order():
    assert colour_names(6) == ("black", "white", "red", "blue", "green", "yellow")
    assert [one.number for one in COLOURS] == [1, 2, 3, 4, 5, 6]


def test_no_two_colours_share_a_letter_or_a_mark_or_a_style():
    for kind in ("letter", "mark", "style"):
        assert len({getattr(one, kind) for one in COLOURS}) == 6
    assert all(one.letter != EMPTY_LETTER and one.mark != EMPTY_MARK for one in COLOURS)
    assert all(len(one.letter) == len(one.mark) == 1 for one in COLOURS)


def test_colours_are_found_by_number_name_and_letter():
    for one in COLOURS:
        assert colour(one.number) == colour_named(one.name.upper()) == one
        assert colour_lettered(one.letter) == one


@pytest.mark.parametrize(
    ("ask", "what", "says"),
    [
        (colour_named, "balck", 'did you mean "black"'),
        (colour_named, "b", "is not a colour"),
        (colour_lettered, "W", "O white"),
        (colour, 0, "numbered 1 to 6"),
        (colour, 7, "numbered 1 to 6"),
        (check_count, 1, "2 to 6"),
        (check_count, 7, "2 to 6"),
    ],
)
def test_what_is_no_colour_is_refused_with_advice(ask, what, says):
    with pytest.raises(UsageError, match=says):
        ask(what)
