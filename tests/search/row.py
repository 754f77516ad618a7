"""A game for three with what games may add: forced moves, priors, fewer moves for the tree."""

import manyminds as mm
from manyminds.core.kernel import kernel
from manyminds.games.contract import Game

STATE = mm.record(made="uint8[6]", n="uint8")


@kernel
def seat(state):
    return int(state.n) % 3


@kernel
def moves(state, out):
    """Moves not made yet; after move 3 the next seat has only one."""
    n = 0
    for move in range(6):
        if not state.made[move]:
            out[n] = move
            n += 1
    return 1 if state.made[3] == state.n and state.n > 0 else n


@kernel
def play(state, move):
    state.n += 1
    state.made[move] = state.n


@kernel
def over(state):
    return state.n == 6


@kernel
def rewards(state, out):
    """The later a seat's favourite move was made, the better for it."""
    for k in range(3):
        out[k] = int(state.made[2 * k]) / 6


@kernel
def prior(state, moves, out):
    for k in range(moves.shape[0]):
        out[k, 0] = moves[k] % 4
        out[k, 1] = moves[k] / 8


@kernel
def tree_moves(state, out):
    """Of more than two moves the tree leaves out the first one."""
    n = moves(state, out)
    if n > 2:
        n -= 1
        out[0] = out[n]
    return n


def plain_prior(moves):
    return [(move % 4, move / 8) for move in moves]


def row_game(**functions):
    return Game(
        "row", STATE, seats=3, start=STATE.new, seat=seat, moves=moves, play=play, over=over,
        rewards=rewards, move_ids=6, most_moves=6, longest=6, **functions,
    )  # fmt: skip


def plain_tree_moves(state):
    left = GAME.moves(state).tolist()
    return left if len(left) <= 2 else [left[-1], *left[1:-1]]


GAME, KNOWING, THINNED = row_game(), row_game(prior=prior), row_game(tree_moves=tree_moves)
