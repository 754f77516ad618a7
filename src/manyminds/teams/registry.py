"""Mates by name. The registry is open: anybody's talk registers the way ours do.

    register_mate("roots", Roots, help="mates that add up their visits of the next joint moves")

A mate is a player too: `roots@440` on a team's seats makes them mates of each other, in virtual time
over the channel that was said: `roots(channel=virtual(rate=64000, loss=0.3))@440`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from manyminds.games.contract import Game
from manyminds.players.arguments import Argument, choice, number, whole
from manyminds.players.registry import register
from manyminds.players.searching import COMMON, search_player
from manyminds.search.selection import uct
from manyminds.teams.channel import channel_kind
from manyminds.teams.mate import Mate, Talk

_mates: dict[str, str] = {}

_NOT_FOR_MATES = ("fresh", "jointly", "threads", "parallel", "virtual-loss")
OF_MATES = (
    Argument("c", number(), 0.1, "exploration constant C of UCT"),
    Argument(
        "moves",
        choice("auto", "jointly", "seats"),
        "auto",
        "of a team in the tree: joint ones where they are few enough, or seat by seat",
    ),
    Argument("every", whole(1, 10**6), 22, "simulations between two looks at the channel (N_it)"),
    Argument("channel", channel_kind, None, "what the mates talk over; none: at once and complete"),
    *(argument for argument in COMMON if argument.name not in _NOT_FOR_MATES),
)


def register_mate(
    name: str,
    talk: Callable[..., Talk],
    arguments: Iterable[Argument] = (),
    help: str = "",  # noqa: A002 - as in `register`
) -> None:
    """Make mates that talk so known as `name`; `talk(**arguments)` is made for each of them."""
    own = tuple(arguments)
    names = {argument.parameter for argument in own}

    def factory(**given: Any) -> Mate:
        said = {key: value for key, value in given.items() if key in names}
        return make_mate(
            talk(**said), {key: value for key, value in given.items() if key not in names}
        )

    factory.__module__ = getattr(talk, "__module__", "?")
    factory.__qualname__ = f"{getattr(talk, '__qualname__', name)} mate {name}"
    register(name, factory, (*own, *OF_MATES), help=help, fits=_fits)
    _mates[name] = help


def known_mates() -> dict[str, str]:
    """Every mate's name with its one line, in alphabetical order."""
    return {name: _mates[name] for name in sorted(_mates)}


def make_mate(talk: Talk, given: dict[str, Any]) -> Mate:
    """A mate that talks so, from the arguments `OF_MATES`."""
    rule = uct(given.pop("c"))
    moves, every, channel = (given.pop(name) for name in ("moves", "every", "channel"))
    like = search_player(rule, {**given, "fresh": False, "jointly": False})
    search = {name: value for name, value in like.arguments.items() if name != "jointly"}
    mate = Mate(talk, rule, moves=moves, choices=like.choices, search=search)
    mate.every, mate.channel = every, channel
    return mate


def _fits(game: Any) -> str:
    if not isinstance(game, Game):
        return "mates need a game of the contract (manyminds.Game)"
    if max(len(members) for members in game.teams) == 1:
        return "mates need a team of several seats; uct and rave play alone"
    return ""
