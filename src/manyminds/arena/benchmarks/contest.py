"""Two sides do the same kind of work in turns, on one core; what counts is their ratio."""

from __future__ import annotations

import contextlib
import os
import statistics
import time
from collections.abc import Callable, Iterator

from manyminds.arena.benchmarks.row import Effort, Figure, Tell

# A piece of work: how much was done (playouts, moves, simulations), and in how many CPU seconds.
Batch = Callable[[], tuple[float, float]]


class MissingRival(Exception):
    """A rival that is not installed; the text names it and says how to get it."""


def contest(ours: Batch, rival: Callable[[], Batch], effort: Effort, tell: Tell) -> Figure:
    """Rounds of ours and the rival's work, who begins by turns; ours alone where there is no rival.

    rival: makes the rival's batch, or raises MissingRival. One batch of each side is done before, so
    that nothing is compiled, loaded or allocated first in the time that counts.
    """
    missing, theirs = "", None
    try:
        theirs = rival()
    except MissingRival as lack:
        missing = str(lack)
    sides = [ours] if theirs is None else [ours, theirs]
    with on_one_core():
        for side in sides:
            side()
        rates: list[list[float]] = [[] for _ in sides]
        for number in range(effort.rounds):
            tell(f"round {number + 1} of {effort.rounds}")
            order = range(len(sides)) if number % 2 == 0 else reversed(range(len(sides)))
            for k in order:
                rates[k].append(rate(sides[k], effort.seconds))
    return _figure(rates, missing)


def _figure(rates: list[list[float]], missing: str) -> Figure:
    ours = statistics.median(rates[0])
    if len(rates) == 1:
        return Figure(ours, spread=(min(rates[0]), max(rates[0])), missing=missing)
    ratios = [mine / theirs for mine, theirs in zip(*rates, strict=True)]
    middle = statistics.median(ratios)
    return Figure(ours, statistics.median(rates[1]), middle, (min(ratios), max(ratios)))


def rate(batch: Batch, seconds: float) -> float:
    """Work per CPU second, over as many batches as take so long."""
    work, spent = 0.0, 0.0
    while spent < max(seconds, 1e-6):
        done, took = batch()
        work, spent = work + done, spent + took
    return work / spent


@contextlib.contextmanager
def cpu_time(spent: list[float]) -> Iterator[None]:
    """Put the CPU seconds of the block at the end of `spent`."""
    start = time.process_time()
    yield
    spent.append(time.process_time() - start)


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Stay on one core, where the system lets a process choose."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
