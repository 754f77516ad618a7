"""The Go engine from the empty 9x9 board, and what drawing agents from a database costs."""

from __future__ import annotations

from manyminds.arena.benchmarks import openspiel
from manyminds.arena.benchmarks.contest import contest
from manyminds.arena.benchmarks.decisions import decisions
from manyminds.arena.benchmarks.go_playouts import Playouts
from manyminds.arena.benchmarks.row import Effort, Figure, Tell
from manyminds.games.agents import Database, with_agents
from manyminds.games.registry import make_game

_SIMULATIONS = 30_000
_AGENT = "N-AC-AD-L-P"


def faithful(effort: Effort, tell: Tell) -> Figure:
    """Fuego 0.4's engine as ours; OpenSpiel's UCT with random playouts beside it."""
    simulations = effort.of(_SIMULATIONS)
    ours = decisions(make_game("go"), "go(faithful)", simulations)
    return contest(ours, lambda: openspiel.searches(openspiel.GO_9, simulations), effort, tell)


def five_copies(effort: Effort, tell: Tell) -> Figure:
    """Five agents are drawn from, and play as one: what is left of its speed."""
    one = Database((_AGENT,), release="0.4")
    five = Database((_AGENT,) * 5, release="0.4")
    game = with_agents(make_game("go"), one)
    ours = Playouts(game, "surrounded", database=five)
    theirs = Playouts(game, "surrounded", database=one)
    return contest(ours.playouts, lambda: theirs.playouts, effort, tell)
