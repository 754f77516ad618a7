"""How much of what is sent arrives, as the others say, and how fast to send.

Loss has two causes. Noise takes its share whatever is sent; a link that is asked for too much drops the
rest. So a mate remembers the best share that arrived lately and slows down only where less than that
arrives, in proportion; while all is as usual it sends a little more each time. Where a channel does not
say what it carries, it begins slowly, and so learns what noise alone takes.
"""

from __future__ import annotations

from manyminds.teams.news_wire import WINDOW, Ear

_SERIALS = 2**16
_FAR = 2**15  # a serial that much behind the newest is one of somebody who began anew
_WORSE = 0.7  # of the usual share: below it the link is taken to be full
_RISES, _FALLS = 0.3, 0.05  # how fast the usual share follows a higher and a lower one
_FASTER, _LEAST, _FIRST = 1.2, 0.02, 0.1
_ENOUGH = 8  # messages to count a share over


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
        self.usual = 0.0  # nobody has said yet
        self._shares: dict[int, float] = {}
        self._saved = 1.0
        self._asked = False

    def next_serial(self) -> int:
        """The number of the message that is being made."""
        serial, self.serial = self.serial, (self.serial + 1) % _SERIALS
        return serial

    def told(self, sender: int, ear: Ear) -> None:
        """Another says what it heard; a share of nothing is one of little, since it heard something once."""
        self._shares[sender] = max(ear.share / 255, _LEAST)
        self.arrives = sum(self._shares.values()) / len(self._shares)
        if self.arrives < _WORSE * self.usual:
            self.pace = max(self.pace * max(self.arrives / self.usual, 0.5), _LEAST)
        else:
            self.pace = min(self.pace * _FASTER, 1.0)
        change = self.arrives - (self.usual or self.arrives)
        self.usual = (self.usual or self.arrives) + change * (_RISES if change > 0 else _FALLS)

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
