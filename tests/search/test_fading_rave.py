"""RAVE as the engine has it: later moves count for less, and those after an opponent's not at all."""

import numpy as np
import pytest

import manyminds as mm
from manyminds.search.selection import engine

SIMULATIONS = 400


def replayed(game, moves):
    """(mover, move) of a whole game."""
    state, made = game.start(), []
    for move in moves:
        made.append((game.seat(state), move))
        game.play(state, move)
    return made


def expected_weight(made, seat, move):
    """The weight for a child of the root, by Fuego's rule, from the whole game's moves."""
    n = len(made)
    for place, (mover, other) in enumerate(made):
        if other == move:
            return 2 - place / n if mover == seat else 0.0
    return 0.0


@pytest.mark.parametrize("seed", range(4))
def test_a_playout_counts_by_when_a_move_came(seed):
    """One simulation at a time; the rest of a game is read from what the root's children gained."""
    game = mm.make_game("tic_tac_toe")
    search = mm.Search(game, selection=engine(), seed=seed, expand_after=10**6)
    before = np.zeros(9), np.zeros(9)
    for _ in range(SIMULATIONS):
        search.run(simulations=1)
        n = int(search.desk.trace.n)
        made = list(
            zip(
                search.desk.trace.seat[:n].tolist(),
                search.desk.trace.move[:n].tolist(),
                strict=True,
            )
        )
        assert made == replayed(game, [move for _, move in made])
        reward = int(search.desk.sums[0]) / 2**30
        first = int(search.tree.nodes[0].first)
        moves = search.tree.nodes["move"][first : first + 9]
        visits = search.tree.rave["visits"][first : first + 9].astype(float)
        totals = search.tree.rave["total"][first : first + 9].astype(float)
        weights = np.array([expected_weight(made, 0, int(move)) for move in moves])
        assert visits - before[0] == pytest.approx(weights, abs=1e-3)
        assert totals - before[1] == pytest.approx(weights * reward, abs=1e-3)
        before = visits, totals
