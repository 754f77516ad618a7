"""A mate: a player that plans with a tree of its own, and talks (Filip, algorithm 3.1).

    while there is time: receive; so many simulations; send
    decide from the own tree and from what was received

What mates say and what they make of it is their talk, which is passed in; the rest is the same for all.
A team's loop calls `meet`, `received`, `think` and `to_send`, in virtual or in real time, and `choose` at
the end of each tick. Alone on a seat, without a loop, a mate is a player whom nobody answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.core.random import derive
from manyminds.games.contract import NONE, Game, JointMove, State
from manyminds.players.player import Decision, Lineup
from manyminds.search.search import Search
from manyminds.search.selection import Selection
from manyminds.teams.message import (
    MOST_BYTES,
    MOST_NUMBER,
    Message,
    Refused,
    root_hash,
)
from manyminds.teams.trail import TICKS_AHEAD, Trail
from manyminds.teams.wire import flags_for

MOST_EARLY = 64  # messages kept for positions to come
_TURNS_TO_WARM_UP, _TO_WARM_UP = 3, 50  # turns, simulations at each
_REMEMBERED = 256  # messages of each sender that are told from repeated ones


@dataclass(frozen=True, slots=True)
class Heard:
    """A message's payload, and the moves of the tree from the position it speaks of to the present one."""

    sender: int
    payload: bytes
    flags: int
    moves: list[int]
    tick: int


@dataclass(frozen=True, slots=True)
class Habits:
    """What the rest of a mate needs to know of its talk.

    kind: the number of its messages; 0: it says nothing. shared: one mate plays all seats. same_seed: all
    mates search alike. latest: of a sender's messages only the newest counts. jointly: it needs trees
    with joint moves of the team. needs: arguments of the search. cost: simulations that taking in a
    message takes, and each of its bytes. tree: makes its search, where that is none of the usual kind,
    of the mate, the position, and the arguments of the search.
    """

    kind: int = 0
    shared: bool = False
    same_seed: bool = False
    latest: bool = True
    jointly: bool = False
    needs: Mapping[str, Any] = field(default_factory=dict)
    cost: tuple[float, float] = (0.0, 0.0)
    tree: Callable[[Mate, State, dict[str, Any]], Any] | None = None


class Talk(Protocol):
    """What a mate says, takes in, and makes of it."""

    habits: Habits

    def begin(self, mate: Mate) -> None:
        """A match begins."""

    def moved(self, moves: tuple[int, ...] | None) -> None:
        """The root moved by these moves; None: the tree is new."""

    def say(self, room: int) -> list[bytes]:
        """Payloads for all others; `room` is what the channel carries before it is asked again."""

    def hear(self, heard: Heard) -> None:
        """Take in a message; raises Refused for what cannot be."""

    def weights(self) -> dict[int, float]:
        """How much speaks for each move of the tree at which the team chooses next; empty: the own tree."""


