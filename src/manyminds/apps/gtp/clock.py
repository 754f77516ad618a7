"""The clocks of a game: what the controller said of them, and how long a move may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

MARGIN = (
    0.025  # s kept back of what a move may take: for reading, answering and one slice of searching
)
LEAST = 0.001
_MOST_SECONDS = 10.0**7


@dataclass
class _Left:
    """What one colour has left: seconds of main time (stones 0), or seconds for so many stones."""

    seconds: float
    stones: int


@dataclass
class Clock:
    """Canadian overtime as GTP 2 has it: main time, then `stones` moves in each `overtime` seconds.

    No limit at all where `running` is false. Times left are counted here, and set right by what is told.
    """

    main: float = 0.0
    overtime: float = 0.0
    stones: int = 0
    running: bool = False
    _left: dict[int, _Left] = field(default_factory=dict)
    _began: float = 0.0

    def reset(self) -> None:
        """A new game: all of the time is there again."""
        self._left.clear()

    def tell(self, seat: int, seconds: float, stones: int) -> None:
        """What the controller says that a colour has left."""
        self.running = True
        self._left[seat] = _Left(min(max(0.0, seconds), _MOST_SECONDS), stones)

    def start(self, came: float) -> None:
        """A move begins to be thought about; it was asked for at that time of `time.perf_counter()`."""
        self._began = came

    def stop(self, seat: int) -> None:
        """The move was made: count down."""
        if not self.running:
            return
        left = self._of(seat)
        left.seconds -= time.perf_counter() - self._began
        if left.stones > 0:
            left.stones -= 1
        if left.seconds <= 0 or (left.stones == 0 and self._in_overtime(left)):
            self._left[seat] = _Left(self.overtime, self.stones)

    def _in_overtime(self, left: _Left) -> bool:
        return self.main <= 0 and left.seconds <= self.overtime and self.stones > 0

    def seconds(self, seat: int, moves_to_go: int, late: float = 0.0) -> float | None:
        """How long thinking may take from now on; None without a limit.

        late: what the player takes beyond what it is told.
        Of main time, a part for each move that is still expected; of overtime, an equal part for each
        stone that it is for. Where overtime follows, main time is spent as if it came on top of it.
        """
        if not self.running:
            return None
        left = self._of(seat)
        if left.stones > 0:
            wanted = left.seconds / left.stones
        else:
            each = self.overtime / self.stones if self.stones else 0.0
            wanted = each + left.seconds / max(4, moves_to_go)
            if not each or left.seconds > each:
                wanted = min(wanted, max(left.seconds, each))
        spent = time.perf_counter() - self._began
        return max(LEAST, wanted - MARGIN - late - spent)

    def _of(self, seat: int) -> _Left:
        if seat not in self._left:
            whole = _Left(self.main, 0) if self.main > 0 else _Left(self.overtime, self.stones)
            self._left[seat] = whole
        return self._left[seat]


def settings(main: float, overtime: float, stones: int) -> Clock:
    """The clock of `time_settings`: overtime without stones means no limit, all zeros no time at all."""
    if (overtime > 0 and stones == 0) or not all(
        0 <= seconds <= _MOST_SECONDS for seconds in (main, overtime)
    ):
        return Clock()
    return Clock(main, overtime, stones, running=True)
