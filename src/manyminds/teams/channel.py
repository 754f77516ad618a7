"""What carries messages: late, or never.

A channel plan is what people write down (`mm.channel(rate=64_000, loss=0.3)`); `open` makes a channel of
it for one match. The registry is open: whoever registers a plan by name can be typed as
`roots(channel=NAME(...))@440`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from manyminds.core.errors import UsageError, nearest
from manyminds.players.arguments import Argument, Kind
from manyminds.players.spec import PlayerSpec, Value
from manyminds.teams.message import MOST_BYTES

ALL = -1  # "to all others"
LEAST_ROOM = 64  # bytes: below it, a message says nothing


@dataclass
class Traffic:
    """What a channel carried: counted in messages that somebody should get, and in bytes sent.

    lost: messages that never arrived, of `addressed` ones (a message to three others is addressed thrice).
    """

    messages: int = 0
    bytes_sent: int = 0
    addressed: int = 0
    lost: int = 0
    delivered: int = 0

    @property
    def share_lost(self) -> float:
        """Of the addressed messages, from 0 to 1."""
        return self.lost / self.addressed if self.addressed else 0.0


@runtime_checkable
class Channel(Protocol):
    """Carries messages between seats. Times are seconds and never go back, for each seat apart.

    `busy(sender, now)`: seconds until what the sender has sent before is out; 0 where nothing waits.
    `rate`: bytes a second that a sender can send; infinite where nothing holds it up.
    """

    rate: float
    traffic: Traffic

    def send(self, sender: int, to: int, data: bytes, now: float) -> None:
        """Send to one seat, or to ALL others. Never waits."""

    def receive(self, to: int, now: float) -> list[bytes]:
        """What has arrived at a seat until now and was not received before, in the order of arrival."""

    def busy(self, sender: int, now: float) -> float:
        """Seconds until a further message would begin to go out."""


def room_on(channel: Channel, sender: int, now: float, patience: float) -> int:
    """Bytes that a sender may say now; 0 while what it said before takes longer than `patience` to be out."""
    if channel.busy(sender, now) > patience:
        return 0
    carried = channel.rate * patience
    return MOST_BYTES if math.isinf(carried) else min(MOST_BYTES, max(LEAST_ROOM, int(carried)))


@runtime_checkable
class ChannelPlan(Protocol):
    """What makes a channel for one match."""

    def open(self, seats: Sequence[int], seed: int) -> Channel:
        """A channel between these seats; all that is random in it follows from the seed."""


@dataclass(frozen=True)
class Entry:
    """A kind of channel that can be asked for by name."""

    name: str
    factory: Callable[..., ChannelPlan] | str
    arguments: tuple[Argument, ...]
    help: str


_entries: dict[str, Entry] = {}


def register_channel(
    name: str,
    factory: Callable[..., ChannelPlan] | str,
    arguments: Iterable[Argument] = (),
    help: str = "",  # noqa: A002 - as in `register`
) -> None:
    """Make a plan known as `name`: `factory(**arguments)`, or "module:function". It may register again."""
    spec = PlayerSpec(name)
    _entries[spec.name] = Entry(spec.name, factory, tuple(arguments), help)


def known_channels() -> dict[str, str]:
    """Every channel's name with its one line, in alphabetical order."""
    return {name: _entries[name].help for name in sorted(_entries)}


def make_channel(spec: str | Mapping[str, Any] | PlayerSpec | ChannelPlan) -> ChannelPlan:
    """The plan of that name with these arguments, written as players are: `virtual(rate=64000)`."""
    if not isinstance(spec, str | Mapping | PlayerSpec):
        if isinstance(spec, ChannelPlan):
            return spec
        raise UsageError(
            f"{type(spec).__name__} is no channel: pass mm.channel(...), a text, or an object with "
            "open(seats, seed)"
        )
    asked = PlayerSpec.of(spec)
    if asked.name not in _entries:
        raise UsageError(f'there is no channel "{asked.name}"; {nearest(asked.name, _entries)}')
    entry = _entries[asked.name]
    if asked.positional or asked.budget:
        raise UsageError(f"a channel's arguments have names: {entry.name}(rate=64000, loss=0.3)")
    known = {argument.name: argument for argument in entry.arguments}
    given = dict(asked.named)
    for name in given:
        if name not in known:
            raise UsageError(
                f'channel "{entry.name}" has no argument "{name}"; {nearest(name, known)}'
            )
    return _load(entry.factory)(
        **{a.parameter: _read(entry, a, given[a.name]) for a in entry.arguments if a.name in given}
    )


def _read(entry: Entry, argument: Argument, value: Value) -> Any:
    try:
        return argument.kind.read(value, None)
    except UsageError as error:
        raise UsageError(f'channel "{entry.name}": argument {argument.name} {error}') from error


def _load(factory: Callable[..., ChannelPlan] | str) -> Callable[..., ChannelPlan]:
    if not isinstance(factory, str):
        return factory
    module, _, name = factory.partition(":")
    loaded: Callable[..., ChannelPlan] = getattr(import_module(module), name)
    return loaded


def _read_channel(value: Value, game: Any) -> str:
    if not isinstance(value, str | PlayerSpec):
        raise UsageError("is a channel, such as virtual(rate=64000, loss=0.3)")
    make_channel(value)
    return str(PlayerSpec.of(value))


# What mates get is the canonical text: theirs are equal where they mean one channel.
channel_kind = Kind("a channel such as virtual(rate=64000, loss=0.3)", _read_channel)
