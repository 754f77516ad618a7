"""Players that search a tree of their own: uct, ucb1-tuned, rave, and any selection rule of a user's.

What differs between them is data: a selection rule, and arguments of the search.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.agents import Database, find_database, with_agents
from manyminds.games.contract import NONE, Game, JointMove, State
from manyminds.parallel.threads import MOST_THREADS
from manyminds.parallel.ways import DEFAULT, MOST_LOSS, known_ways, parallel_search
from manyminds.players.arguments import Argument, Kind, choice, flag, number, text, whole
from manyminds.players.player import Decision, Lineup
from manyminds.players.registry import register
from manyminds.players.spec import Value
from manyminds.search.search import Search
from manyminds.search.selection import Selection, rave, ucb1_tuned, uct

MOST_CANDIDATES = 10
_TURNS_TO_WARM_UP, _TO_WARM_UP = 4, 4  # turns, simulations at each


class SearchPlayer:
    """Searches from the state it is asked about, on the tree that is left of the last search.

    fresh: every decision starts with an empty tree. ponder: it searches where it has one move only, too.
    choices: the game's settings for simulations. database: playouts are its agents'. threads, way,
    virtual_loss: see parallel/ways.py.
    Everything else goes to the search.
    """

    def __init__(
        self,
        selection: Selection,
        *,
        fresh: bool = False,
        ponder: bool = False,
        choices: Mapping[str, Any] | None = None,
        threads: int = 1,
        way: str = DEFAULT,
        virtual_loss: int | None = None,
        database: Database | None = None,
        **arguments: Any,
    ) -> None:
        self.crew: dict[str, Any] = {"threads": threads, "way": way, "virtual_loss": virtual_loss}
        self.selection, self.fresh, self.ponder = selection, fresh, ponder
        self.choices = dict(choices or {})
        self.database = database
        self.arguments = arguments
        self.search: Search | None = None

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        self.game = game if self.database is None else with_agents(game, self.database)
        self.seat = seat
        self.seed = lineup.seed_of(seat)
        self.settings = self.game.set_up(**self.choices)
        self.decisions = 0
        self.search = None
        self._warm_up(lineup)

    def saw(self, joint: JointMove) -> None:
        if self.search is not None and not self.fresh:
            self.search.advance(joint)

    def decide(self, state: State, budget: Budget) -> Decision:
        search = self._ready(state)
        self.decisions += 1
        legal = self.game.moves(state, self.seat)
        if len(legal) == 1 and not self.ponder:
            return Decision(int(legal[0]), remark="the only move")
        simulations = search.run(budget=budget)
        move = int(legal[0]) if len(legal) == 1 else search.best_of(self.seat)
        return Decision(
            move,
            self._values(search),
            search.line(),
            remark=self._remark(search, state, move),
            simulations=simulations,
        )

    def _ready(self, state: State) -> Search:
        """The search with the state at its root."""
        if self.search is None or self.fresh:
            self.search = self._new_search(state)
        else:
            self.search.meet(state)
        return self.search

    def _new_search(self, state: State) -> Search:
        search: Search = parallel_search(
            self.game,
            state,
            self.selection,
            seed=self.seed + self.decisions,
            settings=self.settings,
            team=self.game.team_of(self.seat),
            **self.crew,
            **self.arguments,
        )
        return search

    def _warm_up(self, lineup: Lineup) -> None:
        """Do once what decisions do, on a tree that is thrown away.

        What has to be compiled or loaded is so before clocks run; else it takes a millisecond.
        """
        game = self.game
        state = game.start(lineup.seed_of(self.seat))
        search = self._new_search(state)
        for _ in range(_TURNS_TO_WARM_UP):  # the first may lead along an edge, not to a node
            if game.over(state):
                return
            search.run(simulations=_TO_WARM_UP)
            search.seat_to_choose()
            search.moves()
            search.next_moves(self.seat)
            joint = _some_joint_move(game, state)
            search.advance(joint)
            game.play(state, joint)
            search.meet(state)

    def _values(self, search: Search) -> dict[int, tuple[float, ...]]:
        if self.game.simultaneous:
            return {}
        return {row.move: row.values for row in search.root()[:MOST_CANDIDATES] if row.visits}

    def _remark(self, search: Search, state: State, move: int) -> str:
        rows = {row.move: row for row in search.root()}
        row = rows.get(move)
        value = (row.values if row else search.values())[self.seat]
        visits = f"{row.visits:,} of {search.simulations:,}" if row else f"{search.simulations:,}"
        return f"{self.game.name(move, state)}: expects {value:.3f} after {visits} simulations"


def _some_joint_move(game: Game, state: State) -> JointMove:
    """Everybody's first move; where nature moves, its first."""
    joint = [NONE] * game.seats
    movers = game.movers(state)
    if not movers and not game.simultaneous:
        joint[0] = int(game.moves(state)[0])
    for mover in movers:
        joint[mover] = int(game.moves(state, mover)[0])
    return tuple(joint)


