"""What SGF values mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.errors import UsageError
from manyminds.games.go import sgf_values as values
from manyminds.games.go.coordinates import all_points, point_named
from manyminds.games.go.sgf_tree import parse

sizes = st.tuples(st.integers(1, 19), st.integers(1, 19))


@pytest.mark.parametrize(
    ("raw", "text", "simple"),
    [
        ("plain", "plain", "plain"),
        (r"a\]b\\c\:d\x", r"a]b\c:dx", r"a]b\c:dx"),
        ("two\nlines", "two\nlines", "two lines"),
        ("two\r\nlines\n\rand\rmore", "two\nlines\nand\nmore", "two lines and more"),
        ("joined \\\nline", "joined line", "joined line"),
        ("joined \\\r\nline", "joined line", "joined line"),
        ("a\tb\vc", "a b c", "a b c"),
        ("ends\\\\\nhere", "ends\\\nhere", "ends\\ here"),  # an escaped "\" and then a line break
    ],
)
def test_texts_and_their_escapes(raw, text, simple):
    assert values.text(raw) == text
    assert values.simple_text(raw) == simple


printable = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"))


@given(printable)
def test_texts_survive_a_file(text):
    (root,) = parse(f"(;C[{values.escape(text)}])")
    assert values.text(root.properties["C"][0]) == text


@given(st.text(st.characters()))
def test_anything_can_be_escaped_and_encoded(text):
    raw = values.escape(text)
    assert values.escape(values.text(raw)) == raw
    parse(f"(;C[{raw}])")
    raw.encode()


@given(printable.map(lambda text: text.replace("\n", " ")), printable)
def test_pairs_part_at_the_first_colon_that_is_not_escaped(first, second):
    raw = f"{values.escape(first, composed=True)}:{values.escape(second)}"
    one, two = values.pair(raw)
    assert (values.simple_text(one), values.text(two)) == (first, second)
    assert values.pair(values.escape(first, composed=True))[1] is None


@given(st.floats(-1e8, 1e8).map(lambda number: round(number, 9)))
def test_numbers_survive(number):
    assert values.number(values.number_text(number)) == pytest.approx(number, abs=1e-9)


@pytest.mark.parametrize(
    ("number", "text"), [(6.5, "6.5"), (0.0, "0"), (100, "100"), (1e-7, "0.0000001")]
)
def test_numbers_are_short_and_have_no_exponent(number, text):
    assert values.number_text(number) == text


@pytest.mark.parametrize("raw", ["", "x", "nan", "inf", "1e3", "1_0", "6,5", "٣", "9" * 400, "--1"])
def test_what_is_no_number_is_refused(raw):
    with pytest.raises(UsageError, match="not a number"):
        values.number(raw)


@given(sizes)
def test_every_point_has_its_letters(size):
    texts = [values.point_text(point, size[1]) for point in all_points(*size)]
    assert [values.point(text, *size) for text in texts] == all_points(*size)
    assert values.size(values.size_text(*size)) == size


def test_letters_count_from_the_upper_left():
    assert values.point("aa", 9, 9) == point_named("A9", 9, 9)
    assert values.point("ia", 9, 9) == point_named("J9", 9, 9)
    assert values.point("cg", 9, 13) == point_named("C7", 9, 13)


def test_a_pass_is_empty_or_tt():
    assert values.move("", 9, 9) == values.move("tt", 19, 19) == 0
    assert values.point_text(0, 9) == ""


@pytest.mark.parametrize("raw", ["a", "aaa", "ja", "aj", "AA", "a1", "tt", ""])
def test_what_is_no_point_is_refused(raw):
    with pytest.raises(UsageError, match="not a point of a 9x9 board"):
        values.point(raw, 9, 9)


@pytest.mark.parametrize("raw", ["0", "20", "9:20", "9:", ":9", "x", "", "-9", "9:9:9", "٩"])
def test_what_is_no_size_is_refused(raw):
    with pytest.raises(UsageError, match="at most 19x19"):
        values.size(raw)


def named(*names):
    return sorted(point_named(name, 9, 9) for name in names)


def test_lists_of_points_may_be_rectangles():
    assert sorted(values.points(["aa:bb"], 9, 9)) == named("A9", "B9", "A8", "B8")
    assert sorted(values.points(["ai:ci", "aa"], 9, 9)) == named("A1", "B1", "C1", "A9")
    assert sorted(values.points(["aa:ss"], 19, 19)) == sorted(all_points(19, 19))


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (["bb:aa"], "upper left"),
        (["ba:ab"], "upper left"),
        (["aa", "aa"], "stands twice"),
        (["aa:bb", "bb"], "stands twice"),
        (["aa:"], "not a point"),
        (["aa:bb:cc"], "not a point"),
        (["aa:ss"] * 2000, "not a point"),
    ],
)
def test_lists_that_are_none_are_refused(raw, says):
    with pytest.raises(UsageError, match=says):
        values.points(raw, 9, 9)
