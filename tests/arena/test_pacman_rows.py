"""The rows of Ms Pac-Man measure what they say."""

from manyminds.arena.benchmarks import pacman
from manyminds.arena.benchmarks.row import Effort
from manyminds.games.registry import make_game

SOON = Effort(rounds=1, seconds=0.0, share=0.01)


def silent(_words):
    """Told, and not passed on."""


def test_states_are_from_the_middle_of_a_game():
    game = make_game("pacman")
    states = pacman.middle_states(game)
    assert len(states) > 10
    assert all(not game.over(state) and state.time >= 60 for state in states)
    assert sum(int(lair) > 0 for lair in states[3].lair) == 0


def test_playouts_are_counted_with_their_ticks():
    figure = pacman.playouts(SOON, silent)
    assert figure.ratio == figure.ours / 34_800
    length = figure.details["ticks_a_second"] / figure.ours
    assert 30 < length <= 120


def test_a_cut_is_of_four_kilobytes():
    figure = pacman.tree_cut(SOON, silent)
    assert 4000 < figure.details["bytes"] <= 4096
    assert figure.ratio is None
