"""The examples in the docstrings of the facade: each is run, and the main names have one."""

import doctest
import importlib

import pytest

import manyminds

NEEDED = {
    "Campaign",
    "Game",
    "Search",
    "Team",
    "aec_env",
    "channel",
    "go",
    "make_player",
    "max_n",
    "openspiel",
    "openspiel_bot",
    "parallel_env",
    "play",
}


def examples(name):
    """The docstring's examples as a test of their own."""
    value = getattr(manyminds, name)
    text = getattr(value, "__doc__", None) or ""
    module = importlib.import_module(manyminds._HOMES[name])
    return doctest.DocTestParser().get_doctest(text, {}, name, module.__file__, 0)


WITH_EXAMPLES = [name for name in sorted(manyminds._HOMES) if examples(name).examples]


def test_the_main_names_have_examples():
    assert set(WITH_EXAMPLES) >= NEEDED


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_docstring_hold(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
        examples(name), out=told.append
    )
    assert result.attempted > 0
    assert result.failed == 0, "".join(told)
