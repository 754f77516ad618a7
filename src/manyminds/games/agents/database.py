"""Agent databases: sets of playout agents, one drawn for every step, as TOML files and by name.

    title = "two"                                    # all but agents may be left out
    help = "one line for `manyminds list databases`"
    game = "go"
    release = "0.4"                                  # whose behaviour the heuristics have
    files = ["mine.py"]                              # own heuristics, found beside this file
    agents = [["near-last", "AC", "AD", "L", "P"], "N-AC-AD-L-P"]
    weights = [2, 1]                                 # uniform where they are left out

    [evidence]                                       # anything that says where it comes from
    games = 1000

`agents = "all"` stands for all full orders of the game's usual heuristics.
"""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from manyminds.core.errors import UsageError, nearest
from manyminds.core.user_file import load_user_file
from manyminds.games.agents.agent import FIVE, Agent, all_orders, checked, name_of, parse_agent
from manyminds.games.agents.deck import MOST_AGENTS, MOST_KINDS
from manyminds.games.agents.heuristic import heuristics_of

MOST_BYTES = 1_000_000
DEFAULT = "default"
RELEASES = ("0.4", "0.4.1")
_KEYS = ("title", "help", "game", "release", "files", "agents", "weights", "evidence")


@dataclass(frozen=True)
class Database:
    """A set of playout agents with their weights, of one game.

    release: whose behaviour heuristics, filter and correction of Go have where Fuego's releases differ.
    files: of own heuristics, loaded when the database is read. evidence: how it came about.
    """

    agents: Any  # tuple[Agent, ...]; agents as people write them are taken too
    weights: tuple[float, ...] = ()
    title: str = ""
    help: str = ""
    game: str = "go"
    release: str = "0.4.1"
    files: tuple[str, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        known = heuristics_of(self.game)
        agents = tuple(
            parse_agent(agent, known) if isinstance(agent, str) else checked(tuple(agent), known)
            for agent in self.agents
        )
        object.__setattr__(self, "agents", agents)
        object.__setattr__(self, "weights", _weights(self.weights, len(agents)))
        if not 1 <= len(agents) <= MOST_AGENTS:
            raise UsageError(f"a database has 1 to {MOST_AGENTS} agents, not {len(agents)}")
        if len(self.heuristics) > MOST_KINDS:
            raise UsageError(f"a database uses at most {MOST_KINDS} different heuristics")
        if self.release not in RELEASES:
            raise UsageError(
                f'release is one of {", ".join(RELEASES)}, not "{str(self.release)[:40]}"'
            )

    @cached_property
    def heuristics(self) -> tuple[str, ...]:
        """The names of all heuristics in it, in the order of their first use."""
        return tuple(dict.fromkeys(name for agent in self.agents for name in agent))

    @property
    def names(self) -> tuple[str, ...]:
        """Its agents as people write them."""
        return tuple(name_of(agent) for agent in self.agents)

    def with_agent(self, agent: Agent | str, weight: float = 1.0) -> Database:
        """The same with one agent more."""
        return replace(self, agents=(*self.agents, agent), weights=(*self.weights, weight))

    def to_toml(self) -> str:
        """The file that `read_database` reads as this database."""
        lines = [f"{key} = {_quoted(getattr(self, key))}" for key in ("title", "help", "game")]
        lines = [line for line in lines if not line.endswith('""')]
        lines.append(f"release = {_quoted(self.release)}")
        if self.files:
            lines.append(f"files = {json.dumps(list(self.files), ensure_ascii=False)}")
        rows = ",\n".join(f"    {json.dumps(list(agent))}" for agent in self.agents)
        lines.append(f"agents = [\n{rows},\n]")
        if len(set(self.weights)) > 1:
            lines.append(f"weights = {list(self.weights)}")
        if self.evidence:
            lines += ["", "[evidence]"]
            lines += [f"{_quoted(key)} = {_value(value)}" for key, value in self.evidence.items()]
        return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    """A number, a text, a list or a table as TOML has it, on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_quoted(str(k))} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _weights(weights: Sequence[float], n: int) -> tuple[float, ...]:
    """One number above 0 for each agent; all alike where none are given."""
    if not weights:
        return (1.0,) * n
    if len(weights) != n:
        raise UsageError(f"weights are one number for each of the {n} agents, not {len(weights)}")
    if not all(math.isfinite(weight) and weight > 0 for weight in weights):
        raise UsageError(
            "weights are numbers above 0; leave an agent out that is never to be drawn"
        )
    return tuple(float(weight) for weight in weights)


# --- files and names -------------------------------------------------------------------------------


def find_database(what: str | Path | Database | Iterable[str], game: str = "go") -> Database:
    """A database by its name or its file, or of agents by their names: ["N-AC-AD-L-P", "AD-N-AC-P-L"].

    One agent's name alone is a database as well.
    """
    if isinstance(what, Database):
        return what
    if not isinstance(what, str | Path):
        return Database(agents=tuple(what), game=game)
    text = str(what)
    if text.endswith(".toml") or os.sep in text:
        return read_database(text)
    shipped = _shipped()
    if text in shipped:
        return parse_database(shipped[text].read_text(), origin=f"database {text}")
    try:
        return Database(agents=(text,), title=text, game=game)
    except UsageError as error:
        if "-" in text:
            raise
        raise UsageError(
            f'there is no database "{text[:40]}"; {nearest(text[:40], shipped)}. A file of your own '
            "ends in .toml, and one agent is written N-AC-AD-L-P"
        ) from error


def known_databases() -> dict[str, str]:
    """Every shipped database with its one line, for `manyminds list databases`."""
    return {
        name: parse_database(file.read_text(), origin=name).help
        for name, file in _shipped().items()
    }


def _shipped() -> dict[str, Any]:
    folder = resources.files("manyminds.games.agents") / "shipped"
    files = {file.name: file for file in folder.iterdir() if file.name.endswith(".toml")}
    return {name.removesuffix(".toml"): files[name] for name in sorted(files)}


def read_database(path: str | os.PathLike[str]) -> Database:
    """The database of a TOML file; the Python files it names are found beside it, and run."""
    file = Path(path)
    try:
        raw = file.read_bytes()[: MOST_BYTES + 1]
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    if len(raw) > MOST_BYTES:
        raise UsageError(f"{file}: longer than {MOST_BYTES} bytes; this is no database")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{file}: not UTF-8 text") from None
    return parse_database(text, str(file), file.parent)


def parse_database(text: str, origin: str = "database", folder: Path | None = None) -> Database:
    """The database that a TOML text describes; unknown keys are errors that name the nearest known one."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{origin}: not TOML: {error}") from None
    try:
        return _from_table(table, folder or Path())
    except UsageError as error:
        raise UsageError(f"{origin}: {error}") from error


