"""Fingerprints: equal for equal code, and different wherever the machine code could differ."""

import enum
import io
import types

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.extending import register_jitable

from manyminds.core import fingerprint as module
from manyminds.core.errors import UsageError
from manyminds.core.fingerprint import fingerprint, ground
from manyminds.core.kernel import inline, interpreted, kernel
from manyminds.core.kernel_set import Kernels

pytestmark = pytest.mark.skipif(interpreted(), reason="plain functions need no fingerprint")


def made(text, name="f", **scope):
    """The kernel of that name from source text with these globals."""
    scope["kernel"], scope["inline"] = kernel, inline
    exec(text, scope)
    return scope[name]


# --- properties over made-up functions -----------------------------------------------------------------

NUMBERS = st.one_of(st.integers(-5, 5), st.sampled_from([0.0, -0.0, 1.0, 0.5, True, False]))


@st.composite
def expressions(draw, depth=3):
    """An expression over x and the global K, as source."""
    kind = draw(st.sampled_from("nxK+-*?" if depth else "nxK"))
    if kind == "n":
        return repr(draw(NUMBERS))
    if kind in "xK":
        return kind
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    if kind == "?":
        return f"({left} if x > {draw(st.integers(0, 3))} else {right})"
    return f"({left} {kind} {right})"


def function_of(expression, constant):
    return made(f"@kernel\ndef f(x):\n    y = {expression}\n    return y\n", K=constant)


@given(expressions(), NUMBERS)
def test_equal_code_has_an_equal_hash(expression, constant):
    assert fingerprint(function_of(expression, constant)) == fingerprint(
        function_of(expression, constant)
    )


@given(expressions(), NUMBERS, NUMBERS)
def test_a_changed_global_changes_the_hash_where_it_is_used(expression, one, two):
    same = fingerprint(function_of(expression, one)) == fingerprint(function_of(expression, two))
    assert same == ("K" not in used_names(expression) or repr(one) == repr(two))


@given(NUMBERS, NUMBERS)
def test_a_changed_constant_changes_the_hash(one, two):
    kernels = [made(f"@kernel\ndef f(x):\n    return x * {number!r}\n") for number in (one, two)]
    assert (fingerprint(kernels[0]) == fingerprint(kernels[1])) == (repr(one) == repr(two))


@given(expressions(), expressions())
def test_different_code_has_a_different_hash(one, two):
    kernels = [function_of(expression, 1) for expression in (one, two)]
    codes = [meaning(each.py_func.__code__) for each in kernels]
    assert (fingerprint(kernels[0]) == fingerprint(kernels[1])) == (codes[0] == codes[1])


def used_names(expression):
    return compile(expression, "", "eval").co_names


def meaning(code):
    return code.co_code, repr(code.co_consts), code.co_names, code.co_varnames


# --- what a kernel can reach ---------------------------------------------------------------------------

VALUES = {
    "whole": (1, 2),
    "whole and real": (1, 1.0),
    "whole and truth": (1, True),
    "signed zeros": (0.0, -0.0),
    "width of a number": (np.int32(1), np.int64(1)),
    "text": ("ab", "cd"),
    "bytes": (b"ab", b"cd"),
    "tuple": ((1, 2), (1, 3)),
    "nesting of tuples": (((1,), 2), ((1, 2),)),
    "tuple and list": ((1, 2), [1, 2]),
    "middle of an array": (np.arange(5000), np.arange(5000) * (np.arange(5000) != 2500)),
    "type of an array": (np.zeros(4, np.int32), np.zeros(2, np.int64)),
    "shape of an array": (np.zeros((2, 3)), np.zeros((3, 2))),
    "middle of a record": (
        np.zeros(1, "(2000,)i4,i4")[0],
        np.array([(np.arange(2000) == 1000, 0)], "(2000,)i4,i4")[0],
    ),
    "dtype": (np.dtype("i4"), np.dtype("u4")),
    "set": (frozenset({1, 2}), frozenset({1, 3})),
    "type": (numba.int32, numba.int64),
    "function of the compiler": (np.floor, np.ceil),
    "enumeration": (
        enum.IntEnum("Colour", {"BLACK": 1}, module=__name__),
        enum.IntEnum("Colour", {"BLACK": 2}, module=__name__),
    ),
    "member of an enumeration": (
        enum.Enum("Colour", {"BLACK": 1}, module=__name__).BLACK,
        enum.Enum("Colour", {"BLACK": 2}, module=__name__).BLACK,
    ),
    "kernel": (made("@kernel\ndef f():\n    return 1"), made("@kernel\ndef f():\n    return 2")),
    "options": (made("@kernel\ndef f():\n    return 1"), made("@inline\ndef f():\n    return 1")),
}


@pytest.mark.parametrize("what", VALUES)
def test_values_that_differ_are_told_apart(what):
    one, two = VALUES[what]
    hashes = [fingerprint(value) for value in (one, one, two)]
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize("what", VALUES)
def test_they_are_told_apart_as_globals_closures_defaults_and_members(what):
    def closure(value):
        @kernel
        def f():
            return value

        return f

    makers = [
        lambda value: made("@kernel\ndef f():\n    return K\n", K=value),
        lambda value: made(
            "@kernel\ndef f():\n    def g():\n        return K\n    return g()\n", K=value
        ),
        lambda value: made("@kernel\ndef f(x=K):\n    return x\n", K=value),
        lambda value: made(
            "@kernel\ndef f():\n    return m.K\n",
            m=types.SimpleNamespace(__kernels__=lambda: {"K": value}),
        ),
        closure,
    ]
    one, two = VALUES[what]
    for make in makers:
        assert fingerprint(make(one)) == fingerprint(make(one)) != fingerprint(make(two))


