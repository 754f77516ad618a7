"""The Go engine: RAVE with priors over playouts of agents, as Fuego has it, and stronger defaults.

A preset is a set of values; whatever is given beside it is used instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.core.random import derive
from manyminds.games.agents import Database, find_database
from manyminds.games.contract import Game, State
from manyminds.parallel.threads import MOST_THREADS
from manyminds.players.arguments import Argument, Kind, choice, flag, number, whole
from manyminds.players.player import Decision, Lineup
from manyminds.players.registry import register
from manyminds.players.searching import SearchPlayer, a_database
from manyminds.players.spec import Value
from manyminds.search.selection import Selection, engine, rave, ucb1, ucb1_tuned, uct

LARGE = 15  # boards from this size on have other constants in Fuego

# Fuego 0.4's values below 15x15, by argument. "win" and a margin of 0.04 are its 0.98 + 0.02 s / M.
FUEGO: dict[str, Any] = {
    "search": "fuego",
    "c": 0.02,
    "a": 1.0,
    "b": 5000.0,
    "fades": True,
    "urgency": 1.0,
    "prior": "default",
    "prior_weight": 1.0,
    "locality": 1.0,
    "mercy": 0.3,
    "reward": "win",
    "margin": 0.04,
    "haste": 0.00028,
    "correction": "",
    "release": "",
    "passes": "any time",
    "expand_after": 1,
    "fresh": True,
    "memory": 1024.0,
    "threads": 1,
}
FUEGO_LARGE: dict[str, Any] = {"c": 0.0, "a": 0.9, "haste": 0.0}

# Meant to win most; not tuned by matches yet (docs/engine.md).
BEST: dict[str, Any] = {
    "c": 0.0,
    "fresh": False,
}

PRESETS: dict[str, dict[str, Any]] = {
    "best": FUEGO | BEST | {"database": "default"},
    "faithful": FUEGO | {"database": "faithful"},
    "stock": FUEGO | {"database": "stock"},
}

_SEARCHES: dict[str, Callable[[Mapping[str, Any]], Selection]] = {
    "fuego": lambda v: engine(v["c"], v["a"], v["b"], v["fades"]),
    "rave": lambda v: rave(c=v["c"], a=v["a"], b=v["b"], weighting="mse"),
    "uct": lambda v: uct(v["c"]),
    "ucb1": lambda v: ucb1(),
    "ucb1-tuned": lambda v: ucb1_tuned(),
}
_OF_THE_GAME = ("prior", "prior_weight", "mercy", "reward", "margin", "haste", "correction",
                "release", "passes")  # fmt: skip


class EnginePlayer(SearchPlayer):
    """A search with the values of a preset, on Go with the agents of its database."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = dict(values)
        chosen = {name: values[name] for name in _OF_THE_GAME}
        chosen["locality_weight"] = values["locality"]
        super().__init__(
            _SEARCHES[values["search"]](values),
            fresh=values["fresh"],
            choices={name: value for name, value in chosen.items() if value != ""},
            expand_after=values["expand_after"],
            first_play_urgency=values["urgency"],
            memory_mb=values["memory"],
            threads=values["threads"],
        )
        self.database = values["database"]

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        self.choices["salt"] = derive(lineup.seed_of(seat), "priors")
        super().begin(game, seat, lineup)

    def decide(self, state: State, budget: Budget) -> Decision:
        self.settings.since = state.moves
        return super().decide(state, budget)


def engine_player(**given: Any) -> EnginePlayer:
    """The player `go(...)`: a preset, and what was said besides."""
    preset = PRESETS[given.pop("preset")]
    values = dict(preset)
    agents, weights = given.pop("database"), given.pop("weights")
    values |= {name: value for name, value in given.items() if value is not None}
    database = agents or find_database(preset["database"])
    if weights:
        database = Database(
            database.agents, weights, release=database.release, files=database.files
        )
    return EnginePlayer(values | {"database": database})


def _read_weights(value: Value, game: Any) -> tuple[float, ...]:
    numbers = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(n, int | float) and not isinstance(n, bool) and n > 0 for n in numbers):
        raise UsageError("is a list of numbers above 0, one for each agent: [2, 1]")
    return tuple(float(n) for n in numbers)


_WEIGHTS = Kind("a list of numbers above 0", _read_weights, harmless=True)


def _fits(game: Any) -> str:
    if isinstance(game, Game) and game.title == "go":
        return ""
    return "it is an engine for Go; uct(database=...) plays any game by agents"


register(
    "go",
    engine_player,
    (
        Argument("preset", choice(*PRESETS), "best", "where the other values come from"),
        Argument("database", a_database, None, "the agents of its playouts"),
        Argument("weights", _WEIGHTS, (), "how often each of them is drawn"),
        Argument("release", choice("0.4", "0.4.1"), None, "whose heuristics, where they differ"),
        Argument("correction", choice("none", "0.4", "0.4.1"), None, "of self-ataris"),
        Argument("search", choice(*_SEARCHES), None, "the rule in the tree"),
        Argument("c", number(), None, "exploration constant"),
        Argument("a", number(1e-9), None, "weight of a first RAVE visit"),
        Argument("b", number(1e-9), None, "visits that all of RAVE counts for at most"),
        Argument("fades", flag, None, "RAVE counts later moves less"),
        Argument("urgency", number(0.0), None, "what an unvisited child is worth"),
        Argument(
            "prior",
            choice("none", "default", "database"),
            None,
            "whose knowledge new nodes begin with; of a database an agent is drawn for each node",
        ),
        Argument("prior_weight", number(0.0, 999.0), None, "times Fuego's playouts"),
        Argument("locality", number(0.0, 999.0), None, "the same for nearness to the last move"),
        Argument("mercy", number(0.0, 1.0), None, "lead that ends a playout, as a share; 0: none"),
        Argument("reward", choice("win", "points"), None, "what the search maximises"),
        Argument("margin", number(0.0, 1.0), None, "the share of a win's reward given by points"),
        Argument("haste", number(0.0, 1.0), None, "reward that a win loses for each move"),
        Argument("passes", choice("at the end", "any time"), None, "in the tree"),
        Argument("expand_after", whole(0, 10**6), None, "visits of a leaf when it gets children"),
        Argument("fresh", flag, None, "no tree is kept between moves"),
        Argument("threads", whole(1, MOST_THREADS), None, "that search for one decision"),
        Argument("memory", number(0.1, 10**6), None, "megabytes of a tree"),
    ),
    help="the Go engine: RAVE with priors over agents' playouts; presets best, faithful, stock",
    fits=_fits,
)
