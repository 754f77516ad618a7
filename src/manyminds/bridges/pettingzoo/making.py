"""How one asks for an environment, whether PettingZoo is here or not."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from manyminds.core.errors import MissingExtra, UsageError
from manyminds.games.contract import Game

RENDER_MODES = ("ansi", "human", "rgb_array")
REWARDS = ("at the end", "points")
ILLEGAL = ("draw", "raise")


def aec_env(
    game: Game,
    *,
    render_mode: str | None = None,
    rewards: str = "at the end",
    illegal: str = "draw",
    observe: Any = None,
) -> Any:
    """A game as a PettingZoo environment in which agents step one after the other.

    render_mode: "ansi" (a text), "human" (printed) or "rgb_array". rewards: "at the end" (the game's, from
    0 to 1), or "points", what every step gained. illegal: what becomes of an action that the mask does not
    allow: "draw" takes a legal one at random and says so in `infos`, "raise" is an error. observe: an
    `Observation` of your own (docs: PettingZoo).

        >>> import manyminds as mm
        >>> env = mm.aec_env(mm.go(size=5))
        >>> env.reset(seed=1)
        >>> env.agent_selection, env.observe("black")["observation"].shape
        ('black', (5, 5, 3))
    """
    return _made("GameEnvironment", game, render_mode, rewards, illegal, observe)


def parallel_env(
    game: Game,
    *,
    render_mode: str | None = None,
    rewards: str = "at the end",
    illegal: str = "draw",
    observe: Any = None,
) -> Any:
    """A simultaneous game as a PettingZoo environment in which all agents step at once.

    Agents that do not move in a turn have an empty mask, and what they send is not looked at. The
    arguments are those of `aec_env`.

        >>> import manyminds as mm
        >>> env = mm.parallel_env(mm.make_game("goofspiel"))
        >>> observations, infos = env.reset(seed=1)
        >>> sorted(env.step({agent: 0 for agent in env.agents})[1])
        ['seat0', 'seat1']
    """
    if not game.simultaneous:
        raise UsageError(f"in {game.title} one seat moves at a time: mm.aec_env(game)")
    return _made("ParallelGameEnvironment", game, render_mode, rewards, illegal, observe)


def _made(
    kind: str, game: Game, render_mode: str | None, rewards: str, illegal: str, observe: Any
) -> Any:
    for name, value, known in (
        ("render_mode", render_mode, (None, *RENDER_MODES)),
        ("rewards", rewards, REWARDS),
        ("illegal", illegal, ILLEGAL),
    ):
        if value not in known:
            words = ", ".join(f'"{word}"' for word in known if word)
            raise UsageError(f"{name} is one of {words}, not {value!r:.60}")
    try:
        module = import_module("manyminds.bridges.pettingzoo.environment")
    except ImportError as error:
        raise MissingExtra("bridges", "PettingZoo") from error
    return getattr(module, kind)(game, render_mode, rewards, illegal, observe)
