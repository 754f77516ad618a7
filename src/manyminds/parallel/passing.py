"""Simulation results passing: a tree for each worker, every result goes to all (Filip 2013, algorithm 2.12).

The workers meet every few hundred simulations and take in each other's results in a fixed order, so that
two runs are alike, none is lost, and after a run every tree holds everybody's work.
"""

from __future__ import annotations

import time
from typing import Any

from manyminds.core.budget import Budget
from manyminds.parallel.forest import Forest

EVERY = 256  # simulations of a worker between two meetings
_TO_BEGIN_WITH = 8  # where time or nodes count: simulations before the first meeting

Told = list[Any]  # by tree: its newest results


def grow_passing(forest: Forest, budget: Budget, every: int = EVERY) -> int:
    """Spend the budget in rounds; in each, the results of the round before are taken in first.

    every: simulations of a round, and at most as many as the trees keep results.
    """
    told: Told = [()] * forest.threads.n
    if budget.simulations is not None:
        spent = _spend(forest, budget.simulations, every, told)
    elif budget.nodes is not None:
        spent = _grow_to(forest, forest.first.nodes + budget.nodes, 100 * budget.nodes, told)
    else:
        spent = _until(forest, time.perf_counter() + (budget.milliseconds or 0.0) / 1000, told)
    forest.threads.run(lambda k: _take_in(forest.trees[k], k, told))
    return spent


def _spend(forest: Forest, simulations: int, every: int, told: Told) -> int:
    n, left = forest.threads.n, simulations
    while left > 0:
        most = min(left, n * every)
        left -= _round(forest, [most // n + (k < most % n) for k in range(n)], told)
    return simulations


def _grow_to(forest: Forest, nodes: int, most: int, told: Told) -> int:
    total = 0
    while forest.first.nodes < nodes and total < most:
        total += _round(forest, [_TO_BEGIN_WITH] * forest.threads.n, told)
    return total


def _until(forest: Forest, deadline: float, told: Told) -> int:
    total, size = 0, _TO_BEGIN_WITH
    while (now := time.perf_counter()) < deadline:
        total += _round(forest, [size] * forest.threads.n, told)
        spent = max(time.perf_counter() - now, 1e-7)
        left = deadline - time.perf_counter()
        size = int(max(1, min(EVERY, 4 * size, size * left / spent)))
    return total


def _round(forest: Forest, sizes: list[int], told: Told) -> int:
    """Each tree takes in what the others told in the round before, and makes its simulations."""
    trees, before = forest.trees, list(told)

    def work(k: int) -> None:
        _take_in(trees[k], k, before)
        if sizes[k]:
            trees[k].run(simulations=sizes[k])
        told[k] = trees[k].results()

    forest.threads.run(work)
    return sum(sizes)


def _take_in(tree: Any, number: int, told: Told) -> None:
    for k, results in enumerate(told):
        if k != number and len(results):
            tree.absorb(results)
