"""What `manyminds learn` reads: a learner, its candidates, and the games that decide."""

from __future__ import annotations

import itertools
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from manyminds.arena.campaign import (
    MOST_BYTES,
    MOST_LINEUPS,
    Campaign,
    Spec,
    refuse_unknown,
)
from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.registry import begin, learner_named
from manyminds.core.errors import UsageError
from manyminds.players.spec import PlayerSpec, Value

# What stands in the player for the set that is measured: as one text ("A + 2*B"), or in two lists.
HERE, AGENTS, WEIGHTS = "?", "?agents", "?weights"
_MOST_AGENTS = 2000


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Agents by what they are made of: every order of every choice of `least` to `most` heuristics.

    least, most: all of them where nothing is said, which gives the orders alone. also: agents beside
    those, by name. leave_out: names that are no candidates.
    """

    heuristics: tuple[str, ...]
    least: int | None = None
    most: int | None = None
    also: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()

    def names(self) -> Iterator[str]:
        """The agents, the longest ones first, in the order of the heuristics."""
        size = len(self.heuristics)
        most = size if self.most is None else self.most
        least = most if self.least is None else self.least
        if not 1 <= least <= most <= size:
            raise UsageError(f"agents: 1 <= least <= most <= {size}, the number of heuristics")
        for count in range(most, least - 1, -1):
            for order in itertools.permutations(self.heuristics, count):
                if "-".join(order) not in self.leave_out:
                    yield "-".join(order)
        yield from self.also


class _Title(msgspec.Struct, frozen=True):
    """Only here so that what has no default stands first."""

    game: str | dict[str, Any]
    player: str | dict[str, Any]
    agents: tuple[str, ...] | Orders
    start: str


class Plan(_Title, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Everything that decides what is learnt; docs/learning.md has each key.

    player: with `?` where the set of agents is written, or `?agents` and `?weights`. start: the first
    set, and the opponent's where `against` names no other player. fresh: games of the chosen set that no
    choice has seen. members: fresh games of each of its agents alone, and of the set against the best.
    database: what the written file has beside agents, weights and evidence.
    """

    title: str = ""
    learner: dict[str, Any] = msgspec.field(default_factory=lambda: {"name": "racing"})
    against: str | dict[str, Any] | None = None
    budget: str | int | None = None
    seed: int = 0
    fresh: int = 2000
    members: int = 0
    database: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    move_limit: int | None = None
    deadline: str | None = None
    game_deadline: str = "1d"
    files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        learner_named(self.learner_name)
        if self.fresh < 2 or self.members < 0:
            raise UsageError("fresh is at least 2 games, and members at least 0")
        if not self.names:
            raise UsageError("agents: there is none to choose from")
        if len(self.names) > _MOST_AGENTS:
            raise UsageError(f"agents: {len(self.names)} of them; at most {_MOST_AGENTS}")
        if self.spec_of(self.first) == self.spec_of(AgentSet.of(["another"])):
            raise UsageError(
                'player: write "?agents" and "?weights" where a set of agents goes: '
                'go(database="?agents", weights="?weights"); or "?" for both in one text'
            )
        self.begin(even=0.5)

    @property
    def learner_name(self) -> str:
        """Which learner."""
        name = self.learner.get("name")
        if not isinstance(name, str):
            raise UsageError('the learner needs a name: [learner] with name = "racing"')
        return name

    @property
    def learner_settings(self) -> dict[str, Any]:
        """The learner's own settings."""
        return {key: value for key, value in self.learner.items() if key != "name"}

    @property
    def first(self) -> AgentSet:
        """The first set."""
        return AgentSet.parse(self.start)

    @property
    def names(self) -> tuple[str, ...]:
        """All candidates, each once, in the order given."""
        found = self.agents.names() if isinstance(self.agents, Orders) else self.agents
        return tuple(dict.fromkeys(found))

    @property
    def known(self) -> bool:
        """Whether the first set is the opponent itself, so that its share needs no game."""
        return self.against is None and "ms" not in str(self.budget)

    def begin(self, even: float) -> Any:
        """The learner's course."""
        from manyminds.arena.learning.course import Candidates
        from manyminds.core.random import derive

        seed = derive(self.seed, "learner")
        candidates = Candidates(self.first, self.names, seed, even, self.known)
        return begin(self.learner_name, candidates, self.learner_settings)

    def spec_of(self, agents: AgentSet) -> Spec:
        """The player with this set."""
        parts: dict[str, Value] = {
            HERE: str(agents),
            AGENTS: agents.names,
            WEIGHTS: tuple(weight for _, weight in agents.weights),
        }
        return str(_put(PlayerSpec.of(self.player), parts))

    @property
    def opponent(self) -> Spec:
        """The player that all sets are measured against."""
        return self.spec_of(self.first) if self.against is None else self.against

    def campaign(
        self, players: Mapping[str, Spec], lineups: Mapping[tuple[str, ...], int]
    ) -> Campaign:
        """The campaign that plays these line-ups, by the names of these players."""
        from manyminds.arena.campaign import LineupChoice

        if len(lineups) > MOST_LINEUPS:
            raise UsageError(f"more than {MOST_LINEUPS} sets were to be measured; fewer games of "
                             "more sets say little: raise the games of each")  # fmt: skip
        return Campaign(
            self.game,
            title=self.title,
            question=f"Which agents win most? Learning by {self.learner_name}.",
            players=dict(players),
            lineups=[LineupChoice(names, games) for names, games in lineups.items()],
            rotate=True,
            seed=self.seed,
            budget=self.budget,
            settings=self.settings,
            move_limit=self.move_limit,
            deadline=self.deadline,
            game_deadline=self.game_deadline,
            files=self.files,
        )


def _put(value: Any, parts: Mapping[str, Value]) -> Any:
    """The player's spec with the parts of a set where their names stand in it."""
    if isinstance(value, PlayerSpec):
        positional: tuple[Value, ...] = tuple(_put(each, parts) for each in value.positional)
        named = tuple((key, _put(each, parts)) for key, each in value.named)
        return PlayerSpec(value.name, positional, named, value.budget)
    if isinstance(value, tuple):
        return tuple(_put(each, parts) for each in value)
    return parts.get(value, value) if isinstance(value, str) else value


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """The plan of a TOML file; the user's files it names are found beside it."""
    file = Path(path)
    try:
        raw = file.read_bytes()[: MOST_BYTES + 1]
        if len(raw) > MOST_BYTES:
            raise UsageError(f"longer than {MOST_BYTES} bytes; this is no plan")
        plan = plan_of(tomllib.loads(raw.decode()))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{file}: not TOML: {error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file}: not UTF-8 text") from None
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from None
    found = tuple(str((file.parent / name).resolve()) for name in plan.files)
    return msgspec.structs.replace(plan, files=found)


def plan_of(table: Mapping[str, Any]) -> Plan:
    """The plan that a table describes, as TOML or JSON gives it."""
    refuse_unknown(table, Plan, "")
    if isinstance(table.get("agents"), Mapping):
        refuse_unknown(table["agents"], Orders, "agents.")
    for key, how in (
        ("game", 'game = "go", or [game] with name = "go", size = 9'),
        ("player", """player = 'go(database="?agents", weights="?weights")'"""),
        ("agents", 'agents = ["N-AC-AD-L-P", ...], or [agents] with heuristics = ["N", ...]'),
        ("start", 'start = "N-AC-AD-L-P"'),
    ):
        if key not in table:
            raise UsageError(f"{key} is missing: write {how}")
    try:
        return msgspec.convert(table, Plan)
    except msgspec.ValidationError as error:
        raise UsageError(str(error)) from None
