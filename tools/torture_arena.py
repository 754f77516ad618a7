"""What the arena promises, tried hard: kill -9 at random moments, broken outside programs, and the clock.

Usage: torture_arena.py [kills | overhead | runners | programs | help-time | all] [--kills N] [--seed N]
Ends with status 1 if anything was lost, counted twice, left running, or too slow.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PLAIN = ROOT / "tests" / "arena" / "files" / "plain.py"
BAD = ROOT / "tests" / "players" / "programs" / "bad.py"
MARK = "MANYMINDS_TORTURE"
SECONDS_TO_DIE = 2.0
MOMENTS = {"starting": 1.2, "playing": 0.4}  # s from then until a driver is killed, at most
PATIENCE = 300.0  # s
MOST_MILLISECONDS = 2.0
HABITS = ("sleeps", "garbage", "endless_lines", "endless_line", "exits", "forks", "ignores_sigterm")

DRIVER = """
import sys
from manyminds.arena.campaign import read_campaign
from manyminds.arena.driver import run
class Tells:
    def update(self, progress): print(progress.done, flush=True)
    def close(self): pass
print(run(read_campaign(sys.argv[1]), sys.argv[2], workers=2, show=Tells()).ending, flush=True)
"""

CAMPAIGN = f"""
games = 45
seed = 7
files = ["{PLAIN}"]
pairing = "table"
seating = [["slow", "draws"], ["draws"], ["slower", "takes-one"]]
[game]
name = "plain-nim"
seats = 3
[players]
slow = "slow(ms=2)"
slower = "slow(ms=4)"
draws = "draws"
takes-one = "takes-one"
"""

OUTSIDE = f"""
games = 25
seed = 8
lineups = [["outside", "random"], ["random", "outside"]]
[game]
name = "nim"
[players]
random = "random"
outside = {{ name = "gtp", command = "{sys.executable} {BAD.with_name("nim.py")}" }}
"""


class Lost(AssertionError):
    """A promise was broken."""


def main(arguments: list[str]) -> int:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("part", nargs="?", default="all", choices=["all", *PARTS])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args(arguments)
    print(f"seed {chosen.seed}", flush=True)
    failed = 0
    for name, part in PARTS.items():
        if chosen.part not in ("all", name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(
                    f"{name}: {part(Path(folder), random.Random(chosen.seed), chosen.kills)}",
                    flush=True,
                )
            except Lost as lost:
                print(f"{name}: BROKEN: {lost}", flush=True)
                failed += 1
    return 1 if failed else 0


def require(true: object, message: str) -> None:
    """Lost, unless it is true."""
    if not true:
        raise Lost(message)


# --- kill -9 ------------------------------------------------------------------------------------------


def kills(folder: Path, rng: random.Random, number: int) -> str:
    """So many kills of workers, of the driver, and of all, over as many campaigns as that takes.

    Every third campaign has outside programs, which must not outlive their players either.
    """
    done, campaigns, slowest, working = 0, 0, 0.0, 0
    counts = {"worker": 0, "driver": 0, "all": 0}
    expected: dict[str, str] = {}
    while done < number:
        text = OUTSIDE if campaigns % 3 == 2 else CAMPAIGN
        campaign = folder / "campaign.toml"
        campaign.write_text(text)
        store = folder / f"{campaigns}.db"
        seen: dict[int, str] = {}
        while True:
            before = len(seen)
            ended, kind, seconds = _disturbed(campaign, store, seen, rng, done < number)
            slowest = max(slowest, seconds)
            working += bool(kind) and len(seen) > before
            for word in kind:
                counts[word] += 1
                done += 1
            if ended:
                break
        table = _table(store)
        if text not in expected:
            expected[text] = _undisturbed(campaign, folder / f"undisturbed{len(expected)}.db")
        require(
            table == expected[text],
            f"campaign {campaigns}: the table differs from the undisturbed one",
        )
        campaigns += 1
    told = ", ".join(f"{count} of {kind}" for kind, count in counts.items())
    return (
        f"{done} x kill -9 ({told}) in {campaigns} campaigns: nothing lost, nothing twice, "
        f"tables identical; {working} runs had finished games when they were killed; "
        f"the last process was gone after {1000 * slowest:.0f} ms at most"
    )


def _disturbed(
    campaign: Path, store: Path, seen: dict[int, str], rng: random.Random, more: bool
) -> tuple[bool, list[str], float]:
    """One driver, and what is done to it: whether it finished, the kills, and how long others outlived it."""
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    driver, said = _driver(campaign, store, mark)
    kind: list[str] = []
    seconds = 0.0
    if more:
        moment = rng.choice(sorted(MOMENTS))
        if moment == "playing":
            _wait_for_games(driver, said)
        for _ in range(rng.randrange(3)):
            time.sleep(rng.uniform(0.0, MOMENTS[moment] / 2))
            workers = _children(driver.pid)
            if workers and driver.poll() is None:
                _kill(rng.choice(workers))
                kind.append("worker")
        time.sleep(rng.uniform(0.0, MOMENTS[moment]))
        if driver.poll() is None:
            everybody = [driver.pid, *(_children(driver.pid) if rng.random() < 0.5 else [])]
            rng.shuffle(everybody)
            kind.append("driver" if len(everybody) == 1 else "all")
            for pid in everybody:
                _kill(pid)
    _, errors = driver.communicate(timeout=PATIENCE)
    if driver.returncode == -signal.SIGKILL:
        seconds = _outlived(mark)
    else:
        require(driver.returncode == 0, f"the driver ended with {driver.returncode}: {errors}")
    lines = said.read_text().split()
    numbers = [int(line) for line in lines if line.isdigit()]
    _look(store, seen, max(numbers, default=0))
    return lines[-1:] == ["finished"], kind, seconds


def _driver(campaign: Path, store: Path, mark: str) -> tuple[subprocess.Popen[str], Path]:
    """A driver, and the file that has what it says: a line for every report."""
    said = store.with_suffix(".said")
    with said.open("w") as out:
        driver = subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(campaign), str(store)],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, MARK: mark},
        )
    return driver, said


def _wait_for_games(driver: subprocess.Popen[str], said: Path) -> None:
    """Until the driver has reported more games than it began with, or has ended."""
    until = time.monotonic() + PATIENCE
    while driver.poll() is None and len(set(said.read_text().split())) < 2:
        require(time.monotonic() < until, "a driver reported nothing")
        time.sleep(0.005)


def _look(store: Path, seen: dict[int, str], reported: int) -> None:
    """All games that were there are there, unchanged; and at least as many as were reported."""
    from manyminds.arena.store import Store

    if not store.exists() or store.stat().st_size == 0:
        require(not seen and not reported, "the store is gone")
        return
    try:
        opened = Store.read(store, whole=True)
    except Exception as error:  # noqa: BLE001 - whatever is raised is the finding
        require(not seen and not reported, f"the store cannot be read: {error}")
        return
    with opened:
        numbers = opened.done()
        require(
            len(numbers) >= reported, f"{reported} games were reported, {len(numbers)} are there"
        )
        for number, digest in seen.items():
            require(number in numbers, f"game {number} is gone")
            result = opened.result(number)
            require(
                result is not None and result.match().digest == digest, f"game {number} changed"
            )
        require(not opened.failures(), f"games failed: {opened.failures()}")
        for number in numbers - set(seen):
            result = opened.result(number)
            assert result is not None
            seen[number] = result.match().digest


def _marked(mark: str) -> list[int]:
    """All living processes that descend from one with this mark in its environment."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                alive = (path / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
                if alive and f"{MARK}={mark}".encode() in (path / "environ").read_bytes().split(
                    b"\0"
                ):
                    found.append(int(path.name))
            except (OSError, IndexError):  # it ended while we looked
                continue
    return found


