"""Small mazes, and positions put down by their nodes."""

import pytest

from manyminds.games.pacman import pacman
from manyminds.games.pacman.maze import opposite
from manyminds.players.pacman.seated import Sight
from manyminds.players.player import Lineup

RING = """\
name: ring
junctions: 2
##############
#.....PP.....#
#.##########.#
#.....GG.....#
#.####LL####.#
#............#
##############
"""

GRID = """\
name: grid
junctions: 12
######################
#.........PP.........#
#.####.########.####.#
#.####.########.####.#
#.........GG.........#
#.####.###LL###.####.#
#.####.########.####.#
#....................#
#.####.########.####.#
#....................#
######################
"""


@pytest.fixture(scope="session")
def maze_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    files = {}
    for name, text in (("ring", RING), ("grid", GRID)):
        files[name] = folder / f"{name}.txt"
        files[name].write_text(text)
    return {name: str(file) for name, file in files.items()}


@pytest.fixture(scope="session")
def ring(maze_files):
    return pacman(maze_files["ring"])


@pytest.fixture(scope="session")
def grid(maze_files):
    return pacman(maze_files["grid"])


def node_at(game, x, y):
    """The node at a place of the drawing: column and row."""
    maze = game.mazes[0]
    return next(n for n in range(maze.nodes) if (maze.x[n], maze.y[n]) == (4 * x, 4 * y))


def put(game, pacman_at, ghosts, pills=None):
    """A state: Pac-Man's (node, last move), each ghost's, None for one in the lair; pills' nodes or all."""
    state = game.start()
    maze = game.mazes[0]
    state.pacman, state.pacman_move = pacman_at
    for ghost in range(4):
        place = ghosts[ghost] if ghost < len(ghosts) else None
        if place is None:
            state.ghost[ghost], state.lair[ghost] = maze.lair, 900
        else:
            state.ghost[ghost], state.ghost_move[ghost] = place
            state.lair[ghost] = 0
    if pills is not None:
        keep_pills(state, maze, pills)
    return state


def keep_pills(state, maze, nodes):
    for word in range(4):
        state.pills[word] = 0
    for node in nodes:
        number = int(maze.pill[node])
        state.pills[number // 64] = int(state.pills[number // 64]) | 1 << number % 64


def seated(player, game, seat=0, seed=1):
    player.begin(game, seat, Lineup([type(player).__name__] * game.seats, seed))
    return player


def any_chase(game, rng, spread):
    """Everybody within `spread` steps of a node or in the lair, nobody within reach of Pac-Man."""
    maze = game.mazes[0]
    middle = rng.randrange(maze.nodes - 1)
    steps = maze.distances_from(middle)
    near = [node for node in range(maze.nodes) if 0 <= steps[node] <= spread]

    def placed():
        node = rng.choice(near)
        return node, opposite(rng.choice([move for move, _ in maze.links(node)]))

    while True:
        him, them = placed(), [placed() if rng.random() < 0.7 else None for _ in range(4)]
        away = maze.distances_from(him[0])
        if all(place is None or away[place[0]] > 2 for place in them):
            break
    state = put(game, him, them)
    for ghost in range(4):
        if them[ghost] is None:
            state.lair[ghost] = rng.randint(1, 30)
        elif rng.random() < 0.05:
            state.ghost[ghost], state.ghost_move[ghost] = maze.ghosts, 4
    if any(int(away[int(state.ghost[g])]) in (0, 1, 2) for g in range(4) if not state.lair[g]):
        return any_chase(game, rng, spread)
    return state


def sight(game, state):
    return Sight(game, state)
