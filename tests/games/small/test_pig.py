"""Pig: rules, and values against value iteration, plain expectimax and published numbers."""

import functools

import numpy as np
import pytest

from manyminds.core.errors import UsageError
from manyminds.core.random import generator
from manyminds.games.contract import CHANCE
from manyminds.games.registry import make_game
from manyminds.search.exact import max_n, paranoid

GAME = make_game("pig")


def played(*names, game=GAME):
    state = game.start()
    for name in names:
        game.play(state, game.move_named(name, state))
    return state


@pytest.mark.interpreted
def test_a_turn_is_rolled_and_held():
    state = played()
    assert [GAME.name(move) for move in GAME.moves(state)] == ["roll"]
    state = played("roll")
    assert GAME.seat(state) == CHANCE
    assert [GAME.name(move) for move in GAME.moves(state)] == ["1", "2", "3", "4", "5", "6"]
    state = played("roll", "4", "roll", "6")
    assert GAME.seat(state) == 0
    assert [GAME.name(move) for move in GAME.moves(state)] == ["roll", "hold"]
    assert list(GAME.points(state)) == [0, 0]
    state = played("roll", "4", "roll", "6", "hold")
    assert GAME.seat(state) == 1
    assert list(GAME.points(state)) == [10, 0]
    assert GAME.show(state) == "first 10  second 0  (target 20); second to decide, 0 in this turn"


@pytest.mark.interpreted
def test_a_one_loses_the_turn_and_what_was_rolled_in_it():
    state = played("roll", "6", "roll", "1")
    assert GAME.seat(state) == 1
    assert list(GAME.points(state)) == [0, 0]
    assert (int(state.risked), int(state.turns)) == (0, 1)


@pytest.mark.interpreted
def test_the_target_ends_the_game_at_once():
    state = played("roll", "6", "roll", "6", "roll", "6")
    assert not GAME.over(state)
    GAME.play(state, GAME.move_named("roll", state))
    GAME.play(state, GAME.move_named("2", state))
    assert GAME.over(state)
    assert GAME.movers(state) == []
    assert tuple(GAME.rewards(state)) == (1, 0)


@pytest.mark.interpreted
def test_after_the_last_round_the_higher_score_wins():
    game = make_game("pig", target=50, rounds=1)
    state = played("roll", "3", "hold", "roll", "2", "hold", game=game)
    assert game.over(state)
    assert tuple(game.rewards(state)) == (1, 0)
    assert tuple(game.rewards(played("roll", "3", "hold", "roll", "3", "hold", game=game))) == (
        0.5,
        0.5,
    )


def test_the_die_is_fair():
    state, rng, n = played("roll"), generator(2), 6000
    counts = np.zeros(GAME.move_ids)
    for _ in range(n):
        counts[GAME.roll(state, rng)] += 1
    assert counts[:2].sum() == 0
    assert counts[2:] / n == pytest.approx(1 / 6, abs=4 * (5 / 36 / n) ** 0.5)


def expectimax(target, sides, rounds):
    """The first seat's chance, from the rules alone; mine, yours, this turn's sum, turns left."""

    @functools.cache
    def win(mine, yours, risked, left):
        """Of the seat to decide, before `left` turns of both seats (this one counted)."""
        roll = (1 - start(yours, mine, left - 1)) / sides
        for face in range(2, sides + 1):
            reached = mine + risked + face >= target
            roll += (1.0 if reached else win(mine, yours, risked + face, left)) / sides
        if risked == 0:
            return roll
        return max(roll, 1 - start(yours, mine + risked, left - 1))

    def start(mine, yours, left):
        if left == 0:
            return 1.0 if mine > yours else 0.5 if mine == yours else 0.0
        return win(mine, yours, 0, left)

    return start(0, 0, 2 * rounds)


@pytest.mark.parametrize(
    ("target", "sides", "rounds"), [(10, 6, 4), (7, 3, 3), (12, 4, 2), (6, 2, 5)]
)
def test_values_are_those_of_plain_expectimax(target, sides, rounds):
    game = make_game("pig", target=target, sides=sides, rounds=rounds)
    value = expectimax(target, sides, rounds)
    found = max_n(game, game.start(), total=1.0)
    assert found.values == pytest.approx((value, 1 - value))
    assert paranoid(game, game.start(), 0).value == pytest.approx(value)
    assert paranoid(game, game.start(), 1).value == pytest.approx(1 - value)


def test_piglet_has_its_published_values():
    """Neller and Presser's Piglet to 2, with a coin: heads is our 2, so that 2 and 4 are their 1 and 2.

    They play without end; 40 rounds are as good as that here.
    """
    game = make_game("pig", target=4, sides=2, rounds=40)
    published = {
        (0, 0, 0): 4 / 7,
        (0, 0, 1): 5 / 7,
        (0, 1, 0): 2 / 5,
        (0, 1, 1): 3 / 5,
        (1, 0, 0): 4 / 5,
        (1, 1, 0): 2 / 3,
    }
    for (mine, yours, risked), value in published.items():
        state = game.start()
        state.score[:] = 2 * mine, 2 * yours
        state.risked = 2 * risked
        assert max_n(game, state, total=1.0).values[0] == pytest.approx(value, abs=1e-6)


def test_many_rounds_come_near_pig_without_end():
    """Value iteration over mine, yours and the turn's sum, for a target of 8."""
    target, win = 8, np.full((8, 8, 8), 0.5)
    for _ in range(200):
        for mine in range(target):
            for yours in range(target):
                for risked in range(target - mine):
                    chances = [1 - win[yours, mine, 0]]
                    for face in range(2, 7):
                        after = risked + face
                        chances.append(1.0 if mine + after >= target else win[mine, yours, after])
                    hold = 1 - win[yours, mine + risked, 0]
                    win[mine, yours, risked] = max(np.mean(chances), hold if risked else 0)
    game = make_game("pig", target=target, rounds=12)
    assert max_n(game, game.start(), total=1.0).values[0] == pytest.approx(win[0, 0, 0], abs=1e-3)


@pytest.mark.parametrize("arguments", [{"target": 1}, {"sides": 1}, {"rounds": 0}])
def test_what_cannot_be_played_is_refused(arguments):
    with pytest.raises(UsageError, match="pig has a target of 2 to 1000"):
        make_game("pig", **arguments)
