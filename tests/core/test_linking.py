"""Inner kernels are linked once, where an entry needs them, and only what is said to be merged is."""

from __future__ import annotations

import gc

import numba
import numpy as np
import pytest

from manyminds.core import linking
from manyminds.core.kernel import bare_apart, bare_kernel, entry, inline, interpreted

pytestmark = pytest.mark.skipif(interpreted(), reason="about compiled code")


@bare_kernel
def _low(x):
    return x * 3 + 1


@bare_kernel
def _drops_its_call(x):
    if False:  # the call is gone before anything is linked
        return _low(x)
    return x


@bare_kernel
def _again(x, depth):
    return x if depth == 0 else _again(_low(x), depth - 1)


@bare_apart
def _apart(x):
    return _low(x) - 1


@bare_kernel
def _under_a_merged_one(x):
    total = x
    for k in range(int(x)):
        total += k * k % 7
    return total


@inline
def _merged(x):
    return _under_a_merged_one(x) + 1


@entry
def _reaches_all(x, out):
    out[0] = _drops_its_call(x)
    out[1] = _again(x, 3)
    out[2] = _apart(x)
    out[3] = _merged(x)
    out[4] = _low(x)


def test_an_entry_computes_what_its_functions_do_in_plain_python() -> None:
    out = np.zeros(5, np.int64)
    _reaches_all(5, out)
    third = ((5 * 3 + 1) * 3 + 1) * 3 + 1
    merged = 5 + sum(k * k % 7 for k in range(5)) + 1
    assert out.tolist() == [5, third, 15, merged, 16]


def _functions(dispatcher: object) -> set[str]:
    (made,) = dispatcher.overloads.values()  # type: ignore[attr-defined]
    module = made.library._final_module
    return {one.name for one in module.functions if not one.is_declaration}


def _compiled(*kernels: object) -> list[object]:
    """All versions of some kernels; compiled here, where the entry came from disk."""
    for one in kernels:
        if not one.overloads:  # type: ignore[attr-defined]
            one.compile((numba.int64,))  # type: ignore[attr-defined]
    return [made for one in kernels for made in one.overloads.values()]  # type: ignore[attr-defined]


def _linked_before_optimising(monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], list[str]]:
    """For a fresh entry: how often each inner kernel was linked, and what stays a function of its own."""
    times: dict[object, int] = {}
    link = linking._link

    def count(module: object, library: object) -> None:
        times[library] = times.get(library, 0) + 1
        link(module, library)

    monkeypatch.setattr(linking, "_link", count)

    @entry
    def fresh(x):
        return _merged(x) + _apart(x) + _low(x) + _again(x, 2)

    fresh._cache = type(fresh._cache)(fresh)
    fresh._cache.load_overload = lambda *_: None
    assert fresh(4) > 0
    return list(times.values()), sorted(_functions(fresh))


def test_each_kernel_is_linked_once_and_an_apart_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    times, functions = _linked_before_optimising(monkeypatch)
    assert times
    assert set(times) == {1}
    assert any("_apart" in name for name in functions)
    assert not any("7_merged" in name for name in functions)


def test_what_a_merged_kernel_calls_is_not_merged_for_that() -> None:
    _reaches_all(5, np.zeros(5, np.int64))
    made = {one.library.name: one.fndesc.inline for one in _compiled(_under_a_merged_one, _merged)}
    assert made == {"_under_a_merged_one": False, "_merged": True}


@bare_kernel
def _shifted(value, by):
    return value + by


@bare_kernel
def _with_numbers(value):
    return _shifted(value, 1) + _shifted(value, 2) + _shifted(0, value)


def test_numbers_that_stand_in_the_code_cost_no_compilation_each() -> None:
    _with_numbers.compile((numba.int64,))
    assert len(_shifted.overloads) == 1


class _Fails:
    """No type that a kernel knows."""


def test_garbage_is_collected_again_after_a_compilation_that_fails() -> None:
    @entry
    def refused(value):
        return value + _Fails

    with pytest.raises(numba.TypingError):
        refused(1)
    assert gc.isenabled()
