"""The campaigns in examples/ can be read, and their players sit."""

from pathlib import Path

import pytest

import manyminds.teams  # noqa: F401 - registers the mates
from manyminds.arena.campaign import read_campaign
from manyminds.games.registry import make_game
from manyminds.players import make_player

FILES = sorted((Path(__file__).parents[2] / "examples" / "campaigns").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_players_can_be_made_for_its_game(file):
    campaign = read_campaign(file)
    assert campaign.games >= 10
    game = make_game(**campaign.game)
    for lineup in campaign.lineups:
        for player in lineup:
            make_player(player, game)


def test_there_are_some():
    assert len(FILES) >= 3
