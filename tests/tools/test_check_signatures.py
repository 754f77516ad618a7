"""Functions without types are found, kernels let pass."""

import pytest


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("def f(x) -> int: ...", "no type for x"),
        ("def f(x: int): ...", "no type for return"),
        ("async def f(*rest, **named) -> int: ...", "no type for rest, named"),
        ("def f(*, key, other: int) -> int: ...", "no type for key"),
        ("class A:\n    def method(self, x) -> int: ...", "no type for x"),
        ("class A:\n    @staticmethod\n    def make(x) -> int: ...", "no type for x"),
        ("def f() -> None:\n    def inner(x): ...", "no type for x, return"),
        ("@functools.cache\ndef f(x) -> int: ...", "no type for x"),
    ],
)
def test_names_what_has_no_type(text, missing, tree, check):
    status, said = check("signatures", tree({"src/a.py": text + "\n"}) / "src")
    assert status == 1
    assert missing in said


@pytest.mark.parametrize(
    "text",
    [
        "@kernel\ndef play(state, move): ...",
        "@mm.kernel\ndef play(state, move): ...",
        '@mm.heuristic("near")\ndef near(board, out): ...',
        "@inline\ndef f(x):\n    def inner(y): ...",
        "class A:\n    def method(self, x: int) -> int: ...",
        "class A:\n    @classmethod\n    def make(cls, x: int) -> int: ...",
    ],
)
def test_lets_kernels_and_typed_functions_pass(text, tree, check):
    status, said = check("signatures", tree({"src/a.py": text + "\n"}) / "src")
    assert status == 0, said
