"""Runs a campaign: feeds a runner, and writes what comes back into the store. Only the driver writes.

Every game is committed before it is counted or shown. A driver that is killed has lost nothing that it
reported; the next one plays what is missing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from manyminds.arena.campaign import MOST_GAMES, Campaign
from manyminds.arena.changes import check_changes, check_files
from manyminds.arena.comparison import published_by_lineup
from manyminds.arena.files import UserFile, read_files
from manyminds.arena.local import LocalPool
from manyminds.arena.pairing import Lineup, Seats, lay_out
from manyminds.arena.progress import Progress, Show, Silent
from manyminds.arena.result import FailedGame, Finished, Result
from manyminds.arena.runner import InProcess, Runner
from manyminds.arena.sample import win_shares
from manyminds.arena.schedule import Schedule
from manyminds.arena.schema import BrokenStore
from manyminds.arena.signals import Signals
from manyminds.arena.stopping import Stopping
from manyminds.arena.store import Store
from manyminds.arena.table import Table
from manyminds.arena.task import Task, Tasks, make
from manyminds.arena.toml import to_toml
from manyminds.core.errors import Failure, UsageError

_COMMIT_AFTER = 0.05  # s that a finished game may wait for others to share its commit
_COMMIT_AT = 500  # games
MOST_FAILURES = 10  # games that may fail before one has succeeded


class Outcome(msgspec.Struct, frozen=True):
    """How a run ended. `ending`: "finished", "interrupted" or "terminated"; `played`: games of this run."""

    table: Table
    ending: str
    played: int
    failed: int
    seconds: float


def run(
    campaign: Campaign,
    store: str | os.PathLike[str],
    *,
    workers: int = 2,
    runner: Runner | Callable[[], Runner] | None = None,
    show: Show | None = None,
    toml: str = "",
    command: str = "",
    retry: bool = False,
) -> Outcome:
    """Play all games of the campaign that the store does not have yet.

    workers: local processes; 0 plays in this one. runner: another one, or what makes it (closed by us
    if made here). retry: also play games that failed before. toml, command: what the report shows as
    typed. Raises UsageError where the store holds games that do not belong to this campaign.
    """
    path = Path(store)
    with Store.write(path) as opened:
        schedule, seats, files = _set_up(opened, campaign)
        made = runner if runner is not None and not callable(runner) else None
        player = made or (runner() if callable(runner) else _local(workers))
        try:
            title = player.title
            opened.begin_run(campaign, toml or to_toml(campaign), command, title)
            driver = Driver(
                opened, schedule, seats, Tasks(campaign, files), player, show or Silent()
            )
            return driver.run(retry)
        finally:
            if made is None:
                player.close()


def _local(workers: int) -> Runner:
    return LocalPool(workers) if workers else InProcess()


def _set_up(store: Store, campaign: Campaign) -> tuple[Schedule, Seats, tuple[UserFile, ...]]:
    """Decide whether the store may go on with this campaign, and note what it needs."""
    files = _files(store, campaign)
    seats = Seats.of(make(campaign.data, files))
    lineups = lay_out(campaign, seats)
    published_by_lineup(campaign, seats)
    _check_players(campaign, lineups)
    played = _played(store)
    old = store.campaign()
    if old is not None:
        check_files(store.files(), files, bool(played))
        check_changes(old, campaign, played, lineups)
    if played and store.seats() != seats:
        raise UsageError("the game has other seats or teams than when these games were played")
    numbers = store.set_up(seats, [lineup.names for lineup in lineups], files, anew=not played)
    return Schedule(campaign, {numbers[x.names]: x for x in lineups}), seats, files


def _files(store: Store, campaign: Campaign) -> tuple[UserFile, ...]:
    """The campaign's files: as they are now, or as the store kept them where they are gone."""
    kept = {file.path: file for file in store.files()}
    found: list[UserFile] = []
    for path in campaign.files:
        if not Path(path).exists() and path in kept:
            found.append(kept[path])
        else:
            found += read_files([path])
    return tuple(found)


def _check_players(campaign: Campaign, lineups: Iterable[Lineup]) -> None:
    """Every player that sits somewhere can be read: refused before anything is written."""
    from manyminds.players.spec import PlayerSpec

    for name in sorted({name for lineup in lineups for name in lineup.names}):
        try:
            PlayerSpec.of(campaign.spec(name))
        except UsageError as error:
            raise UsageError(f'the player "{name}": {error}') from None


def _played(store: Store) -> dict[tuple[str, ...], int]:
    """The line-ups of which a game was played, with the games that were wanted of each."""
    old, seats = store.campaign(), store.seats()
    if old is None or seats is None:
        return {}
    numbers, begun = store.lineups(), {Schedule.lineup_of(number) for number in store.done()}
    return {x.names: x.games for x in lay_out(old, seats) if numbers[x.names] in begun}