class Mate:
    """A player with `received` and `to_send`. search: arguments of its Search; choices: the game's settings.

    `counts` says how many messages were taken in, sent, and dropped for which reason.
    """

    def __init__(
        self,
        talk: Talk,
        selection: Selection,
        *,
        moves: str = "auto",
        choices: Mapping[str, Any] | None = None,
        search: Mapping[str, Any] | None = None,
    ) -> None:
        self.talk, self.selection, self.moves = talk, selection, moves
        self.choices, self.arguments = dict(choices or {}), dict(search or {})
        self.every = 22  # what a team's loop needs to know
        self.channel: str | None = None
        self.search: Search | None = None
        self.counts: Counter[str] = Counter()

    # --- a player --------------------------------------------------------------------------------

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        self.game, self.seat, self.match = game, seat, lineup.seed
        self.team = frozenset(game.teams[game.team_of(seat)])
        alike = derive(lineup.seed, "mates", min(self.team))
        self.seed = alike if self.talk.habits.same_seed else lineup.seed_of(seat)
        self.settings = game.set_up(**self.choices)
        self.jointly = jointly(game, self.moves, self.talk)
        self.search = None
        self.trail = Trail()
        self.counts.clear()
        self.simulated = 0
        self._number = 0
        self._seen: dict[int, dict[tuple[int, int], None]] = {}
        self._early: list[Message] = []
        self.talk.begin(self)

    def saw(self, joint: JointMove) -> None:
        self._number = 0
        if self.search is None:
            self.trail.step(None)
            return
        chosen = self.search.chosen_moves(joint)
        kept = self.search.advance(joint)
        self.trail.step(chosen)
        self.talk.moved(chosen if kept else None)

    def skip(self, ticks: int) -> None:
        """So many joint moves were played while it was away: it begins anew with the next position."""
        self._number, self.search = 0, None
        self.trail.skip(ticks)

    def decide(self, state: State, budget: Budget) -> Decision:
        self.meet(state)
        self.think(budget)
        return self.choose(state)

    # --- what a team's loop calls ----------------------------------------------------------------

    def meet(self, state: State) -> None:
        """The tick's position, which is its root from now on."""
        if self.search is None:
            self.search = self._new_search(state)
            self.talk.moved(None)
        elif not self.search.meet(state):
            self.talk.moved(None)
        self.trail.at(root_hash(self.search.root_bytes(), self.match))
        early, self._early = self._early, []
        for message in early:
            self._take(message)

    def think(self, budget: Budget) -> int:
        """Simulations for this budget; how many it were."""
        simulations = self.tree.run(budget=budget)
        self.simulated += simulations
        return simulations

    def received(self, message: bytes) -> bool:
        """Take in what a mate said; False when it was dropped, which `counts` tells the reason of."""
        try:
            return self._take(Message.unpack(message))
        except Refused as refused:
            self.counts[refused.reason] += 1
            return False

    def to_send(self, room: int = MOST_BYTES) -> list[bytes]:
        """What to tell all others now, one message or several."""
        if self.talk.habits.kind == 0 or self.search is None:
            return []
        messages = []
        for payload in self.talk.say(room):
            if self._number < MOST_NUMBER:
                messages.append(self._message(payload).pack())
        self.counts["sent"] += len(messages)
        return messages

    def choose(self, state: State, seat: int | None = None) -> Decision:
        """The move that what is known speaks for: of its own seat, or of a mate's as it would have it."""
        seat = self.seat if seat is None else seat
        legal = [int(move) for move in self.game.moves(state, seat)]
        if len(legal) == 1:
            return Decision(legal[0])
        move = self._best(seat, state)
        return Decision(move if move in legal else legal[0])

    # --- within ----------------------------------------------------------------------------------

    @property
    def tree(self) -> Search:
        """The search, once there is a position to search from."""
        if self.search is None:
            raise UsageError("a mate has no tree before it met a position: call meet(state)")
        return self.search

    @property
    def flags(self) -> int:
        """Of the messages with moves of its tree."""
        return flags_for(self.tree.kernels.move_ids)

    def best_team_move(self, seat: int) -> int | None:
        """The move of the tree that most speaks for where the team chooses now; None where it does not.

        The lowest of equals, so that mates who know the same choose the same.
        """
        now = self.tree.turns.choice_of(self.tree.desk.root, seat)
        if now is None:
            return None
        possible = [int(move) for move in self.tree.moves_at(now)]
        weights = self.talk.weights() or self.tree.next_moves(seat, own=False).totals()
        return max(possible, key=lambda move: (weights.get(move, 0), -move))

    def _best(self, seat: int, state: State) -> int:
        if self.jointly or self.talk.habits.jointly:
            move = self.best_team_move(seat)
            if move is not None:
                return self.tree.turns.seat_move(self.tree.desk.root, seat, move)
        if self.talk.habits.tree is None or seat != self.seat:
            return self.tree.best_of(seat)
        weights = self.talk.weights()
        known = [int(move) for move in self.game.moves(state, seat) if int(move) in weights]
        return max(known, key=lambda move: (weights[move], -move), default=self.tree.best_of(seat))

    def _take(self, message: Message) -> bool:
        if message.sender not in self.team or message.sender == self.seat:
            raise Refused("stranger")
        if message.kind != self.talk.habits.kind or not self.talk.habits.kind:
            raise Refused("kind")
        if self.trail.tick < message.tick <= self.trail.tick + TICKS_AHEAD or self.search is None:
            return self._keep_early(message)
        try:
            moves = self.trail.since(message.tick, message.root)
            self._tell_repeated(message)
            self.talk.hear(
                Heard(message.sender, message.payload, message.flags, moves, message.tick)
            )
        except Refused as refused:
            self.counts[refused.reason] += 1
            return False
        self.counts["taken in"] += 1
        return True

    def _keep_early(self, message: Message) -> bool:
        if len(self._early) >= MOST_EARLY:
            raise Refused("early")
        self._early.append(message)
        return True

    def _tell_repeated(self, message: Message) -> None:
        """Each message once; where only the newest counts, none after a newer one."""
        seen = self._seen.setdefault(message.sender, {})
        newest = next(reversed(seen), None)
        if message.order in seen or (
            self.talk.habits.latest and newest is not None and message.order < newest
        ):
            raise Refused("repeated")
        seen[message.order] = None
        if len(seen) > _REMEMBERED:
            del seen[next(iter(seen))]

    def _message(self, payload: bytes) -> Message:
        root = self.trail.root
        number, self._number = self._number, self._number + 1
        kind = self.talk.habits.kind
        return Message(kind, self.seat, self.trail.tick, root, number, payload, self.flags)

    def _new_search(self, state: State) -> Search:
        if self.talk.habits.tree is not None:
            made: Search = self.talk.habits.tree(self, state, dict(self.arguments))
            return made
        return Search(
            self.game,
            state,
            self.selection,
            seed=self.seed,
            settings=self.settings,
            team=self.game.team_of(self.seat),
            jointly=self.jointly,
            **{**self.arguments, **self.talk.habits.needs},
        )


