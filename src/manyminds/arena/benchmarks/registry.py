"""Rows by name, in the order of the table. Open: whoever has work to measure registers it.

register_row(Row("go9-engine", "moves of ...", "moves/s", "mine.engine:measure", at_least=2.0))
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from manyminds.arena.benchmarks.row import Effort, Measure, Outcome, Row, Tell
from manyminds.core.errors import Failure, UsageError, nearest

_rows: dict[str, Row] = {}


def register_row(row: Row) -> None:
    """Make a row known. The same one may be registered again; another may not take its name."""
    if _rows.get(row.name, row) != row:
        raise UsageError(f'there is a benchmark "{row.name}" already: {_rows[row.name].what}')
    _rows[row.name] = row


def known_rows() -> tuple[Row, ...]:
    """All rows, in the order in which they were registered."""
    return tuple(_rows.values())


def rows_named(names: Iterable[str]) -> tuple[Row, ...]:
    """The rows of these names, in the table's order; all of them where none is named."""
    wanted = list(names) or list(_rows)
    for name in wanted:
        if name not in _rows:
            raise UsageError(f'there is no benchmark "{name[:40]}"; {nearest(name[:40], _rows)}')
    return tuple(row for row in known_rows() if row.name in wanted)


def measure(row: Row, effort: Effort, tell: Tell) -> Outcome:
    """Measure a row. What fails outside of our hands is told in the outcome, so that other rows go on."""
    try:
        return Outcome(row, _function(row)(effort, tell))
    except Failure as failure:
        return Outcome(row, None, str(failure))


def _function(row: Row) -> Measure:
    if not isinstance(row.measure, str):
        return row.measure
    module, _, function = row.measure.partition(":")
    found: Measure = getattr(import_module(module), function)
    return found


_HERE = "manyminds.arena.benchmarks"
_PLAYOUTS = "OpenSpiel's C++ playouts"
_SEARCH = "OpenSpiel's C++ MCTS"
_PYTHON = "OpenSpiel's MCTS in Python"

for _row in (
    Row(
        "go9-playouts",
        "random playouts, Go 9x9, two colours, rule Surrounded",
        "playouts/s",
        f"{_HERE}.go_playouts:surrounded",
        _PLAYOUTS,
        at_least=17,
    ),
    Row(
        "go9-eye-playouts",
        "the same with rule Eye, the default with two colours",
        "playouts/s",
        f"{_HERE}.go_playouts:eye",
        _PLAYOUTS,
    ),
    Row(
        "go9-moves",
        "moves of random playouts, Go 9x9, two colours, rule Surrounded",
        "moves/s",
        f"{_HERE}.go_playouts:moves",
        _PLAYOUTS,
        at_least=15,
    ),
    Row(
        "go9-3c-moves",
        "moves of random playouts, Go 9x9, three colours, rule Surrounded",
        "moves/s",
        f"{_HERE}.go_playouts:three_colours",
        "our own with two colours",
        at_least=0.8,
    ),
    Row(
        "go9-uct",
        "UCT, Go 9x9, two colours, 50,000 simulations from the empty board",
        "simulations/s",
        f"{_HERE}.go_search:uct",
        _SEARCH,
        at_least=14,
    ),
    Row(
        "go9-3c-rave",
        "RAVE, Go 9x9, three colours, 50,000 simulations from the empty board",
        "simulations/s",
        f"{_HERE}.go_search:rave_of_three",
        f"{_SEARCH} with two colours",
        at_least=6,
    ),
    Row(
        "go9-3c-coalition",
        "RAVE with a coalition of two, its rule in playouts and tree, joint scoring; Go 9x9, three colours",
        "simulations/s",
        f"{_HERE}.go_search:coalition",
        "our own for each alone",
        at_least=0.8,
    ),
    Row(
        "go9-two-threads",
        "UCT, Go 9x9, two threads on one tree, 100,000 simulations, time on the wall",
        "simulations/s",
        f"{_HERE}.threads:two_on_one_tree",
        "our own with one thread",
        at_least=1.85,
    ),
    Row(
        "go9-engine",
        "the engine go(faithful), Go 9x9, 30,000 simulations from the empty board",
        "simulations/s",
        f"{_HERE}.go_engine:faithful",
        _SEARCH,
        at_least=2.9,
    ),
    Row(
        "go9-database",
        "playouts by a database of five copies of one agent",
        "playouts/s",
        f"{_HERE}.go_engine:five_copies",
        "by a database of that agent alone",
        at_least=0.98,
    ),
    Row(
        "ttt-plugin",
        "UCT, tic-tac-toe as thirty lines of plain Python, trees of 20,000 simulations",
        "simulations/s",
        f"{_HERE}.small_games:plug_in",
        f"{_SEARCH} on its Python tic-tac-toe",
        at_least=100,
    ),
    Row(
        "ttt-plugin-cpp",
        "the same plug-in",
        "simulations/s",
        f"{_HERE}.small_games:plug_in_against_cpp",
        f"{_SEARCH} on its C++ tic-tac-toe",
        at_least=0.8,
    ),
    Row(
        "connect-four",
        "UCT, connect four, trees of 20,000 simulations",
        "simulations/s",
        f"{_HERE}.small_games:connect_four",
        _SEARCH,
        at_least=3,
    ),
    Row(
        "openspiel-go9",
        "UCT on OpenSpiel's Go 9x9",
        "simulations/s",
        f"{_HERE}.openspiel_games:go",
        _PYTHON,
        at_least=3,
    ),
    Row(
        "openspiel-go9-rave",
        "the same with RAVE, which reads every playout's moves",
        "simulations/s",
        f"{_HERE}.openspiel_games:go_rave",
        _PYTHON,
        at_least=3,
    ),
    Row(
        "openspiel-checkers3",
        "UCT on OpenSpiel's Chinese checkers for three",
        "simulations/s",
        f"{_HERE}.openspiel_games:checkers",
        _PYTHON,
        at_least=3,
    ),
    Row(
        "pacman-playouts",
        "playouts of at most 120 ticks, Ms Pac-Man, from the middle of a game",
        "playouts/s",
        f"{_HERE}.pacman:playouts",
        "the Java framework's 34,800",
        at_least=2.9,
    ),
    Row(
        "pacman-plain",
        "plain search, Ms Pac-Man, 1,760 simulations from the middle of a game",
        "simulations/s",
        f"{_HERE}.pacman:plain",
        "Filip's 11,002",
        at_least=5,
    ),
    Row(
        "pacman-tree-cut",
        "taking in a teammate's tree cut of 4 kB",
        "us",
        f"{_HERE}.pacman:tree_cut",
        at_most=100,
    ),
    Row(
        "go9-memory",
        "RAVE, Go 9x9, two colours, 100,000 simulations: memory over the idle process",
        "MB",
        f"{_HERE}.memory:go9",
        at_most=60,
    ),
    Row(
        "first-move",
        "manyminds play, kernels on disk: from the start to the first move of rave@1000",
        "s",
        f"{_HERE}.starting:first_move",
        at_most=2,
    ),
    Row(
        "cold-start",
        "all kernels that ship, compiled from nothing by two processes",
        "s",
        f"{_HERE}.starting:cold_start",
        at_most=60,
    ),
):
    register_row(_row)
