"""The policy behind the heuristics, as Fuego 0.4 recorded it: filter, correction, choice, prior."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings

from manyminds.core.kernel import entry, interpreted
from manyminds.core.random import generator
from manyminds.games.go import points
from manyminds.games.go.agents import with_agents
from manyminds.games.go.coordinates import point_name
from manyminds.games.go.liberties import last_liberty

from . import slow_policy
from .drawn import any_go, place_of, point_of
from .test_heuristics import after_some_moves, boards, places, point, recorded, seen_slowly

CHOICES = 4000  # draws of a policy in one position


@entry
def fitting(board, release, out):
    n = 0
    for k in range(board.empties):
        at = np.uint32(board.empty[np.uint32(k)])
        if points.fits(board, at, board.to_play, release):
            out[n] = at
            n += 1
    return n


@entry
def correct(board, at, release):
    return points.corrected(board, np.uint32(at), board.to_play, release)


@entry
def ask_prior(game, board, moves, out, settings):
    game.prior(board, moves, out, settings)


@entry
def steps(game, board, rng, trace, settings, out):
    for k in range(out.shape[0]):
        out[k] = game.step(board, rng, trace, settings)


@pytest.fixture(scope="module")
def game():
    """Compiled once for the tests below, which takes most of their time."""
    return with_agents(any_go(), "faithful")


@functools.cache
def positions():
    """The recorded boards with their kos, which the record leaves out.

    A lone stone just played with one liberty, which it and its friends surround: taking it is what the
    filter accepts, unless it is a ko. No other point can be one.
    """
    boards = []
    for board, row in recorded():
        board = board.copy()
        size = row["size"]
        last = np.uint32(board.last)
        if last and board.stones[board.head[last]] == 1 and board.color[last] != board.to_play:
            liberty = int(last_liberty_of(board, last))
            if liberty and liberty not in [point(p, size) for p in row["generate_ok"]]:
                near = {int(board.color[liberty + step]) for step in (-20, -1, 1, 20)}
                if near <= {int(board.color[last]), 7}:
                    board.ko = liberty
        boards.append((board, row))
    return boards


@entry
def last_liberty_of(board, at):
    return last_liberty(board, np.uint32(board.head[at]))


def fits(board, release=points.FUEGO_04):
    out = np.zeros(400, np.uint32)
    return [int(p) for p in out[: fitting(board, release, out)]]


def test_the_filter_accepts_what_fuegos_accepts():
    for board, row in positions():
        found = sorted(place_of(p) for p in fits(board))
        assert found == places(row["generate_ok"], row["size"]), row


def test_the_correction_moves_what_fuegos_moves():
    for board, row in positions():
        size = row["size"]
        moved = {p: int(correct(board, p, points.FUEGO_04)) for p in fits(board)}
        found = {p: q for p, q in moved.items() if p != q}
        assert found == {point(p, size): point(q, size) for p, q in row["correction"].items()}, row


def outcomes(game, board, row, seed):
    """The moves that the policy makes in a position, of many draws."""
    out = np.zeros(CHOICES, np.uint32)
    steps(game.kernels, board, generator(seed), game.trace.new(), game.set_up(), out)
    return {int(p) for p in out}


@pytest.mark.slow
def test_the_policy_plays_what_fuegos_plays(game):
    for number, (board, row) in enumerate(positions()):
        size = row["size"]
        moved = {point(p, size): point(q, size) for p, q in row["correction"].items()}
        wishes = {point(p, size) for p in row["policy_moves"]} or {0}
        found = outcomes(game, board.copy(), row, number)
        if row["policy_type"] == "SelfAtariCorr":
            assert wishes & found, row
        else:
            assert found <= {moved.get(p, p) for p in wishes} | wishes, (row, found)
            assert found & wishes or moved, (row, found)
            if len(wishes) <= 4 and not moved:
                assert found == wishes, (row, found)


SALTS = 300


@pytest.mark.slow
def test_the_prior_is_fuegos(game):
    """Exactly, where Fuego's policy has no choice; else for one of the choices that ours can make."""
    at_once = 0
    for board, row in positions():
        size = row["size"]
        moves = np.array([*any_go().moves(board)], np.uint32)
        expected = np.array(
            [
                row["prior"].get("pass" if not p else point_name(int(p), size, size), [0, 0])[:2]
                for p in moves
            ]
        )
        for salt in range(SALTS):
            out = np.zeros((len(moves), 2))
            ask_prior(game.kernels, board, moves, out, game.set_up(prior="default", salt=salt))
            if np.allclose(out * (out[:, :1] > 0), expected * (expected[:, :1] > 0), atol=1e-5):
                break
        else:
            pytest.fail(f"no choice of ours has Fuego's prior: {row}")
        at_once += salt == 0
    assert at_once > 540


# --- against the slow ones ---------------------------------------------------------------------------


@pytest.mark.interpreted
@given(boards)
@settings(max_examples=15 if interpreted() else 200)
def test_filter_and_correction_agree_with_slow_ones(board):
    seen = seen_slowly(board)
    for release, later in ((points.FUEGO_04, False), (points.FUEGO_041, True)):
        found = sorted(place_of(p) for p in fits(board, release))
        legal = [place for place in seen.board.empties() if seen.board.legal(place)]
        assert found == sorted(p for p in legal if slow_policy.accepts(seen, p, later)), release
        for place in legal:
            ours = place_of(int(correct(board, point_of(place), release)))
            assert ours == slow_policy.corrected(seen, place, later), (place, release)


def test_releases_differ_somewhere():
    differ = set()
    for seed in range(120):
        board = after_some_moves((7, 7), 2 + seed % 3, 40 + seed % 20, seed)
        old, new = (set(fits(board, r)) for r in (points.FUEGO_04, points.FUEGO_041))
        assert new <= old
        if new != old:
            differ.add("filter")
        if any(correct(board, p, 1) != correct(board, p, 2) for p in new):
            differ.add("correction")
    assert differ == {"filter", "correction"}
