import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

pytest.importorskip("distributed")

from msgspec.structs import replace

from manyminds.arena import cluster
from manyminds.arena.cluster import DaskRunner
from manyminds.arena.driver import run
from manyminds.arena.runner import BrokenRunner
from manyminds.arena.table import Table
from manyminds.core.errors import MissingExtra, UsageError

pytestmark = [
    pytest.mark.compiled_only,  # processes and signals: no kernel is looked at
    pytest.mark.slow,
    pytest.mark.timeout(180),
]


def dask(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """A scheduler and two workers in processes of their own; the address, and the workers."""
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    processes = [
        dask("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    ]
    worker = ("--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
    for _ in range(2):
        processes.append(dask("dask_worker", "--scheduler-file", str(file), *worker))
    from distributed import Client

    for _ in range(100):
        try:
            address = json.loads(file.read_text())["address"]
            break
        except (OSError, ValueError):
            time.sleep(0.2)
    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        yield address, client
    for process in processes:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def bytes_of(store):
    return json.dumps(Table.of(store).to_data())


def test_dask_gives_the_table_of_this_machine(scheduler, tmp_path, plain):
    campaign = plain([["draws", "takes-one"], ["draws", "draws"]], games=25)
    outcome = run(campaign, tmp_path / "dask.db", runner=lambda: DaskRunner(scheduler[0]))
    assert (outcome.ending, outcome.played, outcome.failed) == ("finished", 50, 0)
    run(campaign, tmp_path / "here.db", workers=0)
    assert bytes_of(tmp_path / "dask.db") == bytes_of(tmp_path / "here.db")


def test_a_worker_killed_in_mid_run_costs_nothing(scheduler, tmp_path, plain):
    address, client = scheduler
    campaign = plain([["slow(ms=10)", "draws"]], games=60)
    victims = list(client.run(os.getpid).values())

    class Kills:
        def update(self, progress):
            if progress.done >= 15 and len(victims) == 2:
                os.kill(victims.pop(), signal.SIGKILL)

        def close(self):
            pass

    runner = DaskRunner(address)
    outcome = run(campaign, tmp_path / "dask.db", runner=runner, show=Kills())
    runner.close()
    assert len(victims) == 1
    assert (outcome.played, outcome.failed) == (60, 0)
    run(campaign, tmp_path / "here.db", workers=2)
    assert bytes_of(tmp_path / "dask.db") == bytes_of(tmp_path / "here.db")


def test_failures_come_back_as_failures(scheduler, tmp_path, plain):
    outcome = run(
        plain([["sometimes", "draws"]], games=12),
        tmp_path / "d.db",
        runner=lambda: DaskRunner(scheduler[0]),
    )
    assert 0 < outcome.failed < 12
    with pytest.raises(UsageError, match='did you mean "draws"'):
        run(plain([["drawz", "draws"]]), tmp_path / "e.db", runner=lambda: DaskRunner(scheduler[0]))


def test_a_worker_of_another_version_is_refused(scheduler, tmp_path, plain, monkeypatch):
    monkeypatch.setattr(cluster, "essential", lambda: ("manyminds 99",))
    with pytest.raises(UsageError, match="the driver has manyminds 99: install the same"):
        run(plain(games=3), tmp_path / "d.db", runner=lambda: DaskRunner(scheduler[0]))


def test_a_run_is_drained(scheduler, tmp_path, plain):
    from manyminds.arena.files import read_files
    from manyminds.arena.pairing import Seats, lay_out
    from manyminds.arena.schedule import Schedule
    from manyminds.arena.task import Tasks

    campaign = plain([["slow(ms=5)", "draws"]], games=500)
    seats = Seats(("first", "second"), ((0,), (1,)), ("first", "second"))
    schedule = Schedule.numbered(campaign, lay_out(campaign, seats))
    source = Tasks(campaign, read_files(campaign.files))
    runner, back = DaskRunner(scheduler[0]), 0
    for item in runner.submit(source.task(schedule[n]) for n in schedule.numbers()):
        back += item is not None
        if back == 3:
            runner.drain()
    runner.close()
    assert 3 <= back <= 3 + 2 * 2


def test_it_starts_a_cluster_of_its_own_and_ends_it(tmp_path, plain):
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    campaign = plain(games=10)
    outcome = run(campaign, tmp_path / "dask.db", runner=lambda: DaskRunner(workers=1))
    assert outcome.played == 10
    left = [p for p in psutil.Process().children(recursive=True) if p.pid not in before]
    assert [
        p
        for p in left
        if p.status() != psutil.STATUS_ZOMBIE and "tracker" not in " ".join(p.cmdline())
    ] == []


def test_a_game_that_never_ends_is_given_up(tmp_path, plain):
    campaign = plain([["endless", "draws"]], games=1, game_deadline="1s")
    runner = DaskRunner(workers=1)
    outcome = run(campaign, tmp_path / "dask.db", runner=runner)
    runner.close()
    assert (outcome.played, outcome.failed) == (1, 1)


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr(cluster, "_SECONDS_TO_CONNECT", 1)
    with pytest.raises(UsageError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        DaskRunner("tcp://127.0.0.1:9")


def test_a_cluster_without_workers_is_not_waited_for_for_ever(monkeypatch, tmp_path, plain):
    monkeypatch.setattr(cluster, "_SECONDS_WITHOUT_WORKERS", 0.5)
    monkeypatch.setattr(cluster, "_LOOK_EVERY", 0.1)
    runner = DaskRunner(workers=0)
    with pytest.raises(BrokenRunner, match="has had no worker for"):
        run(plain(games=3), tmp_path / "d.db", runner=runner)
    runner.close()


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"manyminds\[cluster\]"):
        DaskRunner()


def test_tasks_are_bytes(plain):
    import msgspec

    from manyminds.arena.result import Finished
    from manyminds.arena.task import Rules, Task

    rules = Rules({}, None, None, None, 60.0)
    task = Task(7, 5, {"name": "nim", "heaps": [1, 2]}, ("random", "random"), rules, ())
    data = cluster.play_bytes(msgspec.msgpack.encode(task), cluster.essential())
    result = msgspec.msgpack.decode(data, type=Finished)
    assert (result.number, result.seed) == (7, 5)
    assert replace(result, seconds=0.0, details=b"") != result
