"""A short torture; `tools/torture_arena.py` with its defaults is the long one."""

import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.compiled_only,  # processes and signals: no kernel is looked at
    pytest.mark.slow,
    pytest.mark.timeout(300),
]


@pytest.fixture
def torture(pytestconfig):
    def run(*arguments):
        tool = pytestconfig.rootpath / "tools" / "torture_arena.py"
        done = subprocess.run(
            [sys.executable, str(tool), *arguments], capture_output=True, text=True, timeout=290
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_kills_at_random_moments_lose_nothing(torture):
    said = torture("kills", "--kills", "8", "--seed", "11")
    assert "nothing lost, nothing twice, tables identical" in said


def test_bad_outside_programs_lose_one_game_each(torture):
    assert "7 bad programs lost one game each" in torture("programs")


def test_the_tool_can_fail(torture, pytestconfig, tmp_path):
    """The same checks, on a store that lost a game."""
    import importlib.util

    spec = importlib.util.spec_from_file_location(
        "torture", pytestconfig.rootpath / "tools/torture_arena.py"
    )
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    from manyminds.arena.store import Store

    Store.write(tmp_path / "empty.db").close()
    with pytest.raises(tool.Lost, match="3 games were reported, 0 are there"):
        tool._look(tmp_path / "empty.db", {}, 3)
    with pytest.raises(tool.Lost, match="game 7 is gone"):
        tool._look(tmp_path / "empty.db", {7: "digest"}, 0)
