"""Go for playout agents: its heuristics by name, and the game whose playouts and priors they make.

    with_agents(go(), find_database("table1"), prior="database")

Compiled once for all databases of our heuristics, and once more for each set of somebody's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from manyminds.core.errors import UsageError, nearest
from manyminds.core.kernel import bare_kernel
from manyminds.core.record import record
from manyminds.games.agents.agent import Agent
from manyminds.games.agents.database import RELEASES, Database, find_database
from manyminds.games.agents.deck import FIELDS, MOST_KINDS, chain, code_of, fill_deck
from manyminds.games.agents.heuristic import Heuristic, heuristics_of, register_heuristic
from manyminds.games.contract import Game
from manyminds.games.go import heuristics, scoring
from manyminds.games.go.game import CHOICES, settings_of
from manyminds.games.go.points import FUEGO_04, FUEGO_041, NO_RELEASE
from manyminds.games.go.policy import choose_by, playout_by, step_by
from manyminds.games.go.prior import DEFAULT_AGENT, NO_PRIOR, OF_DATABASE, prior_by

OURS = {
    "N": (heuristics.nakade, "Nakade: the middle of three points beside the last move"),
    "AC": (heuristics.atari_capture, "Atari Capture: takes the last move's chain"),
    "AD": (heuristics.atari_defend, "Atari Defend: saves chains that the last move put into atari"),
    "L": (heuristics.lowlib, "Lowlib: liberties of chains with two, where two more are gained"),
    "P": (heuristics.pattern, "Pattern: 3x3 patterns round the last two moves"),
    "L041": (heuristics.lowlib_041, "Lowlib of Fuego 0.4.1, which leaves bamboo joints alone"),
    "M": (heuristics.mogo_pattern, "MoGo's patterns: 3x3 patterns round the last move alone"),
    "C": (heuristics.capture, "Capture: takes any chain in atari, which all agents do at last"),
}
for _name, (_kernel, _help) in OURS.items():
    register_heuristic(_name, _kernel, "go", _help)

# Compiled in always; others where the database that the game is made with has them.
_COMPILED = ("N", "AC", "AD", "L", "P", "L041")

# What a database's heuristic stands for in a later release.
_LATER = {"0.4": {}, "0.4.1": {"L": "L041"}}
_RELEASES = {"none": NO_RELEASE, "0.4": FUEGO_04, "0.4.1": FUEGO_041}
_PRIORS = {"none": NO_PRIOR, "default": DEFAULT_AGENT, "database": OF_DATABASE}

AGENT_SETTINGS = record(
    playout="uint8",
    reward="uint8",
    passes="uint8",
    scoring="uint8",
    spare="uint8",
    filter="uint8",  # which release's (points.py)
    correction="uint8",
    prior="uint8",
    allies="uint8[8]",
    margin="float64",
    mercy="float64",  # the lead in stones that ends a playout, as a share of the points; 0: none
    prior_weight="float64",  # 1: as Fuego's
    locality_weight="float64",
    default_order="uint64",  # the agent whose wishes the prior has, whatever the database
    haste="float64",  # reward that the winner of a playout loses for each move of it, at most half
    since="uint32",  # moves before the search, which are not counted so
    salt="uint64",  # of the draws in priors
    **FIELDS,
)

_CHOICES: dict[str, Any] = {
    "database": "default",
    "release": "",
    "correction": "",
    "prior": "none",
    "prior_weight": 1.0,
    "locality_weight": 1.0,
    "mercy": 0.0,
    "haste": 0.0,
    "salt": 0,
}


def with_agents(game: Game, database: Database | str, **choices: Any) -> Game:
    """Go with playouts by the agents of a database. Its settings (`set_up`) take besides Go's own:

    database: another one, of heuristics that are compiled in. release: "0.4" or "0.4.1", whose filter,
    correction and Lowlib; by default the database's. correction: that of another release, or "none".
    prior: what a search expects of moves: "none", that of the "default" agent whatever the database, or of
    an agent of the "database", drawn for each node. prior_weight, locality_weight: times Fuego's. mercy:
    the lead in stones, as a share of the board's points, at which a playout of two colours stops. haste:
    what each of a playout's moves takes off its winner's reward.
    choices: defaults of these, and of Go's own.
    """
    first = find_database(database)
    own = tuple(name for name in first.heuristics if name not in _COMPILED)
    known = heuristics_of("go")
    compiled = {name: known[name] for name in (*_COMPILED, *own)}
    if len(compiled) > MOST_KINDS:
        raise UsageError(f"a database uses at most {MOST_KINDS} different heuristics")
    places = {name: place for place, name in enumerate(compiled, 1)}
    defaults = _CHOICES | {"database": first} | _known(choices)

    def set_up(**given: Any) -> Any:
        words = defaults | given
        agents = {name: words.pop(name) for name in _CHOICES}
        values = AGENT_SETTINGS.new()
        plain = settings_of(game.seats, **words)
        for name in plain.dtype.names:
            values[name] = plain[name]
        _fill(values, agents, places)
        return values

    set_up()  # what is wrong is said now
    return game.variant(_functions(game, compiled), AGENT_SETTINGS, set_up)


def _functions(game: Game, compiled: Mapping[str, Heuristic]) -> dict[str, Callable[..., Any]]:
    ask = chain([found.kernel for found in compiled.values()])
    choose = choose_by(ask)
    made: dict[str, Callable[..., Any]] = {"rewards": _rewards}
    made |= {"step": step_by(choose), "playout": playout_by(choose), "prior": prior_by(choose)}
    return {**game.functions, **made}


@bare_kernel
def _rewards(board, out, settings):
    """Go's, less what a win costs that takes long (two colours): Fuego's playouts prefer short wins."""
    scoring.rewards(board, out, settings)
    if settings.haste > 0.0 and board.colours == 2 and out[0] != out[1]:
        moves = int(board.moves) - int(settings.since)
        cost = min(0.5, settings.haste * moves)
        cost = -cost if out[0] > out[1] else cost
        out[0] = min(max(out[0] + cost, 0.0), 1.0)
        out[1] = min(max(out[1] - cost, 0.0), 1.0)


def _known(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Choices whose names are ours or Go's; Go looks at its own itself."""
    names = (*_CHOICES, *CHOICES, "margin", "coalitions")
    for name in choices:
        if name not in names:
            raise UsageError(f"Go with agents has no setting {name}; {nearest(name, names)}")
    return dict(choices)


