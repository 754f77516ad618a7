"""Nim: Bouton's theorem against the exact solver."""

import functools
import itertools
import operator

import pytest

from manyminds.core.errors import UsageError
from manyminds.games.registry import make_game
from manyminds.search.exact import max_n


def bouton(heaps, misere):
    """Whether who moves wins: the nim-sum decides, but with heaps of 1 only, misère, their number."""
    if misere and max(heaps) <= 1:
        return sum(heaps) % 2 == 0
    return functools.reduce(operator.xor, heaps) != 0


@pytest.mark.parametrize("misere", [False, True])
def test_boutons_theorem_on_every_small_position(misere):
    game = make_game("nim", heaps=[4, 4, 4, 2], misere=misere)
    for heaps in itertools.combinations_with_replacement(range(5), 3):
        for last in range(3):
            for turn in (0, 1):
                state = game.start()
                state.heaps[:] = *heaps, last
                state.stones = sum(heaps) + last
                state.turn = turn
                if state.stones:
                    values = max_n(game, state, total=1.0).values
                    assert values[turn] == bouton((*heaps, last), misere)
                    assert values[1 - turn] == 1 - values[turn]


@pytest.mark.interpreted
@pytest.mark.parametrize(("misere", "rewards"), [(False, (1, 0)), (True, (0, 1))])
def test_the_last_stone_decides(misere, rewards):
    game = make_game("nim", heaps=[2, 1], misere=misere)
    state = game.start()
    for text in ("a1", "b1"):
        game.play(state, game.move_named(text, state))
        assert tuple(game.rewards(state)) == (0.5, 0.5)
    assert [game.name(move) for move in game.moves(state)] == ["a1"]
    game.play(state, game.move_named("a1", state))
    assert game.over(state)
    assert tuple(game.rewards(state)) == rewards


@pytest.mark.interpreted
def test_a_move_says_heap_and_stones():
    game = make_game("nim", heaps=[1, 2])
    state = game.start()
    assert [game.name(move) for move in game.moves(state)] == ["a1", "b1", "b2"]
    game.play(state, game.move_named("B2", state))
    assert game.show(state).splitlines() == ["a |", "b"]
    with pytest.raises(UsageError, match="possible: a1"):
        game.move_named("b1", state)


@pytest.mark.parametrize("heaps", [[], [0, 3], [101], [1] * 27])
def test_heaps_that_cannot_be_are_refused(heaps):
    with pytest.raises(UsageError, match="1 to 26 heaps of 1 to 100 stones"):
        make_game("nim", heaps=heaps)
