"""One tick of Ms Pac-Man vs Ghosts (framework 6.2), in the order in which things happen.

`m` is the set of the mazes' kernels (tables.py). A wish is a direction 0 to 3; everything else counts as
NEUTRAL, which means: go on as before, if one can. A wish below 0 is no wish: the same, but a ghost with
one way only takes it without a draw.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_kernel, inline
from manyminds.core.random import fraction
from manyminds.games.pacman.maze import LEFT, NEUTRAL
from manyminds.games.pacman.state import (
    CATCH,
    EATEN_TIMES,
    EDIBLE_TIMES,
    EXTRA_LIFE_AT,
    GHOST_POINTS,
    GHOSTS,
    LAIR_TIMES,
    PILL_POINTS,
    POWER_POINTS,
)
from manyminds.games.pacman.tables import NOTHING, NOWHERE, POWER, back, count_of, nth_of, others

REVERSAL = 0.0015  # the probability, on each tick, that all ghosts turn round
CYCLE = 6  # levels after which times begin again

_LAIR = np.array(LAIR_TIMES, np.uint16)
_EATEN = np.array(EATEN_TIMES, np.uint16)
_EDIBLE = np.array(EDIBLE_TIMES, np.uint16)
_MULTIPLIER, _MASK = np.uint64(0x5DEECE66D), np.uint64((1 << 48) - 1)


@bare_kernel
def advance(m, state, joint):
    """One tick: `joint` has a wish a seat."""
    power = move_pacman(m, state, joint[0])
    if not turn_ghosts(m, state, power):
        for ghost in range(GHOSTS):
            move_ghost(m, state, ghost, joint[ghost + 1])
    finish_tick(m, state)


@inline
def finish_tick(m, state):
    """What follows once all have moved: who is eaten, who leaves the lair, and whether it goes on."""
    if not eat(m, state):
        for ghost in range(GHOSTS):
            if state.edible[ghost] > 0:
                state.edible[ghost] -= np.uint16(1)
    leave_lair(m, state)
    count_tick(m, state)


@inline
def count_tick(m, state):
    """The extra life, the clocks, and whether the level or the game is at its end."""
    if state.extra_life == 0 and state.score >= EXTRA_LIFE_AT:
        state.extra_life = 1
        state.lives += np.uint8(1)
    state.time += np.uint16(1)
    state.level_time += np.uint16(1)
    if state.time >= state.limit or state.level_time >= state.level_limit or is_cleared(state):
        end_level(m, state)


# --- Pac-Man --------------------------------------------------------------------------------------


@inline
def move_pacman(m, state, wish):
    """His step, and what he eats of the maze; whether it was a power pill."""
    move = state.pacman_move
    if 0 <= wish < NEUTRAL and m.after(state.pacman, wish) != NOWHERE:
        move = np.uint8(wish)
    there = m.after(state.pacman, move)
    if there == NOWHERE:
        state.pacman_move = NEUTRAL
        state.straight = 0
        return take(m, state)
    state.pacman_move = move
    state.pacman = there
    power = take(m, state)
    if turns_freely(m, state):
        state.straight = 0
    else:
        state.straight += np.uint16(1)
    return power


@inline
def take(m, state):
    """Eat the pill where he is, if one is left; whether it was a power pill."""
    item = int(m.item(state.pacman))
    if item == NOTHING:
        return False
    if item >= POWER:
        return take_power(state, item - POWER)
    number = item - 1
    bit = np.uint64(1) << np.uint64(number & 63)
    word = np.uint32(number >> 6)
    if state.pills[word] & bit != 0:
        state.pills[word] ^= bit
        state.score += np.uint32(PILL_POINTS)
    return False


@inline
def take_power(state, number):
    """Eat a power pill, if it is left: whatever is out of the lair becomes edible."""
    bit = 1 << number
    if int(state.power) & bit == 0:
        return False
    state.power = int(state.power) ^ bit
    state.score += np.uint32(POWER_POINTS)
    state.multiplier = 1
    for ghost in range(GHOSTS):
        free = state.lair[ghost] == 0
        state.edible[ghost] = _EDIBLE[state.level % CYCLE] if free else np.uint16(0)
    return True


@inline
def turns_freely(m, state):
    """Whether the thesis's tree lets him turn here anyhow: at junctions, and beside power pills left."""
    exits = m.exits(state.pacman)
    if count_of(exits) != 2:
        return True
    if state.power == 0:
        return False
    for k in range(2):
        item = int(m.item(m.after(state.pacman, nth_of(exits, k))))
        if item >= POWER and int(state.power) & (1 << (item - POWER)) != 0:
            return True
    return False


# --- ghosts ---------------------------------------------------------------------------------------


@inline
def turn_ghosts(m, state, power):
    """By chance, or since a power pill was eaten, all step back and turn; whether any did."""
    state.reversed_ = 0
    chance = state.luck.word != 0 and fraction(state.luck) < REVERSAL
    if not (chance or power) or state.level_time <= 1:
        return False
    for ghost in range(GHOSTS):
        if state.lair[ghost] == 0 and state.ghost_move[ghost] != NEUTRAL:
            move = back(state.ghost_move[ghost])
            state.ghost[ghost] = m.after(state.ghost[ghost], move)
            state.ghost_move[ghost] = move
            state.reversed_ = 1
    return state.reversed_ != 0


@inline
def is_free(state, ghost):
    """Whether a ghost moves on this tick: out of the lair, and edible ones on every second."""
    edible = int(state.edible[ghost])
    return state.lair[ghost] == 0 and (edible == 0 or edible & 1 == 1)


