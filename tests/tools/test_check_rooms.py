"""The order of the rooms holds, and the check that says so sees every kind of import."""

from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src/manyminds"


@pytest.mark.parametrize(
    "line",
    [
        "import manyminds.arena.match",
        "import manyminds.arena.match as match",
        "from manyminds.arena.match import play",
        "from manyminds.arena import match",
        "from manyminds import arena",
        "from ..arena import match",
        "from ..arena.match import play",
        "from .. import arena",
        "def late():\n    from manyminds.arena.match import play",
        "import typing\nif typing.TYPE_CHECKING:\n    from manyminds.arena import match",
        "HOME = 'manyminds.arena.match'",
        "HOMES = {'x': 'manyminds.arena.match:play'}",
    ],
)
def test_sees_an_import_from_a_later_room(line, tree, check):
    folder = tree({"manyminds/__init__.py": "", "manyminds/search/tree.py": line + "\n"})
    status, said = check("rooms", folder / "manyminds")
    assert status == 1
    assert "search/ imports from arena/, which comes after it" in said


@pytest.mark.parametrize(
    "line",
    [
        "import manyminds",
        "import manyminds as mm",
        "from manyminds import play",
        "from .. import play",
    ],
)
def test_sees_an_import_from_the_facade(line, tree, check):
    folder = tree({"manyminds/search/tree.py": line + "\n"})
    status, said = check("rooms", folder / "manyminds")
    assert status == 1
    assert "search/ imports from the facade" in said


def test_names_the_line(tree, check):
    folder = tree({"manyminds/core/record.py": '"""Text."""\n\nfrom manyminds.games import go\n'})
    _, said = check("rooms", folder / "manyminds")
    assert "record.py:3: core/ imports from games/" in said


@pytest.mark.parametrize("name", ["manyminds/utils.py", "manyminds/helpers/x.py"])
def test_sees_what_stands_in_no_room(name, tree, check):
    status, said = check("rooms", tree({name: ""}) / "manyminds")
    assert status == 1
    assert "stands in no room" in said


def test_lets_pass_what_is_allowed(tree, check):
    folder = tree(
        {
            "manyminds/__init__.py": "from manyminds.apps.main import main\n",
            "manyminds/__main__.py": "from manyminds.apps.main import main\n",
            "manyminds/core/record.py": "import numpy\nimport manymindset\nfrom . import errors\n",
            "manyminds/games/examples/mine.py": "import manyminds as mm\nfrom manyminds import play\n",
            "manyminds/search/tree.py": (
                "from manyminds.core import record\nfrom ..games.go import board\n"
                "from . import select\nPROSE = 'manyminds.arena is a later room'\n"
            ),
            "manyminds/apps/main.py": (
                "from manyminds import __version__\nfrom manyminds.bridges import pettingzoo\n"
            ),
        }
    )
    status, said = check("rooms", folder / "manyminds")
    assert status == 0, said


def test_the_project_keeps_the_order(check):
    status, said = check("rooms", PACKAGE)
    assert status == 0, said
