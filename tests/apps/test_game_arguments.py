"""Telling a game's arguments from a command's, and reading them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.apps.game_arguments import read_value, split
from manyminds.apps.named_game import spelled
from manyminds.core.errors import UsageError

OWN = {"--seat": True, "--seed": True, "--quiet": False, "-q": False, "--help": False}


@pytest.mark.parametrize(
    ("line", "mine", "given_"),
    [
        ("go", "go", {}),
        ("go --size 9", "go", {"size": 9}),
        ("--size=9 go", "go", {"size": 9}),
        ("go --superko", "go", {"superko": True}),
        ("go --superko --size 9 -q", "go -q", {"superko": True, "size": 9}),
        ("go --superko -q", "go -q", {"superko": True}),
        ("go --superko false", "go", {"superko": False}),
        ("go --komi -6.5", "go", {"komi": -6.5}),
        ("go --komi 0,6.5,0", "go", {"komi": [0, 6.5, 0]}),
        ("go --size 9x7", "go", {"size": [9, 7]}),
        ("nim --heaps [3]", "nim", {"heaps": [3]}),
        ("goofspiel --order ascending", "goofspiel", {"order": "ascending"}),
        ("mine --first-seat 1", "mine", {"first_seat": 1}),
        ("go --seat black=person --size 5", "go --seat black=person", {"size": 5}),
        ("go --seat --size 5", "go --seat --size 5", {}),
        ("go --seed=3 --help", "go --seed=3 --help", {}),
        ("go -x", "go -x", {}),
    ],
)
def test_each_token_finds_its_place(line, mine, given_):
    assert split(line.split(), OWN) == (mine.split(), given_)


def test_an_option_that_is_given_twice_is_refused():
    with pytest.raises(UsageError, match="--size is given twice"):
        split(["--size", "5", "--size=9"], OWN)


def test_what_is_too_long_is_refused():
    with pytest.raises(UsageError, match="--heaps has 2000 characters"):
        split(["--heaps", "1" * 2000], OWN)


@given(st.lists(st.text(st.sampled_from("-=,[]x.19aé \t"), max_size=8)))
def test_any_tokens_are_split_or_refused(tokens):
    try:
        mine, found = split(tokens, OWN)
    except UsageError:
        return
    assert len(mine) + len(found) <= len(tokens)


@given(st.integers(-(10**17), 10**17) | st.booleans() | st.floats(-1e6, 1e6))
def test_values_are_read_as_they_are_written(value):
    text = f"{value:f}" if isinstance(value, float) else str(value).lower()
    assert read_value("--it", text) == (float(text) if isinstance(value, float) else value)


def test_a_game_within_a_game_keeps_its_commas():
    text = "go(board_size=9,komi=6.5)"
    assert split(["--game", text], {}) == ([], {"game": text})


def test_a_game_may_stand_in_brackets():
    assert spelled('openspiel("go(board_size=9,komi=6.5)")') == (
        "openspiel",
        {"game": "go(board_size=9,komi=6.5)"},
    )
    assert spelled("openspiel(hex)") == ("openspiel", {"game": "hex"})
    assert spelled("nim") == ("nim", {})
    with pytest.raises(UsageError, match="are options"):
        spelled("nim(3)")
