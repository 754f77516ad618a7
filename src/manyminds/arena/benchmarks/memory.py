"""What a large tree takes: memory of a process of its own, before a search and at its end."""

from __future__ import annotations

import json
import statistics

from manyminds.arena.benchmarks import children
from manyminds.arena.benchmarks.row import Effort, Figure, Tell

_SIMULATIONS = 100_000
_PROCESSES = 3
_MODULE = "manyminds.arena.benchmarks.searching_process"


def go9(effort: Effort, tell: Tell) -> Figure:
    """The player `rave` on Go 9x9: the process's greatest memory less what it had with kernels loaded."""
    command = [_MODULE, "go", "rave", str(effort.of(_SIMULATIONS))]
    tell("a first process, so that kernels are on disk")
    children.run([*command[:-1], "2"])
    grown, kept = [], []
    for number in range(min(_PROCESSES, effort.rounds)):
        tell(f"process {number + 1} of {min(_PROCESSES, effort.rounds)}")
        seen = json.loads(children.run(command))
        grown.append((seen["peak"] - seen["idle"]) / 1e6)
        kept.append((seen["after"] - seen["idle"]) / 1e6)
    details = {"after_the_search": statistics.median(kept), "nodes": seen["nodes"]}
    return Figure(statistics.median(grown), spread=(min(grown), max(grown)), details=details)
