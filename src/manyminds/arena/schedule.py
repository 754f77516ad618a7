"""Which game has which number: line-up, seats and seed as a pure function, in any order.

Game k of line-up l has the number l * MOST_GAMES + k, whatever else is played, before or beside it.
Its seed follows from the campaign's seed, the line-up's names and k (from seed and k alone where games
are paired, so that game k of all line-ups starts alike); not from l, so that a campaign which grew
line-ups in between gives the games of one that had them from the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from manyminds.arena.campaign import MOST_GAMES, Campaign, Spec
from manyminds.arena.pairing import Lineup


class GamePlan(msgspec.Struct, frozen=True):
    """One game to be played. `places[seat]` is the place of the line-up that sits there."""

    number: int
    lineup: int
    index: int
    places: tuple[int, ...]
    players: tuple[Spec, ...] | dict[str, Spec]
    seed: int


class Schedule:
    """All games of a campaign; `lineups` maps each line-up's number to it, in the order of the table."""

    def __init__(self, campaign: Campaign, lineups: Mapping[int, Lineup]) -> None:
        self.campaign, self.lineups = campaign, dict(lineups)

    @staticmethod
    def numbered(campaign: Campaign, lineups: Sequence[Lineup]) -> Schedule:
        """The schedule of a campaign that nobody has begun: line-ups numbered in its own order."""
        return Schedule(campaign, dict(enumerate(lineups)))

    def __getitem__(self, number: int) -> GamePlan:
        """The game of this number; KeyError where the campaign has no such line-up."""
        key, index = divmod(number, MOST_GAMES)
        lineup, places = self.lineups[key], self.places_of(number)
        return GamePlan(
            number, key, index, places, self._players(lineup, places), self.seed(lineup, index)
        )

    def places_of(self, number: int) -> tuple[int, ...]:
        """The place of the line-up that sits on each seat in this game."""
        key, index = divmod(number, MOST_GAMES)
        seats = len(self.lineups[key].names)
        turn = index % seats if self.campaign.rotate else 0
        return tuple((seat + turn) % seats for seat in range(seats))

    @staticmethod
    def lineup_of(number: int) -> int:
        """The number of the game's line-up."""
        return number // MOST_GAMES

    @staticmethod
    def index_of(number: int) -> int:
        """The game's number within its line-up."""
        return number % MOST_GAMES

    def __len__(self) -> int:
        """The games that are wanted in all."""
        return sum(lineup.games for lineup in self.lineups.values())

    def seed(self, lineup: Lineup, index: int) -> int:
        """The 64-bit seed of game `index` of a line-up."""
        from manyminds.core.random import derive  # not at import: it brings the compiler along

        words = () if self.campaign.paired else lineup.names
        return derive(self.campaign.seed, "game", index, *words)

    def numbers(self) -> Iterator[int]:
        """Every wanted game in the order it is best played: all line-ups advance together."""
        for index in range(max((lineup.games for lineup in self.lineups.values()), default=0)):
            for key, lineup in self.lineups.items():
                if index < lineup.games:
                    yield key * MOST_GAMES + index

    def _players(
        self, lineup: Lineup, places: tuple[int, ...]
    ) -> tuple[Spec, ...] | dict[str, Spec]:
        if lineup.by_name is not None:
            return {word: self.campaign.spec(name) for word, name in lineup.by_name.items()}
        return tuple(self.campaign.spec(lineup.names[place]) for place in places)
