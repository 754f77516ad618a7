"""A mate as a process of its own, in real time: it sees the world, talks to its mates, and says its moves.

    for ever, or until the match is over:
        see where play stands
        until the tick ends:  take in what was heard;  search for a while;  speak, if there is room
        say the move (several times: what says it may get lost)

Nothing here waits for anybody. A teammate that was away finds back by the next position it sees.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.errors import Failure, UsageError
from manyminds.core.random import derive
from manyminds.games.contract import Game, JointMove, State
from manyminds.games.registry import make_game
from manyminds.players.registry import make_player
from manyminds.players.spec import PlayerSpec
from manyminds.teams.channel import ALL, Channel, room_on
from manyminds.teams.mate import Mate, all_warm
from manyminds.teams.message import Refused
from manyminds.teams.network.diary import Diary
from manyminds.teams.network.envelope import BEGIN, END, MOVE, READY, SIGHT, WHO, WORLD, Envelope
from manyminds.teams.network.post import Post
from manyminds.teams.network.sight import Beginning, Sight, pack_move

SLICE_MS = 2.0  # of searching between two looks at the network
LEAD_MS = 3.0  # before the end of a tick in which the last word on the move is under way
PATIENCE = 60.0  # seconds without a word from the world
_LOOK = 0.05  # seconds of the longest wait for the network


@dataclass
class Work:
    """What a teammate has done: matches that ended, ticks it planned in, simulations, moves it said."""

    matches: int = 0
    ticks: int = 0
    missed: int = 0  # ticks that passed without its seeing the position
    simulations: int = 0
    moves: int = 0
    counts: dict[str, int] = field(default_factory=dict)


class Teammate:
    """One seat's mate behind a post.

    line: makes the channel to the mates for a match. patience: seconds without a word from the world
    after which it gives up. diary: the file in which it writes down what befell it.
    """

    def __init__(
        self,
        game: str,
        seat: str,
        mate: str,
        post: Post,
        line: Callable[[], Channel],
        patience: float = PATIENCE,
        diary: str | None = None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.title, self.seat_name, self.post, self.new_line = game, seat, post, line
        self.spec = PlayerSpec.of(mate)
        self.budget = self.spec.budget or Budget(milliseconds=40.0)
        self.patience, self.tell = patience, tell
        self.work = Work()
        self.game: Game | None = None
        self.sight: Sight | None = None  # the newest that was not planned for
        player = make_player(self.spec, make_game(game))
        if not isinstance(player, Mate):
            raise UsageError(f'"{self.spec}" is no mate: see manyminds list players')
        self.diary = Diary(player, str(self.spec), diary)
        self._heard_at = time.monotonic()

    def serve(self, matches: int = 1) -> Work:
        """Take part until so many matches have ended; Failure when nothing is heard for too long."""
        while self.work.matches < matches:
            self.attend(_LOOK)
            if time.monotonic() - self._heard_at > self.patience:
                raise Failure(
                    f"{self.seat_name} heard nothing of a match for {self.patience:g} seconds; is the "
                    f"match on, with {self.seat_name}=remote({self.post.transport.address})?"
                )
        return self.work

    def attend(self, seconds: float) -> None:
        """Wait for what comes, at most so long, and do what is to be done about it."""
        self.post.transport.wait(seconds)
        self._look()
        sight, self.sight = self.sight, None
        if sight is not None and self.game is not None:
            self._plan(self.game, sight)

    def close(self) -> None:
        """Give back the network and the diary."""
        self.diary.close()
        self.post.close()

    # --- what the world says ---------------------------------------------------------------------

    def _look(self) -> None:
        """Open what has come; mates' talk is taken in."""
        for envelope in self.post.collect():
            try:
                if envelope.sender != WORLD:
                    raise Refused("stranger")
                self._from_world(envelope)
            except Refused as refused:
                self.post.counts[refused.reason] += 1
        if self.game is not None and self.diary.mate.search is not None:
            for message in self.line.receive(self.seat, time.monotonic()):
                self.diary.received(message)
        self.work.counts = dict(self.diary.mate.counts + self.post.counts)

    def _from_world(self, envelope: Envelope) -> None:
        if envelope.match < self.post.match:
            raise Refused("stale")
        self._heard_at = time.monotonic()
        if envelope.kind == BEGIN:
            self._begin(envelope)
        elif envelope.match != self.post.match:
            self.post.tell(WHO, WORLD, match=envelope.match)
        elif envelope.kind == SIGHT and self.game is not None:
            sight = Sight.unpack(envelope.content, self.game)
            newest = self.tick if self.sight is None else self.sight.tick
            if sight.tick <= newest:
                raise Refused("stale")
            self.sight = sight
        elif envelope.kind == END:
            self._end()
        else:
            raise Refused("kind")

    def _begin(self, envelope: Envelope) -> None:
        """A match begins, or began while this was away."""
        if envelope.match > self.post.match:
            beginning = Beginning.unpack(envelope.content)
            if beginning.game != self.title:
                raise Refused("elsewhere")
            try:
                game = make_game(beginning.game, **beginning.arguments)
                self.seat = game.seat_names.index(self.seat_name)
            except (UsageError, ValueError):
                raise Refused("garbage") from None
            self._get_ready(game, beginning)
            self.game, self.post.match, self.tick, self.sight = game, envelope.match, -1, None
            self.line = self.new_line()
            self.tick_ms = beginning.tick_ms
            self._heard_at = time.monotonic()
            self.tell(f"{self.seat_name} plays {game.title} with {self.spec}")
        self.post.tell(READY, WORLD)

    def _get_ready(self, game: Game, beginning: Beginning) -> None:
        """Compile what will be needed, on a tree that is thrown away; then begin."""
        state = game.start(derive(beginning.seed, "start"))
        mate = self.diary.mate
        self.diary.begin(game, self.seat, beginning)
        all_warm(mate, state)
        self.diary.begin(game, self.seat, beginning)

    def _end(self) -> None:
        if self.game is None:
            return  # it is said several times
        self.game, self.sight = None, None
        self.work.matches += 1
        self.tell(f"{self.seat_name}: the match is over after tick {self.tick}")

    # --- one tick --------------------------------------------------------------------------------

    def _plan(self, game: Game, sight: Sight) -> None:
        """See, hear, search and speak until the tick ends or another position is seen."""
        begun = time.monotonic()
        state = game.unpack(sight.state)
        self._catch_up(game, sight)
        self.diary.meet(state)
        self.state, self.work.ticks = state, self.work.ticks + 1
        moves = self.seat in game.movers(state)
        left = _Left(self.budget, begun, self.tick_ms)
        while left.any(time.monotonic()) and self.sight is None and self.game is not None:
            left.spend(self.diary.think(left.slice(time.monotonic(), self.diary.mate.every)))
            self._look()
            self._speak()
            if moves and left.is_half_spent(time.monotonic()):
                self._answer(state)
        if moves and self.game is not None:
            self._answer(state)
        self.work.simulations += left.simulations

    def _catch_up(self, game: Game, sight: Sight) -> None:
        """Play what was played since the last position that was seen, as far as it is known."""
        behind = sight.tick - self.diary.mate.trail.tick
        known = self.tick >= 0 and 0 < behind <= len(sight.joints)
        joints = sight.joints[-behind:] if known else ()
        if known and _lead_on(game, self.state, joints):
            self._follow(game, joints)
        elif behind > 0:
            self.diary.skip(behind)
        self.work.missed += max(sight.tick - self.tick - 1, 0) if self.tick >= 0 else 0
        self.tick = sight.tick

    def _follow(self, game: Game, joints: tuple[JointMove, ...]) -> None:
        """Go the way that play went; the positions between are met too, since mates may speak of them."""
        there = game.copy(self.state)
        for number, joint in enumerate(joints):
            if number:
                self.diary.meet(there)
            self.diary.saw(joint)
            game.play(there, joint)

    def _speak(self) -> None:
        now = time.monotonic()
        room = room_on(self.line, self.seat, now, SLICE_MS / 1000)
        for message in self.diary.to_send(room) if room else []:
            self.line.send(self.seat, ALL, message, now)

    def _answer(self, state: State) -> None:
        move = self.diary.choose(state, self.seat)
        self.post.tell(MOVE, WORLD, pack_move(self.tick, move))
        self.work.moves += 1


