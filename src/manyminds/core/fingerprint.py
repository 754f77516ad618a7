"""What a compiled function is made of: a hash over all code and constants it can reach.

Two functions with the same fingerprint compile to the same machine code, wherever their callees are
written. Numba's own cache looks at one file only, so that an edited callee leaves a stale caller.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config
from numba.core.dispatcher import Dispatcher

_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.dtype, np.generic, numba.types.Type)


def fingerprint(*values: Any) -> str:
    """32 hexadecimal digits over functions, kernel sets and constants, and all that they reach."""
    digest = _Digest()
    for value in values:
        digest.add(value)
    return digest.hash.hexdigest()[:32]


@functools.cache
def ground() -> str:
    """A hash of what every kernel stands on: versions, compiler flags, and the sources of `core/`."""
    flags = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, sys.version_info[:2])
    digest = hashlib.sha256(repr((numba.__version__, llvmlite.__version__, np.__version__, flags)).encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:32]


class _Digest:
    """Walks functions, their globals and closures, once each."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self._order: dict[int, int] = {}
        self._alive: list[Any] = []  # an object that is gone would free its id for another

    def note(self, *words: object) -> None:
        self.hash.update(repr(words).encode())

    def add(self, value: Any) -> None:
        if isinstance(value, Dispatcher):
            self._dispatcher(value)
        elif isinstance(value, _PLAIN):
            self.note(type(value).__name__, value)
        elif isinstance(value, tuple | list | frozenset):
            self._collection(value)
        elif isinstance(value, np.ndarray):
            self.note("array", value.dtype, value.shape, hashlib.sha256(value.tobytes()).hexdigest())
        elif hasattr(value, "__kernels__"):
            self._kernels(value.__kernels__())
        else:
            self._other(value)

    def _collection(self, values: tuple | list | frozenset) -> None:
        ordered = sorted(values, key=repr) if isinstance(values, frozenset) else values
        self.note(type(values).__name__, len(values))
        for value in ordered:
            self.add(value)

    def _kernels(self, members: dict[str, Any]) -> None:
        for name in sorted(members):
            self.note("member", name)
            self.add(members[name])

    def _seen(self, value: Any) -> bool:
        """True for a second meeting; both meetings are noted by order of the first, so recursion ends."""
        met = id(value) in self._order
        self.note("place", self._order.setdefault(id(value), len(self._order)))
        self._alive.append(value)
        return met

    def _dispatcher(self, dispatcher: Dispatcher) -> None:
        if self._seen(dispatcher):
            return
        options = dispatcher.targetoptions
        self.note("options", sorted((key, repr(options[key])) for key in options))
        self._function(dispatcher.py_func)

    def _function(self, function: types.FunctionType) -> None:
        self._code(function.__code__)
        self.note("defaults", repr(function.__defaults__))
        for value in _globals_used(function.__code__, function.__globals__):
            self.add(value)
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)

    def _code(self, code: types.CodeType) -> None:
        self.note(code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._code(constant)
            else:
                self.note(constant)

    def _other(self, value: Any) -> None:
        """Builtins, classes and compiler extensions: by name, ours by the text of their file as well."""
        if isinstance(value, types.ModuleType):
            self.note("module", value.__name__)
            return
        function = getattr(value, "_defn", value)  # an intrinsic keeps its function there
        name, module = getattr(function, "__qualname__", None), getattr(function, "__module__", None)
        if name is None or module is None:
            raise TypeError(
                f"a kernel reaches {value!r} of type {type(value).__name__}, which cannot be told apart "
                "from another of its kind; pass it as an argument or make it a number, string, tuple or array"
            )
        self.note("name", module, name)
        if isinstance(function, types.FunctionType) and not _from_the_compiler(module):
            if not self._seen(function):
                self._function(function)


def _from_the_compiler(module: str) -> bool:
    return module.split(".")[0] in ("numba", "numpy", "math", "builtins", "llvmlite")


def _globals_used(code: types.CodeType, scope: dict[str, Any]) -> Iterator[Any]:
    """Values that the code loads from its module; `module.name` is followed to the name."""
    value: Any = None
    for instruction in dis.get_instructions(code):
        name = instruction.argval
        if instruction.opname == "LOAD_GLOBAL":
            value = scope.get(name)
            if value is not None and not isinstance(value, types.ModuleType):
                yield value
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, types.ModuleType):
            value = getattr(value, name, None)
            if value is not None and not isinstance(value, types.ModuleType):
                yield value
        elif instruction.opname not in ("CACHE", "PUSH_NULL", "PRECALL"):
            value = None
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _globals_used(constant, scope)
