"""What the arena keeps of a game: its result, or why there is none."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from manyminds.arena.match import Match

MOST_DETAILS = 64_000_000  # bytes of one match once unpacked


class Result(msgspec.Struct, frozen=True, array_like=True, tag="result"):
    """A finished game, all lists by seat. `details` is the whole match, compressed.

    ending: "over", "move limit" or "forfeit". seconds: of all players together. Everything but
    `seconds`, and the times within `details`, follows from the game's number.
    """

    number: int
    seed: int
    rewards: tuple[float, ...]
    points: tuple[float, ...]
    forfeits: tuple[tuple[int, str], ...]
    ending: str
    turns: int
    seconds: float
    details: bytes

    def match(self) -> Match:
        """The match; ValueError where the details are none."""
        from manyminds.arena.match import Match

        return Match.from_bytes(_unpack(self.details))


class FailedGame(msgspec.Struct, frozen=True, array_like=True, tag="failure"):
    """A game that could not be finished, and why. `typed`: what was typed is wrong, so all would fail."""

    number: int
    reason: str
    typed: bool = False


Finished = Result | FailedGame


def result_of(number: int, match: Match) -> Result:
    """The result of a match; ValueError for figures that no table could hold."""
    points = tuple(match.points.values())
    if not all(map(math.isfinite, (*match.rewards, *points))):
        raise ValueError(f"the game's rewards or points are no numbers: {match.rewards}, {points}")
    return Result(
        number=number,
        seed=match.seed,
        rewards=match.rewards,
        points=points,
        forfeits=tuple((seat, reason) for seat, reason in match.forfeits),
        ending=match.ending,
        turns=len(match.joint_moves),
        seconds=sum(match.seconds),
        details=zlib.compress(match.to_bytes(), 1),
    )


def difference(one: Result, other: Result) -> str:
    """Empty where two results are the same game bit for bit, times apart; else what differs."""
    for name in ("number", "seed", "rewards", "points", "forfeits", "ending", "turns"):
        if getattr(one, name) != getattr(other, name):
            return f"{name}: {getattr(one, name)} and {getattr(other, name)}"
    first, second = one.match(), other.match()
    for turn, (a, b) in enumerate(zip(first.joint_moves, second.joint_moves, strict=True)):
        if a != b:
            return f"turn {turn + 1}: {first.names[turn]} and {second.names[turn]}"
    return "" if first.digest == second.digest else "remarks or beliefs"


def _unpack(data: bytes) -> bytes:
    """What was compressed; bounded, since a damaged store may claim anything."""
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, MOST_DETAILS)
    except zlib.error as error:
        raise ValueError(f"a game's details are damaged: {error}") from None
    if not unpacker.eof:
        raise ValueError("a game's details are cut off or too long")
    return plain
