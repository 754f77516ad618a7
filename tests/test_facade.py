"""`import manyminds as mm`: quick, complete, and the same for people, editors and type checkers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import manyminds

FACADE = Path(manyminds.__file__)


def python(code):
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("name", sorted(manyminds._HOMES))
def test_every_name_is_where_the_table_says(name):
    assert getattr(manyminds, name) is vars(sys.modules[manyminds._HOMES[name]])[name]


def test_type_checkers_see_the_same_names_from_the_same_modules():
    (block,) = [node for node in ast.parse(FACADE.read_text()).body if isinstance(node, ast.If)]
    seen = {alias.name: line.module for line in block.body for alias in line.names}
    assert seen == manyminds._HOMES


def test_all_and_dir_have_every_name():
    assert set(manyminds.__all__) == {*manyminds._HOMES, "__version__"}
    assert set(manyminds.__all__) <= set(dir(manyminds))


def test_an_unknown_name_is_an_attribute_error_that_lists_the_known():
    with pytest.raises(AttributeError, match=r"no 'Searhc'; it has .*Game"):
        manyminds.Searhc  # noqa: B018 - the look-up is what is tested


def test_importing_loads_no_kernels_and_takes_less_than_20_ms():
    code = (
        "import sys, time; start = time.process_time(); import manyminds\n"
        "print(time.process_time() - start)\n"
        "print([m for m in ('numba', 'numpy', 'click', 'rich') if m in sys.modules])"
    )
    runs = [python(code).split("\n") for _ in range(5)]  # the quickest: the machine may be busy
    assert {loaded for _, loaded in runs} == {"[]"}
    assert min(float(seconds) for seconds, _ in runs) < 0.02


def test_a_star_import_gives_the_names():
    assert python("from manyminds import *; print(Budget.parse('5').simulations)") == "5"
