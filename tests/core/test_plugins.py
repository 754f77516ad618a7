"""Packages that register here: what they name is imported, and who names what is not there is told."""

import sys
import types
from importlib.metadata import EntryPoint

import pytest

from manyminds.core import plugins
from manyminds.core.errors import Failure
from manyminds.games import registry


@pytest.fixture
def points(monkeypatch):
    """Let installed packages name these modules."""

    def name(*modules):
        found = [EntryPoint(module, module, plugins.GROUP) for module in modules]
        monkeypatch.setattr(plugins.metadata, "entry_points", lambda group: found)
        plugins.load_plugins.cache_clear()

    yield name
    plugins.load_plugins.cache_clear()


def test_the_bridges_register_so():
    """As installed: nobody has imported them here."""
    assert "openspiel" in registry.known_games()


def test_a_module_is_imported_when_a_name_is_not_known(points, monkeypatch):
    module = types.ModuleType("package_of_a_friend")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    points("package_of_a_friend:started")
    begun = []
    module.__getattr__ = begun.append  # looked up once it is loaded
    registry.game_entry("nim")
    assert begun == []
    with pytest.raises(Exception, match="there is no game"):
        registry.game_entry("chess-of-a-friend")
    assert begun == ["started"]


def test_a_package_that_names_what_is_not_there_is_named(points):
    points("no_such_module_of_a_friend")
    with pytest.raises(Failure, match=r"no_such_module_of_a_friend.*uninstall a package"):
        plugins.load_plugins()
