"""A process that plays one hunt: words on standard input, what is to be shown on standard output.

It ends when its input does, so that it cannot outlive its server.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from manyminds.apps.web.hunts import order as orders
from manyminds.apps.web.hunts import scene
from manyminds.apps.web.hunts.order import END, GROUND, TICK, TROUBLE, Air, Live, Pace, Stored, Tune
from manyminds.arena.campaign import Campaign
from manyminds.arena.match import DEFAULT_BUDGET, Match, Turn, play, replay
from manyminds.arena.store import Store
from manyminds.arena.task import make
from manyminds.core.budget import Budget
from manyminds.core.errors import Failure, UsageError
from manyminds.games.contract import Game
from manyminds.games.registry import make_game
from manyminds.players.player import Player
from manyminds.players.registry import make_player
from manyminds.players.spec import PlayerSpec
from manyminds.teams.channel import ChannelPlan
from manyminds.teams.loop import Loop, Member
from manyminds.teams.mate import Mate
from manyminds.teams.team import Team, team_up
from manyminds.teams.virtual import Passage, VirtualChannel, VirtualPlan

NICENESS = 5  # pages come first
MOST_REASON = 300
AGAIN = "a store's game, thought through again; every move is held against the store's"
MOVES_ONLY = "a store's moves; what was thought cannot be had again"


class Diverged(Exception):
    """A store's game went another way when it was played again."""


class Overheard:
    """A channel plan whose channel tells what becomes of its messages."""

    def __init__(self, plan: ChannelPlan, heard: list[Passage]) -> None:
        self.plan, self.heard = plan, heard
        self.channel: Any = None

    def open(self, seats: Sequence[int], seed: int) -> Any:
        self.channel = self.plan.open(seats, seed)
        if isinstance(self.channel, VirtualChannel):
            self.channel.witness = self.heard.append
        return self.channel


class Hunter:
    """Plays, shows every tick, and listens to words meanwhile."""

    def __init__(self, replies: BinaryIO, pace: Pace) -> None:
        self.replies, self.pace = replies, pace
        self.heard: list[Passage] = []
        self.loop: Loop | None = None
        self.air: Overheard | None = None
        self.tuned: Air | None = None
        self.kept: tuple[tuple[int, ...], ...] | None = None  # moves that must come again
        self.number = 0  # ticks that were shown
        self.before = 0.0  # when the tick began, in the team's own seconds
        self.changed = threading.Condition()
        self.shown_at = 0.0

    # --- the two kinds of hunts --------------------------------------------------------------------

    def live(self, order: Live) -> Match:
        """A game of its own."""
        game = make_game("pacman", **order.game)
        self.air = Overheard(order.air.plan(), self.heard)
        team = Team(order.mates, self.air, order.seed, broken=order.broken)
        ghosts = team.players(game, game.teams[1])
        self.loop = team.loop
        lineup = [order.pacman, *[order.mates] * len(ghosts)]
        self.show(GROUND, scene.ground(game, lineup, order.air))
        return play(game, [order.pacman, *ghosts], order.seed, on_move=self.tick)

    def stored(self, order: Stored) -> Match:
        """A store's game, thought through again as long as that gives the same."""
        game, match, campaign = kept_match(order)
        budget = DEFAULT_BUDGET if campaign.budget is None else Budget.parse(campaign.budget)
        if all(counted(text, budget) for text in match.lineup):
            players = self._again(game, match)
            if players is not None:
                return self._think_again(game, match, players, budget, campaign.move_limit)
        self.show(GROUND, scene.ground(game, match.lineup, None, MOVES_ONLY))
        self._moves_only(game, match)
        return match

    def _think_again(
        self,
        game: Game,
        match: Match,
        players: list[str | Player],
        budget: Budget,
        limit: int | None,
    ) -> Match:
        assert self.air is not None
        plan = self.air.plan
        air = Air.of(plan) if isinstance(plan, VirtualPlan) else None
        self.show(GROUND, scene.ground(game, match.lineup, air, AGAIN))
        self.kept, settings = match.joint_moves, match.settings or None
        try:
            play(game, players, match.seed, settings, budget, None, limit, self.tick)
        except Diverged:
            note = f"{MOVES_ONLY} after tick {self.number}"
            self.show(GROUND, scene.ground(game, match.lineup, None, note))
            self._moves_only(game, match)
        return match

    def _moves_only(self, game: Game, match: Match) -> None:
        """Show the rest of the match as it was kept."""
        self.loop, first = None, self.number
        for number, state in enumerate(replay(game, match)):
            if number > first:
                joint, name = match.joint_moves[number - 1], match.names[number - 1]
                self.tick(Turn(number - 1, game, state, joint, name, {}, {}))

    def _again(self, game: Game, match: Match) -> list[str | Player] | None:
        """The players of the match, its mates round a loop that is listened to; None without one."""
        specs = [PlayerSpec.parse(text) for text in match.lineup]
        made = {seat: make_player(spec, game) for seat, spec in enumerate(specs)}
        mates = {seat: player for seat, player in made.items() if isinstance(player, Mate)}
        budgets = {seat: specs[seat].budget for seat in mates}
        members: dict[int, Player] = team_up(game, mates, dict(enumerate(match.lineup)), budgets)
        first = next(iter(members.values()), None)
        if not isinstance(first, Member) or not isinstance(first.loop, Loop):
            return None
        self.loop = first.loop
        self.air = self.loop.plan = Overheard(self.loop.plan, self.heard)
        return [members.get(seat, text) for seat, text in enumerate(match.lineup)]

    # --- ticks -------------------------------------------------------------------------------------

    def tick(self, turn: Turn) -> None:
        """Show a tick, listen to what was said, and keep the pace."""
        if self.kept is not None and self.kept[turn.number : turn.number + 1] != (turn.joint,):
            raise Diverged
        self.number = turn.number + 1
        self.show(TICK, scene.tick(turn, self.loop, self.heard, self.before))
        self.heard.clear()
        if self.loop is not None and self.loop.pace is not None:
            self.before = self.loop.pace.seconds(self.loop.clock)
        with self.changed:
            while (wait := self._wait()) > 0:
                self.changed.wait(wait)
            self._tune()
        self.shown_at = time.monotonic()

    def _wait(self) -> float:
        if self.pace.ticks <= 0:
            return 3600.0
        return self.shown_at + 1 / self.pace.ticks - time.monotonic()

    def _tune(self) -> None:
        channel = None if self.air is None else self.air.channel
        if self.tuned is not None and isinstance(channel, VirtualChannel):
            channel.change(self.tuned.plan())
            self.tuned = None

    def listen(self, words: BinaryIO) -> None:
        """Take words until there are no more; then the hunt is over."""
        while (word := read(words)) is not None:
            with self.changed:
                if isinstance(word, Pace):
                    self.pace = word
                elif isinstance(word, Tune):
                    self.tuned = word.air
                self.changed.notify()
        os._exit(0)

    def show(self, kind: bytes, value: Any) -> None:
        """One frame."""
        self.replies.write(orders.shown(kind, value))
        self.replies.flush()