class Driver:
    """One run over one store."""

    def __init__(
        self,
        store: Store,
        schedule: Schedule,
        seats: Seats,
        tasks: Tasks,
        runner: Runner,
        show: Show,
    ) -> None:
        self.store, self.schedule, self.seats = store, schedule, seats
        self.tasks, self.runner, self.show = tasks, runner, show
        self.progress = Progress(schedule, seats, runner.title)
        places = len(seats.names)
        self.stopping = {key: Stopping(schedule.campaign, places) for key in schedule.lineups}
        self.done: set[int] = set()
        self._succeeded: set[int] = set()  # line-ups of which a game has a result
        self._failed_first = 0  # games that failed before any has succeeded
        self._pending: list[Finished] = []
        self._pending_since = 0.0

    def run(self, retry: bool) -> Outcome:
        """Play what is missing; see `run` above."""
        ending = "failed"
        try:
            self._recall(retry)
            with Signals() as signals:
                ending = self._loop(signals)
            self.store.end_run(ending)
        except (Failure, UsageError) as error:
            if not isinstance(error, BrokenStore):
                self._commit()
                self.store.end_run(str(error)[:1000])
            raise
        finally:
            self.show.close()
        table = Table(self.store, self.schedule, self.seats)
        progress = self.progress
        return Outcome(table, ending, progress.played, progress.failed, progress.seconds)

    def _recall(self, retry: bool) -> None:
        """Take in what earlier runs have left."""
        failures = self.store.failures()
        for key, lineup in self.schedule.lineups.items():
            games = range(key * MOST_GAMES, key * MOST_GAMES + lineup.games)
            results = [r for r in self.store.results(key) if r.number in games]
            for result in results:
                self._note(result)
            failed = [
                FailedGame(number, reasons[-1])
                for number, reasons in failures.items()
                if number in games and results and not retry
            ]
            for failure in failed:
                self._note(failure)
            self.progress.take(results, failed, fresh=False)
        self._note_decisions()

    def _loop(self, signals: Signals) -> str:
        """Play and commit until all is done or somebody stops it; how it ended."""
        draining = False
        with closing(self.runner.submit(self._missing())) as coming:
            for finished in coming:
                if finished is not None:
                    self._take(finished)
                if finished is None or self._is_due():
                    self._commit()
                self.show.update(self.progress)
                if signals.at_once:
                    break
                if signals.cleanly and not draining:
                    draining = True
                    self.progress.note = "finishing the games under way; Ctrl-C again stops at once"
                    self.runner.drain()
        self._commit()
        self.show.update(self.progress)
        if signals.terminated:
            return "terminated"
        return "interrupted" if signals.cleanly and self.progress.open else "finished"

    def _missing(self) -> Iterator[Task]:
        """The tasks of games that have no result, as long as their line-up needs more."""
        for number in self.schedule.numbers():
            if number not in self.done and not self.stopping[number // MOST_GAMES].decided:
                yield self.tasks.task(self.schedule[number])

    # --- what comes back --------------------------------------------------------------------------------

    def _take(self, finished: Finished) -> None:
        if not self._pending:
            self._pending_since = time.monotonic()
        if isinstance(finished, Result):
            self.store.add(finished)
        else:
            self.store.add_failure(finished)
        self._pending.append(finished)
        self._note(finished)
        if isinstance(finished, FailedGame):
            self._judge(finished)

    def _judge(self, failure: FailedGame) -> None:
        """Stop a campaign that cannot succeed."""
        if failure.typed and Schedule.lineup_of(failure.number) not in self._succeeded:
            raise UsageError(failure.reason)
        self._failed_first += not self._succeeded
        if self._failed_first >= MOST_FAILURES:
            raise Failure(
                f"the first {self._failed_first} games all failed, so the campaign was stopped; "
                f"the last one: {failure.reason}"
            )

    def _note(self, finished: Finished) -> None:
        """Remember that this game needs no further play, and tell the stopping rule."""
        number = finished.number
        key, index = Schedule.lineup_of(number), Schedule.index_of(number)
        self.done.add(number)
        if isinstance(finished, FailedGame):
            self.stopping[key].fail(index)
            return
        self._succeeded.add(key)
        first = self.schedule.places_of(number).index(0)
        self.stopping[key].add(index, win_shares(finished.rewards, self.seats)[first])

    def _is_due(self) -> bool:
        waited = time.monotonic() - self._pending_since
        return len(self._pending) >= _COMMIT_AT or (bool(self._pending) and waited > _COMMIT_AFTER)

    def _commit(self) -> None:
        """Make permanent what came back, then count it."""
        if not self._pending:
            return
        self.store.commit()
        results = [item for item in self._pending if isinstance(item, Result)]
        failures = [item for item in self._pending if isinstance(item, FailedGame)]
        self.progress.take(results, failures, fresh=True)
        self._pending.clear()
        self._note_decisions()

    def _note_decisions(self) -> None:
        self.progress.decided = {key for key, rule in self.stopping.items() if rule.decided}
