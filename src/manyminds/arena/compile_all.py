"""Compile all kernels that ship, so that nobody waits for them later: python -m manyminds.arena.compile_all

For an image of a container, or a disk that many machines share: set MANYMINDS_CACHE_DIR to a folder that
stays. Games that were registered by others are compiled, too. Kernels depend on a game's arguments only
where its own functions do; what is compiled here are the games as they are without any, and Go with
three colours.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import Any

from manyminds.core.errors import UsageError, nearest
from manyminds.games.registry import game_entry, known_games

_FEW = 8  # simulations: enough for every kernel to be called once


@dataclass(frozen=True)
class Job:
    """A game whose kernels are to be compiled. Two jobs share next to none."""

    game: str
    arguments: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        given = ", ".join(f"{name} {value}" for name, value in self.arguments.items())
        return f"{self.game} ({given})" if given else self.game


def jobs() -> list[Job]:
    """Every registered game that needs no extra; the longest first, so that processes end together."""
    more = [Job("go"), Job("go", {"colours": 3})]
    names = [name for name in known_games() if not game_entry(name).extra]
    return more + [Job(name) for name in names if name != "go"]


def compile_all(
    wanted: Sequence[Job] | None = None, processes: int = 2
) -> Iterator[tuple[Job, float]]:
    """Compile in so many processes; each job as it is done, with the seconds it took."""
    wanted = jobs() if wanted is None else wanted
    # Spawned, not forked: a fork of a process with threads may never come to an end.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        done = {pool.submit(compile_game, job): job for job in wanted}
        for finished in as_completed(done):
            yield done[finished], finished.result()


def compile_game(job: Job) -> float:
    """Do with a game, in small, all that players, matches, mates and benchmarks do; the seconds it took."""
    from manyminds.games.registry import make_game

    start = time.perf_counter()
    game = make_game(job.game, **job.arguments)
    _play(game)
    _share(game)
    if not game.simultaneous:
        _play_out(game)
    return time.perf_counter() - start


def _play(game: Any) -> None:
    """A match's first turns between searching players; each gets ready for all it may have to do."""
    from manyminds.arena.match import play

    play(game, ["rave"] * game.seats, budget=_FEW, move_limit=2)


def _share(game: Any) -> None:
    """Two searches tell each other what they found, and take it back."""
    from manyminds.search.search import Search

    teller, hearer = (Search(game, seed=seed, social=True, results=_FEW) for seed in (1, 2))
    for search in (teller, hearer):
        search.run(simulations=_FEW)
    cut = teller.cut(1024)
    hearer.absorb(cut)
    hearer.retract(cut)
    hearer.absorb(teller.results())


def _play_out(game: Any) -> None:
    """Playouts, as `game.playout` and the benchmarks ask for them."""
    from manyminds.core.random import generator
    from manyminds.games import calls

    root, rng = game.start(), generator(1)
    trace = game.playout(game.start(), rng)
    calls.playouts(
        game.kernels, root, game.start(), rng, trace, game.set_up(), 1, game.longest_playout
    )


def main(arguments: Sequence[str] | None = None, say: Callable[[str], None] | None = None) -> None:
    """Compile what was asked for, with a line for each game that is done."""
    parser = argparse.ArgumentParser(
        prog="python -m manyminds.arena.compile_all",
        description="Compile all kernels that ship into MANYMINDS_CACHE_DIR, or the user's cache folder.",
    )
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1), metavar="N")
    parser.add_argument("--only", action="append", metavar="GAME", help="this game; repeatable")
    given = parser.parse_args(arguments)
    try:
        wanted = _chosen(given.only)
    except UsageError as error:
        parser.error(str(error))
    say = say or partial(print, flush=True)
    start = time.perf_counter()
    say(f"compiling {len(wanted)} games for this machine, in {given.processes} processes")
    for number, (job, seconds) in enumerate(compile_all(wanted, given.processes), 1):
        say(f"{number} of {len(wanted)}: {job}, {seconds:.1f} s")
    say(f"all compiled in {time.perf_counter() - start:.1f} s")


def _chosen(names: list[str] | None) -> list[Job]:
    """The jobs of these games; all where none is named."""
    known = {job.game for job in jobs()}
    for name in names or ():
        if name not in known:
            raise UsageError(f'there is no game "{name[:40]}"; {nearest(name[:40], known)}')
    return [job for job in jobs() if not names or job.game in names]


if __name__ == "__main__":
    main()
