"""`check_channel(plan)`: whether a channel carries messages as mates rely on, and what to do where not.

A thousand messages of many lengths are sent at random times, to one seat or to all, and received at
random times; what came out is compared with what went in.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from manyminds.core.checks import CheckError, CheckReport, Findings, register_checker
from manyminds.core.errors import UsageError
from manyminds.teams.channel import ALL, Channel, ChannelPlan
from manyminds.teams.message import MOST_BYTES

CLAUSES = {
    "opens": "open(seats, seed) gives an object with send, receive, busy, rate and traffic",
    "carries": "some messages arrive",
    "whole": "what arrives is what was sent, byte for byte, to that seat",
    "once": "no message arrives twice",
    "causes": "nothing arrives before it was sent",
    "kept": "what has arrived waits until it is received, and is received once",
    "busy": "busy gives seconds from 0 up, and ends",
    "counts": "traffic counts what was addressed, lost, delivered and sent",
    "seeds": "the same seed and the same calls give the same arrivals",
    "long": "a message that is too long is refused with a UsageError",
    "strangers": "seats that it does not have are refused with a UsageError",
}
SEATS = (0, 1, 3)
LATE = 1e6  # seconds after which nothing is under way any more


class ChannelError(CheckError):
    """The channel does not do what mates rely on; `report` has every clause."""


@dataclass
class _Log:
    """What was sent and what arrived, with times."""

    sent: dict[bytes, tuple[float, set[int]]] = field(default_factory=dict)
    arrived: list[tuple[float, int, bytes]] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    bytes_sent: int = 0


def check_channel(
    plan: ChannelPlan,
    messages: int = 1000,
    seed: int = 0,
    *,
    raises: bool = True,
    tell: Callable[[str], None] | None = None,
) -> CheckReport:
    """Check a channel in virtual time: the report, or a `ChannelError` that lists failures."""
    if not isinstance(plan, ChannelPlan):
        raise UsageError(
            f"check_channel takes what has open(seats, seed), not a {type(plan).__name__}"
        )
    if messages < 1:
        raise UsageError(f"check_channel sends at least 1 message, not {messages}")
    findings = Findings(CLAUSES)
    channel: Any = plan.open(SEATS, seed)
    if isinstance(channel, Channel):
        findings.passed("opens")
        log = _run(channel, messages, seed)
        _judge(log, channel, findings)
        if _run(plan.open(SEATS, seed), messages, seed).arrived != log.arrived:
            findings.fail("seeds", "two channels of one seed carried the same messages differently")
        _refusals(channel, findings)
        findings.passed(*CLAUSES)
    else:
        findings.fail("opens", f"open gave a {type(channel).__name__} that lacks one of these")
    report = findings.report("channel", str(plan), "not looked at: mend what failed first")
    if raises and not report.passed:
        raise ChannelError(report)
    return report


def _run(channel: Channel, messages: int, seed: int) -> _Log:
    """Send and receive at random times."""
    rng, log, now = random.Random(seed), _Log(), 0.0
    for number in range(messages):
        now += rng.random() * 0.02
        sender = rng.choice(SEATS)
        others = {seat for seat in SEATS if seat != sender}
        to = rng.choice([ALL, *sorted(others)])
        data = number.to_bytes(4, "little") + rng.randbytes(rng.choice([0, 1, 50, 900, 5000]))
        channel.send(sender, to, data, now)
        log.sent[data] = (now, others if to == ALL else {to})
        log.bytes_sent += len(data)
        log.busy.append(channel.busy(sender, now))
        seat = rng.choice(SEATS)
        log.arrived += [(now, seat, message) for message in channel.receive(seat, now)]
    for seat in SEATS:
        log.arrived += [(LATE, seat, message) for message in channel.receive(seat, LATE)]
        log.busy.append(channel.busy(seat, LATE) * 1e9)  # nothing may be left
        if channel.receive(seat, LATE):
            log.arrived.append((LATE, seat, b"again"))
    return log


def _judge(log: _Log, channel: Channel, findings: Findings) -> None:
    times = Counter((seat, data) for _, seat, data in log.arrived)
    if not log.arrived:
        findings.fail("carries", f"none of {len(log.sent)} messages arrived")
    if (LATE, b"again") in {(now, data) for now, _, data in log.arrived}:
        findings.fail("kept", "what was received once came again when asked again")
    for now, seat, data in log.arrived:
        if data not in log.sent or seat not in log.sent[data][1]:
            if data != b"again":
                findings.fail("whole", f"seat {seat} got {data[:8]!r}, which nobody sent to it")
        elif now < log.sent[data][0]:
            findings.fail("causes", f"a message of {log.sent[data][0]:g} s arrived at {now:g} s")
    if any(n > 1 for n in times.values()):
        findings.fail("once", "a message arrived twice at one seat; deliver each once")
    if any(seconds < 0 for seconds in log.busy) or any(log.busy[-len(SEATS) :]):
        findings.fail("busy", f"busy was {min(log.busy):g} s, or did not end after {LATE:g} s")
    traffic = channel.traffic
    asked = sum(len(seats) for _, seats in log.sent.values())
    wrong = (
        traffic.addressed != asked
        or traffic.delivered != len(log.arrived)
        or traffic.lost != asked - len(log.arrived)
        or traffic.bytes_sent < log.bytes_sent
    )
    if wrong:
        findings.fail(
            "counts", f"{traffic}, where {asked} were addressed, {len(log.arrived)} arrived"
        )


def _refusals(channel: Channel, findings: Findings) -> None:
    wrong: tuple[tuple[str, int, int, bytes], ...] = (
        ("long", SEATS[0], SEATS[1], bytes(MOST_BYTES + 1)),
        ("strangers", SEATS[0], 2, b"to nobody"),
        ("strangers", 2, SEATS[0], b"from nobody"),
        ("strangers", SEATS[0], SEATS[0], b"to oneself"),
    )
    for clause, sender, to, data in wrong:
        try:
            channel.send(sender, to, data, LATE)
        except UsageError:
            continue
        findings.fail(clause, f"send({sender}, {to}, {len(data)} bytes) went through")


def _check_found(plan: Any, games: int, seed: int, tell: Callable[[str], None]) -> CheckReport:
    return check_channel(plan, 50 * games, seed, raises=False, tell=tell)


register_checker("channel", lambda value: _is_plan(value), _check_found)


def _is_plan(value: object) -> bool:
    return isinstance(value, ChannelPlan) and not isinstance(value, type)
