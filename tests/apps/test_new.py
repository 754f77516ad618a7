"""What `manyminds new` writes works as it is."""

import json
import subprocess
import sys

import pytest

from manyminds.apps.main import run
from manyminds.apps.new import KINDS


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_passes_its_check_at_once(kind, tmp_path, capfd):
    assert run(["new", kind, "big_hats", "--to", str(tmp_path)]) == 0
    file = tmp_path / "big_hats.py"
    assert f"manyminds check {file}" in capfd.readouterr().out
    assert run(["check", str(file)]) == 0
    assert capfd.readouterr().out.startswith(f"the {kind} ")
    assert "my_" not in file.read_text()
    assert "my-" not in file.read_text()


@pytest.mark.slow
def test_the_game_is_played_and_the_player_plays(tmp_path, capfd):
    for kind, name in (("game", "big_hats"), ("player", "hat_lover")):
        assert run(["new", kind, name, "--to", str(tmp_path)]) == 0
    code = (
        "import manyminds as mm, big_hats, hat_lover\n"
        "lineup = ['hat-lover(playouts=5)@30', 'random', 'rave@30']\n"
        "print(mm.play(big_hats.big_hats, lineup, seed=1).ending)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    assert done.stdout.strip() == "over", done.stderr


def test_a_file_that_is_there_stays(tmp_path, capfd):
    file = tmp_path / "mine.py"
    file.write_text("precious")
    assert run(["new", "game", "mine", "--to", str(tmp_path)]) == 2
    assert "--force" in capfd.readouterr().err
    assert file.read_text() == "precious"
    assert run(["new", "game", "mine", "--to", str(tmp_path), "--force", "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told == {"file": str(file), "kind": "game", "next": [
        f"manyminds check {file}", f"manyminds play {file}"]}  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gam", "mine"], 'did you mean "game"'),
        (["game", "My Game"], "one word of small letters"),
        (["game", "class"], "one word"),
        (["game", "../mine"], "one word"),
    ],
)
def test_what_is_typed_wrong_is_said(arguments, said, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["new", *arguments]) == 2
    assert said in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
