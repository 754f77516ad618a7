"""States for tests: any that obeys the game's limits, whether or not play leads there."""

from manyminds.games.pacman.maze import opposite
from manyminds.games.pacman.tables import first_spots

from .reference import Luck


def any_state(game, rng):
    """A state that may never come up in a game but obeys its limits."""
    state = game.start(rng.randrange(2**40))
    number = rng.randrange(len(game.mazes))
    maze, first = game.mazes[number], first_spots(game.mazes)[number]
    middle = rng.randrange(maze.nodes - 1)
    steps = maze.distances_from(middle)
    near = [node for node in range(maze.nodes) if 0 <= steps[node] <= rng.choice([3, 10, 300])]
    state.maze = number
    state.pacman = first + rng.choice(near)
    ways = [move for move, _ in maze.links(int(state.pacman) - first)]
    state.pacman_move = opposite(rng.choice(ways)) if rng.random() < 0.9 else 4
    for ghost in range(4):
        place_ghost(state, ghost, maze, first, rng, near)
    thin_out(state, game, maze, rng)
    state.level = rng.randrange(9) if state.levels else 0
    state.level_time = rng.choice([0, 1, 2, 50, int(state.level_limit) - 1 - rng.randrange(20)])
    late = rng.random() < 0.2
    state.time = int(state.limit) - rng.randrange(1, 20) if late else int(state.level_time)
    state.score = rng.choice([0, 500, 9_000, 9_990, 12_000])
    state.multiplier = rng.choice([1, 2, 4, 8])
    state.lives = rng.randint(1, 3)
    if state.luck.word and rng.random() < 0.5:
        state.luck.word = word_before_a_reversal(rng)
    return state


def place_ghost(state, ghost, maze, first, rng, near):
    where = rng.random()
    if where < 0.25:
        state.ghost[ghost], state.ghost_move[ghost] = first + maze.lair, 4
        state.lair[ghost] = rng.randint(1, 30)
        return
    state.lair[ghost] = 0
    if where < 0.35:
        state.ghost[ghost], state.ghost_move[ghost] = first + maze.ghosts, 4
    else:
        node = rng.choice([node for node in near if node != maze.lair])
        ways = [move for move, _ in maze.links(node)]
        state.ghost[ghost], state.ghost_move[ghost] = first + node, opposite(rng.choice(ways))
    state.edible[ghost] = rng.choice([0, 0, 1, 2, 3, 40]) if state.power_pills else 0


def thin_out(state, game, maze, rng):
    """Leave few pills, those round Pac-Man among them, so that levels end."""
    left = rng.choice([0.0, 0.02, 0.5, 1.0])
    for pill in range(maze.pills):
        if rng.random() >= left:
            word, bit = pill // 64, 1 << pill % 64
            state.pills[word] = int(state.pills[word]) & ~bit
    for pill in range(maze.pills, 256):
        word, bit = pill // 64, 1 << pill % 64
        state.pills[word] = int(state.pills[word]) & ~bit
    state.power = rng.randrange(2**maze.power_pills) if state.power_pills else 0


def word_before_a_reversal(rng):
    """A word of the generator whose next draw is below 0.0015."""
    while True:
        word = rng.randrange(1, 2**64)
        if Luck(word).fraction() < 0.0015:
            return word
