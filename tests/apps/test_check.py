"""`manyminds check FILE.py`: exit statuses, what is printed where, and files that do not behave."""

import json
import subprocess
import sys
import time

import pytest

NIM = """
import manyminds as mm

STATE = mm.record(heaps="uint8[3]", turn="int8")

def start():
    state = STATE.new()
    state.heaps[:] = 3, 4, 5
    return state

@mm.kernel
def moves(state, out):
    n = 0
    for heap in range(3):
        for take in range(1, state.heaps[heap] + 1):
            out[n] = heap * 16 + take
            n += 1
    return n

@mm.kernel
def play(state, move):
    state.heaps[move // 16] -= move % 16
    state.turn = 1 - state.turn

@mm.kernel
def over(state):
    return state.heaps[0] + state.heaps[1] + state.heaps[2] == 0

@mm.kernel
def rewards(state, out):
    out[1 - state.turn], out[state.turn] = 1.0, 0.0

@mm.kernel
def seat(state):
    return state.turn

def game(title="nim", **changes):
    rules = dict(seats=2, start=start, seat=seat, moves=moves, play=play, over=over, rewards=rewards)
    sizes = dict(move_ids=64, most_moves=12, longest=12)
    return mm.Game(title, STATE, **(rules | sizes | changes))
"""
pytestmark = pytest.mark.slow


@pytest.fixture
def check(tmp_path):
    """Write a file below the text above, and check it as people do."""

    def run(text, *options, name="mine.py", before=NIM):
        (tmp_path / name).write_text(before + text)
        return subprocess.run(
            [sys.executable, "-m", "manyminds", "check", name, "--games", "2", *options],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=100,
        )

    return run


def test_a_game_that_passes_ends_with_status_0(check):
    done = check("nim = game()\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("the game nim passes all ")
    assert len(done.stdout.splitlines()) == 1


def test_a_failure_ends_with_status_1_and_is_told(check):
    done = check("nim = game(longest=4)\n")
    assert done.returncode == 1
    first, second = done.stdout.splitlines()
    assert first == "the game nim fails 1 of 25 checks"
    assert second.startswith("  end: a random game is not over after longest=4 turns")


def test_all_lists_every_check(check):
    done = check("nim = game()\n", "--all")
    assert "  ok     moves: moves lists 1 to most_moves numbers" in done.stdout
    assert "  -      prior: " in done.stdout


def test_json_is_one_document_whatever_the_file_prints(check):
    done = check('print("hello")\nnim = game()\nother = game("other", longest=4)\n', "--json")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert (document["file"], document["passed"]) == ("mine.py", False)
    titles = [(each["kind"], each["title"], each["passed"]) for each in document["reports"]]
    assert titles == [("game", "nim", True), ("game", "other", False)]
    assert "hello" in done.stderr


def test_one_game_of_two_names_is_checked_once(check):
    done = check("nim = game()\nagain = nim\n")
    assert len(done.stdout.splitlines()) == 1


def test_modules_beside_the_file_can_be_imported(check, tmp_path):
    (tmp_path / "rules.py").write_text(NIM)
    done = check("from rules import game\nnim = game()\n", before="")
    assert done.returncode == 0, done.stderr


def test_a_file_that_checks_its_game_itself_is_reported_alike(check):
    done = check("nim = game(longest=4)\nmm.check_game(nim)\n")
    assert done.returncode == 1
    assert done.stdout.startswith("the game nim fails 1 of 25 checks\n  end: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:\n", "mine.py, line 1: invalid syntax: def f(:"),
        ("x = (\n", "mine.py, line 1: '(' was never closed"),
        ("a = 1\nb = c\n", "mine.py, line 2: NameError: name 'c' is not defined"),
        ("import manyminds as mm\nmm.record()\n", "mine.py, line 2: a record needs at least one"),
        ("import sys\nsys.exit(0)\n", "mine.py, line 2 ends the program while it is loaded"),
        ("x = 1\n", "mine.py has nothing to check at its top level, such as a game"),
        ("x = 1\0\n", "mine.py"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_sentence_and_status_2(check, text, message):
    done = check(text, before="")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_python_is_refused(check):
    done = check("x = 1\n", name="mine.txt", before="")
    assert done.returncode == 2
    assert "mine.txt is no Python file" in done.stderr


def test_a_file_that_is_not_there_is_refused(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "manyminds", "check", str(tmp_path / "none.py")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "does not exist" in done.stderr


def test_a_kernel_that_never_ends_is_reported_in_time(check):
    endless = """
@mm.kernel
def endless(state):
    while True:
        pass

nim = game(over=endless)
"""
    began = time.monotonic()
    done = check(endless, "--patience", "6")
    assert done.returncode == 1
    assert (
        "the game nim fails 1 of 1 checks\n  ends: nothing came for 6 seconds at: " in done.stdout
    )
    assert "plain Python: random game 1" in done.stdout
    assert time.monotonic() - began < 60


@pytest.mark.compiled_only  # plain Python raises an error instead, and so do bounds that are checked
def test_a_kernel_that_crashes_is_reported(check):
    crashing = """
import numpy as np

@mm.kernel
def far(state):
    \"""In plain Python 3 - 4 is 255 and the range is empty; compiled, it is -1.\"""
    room = np.zeros(3)
    for place in range(state.heaps[0] - 4, 1):
        room[place * 10**12] = 1.0
    return over(state)

fine = game("fine")
nim = game(over=far)
"""
    done = check(crashing)
    assert done.returncode == 1
    assert done.stdout.startswith("the game fine passes all ")
    assert "  survives: its process ended with SIGSEGV at: compiled: random game 1" in done.stdout
    assert "NUMBA_BOUNDSCHECK=1 manyminds check" in done.stdout


def test_a_file_that_ends_its_process_is_not_taken_for_a_pass(check):
    done = check("import os\nos._exit(0)\n", before="")
    assert done.returncode == 1
    assert "the file mine.py fails" in done.stdout


def test_help_has_an_example_and_is_instant():
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "manyminds", "check", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Example: manyminds check nim.py" in " ".join(done.stdout.split())
    assert time.perf_counter() - began < 3
    assert "numba" not in done.stderr
    assert "numpy" not in done.stderr
