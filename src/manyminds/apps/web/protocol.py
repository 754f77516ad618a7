"""All that pages say to the server. Nothing else gets past the door.

Every message is one JSON object with a word `say`; unknown words, unknown fields, wrong types and what
is too long are refused before anybody looks at them.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from manyminds.apps.web.limits import (
    MESSAGE_BYTES,
    NAME_CHARACTERS,
    PLAYER_CHARACTERS,
    REQUEST_BYTES,
    TITLE_CHARACTERS,
)
from manyminds.apps.web.refused import Refused
from manyminds.core.unreadable import UNREADABLE
from manyminds.games.go.board import MOST_COLOURS, MOST_MOVES

Number = Annotated[int, Meta(ge=0, le=MOST_MOVES)]
Point = Annotated[str, Meta(max_length=4)]
Seconds = Annotated[float, Meta(ge=0.0, le=86_400.0)]


class _Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="say"):
    pass


class Sit(_Said, frozen=True, tag="sit"):
    """Who I am: the key of a seat, or nothing for who only watches. The first message of every page."""

    key: Annotated[str, Meta(max_length=64)] = ""


class Play(_Said, frozen=True, tag="play"):
    """A point or "pass", as move `number`: what was meant for another position is refused."""

    move: Point
    number: Number


class Resign(_Said, frozen=True, tag="resign"):
    """I leave the game."""


class Undo(_Said, frozen=True, tag="undo"):
    """May I take my last move back?"""


class Answer(_Said, frozen=True, tag="answer"):
    """To the question that another seat has asked."""

    yes: bool


class Mark(_Said, frozen=True, tag="mark"):
    """The stones at this point are dead, or are not."""

    point: Point


class Agree(_Said, frozen=True, tag="agree"):
    """The dead stones are as marked. `dead`: the ones I saw marked."""

    dead: Annotated[tuple[Point, ...], Meta(max_length=100)]


class PlayOn(_Said, frozen=True, tag="play-on"):
    """We do not agree: let us play on."""


class Hint(_Said, frozen=True, tag="hint"):
    """What would you play?"""


class Look(_Said, frozen=True, tag="look"):
    """What did the programs think at move `number`?"""

    number: Number


class Rename(_Said, frozen=True, tag="rename"):
    """My name."""

    name: Annotated[str, Meta(max_length=NAME_CHARACTERS)]


class Tune(_Said, frozen=True, tag="tune"):
    """The channel of a hunt is like this from now on. rate: bytes a second; None: no limit."""

    rate: Annotated[float, Meta(ge=1.0, le=1e9)] | None = None
    delay_ms: Annotated[float, Meta(ge=0.0, le=10_000.0)] = 0.0
    jitter_ms: Annotated[float, Meta(ge=0.0, le=10_000.0)] = 0.0
    loss: Annotated[float, Meta(ge=0.0, le=0.99)] = 0.0
    burst: Annotated[float, Meta(ge=1.0, le=1000.0)] = 1.0


class Pace(_Said, frozen=True, tag="pace"):
    """So many ticks a second at most; 0: stand still."""

    ticks: Annotated[float, Meta(ge=0.0, le=100.0)]


Said = Sit | Play | Resign | Undo | Answer | Mark | Agree | PlayOn | Hint | Look | Rename
SaidOfHunt = Sit | Tune | Pace


class ClockRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds for the game, seconds more for each move, and seconds a move once the first are used up."""

    main: Seconds
    increment: Seconds = 0.0
    overtime: Seconds = 0.0


class SeatWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit on a seat. player: a program in one line; empty: a person."""

    player: Annotated[str, Meta(max_length=PLAYER_CHARACTERS)] = ""
    name: Annotated[str, Meta(max_length=NAME_CHARACTERS)] = ""


class TableWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table. With `sgf`, the board, the colours, komi and the moves so far are the file's.

    thoughts: who sees what programs think: everybody, those who watch, or all once the game is over.
    """

    seats: Annotated[tuple[SeatWish, ...], Meta(max_length=MOST_COLOURS)]
    width: Annotated[int, Meta(ge=5, le=19)] = 9
    height: Annotated[int, Meta(ge=5, le=19)] = 9
    komi: Annotated[tuple[Annotated[float, Meta(ge=-400, le=400)], ...], Meta(max_length=6)] = ()
    superko: bool = False
    clock: ClockRule | None = None
    hints: bool = True
    thoughts: Literal["all", "watchers", "end"] = "all"
    listed: bool = False
    title: Annotated[str, Meta(max_length=TITLE_CHARACTERS)] = ""
    sgf: Annotated[str, Meta(max_length=REQUEST_BYTES)] = ""


class HuntWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A hunt to be watched: one of its own, or game `number` of a `store` that the host shows.

    mates: the program of all four ghosts, with its budget for a tick. air: what they talk over.
    broken: what ails single mates, by seat.
    """

    maze: Annotated[int, Meta(ge=1, le=4)] = 1
    rules: Literal["thesis", "full"] = "thesis"
    pacman: Annotated[str, Meta(max_length=PLAYER_CHARACTERS)] = "uct@200"
    mates: Annotated[str, Meta(max_length=PLAYER_CHARACTERS)] = "roots@200"
    air: Tune = Tune()
    broken: Annotated[
        dict[str, Literal["silent", "deaf", "garbage", "dead"]], Meta(max_length=4)
    ] = {}
    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    store: Annotated[str, Meta(max_length=NAME_CHARACTERS)] = ""
    number: Annotated[int, Meta(ge=0, le=2**53)] = 0


_said = msgspec.json.Decoder(Said)
_said_of_hunt = msgspec.json.Decoder(SaidOfHunt)
_wish = msgspec.json.Decoder(TableWish)
_hunt_wish = msgspec.json.Decoder(HuntWish)

Read = TypeVar("Read")


def read_said(text: str | bytes) -> Said:
    """A message from a page at a table."""
    return _read_said(_said, text)


def read_said_of_hunt(text: str | bytes) -> SaidOfHunt:
    """A message from a page that watches a hunt."""
    return _read_said(_said_of_hunt, text)


def _read_said(decoder: msgspec.json.Decoder[Read], text: str | bytes) -> Read:
    if len(text) > MESSAGE_BYTES:
        raise Refused(f"a message has at most {MESSAGE_BYTES} characters", 413)
    try:
        return decoder.decode(text)
    except UNREADABLE as error:
        raise Refused(f"this message cannot be understood: {error}") from None


def read_wish(data: bytes) -> TableWish:
    """What a new table shall be."""
    return _read_wish(_wish, data, "table")


def read_hunt_wish(data: bytes) -> HuntWish:
    """What a hunt shall be."""
    return _read_wish(_hunt_wish, data, "hunt")


def _read_wish(decoder: msgspec.json.Decoder[Read], data: bytes, what: str) -> Read:
    try:
        return decoder.decode(data)
    except UNREADABLE as error:
        raise Refused(f"this is no {what}: {error}") from None
