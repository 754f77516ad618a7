"""Dead stones by playouts: positions whose answer every player knows."""

import shutil
import subprocess

import pytest

from manyminds.games.go.coordinates import point_at, point_name
from manyminds.games.go.diagram import parse
from manyminds.games.go.game import go
from manyminds.games.go.setup import state_of
from manyminds.games.go.status import outlook, points_without_dead

# Black's two eyes live in the corner; White's stone at B1 is taken as it stands; the rest is White's.
LIFE = """
    . . . . . . . . .
    . . . . . . . . .
    . O O O O O O O .
    . O . . . . . O .
    O O O O O O . O .
    X X X X X O . O .
    . X . O X O . O .
    X X X . X O . O .
    . X O . X O . O .
"""
# Neither side can take the other at E1 and E2 without being taken first.
SEKI = """
    O . O O X . X X .
    . O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    X X X X O O O O X
    X X X X . O O O X
    X X X X . O O O X
"""


def found(text, playouts=400):
    """Ownership of a drawn position."""
    game = go(size=9)
    state = state_of(game, parse(text))
    return game, state, outlook(game, state, playouts)


def names(owners, status):
    """The points of all chains with this status."""
    chains = (chain.places for chain in owners.chains() if chain.status == status)
    return {point_name(point_at(*place), 9, 9) for places in chains for place in places}


def test_stones_that_cannot_escape_are_dead():
    game, _, owners = found(LIFE)
    assert names(owners, "dead") == {"C1", "D3"}
    assert names(owners, "seki") == set()
    points = points_without_dead(game, owners)
    black = 5 * 4  # five columns, four rows
    assert points == [black, 81 - black + 6.5]


def test_a_point_that_is_surrounded_belongs_to_who_surrounds_it():
    _, _, owners = found(LIFE)
    assert owners.of((2, 0), 1) > 0.95
    assert owners.of((8, 8), 2) > 0.9


def gnu_go_says(owners, status):
    """The points that GNU Go lists."""
    lines = ["boardsize 9"]
    for place, colour in owners.position.stones.items():
        lines.append(f"play {'bw'[colour - 1]} {point_name(point_at(*place), 9, 9)}")
    lines += [f"final_status_list {status}", "quit"]
    done = subprocess.run(
        [shutil.which("gnugo") or "gnugo", "--mode", "gtp"],
        input="\n".join(lines), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return set(done.stdout.split("\n\n")[len(lines) - 2].replace("=", "").split())


@pytest.mark.gnugo
@pytest.mark.parametrize("text", [LIFE, SEKI])
def test_gnu_go_takes_the_same_stones_for_dead(text):
    _, _, owners = found(text)
    assert names(owners, "dead") == gnu_go_says(owners, "dead")


def test_stones_in_seki_are_not_dead():
    game, _, owners = found(SEKI)
    columns = "ABCD", "EFGH"
    inside = {f"{c}{r}" for letters in columns for c in letters for r in (1, 2, 3)} - {"E1", "E2"}
    assert names(owners, "seki") == inside
    assert names(owners, "dead") == set()
    assert sum(points_without_dead(game, owners)) == 81 - 2 + 6.5
