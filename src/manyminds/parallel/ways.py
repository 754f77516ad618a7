"""The ways to search in parallel, by name. Open: register a way of your own as ours are.

A way is a function of the game, the state, the selection rule, the number of threads, the virtual loss
(None: the way's own) and the search's arguments; it gives a Search, or what answers like one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from manyminds.core.errors import UsageError, nearest
from manyminds.core.random import derive
from manyminds.games.contract import Game
from manyminds.parallel.access import FREE, GLOBAL, LOCAL
from manyminds.parallel.forest import Forest, grow_apart
from manyminds.parallel.leaf import Leaf
from manyminds.parallel.passing import EVERY, grow_passing
from manyminds.parallel.process import TreeProcess
from manyminds.parallel.shared import SharedTree
from manyminds.parallel.threads import MOST_THREADS
from manyminds.search.search import MEMORY_MB, Search
from manyminds.search.selection import Selection

DEFAULT = "free"
MOST_LOSS = 1000

Way = Callable[[Game, Any, "Selection | None", int, "int | None", Mapping[str, Any]], Any]

_ways: dict[str, tuple[Way, str]] = {}


def register_way(name: str, way: Way, help: str) -> None:  # noqa: A002 - as in players' `register`
    """Make a way known; a name is taken once."""
    if name in _ways and _ways[name][0] is not way:
        raise UsageError(f'there is a way "{name}" to search in parallel already')
    _ways[name] = (way, help)


def known_ways() -> dict[str, str]:
    """Every way's name with its line of help."""
    return {name: line for name, (_, line) in _ways.items()}


def parallel_search(
    game: Game,
    state: Any = None,
    selection: Selection | None = None,
    *,
    threads: int = 2,
    way: str = DEFAULT,
    virtual_loss: int | None = None,
    **arguments: Any,
) -> Any:
    """A search on several threads: `mm.Search`'s arguments, and how.

    way: leaf, root, global, local, free, passing, processes (docs/parallel.md). virtual_loss: lost
    playouts that count on a thread's way, where threads share a tree. With one thread it is the plain Search.
    """
    if way not in _ways:
        raise UsageError(f'there is no way "{way}" to search in parallel; {nearest(way, _ways)}')
    if isinstance(threads, bool) or int(threads) != threads or not 1 <= threads <= MOST_THREADS:
        raise UsageError(f"threads are a whole number from 1 to {MOST_THREADS}, not {threads}")
    if virtual_loss is not None and not 0 <= virtual_loss <= MOST_LOSS:
        raise UsageError(f"a virtual loss is from 0 to {MOST_LOSS} playouts, not {virtual_loss}")
    if threads == 1:
        return Search(game, state, selection, **arguments)
    return _ways[way][0](game, state, selection, int(threads), virtual_loss, arguments)


def _shared(access: Any, usual_loss: int, locks: bool) -> Way:
    def way(
        game: Game,
        state: Any,
        rule: Selection | None,
        threads: int,
        loss: int | None,
        arguments: Mapping[str, Any],
    ) -> Search:
        crew = SharedTree(threads, access, usual_loss if loss is None else loss, locks)
        return Search(game, state, rule, crew=crew, **arguments)

    return way


def _leaf(
    game: Game,
    state: Any,
    rule: Selection | None,
    threads: int,
    loss: int | None,
    arguments: Mapping[str, Any],
) -> Search:
    _no_loss(loss, "leaf")
    return Search(game, state, rule, crew=Leaf(threads), **arguments)


def _root(
    game: Game,
    state: Any,
    rule: Selection | None,
    threads: int,
    loss: int | None,
    arguments: Mapping[str, Any],
) -> Forest:
    _no_loss(loss, "root")
    trees = [Search(game, state, rule, **given) for given in apart(arguments, threads)]
    return Forest(trees[0], trees[1:], grow_apart)


def _processes(
    game: Game,
    state: Any,
    rule: Selection | None,
    threads: int,
    loss: int | None,
    arguments: Mapping[str, Any],
) -> Forest:
    _no_loss(loss, "processes")
    here, *there = apart(arguments, threads)
    others = [TreeProcess(game, state, rule, given) for given in there]
    return Forest(Search(game, state, rule, **here), others, grow_apart)


def _passing(
    game: Game,
    state: Any,
    rule: Selection | None,
    threads: int,
    loss: int | None,
    arguments: Mapping[str, Any],
) -> Forest:
    _no_loss(loss, "passing")
    if arguments.get("results"):
        raise UsageError("trees that pass their results to each other keep none for others")
    playouts = int(arguments.get("playouts", 1))
    trees = [
        Search(game, state, rule, **{**given, "results": EVERY * playouts})
        for given in apart(arguments, threads)
    ]
    return Forest(trees[0], trees[1:], grow_passing, whole=True)


def apart(arguments: Mapping[str, Any], threads: int) -> list[dict[str, Any]]:
    """Arguments of each tree's own: another seed, its share of the memory, room for others' work.

    The first keeps its seed.
    """
    seed = int(arguments.get("seed", 0))
    memory = float(arguments.get("memory_mb", MEMORY_MB)) / threads
    return [
        {
            **arguments,
            "seed": derive(seed, "tree", k) if k else seed,
            "memory_mb": memory,
            "social": True,
        }
        for k in range(threads)
    ]


def _no_loss(loss: int | None, name: str) -> None:
    if loss:
        raise UsageError(f"a virtual loss is for threads that share a tree, not for {name}")


register_way("free", _shared(FREE, 1, False), "one tree without locks, virtual loss")
register_way("local", _shared(LOCAL, 0, True), "one tree with a lock for each node")
register_way("global", _shared(GLOBAL, 0, False), "one tree with one lock")
register_way("leaf", _leaf, "one tree, a playout of each thread from every leaf")
register_way("root", _root, "a tree for each thread, put together at the end")
register_way("processes", _processes, "the same with a process for each tree but the first")
register_way("passing", _passing, "a tree for each thread, every result passed to all")
