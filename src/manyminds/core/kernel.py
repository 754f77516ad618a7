"""The decorators that every compiled function of the project wears.

By who calls them:

- `inline`: a leaf helper, always merged into its caller (a fifth of the speed of a Go playout).
- `kernel`: a piece of compiled code that other kernels call.
- `entry`: what Python calls; compiled once and kept on disk.

`bare_kernel` and `bare_entry` are for hot loops that make no arrays: they do not count references to the
arrays they are given (a third of the time that a search spends in its tree). A `kernel` called from
there may make arrays all the same.

All run without the interpreter lock. With `NUMBA_DISABLE_JIT=1` they are the plain Python functions,
to read, debug and count coverage.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config
from numba.core.registry import CPUDispatcher

from manyminds.core.cache import KernelCache
from manyminds.core.linking import ApartCompiler, EntryCompiler, InnerCompiler

F = TypeVar("F", bound=Callable[..., Any])

# "numpy" leaves out the test for division by zero, which no kernel needs: all divisors are counts > 0.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def interpreted() -> bool:
    """True when kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)."""
    return bool(config.DISABLE_JIT)


if interpreted():
    # Random numbers multiply modulo 2**64 on purpose; compiled code does so without a word.
    np.seterr(over="ignore")


class _Inner(CPUDispatcher):
    """A compiled function that only compiled functions call, and so has no entrance for Python.

    Leaving the entrances out spares a third of the time to compile. A call from Python (in a test, at a
    prompt) is answered all the same, by a twin that has one.
    """

    twin: Any = None

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How a kernel calls this one. A number that stands in the caller's code is a number as any other.

        Numba would compile the function for 0, for 1 and for unknown numbers: up to five times.
        """
        plain = {name: numba.types.unliteral(kind) for name, kind in dict(kws).items()}
        return super().get_call_template(tuple(map(numba.types.unliteral, args)), plain)

    def __call__(self, *arguments: Any) -> Any:
        if self.twin is None:
            self.twin = numba.njit(**_OPTIONS)(self.py_func)
        return self.twin(*arguments)


def _inner(function: F, compiler: type[Any] = InnerCompiler, **options: Any) -> F:
    # Said of every one: where it is not, the compiler merges what a merged function calls, and all below.
    options = {"forceinline": False} | options
    dispatcher = numba.njit(
        **_OPTIONS,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=compiler,
        **options,
    )(function)
    if not interpreted():
        dispatcher.__class__ = _Inner
    return dispatcher


def kernel(function: F) -> F:
    """Compile a function that other kernels call."""
    return _inner(function, _nrt=True)


def bare_kernel(function: F) -> F:
    """Compile a function that other kernels call and that makes no arrays; as bare as its caller is."""
    return _inner(function)


def apart(function: F) -> F:
    """A `kernel` that is never merged into its callers, however few: for large ones that run for long.

    The time to compile a function grows faster than its length.
    """
    return _inner(function, ApartCompiler, _nrt=True)


def bare_apart(function: F) -> F:
    """The same for one that makes no arrays and counts no references, whatever its caller does."""
    return _inner(function, ApartCompiler, _nrt=False)


def inline(function: F) -> F:
    """Compile a leaf helper that makes no arrays, and merge it into every caller. Must not be recursive."""
    return _inner(function, forceinline=True)


def entry(function: F) -> F:
    """Compile a function that Python calls and keep the machine code on disk."""
    return _entry(function)


def bare_entry(function: F) -> F:
    """The same for a function that makes no arrays and calls no `inline` that does."""
    return _entry(function, _nrt=False)


def _entry(function: F, **options: Any) -> F:
    dispatcher = numba.njit(
        **_OPTIONS, no_cfunc_wrapper=True, pipeline_class=EntryCompiler, **options
    )(function)
    if not interpreted():
        dispatcher._cache = KernelCache(dispatcher)
    return dispatcher
