"""Games whose playouts are played by the agents of a database.

A game of one's own names heuristics in the registry, and its playouts follow a database by
`with_agents(game, database)`: for every step an agent is drawn, its heuristics are asked in order, and
one candidate of the first that has any is drawn; where all decline, the game's own step is made. Games
with a word to say about candidates (Go's eyes, its self-ataris) register a maker of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from manyminds.core.errors import UsageError
from manyminds.core.kernel import bare_kernel
from manyminds.core.random import below
from manyminds.core.record import record
from manyminds.games.agents.database import Database
from manyminds.games.agents.deck import BITS, FIELDS, chain, draw_agent, fill_deck
from manyminds.games.agents.heuristic import heuristic_named
from manyminds.games.contract import Game
from manyminds.games.defaults import TAKE_SETTINGS, without_settings

Maker = Callable[..., Game]

# Games with a maker of their own: title: where it is.
MAKERS = {"go": "manyminds.games.go.agents:with_agents"}

_MASK = (1 << BITS) - 1
DECK = record(**FIELDS)


def with_agents(game: Game, database: Database, **choices: Any) -> Game:
    """The same game with playouts by the database; its states are the old game's.

    choices: what else the maker of the game takes (for Go: games/go/agents.py). A game with own
    heuristics only is compiled once for each set of them, not for each database.
    """
    if database.game != game.title:
        raise UsageError(
            f"this database is for {database.game}, and the game is {game.title}: give the file a "
            f'line game = "{game.title}", and heuristics of that game'
        )
    if game.title in MAKERS:
        module, _, name = MAKERS[game.title].partition(":")
        maker: Maker = getattr(import_module(module), name)
        return maker(game, database, **choices)
    if choices:
        raise UsageError(
            f"{game.title} takes a database and nothing else, not {', '.join(choices)}"
        )
    return _with_steps(game, database)


def _with_steps(game: Game, database: Database) -> Game:
    """For any turn-based game without settings."""
    if game.simultaneous or game.settings is not None:
        raise UsageError(
            f"{game.title} is simultaneous or has settings: such a game makes its own playouts by "
            "agents (manyminds.games.agents.playing.MAKERS)"
        )
    names = sorted(database.heuristics)
    ask = chain([heuristic_named(name, game.title).kernel for name in names])
    places = {name: place for place, name in enumerate(names, 1)}

    def set_up() -> Any:
        deck = DECK.new()
        fill_deck(deck, database.agents, database.weights, places)
        return deck

    functions = {
        name: without_settings(name, function, game.simultaneous)
        if name in TAKE_SETTINGS
        else function
        for name, function in game.functions.items()
        if name not in ("step", "playout")
    }
    functions["step"] = _step(ask, game.kernels.step)
    return game.variant(settings=DECK, set_up=set_up, functions=functions)


def _step(ask: Any, otherwise: Any) -> Any:
    @bare_kernel
    def step(state, rng, trace, settings):
        order = draw_agent(settings, rng)
        while order != 0:
            n = ask(int(order) & _MASK, state, trace.choices)
            if n > 0:
                return trace.choices[below(rng, n)]
            order = order >> BITS
        return otherwise(state, rng, trace, settings)

    return step
