"""Who sits where: the players of a match as they were passed in, one per seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError, nearest
from manyminds.games.contract import Game
from manyminds.players.player import Player
from manyminds.players.registry import make_player
from manyminds.players.spec import PlayerSpec
from manyminds.teams.team import team_up, teams_up


@runtime_checkable
class TeamOfPlayers(Protocol):
    """What may sit on a whole team at once: it makes one player for each of the team's seats."""

    def players(self, game: Game, seats: Sequence[int]) -> Sequence[Player]:
        """The players, in the order of the seats; `str` of this object is what the line-up says of each."""


Sitter = str | Mapping[str, Any] | PlayerSpec | Player
Sitters = Sequence[Sitter] | Mapping[str, Sitter | TeamOfPlayers]


class Place(NamedTuple):
    """A player, the text that stands for it in the line-up, and its own budget if it has one."""

    player: Player
    text: str
    budget: Budget | None


def seat_players(game: Game, players: Sitters) -> list[Place]:
    """One place per seat, in the order of the seats.

    A sequence has one player per seat; a mapping names seats, or teams, each of whose seats gets a
    player of its own.
    """
    if isinstance(players, Mapping):
        places = _by_name(game, players)
    elif isinstance(players, str) or len(players) != game.seats:
        count = "one text" if isinstance(players, str) else str(len(players))
        raise UsageError(
            f"{game.title} has {game.seats} seats ({', '.join(game.seat_names)}), and {count} came "
            "for them: pass a list of that many players, or name the seats in a mapping"
        )
    else:
        places = [_place(game, player) for player in players]
    if len({id(place.player) for place in places}) < len(places):
        raise UsageError("one player object sits on two seats; make one for each seat")
    return _teamed(game, places)


def _teamed(game: Game, places: list[Place]) -> list[Place]:
    """The same places; mates of one team talk to each other."""
    mates = {seat: p for seat, p in enumerate(places) if teams_up(p.player)}
    players = team_up(
        game,
        {seat: place.player for seat, place in mates.items()},
        {seat: place.text for seat, place in mates.items()},
        {seat: place.budget for seat, place in mates.items()},
    )
    for seat, player in players.items():
        places[seat] = places[seat]._replace(player=player)
    return places


def _by_name(game: Game, players: Mapping[str, Any]) -> list[Place]:
    known = [*game.seat_names, *game.team_names]
    places: dict[int, Place] = {}
    for name, sitter in players.items():
        if name not in known:
            raise UsageError(f'{game.title} has no seat or team "{name}"; {nearest(name, known)}')
        for seat, place in _named(game, name, sitter):
            if seat in places:
                raise UsageError(f"{game.seat_names[seat]} was given a player twice")
            places[seat] = place
    missing = [name for seat, name in enumerate(game.seat_names) if seat not in places]
    if missing:
        raise UsageError(f"nobody sits on {', '.join(missing)}; name a player for each seat")
    return [places[seat] for seat in range(game.seats)]


def _named(game: Game, name: str, sitter: Any) -> Iterable[tuple[int, Place]]:
    """The places that this seat's or team's entry fills."""
    if name in game.seat_names:
        return [(game.seat_names.index(name), _place(game, sitter))]
    seats = game.teams[game.team_names.index(name)]
    if isinstance(sitter, TeamOfPlayers):
        made = sitter.players(game, seats)
        return zip(seats, [Place(player, str(sitter), None) for player in made], strict=True)
    return [(seat, _place(game, sitter)) for seat in seats]


def _place(game: Game, sitter: Any) -> Place:
    if isinstance(sitter, (str, Mapping, PlayerSpec)):
        spec = PlayerSpec.of(sitter)
        return Place(make_player(spec, game), str(spec), spec.budget)
    if not isinstance(sitter, Player):
        raise UsageError(
            f"{type(sitter).__name__} is no player: pass a text such as rave@1000, or an object "
            "with begin, saw and decide"
        )
    return Place(sitter, str(getattr(sitter, "text", type(sitter).__name__)), None)
