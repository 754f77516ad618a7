"""The hunt: who moves, who is caught, and values of the split turn."""

import pytest

from manyminds.core.errors import UsageError
from manyminds.games.contract import NONE
from manyminds.games.registry import make_game
from manyminds.search.exact import max_n, paranoid

from .mixed import mixed_value

GAME = make_game("hunt")
WOLF, FOX, HARE = range(3)
STAY, UP, DOWN, LEFT, RIGHT = range(5)


def placed(wolf, fox, hare, game=GAME):
    state = game.start()
    state.square[:] = wolf, fox, hare
    return state


@pytest.mark.interpreted
def test_two_hunters_are_a_team_and_the_hare_rests_on_every_second_turn():
    assert GAME.teams == ((WOLF, FOX), (HARE,))
    state = GAME.start()
    assert GAME.movers(state) == [WOLF, FOX, HARE]
    GAME.play(state, (STAY, STAY, STAY))
    assert GAME.movers(state) == [WOLF, FOX]
    GAME.play(state, (STAY, STAY, NONE))
    assert GAME.movers(state) == [WOLF, FOX, HARE]
    awake = make_game("hunt", rest=0)
    state = awake.start()
    for _ in range(6):
        assert awake.movers(state) == [WOLF, FOX, HARE]
        awake.play(state, (STAY, STAY, STAY))
    assert awake.over(state)
    assert awake.movers(state) == []
    assert list(awake.rewards(state)) == [0, 0, 1]
    assert list(awake.points(state)) == [0, 0, 6]


@pytest.mark.interpreted
def test_nobody_leaves_the_board():
    names = {square: set() for square in range(9)}
    for square in names:
        for move in GAME.moves(placed(square, 0, 8), WOLF):
            names[square].add(GAME.name(move))
    assert names[0] == {"stay", "up", "right"}
    assert names[4] == {"stay", "up", "down", "left", "right"}
    assert names[5] == {"stay", "up", "down", "left"}
    assert names[8] == {"stay", "down", "left"}


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("squares", "joint", "caught"),
    [
        ((0, 2, 4), (UP, UP, LEFT), True),  # wolf and hare meet on a2
        ((3, 2, 4), (RIGHT, STAY, LEFT), True),  # they change squares
        ((3, 2, 4), (STAY, STAY, LEFT), True),  # the hare runs into the wolf
        ((3, 5, 4), (RIGHT, STAY, STAY), True),  # the wolf comes
        ((3, 5, 4), (RIGHT, LEFT, UP), False),  # the hare leaves in time
        ((3, 6, 4), (DOWN, RIGHT, LEFT), False),  # the hare takes the wolf's empty place
        ((0, 1, 4), (STAY, UP, DOWN), True),  # the fox and the hare change squares
        ((0, 1, 4), (STAY, UP, RIGHT), False),
    ],
)
def test_who_is_caught(squares, joint, caught):
    state = placed(*squares)
    GAME.play(state, joint)
    assert GAME.over(state) == caught
    assert list(GAME.rewards(state)) == pytest.approx(
        [1, 1, 0] if caught else [5 / 6, 5 / 6, 1 / 6]
    )


@pytest.mark.interpreted
def test_a_resting_hare_stays_where_it_is():
    state = GAME.start()
    GAME.play(state, (UP, UP, STAY))
    GAME.play(state, (UP, LEFT, NONE))
    assert list(state.square) == [6, 4, 7]
    GAME.play(state, (STAY, STAY, RIGHT))
    GAME.play(state, (RIGHT, UP, NONE))
    assert list(state.square) == [7, 7, 8]
    assert not GAME.over(state)
    assert GAME.show(state).splitlines()[0] == "3 . W h"
    GAME.play(state, (RIGHT, STAY, STAY))
    assert GAME.over(state)
    assert list(GAME.points(state)) == [2, 2, 4]


@pytest.mark.interpreted
def test_the_board_is_drawn():
    state = placed(0, 5, 7)
    assert GAME.show(state).splitlines() == ["3 . h .", "2 . . f", "1 w . .", "  a b c", "turn 1"]
    GAME.play(state, (UP, STAY, RIGHT))
    GAME.play(state, (STAY, UP, NONE))
    assert GAME.show(state).splitlines()[0] == "3 . . *"


def test_values_of_the_split_turn():
    """With the hunters first the hare knows where they go, and lives for one turn more."""
    state = GAME.start()
    first = max_n(GAME, state, total=1.0, searcher=WOLF)
    last = max_n(GAME, state, total=1.0, searcher=WOLF, optimistic=True)
    assert first.values == pytest.approx((3 / 6, 3 / 6, 3 / 6))
    assert last.values == pytest.approx((4 / 6, 4 / 6, 2 / 6))
    for member in (WOLF, FOX):
        assert paranoid(GAME, state, member).value == pytest.approx(3 / 6)
    # The hare's search puts the hare first: it is the hunters who know then.
    assert paranoid(GAME, state, HARE).value == pytest.approx(2 / 6)
    assert paranoid(GAME, state, HARE, optimistic=True).value == pytest.approx(3 / 6)


@pytest.mark.parametrize("rest", [0, 2])
def test_the_value_of_moving_at_once_lies_between(rest):
    game = make_game("hunt", width=3, height=2, turns=3, rest=rest)
    state = game.start()
    first = max_n(game, state, searcher=WOLF).values[WOLF]
    last = max_n(game, state, searcher=WOLF, optimistic=True).values[WOLF]
    at_once = mixed_value(game, state, {})
    assert first - 1e-9 <= at_once <= last + 1e-9
    if rest == 0:
        assert first + 0.01 < at_once < last - 0.01


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 1}, "sides of 2 to 10, not 1x3"),
        ({"turns": 0}, "1 to 1000 turns, not 0"),
        ({"rest": -1}, "never, not -1"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        make_game("hunt", **arguments)
