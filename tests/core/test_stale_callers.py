"""First cure of the cache: whoever edits a callee in another file gets no stale caller.

Each edit leaves the caller's file alone. Numba's own cache, run beside ours on the same function,
gives the old answer: that is what the cure is for, and shows that the edit can be missed.
"""

import textwrap

import pytest

pytestmark = [
    pytest.mark.compiled_only,  # in processes of their own, which set their mode themselves
    pytest.mark.slow,
]

DEEP = "@numba.njit\ndef deep(x):"
CALLS_DEEP = "@numba.njit\ndef callee(x):\n    return deep(x)"
ADDS = "@numba.njit\ndef callee(x):\n    return x + "


def made(amount):
    """A callee that a function makes; `step` is in its closure."""
    return (
        "def make(step):\n    @numba.njit\n    def callee(x):\n"
        f"        return x + {amount}\n    return callee\ncallee = "
    )


# edit: (callee's file before, after, answers for 10 before and after)
EDITS = {
    "code": (
        "@numba.njit\ndef callee(x):\n    return x + 1",
        "@numba.njit\ndef callee(x):\n    return x + 2",
        (11, 12),
    ),
    "code of a callee's callee": (
        f"{DEEP}\n    return x + 1\n{CALLS_DEEP}",
        f"{DEEP}\n    return x + 2\n{CALLS_DEEP}",
        (11, 12),
    ),
    "global constant": (f"STEP = 1\n{ADDS}STEP", f"STEP = 2\n{ADDS}STEP", (11, 12)),
    "constant of a third module": (
        f"import third_1 as third\n{ADDS}third.STEP",
        f"import third_2 as third\n{ADDS}third.STEP",
        (11, 12),
    ),
    "element of an array": (
        f"T = np.arange(2000)\n{ADDS}T[1000 + 0 * x]",
        f"T = np.arange(2000)\nT[1000] = 5\n{ADDS}T[1000 + 0 * x]",
        (1010, 15),
    ),
    "value of an enumeration": (
        f"class Step(enum.IntEnum):\n    BIG = 1\n{ADDS}Step.BIG",
        f"class Step(enum.IntEnum):\n    BIG = 2\n{ADDS}Step.BIG",
        (11, 12),
    ),
    "default of an argument": (
        "@numba.njit\ndef callee(x, step=1):\n    return x + step",
        "@numba.njit\ndef callee(x, step=2):\n    return x + step",
        (11, 12),
    ),
    "jit option": (
        "@numba.njit(error_model='python')\ndef callee(x):\n    return 1 / (x - 10)",
        "@numba.njit(error_model='numpy')\ndef callee(x):\n    return 1 / (x - 10)",
        ("ZeroDivisionError", "inf"),
    ),
    "closure value": (f"{made('step')}make(1)", f"{made('step')}make(2)", (11, 12)),
    "module in a closure": (
        f"import third_1\n{made('step.STEP')}make(third_1)",
        f"import third_2\n{made('step.STEP')}make(third_2)",
        (11, 12),
    ),
    "what overload compiles": (
        "def callee(x):\n    return x\n@overload(callee)\ndef _(x):\n    return lambda x: x + 1",
        "def callee(x):\n    return x\n@overload(callee)\ndef _(x):\n    return lambda x: x + 2",
        (11, 12),
    ),
}
HEAD = "import enum\nimport numba\nimport numpy as np\nfrom numba.extending import overload\n"
CALLER = """
    import numba
    from manyminds.core.kernel import entry
    from {module} import callee

    def caller(x):
        return callee(x)

    ours = entry(caller)
    control = numba.njit(cache=True, nogil=True)(caller)
"""
ASK = """
    import importlib, json
    from manyminds.core import cache

    compiled = []
    cache.on_compile(compiled.append)

    def answer(kernel):
        try:
            return str(kernel(10))
        except ZeroDivisionError:
            return "ZeroDivisionError"

    found = {}
    for name in NAMES:
        caller = importlib.import_module(f"caller_{name}")
        before = len(compiled)
        ours = answer(caller.ours)
        found[name] = ours, answer(caller.control), len(compiled) - before
    print(json.dumps(found))
"""


def slug(edit):
    return "".join(letter if letter.isalnum() else "_" for letter in edit)


@pytest.fixture(scope="module")
def answers(module_bench):
    """For each edit: (ours, control, our compilations) before it, again unedited, and after it."""
    for step in (1, 2):
        module_bench.write(f"third_{step}.py", f"STEP = {step}\n")
    for edit, (before, _, _) in EDITS.items():
        module_bench.write(f"callee_{slug(edit)}.py", HEAD + before)
        module_bench.write(f"caller_{slug(edit)}.py", CALLER.format(module=f"callee_{slug(edit)}"))
    ask = f"NAMES = {[slug(edit) for edit in EDITS]}\n" + textwrap.dedent(ASK)
    runs = [module_bench.run(ask), module_bench.run(ask)]
    for edit, (_, after, _) in EDITS.items():
        module_bench.write(f"callee_{slug(edit)}.py", HEAD + after)
    runs.append(module_bench.run(ask))
    return {edit: [run[slug(edit)] for run in runs] for edit in EDITS}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_in_another_file_is_never_missed(answers, edit):
    old, new = map(str, EDITS[edit][2])
    first, again, edited = answers[edit]
    assert first == [old, old, 1]
    assert again == [old, old, 0], "what is unchanged comes from the disk"
    assert edited[0] == new
    assert edited[2] == 1
    assert edited[1] == old, "Numba's own cache no longer needs this cure"
