"""Who may choose what: the moves of a tick, those of a tree, and the steps of a playout.

Pac-Man chooses on every tick; a ghost only where it has more than one way: at a junction, and when it
has just left the lair. Between them it is asked for its one move, but in no tree.
"""

from __future__ import annotations

from manyminds.core.kernel import bare_kernel, inline
from manyminds.core.random import below
from manyminds.games.pacman.maze import NEUTRAL
from manyminds.games.pacman.rules import is_free
from manyminds.games.pacman.state import GHOSTS, PACMAN
from manyminds.games.pacman.tables import CHOICE, count_of, nth_of, others

AT_JUNCTIONS, NEVER = 0, 1  # where Pac-Man may turn back in a playout


@inline
def movers(m, state, out):
    """Pac-Man, and the ghosts that move on this tick."""
    if state.over:
        return 0
    out[0] = PACMAN
    n = 1
    for ghost in range(GHOSTS):
        if is_free(state, ghost):
            out[n] = ghost + 1
            n += 1
    return n


@inline
def tree_movers(m, state, out):
    """Pac-Man, and the ghosts that have a choice."""
    if state.over:
        return 0
    out[0] = PACMAN
    n = 1
    for ghost in range(GHOSTS):
        if chooses(m, state, ghost):
            out[n] = ghost + 1
            n += 1
    return n


@inline
def chooses(m, state, ghost):
    """Whether a ghost has a choice on this tick."""
    return (
        state.lair[ghost] == 0
        and m.onward(state.ghost[ghost], state.ghost_move[ghost]) == CHOICE
        and is_free(state, ghost)
    )


@inline
def ghost_ways(m, state, ghost):
    """The ways of a ghost, a bit each: all but back."""
    return others(m.exits(state.ghost[ghost]), state.ghost_move[ghost])


@inline
def list_ways(bits, out):
    n = count_of(bits)
    for k in range(n):
        out[k] = nth_of(bits, k)
    return n


@bare_kernel
def moves(m, state, seat, out):
    """Pac-Man's ways, and NEUTRAL; a ghost's ways, or NEUTRAL while it cannot move."""
    if seat == PACMAN:
        n = list_ways(m.exits(state.pacman), out)
        out[n] = NEUTRAL
        return n + 1
    if not is_free(state, seat - 1):
        out[0] = NEUTRAL
        return 1
    return list_ways(ghost_ways(m, state, seat - 1), out)


@inline
def tree_moves(m, state, seat, out, settings):
    """Pac-Man turns back at junctions, beside power pills and every so many ticks; else he goes on."""
    if seat != PACMAN:
        return list_ways(ghost_ways(m, state, seat - 1), out)
    on = m.onward(state.pacman, state.pacman_move)
    if on == CHOICE or may_turn(state, settings):
        return list_ways(m.exits(state.pacman), out)
    out[0] = on
    return 1


@inline
def may_turn(state, settings):
    if settings.turn_every == 0:
        return state.straight == 0
    return int(state.straight) % int(settings.turn_every) == 0


@bare_kernel
def step(m, state, seat, rng, settings):
    """One move of a playout: a way at random, Pac-Man never back within a corridor."""
    if seat == PACMAN:
        return pacman_step(m, state, rng, settings)
    return pick(rng, ghost_ways(m, state, seat - 1))


@inline
def pacman_step(m, state, rng, settings):
    on = m.onward(state.pacman, state.pacman_move)
    if on != CHOICE:
        return on
    ways = int(m.exits(state.pacman))
    if settings.turns == NEVER:
        ways = others(ways, state.pacman_move)
    return pick(rng, ways)


@inline
def pick(rng, bits):
    return nth_of(bits, below(rng, count_of(bits)))
