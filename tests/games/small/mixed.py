"""The value of a simultaneous game between two teams, in mixed strategies, by linear programs."""

import itertools

import numpy as np
from scipy.optimize import linprog

from manyminds.games.contract import NONE


def matrix_value(matrix):
    """What the row player can be sure of by choosing rows at random, and no more."""
    rows, columns = matrix.shape
    done = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
    )
    assert done.status == 0
    return -done.fun


def mixed_value(game, state, known):
    """The first team's value, backwards from the ends; the teams' rewards sum to 1."""
    key = state.tobytes()
    if key not in known:
        if game.over(state):
            known[key] = game.rewards(state)[game.teams[0][0]]
        else:
            rows, columns = (joint_moves(game, state, team) for team in game.teams)
            known[key] = matrix_value(
                np.array([[after(game, state, {**a, **b}, known) for b in columns] for a in rows])
            )
    return known[key]


def joint_moves(game, state, team):
    seats = [seat for seat in game.movers(state) if seat in team]
    choices = itertools.product(*(game.moves(state, seat) for seat in seats))
    return [dict(zip(seats, joint, strict=True)) for joint in choices]


def after(game, state, joint, known):
    state = game.copy(state)
    game.play(state, tuple(int(joint.get(seat, NONE)) for seat in range(game.seats)))
    return mixed_value(game, state, known)
