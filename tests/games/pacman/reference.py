"""The rules of the framework once more, slow and obvious: words for directions, pills in sets.

Written from the rules as numbered steps and from nothing else; shares the mazes with the compiled rules, and
no line of code.
"""

import math
from dataclasses import dataclass, field

import numpy as np

WORDS = ("up", "right", "down", "left", "neutral")
BACK = {"up": "down", "down": "up", "left": "right", "right": "left", "neutral": "neutral"}
NAMES = ("blinky", "pinky", "inky", "sue")


class JavaRandom:
    """java.util.Random after `new Random(seed)`, as its documentation prints it."""

    def __init__(self, seed):
        self.word = (seed ^ 0x5DEECE66D) % 2**48

    def next31(self):
        self.word = (self.word * 0x5DEECE66D + 0xB) % 2**48
        return self.word >> 17

    def next_int(self, bound):
        if bound & (bound - 1) == 0:
            return bound * self.next31() >> 31
        while True:
            bits = self.next31()
            if bits - bits % bound + bound - 1 < 2**31:
                return bits % bound


class Luck:
    """xorshift64*, as its authors print it; a tick's chance of a reversal is drawn from it."""

    def __init__(self, word):
        self.word = word

    def fraction(self):
        x = self.word
        x ^= x >> 12
        x = (x ^ (x << 25)) % 2**64
        x ^= x >> 27
        self.word = x
        return ((x * 0x2545F4914F6CDD1D) % 2**64 >> 32) / 2**32


def shortened(base, level):
    """floor(base * f ** (level mod 6)), f the 32-bit float 0.9."""
    return math.floor(base * float(np.float32(0.9)) ** (level % 6))


@dataclass
class Ghost:
    node: int
    move: str = "neutral"
    edible: int = 0
    lair: int = 0


