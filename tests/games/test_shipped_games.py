"""Every game that ships keeps the contract, as made by its name and with other arguments."""

import pytest

from manyminds.games.check import check_game
from manyminds.games.registry import known_games, make_game

OTHERS = [
    ("go", {"size": [7, 5], "colours": 6}),
    ("nim", {"heaps": [1, 2], "misere": True}),
    ("goofspiel", {"cards": 3, "seats": 3, "order": "ascending"}),
    ("hunt", {"rest": 0, "turns": 12}),
    ("sweep", {"robots": 32, "width": 9, "height": 7, "turns": 10, "pillars": 0}),
    ("pig", {"target": 6, "sides": 2, "rounds": 3}),
]


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) for name in known_games()]
)
def test_games_by_their_names(name):
    assert check_game(make_game(name), games=10).passed


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments"), OTHERS)
def test_games_with_other_arguments(name, arguments):
    assert check_game(make_game(name, **arguments), games=5, seed=1).passed


@pytest.mark.slow
def test_go_with_superko_whose_playouts_know_only_simple_ko():
    game = make_game("go", size=5, colours=3, superko=True)
    assert check_game(game, games=5, seed=2, simpler_playouts=True).passed
