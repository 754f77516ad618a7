"""What is shown of a hunt: the maze once, and of every tick who is where, who plans what, and what was said.

Places are steps across and down the maze, as [x, y]; seats are numbers, Pac-Man's is 0. A way is a list of
stretches (it leaves the maze on one side and comes back on the other through a tunnel), each the corners
x, y, x, y, ... from where somebody stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from manyminds.apps.web.hunts.order import Air
from manyminds.arena.match import Turn
from manyminds.games.contract import Game, State
from manyminds.games.pacman.maze import LEFT, UP, Maze
from manyminds.games.pacman.show import caption
from manyminds.games.pacman.state import GHOSTS, SEATS
from manyminds.games.pacman.tables import first_spots
from manyminds.search import calls
from manyminds.search.search import Search
from manyminds.teams.loop import Loop
from manyminds.teams.virtual import Passage

MOST_LINE = 60  # moves of the tree that a plan looks ahead
MOST_TOLD = 40  # messages of a tick that are shown one by one

Place = list[int]


def mazes_of(game: Game) -> tuple[Maze, ...]:
    """The mazes of a game of Pac-Man."""
    return game.mazes  # type: ignore[attr-defined]


def ground(game: Game, lineup: Sequence[str], air: Air | None, note: str = "") -> dict[str, Any]:
    """The mazes, who plays, over which channel, and where the moves come from."""
    return {
        "mazes": [_maze(maze) for maze in mazes_of(game)],
        "seats": list(game.seat_names),
        "lineup": list(lineup),
        "arguments": {name: str(value) for name, value in game.arguments.items()},
        "air": air,
        "note": note,
    }


def _maze(maze: Maze) -> dict[str, Any]:
    """Its ways as segments from junction to junction, and where pills lie, by number."""
    links = [
        [int(maze.x[node]), int(maze.y[node]), int(maze.x[there]), int(maze.y[there])]
        for node in range(maze.nodes)
        for direction, there in maze.links(node)
        if direction not in (LEFT, UP) and abs(int(maze.x[node]) - int(maze.x[there])) <= 1
    ]
    return {
        "name": maze.name,
        "width": maze.width,
        "height": int(maze.y.max()) + 1,
        "ways": _joined(links),
        "pills": _lying(maze, maze.pill),
        "power": _lying(maze, maze.power),
        "lair": [int(maze.x[maze.lair]), int(maze.y[maze.lair])],
    }


def _joined(links: Iterable[list[int]]) -> list[list[int]]:
    """Steps in one line behind each other as one segment, to be drawn with a tenth of the elements."""
    segments: dict[tuple[bool, int], list[list[int]]] = {}
    for x, y, there_x, there_y in sorted(links):
        across = y == there_y
        line = segments.setdefault((across, y if across else x), [])
        begin, end = (x, there_x) if across else (y, there_y)
        if line and line[-1][1] == begin:
            line[-1][1] = end
        else:
            line.append([begin, end])
    return [
        [begin, fixed, end, fixed] if across else [fixed, begin, fixed, end]
        for (across, fixed), line in segments.items()
        for begin, end in line
    ]


def _lying(maze: Maze, what: Any) -> list[Place]:
    nodes = [node for node in range(maze.nodes) if what[node] >= 0]  # numbered in this order
    return [[int(maze.x[node]), int(maze.y[node])] for node in nodes]


def position(game: Game, state: State) -> dict[str, Any]:
    """Who is where, and what is left to eat."""
    mazes = mazes_of(game)
    maze, first = mazes[int(state.maze)], first_spots(mazes)[int(state.maze)]
    spots = [int(state.pacman), *(int(spot) for spot in state.ghost)]
    pills = sum(int(word) << 64 * number for number, word in enumerate(state.pills))
    return {
        "maze": int(state.maze),
        "at": [[int(maze.x[spot - first]), int(maze.y[spot - first])] for spot in spots],
        "heading": [int(state.pacman_move), *(int(move) for move in state.ghost_move)],
        "edible": [int(state.edible[ghost]) for ghost in range(GHOSTS)],
        "lair": [int(state.lair[ghost]) for ghost in range(GHOSTS)],
        "pills": f"{pills:x}",
        "power": int(state.power),
        "score": int(state.score),
        "lives": int(state.lives),
        "level": int(state.level) + 1,
        "caption": caption(state),
    }


def tick(turn: Turn, loop: Loop | None, talk: Sequence[Passage], before: float) -> dict[str, Any]:
    """A tick that was played: the position after it, and what mates thought and said in it.

    talk: what became of each message; before: when the tick began, in the team's own seconds.
    """
    shown = {"number": turn.number + 1, "moves": turn.name, **position(turn.game, turn.state)}
    if loop is not None:
        shown["mates"] = [_mate(turn.game, seat, loop) for seat in loop.planners]
        shown["links"] = _links(talk)
        shown["told"] = [_told(passage, before) for passage in talk[-MOST_TOLD:]]
    return shown


def _mate(game: Game, seat: int, loop: Loop) -> dict[str, Any]:
    """What a mate has in mind; its tree still has the position before the tick at its root."""
    mate = loop.planners[seat]
    shown: dict[str, Any] = {"seat": seat, "counts": dict(mate.counts), "done": mate.simulated}
    search = mate.search
    if search is not None and search.simulations:
        shown["nodes"] = search.nodes
        shown["value"] = round(search.values()[seat], 4)
        shown["ways"] = plan(game, search)
    return shown


def plan(game: Game, search: Search) -> list[list[Place]]:
    """The ways that a search expects everybody to go, by seat."""
    view = search.turns.state.unpack(search.desk.root.tobytes())
    maze = int(view.position.maze)
    trails = [[spot] for spot in _spots(view.position)]
    for move in search.line(MOST_LINE):
        calls.play(search.kernels, view, move)
        if int(view.position.maze) != maze or view.position.over:
            break
        if view.next == 0:
            for trail, spot in zip(trails, _spots(view.position), strict=True):
                trail.append(spot)
    first = first_spots(mazes_of(game))[maze]
    drawn = mazes_of(game)[maze]
    return [
        _corners([(int(drawn.x[spot - first]), int(drawn.y[spot - first])) for spot in trail])
        for trail in trails
    ]


def _spots(state: State) -> list[int]:
    return [int(state.pacman), *(int(spot) for spot in state.ghost)]


def _corners(steps: Sequence[tuple[int, int]]) -> list[Place]:
    """The stretches of a trail, each by its corners; a jump (a tunnel, the lair) begins a new one."""
    stretches = [[steps[0]]]
    for before, here in pairwise(steps):
        if here == before:
            continue
        if abs(here[0] - before[0]) + abs(here[1] - before[1]) > 1:
            stretches.append([here])
            continue
        trail = stretches[-1]
        if len(trail) > 1 and _straight(trail[-2], trail[-1], here):
            trail[-1] = here
        else:
            trail.append(here)
    return [[value for step in trail for value in step] for trail in stretches if len(trail) > 1]


def _straight(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    """Whether the way from a over b to c goes on in one direction."""
    one, two = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
    return one[0] * two[1] == one[1] * two[0] and one[0] * two[0] + one[1] * two[1] > 0


def _links(talk: Iterable[Passage]) -> list[list[int]]:
    """Of this tick: from, to, messages that pass, messages that are lost, bytes."""
    sums: dict[tuple[int, int], list[int]] = {}
    for one in talk:
        row = sums.setdefault((one.sender, one.to), [0, 0, 0])
        row[one.arrives is None] += 1
        row[2] += one.size
    return [[*pair, *row] for pair, row in sorted(sums.items())]


def _told(one: Passage, before: float) -> list[float | None]:
    """From, to, bytes, ms after the tick's begin when it was out, ms under way (None: lost)."""
    under_way = None if one.arrives is None else round(1000 * (one.arrives - one.out), 2)
    return [one.sender, one.to, one.size, round(1000 * (one.out - before), 2), under_way]


assert SEATS[0] == "pacman"  # what pages count on