@inline
def move_ghost(m, state, ghost, wish):
    """Its step: as wished, unless that is back or into a wall; else on, else at random."""
    if not is_free(state, ghost):
        return
    last = state.ghost_move[ghost]
    spot = state.ghost[ghost]
    move = last
    if 0 <= wish < NEUTRAL and wish != back(last) and m.after(spot, wish) != NOWHERE:
        move = np.uint8(wish)
    elif m.after(spot, last) == NOWHERE:
        ways = others(m.exits(spot), last)
        n = count_of(ways)
        move = nth_of(ways, java_below(state, n) if n > 1 or wish >= 0 else 0)
    state.ghost[ghost] = m.after(spot, move)
    state.ghost_move[ghost] = move


@inline
def java_below(state, n):
    """java.util.Random.nextInt(n) for n of 1 to 4."""
    while True:
        state.fallback = (state.fallback * _MULTIPLIER + np.uint64(11)) & _MASK
        bits = int(state.fallback >> np.uint64(17))
        if n == 3:
            if bits < 0x7FFFFFFF - 0x7FFFFFFF % 3:
                return bits % 3
        else:
            return (int(n) * bits) >> 31


# --- together -------------------------------------------------------------------------------------


@inline
def is_within_reach(m, one, two, width):
    """Whether two spots of a maze are at most CATCH steps apart."""
    across = abs(m.x(one) - m.x(two))
    across = min(across, width - across)
    if across + abs(m.y(one) - m.y(two)) > CATCH:
        return False  # no way is shorter
    return within_two_steps(m, one, two)


@bare_kernel
def within_two_steps(m, one, two):
    """The same, by the ways that there are."""
    if one == two:
        return True
    for first in range(NEUTRAL):
        here = m.after(one, first)
        if here == two:
            return True
        if here != NOWHERE:
            for second in range(NEUTRAL):
                if m.after(here, second) == two:
                    return True
    return False


@inline
def eat(m, state):
    """Ghosts that can be eaten are; one that cannot eats Pac-Man. Whether it did."""
    width = int(m.start(state.maze, 3))
    for ghost in range(GHOSTS):
        if state.lair[ghost] == 0 and is_within_reach(m, state.pacman, state.ghost[ghost], width):
            if state.edible[ghost] == 0:
                lose_life(m, state)
                return True
            eat_ghost(m, state, ghost)
    return False


@bare_kernel
def eat_ghost(m, state, ghost):
    state.score += np.uint32(GHOST_POINTS * int(state.multiplier))
    state.multiplier = 2 * int(state.multiplier)
    state.edible[ghost] = 0
    state.lair[ghost] = _EATEN[state.level % CYCLE]
    state.ghost[ghost] = m.start(state.maze, 2)
    state.ghost_move[ghost] = NEUTRAL


@bare_kernel
def lose_life(m, state):
    state.lives -= np.uint8(1)
    state.deaths += np.uint8(1)
    if state.lives == 0:
        state.over = 1
    else:
        line_up(m, state)


@bare_kernel
def line_up(m, state):
    """Everybody back to where a level begins."""
    state.pacman = m.start(state.maze, 0)
    state.pacman_move = LEFT
    state.straight = 0
    state.multiplier = 1
    for ghost in range(GHOSTS):
        state.ghost[ghost] = m.start(state.maze, 2)
        state.ghost_move[ghost] = NEUTRAL
        state.edible[ghost] = 0
        state.lair[ghost] = _LAIR[state.level % CYCLE, ghost]


@bare_kernel
def lay_out(m, state):
    """A level begins: all pills, everybody at the start."""
    left = int(m.count(state.maze, 0))
    for word in range(4):
        n = min(max(left - 64 * word, 0), 64)
        full = np.uint64(0xFFFFFFFFFFFFFFFF)
        state.pills[word] = full >> np.uint64(64 - n) if n > 0 else np.uint64(0)
    state.power = (1 << int(m.count(state.maze, 1))) - 1 if state.power_pills else 0
    state.level_time = 0
    line_up(m, state)


@inline
def leave_lair(m, state):
    """The waiting times of ghosts; whether one has come out."""
    out = False
    for ghost in range(GHOSTS):
        if state.lair[ghost] > 0:
            state.lair[ghost] -= np.uint16(1)
            if state.lair[ghost] == 0:
                state.ghost[ghost] = m.start(state.maze, 1)
                out = True
    return out


@inline
def is_cleared(state):
    """Whether no pill of either kind is left."""
    return (state.pills[0] | state.pills[1] | state.pills[2] | state.pills[3]) == 0 and (
        state.power == 0
    )


@bare_kernel
def end_level(m, state):
    """The game's last tick, or a level's: then the next one begins, even if the last life is gone."""
    if state.award and (state.time >= state.limit or state.level_time >= state.level_limit):
        state.score += np.uint32(PILL_POINTS * pills_left(state))
    if state.time >= state.limit:
        state.over = 1
        state.score += np.uint32(int(state.life_bonus) * int(state.lives))
    elif state.levels:
        state.level += np.uint16(1)
        state.maze = (int(state.maze) + 1) % m.levels
        lay_out(m, state)
    else:
        state.over = 1


@bare_kernel
def pills_left(state):
    """Pills that lie in the maze, power pills not counted."""
    n = 0
    for word in range(4):
        bits = state.pills[word]
        while bits != 0:
            bits &= bits - np.uint64(1)
            n += 1
    return n
