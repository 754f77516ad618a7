"""A compiled game and the slow one side by side."""

import functools

import pytest

from manyminds.games.pacman.tables import first_spots

from .reference import WORDS, Ghost, JavaRandom, Luck, Slow


def fields(game, state):
    """The state's fields in the words of the reference, nodes counted from their own maze."""
    maze, first = game.mazes[int(state.maze)], first_spots(game.mazes)[int(state.maze)]
    pills, power = items(maze)
    ghosts = zip(state.ghost, state.ghost_move, state.edible, state.lair, strict=True)
    return dict(
        maze=int(state.maze),
        level=int(state.level),
        time=int(state.time),
        level_time=int(state.level_time),
        score=int(state.score),
        lives=int(state.lives),
        deaths=int(state.deaths),
        over=bool(state.over),
        extra_life=bool(state.extra_life),
        multiplier=int(state.multiplier),
        pacman=(int(state.pacman) - first, WORDS[int(state.pacman_move)]),
        ghosts=[(int(n) - first, WORDS[int(m)], int(e), int(w)) for n, m, e, w in ghosts],
        pills={node for n, node in enumerate(pills) if int(state.pills[n // 64]) >> n % 64 & 1},
        power={node for n, node in enumerate(power) if int(state.power) >> n & 1},
        java=int(state.fallback),
        luck=int(state.luck.word),
    )


@functools.cache
def items(maze):
    """The nodes of pills and of power pills, by their numbers."""
    found = []
    for what in (maze.pill, maze.power):
        nodes = {int(number): node for node, number in enumerate(what.tolist()) if number >= 0}
        found.append([nodes[number] for number in range(len(nodes))])
    return found


def slow_twin(game, state):
    """The slow game in this state."""
    seen = fields(game, state)
    twin = Slow(
        mazes=game.mazes,
        power_pills=bool(state.power_pills),
        levels=bool(state.levels),
        level_limit=int(state.level_limit),
        limit=int(state.limit),
        life_bonus=int(state.life_bonus),
        award=bool(state.award),
        lives=seen["lives"],
        java=JavaRandom(0),
        luck=Luck(seen["luck"]) if seen["luck"] else None,
    )
    twin.java.word = seen["java"]
    twin.maze_number, twin.node, twin.move = seen["maze"], *seen["pacman"]
    twin.ghosts = [Ghost(*ghost) for ghost in seen["ghosts"]]
    twin.pills, twin.power = set(seen["pills"]), set(seen["power"])
    for name in (
        "level",
        "time",
        "level_time",
        "score",
        "multiplier",
        "deaths",
        "over",
        "extra_life",
    ):
        setattr(twin, name, seen[name])
    return twin


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

TUNNEL = """\
name: tunnel
################
#o.....PP.....o#
#.####.##.####.#
#.####.##.####.#
_......GG......_
#.####.##.####.#
#.####.LL.####.#
#o.....##.....o#
################
""".replace("_", " ")


@pytest.fixture(scope="session")
def drawings(tmp_path_factory):
    """Files of two small mazes, in which levels are soon over."""
    folder = tmp_path_factory.mktemp("mazes")
    files = {folder / "small.txt": SMALL, folder / "tunnel.txt": TUNNEL}
    for file, text in files.items():
        file.write_text(text)
    return [str(file) for file in files]
