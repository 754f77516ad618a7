"""The compiled rules against the slow ones: the same fields after every tick."""

import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from manyminds.games.pacman import pacman

from .conftest import fields, slow_twin
from .reference import JavaRandom
from .states import any_state

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # another seed is no simpler game
seeds = st.integers(0, 2**32)
CHANGES = [
    dict(rules="thesis"),
    dict(rules="full"),
    dict(rules="thesis", power_pills=True, lives=2, award=True, limit=150),
    dict(rules="full", reversals=False, award=True, limit=90),
    dict(rules="full", power_pills=False, lives=100),
]


def wishes_of(game, state, rng):
    """A joint move: mostly legal, now and then illegal, missing or nonsense."""
    wishes = []
    for seat in range(game.seats):
        legal = game.moves(state, seat).tolist()
        odd = rng.choice([-1, 0, 1, 2, 3, 4, 5, 77, -9])
        wishes.append(rng.choice(legal) if rng.random() < 0.7 else odd)
    return wishes if rng.random() < 0.97 else [-1] * game.seats


def play_both(game, state, rng, ticks):
    twin = slow_twin(game, state)
    for _ in range(ticks):
        if game.over(state):
            return
        wishes = wishes_of(game, state, rng)
        game.play(state, wishes)
        twin.tick(wishes)
        assert fields(game, state) == twin.fields()


@pytest.fixture(scope="module")
def games(drawings):
    """The rules on our mazes, and on small ones, where levels end."""
    return [pacman(maze, **changes) for changes in CHANGES for maze in (1, 3, drawings)]


@settings(max_examples=60, phases=PHASES)
@given(st.integers(0, 3 * len(CHANGES) - 1), seeds)
def test_random_games_agree_tick_by_tick(games, number, seed):
    game, rng = games[number], random.Random(seed)
    play_both(game, game.start(seed), rng, rng.choice([30, 150, 400]))


@settings(max_examples=150, phases=PHASES)
@given(st.integers(0, 3 * len(CHANGES) - 1), seeds)
def test_ticks_from_any_state_agree(games, number, seed):
    """Chases at close quarters, edible ghosts, last pills, last ticks, ten thousand points."""
    game, rng = games[number], random.Random(seed)
    play_both(game, any_state(game, rng), rng, 25)


def test_the_draws_are_javas():
    """`new Random(42).nextInt(10)` and `nextInt(3)`: what every Java runtime prints."""
    java = JavaRandom(42)
    assert [java.next_int(10) for _ in range(10)] == [0, 3, 8, 4, 0, 5, 5, 8, 9, 3]
    game = pacman(1)
    assert int(game.start(42).fallback) == JavaRandom(42).word
