"""A line that is worse than the network under it: what mates say goes through a channel plan first."""

from __future__ import annotations

from manyminds.teams.channel import Channel, ChannelPlan, Traffic


class Shim:
    """A channel of one seat: held up and lost as the plan says in real time, then sent on.

    Nothing is sent on but when it is used; who looks at the network every few milliseconds does so.
    """

    def __init__(
        self, line: Channel, plan: ChannelPlan, own: int, mates: tuple[int, ...], seed: int
    ) -> None:
        self.line, self.own = line, own
        self.mates = tuple(mate for mate in mates if mate != own)
        self.worse = plan.open((own, *self.mates), seed)
        self.rate = self.worse.rate

    @property
    def traffic(self) -> Traffic:
        """What went into the line, and what the plan let get lost."""
        return self.worse.traffic

    def send(self, sender: int, to: int, data: bytes, now: float) -> None:
        self.worse.send(sender, to, data, now)
        self._pass_on(now)

    def receive(self, to: int, now: float) -> list[bytes]:
        self._pass_on(now)
        return self.line.receive(to, now)

    def busy(self, sender: int, now: float) -> float:
        self._pass_on(now)
        return self.worse.busy(sender, now)

    def _pass_on(self, now: float) -> None:
        for mate in self.mates:
            for data in self.worse.receive(mate, now):
                self.line.send(self.own, mate, data, now)
