"""Outside programs: good ones play, bad ones lose one match, and nothing of them is left."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from manyminds.arena.match import play
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.go import go
from manyminds.players import Lineup
from manyminds.players.outside import OutsidePlayer
from manyminds.players.player import Decision, Forfeit
from manyminds.players.process import MARK, Process

pytestmark = pytest.mark.usefixtures("nothing_left")


def players_with(command, **limits):
    limits = {"deadline": 20, "start": 20} | limits
    text = ", ".join(f"{name}={value}" for name, value in limits.items())
    return [f'gtp("{command}", {text})', "random"]


def test_a_good_program_plays_its_moves(nim, program):
    match = play(nim, players_with(program("nim")), seed=5)
    assert match.ending == "over"
    assert not match.forfeits
    own = [
        name for name, joint in zip(match.names, match.joint_moves, strict=True) if joint[0] >= 0
    ]
    assert all(name[1] == "1" for name in own)  # it always takes one stone
    assert own == sorted(own)  # of the first heap that has any


def test_two_programs_play_each_other(nim, program):
    two = [players_with(program("nim"))[0]] * 2
    match = play(nim, two)
    assert match.ending == "over"
    assert len(match.joint_moves) == 12


BAD = {
    "sleeps": 'no answer to "genmove first" within 0.5 s',
    "ignores_sigterm": 'no answer to "genmove first" within 0.5 s',
    "late": 'no answer to "genmove first" within 0.5 s',
    "dribbles": 'no answer to "genmove first" within 0.5 s',
    "endless_errors": 'no answer to "genmove first" within 0.5 s',
    "garbage": 'it answered "Hello! My move is B3." to "genmove first"',
    "nonsense_move": 'it answered "Q99"',
    "illegal_move": "illegal move A9",
    "empty_answer": 'it answered ""',
    "refuses": 'it refused "genmove first": cannot think',
    "resigns": "resigned",
    "endless_lines": "has no end",
    "endless_line": "it printed a line of more than 65536 bytes",
    "exits": "it ended with exit status 3; on standard error: out of memory, sorry",
    "killed": "it was ended by signal 9",
    "closes_output": "it closed its output",
}


@pytest.mark.parametrize("habit", BAD)
def test_a_bad_program_loses_the_match_with_the_reason(nim, program, habit):
    waits = "within" in BAD[habit]
    players = players_with(program("bad", habit), deadline=0.5 if waits else 20)
    begun = time.monotonic()
    match = play(nim, players)
    assert time.monotonic() - begun < 10
    assert match.ending == "forfeit"
    assert match.rewards == (0.0, 1.0)
    [(seat, reason)] = match.forfeits
    assert seat == 0
    assert BAD[habit] in reason
    assert len(reason) < 5000


def test_what_it_says_out_of_turn_ends_it(nim, program):
    player = OutsidePlayer(program("bad", "two_answers"))
    player.begin(nim, 0, Lineup(["gtp", "random"]))
    decision = player.decide(nim.start(), Budget(simulations=1))
    assert nim.name(decision.move) == "A1"
    time.sleep(0.5)  # until the second answer is there
    with pytest.raises(Forfeit, match=r'it said "= A1" before "play second B1"'):
        player.saw((-1, 17))


def test_control_characters_do_not_reach_the_reason(nim, program):
    match = play(nim, players_with(program("bad", "control_characters")))
    assert match.forfeits[0].reason.isprintable()


@pytest.mark.parametrize("habit", ["forks", "forks_and_exits"])
def test_children_and_grandchildren_end_with_the_program(nim, program, tmp_path, habit):
    match = play(nim, players_with(program("bad", habit, tmp_path / "pids"), deadline=1.5))
    assert match.ending == "forfeit"
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == (4 if habit == "forks" else 2)
    assert not [pid for pid in pids if psutil.pid_exists(pid)]


def test_all_that_it_started_is_running_until_then(nim, program, tmp_path, nothing_left):
    """So that the test above does not pass for want of children."""
    player = OutsidePlayer(program("bad", "forks", tmp_path / "pids"), deadline=1.5)
    player.begin(nim, 0, Lineup(["gtp", "random"]))
    seen = []
    watch = threading.Timer(1.0, lambda: seen.extend(process.pid for process in nothing_left()))
    watch.start()
    with pytest.raises(Forfeit):
        player.decide(nim.start(), Budget(simulations=1))
    watch.join()
    assert {int(line) for line in (tmp_path / "pids").read_text().split()} <= set(seen)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_they_end_when_our_process_is_killed(program, tmp_path, nothing_left, how):
    driver = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from conftest import PlainNim
from manyminds.core.budget import Budget
from manyminds.players import Lineup
from manyminds.players.outside import OutsidePlayer
player = OutsidePlayer({program("bad", "forks", tmp_path / "pids")!r}, deadline=100)
player.begin(PlainNim(), 0, Lineup(["gtp", "random"]))
player.decide(PlainNim().start(), Budget(simulations=1))
"""
    ours = subprocess.Popen([sys.executable, "-c", driver])
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if (tmp_path / "pids").exists() and len((tmp_path / "pids").read_text().split()) == 4:
            break
        time.sleep(0.02)
    assert len(nothing_left()) >= 6  # ours, the leash, and the four
    ours.send_signal(how)
    ours.wait(5)
    end = time.monotonic() + 2
    while nothing_left() and time.monotonic() < end:
        time.sleep(0.02)
    assert not nothing_left()