def counted(player: str, default: Budget) -> bool:
    """Whether the player's budget gives the same decisions again."""
    return (PlayerSpec.parse(player).budget or default).milliseconds is None


def kept_match(order: Stored) -> tuple[Game, Match, Campaign]:
    """A store's game of Pac-Man: its rules, what was played, and how its campaign plays."""
    with Store.read(Path(order.store)) as store:
        campaign, result = store.campaign(), store.result(order.number)
        if campaign is None or result is None:
            raise UsageError(f"the store has no game {order.number}")
        game = make(campaign.data, store.files())
    if game.title != "pacman":
        raise UsageError(f"the store's games are of {game.title}, not of Pac-Man")
    return game, result.match(), campaign


def read(words: BinaryIO) -> orders.Word | None:
    """The next word; None at the end."""
    head = words.read(4)
    size = int.from_bytes(head, "little")
    if len(head) < 4 or size > orders.LONGEST_FRAME:
        return None
    return orders.words.decode(words.read(size))


def hunt(order: orders.Order, words: BinaryIO, replies: BinaryIO) -> None:
    """Play the hunt that was asked for, to its end."""
    hunter = Hunter(replies, order.pace)
    threading.Thread(target=hunter.listen, args=(words,), daemon=True).start()
    try:
        match = hunter.live(order) if isinstance(order, Live) else hunter.stored(order)
        hunter.show(END, {"points": match.points, "ending": match.ending})
    except (UsageError, Failure) as error:
        hunter.show(TROUBLE, str(error)[:MOST_REASON])
    except Exception as error:  # noqa: BLE001 - a program may fail in any way; pages are told
        traceback.print_exc()
        hunter.show(TROUBLE, f"{type(error).__name__}: {error}"[:MOST_REASON])


def main() -> None:
    """One hunt, then the end."""
    os.nice(NICENESS)
    words, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a program prints must not get among the frames
    order = read(words)
    if isinstance(order, Live | Stored):
        hunt(order, words, replies)


if __name__ == "__main__":
    main()