def _children(parent: int) -> list[int]:
    """The processes that this one has started itself: a driver's are its workers."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                state, ancestor = (path / "stat").read_text().rpartition(")")[2].split()[:2]
            except (OSError, ValueError):  # it ended while we looked
                continue
            if state not in "ZX" and int(ancestor) == parent:
                found.append(int(path.name))
    return found


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _outlived(mark: str) -> float:
    """How long others lived after their driver was killed."""
    begin = time.monotonic()
    while left := _marked(mark):
        require(
            time.monotonic() - begin < SECONDS_TO_DIE, f"processes {left} outlived their driver"
        )
        time.sleep(0.01)
    return time.monotonic() - begin


def _table(store: Path) -> str:
    from manyminds.arena.table import Table

    return json.dumps(Table.of(store).to_data())


def _undisturbed(campaign: Path, store: Path) -> str:
    driver, said = _driver(campaign, store, "none")
    _, errors = driver.communicate(timeout=PATIENCE)
    finished = said.read_text().split()[-1:] == ["finished"]
    require(finished, f"the undisturbed run did not finish: {errors}")
    return _table(store)


# --- the clock ----------------------------------------------------------------------------------------


def overhead(folder: Path, rng: random.Random, number: int) -> str:
    """Milliseconds a game with players that answer at once, a pool of two, commits included."""
    from manyminds.arena.driver import run
    from manyminds.arena.local import LocalPool

    pool = LocalPool(2)
    told = []
    for name, games in (
        ("warm up", 100),
        ("plain Python, 2 moves", 4000),
        ("plain Python, 40 moves", 2000),
    ):
        campaign = _campaign([["takes-one", "takes-one"]], games, stones=40 if "40" in name else 2)
        begin = time.perf_counter()
        run(campaign, folder / f"{name}.db", runner=pool)
        told.append((name, 1000 * (time.perf_counter() - begin) / games))
    pool.close()
    require(told[1][1] <= MOST_MILLISECONDS, f"{told[1][1]:.2f} ms a game")
    return ", ".join(f"{name}: {cost:.2f} ms a game" for name, cost in told[1:])


def help_time(folder: Path, rng: random.Random, number: int) -> str:
    """Seconds of `manyminds campaign run --help`."""
    command = [sys.executable, "-m", "manyminds", "campaign", "run", "--help"]
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    require(min(times) < 0.3, f"help took {min(times):.2f} s")
    return f"{min(times):.2f} s"


# --- runners and programs -------------------------------------------------------------------------------


def runners(folder: Path, rng: random.Random, number: int) -> str:
    """One worker, two, and Dask give one table."""
    from manyminds.arena.campaign import Campaign
    from manyminds.arena.cluster import DaskRunner
    from manyminds.arena.driver import run
    from manyminds.arena.local import LocalPool

    lineups = [["random", "random", "random"], ["rave@50", "uct@50", "random"]]
    campaign = Campaign({"name": "go", "size": 5, "colours": 3}, lineups=lineups, games=60, seed=5)
    makers: dict[str, Callable[[], Any]] = {
        "one": lambda: LocalPool(1),
        "two": lambda: LocalPool(2),
        "dask": lambda: DaskRunner(workers=2),
    }
    tables = {}
    for name, make in makers.items():
        run(campaign, folder / name, runner=make)
        tables[name] = _table(folder / name)
    require(len(set(tables.values())) == 1, "tables differ")
    return f"{', '.join(tables)}: identical tables of 120 games of three-colour Go"


def programs(folder: Path, rng: random.Random, number: int) -> str:
    """Outside programs with bad habits lose one game each; the others are played."""
    from manyminds.arena.campaign import Campaign
    from manyminds.arena.driver import run

    notes = folder / "pids"
    notes.touch()
    players = {
        habit: {
            "name": "gtp",
            "command": f"{sys.executable} {BAD} {habit} {notes}",
            "deadline": 1.0,
        }
        for habit in HABITS
    }
    lineups = [[habit, "random"] for habit in HABITS] + [["random", "random"]]
    campaign = Campaign("nim", players=players, lineups=lineups, games=1, seed=3)
    mark = f"programs-{os.getpid()}"
    os.environ[MARK] = mark
    try:
        begin = time.perf_counter()
        table = run(campaign, folder / "programs.db", workers=2).table
        elapsed = time.perf_counter() - begin
    finally:
        del os.environ[MARK]
    for row in table.rows:
        forfeits = [place.forfeits for place in row.places]
        require(
            row.games == 1 and row.failed == 0,
            f"{row.names}: {row.games} games, {row.failed} failed",
        )
        expected = [1, 0] if row.names[0] in HABITS else [0, 0]
        require(forfeits == expected, f"{row.names}: forfeits {forfeits}")
    left = [pid for pid in _noted(notes) if Path(f"/proc/{pid}").exists() and pid not in _zombies()]
    require(not left, f"processes {left} are left of what the programs forked")
    return f"{len(HABITS)} bad programs lost one game each, in {elapsed:.0f} s; nothing of them is left"


def _noted(notes: Path) -> Iterator[int]:
    return (int(line) for line in notes.read_text().split())


def _zombies() -> set[int]:
    found = set()
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                if (path / "stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                    found.add(int(path.name))
            except (OSError, IndexError):
                continue
    return found


def _campaign(lineups: list[list[str]], games: int, stones: int) -> Any:
    from manyminds.arena.campaign import Campaign

    game = {"name": "plain-nim", "stones": stones}
    return Campaign(game, lineups=lineups, games=games, seed=1, files=[str(PLAIN)])


PARTS: dict[str, Callable[[Path, random.Random, int], str]] = {
    "kills": kills,
    "overhead": overhead,
    "help-time": help_time,
    "runners": runners,
    "programs": programs,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
