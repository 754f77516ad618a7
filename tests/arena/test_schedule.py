import hashlib
import itertools

import pytest

from manyminds.arena.campaign import MOST_GAMES
from manyminds.arena.pairing import Lineup
from manyminds.arena.schedule import Schedule

A, B = Lineup(("x", "y", "z"), 4), Lineup(("z", "x", "x"), 2)


@pytest.fixture
def schedule(plain):
    def make(*lineups, **choices):
        return Schedule.numbered(plain([["x", "y", "z"]], seats=3, **choices), lineups)

    return make


def test_line_ups_advance_together(schedule):
    assert list(schedule(A, B).numbers()) == [0, MOST_GAMES, 1, MOST_GAMES + 1, 2, 3]
    assert len(schedule(A, B)) == 6


def test_a_game_is_the_same_whoever_asks_and_when(schedule):
    forward, other = schedule(A, B), schedule(A, B)
    numbers = list(forward.numbers())
    assert [forward[n] for n in numbers] == [other[n] for n in reversed(numbers)][::-1]
    assert forward[3 * 1 + 999_000].index == 999_003  # nobody has to count up to it


def test_the_seed_is_the_documented_hash(schedule):
    plan = schedule(A, seed=7)[2]
    words = repr((7, "game", "2", "x", "y", "z")).encode()
    assert plan.seed == int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "little")


def test_seeds_differ_between_games_line_ups_and_campaigns(schedule):
    lineups = [Lineup(names, 50) for names in itertools.permutations("abc")]
    seeds = [
        s[n].seed for s in (schedule(*lineups), schedule(*lineups, seed=2)) for n in s.numbers()
    ]
    assert len(set(seeds)) == 2 * 6 * 50
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_line_up_plays_the_same_games_whatever_its_number(schedule):
    alone, second = schedule(B), schedule(A, B)
    assert [alone[k].seed for k in range(5)] == [second[MOST_GAMES + k].seed for k in range(5)]


def test_paired_line_ups_share_their_seeds(schedule):
    paired = schedule(A, B, paired=True)
    assert paired[1].seed == paired[MOST_GAMES + 1].seed != paired[2].seed


def test_rotation_brings_every_place_to_every_seat(schedule):
    turning = schedule(A, rotate=True)
    assert [turning[k].places for k in range(4)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    assert [turning[k].players for k in range(3)] == [
        ("x", "y", "z"),
        ("y", "z", "x"),
        ("z", "x", "y"),
    ]


def test_a_line_up_that_is_not_there_is_no_game(schedule):
    with pytest.raises(KeyError):
        schedule(A)[MOST_GAMES]
