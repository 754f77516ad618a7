"""Random games move by move beside OpenSpiel's implementations of the same rules."""

import numpy as np
import pyspiel
import pytest

from manyminds.games.contract import CHANCE
from manyminds.games.registry import make_game

GAMES = {
    "tic_tac_toe": ({}, "tic_tac_toe"),
    "connect_four": ({}, "connect_four"),
    "connect_four-5x4": ({"width": 5, "height": 4}, "connect_four(columns=5,rows=4)"),
    "nim": ({"heaps": [3, 4, 5]}, "nim(pile_sizes=3;4;5,is_misere=false)"),
    "nim-misere": ({"heaps": [1, 3, 2], "misere": True}, "nim(pile_sizes=1;3;2,is_misere=true)"),
    "pig": ({"target": 15, "rounds": 500}, "pig(winscore=15,horizon=100000)"),
}


def their_action(game, theirs, state, move):
    """Their number for our move: by its name where numbers are given out in another order."""
    legal, name = theirs.legal_actions(), game.name(move)
    if game.title == "nim":
        name = f"pile:{'abc'.index(name[0]) + 1}, take:{name[1:]};"
    elif game.title == "pig" and not theirs.is_chance_node():
        name = {"hold": "stop"}.get(name, name)
    else:
        return legal[list(game.moves(state)).index(move)]
    names = [theirs.action_to_string(theirs.current_player(), action) for action in legal]
    return legal[names.index(name)]


def moves_in_theirs(game, state):
    """How many moves they list: in their Pig a seat may also hold nothing at all."""
    first_roll = game.title == "pig" and not state.rolling and not state.risked
    return len(game.moves(state)) + first_roll


def hold_in_theirs(game, state, theirs):
    """In their Pig what reaches the target must still be held; in ours that happens by itself."""
    if game.title == "pig" and game.over(state) and not theirs.is_terminal():
        theirs.apply_action(theirs.legal_actions()[-1])


@pytest.mark.parametrize("key", GAMES)
def test_the_same_games(key):
    arguments, name = GAMES[key]
    game, rival = make_game(key.split("-")[0], **arguments), pyspiel.load_game(name)
    rng = np.random.default_rng(1)
    for _ in range(60):
        state, theirs = game.start(), rival.new_initial_state()
        while not game.over(state):
            assert not theirs.is_terminal()
            assert (game.seat(state) == CHANCE) == theirs.is_chance_node()
            if game.seat(state) != CHANCE:
                assert game.seat(state) == theirs.current_player()
            assert moves_in_theirs(game, state) == len(theirs.legal_actions())
            move = int(rng.choice(game.moves(state)))
            action = their_action(game, theirs, state, move)
            game.play(state, move)
            theirs.apply_action(action)
            hold_in_theirs(game, state, theirs)
        assert theirs.is_terminal()
        assert [2 * reward - 1 for reward in game.rewards(state)] == theirs.returns()


@pytest.mark.parametrize(
    ("cards", "order"), [(4, "descending"), (6, "ascending"), (13, "descending")]
)
def test_the_same_goofspiel(cards, order):
    game = make_game("goofspiel", cards=cards, order=order)
    rival = pyspiel.load_game(f"goofspiel(num_cards={cards},points_order={order})")
    rng = np.random.default_rng(2)
    for _ in range(60):
        state, theirs = game.start(), rival.new_initial_state()
        while not game.over(state):
            bids = []
            for seat in game.movers(state):
                if not theirs.is_terminal():
                    assert list(game.moves(state, seat)) == theirs.legal_actions(seat)
                bids.append(int(rng.choice(game.moves(state, seat))))
            game.play(state, tuple(bids))
            if not theirs.is_terminal():  # they play the last card by themselves
                theirs.apply_actions(bids)
        assert theirs.is_terminal()
        assert [2 * reward - 1 for reward in game.rewards(state)] == theirs.returns()
