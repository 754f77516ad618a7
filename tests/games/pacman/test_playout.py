"""Playouts: the fused loop makes the ticks that the rules make, and keeps the thesis's habits."""

import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from manyminds.core.random import generator
from manyminds.games.pacman import pacman
from manyminds.games.pacman.maze import opposite

from .conftest import fields
from .states import any_state

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # another seed is no simpler game
seeds = st.integers(0, 2**32)
CHANGES = [
    dict(rules="thesis"),
    dict(rules="full"),
    dict(rules="full", power_pills=False, reversals=False, limit=60),
]


@pytest.fixture(scope="module")
def games(drawings):
    return [pacman(drawings, **changes) for changes in CHANGES]


def ticks_of(trace, seats):
    """The joint moves of a playout: Pac-Man's move begins each."""
    joints = []
    for seat, move in zip(trace.seat[: trace.n], trace.move[: trace.n], strict=True):
        if seat == 0:
            joints.append([-1] * seats)
        joints[-1][seat] = int(move)
    return joints


@settings(max_examples=120, phases=PHASES)
@given(st.integers(0, len(CHANGES) - 1), seeds)
def test_a_playout_is_its_ticks_one_by_one(games, number, seed):
    game, rng = games[number], random.Random(seed)
    state = any_state(game, rng)
    again = game.copy(state)
    trace = game.playout(state, generator(seed))
    joints = ticks_of(trace, game.seats)
    assert len(joints) == trace.turns <= 120
    assert trace.turns == 120 or game.over(state)
    for joint in joints:
        movers = game.movers(again)
        assert [seat for seat in range(game.seats) if joint[seat] >= 0] == movers
        for seat in movers:
            assert joint[seat] in game.moves(again, seat)
        game.play(again, joint)
    assert fields(game, again) == fields(game, state)


@settings(max_examples=30, phases=PHASES)
@given(seeds, st.sampled_from(["junctions", "never"]))
def test_pacman_turns_back_only_where_the_playout_says(games, seed, turns):
    game = games[0]
    state = any_state(game, random.Random(seed))
    again = game.copy(state)
    trace = game.playout(state, generator(seed), game.set_up(turns=turns))
    first = sum(other.nodes for other in game.mazes[: int(state.maze)])
    maze = game.mazes[int(state.maze)]
    for joint in ticks_of(trace, game.seats):
        came, where = int(again.pacman_move), int(again.pacman) - first
        if joint[0] == opposite(came):
            assert maze.ways[where] > 2
            assert turns == "junctions"
        game.play(again, joint)
