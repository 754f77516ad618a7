"""Playouts: the board's books after every move, exactly uniform draws, compiled as interpreted."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from manyminds.core.kernel import entry, interpreted
from manyminds.core.random import generator
from manyminds.games import calls
from manyminds.games.go.board import EMPTY, PASS, STRIDE, WALL, copy_board, empty_board
from manyminds.games.go.coordinates import point_at
from manyminds.games.go.diagram import Position, parse
from manyminds.games.go.playout import EYE, SURROUNDED, random_point

from .drawn import any_go, compiled, place_of, slow
from .reference import Reference, string

RULES = {SURROUNDED: "surrounded", EYE: "eye"}
UNLIKELY = (
    1e-9  # how often a right program would fail a test of its draws, were the seeds not fixed
)

sizes = st.tuples(st.integers(5, 9), st.integers(5, 9))
colours_and_rules = st.tuples(st.integers(2, 6), st.sampled_from(sorted(RULES)))
seeds = st.integers(0, 2**32)


def play_on(board, rng, rule, moves):
    """Let playouts go on for some moves; how many were made (fewer: all have passed)."""
    trace = any_go().trace.new()
    trace.limit = moves
    chosen = any_go().set_up(playout=RULES[rule])
    calls.playout(any_go().kernels, board, rng, trace, chosen)
    return trace.move[: trace.n].tolist()


def seen_slowly(board):
    """The compiled board's position as the reference's, from its colours alone."""
    position = Position.of(board)
    reference = slow(position)
    reference.banned = place_of(board.ko) if board.ko else None
    return reference


# --- the board's books ------------------------------------------------------------------------------


def beside(point):
    return point - STRIDE, point - 1, point + 1, point + STRIDE


def eye_of(color, point):
    """The colour that alone is beside a point, if any: nothing but its stones, or walls."""
    found = {int(color[q]) for q in beside(point)} - {WALL}
    return found.pop() if len(found) == 1 and EMPTY not in found else None


def check_list_of_empties(board, points, color):
    listed, place_of_each = board.empty[: board.empties].tolist(), board.place_of.tolist()
    assert sorted(listed) == [point for point in points if color[point] == EMPTY]
    assert [place_of_each[point] for point in listed] == list(range(len(listed)))
    assert 0 <= board.eyes <= board.empties
    for point in listed[: board.eyes]:
        assert eye_of(color, point) is not None, point


def check_counts(board, points, color):
    kept = board.around.tolist()
    for point in points:
        around = [color[q] for q in beside(point)]
        counts = [around.count(EMPTY)]
        counts += [around.count(colour) + around.count(WALL) for colour in range(1, 7)]
        counts += [around.count(WALL)]
        assert [(kept[point] >> (4 * content)) & 15 for content in range(8)] == counts, point


def check_chains(board, points, color, reference):
    head, after = board.head.tolist(), board.next_stone.tolist()
    assert board.liberties[0] > 1000  # the dummy's: never few, never out
    assert not any(head[point] for point in points if color[point] == EMPTY)
    left = set(reference.stones)
    while left:
        stones = string(reference, reference.stones, left.pop())
        left -= stones
        chain = {point_at(*stone) for stone in stones}
        (its_head,) = {head[point] for point in chain}
        assert its_head in chain
        assert board.stones[its_head] == len(chain)
        circle = [its_head]
        for _ in chain:
            circle.append(after[circle[-1]])
        assert set(circle) == chain
        assert circle[-1] == its_head
        pairs = sum(color[q] == EMPTY for point in chain for q in beside(point))
        assert board.liberties[its_head] == pairs > 0


def check_books(board):
    points = [point_at(row, column) for row in range(board.height) for column in range(board.width)]
    color = board.color.tolist()
    check_list_of_empties(board, points, color)
    check_counts(board, points, color)
    check_chains(board, points, color, seen_slowly(board))


@pytest.mark.interpreted
@settings(max_examples=4 if interpreted() else 15)
@given(sizes, colours_and_rules, seeds)
def test_the_books_are_right_after_every_move_of_a_playout(size, kind, seed):
    colours, rule = kind
    board, rng = empty_board(*size, colours), generator(seed)
    for _ in range(60 if interpreted() else 200):
        moves = play_on(board, rng, rule, 1)
        check_books(board)
        if not moves:
            return


@settings(max_examples=10)
@given(sizes, colours_and_rules, st.randoms(use_true_random=False), seeds)
def test_the_books_stay_right_where_any_legal_move_is_played_between(size, kind, random, seed):
    """Tree moves and passes too, so that own eyes are filled and points set aside are played and freed."""
    colours, rule = kind
    board, rng = empty_board(*size, colours), generator(seed)
    play_on(board, rng, rule, size[0] * size[1])
    for _ in range(80):
        board.passes = 0
        if random.random() < 0.5:
            any_go().play(board, random.choice(any_go().moves(board).tolist()))
        else:
            play_on(board, rng, rule, 1)
        check_books(board)


# --- the draw ---------------------------------------------------------------------------------------


@entry
def count_draws(board, scratch, rng, eye_rule, n, counts):
    """Draw from the board as it stands n times; then n times more, each leaving its order to the next."""
    for _ in range(n):
        copy_board(scratch, board)
        counts[random_point(scratch, int(board.to_play), rng, eye_rule)] += 1
    for _ in range(n):
        counts[random_point(scratch, int(board.to_play), rng, eye_rule)] += 1


def spared(reference: Reference, place, rule):
    """Whether the mover keeps a point free, as the papers say it."""
    own = reference.to_play
    if any(reference.stones.get(near) != own for near in reference.beside(place)):
        return False
    row, column = place
    corners = [(row + r, column + c) for r in (-1, 1) for c in (-1, 1)]
    on_board = [q for q in corners if q in reference.places()]
    others = sum(reference.stones.get(q, own) != own for q in on_board)
    return rule == SURROUNDED or others <= (1 if len(on_board) == 4 else 0)


def wanted(board, rule):
    """The points to draw from, by the reference."""
    reference = seen_slowly(board)
    return sorted(
        point_at(*place)
        for place in reference.empties()
        if reference.legal(place) and not spared(reference, place, rule)
    )


def check_draw(board, rule, seed, n_each=400):
    """Only the wanted points are drawn, and all alike, by a chi-square bound; how many those are."""
    points = wanted(board, rule)
    n = n_each * max(len(points), 1)
    counts = np.zeros(421, np.int64)
    count_draws(board, board.copy(), generator(seed), rule, n, counts)
    assert np.flatnonzero(counts).tolist() == (points or [PASS])
    if len(points) > 1:
        expected = 2 * n / len(points)
        off = ((counts[points] - expected) ** 2 / expected).sum()
        assert off < chi2.isf(UNLIKELY, len(points) - 1), counts[points]
    return points


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [(5, 5), (9, 9), (6, 8), (19, 19)])
def test_the_first_move_is_drawn_uniformly_from_all_points(size, rule):
    board = empty_board(*size, 2)
    assert len(check_draw(board, rule, 1, n_each=100)) == size[0] * size[1]


def capturable_eyes(board, points):
    """The points to draw from that are another colour's eyes."""
    return [point for point in points if eye_of(board.color, point) not in (None, board.to_play)]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("colours", [2, 3, 6])
