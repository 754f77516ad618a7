"""Sets of kernels: one argument of a kernel, with functions to call and constants to read."""

import pickle

import numba
import numpy as np
import pytest

from manyminds.core import cache
from manyminds.core.errors import UsageError
from manyminds.core.kernel import entry, inline, interpreted, kernel
from manyminds.core.kernel_set import Kernels


def adder(step):
    @inline
    def add(x):
        return x + step

    return add


@kernel
def double(x):
    return 2 * x


@entry
def ask(rules, x):
    return rules.act(x) * rules.inner.width + rules.inner.deeper.act(x)


@entry
def read(rules):
    return rules.whole, rules.real, rules.yes


@entry
def act(rules, x):
    return rules.act(x)


@entry
def act_twice(first, second, x):
    return first.act(x), second.act(x)


@entry
def act_missing(rules, x):
    return rules.play(x)


@pytest.mark.interpreted
def test_kernels_call_members_of_nested_sets():
    deeper = Kernels("deeper", act=double)
    rules = Kernels("rules", act=adder(1), inner=Kernels("inner", width=7, deeper=deeper))
    assert ask(rules, 10) == 11 * 7 + 20


@pytest.mark.interpreted
def test_numbers_are_constants_of_their_kind():
    seen = read(Kernels("rules", whole=-3, real=0.25, yes=True))
    assert seen == (-3, 0.25, True)
    assert [type(number) for number in seen] == [int, float, bool]


@pytest.mark.interpreted
@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_numbers_that_would_wrap_round_are_refused(number):
    Kernels("rules", least=-(2**63), most=2**63 - 1)
    with pytest.raises(UsageError, match="64 bits"):
        Kernels("rules", width=number)


@pytest.mark.interpreted
def test_python_reads_members_as_kernels_do():
    rules = Kernels("rules", act=double, whole=3)
    assert (rules.act(4), rules.whole) == (8, 3)
    assert rules.__kernels__() == {"act": double, "whole": 3}
    assert repr(rules) == "<Kernels rules: act, whole>"


@pytest.mark.interpreted
def test_two_sets_of_one_title_stay_apart():
    one, two = Kernels("rules", act=adder(1)), Kernels("rules", act=adder(2))
    assert act_twice(one, two, 10) == (11, 12)
    assert (act(one, 10), act(two, 10), act(one, 20)) == (11, 12, 21)


@pytest.mark.skipif(interpreted(), reason="types are the compiler's")
def test_sets_of_equal_content_are_of_one_type(monkeypatch):
    """So that a game made anew in the same process is not compiled anew."""
    names = []
    monkeypatch.setattr(cache, "_listeners", [names.append])
    sets = [Kernels("rules", act=adder(5), width=3) for _ in range(3)]
    types = [numba.typeof(each) for each in sets]
    assert types[0] == types[1] == types[2]
    before = len(act.signatures)
    assert [act(each, 1) for each in sets] == [6, 6, 6]
    assert len(act.signatures) == before + 1
    assert len(names) <= 1


@pytest.mark.skipif(interpreted(), reason="types are the compiler's")
@pytest.mark.parametrize(
    "other",
    [
        Kernels("rules", act=adder(6), width=3),
        Kernels("rules", act=adder(5), width=4),
        Kernels("rules", act=adder(5), width=3.0),
        Kernels("rules", act=adder(5), breadth=3),
        Kernels("rules", act=double, width=3),
        Kernels("other", act=adder(5), width=3),
    ],
)
def test_sets_that_differ_are_of_types_that_differ(other):
    assert numba.typeof(other) != numba.typeof(Kernels("rules", act=adder(5), width=3))


@pytest.mark.skipif(interpreted(), reason="types are the compiler's")
def test_the_type_survives_pickling_since_the_cache_pickles_it():
    kind = numba.typeof(Kernels("rules", act=adder(5)))
    assert pickle.loads(pickle.dumps(kind)) == kind


@pytest.mark.skipif(interpreted(), reason="plain Python says it with an AttributeError")
def test_a_member_that_is_not_there_is_named_by_the_compiler():
    with pytest.raises(numba.TypingError, match="play"):
        act_missing(Kernels("rules", act=double), 1)


@pytest.mark.skipif(interpreted(), reason="there, kernels are plain functions")
def test_a_plain_function_is_refused_with_the_line_to_write():
    def play(x):
        return x

    with pytest.raises(
        UsageError, match=r"nim: play is a plain function; write @mm.kernel in the line above"
    ):
        Kernels("nim", play=play)


@pytest.mark.interpreted
@pytest.mark.parametrize("member", ["text", None, [1], np.zeros(3), np.int64(3), {}])
def test_other_members_are_refused_by_name(member):
    with pytest.raises(
        UsageError, match=f"nim: width is a {type(member).__name__}; a set of kernels has"
    ):
        Kernels("nim", width=member)
