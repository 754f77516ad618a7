"""Campaigns on a game in plain Python, which need no compiling."""

import time
from pathlib import Path

import psutil
import pytest

from manyminds.arena.campaign import Campaign
from manyminds.arena.driver import run

PLAIN = Path(__file__).with_name("files") / "plain.py"


def _plain(lineups=(("draws", "draws"),), games=20, seed=1, seats=2, stones=9, **choices):
    """A campaign on plain Nim."""
    game = {"name": "plain-nim", "seats": seats, "stones": stones}
    return Campaign(game, lineups=lineups, games=games, seed=seed, files=[str(PLAIN)], **choices)


@pytest.fixture
def store(tmp_path):
    """Where a store may be made."""
    return tmp_path / "campaign.db"


@pytest.fixture
def played(store):
    """A store with two line-ups of twelve games each, on three seats."""
    campaign = _plain(
        [["draws", "takes-one", "draws"], ["takes-one", "takes-one", "draws"]], games=12, seats=3
    )
    run(campaign, store, workers=0)
    return store


def _wait_until(true, seconds=20.0):
    """Wait for a condition; whether it came true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def _alive(pid):
    """Whether the process runs; a zombie does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture(scope="session")
def plain():
    return _plain


@pytest.fixture(scope="session")
def wait_until():
    return _wait_until


@pytest.fixture(scope="session")
def alive():
    return _alive
