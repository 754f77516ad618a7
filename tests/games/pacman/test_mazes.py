"""Mazes: ours are at the scale of the framework's, and what cannot be one is refused."""

import numpy as np
import pytest

from manyminds.core.errors import UsageError
from manyminds.games.pacman.drawing import draw, read_drawing
from manyminds.games.pacman.framework_files import read_framework_file
from manyminds.games.pacman.maze import LEFT, RIGHT
from manyminds.games.pacman.mazes import read_maze, shipped_mazes

SMALL = """\
name: small
junctions: 2
##############
#.....PP.....#
#o##########o#
#.....GG.....#
#.####LL####.#
#............#
##############
"""


def framework_text(maze):
    """The maze as the framework writes its files."""
    head = (maze.name, maze.pacman, maze.lair, maze.ghosts, maze.nodes)
    lines = ["\t".join(map(str, (*head, maze.pills, maze.power_pills, maze.junctions)))]
    for node in range(maze.nodes):
        links = maze.neighbours[node].tolist()
        items = (maze.pill[node], maze.power[node])
        lines.append("\t".join(map(str, (node, maze.x[node], maze.y[node], *links, *items))))
    return "\n".join(lines) + "\n"


@pytest.mark.interpreted
@pytest.mark.parametrize("number", range(4))
def test_our_mazes_are_at_the_scale_of_the_frameworks(number):
    maze = shipped_mazes()[number]
    lengths = [len(corridor) - 1 for corridor in maze.corridors()]
    assert 1250 <= maze.nodes <= 1400
    assert 210 <= maze.pills <= 240
    assert maze.power_pills == 4
    assert 36 <= maze.junctions <= 44
    assert 56 <= len(lengths) <= 67
    assert 20 <= np.mean(lengths) <= 24
    assert 84 <= maze.distances_from(maze.pacman)[maze.ghosts] <= 108
    assert (maze.x[maze.pacman], maze.y[maze.pacman]) == (54, 92)
    assert (maze.x[maze.ghosts], maze.y[maze.ghosts]) == (54, 44)
    assert (maze.x[maze.lair], maze.y[maze.lair]) == (50, 56)
    assert maze.width == 109
    tunnels = [n for n in range(maze.nodes) if maze.x[n] == 0 and maze.neighbours[n, LEFT] >= 0]
    assert 1 <= len(tunnels) <= 2
    for node in tunnels:
        far = maze.neighbours[node, LEFT]
        assert (maze.x[far], maze.y[far]) == (108, maze.y[node])
        assert maze.neighbours[far, RIGHT] == node
    corridor_nodes = sum(length - 1 for length in lengths)
    assert corridor_nodes + maze.junctions == maze.nodes - 1


@pytest.mark.interpreted
def test_drawings_and_the_frameworks_files_are_read_back():
    for maze in shipped_mazes():
        for again in (read_drawing(draw(maze)), read_framework_file(framework_text(maze))):
            assert (again.pacman, again.ghosts, again.lair) == (
                maze.pacman,
                maze.ghosts,
                maze.lair,
            )
            for name in ("x", "y", "neighbours", "pill", "power"):
                assert (getattr(again, name) == getattr(maze, name)).all()


@pytest.mark.interpreted
def test_a_file_is_read_for_what_it_is(tmp_path):
    maze = shipped_mazes()[0]
    (tmp_path / "a.txt").write_text(framework_text(maze))
    (tmp_path / "b.txt").write_text(draw(maze))
    assert read_maze(tmp_path / "a.txt").nodes == read_maze(tmp_path / "b.txt").nodes == maze.nodes
    with pytest.raises(UsageError, match="cannot be read"):
        read_maze(tmp_path / "none.txt")


def without(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("junctions: 2", "junctions: 3", "3, and 2 are drawn"),
        ("#.####LL####.#", "#.####LL####.", "row 5 has 13 signs and the first 14"),
        ("#.####LL####.#", "#.####LL###x.#", 'row 5 has "x"'),
        ("#.....PP.....#", "#.....P......#", '"PP" stands once'),
        ("#.####LL####.#", "#.##########.#", '"LL" stands once'),
        ("#.....GG.....#", "###..........#", 'is a dead end|"GG" stands once'),
        ("#............#", "#.  .  ......#", "it is 4"),
        ("#.....PP.....#", "##....PP....##", "is a dead end"),
    ],
)
def test_what_is_wrong_with_a_drawing_is_said(old, new, message):
    with pytest.raises(UsageError, match=message):
        read_drawing(without(SMALL, old, new))
