"""A learnt set as a database file: its agents and weights, and in [evidence] what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from manyminds.arena.learning.learnt import Learnt
from manyminds.arena.statistics import Interval
from manyminds.arena.toml import pairs


def to_toml(learnt: Learnt) -> str:
    """The file's text; something was chosen."""
    assert learnt.chosen is not None
    weights = dict(learnt.chosen.weights)
    table: dict[str, Any] = {**learnt.database, "agents": list(weights)}
    if set(weights.values()) != {1}:
        table["weights"] = list(weights.values())
    lines = [f"# {learnt.title or 'Learnt by manyminds learn.'}", *pairs(table)]
    return "\n".join([*lines, "", "[evidence]", *pairs(dict(_evidence(learnt)))]) + "\n"


def _evidence(learnt: Learnt) -> Iterator[tuple[str, Any]]:
    yield "learner", learnt.learner["name"]
    yield "candidates", learnt.candidates
    yield "games", learnt.games
    yield "seed", learnt.seed
    yield "budget", learnt.budget
    yield "player", learnt.player
    yield "against", learnt.against
    yield "versions", ", ".join(f"{k} {v}" for k, v in learnt.versions.items())
    if learnt.first is not None:
        yield "chosen_by", _share(learnt.first)
    if learnt.fresh is not None:
        yield "fresh", _share(learnt.fresh)
    if learnt.alone:
        yield "alone", {name: _share(interval) for name, interval in learnt.alone.items()}
    if learnt.against_best is not None:
        yield "best_member", learnt.best_member
        yield "against_best", _share(learnt.against_best)


def _share(interval: Interval) -> dict[str, Any]:
    """A share of wins with its 95 % interval."""
    numbers = {"share": interval.estimate, "low": interval.low, "high": interval.high}
    return {**{key: round(value, 4) for key, value in numbers.items()}, "games": interval.n}
