"""How much of what is sent arrives, as the others say, and how fast to send.

Loss has two causes. Noise takes its share whatever is sent; a link that is asked for too much drops the
rest. They differ in what a change of pace changes: under noise what arrives follows the pace, on a full
link it does not. So a mate tries twice or half its pace now and then, keeps it where that paid, and goes
back where it did not.
"""

from __future__ import annotations

import math

from manyminds.teams.news_wire import WINDOW, Ear

_SERIALS = 2**16
_FAR = 2**15  # a serial that much behind the newest is one of somebody who began anew
_ENOUGH = 8  # messages to count a share over
_TRIAL = WINDOW + 8  # messages at one pace before it is judged: the window, and those under way
_FOLLOWS = 0.5  # what arrives grows with more than this power of the pace: the link is not full
_WORSE = 0.5  # of the share that usually arrives at full pace: below it a slower one is tried
_REST = 3  # trials' lengths between two trials, once one has failed
_LEAST, _FIRST = 1 / 64, 1 / 8  # paces


class Hearing:
    """Which messages of each sender have arrived: the newest serial, and a bit for each of the last ones."""

    def __init__(self) -> None:
        self._heard: dict[int, tuple[int, int, int]] = {}  # newest, bits, messages counted over

    def note(self, sender: int, serial: int) -> None:
        """A message of this serial has arrived."""
        newest, bits, over = self._heard.get(sender, (serial - 1, 0, 0))
        ahead = (serial - newest) % _SERIALS
        if 0 < ahead < _FAR:
            shifted = min(ahead, WINDOW)
            bits = ((bits << shifted) | 1) & (2**WINDOW - 1)
            self._heard[sender] = serial % _SERIALS, bits, min(over + shifted, WINDOW)
        elif _SERIALS - ahead < WINDOW:
            self._heard[sender] = newest, bits | 1 << (_SERIALS - ahead), over
        elif ahead:
            self._heard[sender] = serial, 1, 1

    def ears(self) -> dict[int, Ear]:
        """What to tell the others of it: shares in parts of 255."""
        return {
            seat: Ear(newest, round(255 * bits.bit_count() / over))
            for seat, (newest, bits, over) in self._heard.items()
            if over >= _ENOUGH
        }


class Flow:
    """A sender's serials, the share that arrives at the others on average, and how much it may send.

    arrives: from 0 to 1; 1 until somebody says otherwise. pace: share of what the channel would take.
    """

    def __init__(self) -> None:
        self.serial = 0
        self.arrives = self.pace = 1.0
        self._shares: dict[int, float] = {}
        self._usual = 0.0  # share that arrives at full pace
        self._saved = 1.0
        self._asked = False
        self._sent = 0  # at this pace
        self._before: tuple[float, float] | None = None  # pace and what arrived, before a trial
        self._up, self._rest = True, 0

    def next_serial(self) -> int:
        """The number of the message that is being made."""
        serial, self.serial = self.serial, (self.serial + 1) % _SERIALS
        self._sent += 1
        return serial

    def told(self, sender: int, ear: Ear) -> None:
        """Another says what it heard; a share of nothing is one of little, since it heard something once."""
        self._shares[sender] = max(ear.share / 255, _LEAST)
        self.arrives = sum(self._shares.values()) / len(self._shares)
        if self._sent >= _TRIAL:
            self._judge()

    def allows(self, unknown: bool = False) -> bool:
        """Whether to send now, by the pace. unknown: the channel does not say what it carries."""
        if not self._asked:
            self._asked = True
            self.pace = _FIRST if unknown else 1.0
        self._saved = min(self._saved + self.pace, 1.0)
        if self._saved < 1.0:
            return False
        self._saved -= 1.0
        return True

    def _judge(self) -> None:
        """Enough was sent at this pace to say what it brings."""
        self._sent = 0
        if self._before is None:
            self._try()
            return
        (pace, carried), self._before = self._before, None
        follows = math.log(self.pace * self.arrives / carried) / math.log(self.pace / pace)
        if (follows > _FOLLOWS) is self._up:
            self._try()
            return
        self.pace, self._up, self._rest = pace, not self._up, _REST

    def _try(self) -> None:
        """Change the pace, unless it is time to rest, or at full pace all is as usual."""
        if self._rest > 0:
            self._rest -= 1
            return
        if self.pace == 1.0:
            worse = self.arrives < _WORSE * self._usual
            self._usual = (
                self.arrives
                if not self._usual or worse
                else (0.8 * self._usual + 0.2 * self.arrives)
            )
            if not worse:
                return
            self._up = False
        elif self.pace == _LEAST:
            self._up = True
        self._before = self.pace, self.pace * self.arrives
        self.pace = min(self.pace * 2, 1.0) if self._up else max(self.pace / 2, _LEAST)
