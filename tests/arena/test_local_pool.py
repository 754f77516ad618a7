import itertools
import os
import signal
import subprocess
import sys
import textwrap
import time

import psutil
import pytest
from msgspec.structs import replace

from manyminds.arena.files import read_files
from manyminds.arena.local import LocalPool
from manyminds.arena.pairing import Seats, lay_out
from manyminds.arena.result import FailedGame, Result
from manyminds.arena.runner import BrokenRunner, InProcess
from manyminds.arena.schedule import Schedule
from manyminds.arena.task import Tasks
from manyminds.core.errors import UsageError

pytestmark = pytest.mark.compiled_only  # processes and signals: no kernel is looked at

SEATS = Seats(("first", "second"), ((0,), (1,)), ("first", "second"))


@pytest.fixture
def tasks(plain):
    """The tasks of a campaign between two players."""

    def make(*players, **choices):
        campaign = plain([list(players)], **choices)
        schedule = Schedule.numbered(campaign, lay_out(campaign, SEATS))
        source = Tasks(campaign, read_files(campaign.files))
        return [source.task(schedule[number]) for number in schedule.numbers()]

    return make


@pytest.fixture
def pool():
    pool = LocalPool(2)
    yield pool
    pool.close()


def played(runner, tasks):
    """What came back, by number; each exactly once."""
    finished = [item for item in runner.submit(tasks) if item is not None]
    assert len({item.number for item in finished}) == len(finished)
    return {item.number: item for item in finished}


def timeless(results):
    return {n: r.match().digest for n, r in results.items()}


def test_processes_play_what_this_process_plays(pool, tasks):
    games = tasks("draws", "draws", games=50)
    assert timeless(played(pool, games)) == timeless(played(InProcess(), games))


def test_a_pool_serves_one_campaign_after_another(pool, tasks):
    first = played(pool, tasks("draws", "draws", games=5))
    before = pool.processes
    second = played(pool, tasks("draws", "takes-one", games=5, seed=2))
    assert len(first) == len(second) == 5
    assert pool.processes == before


def test_a_killed_worker_is_replaced_and_its_games_are_played(pool, tasks):
    games = tasks("slow(ms=5)", "draws", games=40)
    got, kills = {}, 0
    for item in pool.submit(games):
        if item is None:
            continue
        got[item.number] = item
        if len(got) % 10 == 5 and kills < 4:
            os.kill(pool.processes[kills % 2], signal.SIGKILL)
            kills += 1
    assert kills == 4
    assert len(got) == 40
    assert all(isinstance(item, Result) for item in got.values())
    assert timeless(got) == timeless(played(InProcess(), games))


def test_a_game_that_kills_its_worker_fails_after_three(pool, tasks):
    got = played(pool, tasks("kills(every=4)", "draws", games=9))
    failed = {n: item for n, item in got.items() if isinstance(item, FailedGame)}
    assert 0 < len(failed) < 9
    assert len(got) == 9
    for item in failed.values():
        assert "killed its worker 3 times" in item.reason
        assert "signal 9" in item.reason


def test_a_game_that_kills_its_worker_once_is_played(pool, tasks, tmp_path):
    got = played(pool, tasks(f'kills(every=4, once="{tmp_path}/mark")', "draws", games=9))
    assert list(tmp_path.iterdir())
    assert all(isinstance(item, Result) for item in got.values())


def test_a_game_without_end_is_ended_and_the_others_go_on(pool, tasks):
    endless = tasks("endless", "draws", games=1, game_deadline="1s")
    others = tasks("draws", "draws", games=20)[1:]
    got = played(pool, [*endless, *others])
    assert "not over after 1 seconds" in got[0].reason
    assert all(isinstance(got[n], Result) for n in range(1, 20))


def test_players_that_raise_exit_or_print_do_no_harm(pool, tasks):
    for player, reason in (("raises", "this player has a bug"), ("exits", "SystemExit: 3")):
        got = played(pool, tasks(player, "draws", games=3))
        assert all(reason in item.reason for item in got.values())
    got = played(pool, tasks("prints", "draws", games=3))
    assert all(isinstance(item, Result) for item in got.values())


