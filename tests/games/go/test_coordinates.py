"""Points as numbers and as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.errors import UsageError
from manyminds.games.go import coordinates as at
from manyminds.games.go.board import STRIDE, empty_board

sizes = st.tuples(st.integers(1, 19), st.integers(1, 19))


@pytest.mark.parametrize(
    ("text", "row", "column"), [("A1", 0, 0), ("E5", 4, 4), ("J9", 8, 8), ("t19", 18, 18)]
)
def test_letters_skip_i_and_rows_count_from_the_bottom(text, row, column):
    assert at.point_named(text, 19, 19) == at.point_at(row, column) == (row + 1) * 20 + column + 1


def test_a_pass_is_point_0():
    assert at.point_named(" Pass ", 9, 9) == at.PASS == 0
    assert at.point_name(0, 9, 9) == "pass"


@given(sizes)
def test_every_point_has_one_name_and_gets_it_back(size):
    points = at.all_points(*size)
    names = [at.point_name(point, *size) for point in points]
    assert len(set(names)) == len(points) == size[0] * size[1]
    assert [at.point_named(name.lower(), *size) for name in names] == points
    assert [at.point_at(*at.row_and_column(point)) for point in points] == points


@pytest.mark.parametrize("size", [(5, 5), (9, 7), (5, 19), (19, 19)])
def test_the_compiled_board_numbers_its_points_the_same_way(size):
    board = empty_board(*size, 2)
    assert board.empty[: board.empties].tolist() == at.all_points(*size)
    assert STRIDE == at.STRIDE


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "type one like"),
        ("I5", "no board has a column"),
        ("Z5", "columns are A-J"),
        ("K1", "columns A-J, rows 1-9"),
        ("A0", "rows 1-9"),
        ("A10", "rows 1-9"),
        ("5E", "type one like"),
        ("E5E5" * 1000, "type one like"),
        ("E٣", "type one like"),  # a digit, but not one of ours
    ],
)
def test_what_is_no_point_is_refused_with_advice(text, says):
    with pytest.raises(UsageError, match=says) as caught:
        at.point_named(text, 9, 9)
    assert len(str(caught.value)) < 120


@given(st.text(max_size=6), sizes)
def test_only_usage_errors_come_out_of_any_text(text, size):
    try:
        point = at.point_named(text, *size)
    except UsageError:
        return
    assert at.point_named(at.point_name(point, *size), *size) == point


@pytest.mark.parametrize("point", [-1, 20, 30, 220, 400])
def test_numbers_outside_the_board_have_no_name(point):
    assert not at.on_board(point, 9, 9)
    with pytest.raises(UsageError, match="9x9"):
        at.point_name(point, 9, 9)


@pytest.mark.parametrize("size", [(0, 9), (9, 20)])
def test_boards_that_no_letters_reach_are_refused(size):
    with pytest.raises(UsageError, match="from 1 to 19"):
        at.check_size(*size)
