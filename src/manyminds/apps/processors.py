"""How many processes a command starts when nothing is typed."""

from __future__ import annotations

import os


def processors() -> int:
    """Those that this process may use: a container or a job has fewer than the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
