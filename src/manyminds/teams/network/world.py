"""A match's side of the network: mates that are processes elsewhere, each on a seat of a team.

    remote("127.0.0.1:7001")@40ms

Every tick the world tells all its mates the position, waits until the tick is over, and plays the last
move that each of them has said. Who says nothing goes on as before. A tick begins when the one before
is over, so that a match keeps time.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.arguments import Argument, Kind, choice, number, text
from manyminds.players.player import Decision, Lineup
from manyminds.players.registry import register
from manyminds.teams.message import Refused
from manyminds.teams.network.envelope import (
    BEGIN,
    END,
    MOVE,
    READY,
    SIGHT,
    WHO,
    WORLD,
    Envelope,
    Seal,
    read_key,
)
from manyminds.teams.network.post import Post
from manyminds.teams.network.sight import Beginning, Sight, last_joints, unpack_move
from manyminds.teams.network.transport import host_and_port, known_transports, open_transport

_AGAIN = 0.25  # seconds between two calls to a mate that has not begun
_FAREWELLS = 3  # the end is said so often, since it may get lost


@dataclass(frozen=True)
class Remote:
    """A mate that is a process elsewhere: where it listens, and how to reach it."""

    address: str
    over: str = "udp"
    key: str = ""
    listen: str = "127.0.0.1:0"
    patience: float = 120.0

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        raise UsageError("a remote mate sits on a seat of a match, not within another player")

    def saw(self, joint: JointMove) -> None:
        """Its team's world is told."""

    def decide(self, state: State, budget: Budget) -> Decision:
        raise UsageError("a remote mate's team decides in a match: manyminds play")


@dataclass
class Attendance:
    """How a world's mates kept up, over all seats and ticks: answers in time, and none."""

    ticks: int = 0
    answered: int = 0
    missed: int = 0


