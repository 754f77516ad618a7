"""A process that searches once and tells its memory: GAME PLAYER SIMULATIONS. Prints one line of JSON."""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from manyminds.core.budget import Budget
from manyminds.games.registry import make_game
from manyminds.players import Lineup, make_player

_STATUS = Path("/proc/self/status")


def memory(greatest: bool = False) -> int:
    """Bytes of this process in memory, now or at most so far.

    Linux tells both; elsewhere only the greatest is known, and stands for both.
    """
    if _STATUS.exists():
        word = "VmHWM:" if greatest else "VmRSS:"
        for line in _STATUS.read_text().splitlines():
            if line.startswith(word):
                return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main(name: str, player: str, simulations: int) -> None:
    """Search from the game's start; before that, do all that a search does on a small tree."""
    game = make_game(name)
    asked = make_player(player, game)
    state = game.start()
    asked.begin(game, game.seat(state), Lineup([player] * game.seats))
    idle = memory()
    asked.decide(state, Budget(simulations=simulations))
    after, peak = memory(), memory(greatest=True)
    search = getattr(asked, "search", None)
    nodes = search.nodes if search is not None else 0
    print(json.dumps({"idle": idle, "after": after, "peak": peak, "nodes": nodes}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
