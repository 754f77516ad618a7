"""Tic-tac-toe: its published counts, and how it is drawn and named."""

import pytest

from manyminds.games.registry import make_game

GAME = make_game("tic_tac_toe")


def played(*names):
    state = GAME.start()
    for name in names:
        GAME.play(state, GAME.move_named(name, state))
    return state


def count(state, seen):
    """Games from here, and all positions on the way into `seen` (over or not)."""
    key = state.tobytes()
    if key not in seen:
        seen[key] = 1 if GAME.over(state) else 0
        for move in () if GAME.over(state) else GAME.moves(state):
            after = GAME.copy(state)
            GAME.play(after, int(move))
            seen[key] += count(after, seen)
    return seen[key]


def test_there_are_255168_games_and_5478_positions():
    seen = {}
    assert count(GAME.start(), seen) == 255_168
    assert len(seen) == 5_478
    assert sum(GAME.over(GAME.unpack(key)) for key in seen) == 958


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("names", "rewards"),
    [
        (["a1", "a2", "b1", "b2", "c1"], (1, 0)),
        (["a1", "a3", "b1", "b2", "c3", "c1"], (0, 1)),
        (["a1", "a2", "a3", "b1", "b3", "c3", "b2", "c1", "c2"], (0.5, 0.5)),
    ],
)
def test_a_line_wins_and_a_full_board_is_a_draw(names, rewards):
    assert not GAME.over(played(*names[:-1]))
    assert tuple(GAME.rewards(played(*names[:-1]))) == (0.5, 0.5)
    assert GAME.over(played(*names))
    assert tuple(GAME.rewards(played(*names))) == rewards


@pytest.mark.interpreted
def test_crosses_and_noughts_are_drawn_as_they_were_named():
    assert GAME.show(played("b2", "c1", "a3")).splitlines() == [
        "3 x . .",
        "2 . x .",
        "1 . . o",
        "  a b c",
    ]
