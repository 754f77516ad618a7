"""Playouts: random ghosts, and a Pac-Man who turns back at junctions only (Filip, 4.2.2).

While no ghost can be eaten and none turns round by chance, a tick is its steps alone: choices and steps
are one, and Pac-Man is looked for only when a ghost could have come near.
"""

from __future__ import annotations

from manyminds.core.kernel import bare_kernel, inline
from manyminds.games.defaults import NONE, note
from manyminds.games.pacman.choices import ghost_ways, movers, pacman_step, pick, step
from manyminds.games.pacman.rules import (
    advance,
    count_tick,
    leave_lair,
    lose_life,
    move_pacman,
    within_two_steps,
)
from manyminds.games.pacman.state import CATCH, GHOSTS, PACMAN
from manyminds.games.pacman.tables import CHOICE


@bare_kernel
def playout(m, state, rng, trace, settings):
    """Ticks until the game is over or the trace's limit of turns."""
    while trace.turns < trace.limit and state.over == 0:
        if is_plain(state):
            plain_ticks(m, state, rng, trace, settings)
        else:
            tick(m, state, rng, trace, settings)


@inline
def is_plain(state):
    """Whether no ghost can be eaten on this level any more, and none turns round."""
    edible = state.edible[0] | state.edible[1] | state.edible[2] | state.edible[3]
    return state.power == 0 and edible == 0 and state.luck.word == 0


@bare_kernel
def tick(m, state, rng, trace, settings):
    """One tick under all rules."""
    joint = trace.joint
    for seat in range(GHOSTS + 1):
        joint[seat] = NONE
    n = movers(m, state, trace.movers)
    for k in range(n):
        seat = trace.movers[k]
        move = step(m, state, seat, rng, settings)
        note(trace, seat, move)
        joint[seat] = move
    trace.turns += 1
    advance(m, state, joint)


@bare_kernel
def plain_ticks(m, state, rng, trace, settings):
    """Ticks to the end of the playout or of the level, of a state that `is_plain`."""
    level = state.level
    waiting = someone_waits(state)
    calm = 0  # ticks for which no ghost can be near
    while trace.turns < trace.limit and state.over == 0 and state.level == level:
        move = pacman_step(m, state, rng, settings)
        note(trace, PACMAN, move)
        move_pacman(m, state, move)
        for ghost in range(GHOSTS):
            step_ghost(m, state, ghost, rng, trace)
        if calm == 0:
            calm = look_round(m, state)
            waiting = someone_waits(state)  # all of them do, once a life is lost
        else:
            calm -= 1
        if waiting:
            if leave_lair(m, state):
                calm = 0
            waiting = someone_waits(state)
        count_tick(m, state)
        trace.turns += 1


@inline
def someone_waits(state):
    return (state.lair[0] | state.lair[1] | state.lair[2] | state.lair[3]) != 0


@inline
def step_ghost(m, state, ghost, rng, trace):
    """A ghost's step, chosen and made."""
    if state.lair[ghost] != 0:
        return
    move = m.onward(state.ghost[ghost], state.ghost_move[ghost])
    if move == CHOICE:
        move = pick(rng, ghost_ways(m, state, ghost))
    note(trace, ghost + 1, move)
    state.ghost[ghost] = m.after(state.ghost[ghost], move)
    state.ghost_move[ghost] = move


@inline
def look_round(m, state):
    """Lose a life to a ghost within reach; for how many more ticks none can be.

    No way is shorter than straight across and down, and two who meet come two steps nearer a tick.
    """
    width = int(m.start(state.maze, 3))
    nearest = 2 * CATCH + 2 * 0xFFFF
    x, y = m.x(state.pacman), m.y(state.pacman)
    for ghost in range(GHOSTS):
        if state.lair[ghost] == 0:
            across = abs(m.x(state.ghost[ghost]) - x)
            steps = min(across, width - across) + abs(m.y(state.ghost[ghost]) - y)
            if steps <= CATCH and within_two_steps(m, state.pacman, state.ghost[ghost]):
                lose_life(m, state)
                return 0
            nearest = min(nearest, steps)
    return max(nearest - CATCH - 1, 0) // 2