class World:
    """Plays for all remote mates of a team in one match."""

    def __init__(self, remotes: Mapping[int, Remote], budgets: Mapping[int, Budget | None]) -> None:
        self.remotes, self.budgets = dict(remotes), dict(budgets)
        self.attendance = Attendance()
        self.post: Post | None = None
        self.counts: Counter[str] = Counter()
        shared = {(r.over, r.key, r.listen, r.patience) for r in self.remotes.values()}
        if len(shared) > 1:
            raise UsageError(
                "remote mates of one team share over, key, listen and patience; only addresses differ"
            )

    def begin(self, game: Game, lineup: Lineup) -> None:
        """Open the network, and let all who are there get ready; who is not may come later."""
        self.close()
        one = next(iter(self.remotes.values()))
        seal = Seal(read_key(one.key))
        transport = open_transport(one.over, "world", one.listen, seal.has_key)
        names = game.seat_names
        peers = {s: transport.peer(names[s], r.address) for s, r in self.remotes.items()}
        self.game, self.post = game, Post(transport, seal, WORLD, peers)
        self.post.match = time.time_ns() // 1000
        self.counts = self.post.counts
        self.attendance = Attendance()
        self.beginning = Beginning(
            game.title, game.arguments, list(lineup), lineup.seed, self._tick_ms()
        )
        self.joints: list[JointMove] = []
        self.ready: set[int] = set()
        self.said: dict[int, int] = {}  # this tick's moves by seat
        self.last: dict[int, int] = {}
        self.decided = -1  # the last tick that was waited out
        self.ends = -math.inf  # of the tick that is on
        try:
            self._gather(one.patience)
        except BaseException:
            self.post.close()
            self.post = None
            raise

    def saw(self, joint: JointMove) -> None:
        """A joint move was played."""
        self.joints.append(joint)
        self.said.clear()

    def decide(self, seat: int, state: State, budget: Budget) -> Decision:
        """A seat's move; the first that is asked for in a tick waits for all."""
        if self.decided != len(self.joints):
            self._tick(state)
            self.decided = len(self.joints)
        legal = [int(move) for move in self.game.moves(state, seat)]
        move = self.said.get(seat, -1)
        self.attendance.answered += move in legal
        self.attendance.missed += move not in legal
        if move not in legal:
            move = self.last[seat] if self.last.get(seat) in legal else legal[0]
        self.last[seat] = move
        return Decision(move)

    def close(self) -> None:
        """Tell everybody that it is over, and give the network back."""
        if self.post is not None:
            for seat in [*self.remotes] * _FAREWELLS:
                self.post.tell(END, seat)
            self.post.close()
            self.post = None

    # --- within ----------------------------------------------------------------------------------

    def _tick_ms(self) -> float:
        ticks = {budget.milliseconds if budget else None for budget in self.budgets.values()}
        if len(ticks) != 1 or None in ticks:
            raise UsageError(
                "remote mates play in real time, all with one tick: remote(ADDRESS)@40ms for each"
            )
        return float(ticks.pop() or 0)

    def _gather(self, patience: float) -> None:
        """Call all mates until all are ready, or patience ends."""
        end, called = time.monotonic() + patience, -math.inf
        while len(self.ready) < len(self.remotes) and (now := time.monotonic()) < end:
            if now - called >= _AGAIN:
                called = now
                for seat in set(self.remotes) - self.ready:
                    self._tell(BEGIN, seat, self.beginning.pack())
            self._listen(min(_AGAIN, end - now))

    def _tick(self, state: State) -> None:
        """Tell all mates the position, and take their moves until the tick is over."""
        sight = Sight(len(self.joints), last_joints(self.joints, self.game), state.tobytes())
        data = sight.pack()
        for seat in self.remotes:
            self._tell(SIGHT, seat, data)
        now, tick = time.monotonic(), self.beginning.tick_ms / 1000
        self.ends = max(self.ends + tick, now + tick / 2)
        self.ends = min(self.ends, now + tick)
        self.attendance.ticks += 1
        while (left := self.ends - time.monotonic()) > 0:
            self._listen(left)
        self._listen(0.0)

    def _listen(self, seconds: float) -> None:
        assert self.post is not None
        self.post.transport.wait(seconds)
        for envelope in self.post.collect():
            try:
                self._take(envelope)
            except Refused as refused:
                self.counts[refused.reason] += 1

    def _take(self, envelope: Envelope) -> None:
        if envelope.sender not in self.remotes:
            raise Refused("stranger")
        assert self.post is not None
        if envelope.match != self.post.match:
            raise Refused("elsewhere")
        if envelope.kind == WHO:
            self._tell(BEGIN, envelope.sender, self.beginning.pack())
        elif envelope.kind == READY:
            self.ready.add(envelope.sender)
        elif envelope.kind == MOVE:
            tick, move = unpack_move(envelope.content)
            if tick != len(self.joints):
                raise Refused("stale")
            self.said[envelope.sender] = move
        else:
            raise Refused("kind")

    def _tell(self, kind: int, seat: int, content: bytes) -> None:
        assert self.post is not None
        self.post.tell(kind, seat, content)


def _read_address(value: object, game: object) -> str:
    if not isinstance(value, str):
        raise UsageError("is an address, such as 127.0.0.1:7001")
    host_and_port(value.rpartition("/")[2])
    return value


register(
    "remote",
    Remote,
    (
        Argument(
            "address",
            Kind("where the teammate listens, such as 127.0.0.1:7001", _read_address),
            help="where `manyminds teammate` listens for this seat",
            positional=True,
        ),
        Argument("over", choice(*known_transports()), "udp", "the network's kind"),
        Argument("key", text, "", "the file with the team's key; none: this machine only"),
        Argument("listen", text, "127.0.0.1:0", "where the match itself listens"),
        Argument("patience", number(0.0, 3600.0), 120.0, "seconds to wait for mates to get ready"),
    ),
    help="a mate that is a process elsewhere (manyminds teammate), in real time: remote(ADDRESS)@40ms",
)