def _from_table(table: Mapping[str, Any], folder: Path) -> Database:
    for key in table:
        if key not in _KEYS:
            raise UsageError(f'a database has no key "{key[:40]}"; {nearest(key[:40], _KEYS)}')
    for key in ("title", "help", "game", "release"):
        if not isinstance(table.get(key, ""), str):
            raise UsageError(f"{key} is a text")
    if not isinstance(table.get("evidence", {}), Mapping):
        raise UsageError("evidence is a table: [evidence]")
    files = _texts(table, "files")
    paths = tuple(str((folder / name).resolve()) for name in files)
    for path in paths:
        load_user_file(Path(path))
    given: dict[str, Any] = {
        key: table[key] for key in ("title", "help", "game", "release", "evidence") if key in table
    }
    return Database(agents=_agents(table), weights=_numbers(table, "weights"), files=paths, **given)


def _agents(table: Mapping[str, Any]) -> tuple[Any, ...]:
    agents = table.get("agents")
    if agents == "all":
        game = table.get("game", "go")
        return tuple(all_orders(FIVE if game == "go" else tuple(heuristics_of(game))))
    if not isinstance(agents, list) or not agents:
        raise UsageError('agents is a list such as [["N", "AC"], "AD-N"], or "all"')
    for agent in agents:
        words = agent if isinstance(agent, list) else [agent]
        if not all(isinstance(word, str) for word in words):
            raise UsageError('an agent is a list of heuristics, ["N", "AC"], or a text, "N-AC"')
    return tuple(agent if isinstance(agent, str) else tuple(agent) for agent in agents)


def _texts(table: Mapping[str, Any], key: str) -> list[str]:
    values = table.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise UsageError(f"{key} is a list of texts")
    return values


def _numbers(table: Mapping[str, Any], key: str) -> tuple[float, ...]:
    values = table.get(key, [])
    numbers = isinstance(values, list) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in values
    )
    if not numbers:
        raise UsageError(f"{key} is a list of numbers")
    return tuple(values)
