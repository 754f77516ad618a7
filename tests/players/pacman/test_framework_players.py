"""The framework's players: what each does where its rule leaves one move."""

import random

import numpy as np
import pytest

from manyminds.arena.match import play
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.pacman import pacman
from manyminds.games.pacman.maze import DOWN, LEFT, RIGHT, UP
from manyminds.games.registry import make_game
from manyminds.players import known, make_player
from manyminds.players.pacman.chase import chase_of
from manyminds.players.pacman.ghosts import Aggressive, Legacy
from manyminds.players.pacman.ground import FAR, ground_of
from manyminds.players.pacman.layers import NEVER, layers_of
from manyminds.players.pacman.pacmen import NearestPill
from manyminds.players.pacman.safe_path import SafePath
from manyminds.players.pacman.starter import Starter
from manyminds.players.player import Lineup
from manyminds.players.registry import entry

from .conftest import any_chase, node_at, put, seated, sight
from .slow_chase import SlowChase

ANY = Budget(simulations=1)
PACMEN = ("nearest-pill", "starter", "safe-path", "deepening")
GHOSTS = ("starter", "aggressive", "legacy")


def decide(player, game, state, seat=0, seed=1):
    return seated(player, game, seat, seed).decide(state, ANY).move


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_distances_are_those_of_the_maze(number):
    maze = pacman(1).mazes[number]
    ground = ground_of(maze)
    for node in (0, maze.pacman, maze.ghosts, maze.lair, maze.nodes // 2):
        theirs = [FAR if steps < 0 else steps for steps in maze.distances_from(node)]
        assert ground.distance[node].tolist() == theirs


def test_nearest_pill_goes_to_it_past_any_ghost(grid):
    here = node_at(grid, 6, 7)
    near, far = node_at(grid, 8, 7), node_at(grid, 2, 7)
    state = put(grid, (here, UP), [(near, LEFT)], pills=[near, far])
    assert decide(NearestPill(), grid, state) == RIGHT


def test_starter_flees_from_the_first_near_ghost_and_eats_otherwise(grid):
    here, pill = node_at(grid, 6, 7), node_at(grid, 8, 7)
    near, away = (node_at(grid, 10, 7), LEFT), (node_at(grid, 20, 1), UP)
    assert decide(Starter(), grid, put(grid, (here, UP), [near], pills=[pill])) != RIGHT
    assert decide(Starter(), grid, put(grid, (here, UP), [away], pills=[pill])) == RIGHT
    assert decide(Starter(near=10), grid, put(grid, (here, UP), [near], pills=[pill])) == RIGHT


def test_starter_hunts_ghosts_that_can_be_eaten(maze_files):
    game = pacman(maze_files["grid"], power_pills=True)
    here = node_at(game, 6, 7)
    state = put(game, (here, UP), [(node_at(game, 10, 7), LEFT)], pills=[node_at(game, 5, 7)])
    state.edible[0] = 50
    assert decide(Starter(), game, state) == RIGHT


def slow_layers(game, state, pills, ticks):
    """Per first move: how long it can live, and its first pills, by trying every path of Pac-Man's."""
    slow = SlowChase(game, state)
    maze, pill_nodes = game.mazes[0], set(pills)
    ghosts = [{ghost} for ghost in slow.ghosts]
    paths = [(move, [there]) for move, there in maze.links(slow.him[0])]
    lasts, kept = dict.fromkeys(range(4), 0), []
    for tick in range(1, ticks + 1):
        ghosts = [{one for was in own for one in slow._moves_of_ghost(was)} for own in ghosts]
        where = [place for own in ghosts for place in own if place[0] != "lair"]
        threat = {node for place in where for node in slow._near(place[0])}
        paths = [(first, path) for first, path in paths if path[-1] not in threat]
        if not paths:
            break
        kept = paths
        lasts |= {first: tick for first, _ in paths}
        ghosts = [set(slow._released(tuple(own))) for own in ghosts]
        paths = [(f, [*path, there]) for f, path in paths for _, there in maze.links(path[-1])]
    eaten = {first: [] for first in range(4)}
    for first, path in kept:
        eaten[first] += [tick for tick, node in enumerate(path, 1) if node in pill_nodes][:1]
    return lasts, {first: min(ticks, default=NEVER) for first, ticks in eaten.items()}


@pytest.mark.interpreted
def test_layers_are_those_of_all_paths(grid):
    rng, lived = random.Random(4), set()
    for _ in range(25):
        state = any_chase(grid, rng, spread=rng.choice([7, 14]))
        eyes, marks = sight(grid, state), np.zeros(grid.mazes[0].nodes, np.uint8)
        pills = rng.sample(range(grid.mazes[0].nodes), 40)
        marks[pills] = 1
        found = layers_of(eyes.ground, chase_of(eyes), marks, 9)
        lasts, eaten = slow_layers(grid, state, pills, 9)
        assert found.lasts.tolist() == list(lasts.values())
        longest = max(lasts.values())
        for move in range(4):
            if lasts[move] == longest > 0:
                assert int(found.pill_all_along[move]) == eaten[move]
        lived |= set(lasts.values())
    assert {0, 9} < lived


def test_safe_path_takes_the_safe_one_of_two_pills(grid):
    here = node_at(grid, 6, 7)
    state = put(
        grid,
        (here, UP),
        [(node_at(grid, 8, 7), LEFT)],
        pills=[node_at(grid, 7, 7), node_at(grid, 4, 7)],
    )
    assert decide(SafePath(40), grid, state) == LEFT


def test_safe_path_says_on_where_nothing_helps(ring):
    here = node_at(ring, 6, 5)
    state = put(ring, (here, LEFT), [(here - 3, RIGHT), (here + 3, LEFT)])
    assert decide(SafePath(40), ring, state) == 4


def test_aggressive_ghosts_take_the_shortest_way(grid):
    state = put(grid, (node_at(grid, 1, 1), LEFT), [(node_at(grid, 6, 7), RIGHT)])
    assert decide(Aggressive(), grid, state, seat=1) == UP
    state = put(grid, (node_at(grid, 1, 9), LEFT), [(node_at(grid, 6, 7), RIGHT)])
    assert decide(Aggressive(), grid, state, seat=1) == DOWN


def test_ghosts_do_not_turn_back(grid):
    state = put(grid, (node_at(grid, 1, 7), LEFT), [(node_at(grid, 6, 7), RIGHT)])
    assert decide(Aggressive(), grid, state, seat=1) != LEFT


def test_legacy_ghosts_measure_each_in_their_own_way(grid):
    """Sue draws; the other three agree where all measures do."""
    state = put(grid, (node_at(grid, 6, 9), LEFT), [(node_at(grid, 6, 7), RIGHT)] * 4)
    assert [decide(Legacy(), grid, state, seat) for seat in (1, 2, 3)] == [DOWN] * 3
    drawn = {decide(Legacy(), grid, state, 4, seed) for seed in range(40)}
    assert drawn == {UP, DOWN, RIGHT}


def test_starter_ghosts_hunt_mostly_and_flee_when_edible(maze_files):
    game = pacman(maze_files["grid"], power_pills=True)
    state = put(game, (node_at(game, 6, 9), LEFT), [(node_at(game, 6, 7), RIGHT)])
    straight = sum(decide(Starter(), game, state, 1, seed) == DOWN for seed in range(300))
    # 0.9 + 0.1 / 3; five standard errors of 300 draws are 0.072
    assert abs(straight / 300 - 0.933) < 0.072
    state.edible[0] = 51
    assert decide(Starter(), game, state, 1) != DOWN


@pytest.mark.parametrize("name", PACMEN)
@pytest.mark.parametrize("rules", ["thesis", "full"])
def test_pacmen_play_whole_games_under_all_rules(name, rules):
    game = make_game("pacman", rules=rules, maze=2)
    match = play(game, {"pacman": f"{name}@200nodes", "ghosts": "random"}, seed=3, move_limit=400)
    assert not match.forfeits
    assert match.points["pacman"] >= 100


@pytest.mark.parametrize("name", GHOSTS)
def test_ghosts_play_whole_games_under_all_rules(name):
    for rules in ("thesis", "full"):
        game = make_game("pacman", rules=rules, maze=3)
        match = play(game, {"pacman": "nearest-pill", "ghosts": name}, seed=3, move_limit=400)
        assert not match.forfeits


def test_they_are_listed_and_say_what_they_play():
    assert {*PACMEN, *GHOSTS} <= set(known())
    with pytest.raises(UsageError, match="it plays pacman"):
        make_player("deepening", make_game("nim"))
    game = make_game("pacman")
    with pytest.raises(UsageError, match="deepening plays pacman, not blinky"):
        play(game, {"pacman": "random", "ghosts": "deepening"})


@pytest.mark.parametrize("name", sorted({*PACMEN, *GHOSTS}))
def test_the_registry_knows_who_can_sit_where(name):
    """What forms offer is what the players themselves take."""
    game = make_game("pacman")
    for number, seat in enumerate(game.seat_names):
        player = make_player(name, game)
        lineup = Lineup([name] * 5, seed=1)
        if entry(name).sits_on(seat):
            player.begin(game, number, lineup)
        else:
            with pytest.raises(UsageError, match=f"not {seat}"):
                player.begin(game, number, lineup)


@pytest.mark.slow
def test_careful_pacmen_are_stronger_than_careless_ones():
    """Against starter ghosts: some 310 points for who looks at no ghost, half as many again for who does."""
    game = make_game("pacman")
    means = {
        name: sum(
            play(game, {"pacman": name, "ghosts": "starter"}, seed=s).points["pacman"]
            for s in range(2)
        )
        / 2
        for name in ("nearest-pill", "safe-path", "deepening@1000nodes")
    }
    assert means["nearest-pill"] < 400
    assert min(means["safe-path"], means["deepening@1000nodes"]) > 1.5 * means["nearest-pill"]
