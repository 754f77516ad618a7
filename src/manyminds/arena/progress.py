"""How far a run has come: what is shown while it goes on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from manyminds.arena.pairing import Seats
from manyminds.arena.result import FailedGame, Result
from manyminds.arena.schedule import Schedule
from manyminds.arena.statistics import Interval, mean_interval

_RATE_OVER = 30.0  # s; the rate is that of the last so many seconds


class Progress:
    """Games that are committed, never more; what is only finished is not counted yet.

    done, failed: over all runs of the campaign; played: by this run. decided: line-ups that a test has
    ended. note: a word to the person who waits.
    """

    def __init__(self, schedule: Schedule, seats: Seats, runner: str) -> None:
        self.schedule, self.seats, self.runner = schedule, seats, runner
        self.done = self.failed = self.played = 0
        self.decided: set[int] = set()
        self.note = self.last_failure = ""
        self._counts = dict.fromkeys(schedule.lineups, 0)
        self._points: dict[int, list[list[float]]] = {
            key: [[] for _ in seats.names] for key in schedule.lineups
        }
        self._began = time.monotonic()
        self._marks: list[tuple[float, int]] = [(self._began, 0)]

    def take(self, results: Sequence[Result], failures: Sequence[FailedGame], fresh: bool) -> None:
        """Note what was committed; `fresh`: by this run."""
        for number in (*(r.number for r in results), *(f.number for f in failures)):
            self._counts[self.schedule.lineup_of(number)] += 1
        for result in results:
            columns = self._points[self.schedule.lineup_of(result.number)]
            places = self.schedule.places_of(result.number)
            for place, value in zip(places, result.points, strict=True):
                columns[place].append(value)
        self.done += len(results)
        self.failed += len(failures)
        if failures:
            self.last_failure = failures[-1].reason
        if fresh:
            self.played += len(results) + len(failures)
            self._mark()

    @property
    def wanted(self) -> int:
        """Games in all, those left out that a test has made needless."""
        lineups = self.schedule.lineups.items()
        return sum(self._counts[key] if key in self.decided else x.games for key, x in lineups)

    @property
    def open(self) -> int:
        """Games that are still to be played."""
        return max(0, self.wanted - self.done - self.failed)

    @property
    def seconds(self) -> float:
        """Since this run began."""
        return time.monotonic() - self._began

    @property
    def rate(self) -> float:
        """Games per second, of late."""
        (begin, before), now = self._marks[0], time.monotonic()
        return (self.played - before) / max(now - begin, 1e-9)

    @property
    def left(self) -> float | None:
        """Seconds to the end at this rate; None while nobody can tell."""
        return self.open / self.rate if self.rate > 0 else None

    def running(self, most: int) -> list[tuple[tuple[str, ...], int, list[Interval | None]]]:
        """Of the first so many line-ups: names, games so far, and each place's mean points."""
        rows = []
        for key, lineup in list(self.schedule.lineups.items())[:most]:
            columns = self._points[key]
            means = [mean_interval(column) if column else None for column in columns]
            rows.append((lineup.names, len(columns[0]), means))
        return rows

    def _mark(self) -> None:
        now = time.monotonic()
        if now - self._marks[-1][0] > 1.0:
            self._marks.append((now, self.played))
        while len(self._marks) > 2 and now - self._marks[1][0] > _RATE_OVER:
            del self._marks[0]


class Show(Protocol):
    """Where progress is shown."""

    def update(self, progress: Progress) -> None:
        """Called at least ten times a second while a run goes on; must return at once."""

    def close(self) -> None:
        """Nothing further comes: leave the terminal as it was."""


class Silent:
    """Shows nothing."""

    def update(self, progress: Progress) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""
