"""Threads that stay: all work is done, errors are told, and no wait is for ever."""

import gc
import threading

import pytest

from manyminds.core.errors import Failure, UsageError
from manyminds.parallel.threads import Threads


def test_every_worker_works_at_the_same_time_and_the_caller_is_the_first():
    threads, meeting, seen = Threads(4), threading.Barrier(4, timeout=20), {}

    def work(k):
        meeting.wait()
        seen[k] = threading.current_thread()

    for _ in range(3):
        threads.run(work)
    assert sorted(seen) == [0, 1, 2, 3]
    assert seen[0] is threading.current_thread()


@pytest.mark.parametrize("culprit", [0, 2])
def test_the_first_error_is_raised_when_all_have_left_off(culprit):
    threads, stopped, left = Threads(3), threading.Event(), []

    def work(k):
        if k == culprit:
            raise ZeroDivisionError(k)
        assert stopped.wait(20)
        left.append(k)

    with pytest.raises(ZeroDivisionError, match=str(culprit)):
        threads.run(work, stopped.set)
    assert len(left) == 2
    threads.run(left.append)
    assert len(left) == 5


def test_who_does_not_come_back_is_given_up():
    threads, forever = Threads(2, patience=0.2), threading.Event()
    with pytest.raises(Failure, match="did not come back"):
        threads.run(lambda k: forever.wait(60) if k else None)
    done = []
    threads.run(done.append)
    assert sorted(done) == [0, 1]
    forever.set()


def test_threads_end_with_their_set():
    before = set(threading.enumerate())
    threads = Threads(5)
    threads.run(lambda k: None)
    ours = [thread for thread in threading.enumerate() if thread not in before]
    assert len(ours) == 4
    del threads
    gc.collect()
    for thread in ours:
        thread.join(20)
        assert not thread.is_alive()


def test_how_many_is_bounded():
    for n in (0, 257, 1.5):
        with pytest.raises(UsageError, match="from 1 to 256"):
            Threads(n)