@dataclass
class Slow:
    """A game under way. `mazes` are the levels', over and over."""

    mazes: tuple
    power_pills: bool
    levels: bool
    level_limit: int
    limit: int
    life_bonus: int
    award: bool
    lives: int
    java: JavaRandom
    luck: Luck | None
    maze_number: int = 0
    level: int = 0
    time: int = 0
    level_time: int = 0
    score: int = 0
    multiplier: int = 1
    deaths: int = 0
    over: bool = False
    extra_life: bool = False
    node: int = 0
    move: str = "left"
    ghosts: list = field(default_factory=list)
    pills: set = field(default_factory=set)
    power: set = field(default_factory=set)

    @property
    def maze(self):
        return self.mazes[self.maze_number]

    def neighbour(self, node, word):
        """The node in that direction, or None."""
        if word not in WORDS[:4]:
            return None
        there = int(self.maze.neighbours[node, WORDS.index(word)])
        return None if there < 0 else there

    def ways(self, node):
        return [word for word in WORDS[:4] if self.neighbour(node, word) is not None]

    def near(self, node):
        """Nodes at most two steps away, the node itself among them."""
        found = {node}
        for _ in range(2):
            found |= {self.neighbour(here, word) for here in found for word in self.ways(here)}
        return found

    # --- the beginning of a game and of a level ------------------------------------------------------

    def line_up(self):
        self.node, self.move, self.multiplier = self.maze.pacman, "left", 1
        waits = [shortened(base, self.level) for base in (40, 60, 80, 100)]
        self.ghosts = [Ghost(self.maze.lair, lair=wait) for wait in waits]

    def begin_level(self):
        nodes = range(self.maze.nodes)
        self.pills = {node for node in nodes if self.maze.pill[node] >= 0}
        self.power = {node for node in nodes if self.maze.power[node] >= 0 and self.power_pills}
        self.level_time = 0
        self.line_up()

    # --- one tick --------------------------------------------------------------------------------------

    def tick(self, wishes):
        """Wishes by seat: a direction's number, or anything else, which is NEUTRAL."""
        words = [WORDS[wish] if 0 <= wish <= 3 else "neutral" for wish in wishes]
        self.move_pacman(words[0])
        powered = self.eat_from_the_floor()
        if not self.turn_all(powered):
            for ghost, wish, told in zip(self.ghosts, words[1:], wishes[1:], strict=True):
                self.move_ghost(ghost, wish, told >= 0)
        if not self.eat_each_other():
            for ghost in self.ghosts:
                ghost.edible = max(0, ghost.edible - 1)
        for ghost in self.ghosts:
            if ghost.lair > 0:
                ghost.lair -= 1
                if ghost.lair == 0:
                    ghost.node = self.maze.ghosts
        if self.score >= 10_000 and not self.extra_life:
            self.extra_life = True
            self.lives += 1
        self.time += 1
        self.level_time += 1
        self.look_for_an_end()

    def move_pacman(self, word):
        for wish in (word, self.move):
            there = self.neighbour(self.node, wish)
            if there is not None:
                self.node, self.move = there, wish
                return
        self.move = "neutral"

    def eat_from_the_floor(self):
        if self.node in self.pills:
            self.pills.remove(self.node)
            self.score += 10
        if self.node not in self.power:
            return False
        self.power.remove(self.node)
        self.score += 50
        self.multiplier = 1
        for ghost in self.ghosts:
            ghost.edible = shortened(200, self.level) if ghost.lair == 0 else 0
        return True

    def turn_all(self, powered):
        chance = self.luck is not None and self.luck.fraction() < 0.0015
        if not (powered or chance) or self.level_time <= 1:
            return False
        turning = [g for g in self.ghosts if g.lair == 0 and g.move != "neutral"]
        for ghost in turning:
            ghost.move = BACK[ghost.move]
            ghost.node = self.neighbour(ghost.node, ghost.move)
        return bool(turning)

    def move_ghost(self, ghost, wish, told):
        if ghost.lair > 0 or (ghost.edible > 0 and ghost.edible % 2 == 0):
            return
        ways = [word for word in self.ways(ghost.node) if word != BACK[ghost.move]]
        if wish in ways:
            ghost.move = wish
        elif ghost.move not in ways:  # nobody told it anything: one way only takes no draw
            draw = self.java.next_int(len(ways)) if told or len(ways) > 1 else 0
            ghost.move = ways[draw]
        ghost.node = self.neighbour(ghost.node, ghost.move)

    def eat_each_other(self):
        """Whether Pac-Man lost a life."""
        for ghost in self.ghosts:
            if ghost.node not in self.near(self.node):
                continue
            if ghost.edible == 0:
                self.lives -= 1
                self.deaths += 1
                if self.lives > 0:
                    self.line_up()
                else:
                    self.over = True
                return True
            self.score += 200 * self.multiplier
            self.multiplier *= 2
            ghost.node, ghost.move, ghost.edible = self.maze.lair, "neutral", 0
            ghost.lair = shortened(40, self.level)
        return False

    def look_for_an_end(self):
        late, long = self.time >= self.limit, self.level_time >= self.level_limit
        if not (late or long or not (self.pills or self.power)):
            return
        if self.award and (late or long):
            self.score += 10 * len(self.pills)
        if late:
            self.over = True
            self.score += self.life_bonus * self.lives
        elif self.levels:
            self.level += 1
            self.maze_number = (self.maze_number + 1) % len(self.mazes)
            self.begin_level()
        else:
            self.over = True

    # --- to compare ---------------------------------------------------------------------------------

    def fields(self):
        return dict(
            maze=self.maze_number,
            level=self.level,
            time=self.time,
            level_time=self.level_time,
            score=self.score,
            lives=self.lives,
            deaths=self.deaths,
            over=self.over,
            extra_life=self.extra_life,
            multiplier=self.multiplier,
            pacman=(self.node, self.move),
            ghosts=[(g.node, g.move, g.edible, g.lair) for g in self.ghosts],
            pills=set(self.pills),
            power=set(self.power),
            java=self.java.word,
            luck=self.luck.word if self.luck else 0,
        )
