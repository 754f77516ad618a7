"""What a compiled function is made of: a hash over all code and constants it can reach.

Two functions with the same fingerprint compile to the same machine code, wherever their callees are
written. Numba's own cache looks at one file only, so that an edited callee leaves a stale caller.
"""

from __future__ import annotations

import collections
import dis
import enum
import functools
import hashlib
import os
import sys
import types
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config
from numba.core.dispatcher import Dispatcher

from manyminds.core.errors import UsageError

_CONSTANTS = (bool, int, float, complex, str, bytes, type(None), slice, types.EllipsisType)
_PLAIN = (*_CONSTANTS, np.dtype, numba.types.Type)
_CORE = str(Path(__file__).parent) + os.sep


def fingerprint(*values: Any) -> str:
    """32 hexadecimal digits over functions, kernel sets and constants, and all that they reach."""
    digest = _Digest()
    for value in values:
        digest.add(value)
    return digest.hash.hexdigest()[:32]


def _hash_of_the_ground() -> str:
    flags = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, sys.version_info[:2])
    versions = (numba.__version__, llvmlite.__version__, np.__version__)
    digest = hashlib.sha256(repr((versions, flags)).encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:32]


# Taken when this is imported: sources edited later are not those that this process runs.
_GROUND = _hash_of_the_ground()


def ground() -> str:
    """A hash of what every kernel stands on: versions, compiler flags, and the sources of `core/`."""
    return _GROUND


class _Digest:
    """Walks functions, their globals and closures, once each."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self._order: dict[int, int] = {}
        self._alive: list[Any] = []  # an object that is gone would free its id for another
        self._strict = True

    def note(self, *words: object) -> None:
        self.hash.update(repr(words).encode())

    def add(self, value: Any, name: str = "") -> None:
        """Take in a value, which a kernel reaches by `name`."""
        if isinstance(value, Dispatcher):
            self._dispatcher(value)
        elif isinstance(value, enum.Enum):
            self.note("enum", type(value).__qualname__, value.name)
            self.add(value.value, f"{name}.value")
        elif isinstance(value, _PLAIN):
            self.note(type(value).__name__, value)
        elif isinstance(value, tuple | list | frozenset):
            self._collection(value, name)
        elif isinstance(value, np.ndarray | np.generic):
            # Not its repr, which leaves out the middle.
            data = hashlib.sha256(value.tobytes()).hexdigest()
            self.note(type(value).__name__, value.dtype, value.shape, data)
        elif hasattr(value, "__kernels__"):
            self._kernels(value.__kernels__())
        else:
            self._other(value, name)

    def _collection(self, values: Collection[Any], name: str) -> None:
        ordered = sorted(values, key=repr) if isinstance(values, frozenset) else values
        self.note(type(values).__name__, len(values))
        for place, value in enumerate(ordered):
            self.add(value, f"{name}[{place}]")

    def _kernels(self, members: dict[str, Any]) -> None:
        for name in sorted(members):
            self.note("member", name)
            self.add(members[name], name)

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
        code = function.__code__
        # Compiled code names the modules that it was made from, and is loaded only where they are.
        self.note("module", function.__module__)
        self._code(code)
        self.add(function.__defaults__, f"a default of {code.co_name}")
        closure = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        scope = collections.ChainMap(
            {name: cell.cell_contents for name, cell in closure.items()}, function.__globals__
        )
        for name in code.co_freevars:
            if not isinstance(scope[name], types.ModuleType):  # of modules, what is taken from them
                self.add(scope[name], name)
        for name, value in _globals_used(code, scope):
            self.add(value, name)

    def _code(self, code: types.CodeType) -> None:
        self.note(code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars)
        self.note(code.co_argcount, code.co_exceptiontable)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._code(constant)
            else:
                self.add(constant)

    def _other(self, value: Any, reached_as: str) -> None:
        """Builtins, classes and extensions of the compiler: by name, and by the text of their file.

        What stands in `core/` needs no text here: all of it is in `ground`.
        """
        function = getattr(value, "_defn", value)  # an intrinsic keeps its function there
        name = getattr(function, "__qualname__", None)
        module = getattr(function, "__module__", None)
        if name is None or module is None:
            self._refuse(value, reached_as)
            return
        self.note("name", module, name)
        if _from_the_compiler(module):
            return
        file = _file_of(module)
        if file is not None and file.startswith(_CORE):
            return
        self.note("text", file and _text_hash(file))
        if isinstance(value, enum.EnumMeta):
            members: dict[str, Any] = dict(value.__members__)
            for word, member in members.items():
                self.add(member, f"{name}.{word}")
        if isinstance(function, types.FunctionType) and not self._seen(function):
            self._stand_in(function)

    def _stand_in(self, function: types.FunctionType) -> None:
        """A plain function that a kernel names stands for what `overload` compiles instead of it.

        Where that is the function itself (`register_jitable`), what it reaches matters; where it is
        not, the function may reach what no kernel could, so nothing in it is refused.
        """
        strict, self._strict = self._strict, False
        self._function(function)
        self._strict = strict

    def _refuse(self, value: Any, name: str) -> None:
        if not self._strict:
            self.note("type", type(value).__qualname__)
            return
        raise UsageError(
            f"a kernel reaches {name or repr(value)} of type {type(value).__name__}, which cannot be told "
            "apart from another of its kind; pass it as an argument, or make it a number, a string, "
            "a tuple or an array"
        )


@functools.cache
def _text_hash(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _file_of(module: str) -> str | None:
    file = getattr(sys.modules.get(module), "__file__", None)
    return file if file and os.path.isfile(file) else None


def _from_the_compiler(module: str) -> bool:
    return module.split(".")[0] in ("numba", "numpy", "math", "builtins", "llvmlite")


def _globals_used(code: types.CodeType, scope: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What the code loads from its module, with names; `module.name` is followed to the name.

    A module that is put elsewhere first (`m = module`) gives every name that the code could take
    from it.
    """
    name, value = "", None
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_DEREF"):
            yield from _names_in(name, value, code)
            name, value = instruction.argval, scope.get(instruction.argval)
            if instruction.opname == "LOAD_DEREF" and not isinstance(value, types.ModuleType):
                value = None  # its value is noted with the closure
        elif isinstance(value, types.ModuleType):
            if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                name = f"{name}.{instruction.argval}"
                value = getattr(value, instruction.argval, None)
            elif instruction.opname not in ("CACHE", "PUSH_NULL", "PRECALL"):
                yield from _names_in(name, value, code)
                value = None
        if value is not None and not isinstance(value, types.ModuleType):
            yield name, value
            value = None
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _globals_used(constant, scope)


def _names_in(name: str, value: Any, code: types.CodeType) -> Iterator[tuple[str, Any]]:
    if isinstance(value, types.ModuleType):
        for attribute in code.co_names:
            if not isinstance(getattr(value, attribute, None), types.ModuleType | None):
                yield f"{name}.{attribute}", getattr(value, attribute)
