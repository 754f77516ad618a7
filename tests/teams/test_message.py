"""Messages: what was packed is unpacked, and nothing else is believed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.teams.message import (
    HEADER_BYTES,
    MOST_BYTES,
    REASONS,
    Message,
    Refused,
    root_hash,
)

whole = st.integers
messages = st.builds(
    Message,
    kind=whole(0, 255),
    sender=whole(0, 255),
    tick=whole(0, 2**32 - 1),
    root=whole(0, 2**32 - 1),
    number=whole(0, 2**16 - 1),
    payload=st.binary(max_size=300),
    flags=whole(0, 1),
)


@given(messages)
def test_a_message_survives_its_bytes(message):
    assert Message.unpack(message.pack()) == message


@given(st.binary(max_size=80))
def test_any_bytes_are_a_message_or_refused_for_a_known_reason(data):
    try:
        again = Message.unpack(data).pack()
    except Refused as refused:
        again, reason = data, refused.reason
    else:
        reason = "garbage"
    assert again == data
    assert reason in REASONS


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "truncated"),
        (bytes(HEADER_BYTES - 1), "truncated"),
        (bytes(HEADER_BYTES), "version"),
        (bytes([2]) + bytes(HEADER_BYTES), "version"),
        (bytes([1, 1, 0, 2]) + bytes(HEADER_BYTES), "garbage"),
        (bytes([1]) + bytes(MOST_BYTES), "long"),
    ],
)
def test_refusals_say_why(data, reason):
    with pytest.raises(Refused) as refused:
        Message.unpack(data)
    assert refused.value.reason == reason


def test_positions_and_matches_have_hashes_of_their_own():
    hashes = {root_hash(bytes([k]) * 40, match) for k in range(100) for match in range(100)}
    # 10,000 hashes of 32 bits: the chance of any two equal ones is 1.2 %, of two such pairs 0.007 %.
    assert len(hashes) >= 9_999
