"""How far each way to search in parallel scales: simulations and good decisions, in virtual time and real.

The shape of Filip's Table 2.1 on Go 9x9: `virtual_table` for any number of workers, the same on every
machine; `measured_table` for the threads that this machine has.

    python -m manyminds.arena.scaling [POSITIONS]
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from manyminds.arena.statistics.interval import Interval
from manyminds.arena.statistics.strength import speed_up_interval
from manyminds.core.budget import Budget
from manyminds.core.random import derive
from manyminds.core.record import copy_of
from manyminds.games.contract import Game
from manyminds.games.registry import make_game
from manyminds.parallel.forest import Forest, grow_apart
from manyminds.parallel.passing import grow_passing
from manyminds.parallel.virtual import (
    NO_LOCK,
    NODE_LOCKS,
    ONE_LOCK,
    costs_of,
    new_bench,
    run_leaf,
    run_shared,
)
from manyminds.parallel.ways import parallel_search
from manyminds.search.search import Search
from manyminds.search.selection import Selection, rave, uct

WAYS = ("leaf", "root", "global", "local", "local, virtual loss", "free", "passing")
WORKERS = (2, 4, 16, 64)
_PLAIN = (0.5, 1, 2, 4, 8, 16, 32, 64)  # times the budget: what the speed-up is read from
_MEMORY_MB = 8.0
_EVERY = 8  # simulations between two meetings of those who pass results, in virtual time
_OPENING = range(4, 25)  # moves that are played before a position
_REFERENCE = 1000  # simulations that judge each move of a position


@dataclass(frozen=True)
class Cell:
    """One way with so many workers. Both speed-ups are against one worker in the same time.

    simulations: playouts backed up. strength: by how much more time the plain search needs for decisions
    as good (Filip 2.3.1); None where it was not measured.
    """

    way: str
    workers: int
    simulations: float
    strength: Interval | None = None


@dataclass(frozen=True)
class Position:
    """A position with what each move loses against the best, by a long search."""

    state: Any
    loss: dict[int, float]
    seed: int


@dataclass(frozen=True)
class Trial:
    """What all decisions of a table have in common. until: virtual microseconds of a decision."""

    game: Game
    rule: Selection
    costs: Any
    until: float


Decide = Callable[[Trial, Position, int], tuple[int, float]]  # the move, and simulations


def virtual_table(
    positions: int = 40,
    workers: Sequence[int] = WORKERS,
    microseconds: float = 2000.0,
    seed: int = 1,
    ways: Sequence[str] = WAYS,
    tell: Callable[[str], None] = lambda line: None,
) -> list[Cell]:
    """Every way with every number of workers on positions of Go 9x9, in virtual time."""
    trial = Trial(make_game("go", colours=2), uct(), costs_of(), microseconds)
    tell("judging positions")
    asked = [position(trial, derive(seed, "position", k)) for k in range(positions)]
    tell("one worker")
    plain = {times: [_plain(trial, one, times) for one in asked] for times in _PLAIN}
    worth = {float(times): [-loss for loss, _ in made] for times, made in plain.items()}
    alone = statistics.mean(made for _, made in plain[1])
    cells = []
    for way in ways:
        for n in workers:
            tell(f"{way}, {n} workers")
            found = [_DECIDE[way](trial, one, n) for one in asked]
            losses = [-one.loss.get(move, 1.0) for one, (move, _) in zip(asked, found, strict=True)]
            made = statistics.mean(simulations for _, simulations in found)
            strength = speed_up_interval(worth, losses, 1.0, seed=seed)
            cells.append(Cell(way, n, made / alone, strength))
    return cells


def position(trial: Trial, seed: int) -> Position:
    """A position some moves into a game of quick searches, and what its moves are worth."""
    game = trial.game
    state = game.start()
    for move_number in range(_OPENING[seed % len(_OPENING)]):
        search = Search(game, state, trial.rule, seed=derive(seed, move_number), memory_mb=2.0)
        search.run(simulations=150)
        after = game.copy(state)
        game.play(after, search.best())
        if game.over(after):
            break
        state = after
    return Position(state, _losses(game, state, seed), seed)


def _losses(game: Game, state: Any, seed: int) -> dict[int, float]:
    """What each move loses against the best: a search of its own for each, all of one size."""
    mover, worth = game.seat(state), {}
    for move in game.moves(state):
        after = game.copy(state)
        game.play(after, int(move))
        judge = Search(game, after, rave(), seed=derive(seed, "judge", int(move)), memory_mb=8.0)
        judge.run(simulations=_REFERENCE)
        worth[int(move)] = judge.values()[mover]
    best = max(worth.values())
    return {move: best - value for move, value in worth.items()}


def _search(trial: Trial, where: Position, number: int = 0, **arguments: Any) -> Search:
    seed = derive(where.seed, "tree", number)
    return Search(trial.game, where.state, trial.rule, seed=seed, memory_mb=_MEMORY_MB, **arguments)


def _run(trial: Trial, search: Search, workers: int, lock: int, until: float) -> float:
    nodes = search.tree.nodes.shape[0] if lock == NODE_LOCKS else 1
    bench = new_bench(search.desk, workers, nodes)
    rule, p = search.selection.kernels, search.parameters
    return float(
        run_shared(
            search.kernels, rule, search.tree, search.desk, p, search.settings, bench,
            trial.costs, lock, until,
        )
    )  # fmt: skip


def _plain(trial: Trial, where: Position, times: float) -> tuple[float, float]:
    """What one worker's move loses when it has so many times the time, and its simulations."""
    search = _search(_unhindered(trial), where)
    made = _run(_unhindered(trial), search, 1, NO_LOCK, trial.until * times)
    return where.loss.get(search.best(), 1.0), made


