"""The state of a game of Ms Pac-Man, in one record.

Places are spots: a maze's nodes counted on from its first spot, so that a spot says which maze it is in.
"""

from __future__ import annotations

from manyminds.core.random import RNG
from manyminds.core.record import record

PACMAN, BLINKY, PINKY, INKY, SUE = range(5)
SEATS = ("pacman", "blinky", "pinky", "inky", "sue")
TEAMS = {"pacman": (PACMAN,), "ghosts": (BLINKY, PINKY, INKY, SUE)}
GHOSTS = 4

STATE = record(
    # what changes on every tick
    pacman="uint16",  # his spot
    pacman_move="uint8",  # the last move made; NEUTRAL when he stands
    straight="uint16",  # ticks since a place where the thesis lets him turn in the tree
    ghost="uint16[4]",  # spots
    ghost_move="uint8[4]",
    edible="uint16[4]",  # ticks for which each can still be eaten
    lair="uint16[4]",  # ticks for which each still waits
    time="uint16",
    level_time="uint16",
    score="uint32",
    pills="uint64[4]",  # a bit for each that is left
    power="uint8",
    # what changes now and then
    multiplier="uint8",  # of the points for the next ghost eaten: 1, 2, 4, 8
    lives="uint8",
    deaths="uint8",
    level="uint16",
    maze="uint8",
    over="uint8",
    extra_life="uint8",  # 1: it has been given
    reversed_="uint8",  # 1: the ghosts turned round on the last tick
    fallback="uint64",  # java.util.Random, from which the framework draws for ghosts at a wall
    luck=RNG,  # for random reversals; the word is 0 where there are none
    # the rules
    first_maze="uint8",
    power_pills="uint8",  # 0: none are laid out
    levels="uint8",  # 0: the game ends with the first level
    level_limit="uint16",  # ticks of a level
    limit="uint16",  # ticks of the game
    life_bonus="uint16",  # for each life left at the limit
    award="uint8",  # 1: pills left at the limit of a level count for Pac-Man
    most="uint32",  # points of the reward's scale
)

# On level L the times of entry L mod 6: 40, 60, 80 and 100 ticks in the lair at the start, 40 after a ghost
# was eaten, 200 ticks edible, each times 0.9 as a 32-bit float to the power of L mod 6, rounded down.
LAIR_TIMES = (
    (40, 60, 80, 100),
    (35, 53, 71, 89),
    (32, 48, 64, 80),
    (29, 43, 58, 72),
    (26, 39, 52, 65),
    (23, 35, 47, 59),
)
EATEN_TIMES = (40, 35, 32, 29, 26, 23)
EDIBLE_TIMES = (200, 179, 161, 145, 131, 118)

PILL_POINTS, POWER_POINTS, GHOST_POINTS = 10, 50, 200
EXTRA_LIFE_AT = 10_000
CATCH = 2  # steps between Pac-Man and a ghost at which one of them is eaten
