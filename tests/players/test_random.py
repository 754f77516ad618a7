"""The random player: uniform, legal, and the same again from its seed."""

from collections import Counter

from scipy.stats import chisquare

from manyminds.core.budget import Budget
from manyminds.players import Lineup
from manyminds.players.random import RandomPlayer

ONE = Budget(simulations=1)


def draws(game, seed, seat=0, n=1200):
    player = RandomPlayer()
    player.begin(game, seat, Lineup(["random", "random"], seed))
    state = game.start()
    return [player.decide(state, ONE).move for _ in range(n)]


def test_every_legal_move_is_as_likely(nim):
    counts = Counter(draws(nim, seed=1))
    legal = [int(move) for move in nim.moves(nim.start())]
    assert set(counts) == set(legal)
    assert chisquare([counts[move] for move in legal]).pvalue > 0.001


def test_draws_follow_from_seed_and_seat(nim):
    first = draws(nim, seed=1, n=50)
    assert draws(nim, seed=1, n=50) == first
    assert draws(nim, seed=2, n=50) != first
    assert draws(nim, seed=1, seat=1, n=50) != first


def test_a_match_begins_anew(nim):
    player = RandomPlayer()
    lineup = Lineup(["random", "random"], 9)
    runs = []
    for _ in range(2):
        player.begin(nim, 0, lineup)
        runs.append([player.decide(nim.start(), ONE).move for _ in range(10)])
    assert runs[0] == runs[1]


def test_line_ups_within_line_ups_draw_differently():
    lineup = Lineup(["vote(random, random)", "random"], seed=5)
    seeds = {
        lineup.seed_of(0),
        lineup.seed_of(1),
        lineup.within(0).seed_of(0),
        lineup.within(1).seed_of(0),
    }
    assert len(seeds) == 4
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert list(lineup.within(0)) == list(lineup)
