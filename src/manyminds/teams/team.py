"""A team as people put it down: mates, what they talk over, and what state each of them is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manyminds.core.errors import UsageError, nearest
from manyminds.games.contract import Game
from manyminds.players.player import Player
from manyminds.players.registry import make_player
from manyminds.players.spec import PlayerSpec
from manyminds.teams import mates as _mates  # noqa: F401  (it registers the mates)
from manyminds.teams.channel import ChannelPlan, make_channel
from manyminds.teams.loop import FAULTS, Condition, Loop, Member, Together
from manyminds.teams.mate import Mate
from manyminds.teams.network.world import Remote, World
from manyminds.teams.pace import SPEED
from manyminds.teams.virtual import VirtualPlan

Spec = str | Mapping[str, Any] | PlayerSpec


class Team:
    """Sits on a team of a match: `mm.play(game, {"ghosts": mm.Team("roots@440")})`.

    mates: one text for all of them, or a list with one for each seat. channel: what they talk over; a
    perfect one in virtual time by default. seed: mates and channel draw from it and the match's.
    speed: simulations a second that stand for a second of virtual time. slow: the speed of single mates
    by seat, 0.5 half of the others'. broken: by seat "silent", "deaf", "garbage" or "dead".

        >>> import manyminds as mm
        >>> team = mm.Team("roots@50", mm.channel(rate=64_000, delay_ms=5, loss=0.3), seed=3)
        >>> hunt = mm.make_game("hunt")
        >>> match = mm.play(hunt, {"hunters": team, "hare": "random"}, seed=1)
        >>> match.ending
        'over'
        >>> match.points["wolf"] == match.points["fox"]
        True
    """

    def __init__(
        self,
        mates: Spec | Sequence[Spec],
        channel: Spec | ChannelPlan | None = None,
        seed: int = 0,
        speed: float = SPEED,
        slow: Mapping[str, float] | None = None,
        broken: Mapping[str, str] | None = None,
    ) -> None:
        if isinstance(mates, str | Mapping | PlayerSpec):
            mates = [mates]
        self.specs = [PlayerSpec.of(spec) for spec in mates]
        self.channel = None if channel is None else make_channel(channel)
        self.seed, self.speed = int(seed), float(speed)
        self.slow, self.broken = dict(slow or {}), dict(broken or {})
        if not 1 <= self.speed <= 1e12:
            raise UsageError(f"speed is simulations a second from 1 up, not {speed}")
        for seat, factor in self.slow.items():
            if not 0.001 <= factor <= 1000:
                raise UsageError(
                    f"slow: {seat} has a speed of {factor}; 0.5 is half of the others'"
                )
        for fault in self.broken.values():
            if fault not in FAULTS[1:]:
                raise UsageError(
                    f'broken: a mate cannot be "{fault}"; {nearest(str(fault), FAULTS[1:])}'
                )
        self.loop: Loop | None = None  # of the last match

    def players(self, game: Game, seats: Sequence[int]) -> list[Player]:
        """A player for each seat; `loop` has what became of them afterwards."""
        if len(self.specs) not in (1, len(seats)):
            raise UsageError(f"{len(self.specs)} mates came for a team of {len(seats)} seats")
        specs = self.specs * (len(seats) // len(self.specs))
        made = {seat: make_player(spec, game) for seat, spec in zip(seats, specs, strict=True)}
        budgets = {seat: spec.budget for seat, spec in zip(seats, specs, strict=True)}
        self.loop = Loop(
            _checked(made, specs),
            self.channel or channel_of(made.values()),
            budgets,
            self.seed,
            self.speed,
            self._conditions(game, seats),
        )
        return members(self.loop, seats, [str(spec) for spec in specs])

    def measures(self) -> dict[str, float]:
        """What the last match cost and did, per mate: see docs/measures.md."""
        if self.loop is None:
            raise UsageError("this team has not played yet; play a match first")
        return self.loop.measures()

    def _conditions(self, game: Game, seats: Sequence[int]) -> dict[int, Condition]:
        names = {game.seat_names[seat]: seat for seat in seats}
        for name in (*self.slow, *self.broken):
            if name not in names:
                raise UsageError(f'no mate sits on "{name}"; {nearest(name, names)}')
        return {
            seat: Condition(float(self.slow.get(name, 1.0)), self.broken.get(name, ""))
            for name, seat in names.items()
        }

    def __str__(self) -> str:
        said = {str(spec): None for spec in self.specs}
        return " ".join(said) + (f" over {self.channel}" if self.channel is not None else "")


def teams_up(player: Player) -> bool:
    """Whether this is a mate, who talks to the others of its team."""
    return isinstance(player, Mate | Remote)


def team_up(
    game: Game, seated: Mapping[int, Player], texts: Mapping[int, str], budgets: Any
) -> Any:
    """Players for the seats of mates who were named one by one: those of a team talk to each other."""
    teamed: dict[int, Player] = {}
    for seats in game.teams:
        made = {seat: seated[seat] for seat in seats if seat in seated and teams_up(seated[seat])}
        if made:
            words = [texts[seat] for seat in made]
            together = _together(made, words, {seat: budgets[seat] for seat in made})
            teamed |= zip(made, members(together, tuple(made), words), strict=True)
    return teamed


def _together(
    made: Mapping[int, Player], texts: Sequence[str], budgets: Mapping[int, Any]
) -> Together:
    """What plans for these mates of one team: a loop here, or the world for those elsewhere."""
    remotes = {seat: player for seat, player in made.items() if isinstance(player, Remote)}
    if not remotes:
        return Loop(_checked(made, texts), channel_of(made.values()), budgets)
    if len(remotes) < len(made):
        raise UsageError(
            "mates of one team are all in this process or all remote: run a teammate for each seat"
        )
    return World(remotes, budgets)


def members(together: Together, seats: Sequence[int], texts: Sequence[str]) -> list[Player]:
    """The players of a team's seats, in their order."""
    return [
        Member(together, seat, seat == seats[0], text)
        for seat, text in zip(seats, texts, strict=True)
    ]


def channel_of(mates: Any) -> ChannelPlan:
    """The one channel that all these mates were given, a perfect one if none was."""
    texts = {mate.channel for mate in mates if isinstance(mate, Mate)}
    if len(texts) > 1:
        named = " and ".join(sorted(text or "a perfect one" for text in texts))
        raise UsageError(f"mates of one team talk over one channel, not over {named}")
    text = next(iter(texts), None)
    return make_channel(text) if text else VirtualPlan()


def _checked(made: Mapping[int, Player], specs: Sequence[Any]) -> dict[int, Mate]:
    """The mates by seat; all the same one where one tree moves the whole team."""
    mates: dict[int, Mate] = {}
    for (seat, player), spec in zip(made.items(), specs, strict=True):
        if not isinstance(player, Mate):
            raise UsageError(
                f'"{spec}" is no mate; {nearest(str(spec), ["roots", "tree-cuts", "independent"])}'
            )
        mates[seat] = player
    shared = [mate.talk.habits.shared for mate in mates.values()]
    if any(shared) and not all(shared):
        raise UsageError("plain moves the whole team with one tree; it has no mates of other kinds")
    if any(shared):
        return dict.fromkeys(mates, next(iter(mates.values())))
    return mates
