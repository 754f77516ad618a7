"""Simultaneous turns as a tree has them: whose choice comes when, and what a joint move is."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.errors import UsageError
from manyminds.games.contract import NONE
from manyminds.games.registry import make_game
from manyminds.search import calls
from manyminds.search.search import Search
from manyminds.search.turns import SplitTurns, Turns, turns_of

pytestmark = pytest.mark.interpreted
HUNT = make_game("hunt", width=3, height=2, turns=4, rest=2)  # hunters 0 and 1 against the hare, 2
BIDS = make_game("goofspiel", cards=3, seats=3)
WAYS = list(itertools.product([0, 1], [False, True], [False, True]))


def choosers(turns, view):
    """Who chooses, first choice by first choice, in the turn that is on."""
    order, view = [], turns.state.unpack(view.tobytes())
    while True:
        order.append(int(calls.seat(turns.kernels, view)))
        calls.play(turns.kernels, view, int(moves(turns, view)[0]))
        if view.next == 0:
            return order


def moves(turns, view):
    return Search.moves_at(_Asked(turns), view)


class _Asked:
    """As much of a search as lists the moves of a position."""

    def __init__(self, turns):
        self.kernels, self.settings = turns.kernels, turns.game.set_up()


@pytest.mark.parametrize(
    ("team", "optimistic", "order"),
    [(0, False, [0, 1, 2]), (0, True, [2, 0, 1]), (1, False, [2, 0, 1]), (1, True, [0, 1, 2])],
)
def test_the_searchers_team_chooses_first_or_if_optimistic_last(team, optimistic, order):
    turns = SplitTurns(HUNT, team, optimistic)
    assert choosers(turns, turns.enter(HUNT.start())) == order
    jointly = SplitTurns(HUNT, team, optimistic, jointly=True)
    assert choosers(jointly, jointly.enter(HUNT.start())) == [s for s in order if s != 1]


def test_with_three_teams_the_others_keep_their_order():
    for team, order in ((0, [0, 1, 2]), (1, [1, 0, 2]), (2, [2, 0, 1])):
        turns = SplitTurns(BIDS, team)
        assert choosers(turns, turns.enter(BIDS.start())) == order
    turns = SplitTurns(BIDS, 1, optimistic=True)
    assert choosers(turns, turns.enter(BIDS.start())) == [0, 2, 1]


def test_only_movers_choose():
    """On every second turn the hare rests."""
    state = HUNT.start()
    HUNT.play(state, [0, 0, 0])
    turns = SplitTurns(HUNT, 1)
    assert choosers(turns, turns.enter(state)) == [0, 1]


def test_joint_moves_are_all_pairs_of_the_mates_moves():
    turns = SplitTurns(HUNT, 0, jointly=True)
    view = turns.enter(HUNT.start())
    found = moves(turns, view).tolist()
    singles = [HUNT.moves(HUNT.start(), seat).tolist() for seat in (0, 1)]
    assert sorted(found) == sorted(a + 5 * b for a, b in itertools.product(*singles))
    assert len(found) == len(set(found)) == 9
    for move in found:
        assert turns.seat_move(view, 0, move) == move % 5
        assert turns.seat_move(view, 1, move) == move // 5
    assert turns.name_of(view, 1 + 5 * 3) == "wolf up fox left"


@given(way=st.sampled_from(WAYS), picks=st.lists(st.integers(0, 10**6), min_size=12, max_size=12))
def test_choices_one_by_one_are_the_joint_move(way, picks):
    """Played through the tree's choices and at once, turn for turn: the same states."""
    team, optimistic, jointly = way
    turns, state = turns_of(HUNT, team, optimistic, jointly), HUNT.start()
    view = turns.enter(state)
    picks = iter(picks)
    while not HUNT.over(state):
        joint = [NONE] * 3
        for seat in HUNT.movers(state):
            own = HUNT.moves(state, seat)
            joint[seat] = int(own[next(picks) % len(own)])
        for move in turns.moves_of(view, joint):
            assert move in moves(turns, view)
            calls.play(turns.kernels, view, move)
        HUNT.play(state, joint)
        assert view.position.tobytes() == state.tobytes()
    assert calls.seat(turns.kernels, view) == -3


def test_a_seat_is_asked_for_its_own_next_choice():
    turns = SplitTurns(HUNT, 0)
    view = turns.enter(HUNT.start())
    for seat in range(3):
        assert int(calls.seat(turns.kernels, turns.choice_of(view, seat))) == seat
    state = HUNT.start()
    HUNT.play(state, [0, 0, 0])
    assert turns.choice_of(turns.enter(state), 2) is None


def test_games_in_turns_stay_as_they_are():
    nim = make_game("nim")
    turns = turns_of(nim, 1, True, True)
    assert type(turns) is Turns
    assert turns.kernels is nim.kernels
    assert turns_of(nim) is turns_of(nim)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: SplitTurns(HUNT, 2), "has the teams 0 to 1, not 2"),
        (lambda: SplitTurns(HUNT, 0).moves_of(view_of(HUNT), [1, 1, NONE]), "wolf, fox, hare"),
        (lambda: SplitTurns(HUNT, 0).moves_of(view_of(HUNT), 3), "wolf, fox, hare"),
    ],
)
def test_what_is_no_turn_is_refused(make, said):
    with pytest.raises(UsageError) as refused:
        make()
    assert said in str(refused.value)


def view_of(game):
    return SplitTurns(game, 0).enter(game.start())
