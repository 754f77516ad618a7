"""How long people wait: for a program's first move, and for a first run that compiles."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

from manyminds.arena.benchmarks import children
from manyminds.arena.benchmarks.row import Effort, Figure, Tell
from manyminds.core.errors import Failure

PLAY = ["manyminds", "play", "go", "--size", "9", "--moves", "1"]
PLAY += ["--seat", "black=rave@1000", "--seat", "white=rave@1000"]
_FIRST_MOVE = r"^\s*1\. "
COMPILE = ["manyminds.arena.compile_all", "--processes", "2"]


def first_move(effort: Effort, tell: Tell) -> Figure:
    """Seconds by the wall from the program's start until it prints the first move."""
    tell("a first run, so that kernels are on disk")
    children.run_until(PLAY, _FIRST_MOVE)
    seconds = []
    for number in range(effort.rounds):
        tell(f"run {number + 1} of {effort.rounds}")
        start = time.perf_counter()
        children.run_until(PLAY, _FIRST_MOVE)
        seconds.append(time.perf_counter() - start)
    return Figure(statistics.median(seconds), spread=(min(seconds), max(seconds)))


def cold_start(effort: Effort, tell: Tell) -> Figure:
    """Seconds by the wall until a process with an empty cache has compiled everything; done once."""
    jobs = [] if effort.share >= 1 else ["--only", "tic_tac_toe"]
    with tempfile.TemporaryDirectory(prefix="manyminds-cold-") as folder:
        before, start = os.times(), time.perf_counter()
        children.run([*COMPILE, *jobs], tell, {"MANYMINDS_CACHE_DIR": folder})
        seconds, after = time.perf_counter() - start, os.times()
        kernels = len(list(Path(folder).glob("*.kernel")))
    if kernels == 0:
        raise Failure("nothing was compiled: kernels went elsewhere, or could not be kept")
    spent = sum(after[2:4]) - sum(before[2:4])  # of processes that have ended
    return Figure(
        seconds, spread=(seconds, seconds), details={"kernels": kernels, "cpu_seconds": spent}
    )
