"""A short form of the load test; the long one is tools/load_web.py."""

import pytest

import load_web

pytestmark = pytest.mark.slow


def test_moves_reach_every_page_soon():
    found = load_web.measure(games=12, seconds=4, every=0.5)
    assert found["sockets"] == 36
    assert found["moves"] >= 40
    assert found["p50_ms"] < 100  # other tests may run beside this one: the goal is for p99 alone
