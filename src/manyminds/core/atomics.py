"""Atomic reads and writes of numbers that several threads share, inside kernels.

The target is a record and the name of one of its fields, or an array and an index into it, so that
`atomic_add(node, "visits", 1)` and `atomic_add(node.values, seat, 0.5)` both work, with `node` a
record of its own or an element `nodes[i]` of a block. The number has 32 or 64 bits; floats are added,
loaded and stored, whole numbers compared and swapped as well. What is passed in is converted to the
type of the number there, and sums of whole numbers wrap round, compiled and interpreted alike.

What is ordered: whoever sees, with `load_acquire` or a successful `compare_and_swap`, what another
thread wrote with `store_release`, `atomic_add` or `compare_and_swap`, also sees all that the other
thread wrote before. In plain Python a lock does the same.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from manyminds.core.errors import nearest

_one_at_a_time = threading.Lock()


def atomic_add(target: Any, where: Any, amount: Any) -> Any:
    """Add to `target[where]`; the number that was there before."""
    with _one_at_a_time:
        old = target[where]
        target[where] = _like(old, amount, old)
    return old


def compare_and_swap(target: Any, where: Any, expected: Any, new: Any) -> bool:
    """Write `new` to `target[where]` if `expected` is there; whether it was. Whole numbers only."""
    with _one_at_a_time:
        old = target[where]
        swapped = bool(old == _like(old, expected))
        if swapped:
            target[where] = _like(old, new)
    return swapped


def load_acquire(target: Any, where: Any) -> Any:
    """The number at `target[where]`; what its writer wrote before it is seen as well."""
    with _one_at_a_time:
        return target[where]


def store_release(target: Any, where: Any, new: Any) -> None:
    """Write `target[where]`; who then loads it also sees all that this thread wrote before."""
    with _one_at_a_time:
        target[where] = _like(target[where], new)


def pause() -> None:
    """Tell the processor that this thread waits for another (x86 and ARM; nothing elsewhere).

    In plain Python: let the other threads run.
    """
    time.sleep(0)


def give_way() -> None:
    """Let another thread have this processor: whom we wait for may stand in the queue for it."""
    time.sleep(0)


def _like(old: Any, value: Any, plus: Any = 0) -> Any:
    """`value + plus` as a number of old's type; whole numbers wrap round as compiled ones do."""
    if isinstance(old, np.floating):
        return type(old)(value + plus)
    bits = old.dtype.itemsize * 8
    wrapped = (int(value) + int(plus)) & ((1 << bits) - 1)
    if isinstance(old, np.signedinteger) and wrapped >> (bits - 1):
        wrapped -= 1 << bits
    return type(old)(wrapped)


# --- what is compiled ----------------------------------------------------------------------------


def _number(target: Any, where: Any, floats: bool = True) -> types.Type:
    """The type of the number meant; refuses at compilation what cannot be atomic there."""
    if isinstance(target, types.Record):
        number = _field(target, where)
    elif isinstance(target, types.Array) and target.ndim == 1 and isinstance(where, types.Integer):
        if not target.mutable or not target.aligned:
            raise TypingError("this array can only be read, or its numbers lie across words")
        number = target.dtype
    else:
        raise TypingError(
            'atomics take a record and the name of a field, atomic_add(node, "visits", 1), or an '
            f"array and an index, atomic_add(node.values, seat, 0.5); not {target} and {where}"
        )
    kinds = (types.Integer, types.Float) if floats else (types.Integer,)
    if not isinstance(number, kinds) or number.bitwidth not in (32, 64):
        names = "whole numbers and floats" if floats else "whole numbers"
        raise TypingError(f"this is atomic for {names} of 32 or 64 bits, not {number}")
    return number