def test_they_end_when_their_leash_is_killed(nim, program, tmp_path):
    player = OutsidePlayer(program("bad", "forks", tmp_path / "pids"), deadline=60)
    player.begin(nim, 0, Lineup(["gtp", "random"]))
    leash = player.program.process._leash

    def kill_when_all_run():
        while len((tmp_path / "pids").read_text().split()) < 4:
            time.sleep(0.01)
        leash.kill()

    threading.Thread(target=kill_when_all_run).start()
    with pytest.raises(Forfeit, match="its leash was killed"):
        player.decide(nim.start(), Budget(simulations=1))
    for pid in (tmp_path / "pids").read_text().split():
        assert not psutil.pid_exists(int(pid)) or psutil.Process(int(pid)).status() == "zombie"


def test_a_program_outlives_the_thread_that_started_it(nim, program):
    player = OutsidePlayer(program("nim"))
    starter = threading.Thread(target=player.begin, args=(nim, 0, Lineup(["gtp", "random"])))
    starter.start()
    starter.join()
    time.sleep(0.1)
    assert nim.name(player.decide(nim.start(), Budget(simulations=1)).move) == "A1"
    player.close()


def test_another_thread_can_end_a_program_that_we_wait_for(nim, program):
    player = OutsidePlayer(program("bad", "sleeps"), deadline=60)
    player.begin(nim, 0, Lineup(["gtp", "random"]))
    threading.Timer(0.3, player.close).start()
    begun = time.monotonic()
    with pytest.raises(Forfeit):
        player.decide(nim.start(), Budget(simulations=1))
    assert time.monotonic() - begun < 5


def test_a_program_that_never_answers_is_late_at_the_start(nim):
    match = play(nim, ['gtp("sleep 1000", start=0.4)', "random"])
    assert 'no answer to "manyminds-game nim" within 0.4 s' in match.forfeits[0].reason
    assert not match.joint_moves


def test_a_program_that_does_not_read_is_late_too():
    process = Process(["sleep", "1000"])
    with pytest.raises(Forfeit, match="it did not read"):
        process.write("x" * 1_000_000, time.monotonic() + 0.3)
    with pytest.raises(Forfeit, match="has been ended"):
        process.write("x", time.monotonic() + 0.3)


def test_a_file_that_is_no_program_forfeits(nim, tmp_path):
    (tmp_path / "broken").write_bytes(b"\0\1\2")
    (tmp_path / "broken").chmod(0o755)
    match = play(nim, [f'gtp("{tmp_path}/broken")', "random"])
    assert "could not be started: Exec format error" in match.forfeits[0].reason


def test_a_program_that_is_not_here_is_refused_before_the_match(nim):
    with pytest.raises(UsageError, match='no program "gnugoo" here'):
        play(nim, ['gtp("gnugoo --mode gtp")', "random"])
    with pytest.raises(UsageError, match="no command line"):
        play(nim, ['gtp("gnugo \'half")', "random"])


