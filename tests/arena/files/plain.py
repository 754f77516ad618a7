"""A user's file: a game in plain Python, which needs no compiler, and players with various habits."""

import os
import signal
import time
from types import MappingProxyType

import numpy as np

from manyminds.core.random import derive
from manyminds.games.registry import register_game
from manyminds.players.arguments import Argument, number, text
from manyminds.players.player import Decision
from manyminds.players.registry import register


class PlainNim:
    """Heaps for 2 or 3 seats, who take 1 or 2 stones in turn: who takes the last one has all the reward.

    Points are the stones that a seat took.
    """

    simultaneous = has_chance = False

    def __init__(self, seats=2, stones=9):
        self.title, self.seats, self.stones = "plain-nim", seats, stones
        self.seat_names = ("first", "second", "third", "fourth", "fifth", "sixth")[:seats]
        self.teams = tuple((seat,) for seat in range(seats))
        self.team_names = self.seat_names
        self.move_ids, self.most_moves, self.longest = 3, 2, stones
        self.arguments = MappingProxyType({"seats": seats, "stones": stones})

    def start(self, seed=0):
        return np.array([self.stones, 0, *[0] * self.seats])  # left, who moves, taken by seat

    def copy(self, state):
        return state.copy()

    def seat(self, state):
        return int(state[1])

    def movers(self, state):
        return [] if self.over(state) else [int(state[1])]

    def moves(self, state, seat=None):
        return np.arange(1, min(2, state[0]) + 1, dtype=np.uint32)

    def play(self, state, joint):
        move = joint if isinstance(joint, int) else max(joint)
        state[0] -= move
        state[2 + state[1]] += move
        state[1] = (state[1] + 1) % self.seats

    def over(self, state):
        return state[0] == 0

    def rewards(self, state, settings=None):
        won = np.zeros(self.seats)
        won[(state[1] - 1) % self.seats] = 1.0
        return won if self.over(state) else np.full(self.seats, 1 / self.seats)

    def points(self, state):
        return state[2:].astype(float)

    def name(self, move, state=None):
        return f"take{move}"

    def move_named(self, name, state=None):
        return int(name.removeprefix("take"))


def plain_nim(seats: int = 2, stones: int = 9):
    return PlainNim(seats, stones)


class Draws:
    """Draws its moves from its seed; `habit` is called before each."""

    def __init__(self, **arguments):
        self.arguments = arguments

    def begin(self, game, seat, lineup):
        self.game, self.seed, self.draws = game, lineup.seed_of(seat), 0

    def saw(self, joint):
        pass

    def habit(self):
        pass

    def decide(self, state, budget):
        self.habit()
        self.draws += 1
        moves = self.game.moves(state)
        return Decision(
            int(moves[derive(self.seed, self.draws) % len(moves)]), remark=f"draw {self.draws}"
        )


class First(Draws):
    """Takes one stone, at once."""

    def decide(self, state, budget):
        return Decision(1)


class Slow(Draws):
    def habit(self):
        time.sleep(self.arguments["ms"] / 1000)


class Endless(Draws):
    def habit(self):
        while True:
            time.sleep(1)


class Raises(Draws):
    def habit(self):
        raise RuntimeError("this player has a bug")


class Sometimes(Draws):
    """Raises in the games whose seed says so: about one in three."""

    def habit(self):
        if self.seed % 3 == 0:
            raise RuntimeError("an unlucky seed")


class Kills(Draws):
    """Kills the process it plays in, in the games whose seed says so; every time, or only once."""

    def habit(self):
        if self.seed % int(self.arguments["every"]) == 0 and not self._did_already():
            os.kill(os.getpid(), signal.SIGKILL)

    def _did_already(self):
        if not self.arguments["once"]:
            return False
        mark = f"{self.arguments['once']}.{self.seed}"
        if os.path.exists(mark):
            return True
        open(mark, "w").close()
        return False


class Prints(Draws):
    """Fills standard output and error."""

    def habit(self):
        print("x" * 100_000)
        os.write(2, b"e" * 100_000)


class Exits(Draws):
    def habit(self):
        raise SystemExit(3)


register_game("plain-nim", plain_nim, "take the last stone")
MS = Argument("ms", number(0, 100_000), 10.0, "before each move")
for name, factory, arguments in (
    ("draws", Draws, []),
    ("takes-one", First, []),
    ("slow", Slow, [MS]),
    ("endless", Endless, []),
    ("raises", Raises, []),
    ("sometimes", Sometimes, []),
    (
        "kills",
        Kills,
        [Argument("every", number(1, 10**9), 1.0, ""), Argument("once", text, "", "a path")],
    ),
    ("prints", Prints, []),
    ("exits", Exits, []),
):
    register(name, factory, arguments, help=f"for tests: {name}")
