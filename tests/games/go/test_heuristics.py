"""Heuristics: Fuego 0.4's answers on 600 positions, and the slow ones' on random games of 2 to 6 colours."""

import functools
import json
import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from manyminds.core.kernel import entry, interpreted
from manyminds.core.random import generator
from manyminds.games.go import heuristics, liberties, patterns, views
from manyminds.games.go.board import copy_board
from manyminds.games.go.coordinates import point_named
from manyminds.games.go.diagram import Position
from manyminds.games.go.playout import step

from . import slow_heuristics as slowly
from .drawn import any_go, compiled, place_of, point_of, slow

POSITIONS = Path(__file__).parent / "data" / "fuego-0.4.jsonl.xz"
ROOM = 400
NAMES = ("nakade", "atari_capture", "atari_defend", "lowlib", "pattern", "capture")
OURS_ALONE = ("lowlib_041", "mogo_pattern")


@entry
def ask(which, board, out):
    """One heuristic's answer; a number, since one compilation does for all of them."""
    if which == 0:
        return heuristics.nakade(board, out)
    if which == 1:
        return heuristics.atari_capture(board, out)
    if which == 2:
        return heuristics.atari_defend(board, out)
    if which == 3:
        return heuristics.lowlib(board, out)
    if which == 4:
        return heuristics.pattern(board, out)
    if which == 5:
        return heuristics.capture(board, out)
    if which == 6:
        return heuristics.lowlib_041(board, out)
    if which == 7:
        return heuristics.mogo_pattern(board, out)
    n = 0
    colour = int(board.to_play)
    for k in range(board.empties):
        point = np.uint32(board.empty[k])
        if liberties.self_atari(board, point, colour):
            out[n] = point
            n += 1
    return n


MOGO_PATTERN, SELF_ATARIS = 7, 8


def answer(board, which):
    out = np.zeros(ROOM, np.uint32)
    return sorted(place_of(int(point)) for point in out[: ask(which, board, out)])


# --- Fuego's own answers -----------------------------------------------------------------------------