def _field(target: types.Record, where: Any) -> types.Type:
    name = getattr(where, "literal_value", None)
    if not isinstance(name, str):
        raise TypingError("name the field of the record in quotes, where the atomic is called")
    if name not in target.fields:
        raise TypingError(f"the record has no field {name}; {nearest(name, target.fields)}")
    number = target.typeof(name)
    if isinstance(number, types.NestedArray):
        raise TypingError(f"{name} is an array: atomic_add(record.{name}, index, amount)")
    size = getattr(number, "bitwidth", 0) // 8
    if not size or target.offset(name) % size or not target.aligned:
        raise TypingError(f"the field {name} ({number}) does not lie on a boundary of its size")
    return number


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of the number; arguments start with target and where."""
    target, where = signature.args[:2]
    if isinstance(target, types.Record):
        name = where.literal_value
        kind = context.get_data_type(target.typeof(name))
        return cgutils.get_record_member(builder, arguments[0], target.offset(name), kind)
    array = context.make_array(target)(context, builder, arguments[0])
    index = context.cast(builder, arguments[1], where, types.intp)
    return cgutils.get_item_pointer(
        context, builder, target, array, [index], wraparound=where.signed, boundscheck=True
    )


def _cast(context: Any, builder: Any, signature: Any, arguments: Any, place: int, to: Any) -> Any:
    return context.cast(builder, arguments[place], signature.args[place], to)


@intrinsic(prefer_literal=True)
def _add(_context, target, where, amount):
    number = _number(target, where)

    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        value = _cast(context, builder, signature, arguments, 2, number)
        operation = "fadd" if isinstance(number, types.Float) else "add"
        return builder.atomic_rmw(operation, pointer, value, "acq_rel")

    return number(target, where, amount), generate


@intrinsic(prefer_literal=True)
def _swap(_context, target, where, expected, new):
    number = _number(target, where, floats=False)

    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        old = _cast(context, builder, signature, arguments, 2, number)
        value = _cast(context, builder, signature, arguments, 3, number)
        result = builder.cmpxchg(pointer, old, value, "acq_rel", "acquire")
        return builder.extract_value(result, 1)

    return types.boolean(target, where, expected, new), generate


@intrinsic(prefer_literal=True)
def _load(_context, target, where):
    number = _number(target, where)

    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        return builder.load_atomic(pointer, "acquire", number.bitwidth // 8)

    return number(target, where), generate


@intrinsic(prefer_literal=True)
def _store(_context, target, where, new):
    number = _number(target, where)

    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        value = _cast(context, builder, signature, arguments, 2, number)
        builder.store_atomic(value, pointer, "release", number.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(target, where, new), generate


def pause_instruction(triple: str) -> tuple[str, int | None] | None:
    """The LLVM intrinsic by which a processor waits politely, and its argument; None if it has none."""
    processor = triple.split("-")[0]
    if processor in ("x86_64", "i386", "i486", "i586", "i686"):
        return "llvm.x86.sse2.pause", None
    if processor in ("aarch64", "arm64"):
        # `yield`, meant for this, is no wait at all on most of them; a barrier is a short one.
        return "llvm.aarch64.isb", 15
    if processor.startswith(("armv7", "armv8")):
        return "llvm.arm.hint", 1
    return None


@intrinsic
def _pause(_context):
    def generate(context, builder, _signature, _arguments):
        known = pause_instruction(builder.module.triple)
        if known is not None:
            name, argument = known
            values = [] if argument is None else [ir.Constant(ir.IntType(32), argument)]
            kind = ir.FunctionType(ir.VoidType(), [value.type for value in values])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)
        return context.get_dummy_value()

    return types.void(), generate


@overload(atomic_add, prefer_literal=True)
def _atomic_add(target, where, amount):
    _number(target, where)
    return lambda target, where, amount: _add(target, where, amount)


@overload(compare_and_swap, prefer_literal=True)
def _compare_and_swap(target, where, expected, new):
    _number(target, where, floats=False)
    return lambda target, where, expected, new: _swap(target, where, expected, new)


@overload(load_acquire, prefer_literal=True)
def _load_acquire(target, where):
    _number(target, where)
    return lambda target, where: _load(target, where)


@overload(store_release, prefer_literal=True)
def _store_release(target, where, new):
    _number(target, where)
    return lambda target, where, new: _store(target, where, new)


@overload(pause)
def _pause_kernel():
    return lambda: _pause()


@intrinsic
def _give_way(_context):
    def generate(context, builder, _signature, _arguments):
        kind = ir.FunctionType(ir.IntType(32), [])
        function = cgutils.get_or_insert_function(builder.module, kind, "sched_yield")  # POSIX
        builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), generate


@overload(give_way)
def _give_way_kernel():
    return lambda: _give_way()
