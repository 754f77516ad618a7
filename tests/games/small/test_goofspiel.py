"""Goofspiel: bids on played positions, and its values against linear programs."""

import pytest

from manyminds.core.errors import UsageError
from manyminds.games.registry import make_game
from manyminds.search.exact import max_n

from .mixed import mixed_value


def played(game, *bids):
    state = game.start()
    for cards in bids:
        game.play(state, tuple(card - 1 for card in cards))
    return state


@pytest.mark.interpreted
def test_the_highest_bid_takes_the_prize_and_equal_ones_nobody():
    game = make_game("goofspiel", cards=4, seats=3)
    state = played(game, (1, 3, 2))
    assert list(game.points(state)) == [0, 4, 0]
    state = played(game, (1, 3, 2), (4, 4, 1))
    assert list(game.points(state)) == [0, 4, 0]
    state = played(game, (1, 3, 2), (4, 4, 1), (3, 1, 3))
    assert list(game.points(state)) == [0, 4, 0]
    state = played(game, (1, 3, 2), (4, 4, 1), (3, 1, 3), (2, 2, 4))
    assert list(game.points(state)) == [0, 4, 1]
    assert game.over(state)
    assert list(game.rewards(state)) == [0, 1, 0]
    assert game.movers(state) == []


@pytest.mark.interpreted
def test_a_higher_bid_after_equal_ones_wins():
    game = make_game("goofspiel", cards=3, seats=3, order="ascending")
    assert list(game.points(played(game, (2, 2, 3)))) == [0, 0, 1]
    assert list(game.points(played(game, (3, 2, 3)))) == [0, 0, 0]


@pytest.mark.interpreted
def test_winners_share_the_reward():
    game = make_game("goofspiel", cards=3, seats=3)
    state = played(game, (1, 1, 1))
    assert game.rewards(state) == pytest.approx([1 / 3] * 3)
    state = played(game, (1, 2, 3), (2, 3, 1))
    assert list(game.points(state)) == [0, 2, 3]
    game = make_game("goofspiel", cards=3, order="ascending")
    state = played(game, (2, 1), (1, 3), (3, 2))
    assert list(game.points(state)) == [4, 2]
    assert list(game.rewards(state)) == [1, 0]


@pytest.mark.interpreted
def test_a_card_is_bid_once():
    game = make_game("goofspiel", cards=3)
    state = played(game, (2, 3))
    assert [game.name(move) for move in game.moves(state, 0)] == ["1", "3"]
    assert [game.name(move) for move in game.moves(state, 1)] == ["1", "2"]
    assert game.show(state).splitlines() == [
        "prize 2, then 1",
        "seat0: 1 3  (0 points)",
        "seat1: 1 2  (3 points)",
    ]


@pytest.mark.parametrize("order", ["descending", "ascending"])
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_alike_seats_have_alike_chances_between_those_of_knowing_and_of_being_known(cards, order):
    game = make_game("goofspiel", cards=cards, order=order)
    state = game.start()
    known = max_n(game, state, total=1.0).values[0]
    knowing = max_n(game, state, total=1.0, optimistic=True).values[0]
    assert mixed_value(game, state, {}) == pytest.approx(0.5)
    assert known <= 0.5 <= knowing
    assert known + knowing == 1.0
    if cards == 4:
        assert (known, knowing) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cards": 14}, "1 to 13 cards and 2 to 8 seats, not 14 and 2"),
        ({"seats": 1}, "not 4 and 1"),
        ({"order": "descnding"}, 'did you mean "descending"'),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        make_game("goofspiel", **arguments)
