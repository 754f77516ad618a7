"""A worker ends when its parent does, however suddenly that happens."""

from __future__ import annotations

import os
import select
import signal
import threading
import time

_LOOK_EVERY = 0.5  # s, where the system has no pidfd


def die_with(parent: int) -> None:
    """Watch the parent process from a thread; when it is gone, this process and its group go too.

    `parent` is the number that the parent gave us of itself: it may be gone already.
    """
    threading.Thread(target=_watch, args=(parent,), daemon=True, name="parent watch").start()


def _watch(parent: int) -> None:
    try:
        _wait_by_descriptor(parent)
    except (AttributeError, OSError):  # no pidfd on this system, or no such process any more
        while os.getppid() == parent:
            time.sleep(_LOOK_EVERY)
    end_group()


def _wait_by_descriptor(parent: int) -> None:
    descriptor = os.pidfd_open(parent)
    if os.getppid() != parent:  # gone before we looked, and the number may be somebody else's
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while not poll.poll():
        continue


def end_group() -> None:
    """Kill this process's group where it leads one, with whatever a game started in it; and itself."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
