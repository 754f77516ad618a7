"""Three hills: rules on played positions, and why ties do not matter."""

import itertools

import numpy as np
import pytest

from manyminds.core.errors import UsageError
from manyminds.games.registry import make_game
from manyminds.search.exact import max_n, paranoid

GAME = make_game("three_hills")
GREEN, BLUE, RED = range(3)


def played(*names, game=GAME):
    state = game.start()
    for name in names:
        game.play(state, game.move_named(name, state))
    return state


@pytest.mark.interpreted
def test_everybody_starts_at_home():
    state = GAME.start()
    assert list(state.holder) == [GREEN, BLUE, RED]
    # Five sixths of what they have, and a sixth of what the next one has: 1 and 1, 1 and 2, 2 and 1.
    assert list(GAME.points(state) * 6) == pytest.approx([6, 7, 11])
    assert [GAME.name(move) for move in GAME.moves(state)] == ["1a", "1b", "1c", "2a", "2b", "2c"]


@pytest.mark.interpreted
def test_equal_strength_takes_a_hill_and_less_does_not():
    assert list(played("1b").holder) == [GREEN, GREEN, RED]
    assert list(played("1b", "1b").holder) == [GREEN, BLUE, RED]
    assert list(played("2b", "1b").holder) == [GREEN, GREEN, RED]
    assert list(played("2b", "1b", "1c", "1c", "2b").holder) == [GREEN, BLUE, GREEN]


@pytest.mark.interpreted
def test_a_soldier_stands_once_and_the_game_ends_with_the_last():
    state = played("2b", "1b", "1c")
    assert [GAME.name(move) for move in GAME.moves(state)] == ["1a", "1b", "1c"]
    state = played("2b", "1b", "1c", "1c", "2b")
    assert not GAME.over(state)
    GAME.play(state, GAME.move_named("2a", state))
    assert GAME.over(state)
    assert list(state.holder) == [RED, BLUE, GREEN]
    assert list(GAME.points(state) * 6) == pytest.approx([11, 6, 7])


@pytest.mark.parametrize("worths", [(1, 1, 2), (1, 1, 1), (2, 2, 3), (1, 2, 4), (20, 30, 50)])
def test_what_one_seat_gets_tells_what_all_get(worths):
    """The reason why ties cannot matter, for all ways to hold the hills."""
    game = make_game("three_hills", worths=worths)
    ends = set()
    for holders in itertools.product(range(3), repeat=3):
        state = game.start()
        state.holder[:] = holders
        points = tuple(np.round(game.points(state), 9))
        assert sum(points) == pytest.approx(sum(worths))
        assert game.rewards(state).sum() == pytest.approx(1.0)
        ends.add(points)
    assert len(ends) >= 10
    for seat in range(3):
        assert len({points[seat] for points in ends}) == len(ends)


def values(state, order, known):
    """max^n with moves tried in an order of one's own, the last of equal ones taken."""
    key = state.tobytes()
    if key not in known:
        if GAME.over(state):
            known[key] = tuple(GAME.rewards(state))
        else:
            seat, found = GAME.seat(state), []
            for move in order(GAME.moves(state)):
                after = GAME.copy(state)
                GAME.play(after, int(move))
                found.append(values(after, order, known))
            known[key] = max(reversed(found), key=lambda value: round(value[seat], 9))
    return known[key]


def test_max_n_has_one_value_however_ties_are_broken():
    rng = np.random.default_rng(1)
    found = max_n(GAME, GAME.start(), total=1.0).values
    assert np.array(found) * 24 == pytest.approx([6, 7, 11])
    for order in (lambda moves: moves, lambda moves: moves[::-1], rng.permutation):
        assert values(GAME.start(), order, {}) == pytest.approx(found)


def test_fear_of_the_others_changes_value_and_move():
    found = max_n(GAME, GAME.start(), total=1.0)
    assured = [paranoid(GAME, GAME.start(), seat) for seat in range(3)]
    assert GAME.name(found.move) == "1b"
    assert GAME.name(assured[GREEN].move) == "1c"
    assert [round(one.value * 24) for one in assured] == [2, 3, 10]
    for move in GAME.moves(GAME.start()):  # no other move is as good
        name = GAME.name(move)
        after = played(name)
        assert (max_n(GAME, after).values[GREEN] > 2.5 / 24) == (name == "1b")
        assert (paranoid(GAME, after, GREEN).value > 1.5 / 24) == (name in ("1c", "2c"))


@pytest.mark.interpreted
def test_the_position_is_told():
    assert GAME.show(played("2b", "1b")).splitlines() == [
        "a worth 1: green's (nobody there)",
        "b worth 1: green's (green 2, blue 1)",
        "c worth 2: red's (nobody there)",
        "  green: 1",
        "  blue: 2",
        "* red: 1 2",
    ]


@pytest.mark.parametrize("soldiers", [[], [1, 1], [0, 1], [10]])
def test_soldiers_that_cannot_be_are_refused(soldiers):
    with pytest.raises(UsageError, match="soldiers differ in strength, from 1 to 9"):
        make_game("three_hills", soldiers=soldiers)


@pytest.mark.parametrize("worths", [[1, 2], [0, 1, 2], [50, 50, 1]])
def test_worths_that_cannot_be_are_refused(worths):
    with pytest.raises(UsageError, match="at most 100 together"):
        make_game("three_hills", worths=worths)