def a_module(value, name="K"):
    other = types.ModuleType("other")
    setattr(other, name, value)
    return other


@pytest.mark.parametrize(
    "text",
    [
        "@kernel\ndef f(x):\n    return x + other.K\n",
        "@kernel\ndef f(x):\n    return outer.other.K + x\n",
        "@kernel\ndef f(x):\n    m = other\n    return m.K\n",
        "def make(m):\n    @kernel\n    def f(x):\n        return m.K\n    return f\nf = make(other)",
        "def make(m):\n    @kernel\n    def f():\n        return m.other.K\n    return f\nf = make(outer)",
    ],
)
def test_what_is_taken_from_a_module_counts_and_nothing_else_of_it(text):
    def hash_with(value, **unused):
        other = a_module(value)
        vars(other).update(unused)
        return fingerprint(made(text, other=other, outer=a_module(other, "other")))

    assert hash_with(1) == hash_with(1, unused=5) != hash_with(2)


def test_a_default_counts_and_so_does_the_number_of_arguments():
    texts = ["def f(a, b=1)", "def f(a, b=2)", "def f(a, b)", "def f(b, a)"]
    hashes = {fingerprint(made(f"@kernel\n{text}:\n    return a\n")) for text in texts}
    assert len(hashes) == 4


def test_what_the_named_function_reaches_counts_where_overload_compiles_it():
    def registered(step):
        @register_jitable
        def g(x):
            return x + step

        return made("@kernel\ndef f(x):\n    return g(x)\n", g=g)

    assert fingerprint(registered(1)) == fingerprint(registered(1)) != fingerprint(registered(2))


def test_names_comments_and_places_do_not_count():
    one = made("@kernel\ndef f(x):\n    return x + 1\n")
    two = made("\n\n# moved\n@kernel\ndef f(x):\n    # said\n    return x + 1\n", unused=5)
    assert fingerprint(one) == fingerprint(two)


def test_the_module_counts_since_compiled_code_is_loaded_only_where_it_is():
    text = "@kernel\ndef f(x):\n    return x + 1\n"
    hashes = [fingerprint(made(text, __name__=name)) for name in ("one", "one", "two")]
    assert hashes[0] == hashes[1] != hashes[2]


# --- it ends, and it refuses ----------------------------------------------------------------------------

RECURSION = """
@kernel
def f(n):
    return {a} if n < 1 else n * f(n - 1)
"""
MUTUAL = """
@kernel
def f(n):
    return {a} if n < 1 else g(n - 1)

@kernel
def g(n):
    return {b} if n < 1 else f(n - 1)
"""


def test_recursion_ends():
    hashes = [fingerprint(made(RECURSION.format(a=a))) for a in (1, 1, 2)]
    assert hashes[0] == hashes[1] != hashes[2]


def test_mutual_recursion_ends_and_both_count():
    numbers = [(1, 2), (1, 2), (3, 2), (1, 3), (2, 1)]
    hashes = [fingerprint(made(MUTUAL.format(a=a, b=b))) for a, b in numbers]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 4


def test_a_set_that_reaches_itself_ends():
    f = made("@kernel\ndef f(n):\n    return rules.width\n")
    rules = Kernels("rules", f=f, width=3)
    f.py_func.__globals__["rules"] = rules
    assert len(fingerprint(rules)) == 32


@pytest.mark.parametrize(
    "value", [object(), io.StringIO(), {}, {1}, np.random.default_rng(), range(3)]
)
def test_what_cannot_be_told_apart_is_refused_by_its_name(value):
    with pytest.raises(UsageError, match=rf"reaches SECRET of type {type(value).__name__}"):
        fingerprint(made("@kernel\ndef f():\n    return SECRET\n", SECRET=value))


def test_the_name_says_where_in_a_collection_or_module_it_is():
    with pytest.raises(UsageError, match=r"reaches PAIR\[1\] of type dict"):
        fingerprint(made("@kernel\ndef f():\n    return PAIR\n", PAIR=(1, {})))
    with pytest.raises(UsageError, match=r"reaches other\.K of type dict"):
        fingerprint(made("@kernel\ndef f():\n    return other.K\n", other=a_module({})))


def test_what_python_alone_reaches_is_not_refused():
    something = {}

    def stand_in(x):
        return something.get(x)

    assert fingerprint(made("@kernel\ndef f(x):\n    return g(x)\n", g=stand_in))


# --- the ground ---------------------------------------------------------------------------------------


def test_the_ground_changes_with_versions_flags_and_sources(monkeypatch, tmp_path):
    before = module._hash_of_the_ground()
    assert ground() == before == module._hash_of_the_ground()
    with monkeypatch.context() as patch:
        patch.setattr(module.numba, "__version__", "0.0.0")
        assert module._hash_of_the_ground() != before
    with monkeypatch.context() as patch:
        patch.setattr(module.config, "BOUNDSCHECK", 1 - (module.config.BOUNDSCHECK or 0))
        assert module._hash_of_the_ground() != before
    with monkeypatch.context() as patch:
        (tmp_path / "atomics.py").write_text("# edited\n")
        patch.setattr(module, "__file__", str(tmp_path / "fingerprint.py"))
        assert module._hash_of_the_ground() != before
