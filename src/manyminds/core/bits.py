"""Sets of small numbers as the bits of a word."""

from __future__ import annotations

from numba.core import types
from numba.extending import intrinsic, overload


def lowest_bit(word: int) -> int:
    """The place of the lowest bit that is set; there is one."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _trailing_zeros(_context, word):
    def generate(context, builder, signature, arguments):
        wide = context.cast(builder, arguments[0], word, types.uint64)
        zeros = builder.cttz(wide, context.get_constant(types.boolean, True))
        return context.cast(builder, zeros, types.uint64, types.int64)

    return types.int64(word), generate


@overload(lowest_bit, inline="always")
def _lowest_bit(word):
    if isinstance(word, types.Integer):
        return lambda word: _trailing_zeros(word)
    return None