def test_the_reason_of_a_crash_has_what_was_said(pool, tasks, tmp_path):
    code = "import os\nfrom manyminds.players.registry import register\n" + textwrap.dedent(
        """
        def crashes():
            os.write(2, b"out of luck")
            os.abort()

        register("crashes", crashes)
        """
    )
    (tmp_path / "crash.py").write_text(code)
    (task,) = tasks("draws", "draws", games=1)
    files = (*task.files, *read_files([tmp_path / "crash.py"]))
    (item,) = played(pool, [replace(task, players=("crashes", "draws"), files=files)]).values()
    assert "signal 6" in item.reason
    assert "out of luck" in item.reason


def test_tasks_are_taken_only_when_there_is_room(pool, tasks):
    taken = itertools.count()
    last = 0

    def watched():
        nonlocal last
        for task in tasks("slow(ms=30)", "draws", games=12):
            last = next(taken)
            yield task

    back = 0
    for item in pool.submit(watched()):
        back += item is not None
        assert last <= back + 2 * 2
    assert back == 12


def test_draining_ends_with_what_is_under_way(pool, tasks):
    got = []
    for item in pool.submit(tasks("slow(ms=10)", "draws", games=1000)):
        if item is not None:
            got.append(item)
        if len(got) == 6:
            pool.drain()
    assert 6 <= len(got) <= 8


def test_what_is_abandoned_is_not_played_on(pool, tasks):
    coming = pool.submit(tasks("endless", "draws", games=4))
    next(coming)
    coming.close()
    got = played(pool, tasks("draws", "draws", games=4))
    assert len(got) == 4


def test_nothing_is_left_after_close(tasks):
    pool = LocalPool(2)
    played(pool, tasks("draws", "draws", games=2))
    processes = pool.processes
    pool.close()
    assert len(processes) == 2
    assert not any(psutil.pid_exists(pid) for pid in processes)


def test_workers_die_with_a_killed_parent(wait_until, alive):
    code = """
        import sys, time
        from manyminds.arena.local import LocalPool
        pool = LocalPool(2)
        list(pool.submit([]))
        print(*pool.processes, flush=True)
        time.sleep(100)
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    processes = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(processes) == 2
    assert all(map(alive, processes))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert wait_until(lambda: not any(map(alive, processes)), seconds=2)


def test_without_pidfd_they_die_too(wait_until, alive):
    code = """
        import os, sys, time
        from manyminds.arena.parent import die_with
        del os.pidfd_open
        child = os.fork()
        if child == 0:
            os.setsid()
            die_with(os.getppid())
            time.sleep(100)
        time.sleep(0.2)
        print(child, flush=True)
        time.sleep(100)
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    child = int(parent.stdout.readline())
    assert alive(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert wait_until(lambda: not alive(child), seconds=2)


def test_workers_that_cannot_start_are_an_error(monkeypatch, tasks):
    from manyminds.arena import local

    monkeypatch.setattr(
        local, "_START", "import sys; sys.exit('no module of that name') # {home} {socket}"
    )
    pool = LocalPool(1)
    with pytest.raises(BrokenRunner, match=r"die before they can play.*no module of that name"):
        played(pool, tasks("draws", "draws", games=2))
    pool.close()


def test_a_number_of_workers_that_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="workers is 1 to"):
        LocalPool(0)


def test_a_script_without_a_main_guard_may_use_a_pool(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "print('started')\n"
        "from manyminds.arena.local import LocalPool\n"
        "pool = LocalPool(2)\n"
        "list(pool.submit([]))\n"
        "pool.close()\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("started\n", 0), done.stderr


def test_a_stopped_worker_does_not_stop_the_pool(pool, tasks):
    coming = pool.submit(tasks("slow(ms=2)", "draws", games=30, game_deadline="3s"))
    first = next(item for item in coming if item is not None)
    stopped = pool.processes[0]
    os.kill(stopped, signal.SIGSTOP)
    begin = time.monotonic()
    rest = [item for item in coming if item is not None]
    assert len({first.number, *(item.number for item in rest)}) == 30
    assert sum(isinstance(item, FailedGame) for item in rest) == 1
    assert time.monotonic() - begin < 30
