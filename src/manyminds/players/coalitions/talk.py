"""Talk before every move: who would choose whom, and what it promises; the hearer decides.

A message names a partner. It promises to stand with that one: to spare common eyes, to count jointly and
to do it no harm. Nothing makes anybody keep that, so it is only a hint to the hearer's mind, which goes
on to judge by the moves.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec

from manyminds.core.budget import Budget
from manyminds.core.unreadable import UNREADABLE
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.arguments import Argument, flag, number
from manyminds.players.coalitions.assumption import SCORINGS
from manyminds.players.coalitions.infer import SCORING, TEMPER, InferPlayer, fits
from manyminds.players.coalitions.mind import Temper
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS
from manyminds.players.player import Decision, Lineup
from manyminds.players.registry import register

MOST_HEARD = 200  # bytes of a message that is read
PRIOR = 0.1  # of a pair, before anybody has said a word


class Promise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """partner: the seat it would choose. counts: how it promises to count points with that one."""

    partner: int
    counts: str


def said(message: bytes, speaker: int, seats: int) -> Promise | None:
    """What a message says; nothing where it is none of ours."""
    if len(message) > MOST_HEARD:
        return None
    try:
        promise = msgspec.json.decode(message, type=Promise)
    except UNREADABLE:
        return None
    valid = 0 <= promise.partner < seats and promise.partner != speaker
    return promise if valid and promise.counts in SCORINGS else None


class TalkPlayer:
    """An inferring player that says whom it would choose, and hears.

    silent: it says nothing. naive: no move shakes its trust. trust: how many times likelier a promise
    makes a partner. lies: it promises, and plays for itself.
    """

    def __init__(
        self,
        scoring: str,
        trust: float,
        lies: bool,
        silent: bool,
        naive: bool,
        most: int,
        sure: float,
        fear: float,
        until: float,
        evidence: float,
        **arguments: Any,
    ) -> None:
        temper = Temper(most, PRIOR, sure, 0, evidence, learns=not naive)
        self.player = InferPlayer(scoring, fear, until, temper, arguments, keeps=not lies)
        self.scoring, self.trust, self.silent = scoring, trust, silent

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        self.game, self.seat = game, seat
        self.player.begin(game, seat, lineup)
        self.promises: dict[int, Promise] = {}  # the last of each speaker

    def saw(self, joint: JointMove) -> None:
        self.player.saw(joint)

    def say(self) -> bytes:
        if self.silent:
            return b""
        return msgspec.json.encode(Promise(self._wish(), self.scoring))

    def hear(self, seat: int, message: bytes) -> None:
        promise = said(message, seat, self.game.seats)
        if promise is None:
            return
        self.promises[seat] = promise
        hints: dict[tuple[int, ...], float] = {}
        for speaker, one in self.promises.items():
            hints[tuple(sorted((speaker, one.partner)))] = math.log(self.trust)
        self.player.mind.hints = hints

    def decide(self, state: State, budget: Budget) -> Decision:
        decision = self.player.decide(state, budget)
        wanted = [
            f"{self.game.seat_names[speaker]} promises {self.game.seat_names[promise.partner]}"
            for speaker, promise in sorted(self.promises.items())
        ]
        decision.remark = "; ".join([decision.remark, ", ".join(wanted) or "nobody promises"])
        return decision

    def _wish(self) -> int:
        """The first of the others in the coalition it would choose."""
        return next(seat for seat in self.player.mind.wish() if seat != self.seat)


register(
    "talk",
    TalkPlayer,
    (
        SCORING,
        Argument(
            "trust", number(1.0, 1e9), 100.0, "how many times likelier a promise makes a partner"
        ),
        Argument("lies", flag, False, "it promises as the others do, and plays for itself"),
        Argument("silent", flag, False, "it says nothing"),
        Argument("naive", flag, False, "it never judges a promise by the moves that follow"),
        *TEMPER,
        *SEARCH_ARGUMENTS,
    ),
    help="says before every move whom it would stand with, hears the others, and judges who keeps a promise",
    fits=fits,
)
