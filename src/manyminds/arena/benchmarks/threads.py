"""Two threads on one tree against one: simulations by the clock on the wall, in turns."""

from __future__ import annotations

import os
import statistics
import time
from typing import Any

from manyminds.arena.benchmarks.row import Effort, Figure, Tell
from manyminds.core.errors import Failure
from manyminds.games.registry import make_game
from manyminds.parallel.ways import DEFAULT, parallel_search
from manyminds.search.selection import uct

_SIMULATIONS = 100_000
_THREADS = 2


def two_on_one_tree(effort: Effort, tell: Tell) -> Figure:
    """UCT on Go 9x9 from the empty board, two threads on one tree without locks, and one alone.

    What else runs on the machine takes time from two threads first, so that `details` say how much of two
    processors the two threads got, and what an idle machine would show: twice the ratio of CPU times.
    """
    if (os.cpu_count() or 1) < _THREADS:
        raise Failure("two threads need a machine with two processors")
    simulations = effort.of(_SIMULATIONS)
    for threads in (1, _THREADS):
        _rates(threads, simulations)
    one: list[Rates] = []
    two: list[Rates] = []
    for number in range(effort.rounds):
        tell(f"round {number + 1} of {effort.rounds}")
        for threads in (1, _THREADS) if number % 2 == 0 else (_THREADS, 1):
            (one if threads == 1 else two).append(_rates(threads, simulations))
    return _figure(one, two)


Rates = tuple[float, float]  # simulations per second on the wall, and per CPU second


def _rates(threads: int, simulations: int) -> Rates:
    game = make_game("go", colours=2)
    search: Any = parallel_search(game, None, uct(), threads=threads, way=DEFAULT, seed=1)
    search.run(simulations=_THREADS)  # threads start and pages come before the clock does
    wall, cpu = time.perf_counter(), time.process_time()
    search.run(simulations=simulations)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return simulations / wall, simulations / max(cpu, 1e-9)


def _figure(one: list[Rates], two: list[Rates]) -> Figure:
    ratios = [mine[0] / alone[0] for mine, alone in zip(two, one, strict=True)]
    by_cpu = [_THREADS * mine[1] / alone[1] for mine, alone in zip(two, one, strict=True)]
    return Figure(
        statistics.median(mine[0] for mine in two),
        statistics.median(alone[0] for alone in one),
        statistics.median(ratios),
        (min(ratios), max(ratios)),
        details={
            "ratio by CPU time": statistics.median(by_cpu),
            "processors got": statistics.median(mine[0] / mine[1] for mine in two),
            "load": os.getloadavg()[0],
        },
    )
