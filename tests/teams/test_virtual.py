"""The channel in virtual time: arrivals known to the byte, losses within bounds, runs that repeat."""

import itertools
import math

import pytest

from manyminds.core.errors import UsageError
from manyminds.teams import Team, channel, known_channels, make_channel, register_channel
from manyminds.teams.channel import ALL
from manyminds.teams.check import ChannelError, check_channel
from manyminds.teams.virtual import VirtualPlan


def opened(seed=1, seats=(0, 1, 2), **plan):
    return channel(**plan).open(seats, seed)


def arrival(line, to, step=0.001, end=10.0):
    """The first look, at so fine steps, at which something has arrived."""
    return next(k * step for k in range(int(end / step)) if line.receive(to, k * step))


def test_a_message_is_out_when_its_last_byte_is_and_arrives_after_the_delay():
    line = opened(rate=1000, delay_ms=20)
    line.send(0, 1, bytes(100), 0.5)  # out at 0.6
    assert line.busy(0, 0.55) == pytest.approx(0.05)
    assert line.receive(1, 0.6199) == []
    assert line.receive(1, 0.6201) == [bytes(100)]
    assert line.busy(0, 0.7) == 0


def test_messages_of_one_sender_stand_in_line_and_others_do_not_wait_for_them():
    line = opened(rate=1000)
    for size in (100, 200, 300):
        line.send(0, 1, bytes(size), 0.0)
    line.send(2, 1, b"x" * 50, 0.0)
    ends = [arrival(line, 1) for _ in range(4)]
    assert ends == pytest.approx([0.05, 0.1, 0.3, 0.6], abs=0.0011)


def test_broadcast_goes_out_once_and_single_messages_once_for_each():
    once, each = opened(rate=1000), opened(rate=1000, broadcast=False)
    for line in (once, each):
        line.send(0, ALL, bytes(100), 0.0)
    assert (once.traffic.bytes_sent, each.traffic.bytes_sent) == (100, 200)
    assert (once.traffic.addressed, each.traffic.addressed) == (2, 2)
    assert arrival(once, 2) == pytest.approx(0.1, abs=0.0011)
    assert arrival(each, 2) == pytest.approx(0.2, abs=0.0011)


def lost_of(n=20_000, size=10, **plan):
    """Which of n messages were lost."""
    line = opened(seats=(0, 1), **plan)
    lost = []
    for k in range(n):
        line.send(0, 1, bytes(size), float(k))
        lost.append(not line.receive(1, k + 0.5))
    return lost


def test_independent_losses_have_the_asked_share():
    lost = lost_of(loss=0.3)
    # 4.5 standard errors: sqrt(0.3 * 0.7 / 20,000) = 0.00324
    assert abs(sum(lost) / len(lost) - 0.3) < 0.0146
    again = sum(a and b for a, b in itertools.pairwise(lost)) / sum(lost)
    assert abs(again - 0.3) < 4.5 * math.sqrt(0.21 / 6000) + 0.003


def test_losses_in_bursts_have_the_asked_share_and_length():
    lost = lost_of(loss=0.3, burst=5)
    runs = sum(b and not a for a, b in zip([False, *lost], lost, strict=False))
    # A run is geometric with mean 5 (deviation 4.5); of about 1,200 runs its mean is off by 0.13 (1 s.e.).
    assert abs(sum(lost) / runs - 5) < 0.6
    # The share's variance is that of independent losses times (1 + r) / (1 - r), r = 1 - 0.2 - 0.0857.
    assert abs(sum(lost) / len(lost) - 0.3) < 4.5 * math.sqrt(0.21 / 20_000 * 1.714 / 0.286)


def test_a_message_of_several_packets_is_lost_with_any_of_them():
    lost = lost_of(loss=0.3, size=300, packet=100)
    share = 1 - 0.7**3
    assert abs(sum(lost) / len(lost) - share) < 4.5 * math.sqrt(share * (1 - share) / 20_000)


