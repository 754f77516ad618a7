"""What moves do to other colours, against a slow count on drawn boards."""

import random

import numpy as np
import pytest

import manyminds as mm
from manyminds.games.go.conduct import FEATURES, conduct, mirrored

STRIDE = 20


def grid(state):
    """Colours by point, 0 where empty."""
    return {
        (row + 1) * STRIDE + column + 1: int(state.color[(row + 1) * STRIDE + column + 1])
        for row in range(int(state.height))
        for column in range(int(state.width))
    }


def beside(stones, point):
    return [q for q in (point - STRIDE, point - 1, point + 1, point + STRIDE) if q in stones]


def chain(stones, point):
    found, edge = {point}, [point]
    while edge:
        for q in beside(stones, edge.pop()):
            if stones[q] == stones[point] and q not in found:
                found.add(q)
                edge.append(q)
    return found


def liberties(stones, members):
    return {q for p in members for q in beside(stones, p) if stones[q] == 0}


def does_slowly(stones, point, mover, other):
    """The features of one move towards one colour, one sentence after the other."""
    touched = [chain(stones, q) for q in beside(stones, point) if stones[q] not in (0, mover)]
    left = [(stones[next(iter(c))], len(liberties(stones, c) - {point}), c) for c in touched]
    mine = [n for colour, n, _ in left if colour == other]
    helped = {
        stones[q]
        for colour, n, members in left
        if n <= 1
        for p in members
        for q in beside(stones, p)
        if stones[q] not in (0, mover, colour)
    }
    near = any(
        colour == other
        and abs(q // STRIDE - point // STRIDE) <= 2
        and abs(q % STRIDE - point % STRIDE) <= 2
        for q, colour in stones.items()
    )
    around = beside(stones, point)
    colours = {stones[q] for q in around}
    atari = any(len(liberties(stones, chain(stones, q))) == 1 for q in around if stones[q] != 0)
    return [
        0 in mine,
        1 in mine,
        bool(mine),
        near,
        other in helped,
        not atari and colours == {mover, other},
    ]


@pytest.mark.parametrize(("size", "colours"), [(5, 3), (7, 3), (6, 5)])
def test_what_a_move_does_is_what_a_slow_count_says(size, colours):
    game = mm.go(size=size, colours=colours)
    draw = random.Random(size * 10 + colours)
    seen = np.zeros(len(FEATURES), int)
    for _ in range(6):
        state = game.start()
        for _ in range(3 * size * size):
            if game.over(state):
                break
            moves, does = conduct(game, state)
            mover, stones = int(state.to_play), grid(state)
            legal = [int(move) for move in game.moves(state)]
            spared = [m for m in legal if m and {stones[q] for q in beside(stones, m)} == {mover}]
            assert sorted(moves.tolist()) == sorted(set(legal) - set(spared))
            assert moves[-1] == 0
            assert not does[-1].any()
            for move, found in zip(moves[:-1].tolist(), does[:-1], strict=True):
                for other in range(1, colours + 1):
                    slow = (
                        does_slowly(stones, move, mover, other)
                        if other != mover
                        else [0] * len(FEATURES)
                    )
                    assert found[other - 1].tolist() == slow, (FEATURES, move, other)
            seen += does.astype(int).sum((0, 1))
            game.play(state, draw.choice([int(m) for m in moves]))
    assert (seen > 0).all()  # each of them came up


def test_mirrored_points_are_the_three_other_ones_of_a_stone():
    game = mm.go(size=(9, 7), colours=3)
    state = game.start()
    game.play(state, game.move_named("B2"))
    stone = int(game.move_named("B2"))
    names = {game.name(point) for point in mirrored(game, state, stone)}
    assert names == {"H2", "B6", "H6"}
    assert mirrored(game, state, 0) == ()
    assert mirrored(game, state, int(game.move_named("A1"))) == ()  # no stone stands there
    game.play(state, game.move_named("H6"))
    assert len(mirrored(game, state, stone)) == 2  # where a stone is, none can be put
    centre = int(game.move_named("E4"))
    game.play(state, centre)
    assert mirrored(game, state, centre) == ()


def test_a_colour_may_spare_alone_what_it_surrounds_with_anybody():
    game = mm.go(size=5, colours=3)
    settings = game.set_up(coalitions=[["white", "red"]], sparing="black")
    bits = [int(settings.allies[colour]) & 0b1110 for colour in (1, 2, 3)]
    assert bits == [0b1110, 0b1100, 0b1100]
    assert game.set_up(sparing=0, coalitions="white+red").tobytes() == settings.tobytes()
    with pytest.raises(mm.UsageError, match="white is in a coalition"):
        game.set_up(coalitions="white+red", sparing="white")
