"""What pages say is understood or refused; nothing else happens."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.apps.web import protocol
from manyminds.apps.web.limits import MESSAGE_BYTES
from manyminds.apps.web.protocol import read_said, read_wish
from manyminds.apps.web.refused import Refused

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
WORDS = [
    "sit",
    "play",
    "resign",
    "undo",
    "answer",
    "mark",
    "agree",
    "play-on",
    "hint",
    "look",
    "rename",
]
FIELDS = ["key", "move", "number", "yes", "point", "dead", "name", "more"]


@pytest.mark.parametrize(
    "said",
    [
        protocol.Play("E5", 12),
        protocol.Answer(True),
        protocol.Agree(("A1", "B2")),
        protocol.Sit("k" * 32),
        protocol.PlayOn(),
    ],
)
def test_a_message_is_read_as_it_was_written(said):
    assert read_said(msgspec.json.encode(said).decode()) == said


@given(st.text() | st.binary())
def test_noise_is_refused(noise):
    with pytest.raises(Refused):
        read_said(noise)


@given(JSON)
def test_any_json_is_a_message_or_refused(value):
    try:
        said = read_said(msgspec.json.encode(value))
    except Refused:
        return
    assert isinstance(said, protocol.Said)


@given(st.sampled_from(WORDS), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4))
def test_known_words_with_any_fields_are_bounded_or_refused(word, fields):
    try:
        said = read_said(msgspec.json.encode({"say": word} | fields))
    except Refused:
        return
    for value in msgspec.structs.astuple(said):
        assert not isinstance(value, str) or len(value) <= 64
        assert not isinstance(value, tuple) or len(value) <= 100
        assert not isinstance(value, int) or 0 <= value <= 2048


def test_what_is_long_is_not_even_read():
    with pytest.raises(Refused, match=f"{MESSAGE_BYTES} characters"):
        read_said('{"say":"rename","name":"' + "x" * MESSAGE_BYTES + '"}')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"say":"play","move":"E5","number":-1}', "number"),
        ('{"say":"play","move":"E5","number":1,"seat":2}', "seat"),
        ('{"say":"dance"}', "dance"),
        ('{"say":"play","move":7,"number":1}', "move"),
        ("[" * 900, ""),
    ],
)
def test_a_refusal_says_what_is_wrong(text, why):
    with pytest.raises(Refused) as caught:
        read_said(text)
    assert why in caught.value.reason


@given(JSON)
def test_any_wish_is_a_table_or_refused(value):
    try:
        wish = read_wish(msgspec.json.encode(value))
    except Refused:
        return
    assert len(wish.seats) <= 6


def test_a_wish_is_bounded():
    with pytest.raises(Refused):
        read_wish(msgspec.json.encode({"seats": [{}] * 7}))
    with pytest.raises(Refused):
        read_wish(msgspec.json.encode({"seats": [{}, {}], "width": 20}))