def _read_database(value: Value, game: Any) -> Database:
    if not isinstance(value, str | tuple):
        raise UsageError("is an agent database: a name, a file.toml, or a list of agents")
    try:
        return find_database(value, game.title)
    except UsageError as error:
        raise UsageError(f"is an agent database; {error}") from error


a_database = Kind("an agent database: a name, a file.toml, or a list of agents", _read_database)

_SETTING = Kind("a word", text.read, harmless=True)
_WAY = dataclasses.replace(choice(*known_ways()), choices=())  # its words never stand alone
_WAYS = "; ".join(f"{name}: {line}" for name, line in known_ways().items())

COMMON = (
    Argument("expand_after", whole(0, 10**6), 3, "visits of a leaf when it gets children (T_e)"),
    Argument(
        "select_after",
        whole(0, 10**9),
        0,
        "visits below which a node follows the playout's step (T_s)",
    ),
    Argument("playouts", whole(1, 10**6), 1, "from each leaf"),
    Argument("limit", whole(0, 10**6), 0, "turns of a playout; 0: the game's"),
    Argument(
        "urgency", number(0.0), float("inf"), "first-play urgency: what an unvisited child is worth"
    ),
    Argument("memory", number(0.1, 10**6), 1024.0, "megabytes of a tree"),
    Argument("fresh", flag, False, "no tree is kept between moves"),
    Argument("ponder", flag, False, "searches where there is one move only, too"),
    Argument("optimistic", flag, False, "of simultaneous turns, one's own team's is split last"),
    Argument("jointly", flag, False, "a team moves jointly in the tree, not seat by seat"),
    Argument("threads", whole(1, MOST_THREADS), 1, "that search for one decision"),
    Argument("parallel", _WAY, DEFAULT, f"how several threads search ({_WAYS})", to="way"),
    Argument(
        "virtual-loss",
        whole(0, MOST_LOSS),
        None,
        "lost playouts that count while a thread is on its way through a shared tree (free: 1; local, "
        "global: 0)",
    ),
    Argument(
        "playout", _SETTING, "", 'the game\'s playout: in Go "surrounded", "eye" or "pattern"'
    ),
    Argument("reward", _SETTING, "", 'what the search maximises: in Go "win" or "points"'),
    Argument("database", a_database, None, "playouts are those of its agents"),
    Argument("passes", _SETTING, "", 'in Go\'s tree: "any time" or "at the end"'),
    Argument("death_weight", number(0, 1), None, "what catching Pac-Man counts in the reward"),
    Argument("turn_every", whole(0, 24_000), None, "ticks after which Pac-Man may turn in a tree"),
    Argument("turns", _SETTING, "", 'where Pac-Man turns back in playouts: "junctions", "never"'),
)
SETTINGS = ("playout", "reward", "passes", "death_weight", "turn_every", "turns")  # of the game


def search_player(selection: Selection, arguments: Mapping[str, Any]) -> SearchPlayer:
    """A player with this rule and the arguments of `COMMON`, as they come from the registry."""
    given = dict(arguments)
    said = {name: given.pop(name, None) for name in SETTINGS}
    choices = {name: value for name, value in said.items() if value not in (None, "")}
    return SearchPlayer(
        selection,
        choices=choices,
        playout_limit=given.pop("limit") or None,
        first_play_urgency=given.pop("urgency"),
        memory_mb=given.pop("memory"),
        **given,
    )


def register_search(name: str, rule: Any, arguments: tuple[Argument, ...], help: str) -> None:  # noqa: A002 - as in `register`
    """Register a player made of a selection rule: `rule(**arguments)` is a Selection."""
    names = {argument.parameter for argument in arguments}

    def factory(**given: Any) -> SearchPlayer:
        chosen = rule(**{key: value for key, value in given.items() if key in names})
        return search_player(
            chosen, {key: value for key, value in given.items() if key not in names}
        )

    factory.__qualname__ = f"{name} player"
    register(name, factory, (*arguments, *COMMON), help=help, fits=_fits)


def _fits(game: Any) -> str:
    return (
        "" if isinstance(game, Game) else "a search needs a game of the contract (manyminds.Game)"
    )


def _rave(**given: Any) -> Selection:
    return rave(**given)


register_search(
    "uct",
    uct,
    (Argument("c", number(), 0.15, "exploration constant C"),),
    "Monte Carlo tree search with UCT; every seat maximises its own reward (max^n)",
)
register_search(
    "ucb1-tuned",
    ucb1_tuned,
    (),
    "tree search with UCB1-Tuned, whose exploration follows the rewards' spread",
)
register_search(
    "rave",
    _rave,
    (
        Argument("k", number(1e-9), 1000.0, "visits at which RAVE still has half its weight"),
        Argument("c", number(), 0.1, "exploration constant C"),
        Argument("weighting", choice("cazenave", "mse"), "cazenave", "how RAVE fades"),
        Argument(
            "ref", whole(0, 10**9), 0, "below so many visits a node judges moves as the root does"
        ),
        Argument("keep", number(0, 1), 0.0, "of that, what goes on with every move that is played"),
    ),
    "tree search with RAVE: moves are judged by all playouts in which they came later, too",
)
