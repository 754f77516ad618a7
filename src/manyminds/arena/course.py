"""The course of a match: who is asked when, what is played, and what is kept of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from manyminds.arena.seated import Seated
from manyminds.core.random import derive, generator
from manyminds.games.contract import NONE, Game, JointMove, State
from manyminds.players.player import Decision, Forfeit, Lineup
from manyminds.players.readable import readable

MOST_REMARK = 1000  # characters of one remark
MOST_REMARKS = 200_000  # characters of all remarks of a match
MOST_BELIEFS = 64  # of one decision
MOST_REASON = 5000  # characters
_NATURE_PER_TURN = 64  # moves of nature, on average, before a game is taken for endless


class Remark(NamedTuple):
    """What a player said with a decision: `turn` counts joint moves from 0."""

    turn: int
    seat: int
    text: str


class Belief(NamedTuple):
    """How much a player believed of each of its hypotheses when it decided."""

    turn: int
    seat: int
    shares: dict[str, float]


class Reason(NamedTuple):
    """Why a seat forfeited."""

    seat: int
    reason: str


@dataclass(frozen=True)
class Turn:
    """What `on_move` is told: a joint move that was just played.

    `state` is the one after it, not to be changed; `decisions` and `seconds` are by seat, of those who moved.
    """

    number: int
    game: Game
    state: State
    joint: JointMove
    name: str
    decisions: Mapping[int, Decision]
    seconds: Mapping[int, float]


@dataclass
class Course:
    """A match under way."""

    game: Game
    seated: list[Seated]
    seed: int
    limit: int
    joint_moves: list[JointMove] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    forfeits: list[Reason] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    beliefs: list[Belief] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = start(self.game, self.seed)
        self.dice = generator(derive(self.seed, "nature"))
        self.over = self.game.over(self.state)
        self.turns = 0  # those of nature are not counted
        self.room = MOST_REMARKS

    def run(self, on_move: Callable[[Turn], None] | None) -> str:
        """Plays to the end; which end it was."""
        game = self.game
        lineup = Lineup((seated.text for seated in self.seated), self.seed)
        self._each(lambda seated: seated.begin(game, lineup))
        talks = any(seated.talks for seated in self.seated)
        while not self.forfeits and not self.over:
            if self.turns >= self.limit or len(self.joint_moves) > _NATURE_PER_TURN * self.limit:
                return "move limit"
            movers = game.movers(self.state)
            if not movers and not game.simultaneous:
                move = game.roll(self.state, self.dice)
                self._advance((move, *[NONE] * (game.seats - 1)), {}, {}, on_move)
                continue
            if talks:
                self._talk()
            self._turn(movers, on_move)
        return "forfeit" if self.forfeits else "over"

    def _turn(self, movers: list[int], on_move: Callable[[Turn], None] | None) -> None:
        """One joint move of the players; none is played when somebody forfeits."""
        decisions, seconds = self._decide(movers)
        if self.forfeits:
            return
        joint = [NONE] * self.game.seats
        for seat, decision in decisions.items():
            joint[seat] = int(decision.move)
        self.turns += 1
        self._advance(tuple(joint), decisions, seconds, on_move)

    def _each(self, call: Callable[[Seated], object]) -> None:
        """Calls every player but those who have forfeited, so that all others hear the same."""
        lost = {reason.seat for reason in self.forfeits}
        for seated in self.seated:
            try:
                if seated.seat not in lost:
                    call(seated)
            except Forfeit as forfeit:
                self.forfeits.append(Reason(seated.seat, readable(forfeit.reason, MOST_REASON)))

    def _talk(self) -> None:
        said: list[tuple[int, bytes]] = []
        self._each(lambda seated: said.append((seated.seat, seated.say())))
        for speaker, message in said:
            if message:
                self._each(functools.partial(_pass_on, speaker, message))

    def _decide(self, movers: list[int]) -> tuple[dict[int, Decision], dict[int, float]]:
        """Every mover's decision on the same position, before any of them is played."""
        decisions: dict[int, Decision] = {}
        before = {seated.seat: seated.seconds for seated in self.seated}

        def decide(seated: Seated) -> None:
            if seated.seat in movers:
                decisions[seated.seat] = seated.decide(self.game, self.state)

        if not self.forfeits:
            self._each(decide)
        for seat, decision in decisions.items():
            self._note(seat, decision)
        return decisions, {seat: self.seated[seat].seconds - before[seat] for seat in decisions}

    def _note(self, seat: int, decision: Decision) -> None:
        """Keeps what was said and believed, as long as there is room for it."""
        turn = len(self.joint_moves)
        text = readable(decision.remark, min(MOST_REMARK, self.room))
        if text:
            self.room -= len(text)
            self.remarks.append(Remark(turn, seat, text))
        if decision.beliefs and self.room > 0:
            kept = list(decision.beliefs.items())[:MOST_BELIEFS]
            shares = {readable(str(name), 100): float(share) for name, share in kept}
            self.room -= sum(map(len, shares))
            self.beliefs.append(Belief(turn, seat, shares))

    def _advance(
        self,
        joint: JointMove,
        decisions: dict[int, Decision],
        seconds: dict[int, float],
        on_move: Callable[[Turn], None] | None,
    ) -> None:
        """Plays a joint move, and tells everybody."""
        number, name = len(self.joint_moves), joint_name(self.game, joint, self.state)
        self.game.play(self.state, joint)
        self.over = self.game.over(self.state)
        self.joint_moves.append(joint)
        self.names.append(name)
        if on_move is not None:
            on_move(Turn(number, self.game, self.state, joint, name, decisions, seconds))
        if self.over:
            self._farewell(joint)
        else:
            self._each(lambda seated: seated.saw(joint))

    def _farewell(self, joint: JointMove) -> None:
        """The last joint move: the game is decided, so who fails now has failed too late to lose."""
        for seated in self.seated:
            try:
                seated.saw(joint)
            except Forfeit as forfeit:
                text = readable(f"after the end: {forfeit.reason}", MOST_REMARK)
                self.remarks.append(Remark(len(self.joint_moves) - 1, seated.seat, text))


def _pass_on(speaker: int, message: bytes, hearer: Seated) -> None:
    if hearer.seat != speaker:
        hearer.hear(speaker, message)


def start(game: Game, seed: int) -> State:
    """The position that a match with this seed starts from."""
    return game.start(derive(seed, "start"))


def joint_name(game: Game, joint: JointMove, state: State) -> str:
    """A joint move as people write it: the movers' moves in the order of the seats, "-" for the others."""
    if not game.simultaneous:
        return game.name(next(move for move in joint if move != NONE), state)
    return " ".join("-" if move == NONE else game.name(move, state) for move in joint)
