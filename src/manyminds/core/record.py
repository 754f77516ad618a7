"""Records: what kernels work on. One structured value with named fields, laid out as a C struct.

Copying, sending and storing a record is copying its bytes.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from manyminds.core.errors import UsageError

_FIELD = re.compile(r"(bool|u?int(?:8|16|32|64)|float(?:32|64))((?:\[\d+\])*)")


class Record:
    """The shape of a record: field names with types such as `"uint8[3]"`, or other records."""

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = np.dtype((np.record, dtype))

    def new(self) -> Any:
        """A record full of zeros, in memory of its own."""
        return self.block(1)[0]

    def block(self, n: int) -> np.recarray:
        """n records full of zeros, one behind the other."""
        return np.zeros(n, self.dtype).view(np.recarray)

    def pack(self, value: Any) -> bytes:
        """The record's bytes."""
        return value.tobytes()

    def unpack(self, data: bytes) -> Any:
        """The record whose bytes these are, in memory of its own."""
        if len(data) != self.dtype.itemsize:
            raise UsageError(
                f"a record of this kind has {self.dtype.itemsize} bytes, not {len(data)}"
            )
        return np.frombuffer(bytearray(data), self.dtype).view(np.recarray)[0]

    def __repr__(self) -> str:
        return f"record({', '.join(self.dtype.names or ())})"


def record(**fields: str | Record) -> Record:
    """A record's shape: `record(heaps="uint8[3]", turn="int8")`."""
    if not fields:
        raise UsageError('a record needs at least one field, such as record(turn="int8")')
    return Record(np.dtype([_field(name, kind) for name, kind in fields.items()], align=True))


def _field(name: str, kind: str | Record) -> tuple[Any, ...]:
    if hasattr(np.record, name):
        # In plain Python the attribute would be read instead of the field, compiled the field.
        raise UsageError(
            f'a field cannot be called "{name}": every NumPy record has an attribute of that name; '
            f'call it "{name}_" or by another word'
        )
    if isinstance(kind, Record):
        return name, kind.dtype
    match = _FIELD.fullmatch(kind)
    if match is None:
        raise UsageError(
            f'field {name} has type "{kind}"; types are bool, int8 to int64, uint8 to uint64, float32 '
            'and float64, with sizes behind: "uint8[3]" or "int16[8][8]"'
        )
    shape = tuple(int(size) for size in re.findall(r"\d+", match[2]))
    return (name, match[1], shape) if shape else (name, match[1])


def copy_record(to: Any, source: Any) -> None:
    """Overwrite a record with another of the same shape; in kernels, one copy of memory."""
    for name in to.dtype.names:
        to[name] = source[name]


def copy_head(to: Any, source: Any, field: str) -> None:
    """Overwrite all fields that come before `field`, a literal; in kernels, one copy of memory."""
    for name in to.dtype.names[: to.dtype.names.index(field)]:
        to[name] = source[name]


def copy_of(value: Any) -> Any:
    """A record or an array in memory of its own."""
    if isinstance(value, np.ndarray):
        return value.copy()
    return np.frombuffer(bytearray(value.tobytes()), value.dtype).view(np.recarray)[0]


@intrinsic(prefer_literal=True)
def _copy_memory(_context, to, source, field):
    size = to.offset(field.literal_value) if field.literal_value else to.size

    def generate(context, builder, _signature, arguments):
        cgutils.raw_memcpy(
            builder, arguments[0], arguments[1], context.get_constant(types.intp, size), 1
        )
        return context.get_dummy_value()

    return types.void(to, source, field), generate


@overload(copy_record, inline="always")
def _copy_record(to, source):
    if isinstance(to, types.Record) and to == source:
        return lambda to, source: _copy_memory(to, source, "")
    return None


@overload(copy_head, inline="always", prefer_literal=True)
def _copy_head(to, source, field):
    if isinstance(to, types.Record) and to == source:
        return lambda to, source, field: _copy_memory(to, source, field)
    return None
