"""Learners on simulated agents of known strength: what each finds, and how many games it takes.

The table of docs/learning.md. Usage: compare_learners.py [--worlds 30] [--first 1000]
"""

from __future__ import annotations

import argparse
import itertools
from typing import Any

import numpy as np

from manyminds.arena.learning.course import follow
from manyminds.arena.learning.registry import begin
from manyminds.arena.learning.simulated import Simulated, World
from manyminds.arena.statistics import mean_interval

ORDERS = ["-".join(order) for order in itertools.permutations(("N", "AC", "AD", "L", "P"))]
WORLDS = {
    "as printed": World(),
    "orders tell": World(alike=0.6),
    "nearly equal": World(mean=-0.12, singles=0.1, pairs=0.1),
    "no pairs": World(pairs=0.0, own=0.0),
}
LEARNERS: list[tuple[str, dict[str, Any]]] = [
    ("greedy", {}),
    ("greedy", {"games": 100}),
    ("annealing", {"tries": 40, "games": 200}),
    ("racing", {"games": 12_000}),
    ("racing", {"games": 12_000, "alike": "none"}),
    ("racing", {"games": 6000}),
    ("racing", {"games": 3000, "round": 240}),
]


def main() -> None:
    """Print a line for every learner in every kind of world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=30)
    parser.add_argument("--first", type=int, default=1000)
    chosen = parser.parse_args()
    seeds = range(chosen.first, chosen.first + chosen.worlds)
    for kind, world in WORLDS.items():
        base: list[float] = []
        for name, settings in LEARNERS:
            runs = [_run(name, settings, world, seed) for seed in seeds]
            found = [share for share, _ in runs]
            base = base or found
            away = mean_interval([a - b for a, b in zip(found, base, strict=True)])
            games = np.mean([games for _, games in runs])
            print(
                f"{kind}: {name} {settings}: {games:.0f} games, true share "
                f"{100 * np.mean(found):.2f} %, minus greedy's {away.scaled(100).text()}",
                flush=True,
            )


def _run(name: str, settings: dict[str, Any], world: World, seed: int) -> tuple[float, int]:
    simulated = Simulated(ORDERS, seed, world)
    chosen, _ = follow(begin(name, simulated.candidates(), settings), simulated.measure)
    return simulated.truth(chosen), simulated.played


if __name__ == "__main__":
    main()
