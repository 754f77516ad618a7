"""How long moves take to reach every page, with many games at once; on this machine only.

Starts a server of its own, seats three pages at each of so many tables, and lets each table make a move
every so many seconds. A time is from sending a move until one of the three pages has it, so that each
move gives three; the clients run on the same processors, and their time is in the figures.

Usage: load_web.py [--games 200] [--seconds 30] [--every 1.0] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

SEATS, SIZE = 3, 9
COLUMNS = "ABCDEFGHJ"
MOST_GAMES = 1000
GOAL_MS = 100.0
STARTING, STOPPING = 120.0, 30.0  # s
AT_ONCE = 50  # pages that open at a time


@dataclass
class Game:
    """One table as its three pages know it; `number` moves have reached all of them."""

    table: str
    keys: list[str]
    sockets: list[ClientConnection] = field(default_factory=list)
    free: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)
    number: int = 0
    seat: int = 0
    over: bool = False
    sent_at: float = 0.0
    times: list[float] = field(default_factory=list)


class Load:
    """Games under way against a server at this port."""

    def __init__(self, port: int, every: float, seconds: float, seed: int) -> None:
        self.port, self.every, self.seconds = port, every, seconds
        self.chance = random.Random(seed)

    def make(self) -> Game:
        """A new table for three people."""
        wish = json.dumps({"seats": [{}] * SEATS, "width": SIZE, "height": SIZE}).encode()
        url = f"http://127.0.0.1:{self.port}/api/tables"
        with urllib.request.urlopen(urllib.request.Request(url, wish), timeout=30) as answer:
            made = json.loads(answer.read())
        points = {f"{column}{row}" for column in COLUMNS for row in range(1, SIZE + 1)}
        return Game(made["table"], [made["seats"][str(k)] for k in range(SEATS)], free=points)

    async def run(self, games: list[Game]) -> None:
        """Seat everybody, then play for so long."""
        room = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._seat(game, room) for game in games))
        until = time.monotonic() + self.seconds
        await asyncio.gather(*(self._play(game, until) for game in games))
        await asyncio.gather(*(s.close() for game in games for s in game.sockets))

    async def _seat(self, game: Game, room: asyncio.Semaphore) -> None:
        url = f"ws://127.0.0.1:{self.port}/table/{game.table}/socket"
        for key in game.keys:
            async with room:
                socket = await connect(url, open_timeout=60, compression=None)
                await socket.send(json.dumps({"say": "sit", "key": key}))
                while "turn" not in json.loads(await socket.recv()):
                    continue
            game.sockets.append(socket)

    async def _play(self, game: Game, until: float) -> None:
        await asyncio.sleep(self.chance.random() * self.every)
        while time.monotonic() < until and not game.over:
            begun = time.monotonic()
            open_points = sorted(game.free - game.forbidden)
            move = self.chance.choice(open_points) if open_points else "pass"
            game.sent_at = time.monotonic()
            said = {"say": "play", "move": move, "number": game.number}
            await game.sockets[game.seat].send(json.dumps(said))
            async with asyncio.timeout(30):
                await asyncio.gather(*(self._hear(game, socket) for socket in game.sockets))
            game.number += 1
            await asyncio.sleep(max(0.0, begun + self.every - time.monotonic()))

    async def _hear(self, game: Game, socket: ClientConnection) -> None:
        """Until this page has the move that was sent, and whose turn it is then."""
        moved = turned = False
        while not (moved and turned):
            news = json.loads(await socket.recv())
            if "refused" in news or "closing" in news:
                raise RuntimeError(f"the server said {news}")
            if news.get("moves", {}).get("moves"):
                moved = True
                game.times.append(time.monotonic() - game.sent_at)
                self._keep(game, news["moves"]["moves"][-1])
            if "turn" in news and news["turn"]["number"] == game.number + 1:
                turned = True
                game.over = news["turn"]["phase"] != "playing"
                game.seat = news["turn"]["seat"] or 0
                game.forbidden = set(news["turn"]["forbidden"])

    @staticmethod
    def _keep(game: Game, move: list[Any]) -> None:
        game.free.discard(move[1])
        game.free |= {point for point, _ in move[2]}


def measure(games: int, seconds: float, every: float, seed: int = 1) -> dict[str, Any]:
    """Run it; figures as one dictionary."""
    if not 1 <= games <= MOST_GAMES:
        raise SystemExit(f"load_web: 1 to {MOST_GAMES} games")
    with tempfile.TemporaryDirectory() as folder:
        line = [sys.executable, "-m", "manyminds", "serve", "--port", "0"]
        line += ["--store", str(Path(folder) / "tables.db"), "--tables", str(games + 1)]
        line += ["--per-address", str(SEATS * games + 100)]
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            try:
                load = Load(_port(server), every, seconds, seed)
                tables = [load.make() for _ in range(games)]
                before = _cpu(server.pid)
                begun = time.monotonic()
                asyncio.run(load.run(tables))
                spent, took = _cpu(server.pid) - before, time.monotonic() - begun
            finally:
                server.terminate()
                server.wait(STOPPING)
    return _figures(tables, every, took, spent)


def _port(server: subprocess.Popen[bytes]) -> int:
    """Where the server listens, as it says itself."""
    assert server.stdout is not None
    found = re.search(rb":(\d+) ", server.stdout.readline())
    if found is None:
        raise SystemExit("load_web: the server did not start")
    return int(found[1])


def _cpu(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _figures(games: list[Game], every: float, took: float, spent: float) -> dict[str, Any]:
    times = sorted(1000 * one for game in games for one in game.times)
    if not times:
        raise SystemExit("load_web: no move was made")
    return {
        "games": len(games),
        "sockets": SEATS * len(games),
        "seconds_between_moves": every,
        "moves": len(times) // SEATS,
        "p50_ms": round(times[len(times) // 2], 2),
        "p99_ms": round(times[int(0.99 * (len(times) - 1))], 2),
        "most_ms": round(times[-1], 2),
        "server_share_of_a_core": round(spent / took, 3),
    }


def main() -> int:
    """The command; 0 when nine and ninety in a hundred times are within the goal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--every", type=float, default=1.0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.games, given.seconds, given.every)
    if given.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:>24}  {value}")
    return 0 if found["p99_ms"] < GOAL_MS else 1


if __name__ == "__main__":
    sys.exit(main())
