"""Ms Pac-Man vs Ghosts as a game of the contract: the thesis's rules, or those of the framework 6.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from manyminds.core.errors import UsageError, nearest
from manyminds.core.kernel import bare_kernel, inline
from manyminds.core.kernel_set import Kernels
from manyminds.core.random import derive, generator
from manyminds.core.record import record
from manyminds.games.contract import Game, State
from manyminds.games.pacman import choices, playout, rewards, rules
from manyminds.games.pacman.maze import NEUTRAL, Maze
from manyminds.games.pacman.mazes import read_maze, shipped_mazes
from manyminds.games.pacman.show import show
from manyminds.games.pacman.state import GHOST_POINTS, GHOSTS, POWER_POINTS, SEATS, STATE, TEAMS
from manyminds.games.pacman.tables import MOST_SPOTS, maze_kernels

DIRECTION_NAMES = ("up", "right", "down", "left", "on")
PLAYOUT_TICKS = 120  # Filip, 4.4
MOST_TICKS = 24_000
JAVA_SCRAMBLE = 0x5DEECE66D

RULES: dict[str, dict[str, Any]] = {
    "thesis": dict(power_pills=False, levels=False, reversals=False, lives=1, limit=2000),
    "full": dict(power_pills=True, levels=True, reversals=True, lives=3, limit=4000),
}

SETTINGS = record(death_weight="float64", turn_every="uint16", turns="uint8")
CHOICES = ("death_weight", "turn_every", "turns")
TURNS = ("junctions", "never")


def pacman(
    maze: int | str | Sequence[str] = 1,
    rules: str = "thesis",
    power_pills: bool | None = None,
    levels: bool | None = None,
    reversals: bool | None = None,
    lives: int | None = None,
    limit: int | None = None,
    award: bool = False,
) -> Game:
    """Ms Pac-Man against four ghosts, all moving at once.

    maze: 1 to 4 for ours, or files, the first one first. rules: "thesis" (Filip, 4.1.1) or "full"; the
    rest changes one of them. power_pills: with ghosts that can be eaten. levels: the next maze follows
    (the game then ends at 24,000 ticks, else with the level). reversals: by chance all ghosts turn
    round. limit: ticks of a level. award: at that limit the pills left count for Pac-Man.
    """
    if rules not in RULES:
        raise UsageError(f'rules are "thesis" or "full"; {nearest(str(rules)[:40], RULES)}')
    given = dict(
        power_pills=power_pills, levels=levels, reversals=reversals, lives=lives, limit=limit
    )
    changes = {name: value for name, value in given.items() if value is not None}
    chosen = {**RULES[rules], **changes}
    _check(chosen)
    mazes, first = _mazes(maze)
    template = _template(mazes, first, award, **chosen)
    arguments = dict(maze=maze, rules=rules, **changes) | (dict(award=True) if award else {})
    return _declare(template, mazes, arguments)


def _check(chosen: Mapping[str, Any]) -> None:
    if not 1 <= chosen["lives"] <= 100:
        raise UsageError(f"Pac-Man has 1 to 100 lives, not {chosen['lives']}")
    if not 1 <= chosen["limit"] <= MOST_TICKS:
        raise UsageError(f"a level has 1 to {MOST_TICKS} ticks, not {chosen['limit']}")


def _mazes(maze: int | str | Sequence[str]) -> tuple[tuple[Maze, ...], int]:
    """The mazes of the levels, and which comes first."""
    if isinstance(maze, int):
        mazes = shipped_mazes()
        if not 1 <= maze <= len(mazes):
            raise UsageError(f"our mazes are 1 to {len(mazes)}, not {maze}; others are files")
        return mazes, maze - 1
    files = [maze] if isinstance(maze, str | Path) else list(maze)
    if not 1 <= len(files) <= 16:
        raise UsageError(f"a game has 1 to 16 mazes, not {len(files)}")
    mazes = tuple(read_maze(file) for file in files)
    if sum(each.nodes for each in mazes) > MOST_SPOTS:
        raise UsageError(f"the mazes of a game have {MOST_SPOTS} nodes in all at most")
    return mazes, 0


def _template(mazes: Sequence[Maze], first: int, award: bool, **chosen: Any) -> State:
    """The start of every game, before chance is given its seed."""
    state = STATE.new()
    state.maze = state.first_maze = first
    state.power_pills, state.levels = chosen["power_pills"], chosen["levels"]
    state.lives, state.level_limit, state.award = chosen["lives"], chosen["limit"], award
    state.limit = MOST_TICKS if chosen["levels"] else chosen["limit"]
    state.life_bonus = 800 if chosen["levels"] else 0
    state.most = _most(mazes[first], chosen["power_pills"])
    state.luck.word = int(chosen["reversals"])
    return state


def _most(maze: Maze, power_pills: bool) -> int:
    """All that one level can bring."""
    ghosts = sum(GHOST_POINTS << eaten for eaten in range(GHOSTS))
    return 10 * maze.pills + (maze.power_pills * (POWER_POINTS + ghosts) if power_pills else 0)


def _declare(template: State, mazes: tuple[Maze, ...], arguments: dict[str, Any]) -> Game:
    m = maze_kernels(mazes)
    kernels = game_kernels(m)
    rules.lay_out(m, template)
    game = Game(
        "pacman",
        STATE,
        seats=len(SEATS),
        seat_names=SEATS,
        teams=TEAMS,
        start=lambda seed: _start(template, seed),
        move_ids=NEUTRAL + 1,
        most_moves=NEUTRAL + 1,
        longest=int(template.limit),
        longest_playout=PLAYOUT_TICKS,
        trace_room=(MOST_TICKS, NEUTRAL + 1),  # all rules share one compilation
        settings=SETTINGS,
        set_up=settings_of,
        name=lambda move: DIRECTION_NAMES[move],
        show=lambda state: show(state, mazes),
        arguments=arguments,
        **kernels,
    )
    game.mazes = mazes  # type: ignore[attr-defined] # for those who draw and those who plan
    return game


def _start(template: State, seed: int) -> State:
    """The start, with chance of its own."""
    state = STATE.unpack(template.tobytes())
    state.fallback = (seed ^ JAVA_SCRAMBLE) & ((1 << 48) - 1)
    if template.luck.word:
        state.luck.word = generator(derive(seed, "luck")).word
    return state


def settings_of(**changes: Any) -> Any:
    """The settings of simulations, by name.

    death_weight: what catching Pac-Man counts in the reward (0.25). turn_every: in a tree he may turn
    every so many ticks of a corridor (6); 0: not there. turns: in a playout he turns back at "junctions"
    or "never".
    """
    values = SETTINGS.new()
    values.death_weight, values.turn_every = 0.25, 6
    for name, value in changes.items():
        if name not in CHOICES:
            raise UsageError(f"Pac-Man has no setting {name}; {nearest(name, CHOICES)}")
        if name == "turns":
            if value not in TURNS:
                raise UsageError(f"turns is one of {', '.join(TURNS)}, not {value}")
            values.turns = TURNS.index(value)
        elif name == "turn_every" and not 0 <= int(value) <= MOST_TICKS:
            raise UsageError(f"turn_every is 0 to {MOST_TICKS} ticks, not {value}")
        elif name == "death_weight" and not 0 <= float(value) <= 1:
            raise UsageError(f"death_weight is a share from 0 to 1, not {value}")
        else:
            values[name] = value
    return values


def game_kernels(m: Kernels) -> dict[str, Any]:
    """The contract's kernels on these mazes."""
    return {**_rule_kernels(m), **_simulation_kernels(m)}


