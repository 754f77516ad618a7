"""The clocks of a table, one a seat; one runs at a time. Times are handed in, so that tests need none."""

from __future__ import annotations

from manyminds.apps.web.protocol import ClockRule


class Clock:
    """Time left by seat. A turn may take what is left and, after that, the rule's overtime."""

    def __init__(self, rule: ClockRule, seats: int) -> None:
        self.rule = rule
        self.left = [rule.main] * seats
        self.running: int | None = None
        self.since = 0.0

    def start(self, seat: int | None, now: float) -> None:
        """It is this seat's turn from now on; None stops the clocks."""
        self.running, self.since = seat, now

    def after_turn(self, now: float) -> float:
        """What is left to the running seat when its turn ends now, increment included."""
        assert self.running is not None
        spent = max(now - self.since, 0.0)
        left = self.left[self.running]
        return left - spent + self.rule.increment if spent <= left else self.rule.increment

    def flag(self) -> float | None:
        """When the running seat's time is up."""
        if self.running is None:
            return None
        return self.since + self.left[self.running] + self.rule.overtime
