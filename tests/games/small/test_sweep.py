"""Sweeping: where robots can go, what is swept, and how it is drawn."""

import random

import pytest

from manyminds.core.errors import UsageError
from manyminds.core.random import generator
from manyminds.games.registry import make_game

STAY, UP, DOWN, LEFT, RIGHT = range(5)
STEPS = {STAY: (0, 0), UP: (1, 0), DOWN: (-1, 0), LEFT: (0, -1), RIGHT: (0, 1)}
GAME = make_game("sweep", robots=3, width=5, height=4, turns=9)


@pytest.mark.interpreted
def test_the_floor_is_drawn():
    state = GAME.start()
    assert GAME.show(state).splitlines() == [
        "4 . . . . .",
        "3 . . # . .",
        "2 3 . . . .",
        "1 1 2 . . .",
        "  a b c d e",
        "turn 1, 16 squares left",
    ]
    GAME.play(state, (RIGHT, STAY, UP))
    assert GAME.show(state).splitlines()[1:4] == ["3 3 . # . .", "2   . . . .", "1   * . . ."]


@pytest.mark.interpreted
def test_random_games_agree_with_a_set_of_squares():
    rng = random.Random(3)
    for _ in range(5):
        state = GAME.start()
        places = [divmod(int(square), 5) for square in state.square[:3]]
        swept = set(places)
        while not GAME.over(state):
            joint = []
            for robot in range(3):
                row, column = places[robot]
                legal = [
                    move
                    for move, (up, right) in STEPS.items()
                    if 0 <= row + up < 4
                    and 0 <= column + right < 5
                    and (row + up, column + right) != (2, 2)
                ]
                assert list(GAME.moves(state, robot)) == legal
                joint.append(rng.choice(legal))
            GAME.play(state, joint)
            places = [
                (row + STEPS[move][0], column + STEPS[move][1])
                for (row, column), move in zip(places, joint, strict=True)
            ]
            swept |= set(places)
            assert list(GAME.points(state)) == [len(swept)] * 3
            assert list(GAME.rewards(state)) == pytest.approx([len(swept) / 19] * 3)
        assert state.turn == 9 or len(swept) == 19


@pytest.mark.interpreted
def test_it_is_over_when_all_is_swept():
    small = make_game("sweep", robots=1, width=2, height=2, turns=20, pillars=0)
    state = small.start()
    for move in (UP, RIGHT, DOWN):
        assert small.movers(state) == [0]
        small.play(state, (move,))
    assert small.over(state)
    assert small.movers(state) == []
    assert list(small.rewards(state)) == [1.0]


def test_a_playout_steps_to_what_is_not_swept_where_it_can():
    game = make_game("sweep", robots=1, width=6, height=5, turns=25, pillars=0)
    chances = 0
    for seed in range(20):
        state = game.start()
        trace = game.playout(state, generator(seed))
        place, swept = (0, 0), {(0, 0)}
        for move in trace.move[: trace.n]:
            beside = [(place[0] + up, place[1] + right) for up, right in STEPS.values()]
            new = {(r, c) for r, c in beside if 0 <= r < 5 and 0 <= c < 6} - swept
            up, right = STEPS[int(move)]
            place = place[0] + up, place[1] + right
            assert move != STAY
            if new:
                chances += 1
                assert place in new
            swept.add(place)
    assert chances > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"robots": 33}, "1 to 32 robots sweep, not 33"),
        ({"width": 1}, "sides of 2 to 24, not 1x12"),
        ({"turns": 0}, "1 to 500 turns, not 0"),
        ({"pillars": 1}, "pillars stand every 2"),
        ({"robots": 5, "width": 2, "height": 2, "pillars": 0}, "do not fit a floor of 4"),
    ],
)
def test_what_cannot_be_swept_is_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        make_game("sweep", **arguments)
