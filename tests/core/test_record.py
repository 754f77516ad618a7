"""Records: their types, their bytes, their copies, compiled and interpreted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.errors import UsageError
from manyminds.core.kernel import entry
from manyminds.core.record import Record, copy_record, record

TYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64"),
]
POINT = record(x="int16", y="int16")
WHOLE = record(turn="int8", heaps="uint8[3]", grid="float32[2][3]", corner=POINT, count="uint64")
pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("sizes", "shape"), [("", ()), ("[3]", (3,)), ("[2][5]", (2, 5))])
def test_every_type_is_numpys_of_that_name(kind, sizes, shape):
    field = record(first="uint8", field=kind + sizes).dtype["field"]
    assert field.base == np.dtype(kind)
    assert field.shape == shape


@pytest.mark.parametrize("kind", TYPES)
def test_fields_lie_on_boundaries_of_their_size(kind):
    shape = record(small="uint8", field=kind, last="uint8").dtype
    size = np.dtype(kind).itemsize
    assert shape.fields["field"][1] == size
    assert shape.isalignedstruct
    assert shape.itemsize == 3 * size


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "int",
        "int12",
        "uint8[]",
        "uint8[-1]",
        "uint8[3",
        "float16",
        "float8",
        "str",
        " int8",
        "int8 ",
    ],
)
def test_other_types_are_refused(kind):
    with pytest.raises(UsageError, match="field heaps has type"):
        record(heaps=kind)


@pytest.mark.parametrize("name", ["size", "copy", "data", "item", "T", "shape", "max"])
def test_names_that_numpy_uses_are_refused(name):
    with pytest.raises(UsageError, match=f'cannot be called "{name}"'):
        record(**{name: "int8"})


def test_a_record_has_fields():
    with pytest.raises(UsageError, match="at least one field"):
        record()


def test_a_new_record_is_zero_and_its_fields_are_attributes():
    value = WHOLE.new()
    assert not any(value.tobytes())
    value.corner.y = -5
    value.heaps[:] = 3, 4, 5
    assert (value["corner"]["y"], value.heaps.tolist(), value.turn) == (-5, [3, 4, 5], 0)


def test_two_records_share_no_memory():
    first, second = WHOLE.new(), WHOLE.new()
    first.turn = 1
    assert second.turn == 0
    block = WHOLE.block(3)
    block[1].turn = 7
    assert [value.turn for value in block] == [0, 7, 0]


@given(st.binary(min_size=WHOLE.dtype.itemsize, max_size=WHOLE.dtype.itemsize))
def test_bytes_come_back_as_they_were(data):
    value = WHOLE.unpack(data)
    assert WHOLE.pack(value) == data
    value.turn = 1 - (value.turn & 1)  # in memory of its own, which can be written
    assert WHOLE.unpack(data).tobytes() == data


@pytest.mark.parametrize("wrong", [-WHOLE.dtype.itemsize, -1, 1, WHOLE.dtype.itemsize])
def test_bytes_of_another_length_are_refused(wrong):
    size = WHOLE.dtype.itemsize
    with pytest.raises(UsageError, match=f"has {size} bytes, not {size + wrong}"):
        WHOLE.unpack(bytes(size + wrong))


@entry
def copy(to, source):
    copy_record(to, source)


@entry
def copy_in_block(block):
    copy_record(block[2], block[0])


@pytest.mark.parametrize("copying", [copy, copy_record])
def test_a_copy_has_all_fields_and_stays_when_the_source_changes(copying):
    source, to = WHOLE.unpack(bytes(range(WHOLE.dtype.itemsize))), WHOLE.new()
    copying(to, source)
    for name in WHOLE.dtype.names:
        assert to[name].tobytes() == source[name].tobytes()
    source.heaps[1] += 1
    assert to.heaps[1] != source.heaps[1]


def test_elements_of_a_block_are_copied_in_place():
    block = WHOLE.block(4)
    block[0].heaps[:] = 1, 2, 3
    copy_in_block(block)
    assert block["heaps"].tolist() == [[1, 2, 3], [0] * 3, [1, 2, 3], [0] * 3]


def test_the_shape_tells_its_fields():
    assert repr(POINT) == "record(x, y)"
    assert isinstance(POINT, Record)
