"""A match: one finished game between players, and how it came about.

    play(game, ["random", "random", "random"], seed=7).points      # {'black': 31.0, ...}

A match ends when the game is over, at the move limit (rewards and points are those of the unfinished
position), or when a player forfeits: by raising Forfeit, by an illegal move, by a late answer. Then
the forfeiting seat's team has reward and points 0. Of two teams the other has the whole reward; of more,
the others keep what the position gives them.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from manyminds.arena.course import Belief, Course, Reason, Remark, Turn, start
from manyminds.arena.judge import check_judge, without_dead
from manyminds.arena.seated import Seated
from manyminds.arena.seating import Sitters, seat_players
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.core.unreadable import UNREADABLE
from manyminds.games.contract import Game, State

__all__ = ["Belief", "Match", "Reason", "Remark", "Turn", "play", "replay"]

DEFAULT_BUDGET = Budget(simulations=1000)


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game. Lists are in the order of `seats`; everything but `seconds` follows from
    the game, the line-up and the seed, where budgets are in simulations or nodes.

    joint_moves: one move per seat, NONE where it did not move; a move of nature stands first.
    names: each joint move as people write it. ending: "over", "move limit" or "forfeit". measures:
    by team of mates, what it did and what its talk cost (docs/measures.md).
    """

    game: str
    arguments: dict[str, Any]
    settings: dict[str, Any]
    seats: tuple[str, ...]
    lineup: tuple[str, ...]
    seed: int
    joint_moves: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    ending: str
    points: dict[str, float]
    rewards: tuple[float, ...]
    seconds: tuple[float, ...]
    forfeits: tuple[Reason, ...] = ()
    remarks: tuple[Remark, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    measures: dict[str, dict[str, float]] = {}

    @property
    def record(self) -> str:
        """The match as a file people keep: SGF for Go, plain text for other games."""
        from manyminds.arena.record import record_of

        return record_of(self)

    @property
    def digest(self) -> str:
        """Equal for matches that are equal in everything but the time they took and their measures."""
        timeless = msgspec.structs.replace(self, seconds=(), measures={})
        data = msgspec.msgpack.encode(timeless, order="deterministic")
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    def to_json(self) -> bytes:
        """The match as one JSON object."""
        return msgspec.json.encode(self)

    def to_bytes(self) -> bytes:
        """The same in MessagePack, which is shorter."""
        return msgspec.msgpack.encode(self)

    @staticmethod
    def from_json(data: bytes | str) -> Match:
        """The match that `to_json` wrote."""
        try:
            return msgspec.json.decode(data, type=Match)
        except UNREADABLE as error:
            raise UsageError(f"this is no match in JSON: {error}") from error

    @staticmethod
    def from_bytes(data: bytes) -> Match:
        """The match that `to_bytes` wrote."""
        try:
            return msgspec.msgpack.decode(data, type=Match)
        except UNREADABLE as error:
            raise UsageError(f"this is no match in MessagePack: {error}") from error


def play(
    game: Game,
    players: Sitters,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    budget: Budget | str | int | None = None,
    deadline: float | None = None,
    move_limit: int | None = None,
    on_move: Callable[[Turn], None] | None = None,
    judge: str = "",
) -> Match:
    """Play one match to its end.

    players: one per seat, or by the names of seats and teams. settings: the game's, for the final
    rewards. budget: of players that name none (1000 simulations). deadline: seconds for each answer of
    a player, which forfeits when it takes longer (120 more to begin); without one a player may think
    for ever, except outside programs, which have deadlines of their own. move_limit: joint moves, by
    default the game's longest. on_move: called after every joint move. judge: the command of a GTP
    program that says which stones of a game of Go are dead once it is over; they are not counted.

        >>> import manyminds as mm
        >>> nim = mm.make_game("nim", heaps=[1, 2])
        >>> match = mm.play(nim, ["rave@100", "random"], seed=3)
        >>> match.points, match.names
        ({'first': 1.0, 'second': 0.0}, ('b1', 'b1', 'a1'))
    """
    if not 0 <= seed < 2**64:
        raise UsageError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    if deadline is not None and not 0 < deadline <= 10**7:
        raise UsageError(f"a deadline is a number of seconds above 0, not {deadline}")
    if move_limit is not None and move_limit < 1:
        raise UsageError(f"a move limit is at least 1, not {move_limit}")
    if judge:
        check_judge(game, judge)
    spent = DEFAULT_BUDGET if budget is None else Budget.parse(budget)
    chosen = game.set_up(**settings) if settings else None
    with contextlib.ExitStack() as closing:
        seated = []
        for seat, place in enumerate(seat_players(game, players)):
            seated.append(Seated(seat, place, spent, deadline))
            closing.callback(seated[-1].close)
        course = Course(game, seated, seed, move_limit or game.longest)
        _outcome(course, chosen)  # what it takes is compiled now, not after the last move
        ending = course.run(on_move)
        if judge and ending == "over":
            course.state = without_dead(game, course.state, course.joint_moves, judge)
        return _match(course, ending, dict(settings or {}), chosen)


def replay(game: Game, match: Match) -> Iterator[State]:
    """The positions of a match, the first before any move; each is a state of its own."""
    state = start(game, match.seed)
    yield game.copy(state)
    for joint in match.joint_moves:
        game.play(state, joint)
        yield game.copy(state)


def _match(course: Course, ending: str, settings: dict[str, Any], chosen: Any) -> Match:
    game = course.game
    rewards, points = _outcome(course, chosen)
    if course.forfeits:
        rewards, points = _after_forfeits(course, rewards, points)
    return Match(
        game=game.title,
        arguments=_plain(game.arguments),
        settings=_plain(settings),
        seats=tuple(game.seat_names),
        lineup=tuple(seated.text for seated in course.seated),
        seed=course.seed,
        joint_moves=tuple(course.joint_moves),
        names=tuple(course.names),
        ending=ending,
        points=dict(zip(game.seat_names, points, strict=True)),
        rewards=tuple(rewards),
        seconds=tuple(seated.seconds for seated in course.seated),
        forfeits=tuple(course.forfeits),
        remarks=tuple(course.remarks),
        beliefs=tuple(course.beliefs),
        measures=_measures(course),
    )


def _measures(course: Course) -> dict[str, dict[str, float]]:
    """What teams tell of themselves, by their names."""
    game, found = course.game, dict[str, dict[str, float]]()
    for seated in course.seated:
        tell = getattr(seated.player, "measures", None)
        if tell is not None and (told := tell()):
            name = game.team_names[game.team_of(seated.seat)]
            found[name] = {str(key): float(value) for key, value in told.items()}
    return found


def _outcome(course: Course, settings: Any) -> tuple[list[float], list[float]]:
    """Rewards and points of the position as it stands."""
    rewards = course.game.rewards(course.state, settings)
    points = course.game.points(course.state)
    return [float(reward) for reward in rewards], [float(count) for count in points]


def _after_forfeits(
    course: Course, rewards: list[float], points: list[float]
) -> tuple[list[float], list[float]]:
    """Reward and points 0 for the teams of those who forfeited; all of the reward for the one other."""
    teams = course.game.teams
    lost = {
        seat for team in teams if {r.seat for r in course.forfeits} & set(team) for seat in team
    }
    if len(teams) == 2:
        rewards = [1.0] * len(rewards)
    rewards = [0.0 if seat in lost else reward for seat, reward in enumerate(rewards)]
    return rewards, [0.0 if seat in lost else count for seat, count in enumerate(points)]


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """A game's arguments or settings as JSON has them; what JSON has no word for, as its text."""
    data = msgspec.json.encode(dict(values), enc_hook=str)
    plain = msgspec.json.decode(data)
    assert isinstance(plain, dict)
    return plain
