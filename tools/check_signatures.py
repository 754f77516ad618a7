"""Signatures are typed: every function but compiled ones and what stands inside them.

Mypy alone would ask the same of kernels, whose types Numba infers and plain Python varies. Files in a
folder `examples` are written as users write theirs, without types.
Usage: check_signatures.py FOLDER ...
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from house import Function, python_files, syntax, verdict

COMPILED = {
    "bare_entry",
    "bare_kernel",
    "apart",
    "bare_apart",
    "entry",
    "heuristic",
    "inline",
    "intrinsic",
    "kernel",
    "overload",
}
EXAMPLES = "examples"


def decorator_names(function: Function) -> set[str]:
    """`kernel` for each of @kernel, @mm.kernel, @kernel(...)."""
    names = set()
    for decorator in function.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(target, ast.Attribute):
            names.add(target.attr)
        elif isinstance(target, ast.Name):
            names.add(target.id)
    return names


def python_functions(node: ast.AST, in_class: bool = False) -> Iterator[tuple[Function, bool]]:
    """Functions that Python runs, and whether each is a method (under an `if` of its class too)."""
    within = isinstance(node, ast.ClassDef) or (in_class and isinstance(node, ast.If))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            if decorator_names(child) & COMPILED:
                continue
            yield child, within
        yield from python_functions(child, within)


def untyped(function: Function, method: bool) -> list[str]:
    """The arguments without a type, and "return" if what it gives has none."""
    spec = function.args
    arguments = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    arguments += [extra for extra in (spec.vararg, spec.kwarg) if extra]
    if method and "staticmethod" not in decorator_names(function):
        arguments = arguments[1:]
    names = [argument.arg for argument in arguments if argument.annotation is None]
    return names + (["return"] if function.returns is None else [])


def main(folders: list[str]) -> int:
    """Name every function that lacks a type."""
    findings, count = [], 0
    for file in python_files(folders):
        if EXAMPLES in file.parts:
            continue
        for function, method in python_functions(syntax(file)):
            count += 1
            if missing := untyped(function, method):
                place = f"{file}:{function.lineno} {function.name}"
                findings.append(f"{place}: no type for {', '.join(missing)}")
    return verdict("check_signatures", findings, f"{count} functions typed")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
