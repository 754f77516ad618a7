"""What happens at a table, as it is kept on disk: a table is its set-up and these, in their order."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from manyminds.apps.web.protocol import ClockRule


class SeatSetup(Struct, frozen=True):
    """Who was put on a seat. player: a program in one line, or "" for who has the key of this hash.

    shown: what people see of a program; of the host's own ones that is their name alone.
    """

    player: str = ""
    name: str = ""
    key_hash: str = ""
    shown: str = ""


class Setup(Struct, frozen=True, kw_only=True):
    """What a table is from its beginning on. stones: (point, colour) before the first move."""

    width: int
    height: int
    komi: tuple[float, ...]
    superko: bool
    seats: tuple[SeatSetup, ...]
    clock: ClockRule | None
    hints: bool
    thoughts: str
    listed: bool
    title: str
    seed: int
    stones: tuple[tuple[int, int], ...] = ()
    to_play: int = 1


class Thought(Struct, frozen=True, kw_only=True):
    """What a program thought when it played move `number`, or what was answered to who asked for a hint.

    candidates: moves with one expected reward a seat, the one played first. line: the moves expected.
    owners, shares: for each point from A1 row by row, the colour likeliest to own it ("0": nobody) and
    how likely in tenths ("0" to "9"), by playouts from the end of that line. points: expected, by seat.
    """

    number: int
    seat: int
    move: str
    player: str
    candidates: tuple[tuple[str, tuple[float, ...]], ...] = ()
    line: tuple[str, ...] = ()
    beliefs: dict[str, float] = {}
    remark: str = ""
    simulations: int = 0
    seconds: float = 0.0
    owners: str = ""
    shares: str = ""
    points: tuple[float, ...] = ()


class _Event(Struct, frozen=True, tag_field="was"):
    pass


class Moved(_Event, frozen=True, tag="moved"):
    """A seat moved; `left`: seconds on its clock then."""

    seat: int
    point: int
    left: float | None = None
    thought: Thought | None = None


class Undone(_Event, frozen=True, tag="undone"):
    """Everything from move `number` on was taken back."""

    number: int


class Left(_Event, frozen=True, tag="left"):
    """A seat left the game: its stones stay, and it passes from now on."""

    seat: int
    why: str


class Marked(_Event, frozen=True, tag="marked"):
    """These points are marked as dead; whoever had agreed has to look again."""

    dead: tuple[int, ...]


class Agreed(_Event, frozen=True, tag="agreed"):
    """A seat agrees to the dead stones as marked."""

    seat: int


class WentOn(_Event, frozen=True, tag="went-on"):
    """A seat wants to play on instead of counting."""

    seat: int


class Named(_Event, frozen=True, tag="named"):
    """A person's name."""

    seat: int
    name: str


class Ended(_Event, frozen=True, tag="ended"):
    """The game is over. `why`: "agreed", "left" (one seat remains) or "over" (nobody to ask)."""

    why: str


Event = Moved | Undone | Left | Marked | Agreed | WentOn | Named | Ended

_events = msgspec.json.Decoder(Event)
_setups = msgspec.json.Decoder(Setup)


def event_of(data: bytes) -> Event:
    """The event that was kept."""
    return _events.decode(data)


def setup_of(data: bytes) -> Setup:
    """The set-up that was kept."""
    return _setups.decode(data)


def kept(value: Event | Setup) -> bytes:
    """As it is kept."""
    return msgspec.json.encode(value)
