"""Monte Carlo tree search for many minds: `import manyminds as mm`, then `mm.play`.

Names are loaded when they are first used: importing the package costs nothing, not even Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors see; the tests compare it with _HOMES
    from manyminds.arena.campaign import Campaign
    from manyminds.arena.learning.run import learn
    from manyminds.arena.match import Match, play, replay
    from manyminds.bridges.openspiel.bot import openspiel_bot
    from manyminds.bridges.openspiel.game import openspiel
    from manyminds.bridges.pettingzoo.making import aec_env, parallel_env
    from manyminds.bridges.pettingzoo.observation import Observation
    from manyminds.core.budget import Budget
    from manyminds.core.errors import Failure, MissingExtra, UsageError
    from manyminds.core.kernel import inline, kernel
    from manyminds.core.random import below, draw, fraction, generator
    from manyminds.core.record import Record, record
    from manyminds.games.agents.check import check_heuristic
    from manyminds.games.agents.database import Database, find_database, read_database
    from manyminds.games.agents.heuristic import Heuristic, heuristic
    from manyminds.games.agents.playing import with_agents
    from manyminds.games.check import check_game
    from manyminds.games.contract import CHANCE, NONE, Game
    from manyminds.games.go.board import EMPTY, neighbours4, neighbours8
    from manyminds.games.go.game import go
    from manyminds.games.pacman.game import pacman
    from manyminds.games.registry import make_game, register_game
    from manyminds.parallel.ways import parallel_search, register_way
    from manyminds.players.arguments import Argument, choice, flag, number, whole
    from manyminds.players.check import check_player
    from manyminds.players.player import Decision, Forfeit, Lineup
    from manyminds.players.registry import make_player, register
    from manyminds.players.spec import PlayerSpec
    from manyminds.search.drawing import show_tree
    from manyminds.search.exact import max_n, paranoid
    from manyminds.search.search import Search
    from manyminds.search.selection import Selection, rave, selection, ucb1, ucb1_tuned, uct
    from manyminds.teams.channel import register_channel
    from manyminds.teams.check import check_channel
    from manyminds.teams.registry import register_mate
    from manyminds.teams.team import Team
    from manyminds.teams.virtual import channel

__version__ = "0.1.0"

_HOMES = {
    "Argument": "manyminds.players.arguments",
    "Budget": "manyminds.core.budget",
    "CHANCE": "manyminds.games.contract",
    "Campaign": "manyminds.arena.campaign",
    "Database": "manyminds.games.agents.database",
    "Decision": "manyminds.players.player",
    "EMPTY": "manyminds.games.go.board",
    "Failure": "manyminds.core.errors",
    "Forfeit": "manyminds.players.player",
    "Game": "manyminds.games.contract",
    "Heuristic": "manyminds.games.agents.heuristic",
    "Lineup": "manyminds.players.player",
    "Match": "manyminds.arena.match",
    "MissingExtra": "manyminds.core.errors",
    "NONE": "manyminds.games.contract",
    "PlayerSpec": "manyminds.players.spec",
    "Record": "manyminds.core.record",
    "Search": "manyminds.search.search",
    "Selection": "manyminds.search.selection",
    "Team": "manyminds.teams.team",
    "UsageError": "manyminds.core.errors",
    "below": "manyminds.core.random",
    "channel": "manyminds.teams.virtual",
    "check_channel": "manyminds.teams.check",
    "check_game": "manyminds.games.check",
    "check_player": "manyminds.players.check",
    "choice": "manyminds.players.arguments",
    "draw": "manyminds.core.random",
    "flag": "manyminds.players.arguments",
    "check_heuristic": "manyminds.games.agents.check",
    "find_database": "manyminds.games.agents.database",
    "fraction": "manyminds.core.random",
    "generator": "manyminds.core.random",
    "go": "manyminds.games.go.game",
    "heuristic": "manyminds.games.agents.heuristic",
    "inline": "manyminds.core.kernel",
    "kernel": "manyminds.core.kernel",
    "learn": "manyminds.arena.learning.run",
    "make_game": "manyminds.games.registry",
    "make_player": "manyminds.players.registry",
    "max_n": "manyminds.search.exact",
    "Observation": "manyminds.bridges.pettingzoo.observation",
    "aec_env": "manyminds.bridges.pettingzoo.making",
    "parallel_env": "manyminds.bridges.pettingzoo.making",
    "number": "manyminds.players.arguments",
    "whole": "manyminds.players.arguments",
    "openspiel": "manyminds.bridges.openspiel.game",
    "openspiel_bot": "manyminds.bridges.openspiel.bot",
    "neighbours4": "manyminds.games.go.board",
    "neighbours8": "manyminds.games.go.board",
    "pacman": "manyminds.games.pacman.game",
    "parallel_search": "manyminds.parallel.ways",
    "paranoid": "manyminds.search.exact",
    "play": "manyminds.arena.match",
    "rave": "manyminds.search.selection",
    "read_database": "manyminds.games.agents.database",
    "record": "manyminds.core.record",
    "register": "manyminds.players.registry",
    "register_channel": "manyminds.teams.channel",
    "register_game": "manyminds.games.registry",
    "register_mate": "manyminds.teams.registry",
    "register_way": "manyminds.parallel.ways",
    "replay": "manyminds.arena.match",
    "selection": "manyminds.search.selection",
    "show_tree": "manyminds.search.drawing",
    "ucb1": "manyminds.search.selection",
    "ucb1_tuned": "manyminds.search.selection",
    "uct": "manyminds.search.selection",
    "with_agents": "manyminds.games.agents.playing",
}

__all__ = [  # Ruff and editors want it written out; the tests compare it with _HOMES
    "CHANCE",
    "EMPTY",
    "NONE",
    "Argument",
    "Budget",
    "Campaign",
    "Database",
    "Decision",
    "Failure",
    "Forfeit",
    "Game",
    "Heuristic",
    "Lineup",
    "Match",
    "MissingExtra",
    "Observation",
    "PlayerSpec",
    "Record",
    "Search",
    "Selection",
    "Team",
    "UsageError",
    "__version__",
    "aec_env",
    "below",
    "channel",
    "check_channel",
    "check_game",
    "check_heuristic",
    "check_player",
    "choice",
    "draw",
    "find_database",
    "flag",
    "fraction",
    "generator",
    "go",
    "heuristic",
    "inline",
    "kernel",
    "learn",
    "make_game",
    "make_player",
    "max_n",
    "neighbours4",
    "neighbours8",
    "number",
    "openspiel",
    "openspiel_bot",
    "pacman",
    "parallel_env",
    "parallel_search",
    "paranoid",
    "play",
    "rave",
    "read_database",
    "record",
    "register",
    "register_channel",
    "register_game",
    "register_mate",
    "register_way",
    "replay",
    "selection",
    "show_tree",
    "ucb1",
    "ucb1_tuned",
    "uct",
    "whole",
    "with_agents",
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
