import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from manyminds.arena.live import Lines, clock, show_on, state_of
from manyminds.arena.pairing import Lineup, Seats
from manyminds.arena.progress import Progress
from manyminds.arena.result import FailedGame, Result
from manyminds.arena.schedule import Schedule

pytestmark = pytest.mark.compiled_only  # processes and signals: no kernel is looked at

SEATS = Seats(("first", "second"), ((0,), (1,)), ("first", "second"))


@pytest.fixture
def progress(plain):
    schedule = Schedule.numbered(plain(), [Lineup(("draws", "takes-one"), 20)])
    return Progress(schedule, SEATS, "nobody")


def game(number, points=(4.0, 5.0)):
    return Result(number, 1, (1.0, 0.0), points, (), "over", 9, 0.1, b"")


def test_one_line_says_how_far_it_is(progress):
    assert state_of(progress) == "0 of 20 games"
    progress.take([game(n) for n in range(5)], [FailedGame(5, "why")], fresh=True)
    text = state_of(progress)
    assert text.startswith("6 of 20 games, 1 of them failed, ")
    assert text.endswith(" left")
    progress.note = "stopping"
    assert state_of(progress).endswith(" - stopping")


def test_games_of_earlier_runs_have_no_part_in_the_rate(progress):
    progress.take([game(n) for n in range(10)], [], fresh=False)
    assert (progress.done, progress.rate, progress.left) == (10, 0.0, None)
    progress.take([game(10)], [], fresh=True)
    assert progress.left == pytest.approx(9 / progress.rate, rel=0.2)


def test_the_running_table_has_means(progress):
    progress.take([game(0, (4.0, 5.0)), game(1, (6.0, 3.0))], [], fresh=True)
    ((names, games, means),) = progress.running(10)
    assert (names, games) == (("draws", "takes-one"), 2)
    assert [mean.estimate for mean in means] == [5.0, 4.0]


def test_a_decided_line_up_wants_no_more(progress):
    progress.take([game(n) for n in range(6)], [], fresh=True)
    progress.decided = {0}
    assert (progress.wanted, progress.open) == (6, 0)


def test_times_are_written_like_clocks():
    assert [clock(x) for x in (5, 65, 3605, 90_061)] == ["0:05", "1:05", "1:00:05", "1 day 1:01:01"]


def test_lines_come_now_and_then_and_at_the_end(progress):
    stream = io.StringIO()
    show = show_on(stream)
    assert isinstance(show, Lines)
    for number in range(20):
        progress.take([game(number)], [], fresh=True)
        show.update(progress)
    show.close()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert lines[-1].startswith("20 of 20 games")
    assert "\x1b" not in stream.getvalue()


def test_a_run_that_is_over_soon_shows_nothing(progress):
    stream = io.StringIO()
    show = show_on(stream, after=60.0)
    show.update(progress)
    show.close()
    assert stream.getvalue() == ""


def test_a_reader_that_goes_away_does_no_harm(progress):
    read, write = os.pipe()
    os.close(read)
    stream = os.fdopen(write, "w")
    show = Lines(stream, every=0.0)
    show.update(progress)
    show.update(progress)
    show.close()
    with pytest.raises(BrokenPipeError):
        stream.close()


DRIVER = """
import sys
from manyminds.arena.campaign import Campaign
from manyminds.arena.driver import run
from manyminds.arena.live import show_on
campaign = Campaign({{"name": "plain-nim"}}, lineups=[["{player}", "draws"]], games={games}, files=[{file!r}])
run(campaign, {store!r}, workers=1, show=show_on(sys.stderr))
"""


def watched(store, plain, player, games, stop=None):
    """What a terminal gets to see of a run."""
    code = DRIVER.format(player=player, games=games, file=plain().files[0], store=str(store))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=theirs, env={**os.environ, "TERM": "xterm-256color"}
    )
    os.close(theirs)
    seen, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                seen += os.read(ours, 65536)
            except OSError:
                break
        if stop is not None and b" a second" in seen:
            process.send_signal(stop)
            stop = None
    process.wait(10)
    os.close(ours)
    return seen.decode(), process.returncode


def test_a_terminal_shows_the_running_table(store, plain):
    seen, _ = watched(store, plain, "slow(ms=1)", 60)
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)
    assert "60 of 60 games" in text
    assert re.search(r"60 +slow\(ms=1\) +[\d.]+ ± [\d.]+ +draws", text)
    assert seen.count("\x1b[?25l") == seen.count("\x1b[?25h") > 0


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_broken_when_it_is_stopped(store, plain, stop):
    seen, _ = watched(store, plain, "slow(ms=5)", 5000, stop)
    assert seen.rindex("\x1b[?25h") > seen.rindex("\x1b[?25l")  # the cursor is shown again
    assert "\x1b[?1049" not in seen
