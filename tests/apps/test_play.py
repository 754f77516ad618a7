"""`manyminds play`: people and programs, any game, and what is said when something is wrong."""

import json
import os
import re
import resource
import signal
import subprocess
import sys

import pytest

from manyminds.games.go import sgf

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

nim = mm.Game("my nim", STATE, seats=2, start=start, seat=seat, moves=moves, play=play, over=over,
              rewards=rewards, move_ids=96, most_moves=12, longest=12)
"""


class TestAPerson:
    NIM = "play nim --heaps 1,2 --seat first=person --seat second=random"

    def test_types_moves_and_sees_boards_and_answers(self, typed):
        done = typed(self.NIM, "moves\nC1\nb1\na1\nb1\n")
        said = done.stdout
        assert said.startswith("nim: heaps 1 2\n")
        assert said.index("a |\nb | |") < said.index("first, your move: moves")
        assert "\na1 b1 b2\n" in said
        assert '"C1" is no move here' in said
        assert "first, your move: b1" in said  # what was typed through a pipe is seen in the text
        assert "won by" in said.rsplit("your move", 1)[1]
        assert "\x1b" not in said

    def test_sees_what_programs_think(self, typed):
        done = typed("play go --size 5 --seat black=person --seat white=rave@40", "C3\nresign\n")
        lines = done.stdout.splitlines()
        (at,) = [n for n, line in enumerate(lines) if line.startswith("   2.")]
        assert " white " in lines[at]
        assert "expects 0." in lines[at]
        assert "of 40 simulations" in lines[at]
        black, white = (
            int(word) for word in lines[at + 1].replace("%", " ").split() if word.isdigit()
        )
        assert black + white == 100
        assert "black " in lines[at + 1]
        assert "; then " in lines[at + 1]
        assert "won by white" in done.stdout
        assert "black forfeits: resigned" in done.stdout

    def test_sees_what_programs_believe_of_partners_and_expect_of_every_colour(self, typed):
        done = typed(
            "play go --size 5 --seat black=person --seat white=infer@60 --seat red=random",
            "C3\nresign\n",
        )
        lines = done.stdout.splitlines()
        (at,) = [n for n, line in enumerate(lines) if line.startswith("   2.")]
        for colour in ("black", "white", "red"):
            assert re.search(rf"expects .*{colour} \d+\.\d[,;]", lines[at])
        assert re.search(r"; line [A-E][1-5]( |$)", lines[at])
        (believed,) = [line.strip() for line in lines[at + 1 : at + 3] if "believes" in line]
        shares = re.findall(r"(each alone|\w+\+\w+) (\d+) %", believed)
        assert len(shares) == 3
        assert [int(share) for _, share in shares] == sorted(
            (int(share) for _, share in shares), reverse=True
        )

    def test_may_sit_on_several_seats_and_play_to_the_end(self, typed):
        line = "play tic-tac-toe --seat crosses=person --seat noughts=person"
        done = typed(line, "a1\nb1\na2\nb2\na3\n")
        assert "won by crosses after 5 moves" in done.stdout

    def test_who_leaves_has_forfeited_which_is_not_a_good_end(self, typed):
        done = typed(self.NIM, "", status=1)
        assert "first forfeits: the person left: the input ended" in done.stdout

    def test_with_json_talks_on_standard_error(self, typed):
        done = typed(f"{self.NIM} --json", "resign\n")
        assert json.loads(done.stdout)["forfeits"] == [[0, "resigned"]]
        assert "first, your move: resign" in done.stderr

    def test_sees_the_board_even_when_the_rest_is_quiet(self, typed):
        done = typed(f"{self.NIM} --quiet", "resign\n")
        assert done.stdout.startswith("\na |\nb | |\n")
        assert "nim:" not in done.stdout

    def test_in_a_terminal_types_after_the_spinner_has_gone(self, terminal):
        screen = terminal("play go --size 5 --seat black=person --seat white=uct@30")
        screen.wait_for("black, your move: ")
        screen.press("c3\n")
        screen.wait_for("black, your move: ")
        assert "of 30 simulations" in screen.seen
        screen.press("resign\n")
        assert screen.end() == 0
        assert "won by white" in screen.seen
        assert screen.is_as_before()

    @pytest.mark.parametrize("how", ["Ctrl-C", "SIGTERM"])
    def test_may_stop_at_the_prompt(self, terminal, tmp_path, how):
        record = tmp_path / "part.sgf"
        line = f"play go --size 5 --seat black=person --seat white=random --save {record}"
        screen = terminal(line)
        screen.wait_for("black, your move: ")
        screen.press("c3\n")
        screen.wait_for("black, your move: ")
        if how == "Ctrl-C":
            screen.press("\x03")
        else:
            screen.process.send_signal(signal.SIGTERM)
        assert screen.end() == (130 if how == "Ctrl-C" else 143)
        assert screen.is_as_before()
        assert "interrupted after 2 moves, which are saved" in screen.seen
        assert "Traceback" not in screen.seen
        assert len(sgf.load(record).moves) == 2

    def test_is_not_hurried(self, typed):
        done = typed(f"{self.NIM} --deadline 5", status=2)
        assert "a budget in time, such as rave@2s" in done.stderr


class TestSeats:
    def colours(self, typed, line):
        return typed(f"play go --size 5 --moves 1 --budget 5 -q {line}", as_json=True)

    @pytest.mark.parametrize(
        ("line", "seats"),
        [
            ("", 2),
            ("--seat white=random", 2),
            ("--seat red=random", 3),
            ("--seat black=random --seat red=random --colours 3", 3),
        ],
    )
    def test_as_many_colours_as_are_named(self, typed, line, seats):
        assert len(self.colours(typed, line)["seats"]) == seats

    def test_those_not_named_are_played_by_rave(self, typed):
        found = typed("play nim --moves 1 -q --seat second=random", as_json=True)
        assert found["lineup"] == ["rave@1000", "random"]
        found = typed("play nim --moves 1 -q --budget 50", as_json=True)
        assert found["lineup"] == ["rave@50", "rave@50"]

    def test_a_team_is_a_player_for_each_of_its_seats(self, typed):
        found = typed(
            "play hunt --moves 1 -q --team hunters=random --seat hare=random", as_json=True
        )
        assert found["lineup"] == ["random"] * 3

    def test_a_budget_is_for_those_that_name_none(self, typed):
        found = typed(
            "play nim -q --moves 2 --seat first=uct --seat second=uct@7 --budget 30", as_json=True
        )
        assert [row["simulations"] for row in found["table"]] == [30, 7]


class TestGameArguments:
    def arguments(self, typed, line):
        return typed(f"play {line} -q --moves 1 --budget 5", as_json=True)["arguments"]

    def test_reach_the_game(self, typed):
        found = self.arguments(typed, "go --size 5 --colours 2 --komi -0.5 --superko --limit 50")
        assert found == {"size": 5, "colours": 2, "komi": -0.5, "superko": True, "limit": 50}

    def test_may_stand_before_the_games_name_with_an_equals_sign(self, typed):
        assert self.arguments(typed, "--heaps=2,1 nim --misere") == {
            "heaps": [2, 1],
            "misere": True,
        }

    def test_are_listed_by_help(self, typed):
        said = typed("play nim --help").stdout
        assert "Options of nim:" in said
        assert "--heaps" in said
        assert "Options of" not in typed("play --help").stdout


class TestAFileOfMyOwn:
    @pytest.fixture
    def here(self, tmp_path, monkeypatch):
        (tmp_path / "mine.py").write_text(NIM)
        monkeypatch.chdir(tmp_path)
        return tmp_path

    def test_its_game_is_played(self, typed, here):
        found = typed("play mine.py -q --budget 50", as_json=True)
        assert (found["game"], found["ending"]) == ("my nim", "over")
        moves = [max(joint) for joint in found["joint_moves"]]
        assert sum(move % 16 for move in moves) == 3 + 4 + 5
        assert found["rewards"][(len(moves) - 1) % 2] == 1.0  # who took the last one

    def test_one_of_several_is_named(self, typed, here):
        (here / "mine.py").write_text(NIM + "\nsecond = nim\n")
        done = typed("play mine.py", status=2)
        assert "mine.py has the games nim, second; say which: mine.py:nim" in done.stderr
        found = typed(
            "play mine.py:second -q --seat seat0=random --seat seat1=random", as_json=True
        )
        assert found["game"] == "my nim"

    def test_its_players_and_registered_games_are_known(self, typed, here):
        more = (
            "\nfrom manyminds.players.random import RandomPlayer\n"
            "class Mine(RandomPlayer): pass\n"
            'mm.register("mine", Mine, help="as random")\n'
            "del nim\n"
            "def heaps(n: int = 3) -> mm.Game:\n"
            '    return mm.make_game("nim", heaps=[1] * n)\n'
            'mm.register_game("ones", heaps)\n'
        )
        (here / "mine.py").write_text(NIM + more)
        found = typed("play mine.py --n 2 -q --seat first=mine --seat second=mine", as_json=True)
        assert (found["arguments"]["heaps"], found["lineup"]) == ([1, 1], ["mine", "mine"])

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            ("mine.py:nmi", 'no game "nmi"; did you mean "nim"?'),
            ("mine.py --size 9", "--size cannot be set"),
            ("none.py", "No such file"),
            ("empty.py", "empty.py has no game"),
        ],
    )
    def test_what_is_wrong_with_it_is_said(self, typed, here, line, says):
        (here / "empty.py").write_text("")
        assert says in typed(f"play {line}", status=2).stderr


class TestSaving:
    def test_go_as_sgf(self, typed, tmp_path):
        line = f"play go --size 5 --seat red=random --budget 5 -q --moves 7 --save {tmp_path}/g.sgf"
        found = typed(line, as_json=True)
        record = sgf.load(tmp_path / "g.sgf")
        assert [point for _, point in record.moves] == [
            max(joint) for joint in found["joint_moves"]
        ]
        assert found["saved"] == f"{tmp_path}/g.sgf"

    def test_other_games_as_text(self, typed, tmp_path):
        done = typed(f"play nim --budget 5 --moves 2 --save {tmp_path}/n.txt")
        text = (tmp_path / "n.txt").read_text()
        assert text.startswith("game: nim\nheaps: [3, 4, 5]\n")
        assert f"saved in {tmp_path}/n.txt" in done.stdout

    @pytest.mark.parametrize(
        ("file", "says"),
        [("n.sgf", "SGF keeps games of Go"), ("no/n.txt", "cannot be written"), (".", "directory")],
    )
    def test_what_cannot_be_saved_is_refused_before_the_match(self, typed, tmp_path, file, says):
        done = typed(f"play nim --save {tmp_path}/{file}", status=2)
        assert says in done.stderr
        assert done.stdout == ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "say which game"),
        ("goo", 'there is no game "goo"; did you mean "go"?'),
        ("go --siez 9", '"go" has no option --siez; did you mean "--size"?'),
        ("go --qiet", 'did you mean "--quiet"?'),
        ("go --size 99", "5x5 to 19x19"),
        ("go --size big", "argument size"),
        ("go --size 5 --size 9", "--size is given twice"),
        ("go --seat purple=random", 'there is no colour "purple"'),
        ("go --colours 3 --seat blue=random", 'no seat or team "blue"; known: black, red, white'),
        ("nim --seat fist=random", 'did you mean "first"?'),
        ("hunt --team hunter=random", 'did you mean "hunters"?'),
        ("hunt --team hunters=random --seat fox=random", "fox was given a player twice"),
        ("nim --seat first", "--seat NAME=PLAYER"),
        ("nim --seat first=random --seat first=rave", "first was given a player twice"),
        ("nim --seat first=raev", 'did you mean "rave"?'),
        ("nim --seat first=rave(kk=3)", 'no argument "kk"'),
        ("nim --budget 5x", "is no budget"),
        ("nim --moves 0", "0 is not in the range"),
        ("nim --deadline 0", "not in the range"),
    ],
)
def test_what_is_typed_wrong_is_said_with_status_2(typed, line, says):
    done = typed(f"play {line}", status=2)
    assert says in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_program_that_fails_ends_with_status_1(typed):
    command = f"{sys.executable} -c pass"
    line = ["play", "nim", "--seat", f'first=gtp("{command}")', "--seat", "second=random"]
    done = subprocess.run(
        [sys.executable, "-m", "manyminds", *line], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 1
    assert "won by second" in done.stdout
    assert "first forfeits: " in done.stdout


def test_a_late_program_forfeits(typed):
    done = typed("play nim --seat first=rave@5s --seat second=random --deadline 0.2", status=1)
    assert "first forfeits: no answer within the deadline of 0.2 s" in done.stdout


def test_the_first_move_of_a_warm_play_takes_less_than_two_seconds_of_computing(typed):
    """CPU time, since other work may keep this machine busy; alone it is the time that passes."""
    line = "play go --size 5 --seat red=rave@1000 --moves 1 --quiet"
    typed(line)  # compiles, where that is still to be done
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    typed(line)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2.0


def test_help_loads_no_kernels():
    code = (
        "import sys\nfrom manyminds.apps.main import run\n"
        "for line in ('play --help', 'play go --help', 'demo --help', 'list --help', 'list games'):\n"
        "    assert run(line.split()) == 0\n"
        "print([name for name in ('numba', 'numpy', 'rich') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_ends_it_quietly():
    line = [sys.executable, "-m", "manyminds", "play", "nim", "--budget", "5"]
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
    ) as child:
        child.stdout.close()
        assert "Traceback" not in child.stderr.read()
        assert child.wait(timeout=100) == 1
