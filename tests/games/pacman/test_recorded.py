"""Records of games: replayed field by field; here the slow reference keeps them, as the framework would."""

import json
import random

import pytest

from manyminds.core.errors import UsageError
from manyminds.games.pacman import pacman
from manyminds.games.pacman.recorded import (
    GHOST_WORDS,
    WORDS,
    fields_of,
    play_recorded,
    turning_word,
)

from .conftest import items, slow_twin
from .reference import Luck


def seen(twin):
    """The slow game's fields as a record keeps them."""
    pills, power = items(twin.maze)
    return dict(
        maze=twin.maze_number,
        level=twin.level,
        time=twin.time,
        level_time=twin.level_time,
        score=twin.score,
        lives=twin.lives,
        over=twin.over,
        extra_life=twin.extra_life,
        multiplier=twin.multiplier,
        pacman=twin.node,
        pacman_move=twin.move.upper(),
        ghosts=[ghost.node for ghost in twin.ghosts],
        ghost_moves=[ghost.move.upper() for ghost in twin.ghosts],
        edible=[ghost.edible for ghost in twin.ghosts],
        lair=[ghost.lair for ghost in twin.ghosts],
        pills=[n for n, node in enumerate(pills) if node in twin.pills],
        power_pills=[n for n, node in enumerate(power) if node in twin.power],
    )


def recorded(twin, rng, ticks):
    """Answers of careless controllers and what comes of them; the slow game decides, tick by tick."""
    for _ in range(ticks):
        if twin.over:
            return
        him = rng.choice([*WORDS, None])
        them = {ghost: rng.choice([*WORDS, None]) for ghost in GHOST_WORDS if rng.random() < 0.8}
        them = None if rng.random() < 0.1 else them
        turned = rng.random() < 0.01
        twin.luck = Luck(turning_word()) if turned else None
        twin.tick(answers(twin, him, them))
        yield dict(pacman=him, ghosts=them, reversed=turned, state=seen(twin))


def answers(twin, him, them):
    """What the framework makes of them: no answer is NEUTRAL, no map at all the last moves."""
    own = [ghost.move.upper() for ghost in twin.ghosts]
    said = own if them is None else [them.get(ghost) or "NEUTRAL" for ghost in GHOST_WORDS]
    return [WORDS.index(word) for word in (him or "NEUTRAL", *said)]


def keep(folder, drawings, seed, ticks=400, rules="full"):
    game = pacman(drawings, rules=rules, reversals=False)
    twin = slow_twin(game, game.start(seed))
    head = dict(seed=seed, rules=rules, mazes=drawings, state=seen(twin))
    lines = [head, *recorded(twin, random.Random(seed), ticks)]
    file = folder / f"{seed}.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    return file, lines


@pytest.mark.parametrize("rules", ["full", "thesis"])
@pytest.mark.parametrize("seed", range(6))
def test_records_are_played_again_with_the_same_fields(tmp_path, drawings, rules, seed):
    file, lines = keep(tmp_path, drawings, seed, rules=rules)
    assert play_recorded(file) == len(lines) - 1 > 3


def test_a_field_that_differs_is_named_with_its_tick(tmp_path, drawings):
    file, lines = keep(tmp_path, drawings, 3)
    lines[7]["state"]["score"] += 10
    file.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(UsageError, match=r"tick 7: score is \d+, recorded as \d+"):
        play_recorded(file)


def test_what_is_misspelt_is_named(tmp_path, drawings):
    file, lines = keep(tmp_path, drawings, 4, ticks=5)
    for where, wrong, message in (
        (1, {"pacmna": "LEFT"}, 'unknown "pacmna"; did you mean "pacman"'),
        (1, {"pacman": "WEST"}, '"WEST" is no move'),
        (2, {"state": {"scor": 1}}, 'no field "scor"; did you mean "score"'),
        (0, {"rule": "full"}, 'unknown "rule"; did you mean "rules"'),
    ):
        changed = [dict(line) for line in lines]
        changed[where] = {**changed[where], **wrong}
        file.write_text("\n".join(map(json.dumps, changed)))
        with pytest.raises(UsageError, match=message):
            play_recorded(file)


def test_the_start_is_the_frameworks():
    """Pac-Man on his start facing left, all ghosts in the lair for 40, 60, 80 and 100 ticks."""
    game = pacman(1, rules="full")
    fields = fields_of(game, game.start())
    assert fields["lair"] == [40, 60, 80, 100]
    assert fields["pacman_move"] == "LEFT"
    assert fields["ghost_moves"] == ["NEUTRAL"] * 4
    assert fields["lives"] == 3
