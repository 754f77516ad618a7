"""Where Pac-Man can be, tick by tick, if the ghosts may be anywhere that they can: an open-loop worst case.

For each tick the nodes that a ghost could stand on are known exactly, with its last direction. Pac-Man's
layer of that tick are the nodes that he can reach without ever having been within reach of any of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manyminds.core.kernel import bare_entry, inline
from manyminds.games.pacman.maze import NEUTRAL
from manyminds.games.pacman.state import GHOSTS
from manyminds.games.pacman.tables import NOWHERE, back
from manyminds.players.pacman.chase import Chase
from manyminds.players.pacman.ground import Ground

NEVER = 0xFFFF  # no pill on any way


class Layers(NamedTuple):
    """lasts: ticks that each direction lets him live; pill: the tick of the first pill on the way.

    pill_all_along: the same, of those ways only that live as long as the best. 0 and NEVER for walls.
    """

    lasts: np.ndarray
    pill: np.ndarray
    pill_all_along: np.ndarray


def layers_of(ground: Ground, chase: Chase, pills: np.ndarray, ticks: int) -> Layers:
    """What each of Pac-Man's directions leads to within so many ticks. pills: 1 by node where one is."""
    n = len(ground.exits)
    found = Layers(
        np.zeros(4, np.uint16), np.full(4, NEVER, np.uint16), np.full(4, NEVER, np.uint16)
    )
    layers = np.zeros((ticks + 1, n), np.uint8)
    ghosts, threat = np.zeros((2, n), np.uint8), np.zeros(n, np.uint16)
    spread(ground, chase, pills, layers, ghosts, threat, found)
    return found


@bare_entry
def spread(ground, chase, pills, layers, ghosts, threat, found):
    """Fill in the layers (`layers[tick, node]`: a bit for each first direction) and what is found."""
    for ghost in range(GHOSTS):
        if chase.wait[ghost] == 0:
            ghosts[0, chase.ghost[ghost]] |= 1 << int(chase.ghost_move[ghost])
    last = 0
    for tick in range(1, layers.shape[0]):
        now, then = ghosts[(tick - 1) & 1], ghosts[tick & 1]
        move_ghosts(ground, now, then)
        mark_threat(ground, then, threat, tick)
        if not move_pacman(ground, chase, layers, threat, tick):
            break
        last = tick
        note_first(layers[tick], pills, found, tick)
        for ghost in range(GHOSTS):
            if chase.wait[ghost] == tick:
                then[chase.home[ghost]] |= 1 << NEUTRAL
    look_back(ground, layers, pills, found, last)


@inline
def move_ghosts(ground, now, then):
    """Where ghosts can be a tick later: a bit for each last direction, by node. None turns back."""
    for node in range(then.shape[0]):
        then[node] = 0
    for node in range(now.shape[0]):
        moves = int(now[node])
        if moves == 0:
            continue
        for direction in range(4):
            there = int(ground.after[8 * node + direction])
            if there != NOWHERE and moves & ~(1 << int(back(direction))) != 0:
                then[there] |= 1 << direction


@inline
def mark_threat(ground, ghosts, threat, tick):
    """Stamp every node at most two steps from where a ghost can be."""
    for node in range(ghosts.shape[0]):
        if ghosts[node] == 0:
            continue
        threat[node] = tick
        for first in range(4):
            one = int(ground.after[8 * node + first])
            if one != NOWHERE:
                threat[one] = tick
                for second in range(4):
                    two = int(ground.after[8 * one + second])
                    if two != NOWHERE:
                        threat[two] = tick


@inline
def move_pacman(ground, chase, layers, threat, tick):
    """The next layer; whether anything is in it."""
    alive = False
    for node in range(layers.shape[1]):
        if tick == 1:
            came = 15 if node == int(chase.pacman) else 0
        else:
            came = int(layers[tick - 1, node])
        if came == 0:
            continue
        for direction in range(4):
            there = int(ground.after[8 * node + direction])
            if there != NOWHERE and int(threat[there]) != tick:
                layers[tick, there] |= came & (1 << direction) if tick == 1 else came
                alive = True
    return alive


@inline
def note_first(layer, pills, found, tick):
    """How long each first direction lives, and its first pill."""
    for node in range(layer.shape[0]):
        bits = int(layer[node])
        if bits == 0:
            continue
        for direction in range(4):
            if bits >> direction & 1:
                found.lasts[direction] = tick
                if pills[node] != 0 and int(found.pill[direction]) == NEVER:
                    found.pill[direction] = tick


@inline
def look_back(ground, layers, pills, found, last):
    """From the last layer back: leave only what reaches it, and note the first pills of that."""
    for tick in range(last, 0, -1):
        for node in range(layers.shape[1]):
            bits = int(layers[tick, node])
            if bits == 0:
                continue
            if tick < last and not leads_on(ground, layers, tick, node):
                layers[tick, node] = 0
            elif pills[node] != 0:
                for direction in range(4):
                    if bits >> direction & 1:
                        found.pill_all_along[direction] = tick


@inline
def leads_on(ground, layers, tick, node):
    for direction in range(4):
        there = int(ground.after[8 * node + direction])
        if there != NOWHERE and layers[tick + 1, there] != 0:
            return True
    return False
