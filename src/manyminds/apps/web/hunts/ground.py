"""All hunts of a server: made, found, and ended when nobody watches."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from manyminds.apps.web import policy
from manyminds.apps.web.hunts.hunt import Hunt, air_of
from manyminds.apps.web.hunts.order import Live, Order, Pace, Stored
from manyminds.apps.web.limits import Limits
from manyminds.apps.web.protocol import HuntWish
from manyminds.apps.web.refused import Refused
from manyminds.arena.campaign import MOST_GAMES
from manyminds.arena.store import Store
from manyminds.core.errors import Failure, UsageError
from manyminds.games.contract import Game
from manyminds.games.registry import make_game
from manyminds.players.registry import entry
from manyminds.players.spec import PlayerSpec
from manyminds.teams import known_mates

ID_BYTES, KEY_BYTES = 9, 24  # of chance
FORGET_AFTER = 60.0  # s without a page
FIRST_PACE = 10.0  # ticks a second
MOST_LISTED = 200  # games of a line-up


class Hunts:
    """The hunts. stores: campaigns' stores that may be watched, by name; `now` never goes back."""

    def __init__(
        self, limits: Limits, stores: Mapping[str, Path], now: Callable[[], float]
    ) -> None:
        self.limits, self.stores, self.now = limits, dict(stores), now
        self.hunts: dict[str, Hunt] = {}
        self._game: Game | None = None

    def make(self, wish: HuntWish) -> dict[str, str]:
        """A new hunt: its id, and the key for who may change it."""
        order = self._stored(wish) if wish.store else self._live(wish)
        if sum(hunt.open for hunt in self.hunts.values()) >= self.limits.hunts:
            raise Refused(f"{self.limits.hunts} hunts go on already: try again later", 503)
        id, key = secrets.token_urlsafe(ID_BYTES), secrets.token_urlsafe(KEY_BYTES)  # noqa: A001 - a hunt's id
        self.hunts[id] = Hunt(id, key, order, self.limits, self.now)
        return {"hunt": id, "key": key}

    async def find(self, id: str) -> Hunt:  # noqa: A002 - a hunt's id
        """The hunt of this id."""
        if id not in self.hunts:
            raise Refused("there is no such hunt, or nobody watched it: begin another", 404)
        return self.hunts[id]

    async def forget(self) -> None:
        """End hunts that nobody watches."""
        now = self.now()
        for id, hunt in list(self.hunts.items()):  # noqa: A001 - a hunt's id
            if not hunt.pages and now - hunt.untouched > FORGET_AFTER:
                del self.hunts[id]
                await hunt.close("")

    async def close(self) -> None:
        """End all."""
        for hunt in list(self.hunts.values()):
            await hunt.close("the server closes")
        self.hunts.clear()

    # --- what can be asked for ---------------------------------------------------------------------

    async def offer(self) -> dict[str, Any]:
        """The mates, Pac-Man's players, and the stores with their games."""
        players = policy.catalogue(self.game)
        mates = known_mates()
        return {
            "mates": [_without_channel(one) for one in players if one["name"] in mates],
            "pacman": [
                one
                for one in players
                if one["name"] not in mates and entry(one["name"]).sits_on(self._pacman)
            ],
            "stores": [
                await asyncio.to_thread(_listed, name, path) for name, path in self.stores.items()
            ],
        }

    @property
    def game(self) -> Game:
        """Some game of Pac-Man, to see what fits it; it is not compiled."""
        if self._game is None:
            self._game = make_game("pacman")
        return self._game

    @property
    def _pacman(self) -> str:
        """The name of his seat."""
        return self.game.seat_names[0]

    def _live(self, wish: HuntWish) -> Order:
        mates = self._player(wish.mates)
        pacman = self._player(wish.pacman)
        if not entry(PlayerSpec.parse(pacman).name).sits_on(self._pacman):
            raise Refused(f'"{wish.pacman[:40]}" plays ghosts only: Pac-Man is such as uct@200')
        if PlayerSpec.parse(mates).name not in known_mates():
            raise Refused(f'"{wish.mates[:40]}" is no mate: ghosts are mates such as roots@200')
        for seat in wish.broken:
            if seat not in self.game.seat_names[1:]:
                raise Refused(f'no ghost is called "{seat[:40]}"')
        return Live(
            game={"maze": wish.maze, "rules": wish.rules},
            pacman=pacman,
            mates=mates,
            air=air_of(wish.air),
            seed=secrets.randbits(53) if wish.seed is None else wish.seed,
            pace=Pace(FIRST_PACE),
            broken=dict(wish.broken),
        )

    def _player(self, text: str) -> str:
        """The program, if pages may ask for it, within what a tick may cost."""
        player = policy.check(text, self.game, self.limits, {})
        budget = PlayerSpec.parse(player).budget
        if budget is not None and (budget.simulations or budget.nodes or 0) > self.limits.hunting:
            raise Refused(f"a program has at most {self.limits.hunting} simulations a tick here")
        if budget is not None and (budget.milliseconds or 0) > 1000:
            raise Refused("a program thinks for at most a second a tick here")
        return player

    def _stored(self, wish: HuntWish) -> Order:
        if wish.store not in self.stores:
            raise Refused(
                f'there is no store "{wish.store}" to watch; the host offers them by --watch'
            )
        path = str(self.stores[wish.store])
        return Stored(store=path, number=wish.number, pace=Pace(FIRST_PACE))


def _without_channel(player: dict[str, Any]) -> dict[str, Any]:
    """The channel is the hunt's, and is set beside the mates."""
    return player | {"arguments": [a for a in player["arguments"] if a["name"] != "channel"]}


def _listed(name: str, path: Path) -> dict[str, Any]:
    """A store's line-ups with the numbers of their games; or why it cannot be read."""
    try:
        with Store.read(path) as store:
            done, lineups = store.done(), store.lineups()
            campaign = store.campaign()
    except (UsageError, Failure) as error:
        return {"name": name, "lineups": [], "trouble": str(error)}
    if campaign is None or campaign.data["name"] != "pacman":
        return {"name": name, "lineups": [], "trouble": "no games of Pac-Man"}
    listed = [
        {
            "players": list(players),
            "games": sorted(n for n in done if n // MOST_GAMES == number)[:MOST_LISTED],
        }
        for players, number in lineups.items()
    ]
    return {"name": name, "lineups": listed, "trouble": ""}