def test_late_moves_are_drawn_uniformly_with_and_without_eyes_to_take(colours, rule):
    """Positions of playouts from the middle game to the end, of all kinds that the draw tells apart."""
    seen = dict.fromkeys(("eyes to take", "eyes known", "many open", "few open", "none open"), 0)
    for seed in range(40):
        board, rng = empty_board(9, 9 - seed % 3, colours), generator(seed)
        board.limit = 2000
        play_on(board, rng, rule, 50 + 5 * (seed % 12))
        points = check_draw(board, rule, seed)
        n_open = int(board.empties - board.eyes)
        seen["eyes to take"] += bool(capturable_eyes(board, points))
        seen["eyes known"] += board.eyes > 0
        seen["many open"] += n_open >= 8
        seen["few open"] += 0 < n_open < 4
        seen["none open"] += n_open == 0
    at_least = 1 if colours == 2 and rule == SURROUNDED else 0
    assert min(seen["eyes known"], seen["many open"]) > 3, seen
    assert min(seen["eyes to take"], seen["few open"]) >= at_least, seen


ONE_EYE_TO_TAKE = """
    5 O O O O O
    4 O O O . O
    3 X X O O O
    2 . X O O .
    1 X X O O O
    to play: {}
"""


@pytest.mark.parametrize("rule", RULES)
def test_the_last_eye_of_a_chain_is_all_there_is_to_draw(rule):
    board = compiled(parse(ONE_EYE_TO_TAKE.format("white")))
    for _ in range(2):  # with its eyes unnoticed, then known
        assert check_draw(board, rule, 1) == [point_at(1, 0)]
        count_draws(board, board, generator(1), rule, 9, np.zeros(421, np.int64))
    assert board.eyes > 0


@pytest.mark.parametrize("rule", RULES)
def test_who_has_only_eyes_passes(rule):
    board = compiled(parse(ONE_EYE_TO_TAKE.format("black")))
    assert check_draw(board, rule, 1) == []


# --- compiled as interpreted ------------------------------------------------------------------------

PLAYOUTS = """
from manyminds.core.random import generator
from manyminds.games.go import go

for size, colours, rule in (((5, 7), 2, "surrounded"), (6, 3, "surrounded"), (6, 2, "eye"), (5, 6, "eye"),
                           (5, 2, "pattern"), (6, 3, "pattern")):
    game = go(size, colours)
    for seed in range(2):
        state, rng = game.start(), generator(seed)
        trace = game.playout(state, rng, game.set_up(playout=rule))
        print(trace.seat[: trace.n].tolist(), trace.move[: trace.n].tolist(), int(rng.word))
        print(state.tobytes()[: state.dtype.fields["seen"][1]].hex())
"""


def test_compiled_and_interpreted_playouts_are_the_same_move_by_move_and_byte_by_byte():
    said = []
    for off in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", PLAYOUTS],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert len(said[0].splitlines()) == 24
    assert said[0] == said[1]
