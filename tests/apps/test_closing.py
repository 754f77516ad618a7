"""Who won, in words and as data."""

import pytest

from manyminds.apps.closing import sentence, winners
from manyminds.arena.match import Match, Reason

SEATS = ("black", "white", "red")


def ended(rewards, points=None, ending="over", forfeits=(), moves=3):
    return Match(
        game="go",
        arguments={},
        settings={},
        seats=SEATS,
        lineup=("random",) * 3,
        seed=0,
        joint_moves=((0, -1, -1),) * moves,
        names=("pass",) * moves,
        ending=ending,
        points=dict(zip(SEATS, points or rewards, strict=True)),
        rewards=rewards,
        seconds=(0.0,) * 3,
        forfeits=forfeits,
    )


@pytest.mark.parametrize(
    ("match", "seats", "words"),
    [
        (ended((0.1, 0.2, 0.7)), [2], "won by red after 3 moves"),
        (ended((0.5, 0.5, 0.0)), [0, 1], "won by black and white after 3 moves"),
        (ended((0.1, 0.2, 0.7), (8.0, 16.0, 56.5)), [2], "won by red with 56.5 points after 3 moves"),
        (ended((0.3, 0.3, 0.3), (25, 25, 25)), [], "won by nobody: all have the same, after 3 moves"),
        (ended((0.5, 0.5, 0.5)), [], "won by nobody: all have the same, after 3 moves"),
        (ended((0.0, 0.0, 1.0), moves=1), [2], "won by red after 1 move"),
        (ended((0, 0, 1), ending="move limit"), [2], "won by red after 3 moves, at the limit of moves"),
        (
            ended((0.0, 0.3, 0.4), ending="forfeit", forfeits=(Reason(0, "illegal move A9"),)),
            [2],
            "won by red after 3 moves; black forfeits: illegal move A9",
        ),
    ],
)  # fmt: skip
def test_the_highest_reward_wins(match, seats, words):
    assert winners(match) == seats
    assert sentence(match, tuple(match.points.values()) != match.rewards) == words
