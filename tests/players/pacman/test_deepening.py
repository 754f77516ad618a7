"""The strong Pac-Man: its search against a slow one, and what it does in positions with one good move."""

import random

import numpy as np
import pytest

from manyminds.core.budget import Budget
from manyminds.games.pacman.maze import DOWN, LEFT, NEUTRAL, RIGHT, UP
from manyminds.players.pacman.and_or import LOST, UNKNOWN, WON, safe_way
from manyminds.players.pacman.chase import chase_of
from manyminds.players.pacman.deepening import Deepening, outcome
from manyminds.players.pacman.seated import ways_of_pacman

from .conftest import any_chase, node_at, put, seated, sight
from .slow_chase import SlowChase

PLENTY = 10**9
NODES = Budget(nodes=5000)


@pytest.mark.interpreted
@pytest.mark.parametrize("horizon", [3, 8, 14, 20])
def test_the_search_agrees_with_every_move_tried(grid, ring, horizon):
    rng = random.Random(horizon)
    seen = {LOST: 0, WON: 0}
    for number in range(60):
        game = ring if number % 4 == 0 else grid
        state = any_chase(game, rng, spread=rng.choice([8, 14, 25]))
        eyes, slow = sight(game, state), SlowChase(game, state)
        for move in ways_of_pacman(eyes):
            known, _ = outcome(eyes.ground, chase_of(eyes), move, horizon, PLENTY)
            assert known == (WON if slow.survives(move, horizon) else LOST), (number, move)
            seen[known] += 1
    assert min(seen.values()) > 5


def test_a_safe_way_is_one(grid):
    """Where the flood finds a way to the horizon, no play of the ghosts cuts all of them."""
    rng = random.Random(5)
    flood = np.zeros((10, grid.mazes[0].nodes), np.uint16)
    found = 0
    for _ in range(60):
        state = any_chase(grid, rng, spread=rng.choice([14, 40]))
        eyes, slow = sight(grid, state), SlowChase(grid, state)
        if safe_way(eyes.ground, chase_of(eyes), 14, flood):
            found += 1
            assert any(slow.survives(move, 14) for move in ways_of_pacman(eyes))
    assert 10 < found < 60


@pytest.mark.interpreted
def test_nodes_are_a_budget(grid):
    rng = random.Random(2)
    most = 0
    for _ in range(40):
        state = any_chase(grid, rng, spread=30)
        eyes = sight(grid, state)
        for move in ways_of_pacman(eyes):
            known, spent = outcome(eyes.ground, chase_of(eyes), move, 40, 25)
            assert spent <= 25
            assert known != UNKNOWN or spent == 25
            most = max(most, spent)
    assert most == 25


def test_avoids_a_sure_capture_though_a_pill_lies_there(grid):
    """Ghosts come along the corridor below from both sides, and one from above; the pill is below."""
    here = node_at(grid, 6, 7)
    pill = node_at(grid, 6, 8)
    state = put(
        grid,
        (here, RIGHT),
        [(node_at(grid, 3, 9), RIGHT), (node_at(grid, 9, 9), LEFT), (node_at(grid, 6, 4), DOWN)],
        pills=[pill, node_at(grid, 1, 1)],
    )
    player = seated(Deepening(), grid)
    slow = SlowChase(grid, state)
    assert not slow.survives(DOWN, 24)
    assert slow.survives(player.decide(state, NODES).move, 24)


def test_takes_a_safe_pill(grid):
    here = node_at(grid, 6, 7)
    state = put(grid, (here, RIGHT), [(node_at(grid, 20, 1), UP)], pills=[node_at(grid, 5, 7)])
    assert seated(Deepening(), grid).decide(state, NODES).move == LEFT


def test_the_same_nodes_give_the_same_game_of_answers(grid):
    rng = random.Random(9)
    for _ in range(20):
        state = any_chase(grid, rng, spread=30)
        answers = {
            (d.move, d.remark)
            for d in (seated(Deepening(), grid).decide(state, Budget(nodes=300)) for _ in range(2))
        }
        assert len(answers) == 1


def test_answers_within_milliseconds_and_with_a_legal_move(grid):
    state = any_chase(grid, random.Random(3), spread=30)
    move = seated(Deepening(), grid).decide(state, Budget(milliseconds=5)).move
    assert move in grid.moves(state, 0)
    assert move != NEUTRAL


def test_who_is_lost_lives_as_long_as_he_can(ring):
    """In a ring with a ghost on either side he is caught; the way with more room is longer."""
    here = node_at(ring, 6, 5)
    state = put(ring, (here, LEFT), [(node_at(ring, 4, 5), RIGHT), (node_at(ring, 12, 4), DOWN)])
    slow = SlowChase(ring, state)
    lasting = {m: max(t for t in range(40) if slow.survives(m, t)) for m in (LEFT, RIGHT)}
    assert lasting[LEFT] < lasting[RIGHT] < 30
    assert seated(Deepening(), ring).decide(state, NODES).move == RIGHT
