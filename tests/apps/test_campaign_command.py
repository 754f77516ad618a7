import json
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.compiled_only  # processes of their own: no kernel is looked at

TOML = """
title = "Nim"
games = 6
seed = 1
lineups = [["draws", "takes-one"], ["draws", "draws"]]
files = ["plain.py"]

[game]
name = "plain-nim"
"""


@pytest.fixture
def campaign(tmp_path, monkeypatch, pytestconfig):
    """A campaign's file in an empty folder, which is where we are."""
    plain = pytestconfig.rootpath / "tests" / "arena" / "files" / "plain.py"
    (tmp_path / "plain.py").write_text(plain.read_text())
    (tmp_path / "nim.toml").write_text(TOML)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(line, **choices):
    """A command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "manyminds", "campaign", *line.split()],
        capture_output=True,
        text=True,
        timeout=100,
        **choices,
    )


def answer(line, status=0):
    """The JSON document that a command prints, and nothing else."""
    done = typed(f"{line} --json")
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


def test_run_report_status_export_check_and_resume(campaign):
    done = answer("run nim.toml --workers 1 --quiet")
    assert (done["ending"], done["played"], done["failed"]) == ("finished", 12, 0)
    assert done["store"] == "nim.db"
    assert [row["names"] for row in done["table"]["rows"]] == [
        ["draws", "takes-one"],
        ["draws", "draws"],
    ]

    status = answer("status nim.db")
    assert (status["state"], status["done"], status["wanted"]) == ("finished", 12, 12)
    assert status["table"] == done["table"]

    assert answer("report nim.db -o out.html") == {"report": "out.html", "markdown": "out.md"}
    page = (campaign / "out.html").read_text()
    assert "campaign run nim.toml --workers 1" in page
    assert "lineups = [[&quot;draws&quot;" in page

    assert answer("export nim.db games.csv") == {"output": "games.csv", "count": 24}
    found = answer("check nim.db --replay 4 --seed 3")
    assert (found["sound"], found["games"], len(found["replayed"])) == (True, 12, 4)

    more = answer("resume nim.db --games 8 --workers 1 --quiet")
    assert (more["played"], more["table"]["rows"][0]["games"]) == (4, 8)


def test_people_read_a_table(campaign):
    done = typed("run nim.toml --workers 1 --report nim.html")
    assert done.returncode == 0, done.stderr
    assert "takes-one" in done.stdout
    assert "12 games played, kept in nim.db" in done.stdout
    assert "12 of 12 games" in done.stderr
    assert (campaign / "nim.html").exists()
    status = typed("status nim.db").stdout
    assert status.startswith("Nim: finished, 12 of 12 games, 0 failed, 1 run\n")


def test_quiet_is_quiet(campaign):
    assert typed("run nim.toml --workers 1 --quiet").stderr == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("run none.toml", "does not exist"),
        ("run wrong.toml", 'unknown key gmaes; did you mean "games"'),
        ("run nim.toml --scheduler tcp://x:1", "--scheduler goes with --runner dask"),
        ("run nim.toml --workers 0", "0 is not in the range"),
        ("run nim.toml --report nim.pdf", "a report is an HTML page"),
        ("resume none.db", "does not exist"),
        ("needed --points 3", "--points needs --sd"),
        ("needed", "ask for one of"),
        ("rnu nim.toml", "No such command"),
    ],
)
def test_what_was_typed_wrong_ends_with_2(campaign, line, message):
    (campaign / "wrong.toml").write_text(TOML + "\n", encoding="utf-8")
    (campaign / "wrong.toml").write_text("gmaes = 3\n" + TOML)
    done = typed(line)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_a_seed_may_be_given_and_is_kept(campaign):
    one = answer("run nim.toml --store a.db --seed 5 --workers 1 --quiet")
    assert one["table"]["seed"] == 5
    done = typed("run nim.toml --store a.db --workers 1 --quiet")
    assert done.returncode == 2
    assert "the seed changed from 5 to 1" in done.stderr
    assert answer("resume a.db --workers 1 --quiet")["played"] == 0


def test_failed_games_end_with_1(campaign):
    (campaign / "nim.toml").write_text(TOML.replace('["draws", "draws"]', '["sometimes", "draws"]'))
    done = answer("run nim.toml --workers 1 --quiet --games 20", status=1)
    assert done["failed"] > 0
    assert answer("status nim.db")["failures"][0][1].endswith("RuntimeError: an unlucky seed")
    assert answer("resume nim.db --retry --workers 1 --quiet", status=1)["played"] == done["failed"]


def test_a_damaged_store_ends_with_1(campaign):
    answer("run nim.toml --workers 1 --quiet")
    data = bytearray((campaign / "nim.db").read_bytes())
    data[8192:12288] = bytes(4096)
    (campaign / "nim.db").write_bytes(data)
    for line in ("run nim.toml --workers 1", "resume nim.db"):
        done = typed(line)
        assert done.returncode == 1
        assert "is damaged" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_problem_found_by_check_ends_with_1(campaign):
    import sqlite3

    answer("run nim.toml --workers 1 --quiet")
    connection = sqlite3.connect(campaign / "nim.db")
    connection.execute("DELETE FROM details WHERE game = 3")
    connection.commit()
    connection.close()
    found = answer("check nim.db", status=1)
    assert not found["sound"]
    assert "game 3 has lost its moves" in found["problems"]


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_says_so_in_its_status(campaign, sent, status):
    (campaign / "nim.toml").write_text(TOML.replace('"draws", "draws"', '"slow(ms=20)", "draws"'))
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "manyminds",
            *["campaign", "run", "nim.toml", "--workers", "1", "--games", "5000", "--json"],
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 60
    while time.monotonic() < end:
        running = typed("status nim.db --json").stdout if (campaign / "nim.db").exists() else ""
        if running and json.loads(running)["done"] > 0:
            break
        time.sleep(0.1)
    assert json.loads(running)["state"] == "running"
    assert json.loads(running)["process"] == process.pid
    process.send_signal(sent)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == status, errors
    assert json.loads(out)["ending"] in ("interrupted", "terminated")
    assert answer("status nim.db")["state"] == "unfinished"


@pytest.mark.parametrize(
    ("line", "games"),
    [
        ("--points 3 --sd 12", 253),  # 2 ((1.96 + 0.8416) 12 / 3)^2 = 251.2, and Student's tails
        ("--share 0.55 --known 0.5", 783),
        ("--share 0.5 --within 0.03", 1064),
        ("--sd 12 --within 1", 556),
    ],
)
def test_the_calculator_agrees_with_the_textbook(campaign, line, games):
    assert answer(f"needed {line}")["games"] == pytest.approx(games, abs=4)


def test_the_calculator_knows_sequential_tests(campaign):
    found = answer("needed --sprt 0.5 0.55 --share 0.55")
    assert 300 < found["games"] < 700
    assert "on average" in found["question"]


@pytest.mark.parametrize(
    "name", ["", "run", "resume", "status", "report", "export", "check", "needed"]
)
def test_help_has_an_example_and_is_instant(campaign, name):
    begin = time.perf_counter()
    done = typed(f"{name} --help")
    elapsed = time.perf_counter() - begin
    assert done.returncode == 0
    assert "Example:\n" in done.stdout
    assert f"manyminds campaign {name}" in done.stdout
    assert elapsed < 3  # on a busy machine; tools/torture_arena.py measures it


def test_help_loads_no_compiler(campaign):
    code = (
        "import sys; from manyminds.apps import main; main.run(sys.argv[1:]); "
        "print({'numba', 'numpy', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "campaign", "run", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1] == "set()", done.stderr
