"""How a kernel asks Python: what a game's rules need that stands in somebody else's library.

    answer(key, handler)                          in Python, once a process
    n = ask(key, WHAT, state, out, 3, seed)       in a kernel, or in plain Python

The handler is called as `handler(question, record, about, first, second) -> int`, with the addresses of
the record and of `about` (an array or another record), where it reads and writes memory as their shapes
say; its answer is above 0, or 0 where the kernel must stop at once. `key` is a constant of the kernel's:
machine code holds no address of a process, so that it can be kept on disk. One crossing takes about a
microsecond and holds the interpreter's lock; a kernel that crosses must be compiled with `kernel`, `inline`
or an entry, as others are.

What a handler raises ends the kernel with `NoAnswer`.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from manyminds.core.errors import Failure

Handler = Callable[[int, int, int, int, int], int]

_SYMBOL = "manyminds_crossing"
_handlers: dict[int, Handler] = {}


class _Thread(threading.local):
    """What the last handler of this thread raised."""

    raised: BaseException | None = None


_thread = _Thread()


class NoAnswer(Failure):
    """A handler failed; its error is the cause of this one. What is no error (an interrupt) is raised itself.

    Kernels raise classes; Python makes an object of it, or two, when the kernel has ended.
    """

    def __init__(self) -> None:
        cause = _thread.raised
        if cause is not None and not isinstance(cause, Exception):
            raise cause
        super().__init__(str(cause) if cause else "what a kernel asked of Python has no answer")
        self.__cause__ = cause


def answer(key: int, handler: Handler) -> None:
    """Let `handler` answer what kernels ask under this key, a number of 63 bits."""
    _handlers[key] = handler


def ask(key: Any, question: Any, record: Any, about: Any, first: Any, second: Any) -> int:
    """Ask the handler of `key`; its answer. Here the plain form; kernels get the compiled one."""
    given = _cross_plainly(
        int(key), int(question), address_of(record), address_of(about), int(first), int(second)
    )
    if given <= 0:
        raise NoAnswer
    return given


def address_of(value: Any) -> int:
    """Where a record's or an array's bytes stand."""
    if isinstance(value, np.ndarray):
        return int(value.ctypes.data)
    return int(np.frombuffer(value, np.uint8).ctypes.data)


def _cross_plainly(
    key: int, question: int, record: int, about: int, first: int, second: int
) -> int:
    """What compiled code calls. No error must leave it: C has none."""
    try:
        return _handlers[key](question, record, about, first, second)
    except BaseException as error:  # noqa: BLE001 - it leaves the kernel with NoAnswer
        _thread.raised = error
        return 0


_cross = ctypes.CFUNCTYPE(
    ctypes.c_int64,  # the answer
    ctypes.c_int64,  # key
    ctypes.c_int64,  # question
    ctypes.c_size_t,  # the address of the record
    ctypes.c_size_t,  # and of what else is passed
    ctypes.c_int64,
    ctypes.c_int64,
)(_cross_plainly)
llvm.add_symbol(_SYMBOL, ctypes.cast(_cross, ctypes.c_void_p).value)


# --- what is compiled ----------------------------------------------------------------------------


def _address(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Record):
        return builder.ptrtoint(value, ir.IntType(64))
    data = context.make_array(kind)(context, builder, value).data
    return builder.ptrtoint(data, ir.IntType(64))


@intrinsic
def _ask(_context, key, question, record, about, first, second):
    if not all(isinstance(kind, types.Record | types.Array) for kind in (record, about)):
        raise TypingError(
            "a crossing takes records and arrays: ask(key, question, record, about, 1, 2)"
        )

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        values = []
        for kind, value in zip(signature.args, arguments, strict=True):
            if isinstance(kind, types.Record | types.Array):
                values.append(_address(context, builder, kind, value))
            else:
                values.append(context.cast(builder, value, kind, types.int64))
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, [word] * 6), _SYMBOL
        )
        return builder.call(function, values)

    return types.int64(key, question, record, about, first, second), generate


@overload(ask)
def _ask_kernel(key, question, record, about, first, second):
    def asked(key, question, record, about, first, second):
        given = _ask(key, question, record, about, first, second)
        if given <= 0:
            raise NoAnswer
        return given

    return asked