def test_no_file_stays_open(nim, program):
    play(nim, players_with(program("nim")))
    before = len(os.listdir("/proc/self/fd"))
    for habit in ("exits", "garbage"):
        play(nim, players_with(program("bad", habit)))
    play(nim, players_with(program("nim")))
    assert len(os.listdir("/proc/self/fd")) == before


def test_our_programs_carry_the_leash_mark_of_their_own_run(nim, program):
    one, two = Process(["sleep", "1000"]), Process(["sleep", "1000"])
    marks = {
        child.environ()[MARK]
        for process in (one, two)
        for child in psutil.Process(process._leash.pid).children()
        or [psutil.Process(process._leash.pid)]
    }
    one.stop()
    two.stop()
    assert len(marks) == 2


def test_a_move_that_was_overruled_is_put_right_on_its_board(nim, program):
    class Overruled(OutsidePlayer):
        """Asks the program, and plays its last legal move instead."""

        def decide(self, state, budget):
            super().decide(state, budget)
            return Decision(int(nim.moves(state)[-1]))

        def close(self):
            heard.append(self.program.ask("heaps", 5))
            super().close()

    heard = []
    match = play(nim, [Overruled(program("nim")), "random"], move_limit=3, seed=1)
    state = nim.start()
    for joint in match.joint_moves:
        nim.play(state, joint)
    assert match.names[0] == "C5"
    assert heard == [(True, " ".join(map(str, state[:3])))]


def test_go_for_three_colours_is_spoken_as_documented(program, tmp_path):
    game = go(size=5, colours=3, komi=[0, 1.5, 2])
    scribe = f'gtp("{program("scribe", tmp_path / "told")}")'
    play(game, ["random", "random", scribe], move_limit=4, seed=1)
    lines = (tmp_path / "told").read_text().splitlines()
    assert lines[:4] == [
        "manyminds-colours black white red",
        "boardsize 5",
        "clear_board",
        "manyminds-komi 0 1.5 2",
    ]
    assert [line.split()[:2] for line in lines[4:]] == [
        ["play", "black"],
        ["play", "white"],
        ["genmove", "red"],
        ["play", "black"],
        ["quit"],
    ]


def test_budgets_in_time_are_told_once(program, tmp_path):
    game = go(size=5)
    scribe = f'gtp("{program("scribe", tmp_path / "told")}")@3s'
    play(game, [scribe, "random"], move_limit=4, seed=1)
    lines = (tmp_path / "told").read_text().splitlines()
    assert lines[:3] == ["boardsize 5", "clear_board", "komi 6.5"]
    assert [line for line in lines if line.startswith("time")] == ["time_settings 0 3 1"]


def test_boards_that_are_not_square(program, tmp_path):
    scribe = f'gtp("{program("scribe", tmp_path / "told")}")'
    play(go(size=(7, 5)), [scribe, "random"], move_limit=1)
    assert (tmp_path / "told").read_text().startswith("rectangular_boardsize 7 5\n")


def test_the_seed_goes_into_the_command(nim, program, tmp_path):
    player = OutsidePlayer(program("nim") + " {seed}")
    player.begin(nim, 1, Lineup(["random", "gtp"], seed=3))
    word = player.program.process.command[-1]
    player.close()
    assert int(word) == Lineup(["random", "gtp"], seed=3).seed_of(1) >> 33
    assert 0 <= int(word) < 2**31


@pytest.mark.gnugo
def test_gnu_go_beats_random_on_our_board():
    gnu_go = 'gtp("gnugo --mode gtp --level 1 --chinese-rules", ask=kgs-genmove_cleanup)'
    match = play(go(size=9), [gnu_go, "random"], seed=1)
    assert match.ending == "over"
    assert not match.forfeits
    assert match.rewards == (1.0, 0.0)
    assert match.seconds[0] > match.seconds[1]


@pytest.mark.gnugo
def test_gnu_go_with_our_seed_plays_the_same_match_again():
    players = ['gtp("gnugo --mode gtp --level 1 --seed {seed}")', "random"]
    game = go(size=7)
    first, again = (play(game, players, seed=4, move_limit=20) for _ in range(2))
    assert first.digest == again.digest