@functools.cache
def recorded():
    """The positions with what release 0.4 said of them: boards and answers."""
    with lzma.open(POSITIONS, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    assert len(rows) == 600
    return [(board_of(row), row) for row in rows]


def board_of(row):
    size = row["size"]
    stones = {
        (size - 1 - above, column): {"X": 1, "O": 2}[letter]
        for above, line in enumerate(row["rows"])
        for column, letter in enumerate(line)
        if letter != "."
    }
    board = compiled(Position(size, size, 2, stones, {"b": 1, "w": 2}[row["to_play"]]))
    board.last, board.last2 = (point(row[name], size) for name in ("last", "last2"))
    return board


def point(name, size):
    return 0 if name in (None, "", "pass") else point_named(name, size, size)


def places(names, size):
    return sorted(place_of(point(name, size)) for name in names)


@pytest.mark.parametrize("which", range(len(NAMES)), ids=NAMES)
def test_proposes_what_fuego_proposes(which):
    for board, row in recorded():
        assert answer(board, which) == places(row[NAMES[which]], row["size"]), row
    assert sum(bool(row[NAMES[which]]) for _, row in recorded()) >= 9  # there is something to see


def test_finds_the_self_ataris_that_fuego_finds():
    for board, row in recorded():
        assert answer(board, SELF_ATARIS) == places(row["self_atari"], row["size"]), row


def test_patterns_match_where_fuegos_match():
    matching = patterns.matching_views()
    for board, row in recorded():
        seen = seen_slowly(board)
        found = [p for p in seen.board.empties() if matching[number_of(slowly.view_of(seen, p))]]
        assert sorted(found) == places(row["pattern_points"], row["size"]), row


# --- the slow ones ---------------------------------------------------------------------------------


def number_of(view):
    """The number of a view in the table, from its drawing."""
    codes = {letter: code for code, letter in enumerate(".XO#")}
    letters = [view[1 - row][1 + column] for row, column in views.PLACES]
    return sum(codes[letter] << (2 * k) for k, letter in enumerate(letters))


def test_the_table_is_what_the_drawings_say():
    matching = patterns.matching_views()
    rng = np.random.default_rng(5)
    views = {"".join(rng.choice(list(".XO"), 9)) for _ in range(700)}
    edges = {"".join(rng.choice(list(".XO"), 6)) + "###" for _ in range(500)}
    fitted = 0
    for text in sorted(views | edges):
        rows = (text[:3], text[3] + "." + text[5], text[6:])
        expected = slowly.matches(rows)
        for way in slowly.drawn_ways(rows):
            assert matching[number_of(way)] == expected, rows
        fitted += expected
    assert 150 < fitted < 1000
    for corner in ("XO.", "OXO", ".XX", "OOX"):
        assert not matching[number_of((f"{corner[0]}{corner[1]}#", f"{corner[2]}.#", "###"))]


def test_patterns_see_any_other_colour_as_the_enemy():
    assert views.sides_for(3) == views.sides_for(1) ^ (3 << 2) ^ (3 << 6)
    board = compiled(Position(5, 5, 3, {(2, 2): 2, (2, 1): 3, (2, 3): 1}, to_play=3))
    board.last = point_of((2, 2))
    found = answer(board, MOGO_PATTERN)
    assert found == [(1, 1), (1, 2), (3, 1), (3, 2)]
    assert found == sorted(slowly.mogo_pattern(seen_slowly(board)))


def seen_slowly(board):
    last, last2 = (place_of(int(p)) if p else None for p in (board.last, board.last2))
    return slowly.Seen(slow(Position.of(board)), last, last2)


def after_some_moves(size, colours, moves, seed):
    """A position of a random game; some of its moves answer the last one, so that fights come up."""
    width, height = size
    board = compiled(Position(width, height, colours))
    game, rng = any_go(), np.random.default_rng(seed)
    for _ in range(moves):
        legal = [int(p) for p in game.moves(board) if p]
        if not legal:
            break
        near = [
            p for p in legal if abs(p // 20 - board.last // 20) + abs(p % 20 - board.last % 20) < 4
        ]
        chosen = near if near and rng.random() < 0.7 else legal
        game.play(board, int(rng.choice(chosen)))
    return board


boards = st.builds(
    after_some_moves,
    st.tuples(st.integers(5, 9), st.integers(5, 9)),
    st.integers(2, 6),
    st.integers(0, 80),
    st.integers(0, 2**32),
)


@pytest.mark.interpreted
@given(boards)
@settings(max_examples=25 if interpreted() else 250)
def test_proposes_what_the_slow_heuristics_propose(board):
    before, seen = board.tobytes(), seen_slowly(board)
    for which, name in enumerate((*NAMES, *OURS_ALONE)):
        slow_one = slowly.lowlib if name == "lowlib_041" else getattr(slowly, name)
        expected = slow_one(seen, True) if name == "lowlib_041" else slow_one(seen)
        assert answer(board, which) == sorted(expected), (name, Position.of(board))
    expected = [place for place in seen.board.empties() if slowly.self_atari(seen, place)]
    assert answer(board, SELF_ATARIS) == sorted(expected), Position.of(board)
    assert board.tobytes() == before


def test_without_a_last_move_only_captures_are_seen():
    board = after_some_moves((7, 7), 3, 40, 3)
    for last in (0, point_of(seen_slowly(board).board.empties()[0])):
        board.last = last
        for which, name in enumerate((*NAMES, *OURS_ALONE)):
            if name != "capture":
                assert answer(board, which) == []


def test_bamboo_joints_need_no_help_in_041():
    """Two chains that share both their liberties: 0.4 plays one of them, 0.4.1 does not."""
    rows = 0
    for seed in range(400):
        board = after_some_moves((7, 7), 2, 45, seed)
        rows += answer(board, 3) != answer(board, 6)
    assert rows > 0


# --- MoGo's policy as a playout ----------------------------------------------------------------------


def answers_of_mogo(seen, spared):
    """What the policy draws from: the first of its lists that has something to play."""
    board = seen.board
    for listed in (
        slowly.atari_defend(seen),
        slowly.mogo_pattern(seen),
        slowly.capture(seen),
        board.empties(),
    ):
        fit = [place for place in listed if board.legal(place) and not spared(place)]
        if fit:
            return fit
    return [None]


@entry
def count_steps(board, scratch, rng, trace, chosen, n, counts):
    for _ in range(n):
        copy_board(scratch, board)
        counts[step(scratch, rng, trace, chosen)] += 1


@pytest.mark.parametrize("colours", [2, 3, 5])
def test_pattern_playouts_draw_what_mogos_policy_draws(colours):
    chosen = any_go().set_up(playout="pattern")
    kinds = set()
    for seed in range(30):
        board = after_some_moves((7, 6), colours, 4 + 2 * seed, seed)
        seen = seen_slowly(board)

        def spared(place, seen=seen):
            return all(seen.colour(near) == seen.me for near in seen.board.beside(place))

        fit = answers_of_mogo(seen, spared)
        kinds.add((len(fit) == len(seen.board.empties()), bool(slowly.mogo_pattern(seen))))
        n = 400 * len(set(fit))
        counts = np.zeros(421, np.int64)
        trace = any_go().trace.new()
        count_steps(board, board.copy(), generator(seed), trace, chosen, n, counts)
        points = sorted({point_of(place) for place in fit})
        assert np.flatnonzero(counts).tolist() == points, Position.of(board)
        if len(points) > 1:
            shares = np.array([fit.count(place_of(p)) for p in points]) / len(fit)
            off = ((counts[points] - n * shares) ** 2 / (n * shares)).sum()
            assert off < chi2.isf(1e-9, len(points) - 1), counts[points]
    assert len(kinds) > 1
