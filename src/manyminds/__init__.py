"""Monte Carlo tree search for many minds: `import manyminds as mm`, then `mm.play`.

Names are loaded when they are first used: importing the package costs nothing, not even Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors see; the tests compare it with _HOMES
    from manyminds.core.budget import Budget
    from manyminds.core.errors import Failure, MissingExtra, UsageError
    from manyminds.core.kernel import inline, kernel
    from manyminds.core.record import Record, record
    from manyminds.games.check import check_game
    from manyminds.games.contract import NONE, Game

__version__ = "0.1.0"

_HOMES = {
    "Budget": "manyminds.core.budget",
    "Failure": "manyminds.core.errors",
    "Game": "manyminds.games.contract",
    "MissingExtra": "manyminds.core.errors",
    "NONE": "manyminds.games.contract",
    "Record": "manyminds.core.record",
    "UsageError": "manyminds.core.errors",
    "check_game": "manyminds.games.check",
    "inline": "manyminds.core.kernel",
    "kernel": "manyminds.core.kernel",
    "record": "manyminds.core.record",
}

__all__ = [  # Ruff and editors want it written out; the tests compare it with _HOMES
    "NONE",
    "Budget",
    "Failure",
    "Game",
    "MissingExtra",
    "Record",
    "UsageError",
    "__version__",
    "check_game",
    "inline",
    "kernel",
    "record",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"manyminds has no {name!r}; it has {', '.join(sorted(_HOMES))}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
