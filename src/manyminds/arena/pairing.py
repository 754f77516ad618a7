"""Who plays whom: the line-ups of a campaign, laid out from its pairing.

A line-up is a name per place. Without rotation place 0 sits on seat 0 and so on; with rotation the
line-up moves round the seats game by game, and its results stay with the places.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from manyminds.arena.campaign import MOST_LINEUPS, Campaign, LineupChoice, Seating
from manyminds.core.errors import UsageError, nearest


class Seats(msgspec.Struct, frozen=True):
    """What a campaign needs to know of its game: the seats' names, and which seats form which team."""

    names: tuple[str, ...]
    teams: tuple[tuple[int, ...], ...]
    team_names: tuple[str, ...]

    @staticmethod
    def of(game: Any) -> Seats:
        """Those of a game of ours."""
        alone = tuple((seat,) for seat in range(len(game.seat_names)))
        teams = tuple(tuple(team) for team in getattr(game, "teams", alone))
        return Seats(
            tuple(game.seat_names), teams, tuple(getattr(game, "team_names", game.seat_names))
        )


class Lineup(msgspec.Struct, frozen=True):
    """A line-up laid out: a name per place, and how they were written where that was by seat names."""

    names: tuple[str, ...]
    games: int
    title: str = ""
    by_name: dict[str, str] | None = None


def lay_out(campaign: Campaign, seats: Seats) -> list[Lineup]:
    """The campaign's line-ups in its own order, each once."""
    lineups: list[Lineup] = []
    seen: set[tuple[str, ...]] = set()
    for lineup in _all(campaign, seats):
        if lineup.names in seen:
            raise UsageError(
                f"the line-up {', '.join(lineup.names)} is there twice; raise its games instead"
            )
        seen.add(lineup.names)
        lineups.append(lineup)
        if len(lineups) > MOST_LINEUPS:
            raise UsageError(
                f"more than {MOST_LINEUPS} line-ups; narrow the pairing with seating or lineups"
            )
    if not lineups:
        raise UsageError(f"no line-up comes of this pairing: {len(campaign.players)} players, "
                         f"{len(seats.names)} seats")  # fmt: skip
    return lineups


def places(seating: Seating, seats: Seats) -> tuple[str, ...]:
    """A name per place: in the order written, or where each seat's or its team's name says."""
    if isinstance(seating, tuple):
        if len(seating) != len(seats.names):
            raise UsageError(f"the line-up {', '.join(seating)} has {len(seating)} players; the game has "
                             f"{len(seats.names)} seats: {', '.join(seats.names)}")  # fmt: skip
        return seating
    names: dict[int, str] = {}
    for word, player in seating.items():
        for seat in _seats_called(word, seats):
            if seat in names:
                raise UsageError(
                    f"two players for the seat {seats.names[seat]}: {names[seat]}, {player}"
                )
            names[seat] = player
    empty = [seats.names[seat] for seat in range(len(seats.names)) if seat not in names]
    if empty:
        raise UsageError(f"nobody sits on {', '.join(empty)}")
    return tuple(names[seat] for seat in range(len(seats.names)))


def _seats_called(word: str, seats: Seats) -> tuple[int, ...]:
    if word in seats.names:
        return (seats.names.index(word),)
    if word in seats.team_names:
        return seats.teams[seats.team_names.index(word)]
    raise UsageError(
        f"no seat or team is called {word}; {nearest(word, {*seats.names, *seats.team_names})}"
    )


def _all(campaign: Campaign, seats: Seats) -> Iterator[Lineup]:
    if campaign.pairing == "list":
        yield from (_chosen(choice, campaign, seats) for choice in campaign.lineups)
        return
    names = tuple(campaign.players)
    if campaign.pairing == "round-robin":
        seatings: Iterator[tuple[str, ...]] = itertools.combinations(names, len(seats.names))
    else:
        rows = campaign.seating or (names,) * len(seats.names)
        if len(rows) != len(seats.names):
            raise UsageError(
                f"seating has {len(rows)} lists of names; the game has {len(seats.names)} seats"
            )
        seatings = itertools.product(*rows)
    for seating in seatings:
        yield Lineup(seating, campaign.games)


def _chosen(choice: Sequence[str] | LineupChoice, campaign: Campaign, seats: Seats) -> Lineup:
    if not isinstance(choice, LineupChoice):
        choice = LineupChoice(tuple(choice))
    by_name = choice.seats if isinstance(choice.seats, dict) else None
    if by_name is not None and campaign.rotate:
        raise UsageError(
            "rotate turns a list of players round the seats; this line-up names its seats"
        )
    games = campaign.games if choice.games is None else choice.games
    return Lineup(places(choice.seats, seats), games, choice.title, by_name)
