"""Cuts and results as bytes, against the searches they come from and obvious re-rooting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.search.desk import LOGGED_MOVES, log_dtype
from manyminds.search.exchange import ROOT, Cut, cut_dtype
from manyminds.search.search import Search
from manyminds.teams.message import WIDE, Refused
from manyminds.teams.whole_cut import whole_cut
from manyminds.teams.wire import (
    pack_cut,
    pack_results,
    reroot_cut,
    reroot_results,
    results_bytes,
    unpack_cut,
    unpack_results,
)

SLOTS = 2


@pytest.fixture(scope="module")
def search(game):
    found = Search(game, seed=5, jointly=True, results=300, social=True)
    found.run(simulations=300)
    return found


@pytest.mark.parametrize("flags", [0, WIDE])
def test_a_cut_comes_back_with_its_visits_and_nearly_its_values(search, flags):
    cut = whole_cut(search, 100)
    back = unpack_cut(pack_cut(cut, flags), flags, SLOTS)
    for column in ("parent", "move", "visits"):
        np.testing.assert_array_equal(back.entries[column], cut.entries[column])
    assert np.abs(back.values() - cut.values()).max() <= 0.5 / 65_535 + 1e-9
    assert back.visits == 300


def test_visits_alone_come_back_without_values(search):
    cut = search.next_moves(0)
    packed = pack_cut(cut, 0, values=False)
    assert len(packed) == 8 * len(cut.entries)
    assert unpack_cut(packed, 0, SLOTS, values=False).totals() == cut.totals()


@pytest.mark.parametrize("flags", [0, WIDE])
def test_results_come_back(search, flags):
    results = search.copy().results()
    packed = pack_results(results, flags)
    back = unpack_results(packed, flags, SLOTS)
    assert len(packed) == 2 + results_bytes(results, flags, SLOTS).sum()
    np.testing.assert_array_equal(back["n"], results["n"])
    for k, n in enumerate(results["n"]):
        np.testing.assert_array_equal(back["moves"][k, :n], results["moves"][k, :n])
    np.testing.assert_allclose(back["sums"] / 2**30, results["sums"] / 2**30, atol=1e-5)


def paths(cut):
    """Visits by path, for the entries that have any."""
    entries = cut.entries
    return {
        cut.path(k): int(entries[k]["visits"]) for k in range(len(entries)) if entries[k]["visits"]
    }


def test_what_a_cut_says_below_a_move_is_what_it_said_of_paths_through_it(search):
    cut = whole_cut(search, 100)
    for first in {path[0] for path in paths(cut)}:
        below = {path[1:]: n for path, n in paths(cut).items() if path[0] == first and path[1:]}
        assert paths(reroot_cut(cut, [first])) == below
        for second in {path[0] for path in below}:
            deeper = {p[1:]: n for p, n in below.items() if p[0] == second and p[1:]}
            assert paths(reroot_cut(cut, [first, second])) == deeper
    assert paths(reroot_cut(cut, [9999])) == {}


def test_results_below_a_move_are_those_through_it(search):
    results = search.copy().results()
    move = int(results["moves"][0, 0])
    kept = reroot_results(results, [move])
    through = [
        (n, list(m[1:n]))
        for n, m in zip(results["n"], results["moves"], strict=True)
        if n and m[0] == move
    ]
    assert [
        (int(n) + 1, list(m[:n])) for n, m in zip(kept["n"], kept["moves"], strict=True)
    ] == through


@given(st.binary(max_size=400), st.sampled_from([0, WIDE]), st.booleans())
def test_any_bytes_are_a_fit_cut_or_refused(data, flags, values):
    try:
        cut = unpack_cut(data, flags, SLOTS, values)
    except Refused:
        return
    above = cut.entries["parent"]
    assert ((above == ROOT) | (above < np.arange(len(above)))).all()
    assert (cut.entries["sums"] >= 0).all()
    assert (cut.entries["sums"] <= cut.entries["visits"].astype(np.int64)[:, None] * 2**30).all()


@given(st.binary(max_size=400), st.sampled_from([0, WIDE]))
def test_any_bytes_are_results_or_refused(data, flags):
    try:
        results = unpack_results(data, flags, SLOTS)
    except Refused:
        return
    assert (results["n"] <= LOGGED_MOVES).all()
    assert results.dtype == log_dtype(SLOTS)


def test_an_empty_cut_is_one():
    empty = Cut(np.zeros(0, cut_dtype(SLOTS)).view(np.recarray))
    assert len(unpack_cut(pack_cut(empty, 0), 0, SLOTS)) == 0