def test_a_channel_is_changed_while_it_carries_messages():
    line, told = opened(rate=1000, delay_ms=1000), []
    line.witness = told.append
    line.send(0, 1, bytes(100), 0.0)  # out at 0.1, there at 1.1
    line.change(VirtualPlan(rate=None, loss=0.999))
    for _ in range(1000):
        line.send(2, 1, b"x", 0.5)
    assert line.rate == math.inf
    assert line.receive(1, 1.0) == [b"x"] * sum(one.arrives == 0.5 for one in told)
    assert line.receive(1, 1.11) == [bytes(100)]
    assert told[0] == (0, 1, 100, pytest.approx(0.1), pytest.approx(1.1))
    lost = sum(one.arrives is None for one in told)
    assert lost == line.traffic.lost > 980  # of 1000, where 999 are expected with a spread of 1


def test_jitter_is_even_and_can_let_messages_overtake():
    line = opened(seats=(0, 1), delay_ms=10, jitter_ms=40)
    for k in range(400):
        line.send(0, 1, k.to_bytes(2, "little"), 0.0)
    assert line.receive(1, 0.00999) == []
    half = line.receive(1, 0.030)
    rest = line.receive(1, 0.0501)
    assert abs(len(half) - 200) < 4.5 * 10  # binomial(400, 1/2) has a deviation of 10
    assert len(half) + len(rest) == 400
    assert half != sorted(half)


@pytest.mark.parametrize(
    "plan",
    [
        VirtualPlan(),
        VirtualPlan(rate=64_000, delay_ms=5, loss=0.3),
        VirtualPlan(rate=4_000, jitter_ms=50, loss=0.6, burst=4, packet=256, broadcast=False),
    ],
    ids=str,
)
def test_ours_passes_the_check_of_channels(plan):
    assert check_channel(plan, messages=300).passed


class Wrong:
    """A channel that does one thing wrong."""

    def __init__(self, fault):
        self.fault = fault

    def open(self, seats, seed):
        line = VirtualPlan(delay_ms=1).open(seats, seed)
        send, receive = line.send, line.receive
        if self.fault == "twice":
            line.send = lambda a, b, data, now: (send(a, b, data, now), send(a, b, data, now))
        if self.fault == "altered":
            line.receive = lambda to, now: [data + b"!" for data in receive(to, now)]
        if self.fault == "early":
            line.send = lambda a, b, data, now: send(a, b, data, now - 10)
        if self.fault == "swallows":
            line.receive = lambda to, now: []
        return line


@pytest.mark.parametrize(
    ("fault", "clause"),
    [("twice", "once"), ("altered", "whole"), ("swallows", "carries")],
)
def test_the_check_of_channels_finds_what_is_wrong(fault, clause):
    report = check_channel(Wrong(fault), messages=100, raises=False)
    assert clause in {check.name for check in report.failures}
    with pytest.raises(ChannelError, match=clause):
        check_channel(Wrong(fault), messages=100)


def test_the_check_refuses_what_is_no_channel():
    with pytest.raises(UsageError, match="open"):
        check_channel(7)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"loss": 1.0}, "share of packets"),
        ({"rate": 0}, "bytes a second"),
        ({"loss": 0.95, "burst": 2}, "longer bursts"),
        ({"delay_ms": -1}, "milliseconds"),
    ],
)
def test_plans_that_cannot_be_are_refused(plan, words):
    with pytest.raises(UsageError, match=words):
        channel(**plan)


def test_channels_are_typed_as_players_are():
    plan = make_channel("virtual(rate=64000, loss=0.3, broadcast=false)")
    assert plan == VirtualPlan(rate=64_000, loss=0.3, broadcast=False)
    assert make_channel(str(plan)) == plan
    assert "virtual" in known_channels()
    for wrong, words in {
        "virtaul": "virtual",
        "virtual(lose=1)": "loss",
        "virtual(loss=2)": "from 0",
        "virtual(5)": "have names",
    }.items():
        with pytest.raises(UsageError, match=words):
            make_channel(wrong)


def test_a_channel_of_ones_own_carries_a_team(game):
    carried = []

    class Loud:
        def open(self, seats, seed):
            line = VirtualPlan().open(seats, seed)
            carried.append(line)
            return line

    register_channel("loud", Loud, help="for this test")
    team = Team("roots(channel=loud)@30")
    from manyminds.arena.match import play

    play(game, {"hunters": team, "hare": "random"}, seed=1)
    assert carried[0].traffic.delivered > 0
