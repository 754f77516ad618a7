"""Kernels as plain Python beside the compiled ones."""

import types

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from manyminds.core import random
from manyminds.core.kernel import inline, interpreted, kernel
from manyminds.core.kernel_set import Kernels
from manyminds.core.plain import plain
from manyminds.core.random import draw, generator

pytestmark = pytest.mark.skipif(interpreted(), reason="there, kernels are plain Python already")
calls = []


@inline
def step(x):
    return np.uint8(x) + np.uint8(100)


@kernel
def through_globals(x):
    return step(x)


@kernel
def through_a_module(rng):
    return random.draw(rng)


@kernel
def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


@kernel
def even(n):
    return True if n == 0 else odd(n - 1)


@kernel
def odd(n):
    return False if n == 0 else even(n - 1)


def closing_over(function, pair):
    @kernel
    def through_a_closure(x):
        return function(x), pair[1](x)

    return through_a_closure


def dispatchers_met(function):
    """Whether anything compiled is reached from a plain function's globals and closure."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return [
        value for value in [*function.__globals__.values(), *cells] if isinstance(value, Dispatcher)
    ]


def test_wraps_as_numpy_does_and_not_as_compiled_code_does():
    """The known difference: a sum of two small numbers is wide when compiled."""
    with np.errstate(over="ignore"):
        assert plain(through_globals)(200) == 44
    assert through_globals(200) == 300


@pytest.mark.parametrize("function", [through_globals, factorial, even, through_a_module])
def test_a_plain_function_reaches_nothing_compiled(function):
    copy = plain(function)
    assert type(copy) is types.FunctionType
    assert dispatchers_met(copy) == []


def test_recursion_and_mutual_recursion_end():
    assert plain(factorial)(10) == 3628800
    assert (plain(even)(10), plain(odd)(10)) == (True, False)


def test_closures_and_tuples_of_kernels_are_followed():
    copy = plain(closing_over(step, (factorial, odd)))
    assert copy(3) == (103, True)
    assert dispatchers_met(copy) == []


def test_modules_of_kernels_are_followed_and_others_left_alone():
    one, two = generator(1), generator(1)
    copy = plain(through_a_module)
    with np.errstate(over="ignore"):
        assert copy(one) == draw(two)
    assert copy.__globals__["random"] is not random
    assert copy.__globals__["np"] is np


def test_a_set_of_kernels_becomes_a_plain_set():
    inner = Kernels("inner", act=factorial, width=3)
    copy = plain(Kernels("outer", act=step, inner=inner))
    assert copy.inner.act(4) == 24
    assert copy.inner.width == 3
    assert type(copy.act) is types.FunctionType


def test_one_kernel_reached_twice_is_one_function():
    copy = plain(Kernels("set", first=even, second=even))
    assert copy.first is copy.second


def test_constants_and_arrays_are_the_same_objects():
    table = np.arange(5)

    @kernel
    def reach():
        return table

    assert plain(reach)() is table
    assert plain(table) is table