def jointly(game: Game, moves: str, talk: Talk) -> bool:
    """Whether a team's moves are joint ones in its mates' trees: as asked, or where they are few enough."""
    if talk.habits.tree is not None:
        return False
    from manyminds.search.turns import MOST_JOINT_MOVES

    largest = max(len(members) for members in game.teams)
    fits = (
        game.simultaneous
        and game.most_moves**largest <= MOST_JOINT_MOVES
        and game.move_ids**largest < 2**32
    )
    if talk.habits.jointly and game.simultaneous and (moves == "seats" or not fits):
        raise UsageError(
            "these mates exchange joint moves, so their trees have moves of the whole team; this game "
            "has too many, or you asked for moves of seats: use tree-cuts, results or dec-mcts"
        )
    return fits if moves == "auto" else moves == "jointly" and game.simultaneous


def all_warm(mate: Mate, state: State) -> None:
    """Do once all that a match asks of a mate, on a tree that is thrown away: compiling takes its time."""
    game = mate.game
    mate.meet(state)
    for _ in range(_TURNS_TO_WARM_UP):
        if game.over(state):
            return
        mate.think(Budget(simulations=_TO_WARM_UP))
        movers = game.movers(state)
        if mate.seat in movers:
            mate.choose(state)
        for payload in mate.talk.say(MOST_BYTES):
            mate.talk.hear(
                Heard(min(mate.team - {mate.seat}, default=mate.seat), payload, mate.flags, [], 0)
            )
        if not movers and not game.simultaneous:
            return
        joint = [NONE] * game.seats
        for seat in movers:
            joint[seat] = int(game.moves(state, seat)[0])
        game.play(state, joint)
        mate.saw(tuple(joint))
        mate.meet(state)
