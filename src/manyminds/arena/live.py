"""Progress in the terminal: games done, rate, time left and the running table; plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TextIO

from manyminds.arena.progress import Progress, Show
from manyminds.arena.table import short

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table as RichTable

_REDRAW = 0.5  # s
_LINE_EVERY = 10.0  # s between plain lines
_MOST_ROWS = 20


def show_on(stream: TextIO | None = None, after: float = 0.0) -> Show:
    """What suits the stream (standard error where none is given): a terminal, or a log.

    Nothing is shown of a run that ends within `after` seconds.
    """
    stream = stream or sys.stderr
    return Terminal(stream, after) if stream.isatty() else Lines(stream, after=after)


def state_of(progress: Progress) -> str:
    """One line: "120 of 400 games, 3.1 a second, 1:30 left"."""
    parts = [f"{progress.done + progress.failed} of {progress.wanted} games"]
    if progress.failed:
        parts.append(f"{progress.failed} of them failed")
    if progress.played:
        parts.append(f"{_rate(progress.rate)}")
    left = progress.left
    if progress.open and left is not None:
        parts.append(f"{clock(left)} left")
    if not progress.played and progress.open and progress.seconds > 2:
        parts.append("waiting for the first game (a first run compiles)")
    return ", ".join(parts) + (f" - {progress.note}" if progress.note else "")


def clock(seconds: float) -> str:
    """1:05, 2:03:04, 3 days 4:05:06."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    text = f"{hour}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
    return f"{days} day{'s' if days > 1 else ''} {text}" if days else text


def _rate(rate: float) -> str:
    return f"{rate:.3g} a second" if rate >= 1 else f"one in {1 / max(rate, 1e-9):.3g} s"


class Lines:
    """A line now and then: for logs, pipes and notebooks."""

    def __init__(self, stream: TextIO, every: float = _LINE_EVERY, after: float = 0.0) -> None:
        self._stream, self._every = stream, every
        self._next = time.monotonic() + after
        self._last: Progress | None = None
        self._noted = ""

    def update(self, progress: Progress) -> None:
        """Print a line when it is time, or when there is a note."""
        now = time.monotonic()
        if now >= self._next or progress.note != self._noted:
            self._last = progress
            self._next, self._noted = now + self._every, progress.note
            self._print(state_of(progress))

    def close(self) -> None:
        """The last line."""
        if self._last is not None:
            self._last.note = ""
            self._print(state_of(self._last))
            self._last = None

    def _print(self, text: str) -> None:
        try:
            print(text, file=self._stream, flush=True)
        except (OSError, ValueError):  # nobody reads any more; the campaign goes on
            self._every = float("inf")


class Terminal:
    """A bar and the running table, redrawn in place. `close` gives the terminal back as it was."""

    def __init__(self, stream: TextIO, after: float = 0.0) -> None:
        from rich.console import Console

        self._console: Console = Console(file=stream)
        self._live: Live | None = None
        self._begin = time.monotonic() + after
        self._drawn = 0.0
        self._last: Progress | None = None

    def update(self, progress: Progress) -> None:
        """Redraw twice a second."""
        from rich.live import Live

        self._last = progress
        now = time.monotonic()
        if now < self._begin:
            return
        if self._live is None:
            self._live = Live(console=self._console, auto_refresh=False, transient=False)
            self._live.start()
        elif now - self._drawn < _REDRAW:
            return
        self._drawn = now
        self._live.update(self._picture(progress), refresh=True)

    def close(self) -> None:
        """Leave the last picture, and the cursor visible."""
        if self._live is not None and self._last is not None:
            self._last.note = ""
            self._live.update(self._picture(self._last), refresh=True)
            self._live.stop()
            self._live = None

    def _picture(self, progress: Progress) -> RichTable:
        from rich.progress_bar import ProgressBar
        from rich.table import Table as RichTable

        outer = RichTable.grid(padding=(0, 1))
        outer.add_row(self._means(progress))
        bar = ProgressBar(
            total=max(1, progress.wanted), completed=progress.done + progress.failed, width=40
        )
        outer.add_row(bar)
        outer.add_row(state_of(progress))
        if progress.last_failure:
            outer.add_row(f"last failure: {progress.last_failure.splitlines()[-1][:200]}")
        return outer

    def _means(self, progress: Progress) -> RichTable:
        from rich.table import Table as RichTable

        table = RichTable(box=None, padding=(0, 2, 0, 0))
        table.add_column("games", justify="right")
        size = len(progress.seats.names)
        for place in range(size):
            table.add_column(
                f"{place + 1}."
                if progress.schedule.campaign.rotate
                else progress.seats.names[place]
            )
            table.add_column("points", justify="right")
        for names, games, means in progress.running(_MOST_ROWS):
            cells = [str(games)]
            for name, mean in zip(names, means, strict=True):
                cells += [name, "" if mean is None else short(mean)]
            table.add_row(*cells)
        hidden = len(progress.schedule.lineups) - _MOST_ROWS
        if hidden > 0:
            table.add_row(f"and {hidden} more line-ups")
        return table
