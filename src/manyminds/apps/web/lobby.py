"""All tables of a server: made, found again, forgotten when nobody looks; and how many there may be."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from manyminds.apps.web import policy
from manyminds.apps.web.event import Event, SeatSetup, Setup
from manyminds.apps.web.hunts.hunt import Hunt
from manyminds.apps.web.job import Job
from manyminds.apps.web.limits import NAME_CHARACTERS, TITLE_CHARACTERS, Bucket, Limits
from manyminds.apps.web.live import LiveTable, hash_of
from manyminds.apps.web.opening import game_of, opening_of
from manyminds.apps.web.page import Page
from manyminds.apps.web.protocol import SeatWish, TableWish
from manyminds.apps.web.refused import Refused
from manyminds.apps.web.store import TableStore
from manyminds.apps.web.table import OVER, Table
from manyminds.apps.web.thinking import NoAnswer, Pool
from manyminds.core.errors import UsageError
from manyminds.games.go import sgf
from manyminds.games.go.coordinates import point_at
from manyminds.players.readable import readable

ID_BYTES, KEY_BYTES = 9, 24  # of chance, in a table's address and in a seat's key
FORGET_AFTER = 60.0  # s without a page, after which a table is only on disk
LISTED = 50
FIRST_PLAYER = "rave@100"  # compiles what the first page's games need


class Lobby:
    """The tables. `now` is a clock that never goes back, in seconds."""

    def __init__(
        self,
        store: TableStore,
        pool: Pool,
        limits: Limits,
        own: dict[str, str] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.pool, self.limits, self.now = store, pool, limits, now
        self.own = own or {}
        self.tables: dict[str, LiveTable] = {}
        self.sockets: Counter[str] = Counter()
        self.made: dict[str, Bucket] = {}
        self.asked: dict[str, Bucket] = {}

    # --- tables ----------------------------------------------------------------------------------

    def make(self, wish: TableWish, address: str) -> dict[str, Any]:
        """A new table; its id, and the keys of the seats that people get."""
        self.makes(address)
        self.forget()
        if sum(one.table.phase != OVER for one in self.tables.values()) >= self.limits.tables:
            raise Refused(f"there are {self.limits.tables} tables already: try again later", 503)
        keys = [secrets.token_urlsafe(KEY_BYTES) for _ in wish.seats]
        setup, moves = self._setup(wish, keys)
        id = secrets.token_urlsafe(ID_BYTES)  # noqa: A001 - a table's id
        begun: list[Event] = []
        table = Table(id, setup, begun.append)
        try:
            table.begin(moves, self.now())
        except Refused as problem:
            at = f"move {table.number + 1} of the SGF file"
            raise Refused(f"{at} cannot be played here: {problem.reason}") from None
        self.store.add(id, setup)
        for number, event in enumerate(begun):
            self.store.append(id, number, event)
        table.keep = self._keeper(table)
        self.tables[id] = LiveTable(table, self.pool, self.limits, self.now)
        people = [seat for seat, one in enumerate(setup.seats) if not one.player]
        return {"table": id, "seats": {str(seat): keys[seat] for seat in people}}

    def makes(self, address: str) -> None:
        """One table, or hunt, more from this address."""
        hour = self.limits.tables_per_address
        if not self._bucket(self.made, address, hour / 3600, hour).take(self.now()):
            raise Refused(f"at most {hour} new tables an hour from one address", 429)

    async def find(self, id: str) -> LiveTable:  # noqa: A002 - a table's id
        """The table of this id, from disk if it was forgotten."""
        found = None if id in self.tables else await asyncio.to_thread(self.store.load, id)
        if id not in self.tables:  # somebody else may have been faster
            if found is None:
                raise Refused("there is no such table", 404)
            setup, events = found
            table = Table(id, setup)
            table.restore(events, self.now())
            table.keep = self._keeper(table)
            self.tables[id] = LiveTable(table, self.pool, self.limits, self.now)
        return self.tables[id]

    def _keeper(self, table: Table) -> Callable[[Event], None]:
        return lambda event: self.store.append(table.id, table.events - 1, event)

    def forget(self) -> None:
        """Let tables go that nobody looks at; they stay on disk. The same with addresses."""
        now = self.now()
        for id, live in list(self.tables.items()):  # noqa: A001 - a table's id
            if not live.pages and live.task is None and now - live.untouched > FORGET_AFTER:
                live.close("")
                del self.tables[id]
        for buckets in (self.made, self.asked):
            for address in [a for a, bucket in buckets.items() if bucket.full(now)]:
                del buckets[address]

    def listed(self) -> list[dict[str, Any]]:
        """The tables that may be watched by everybody."""
        shown = [one for one in self.tables.values() if one.table.setup.listed]
        return [
            {
                "id": one.table.id,
                "title": one.table.setup.title,
                "size": f"{one.table.setup.width}x{one.table.setup.height}",
                "seats": [seat.name or seat.shown for seat in one.table.seats],
                "move": one.table.number,
                "phase": one.table.phase,
            }
            for one in shown[-LISTED:]
        ]

    async def warm_up(self) -> None:
        """Let a program decide once: on a new machine it is compiled, and nobody should wait for that."""
        wish = TableWish(seats=(SeatWish(player=FIRST_PLAYER),) * 3, width=9, height=9)
        setup, _ = self._setup(wish, [""] * 3)
        job = Job(key="warm-up", setup=setup, moves=(), passes=0, seat=0, player=FIRST_PLAYER)
        with contextlib.suppress(NoAnswer, Refused):
            await self.pool.ask(job)

    # --- what a table is made of ------------------------------------------------------------------

    def _setup(self, wish: TableWish, keys: list[str]) -> tuple[Setup, list[int]]:
        """The set-up that was asked for, checked; and the moves of its SGF file."""
        record = None
        try:
            record = sgf.read(wish.sgf) if wish.sgf.strip() else None
        except UsageError as error:
            raise Refused(f"the SGF file: {error}") from None
        if record is not None and len(wish.seats) != record.colours:
            raise Refused(f"the SGF file has {record.colours} colours: give as many seats")
        if len(wish.seats) < 2:
            raise Refused("Go needs two seats at least")
        komi = (record.komi or (0.0,) * record.colours) if record else wish.komi
        setup = Setup(
            width=record.width if record else wish.width,
            height=record.height if record else wish.height,
            komi=komi or ((0.0, 6.5) if len(wish.seats) == 2 else (0.0,) * len(wish.seats)),
            superko=wish.superko,
            seats=(),
            clock=wish.clock,
            hints=wish.hints,
            thoughts=wish.thoughts,
            listed=wish.listed,
            title=readable(wish.title, TITLE_CHARACTERS),
            seed=secrets.randbits(62),
            stones=tuple((point_at(*p), c) for p, c in sorted(record.stones.items()))
            if record
            else (),
            to_play=record.to_play if record else 1,
        )
        setup = self._with_seats(setup, wish, keys)
        try:
            return setup, record.moves_in_turn(fill_passes=True) if record else []
        except UsageError as error:
            raise Refused(f"the SGF file: {error}") from None

    def _with_seats(self, setup: Setup, wish: TableWish, keys: list[str]) -> Setup:
        setup = msgspec.structs.replace(setup, seats=tuple(SeatSetup() for _ in wish.seats))
        try:
            game = game_of(setup)
            opening_of(setup)
        except UsageError as error:
            raise Refused(str(error)) from None
        seats = []
        for one, key in zip(wish.seats, keys, strict=True):
            name = readable(one.name, NAME_CHARACTERS)
            if not one.player:
                seats.append(SeatSetup(name=name, key_hash=hash_of(key)))
                continue
            player = policy.check(one.player, game, self.limits, self.own)
            shown = one.player if one.player in self.own else player
            seats.append(SeatSetup(player, name, shown=shown))
        return msgspec.structs.replace(setup, seats=tuple(seats))

    # --- sockets and rates -------------------------------------------------------------------------

    def admit(self, address: str) -> None:
        """One socket more from this address, if there is room."""
        if self.sockets.total() >= self.limits.sockets:
            raise Refused("the server has no room for another page", 503)
        if self.sockets[address] >= self.limits.sockets_per_address:
            raise Refused(f"at most {self.limits.sockets_per_address} pages from one address", 429)
        self.sockets[address] += 1

    def dismiss(self, address: str) -> None:
        """A socket of this address is gone."""
        self.sockets[address] -= 1
        if self.sockets[address] <= 0:
            del self.sockets[address]

    def enter(self, live: LiveTable | Hunt, page: Page, key: str) -> None:
        """A page at a table, or hunt, if there is room."""
        if len(live.pages) >= self.limits.sockets_per_table and not key:
            raise Refused("too many people watch this table", 503)
        live.join(page, key)

    def asks(self, address: str) -> None:
        """One request more from this address."""
        bucket = self._bucket(self.asked, address, self.limits.requests, self.limits.request_burst)
        if not bucket.take(self.now()):
            raise Refused("too many requests: wait a little", 429)

    def _bucket(
        self, buckets: dict[str, Bucket], address: str, rate: float, burst: float
    ) -> Bucket:
        if address not in buckets:
            if len(buckets) >= 10_000:
                self.forget()
            buckets[address] = Bucket(rate, burst, self.now())
        return buckets[address]

    async def close(self) -> None:
        """Tell all pages, stop programs, write everything."""
        for live in list(self.tables.values()):
            live.close("the server closes; this page comes back when it does")
        await self.pool.close()
        self.store.close()
