"""A team's loop in virtual time: whose clock is behind plans on (Filip, algorithm 3.1, for all at once).

Every mate has a clock. The one that is behind receives what has arrived, simulates for a while, and
sends if its link is free; so nobody hears what is not said yet, and a run is the same each time. At the
end of a tick all clocks are at its end; then each mate decides from what has arrived until then.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from manyminds.core.budget import Budget
from manyminds.core.random import derive
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.player import Decision, Lineup
from manyminds.teams.channel import ALL, Channel, ChannelPlan, room_on
from manyminds.teams.mate import Mate
from manyminds.teams.pace import Pace, pace_for

FAULTS = ("", "silent", "deaf", "garbage", "dead")


@dataclass(frozen=True)
class Condition:
    """The state a mate is in.

    speed: of its thinking, 1 as declared. fault: "silent" mates send nothing, "deaf" ones hear nothing,
    "garbage" ones send random bytes, "dead" ones do nothing but walk on at random.
    """

    speed: float = 1.0
    fault: str = ""


@dataclass
class Tally:
    """What a team did in a match, summed over mates and ticks in which it planned."""

    ticks: int = 0
    simulations: int = 0
    nodes: int = 0  # of all mates' trees at decisions
    decisions: int = 0  # mates' plans: ticks x mates


@dataclass
class Loop:
    """The mates of one team in one match, by seat (one mate on several seats: it plans for all)."""

    mates: dict[int, Mate]
    plan: ChannelPlan
    budgets: Mapping[int, Budget | None]
    seed: int = 0
    speed: float = 11_000.0
    conditions: Mapping[int, Condition] = field(default_factory=dict)

    def begin(self, game: Game, lineup: Lineup) -> None:
        """A match begins: every mate gets ready, and there is a new channel."""
        own = Lineup(lineup.specs, derive(lineup.seed, "team", self.seed, min(self.mates)))
        self.planners = {min(s for s in self.mates if self.mates[s] is m): m for m in self._each()}
        for seat, mate in self.planners.items():
            mate.begin(game, seat, own)
        self.game = game
        self.channel: Channel = self.plan.open(tuple(self.planners), derive(own.seed, "channel"))
        self.noise = random.Random(derive(own.seed, "noise"))
        self.tally = Tally()
        self.tick = self.planned = 0
        self.clock = 0  # units at the beginning of the tick
        self.pace: Pace | None = None

    def saw(self, joint: JointMove) -> None:
        """A joint move was played."""
        self.tick += 1
        for mate in self.planners.values():
            mate.saw(joint)

    def decide(self, seat: int, state: State, budget: Budget) -> Decision:
        """A seat's decision; the first that is asked for in a tick lets all mates plan."""
        if self.planned != self.tick + 1:
            self._plan(state, budget)
            self.planned = self.tick + 1
        if self._condition(seat).fault == "dead":
            moves = self.game.moves(state, seat)
            return Decision(int(moves[self.noise.randrange(len(moves))]))
        return self.mates[seat].choose(state, seat)

    # --- one tick --------------------------------------------------------------------------------

    def _plan(self, state: State, asked: Budget) -> None:
        """All mates plan for one tick, the one whose clock is behind first."""
        budgets = {seat: self.budgets.get(seat) or asked for seat in self.planners}
        pace = self.pace or pace_for(next(iter(budgets.values())), self.speed)
        self.pace = pace
        ends = {seat: self.clock + pace.tick(budgets[seat]) for seat in self.planners}
        clocks = {seat: self.clock for seat in self.planners if not self._is_dead(seat)}
        for seat in clocks:
            self.planners[seat].meet(self.game.copy(state))
        before = self._simulations(clocks)
        while behind := [seat for seat in clocks if clocks[seat] < ends[seat]]:
            seat = min(behind, key=lambda one: (clocks[one], one))
            clocks[seat] += self._slice(pace, seat, clocks[seat], ends[seat])
        self.clock = max(ends.values())
        for seat in clocks:
            self._receive(pace, seat, self.clock)
        self._count(clocks, before)

    def _slice(self, pace: Pace, seat: int, now: int, end: int) -> int:
        """One mate's turn: receive, simulate, send; the units it took."""
        mate, condition = self.planners[seat], self._condition(seat)
        spent = self._receive(pace, seat, now)
        spent += pace.think(mate, mate.every, max(end - now - spent, 0), condition.speed)
        self._send(pace, seat, min(now + spent, end))
        return max(spent, 1)

    def _receive(self, pace: Pace, seat: int, now: int) -> int:
        messages = self.channel.receive(seat, pace.seconds(now))
        if not messages or self._condition(seat).fault == "deaf":
            return 0
        return pace.take(self.planners[seat], messages, self._condition(seat).speed)

    def _send(self, pace: Pace, seat: int, now: int) -> None:
        """Send when all that was sent before is out, or will be before the mate is asked again."""
        seconds, mate = pace.seconds(now), self.planners[seat]
        room = room_on(self.channel, seat, seconds, pace.slice(mate.every))
        if self._condition(seat).fault == "silent" or not room:
            return
        for message in mate.to_send(room):
            if self._condition(seat).fault == "garbage":
                message = self.noise.randbytes(len(message))
            self.channel.send(seat, ALL, message, seconds)

    def close(self) -> None:
        """Nothing is left open."""

    def measures(self) -> dict[str, float]:
        """Means per mate: simulations and nodes of a tick, bytes a second; and the share lost."""
        plans, traffic = max(self.tally.decisions, 1), self.channel.traffic
        seconds = self.pace.seconds(self.clock) if self.pace is not None else 0.0
        return {
            "ticks": self.tally.ticks,
            "simulations": self.tally.simulations / plans,
            "nodes": self.tally.nodes / plans,
            "bytes_per_second": traffic.bytes_sent / max(seconds, 1e-9) / len(self.planners),
            "messages": traffic.messages / plans,
            "share_lost": traffic.share_lost,
        }

    # --- what it counts --------------------------------------------------------------------------

    def _count(self, seats: Mapping[int, int], before: int) -> None:
        self.tally.ticks += 1
        self.tally.decisions += len(seats)
        self.tally.simulations += self._simulations(seats) - before
        self.tally.nodes += sum(self.planners[seat].tree.nodes for seat in seats)

    def _simulations(self, seats: Mapping[int, int]) -> int:
        return sum(self.planners[seat].simulated for seat in seats)

    def _each(self) -> Sequence[Mate]:
        return list({id(mate): mate for mate in self.mates.values()}.values())

    def _condition(self, seat: int) -> Condition:
        return self.conditions.get(seat, _WELL)

    def _is_dead(self, seat: int) -> bool:
        return self._condition(seat).fault == "dead"


_WELL = Condition()


class Together(Protocol):
    """What plans for a team: it is told of the match once, and asked for each seat."""

    def begin(self, game: Game, lineup: Lineup) -> None: ...
    def saw(self, joint: JointMove) -> None: ...
    def decide(self, seat: int, state: State, budget: Budget) -> Decision: ...
    def close(self) -> None: ...


class Member:
    """A mate on its seat as a match sees it: a player whose team plans together."""

    def __init__(self, loop: Together, seat: int, first: bool, text: str) -> None:
        self.loop, self.seat, self.first, self.text = loop, seat, first, text

    def begin(self, game: Game, seat: int, lineup: Lineup) -> None:
        if self.first:
            self.loop.begin(game, lineup)

    def saw(self, joint: JointMove) -> None:
        if self.first:
            self.loop.saw(joint)

    def decide(self, state: State, budget: Budget) -> Decision:
        return self.loop.decide(self.seat, state, budget)

    def measures(self) -> dict[str, float]:
        """The team's, told by its first mate."""
        tell = getattr(self.loop, "measures", None)
        return dict(tell()) if self.first and tell is not None else {}

    def close(self) -> None:
        if self.first:
            self.loop.close()
