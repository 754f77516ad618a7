"""Bundles: what kernels hand on whole."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import pytest

from manyminds.core.bundle import bundle
from manyminds.core.kernel import apart, entry, interpreted


@bundle
class _Pair(NamedTuple):
    numbers: np.ndarray
    more: np.ndarray


@bundle
class _Other(NamedTuple):
    numbers: np.ndarray
    more: np.ndarray


@apart
def _add_one(pair, at):
    pair.more[at] += pair.numbers[at]
    return pair


@entry
def _add_all(pair):
    for at in range(pair.numbers.shape[0]):
        pair = _add_one(pair, at)
    return pair.more.sum()


def _pair(kind):
    return kind(np.arange(4), np.full(4, 10))


@pytest.mark.interpreted
def test_kernels_hand_a_bundle_on_and_back() -> None:
    pair = _pair(_Pair)
    assert _add_all(pair) == 46
    assert pair.more.tolist() == [10, 11, 12, 13]


@pytest.mark.skipif(interpreted(), reason="about compiled code")
def test_a_bundle_is_one_argument() -> None:
    signature = (numba.typeof(_pair(_Pair)), numba.int64)
    _add_one.compile(signature)
    module = _add_one.overloads[signature].library.own_module()
    counts = {
        len(list(function.arguments))
        for function in module.functions
        if not function.is_declaration and "_add_one" in function.name
    }
    assert counts == {4}  # where the result and an error go, the bundle, the place


@pytest.mark.skipif(interpreted(), reason="about compiled code")
def test_two_classes_of_the_same_fields_are_two_types() -> None:
    before = len(_add_all.overloads)
    _add_all(_pair(_Pair))
    _add_all(_pair(_Other))
    assert len(_add_all.overloads) >= before + 1
    assert {str(one[0]).split("(")[0] for one in _add_all.overloads} == {"_Pair", "_Other"}