def _rule_kernels(m: Kernels) -> dict[str, Any]:
    @inline
    def movers(state, out):
        return choices.movers(m, state, out)

    @inline
    def tree_movers(state, out):
        return choices.tree_movers(m, state, out)

    @bare_kernel
    def moves(state, seat, out):
        return choices.moves(m, state, seat, out)

    @bare_kernel
    def play(state, joint):
        rules.advance(m, state, joint)

    @inline
    def over(state):
        return state.over != 0

    @inline
    def points(state, out):
        rewards.points(m, state, out)

    return {
        "movers": movers,
        "tree_movers": tree_movers,
        "moves": moves,
        "play": play,
        "over": over,
        "points": points,
    }


def _simulation_kernels(m: Kernels) -> dict[str, Any]:
    @inline
    def game_rewards(state, out, settings):
        rewards.rewards(m, state, out, settings)

    @inline
    def tree_moves(state, seat, out, settings):
        return choices.tree_moves(m, state, seat, out, settings)

    @inline
    def step(state, seat, rng, settings):
        return choices.step(m, state, seat, rng, settings)

    @bare_kernel
    def play_out(state, rng, trace, settings):
        playout.playout(m, state, rng, trace, settings)

    return {
        "rewards": game_rewards,
        "tree_moves": tree_moves,
        "step": step,
        "playout": play_out,
    }
