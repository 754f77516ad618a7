"""A chase: Pac-Man and the ghosts in a maze, and nothing else. What a search for a way out works on.

Pac-Man turns at junctions only (and at once, where he is); the ghosts know his move when they choose.
Ghosts in the lair, and those that can be eaten, wait: they are nowhere until their time is over.
"""

from __future__ import annotations

from typing import Any

from manyminds.core.kernel import inline
from manyminds.core.record import record
from manyminds.games.pacman.maze import NEUTRAL
from manyminds.games.pacman.state import CATCH, GHOSTS
from manyminds.games.pacman.tables import CHOICE, nth_of, others
from manyminds.players.pacman.seated import Sight

CHASE = record(
    pacman="uint16",
    pacman_move="uint8",
    ghost="uint16[4]",
    ghost_move="uint8[4]",
    wait="uint16[4]",  # ticks until it is there; 0: it is
    home="uint16[4]",  # where it will be then
    tick="uint16",
    chooser="uint8",  # the seat that moves next within the tick
    wish="uint8[5]",  # by seat, what was chosen on this tick
)
Chase = Any  # a record of this kind

DEAD, SAFE = -1, -2  # what comes of a chase where no seat has to choose


def chase_of(sight: Sight) -> Chase:
    """The chase of a state."""
    chase, state = CHASE.new(), sight.state
    chase.pacman, chase.pacman_move = sight.pacman, int(state.pacman_move)
    for ghost in range(GHOSTS):
        waits = int(state.lair[ghost]) or int(state.edible[ghost])
        chase.wait[ghost] = waits
        chase.home[ghost] = sight.ghost(ghost) if sight.is_out(ghost) else sight.ground.start[0]
        chase.ghost[ghost] = int(chase.home[ghost])
        chase.ghost_move[ghost] = NEUTRAL if waits else int(state.ghost_move[ghost])
    return chase


@inline
def run_on(ground, chase, horizon):
    """Move on to where a seat has to choose: that seat; or DEAD; or SAFE, the horizon reached."""
    while True:
        if chase.chooser == 0:
            if chase.tick >= horizon:
                return SAFE
            direction = ground.onward[8 * int(chase.pacman) + int(chase.pacman_move)]
            if direction == CHOICE:
                return 0
            chase.wish[0] = direction
            chase.chooser = 1
        while chase.chooser <= GHOSTS:
            ghost = int(chase.chooser) - 1
            if chase.wait[ghost] == 0:
                arc = 8 * int(chase.ghost[ghost]) + int(chase.ghost_move[ghost])
                direction = ground.onward[arc]
                if direction == CHOICE:
                    if matters(ground, chase, ghost, horizon):
                        return int(chase.chooser)
                    direction = nth_of(ghost_exits(ground, chase, ghost), 0)
                chase.wish[ghost + 1] = direction
            chase.chooser += 1
        if is_caught(ground, chase):
            return DEAD


@inline
def ghost_exits(ground, chase, ghost):
    """A bit for each of a ghost's ways: all but back."""
    return others(ground.exits[chase.ghost[ghost]], chase.ghost_move[ghost])


@inline
def matters(ground, chase, ghost, horizon):
    """Whether a ghost can come within reach before the horizon at all; two who meet come 2 nearer a tick."""
    steps = int(ground.distance[chase.pacman, chase.ghost[ghost]])
    return steps <= 2 * (int(horizon) - int(chase.tick)) + CATCH


@inline
def is_caught(ground, chase):
    """Make the tick that all have chosen; whether Pac-Man is caught on it."""
    chase.pacman = ground.after[8 * int(chase.pacman) + int(chase.wish[0])]
    chase.pacman_move = chase.wish[0]
    caught = False
    for ghost in range(GHOSTS):
        if chase.wait[ghost] == 0:
            wish = chase.wish[ghost + 1]
            chase.ghost[ghost] = ground.after[8 * int(chase.ghost[ghost]) + int(wish)]
            chase.ghost_move[ghost] = wish
            caught |= int(ground.distance[chase.pacman, chase.ghost[ghost]]) <= CATCH
        else:
            chase.wait[ghost] = int(chase.wait[ghost]) - 1
            if chase.wait[ghost] == 0:
                chase.ghost[ghost] = chase.home[ghost]
                chase.ghost_move[ghost] = NEUTRAL
    chase.tick += 1
    chase.chooser = 0
    return caught
