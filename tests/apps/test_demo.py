"""`manyminds demo`: to its end, in a terminal and out of one."""

import json
import os
import signal

import pytest

from manyminds.arena.match import Match, replay
from manyminds.games.registry import make_game

SMALL = "demo --size 5 --black rave@20 --white uct@20 --red random --pace 0"


def test_the_document_is_a_match_that_can_be_replayed(typed):
    found = typed(f"{SMALL} --seed 3 --quiet", as_json=True)
    match = Match.from_json(json.dumps(found))
    assert (match.game, match.seed, match.ending) == ("go", 3, "over")
    assert match.lineup == ("rave@20", "uct@20", "random")
    game = make_game(match.game, **match.arguments)
    *_, last = replay(game, match)
    assert game.over(last)
    assert list(match.points.values()) == [float(n) for n in game.points(last)]
    assert found["record"] == match.record
    assert found["saved"] is None


def test_the_table_has_a_row_for_every_seat(typed):
    found = typed(f"{SMALL} --seed 3 --quiet", as_json=True)
    rows = found["table"]
    assert [row["seat"] for row in rows] == ["black", "white", "red"]
    best = max(found["rewards"])
    for seat, row in enumerate(rows):
        decided = [joint[seat] for joint in found["joint_moves"] if joint[seat] != -1]
        assert row["decisions"] == len(decided)
        assert row["won"] == (found["rewards"][seat] == best)
        assert row["points"] == found["points"][row["seat"]]
    only_moves = sum("the only move" in text for _, seat, text in found["remarks"] if seat == 0)
    assert rows[0]["simulations"] == 20 * (rows[0]["decisions"] - only_moves)
    assert rows[2]["simulations"] == rows[2]["simulations_per_second"] == 0


def test_the_same_seed_is_the_same_match(typed):
    names = [typed(f"{SMALL} --seed {seed} -q", as_json=True)["names"] for seed in (3, 3, 4)]
    assert names[0] == names[1] != names[2]


def test_piped_it_is_plain_lines_one_for_each_move_and_a_table(typed):
    done = typed(f"{SMALL} --seed 3")
    found = typed(f"{SMALL} --seed 3 -q", as_json=True)
    assert "\x1b" not in done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Three programs play three-colour Go, 5x5"
    told = [line.split() for line in lines if line.lstrip()[:1].isdigit()]
    assert [words[3] for words in told] == found["names"]
    assert [words[2] for words in told[:4]] == ["black", "white", "red", "black"]
    end = next(line for line in lines if line.startswith("won by"))
    assert end.endswith(f"after {len(found['names'])} moves")
    for row in found["table"]:
        (line,) = [line for line in lines if line.split()[1:3] == [row["seat"], row["player"]]]
        assert line.split()[3] == f"{row['points']:g}"


def test_quiet_leaves_the_result_alone(typed):
    done = typed(f"{SMALL} --quiet")
    assert done.stdout.startswith("won by")
    assert done.stderr == ""


def test_with_json_people_watch_on_standard_error(typed):
    done = typed(f"{SMALL} --json")
    assert json.loads(done.stdout)["game"] == "go"
    assert "Three programs" in done.stderr


def test_a_first_run_says_what_it_compiles(typed, tmp_path):
    line = "play nim --heaps 2,5 --budget 10"
    env = {**os.environ, "MANYMINDS_CACHE_DIR": str(tmp_path)}
    first, second = typed(line, env=env), typed(line, env=env)
    assert "compiling for this machine" in first.stderr
    assert "\n  run\n" in first.stderr
    assert second.stderr == ""
    assert first.stdout.split("\n\n")[0] == second.stdout.split("\n\n")[0]


class TestInATerminal:
    def test_it_draws_the_board_in_place_and_leaves_the_end_on_the_screen(self, terminal):
        screen = terminal(f"{SMALL} --seed 3")
        assert screen.end(100) == 0
        assert screen.is_as_before()
        assert "\x1b[?25l" in screen.seen  # the cursor was hidden while it was drawn
        assert "■" in screen.seen
        assert "simulations a second" in screen.seen
        assert "expects 0." in screen.seen
        assert "won by" in screen.seen
        # Drawn in place: going up again and again, and one table.
        assert screen.seen.count("\x1b[1A") > 100
        assert screen.seen.count("simulations/s") == 1

    @pytest.mark.parametrize("how", ["Ctrl-C", "SIGTERM"])
    def test_it_can_be_stopped_and_leaves_the_terminal_as_it_was(self, terminal, how):
        screen = terminal("demo --size 5 --black random --white random --red random --pace 0.3")
        screen.wait_for("move 2")
        if how == "Ctrl-C":
            screen.press("\x03")
        else:
            screen.process.send_signal(signal.SIGTERM)
        assert screen.end() == (130 if how == "Ctrl-C" else 143)
        assert screen.is_as_before()
        assert "interrupted after" in screen.seen
        assert "Traceback" not in screen.seen

    def test_a_small_terminal_gets_what_fits(self, terminal):
        screen = terminal(f"{SMALL} --seed 3", rows=12, columns=40)
        assert screen.end(100) == 0
        assert "expects" not in screen.seen
        assert "points" in screen.seen


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("--red raev@10", 'there is no player "raev"; did you mean "rave"?'),
        ("--size 4", "4 is not in the range"),
        ("--pace -1", "not in the range"),
        ("--red rave@", "after"),
        ("--colours 3", "--colours"),
    ],
)
def test_what_is_typed_wrong_is_said_with_status_2(typed, wrong, says):
    done = typed(f"demo {wrong}", status=2)
    assert says in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