def _unhindered(trial: Trial) -> Trial:
    """With nobody beside."""
    costs = copy_of(trial.costs)
    costs["beside"] = 0.0
    return Trial(trial.game, trial.rule, costs, trial.until)


def _shared(lock: int, loss: int) -> Decide:
    def decide(trial: Trial, where: Position, workers: int) -> tuple[int, float]:
        search = _search(trial, where)
        search.parameters.virtual_loss = loss
        made = _run(trial, search, workers, lock, trial.until)
        return search.best(), made

    return decide


def _leaf(trial: Trial, where: Position, workers: int) -> tuple[int, float]:
    search = _search(trial, where)
    rule, p = search.selection.kernels, search.parameters
    made = run_leaf(
        search.kernels, rule, search.tree, search.desk, p, search.settings, workers,
        trial.costs, trial.until,
    )  # fmt: skip
    return search.best(), float(made)


def _root(trial: Trial, where: Position, workers: int) -> tuple[int, float]:
    alone = _unhindered(trial)
    trees = [_search(alone, where, k, social=True) for k in range(workers)]
    made = sum(_run(alone, tree, 1, NO_LOCK, trial.until) for tree in trees)
    return Forest(trees[0], trees[1:], grow_apart).best(), made


def _passing(trial: Trial, where: Position, workers: int) -> tuple[int, float]:
    """As many simulations as the time allows when each costs its own time and others' taking in."""
    _, alone = _plain(trial, where, 1)
    each = trial.until / max(alone, 1.0) + (workers - 1) * float(trial.costs.absorb)
    own = max(1, int(trial.until / each))
    trees = [_search(trial, where, k, social=True, results=_EVERY) for k in range(workers)]
    forest = Forest(trees[0], trees[1:], partial(grow_passing, every=_EVERY), whole=True)
    forest.run(budget=Budget(simulations=own * workers))
    return forest.best(), float(own * workers)


_DECIDE: dict[str, Decide] = {
    "leaf": _leaf,
    "root": _root,
    "global": _shared(ONE_LOCK, 0),
    "local": _shared(NODE_LOCKS, 0),
    "local, virtual loss": _shared(NODE_LOCKS, 1),
    "free": _shared(NO_LOCK, 1),
    "passing": _passing,
}


def measured_table(
    threads: int = 2, simulations: int = 50_000, rounds: int = 3, seed: int = 1
) -> list[Cell]:
    """Simulations a second of every way on this machine, against one thread, by the wall clock."""
    cells = []
    for way in ("leaf", "root", "global", "local", "free", "passing"):
        ratios = []
        for _ in range(rounds + 1):  # the first compiles
            took = [_seconds(way, n, simulations, seed) for n in (1, threads)]
            ratios.append(took[0] / took[1])
        cells.append(Cell(way, threads, statistics.median(ratios[1:])))
    return cells


def _seconds(way: str, threads: int, simulations: int, seed: int) -> float:
    game = make_game("go", colours=2)
    search = parallel_search(game, None, uct(), threads=threads, way=way, seed=seed)
    search.run(simulations=threads)
    start = time.perf_counter()
    search.run(simulations=simulations)
    return time.perf_counter() - start


def as_text(cells: Sequence[Cell]) -> str:
    """A table of Markdown: a row for each way, a column for each number of workers."""
    numbers = sorted({cell.workers for cell in cells})
    lines = [
        f"| way | {' | '.join(f'{n} workers' for n in numbers)} |",
        "|---" * (len(numbers) + 1) + "|",
    ]
    for way in dict.fromkeys(cell.way for cell in cells):
        own = {cell.workers: cell for cell in cells if cell.way == way}
        lines.append(
            f"| {way} | {' | '.join(_cell(own[n]) if n in own else '' for n in numbers)} |"
        )
    return "\n".join(lines)


def _cell(cell: Cell) -> str:
    if cell.strength is None:
        return f"{cell.simulations:.2f}"
    low, high = cell.strength.low, cell.strength.high
    return f"{cell.simulations:.1f}; {cell.strength.estimate:.1f} ({low:.1f} to {high:.1f})"


if __name__ == "__main__":
    start = time.perf_counter()

    def tell(line: str) -> None:
        print(f"{time.perf_counter() - start:6.1f} s  {line}", file=sys.stderr, flush=True)

    print(as_text(virtual_table(int(sys.argv[1]) if len(sys.argv) > 1 else 40, tell=tell)))
    print(f"\nload {os.getloadavg()[0]:.1f}")
    print(as_text(measured_table()))