def _fill(values: Any, choices: Mapping[str, Any], places: Mapping[str, int]) -> None:
    """Write the choices of this file into the settings."""
    database = find_database(choices["database"])
    release = choices["release"] or database.release
    later = _LATER[_one_of("release", release, RELEASES)]

    def resolved(agent: Agent) -> Agent:
        names = tuple(later.get(name, name) for name in agent)
        for name in names:
            if name not in places:
                raise UsageError(
                    f"the heuristic {name} is not compiled in: make the game with this database first"
                )
        return names

    agents = [resolved(agent) for agent in database.agents]
    fill_deck(values, agents, database.weights, places)
    values.default_order = code_of(resolved(("N", "AC", "AD", "L", "P")), places)
    values.filter = _RELEASES[release]
    values.correction = _RELEASES[
        _one_of("correction", choices["correction"] or release, tuple(_RELEASES))
    ]
    values.prior = _PRIORS[_one_of("prior", choices["prior"], tuple(_PRIORS))]
    for name in ("prior_weight", "locality_weight", "mercy", "haste"):
        if not 0 <= float(choices[name]) < 1000:
            raise UsageError(f"{name} is a number from 0 up, not {choices[name]}")
        values[name] = choices[name]
    values.salt = int(choices["salt"]) % 2**64


def _one_of(name: str, value: Any, known: tuple[str, ...]) -> str:
    if value not in known:
        raise UsageError(f'{name} is one of {", ".join(known)}, not "{str(value)[:40]}"')
    return str(value)
