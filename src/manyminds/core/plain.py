"""Kernels as plain Python, in a process that compiles: what they say is compared with what they do.

`plain(kernel)` is the function as it was written, in which every other kernel that it reaches, through
globals, closures, modules and sets of kernels, is plain Python as well. Constants and arrays are the
same objects. It is what `NUMBA_DISABLE_JIT=1` would run, without another process and without importing
the person's file again, so that it works for games that are made by functions, too.
"""

from __future__ import annotations

import types
from typing import Any

from numba.core.dispatcher import Dispatcher

from manyminds.core.kernel_set import Kernels


class PlainKernels(types.SimpleNamespace):
    """A set of kernels whose members are plain Python."""


def plain(value: Any) -> Any:
    """A kernel, or a set of kernels, as plain Python; anything else as it is."""
    copier = _Copier()
    copy = copier.copy(value)
    copier.fill()
    return copy


class _Copier:
    """Copies each function and each module's globals once, so that recursion ends.

    A copy is known before what it reaches is copied; `fill` does that for one scope after the other.
    """

    def __init__(self) -> None:
        self._copies: dict[int, Any] = {}
        self._alive: list[Any] = []  # an object that is gone would free its id for another
        self._unfilled: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._cells: list[tuple[types.CellType, types.CellType]] = []

    def copy(self, value: Any) -> Any:
        if isinstance(value, tuple):
            copies = [self.copy(each) for each in value]
            changed = any(new is not old for new, old in zip(copies, value, strict=True))
            return tuple(copies) if changed else value
        if not isinstance(value, Dispatcher | Kernels | types.ModuleType):
            return value
        if id(value) not in self._copies:
            self._alive.append(value)
            self._copies[id(value)] = self._begin(value)
        return self._copies[id(value)]

    def fill(self) -> None:
        """Copy what the copies reach, and what that reaches."""
        while self._unfilled or self._cells:
            while self._cells:
                cell, new = self._cells.pop()
                new.cell_contents = self.copy(cell.cell_contents)
            if self._unfilled:
                scope, copy = self._unfilled.pop()
                copy.update({name: self.copy(value) for name, value in scope.items()})

    def _begin(self, value: Any) -> Any:
        """The copy of a value, with what it reaches still to be filled in."""
        if isinstance(value, Dispatcher):
            return self._function(value.py_func)
        copy: Any = PlainKernels()
        scope = vars(value)
        if isinstance(value, Kernels):
            scope = value.__kernels__()
        elif not any(isinstance(member, Dispatcher | Kernels) for member in scope.values()):
            return value
        else:
            copy = types.ModuleType(value.__name__, value.__doc__)
        self._unfilled.append((scope, vars(copy)))
        return copy

    def _function(self, function: types.FunctionType) -> types.FunctionType:
        names = function.__code__.co_freevars
        cells = {name: types.CellType() for name in names}
        for name, old in zip(names, function.__closure__ or (), strict=True):
            self._cells.append((old, cells[name]))
        scope = self._globals(function.__globals__)
        name, defaults = function.__name__, function.__defaults__
        return types.FunctionType(function.__code__, scope, name, defaults, tuple(cells.values()))

    def _globals(self, scope: dict[str, Any]) -> dict[str, Any]:
        if id(scope) not in self._copies:
            self._alive.append(scope)
            self._copies[id(scope)] = {}
            self._unfilled.append((scope, self._copies[id(scope)]))
        return self._copies[id(scope)]