class _Left:
    """What is left of a tick: of its time, and of a budget in simulations."""

    def __init__(self, budget: Budget, begun: float, tick_ms: float) -> None:
        self.begun, self.simulations = begun, 0
        self.most = budget.simulations
        lasts = min(budget.milliseconds or tick_ms, tick_ms)
        self.seconds = max(lasts - LEAD_MS, lasts / 2) / 1000

    def any(self, now: float) -> bool:
        return now < self.begun + self.seconds and self._counted() > 0

    def slice(self, now: float, every: int) -> Budget:
        if self.most is not None:
            return Budget(simulations=min(every, self._counted()))
        left = (self.begun + self.seconds - now) * 1000
        return Budget(milliseconds=max(min(SLICE_MS, left), 0.05))

    def spend(self, simulations: int) -> None:
        self.simulations += simulations

    def is_half_spent(self, now: float) -> bool:
        if self.most is not None:
            return 2 * self.simulations >= self.most
        return 2 * (now - self.begun) >= self.seconds

    def _counted(self) -> int:
        return 1 if self.most is None else self.most - self.simulations


def _lead_on(game: Game, state: State, joints: tuple[JointMove, ...]) -> bool:
    """Whether these joint moves can be played from a position, one after the other."""
    there = game.copy(state)
    for joint in joints:
        if game.over(there) or not _is_legal(game, there, joint):
            return False
        game.play(there, joint)
    return True


def _is_legal(game: Game, state: State, joint: JointMove) -> bool:
    movers = game.movers(state)
    if not game.simultaneous:
        seats: list[Any] = movers or [0]  # nature's move stands at seat 0
        return all((move >= 0) == (seat in seats) for seat, move in enumerate(joint)) and (
            joint[seats[0]] in game.moves(state)
        )
    return all(
        (move in game.moves(state, seat)) if seat in movers else move < 0
        for seat, move in enumerate(joint)
    )
