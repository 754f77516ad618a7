"""All that pages say to the server. Nothing else gets past the door.

Every message is one JSON object with a word `say`; unknown words, unknown fields, wrong types and what
is too long are refused before anybody looks at them.
"""

from __future__ import annotations

from typing import Annotated, Literal

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


Said = Sit | Play | Resign | Undo | Answer | Mark | Agree | PlayOn | Hint | Look | Rename


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


_said = msgspec.json.Decoder(Said)
_wish = msgspec.json.Decoder(TableWish)


def read_said(text: str | bytes) -> Said:
    """A message from a page."""
    if len(text) > MESSAGE_BYTES:
        raise Refused(f"a message has at most {MESSAGE_BYTES} characters", 413)
    try:
        return _said.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"this message cannot be understood: {error}") from None


def read_wish(data: bytes) -> TableWish:
    """What a new table shall be."""
    try:
        return _wish.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"this is no table: {error}") from None
