"""Coalitions in Go's simulations: common eyes spared and counted, against the plain Python reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manyminds.core.errors import UsageError
from manyminds.core.kernel import entry, interpreted
from manyminds.core.random import generator
from manyminds.games import calls
from manyminds.games.go import go
from manyminds.games.go.board import PASS, common_eye, copy_board, empty_board
from manyminds.games.go.coordinates import point_at, point_named
from manyminds.games.go.diagram import Position, parse
from manyminds.games.go.playout import random_point
from manyminds.search import calls as search_calls

from .drawn import any_go, compiled, place_of, slow
from .reference import liberties, points, regions, string

BLACK, WHITE, RED = 1, 2, 3


def middle_game(size, colours, turns, group, seed):
    """A position that playouts lead to, and a partition of its colours by number of group."""
    board, trace = empty_board(*size, colours), any_go().trace.new()
    coalitions = [[seat for seat in range(colours) if group[seat] == k] for k in range(colours)]
    trace.limit = turns % (2 * size[0] * size[1])  # the early ones have regions
    chosen = any_go().set_up(coalitions=coalitions)
    calls.playout(any_go().kernels, board, generator(seed), trace, chosen)
    return board, coalitions


groups = st.lists(st.integers(0, 5), min_size=6, max_size=6)
middle_games = st.tuples(
    st.tuples(st.integers(5, 9), st.integers(5, 9)),
    st.integers(2, 6),
    st.integers(0, 161),
    groups,
    st.integers(0, 2**32),
)


def mates_of(coalitions, colour):
    """The colours (from 1) of a colour's coalition, itself included."""
    found = [group for group in coalitions if colour - 1 in group]
    return {seat + 1 for seat in found[0]} if found else {colour}


# --- what is spared ---------------------------------------------------------------------------------


def spared_slowly(reference, place, colour, mates):
    """Section 4.3: surrounded by one coalition, none of the surrounding strings in atari."""
    beside = reference.beside(place)
    content = {reference.stones.get(near) for near in beside}
    if content == {colour}:
        return True  # the rule Surrounded
    if len(mates) == 1 or not content <= mates:
        return False
    around = (string(reference, reference.stones, near) for near in beside)
    return all(len(liberties(reference, reference.stones, one)) > 1 for one in around)


def wanted_slowly(board, coalitions):
    reference = slow(Position.of(board))
    reference.banned = place_of(board.ko) if board.ko else None
    mates = mates_of(coalitions, reference.to_play)
    return sorted(
        point_at(*place)
        for place in reference.empties()
        if reference.legal(place) and not spared_slowly(reference, place, reference.to_play, mates)
    )


@entry
def draws(board, scratch, rng, allies, n, counts):
    for _ in range(n):
        copy_board(scratch, board)
        counts[random_point(scratch, int(board.to_play), rng, 0, allies)] += 1


def check_spared(board, coalitions):
    """Playouts draw exactly the wanted points, and trees list them where the settings say so."""
    chosen = any_go().set_up(coalitions=coalitions, spare="everywhere")
    wanted = wanted_slowly(board, coalitions)
    counts = np.zeros(421, np.int64)
    allies = int(chosen.allies[board.to_play])
    n = 30 * (len(wanted) + 1)  # a point is missed once in e**30
    draws(board, board.copy(), generator(1), allies, 1 if interpreted() else n, counts)
    drawn = np.flatnonzero(counts).tolist()
    assert set(drawn) <= set(wanted or [PASS]) if interpreted() else drawn == (wanted or [PASS])
    out = np.zeros(421, np.uint32)
    found = out[: search_calls.tree_moves(any_go().kernels, board, out, chosen)].tolist()
    assert found == (wanted or [PASS])
    return wanted


@pytest.mark.interpreted
@settings(max_examples=5 if interpreted() else 60)
@given(middle_games)
def test_a_coalition_spares_what_the_paper_says(drawn):
    check_spared(*middle_game(*drawn))


def test_positions_of_playouts_have_common_eyes_that_are_spared_and_some_in_atari():
    seen = {"spared": 0, "in atari": 0}
    for seed in range(40):
        board, trace = empty_board(9, 9, 3), any_go().trace.new()
        trace.limit = 100 + 2 * seed
        coalitions = [[0, 1]] if seed % 2 else [[0, 1, 2]]
        chosen = any_go().set_up(coalitions=coalitions)
        calls.playout(any_go().kernels, board, generator(seed), trace, chosen)
        wanted = check_spared(board, coalitions)
        alone = wanted_slowly(board, [])
        seen["spared"] += len(set(alone) - set(wanted))
        friends = int(chosen.allies[board.to_play])
        seen["in atari"] += sum(
            all(board.color[q] and friends >> board.color[q] & 1 for q in beside(point))
            for point in wanted
        )
    assert min(seen.values()) > 3, seen


def beside(point):
    return point - 20, point - 1, point + 1, point + 20


COMMON = """
    5 X X X X X
    4 X . O . O
    3 O O O O R
    2 R R R R R
    1 . R . R .
    to play: {}
"""


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("to_play", "coalitions", "point", "spared"),
    [
        ("black", "black+white", "B4", True),
        ("white", "black+white", "B4", True),
        ("red", "black+white", "B4", False),
        ("black", "white+red", "B4", False),
        ("black", "black+white", "D4", False),  # E4 is in atari
    ],
)
def test_a_common_eye_is_spared_by_those_who_share_it_alone(to_play, coalitions, point, spared):
    board = compiled(parse(COMMON.format(to_play)))
    colour = int(board.to_play)
    allies = int(any_go().set_up(coalitions=coalitions).allies[colour])
    found = allies != 0 and common_eye(board, point_named(point, 5, 5), colour, allies)
    assert bool(found) is spared


LAST_LIBERTY = """
    5 . X R . .
    4 X . O R .
    3 R O R . .
    2 . R . . .
    1 . . . . .
    to play: black
"""


def test_a_common_eye_is_open_to_its_owners_while_a_chain_there_is_in_atari():
    board = compiled(parse(LAST_LIBERTY))
    allies = int(any_go().set_up(coalitions="black+white").allies[BLACK])
    assert not common_eye(board, point_at(3, 1), BLACK, allies)
    assert point_at(3, 1) in check_spared(board, [[0, 1]])


# --- how it counts ----------------------------------------------------------------------------------


def scored_slowly(board, coalitions, scoring):
    """Normal, Allies and Joint points from the reference's regions, one definition after the other."""
    reference = slow(Position.of(board))
    komi = [float(board.komi[colour]) for colour in range(1, board.colours + 1)]
    if scoring == "normal":
        return points(reference, tuple(komi))
    stones = list(reference.stones.values())
    counted = []
    for colour in range(1, board.colours + 1):
        mates = mates_of(coalitions, colour)
        counting = mates if scoring == "joint" else {colour}
        total = float(sum(stones.count(one) + komi[one - 1] for one in counting))
        for region in regions(reference):
            border = {
                reference.stones[near]
                for place in region
                for near in reference.beside(place)
                if near in reference.stones
            }
            total += len(region) * (bool(border) and border <= mates)
        counted.append(total)
    return counted


@pytest.mark.interpreted
@settings(max_examples=10 if interpreted() else 100)
@given(middle_games, st.sampled_from(["normal", "allies", "joint"]), st.booleans())
def test_the_three_scorings_count_as_the_reference_does(drawn, scoring, with_komi):
    board, coalitions = middle_game(*drawn)
    board.komi[1:7] = [0.0, 1.0, 2.5, 0.0, 3.0, 1.5] if with_komi else 0.0
    colours = int(board.colours)
    chosen = any_go().set_up(coalitions=coalitions, scoring=scoring, reward="points")
    wanted = scored_slowly(board, coalitions, scoring)
    area = float(board.width * board.height)
    whole = area + float(board.komi[1 : colours + 1].sum())
    if scoring == "normal":
        whole = max(area, sum(wanted))
    found = any_go().rewards(board, chosen)[:colours]
    assert found == pytest.approx([count / whole for count in wanted], abs=1e-12)
    assert 0 <= min(found) <= max(found) <= 1


@pytest.mark.interpreted
def test_joint_counts_the_common_eyes_that_summed_normal_scores_omit():
    board = compiled(parse(COMMON.format("black")))
    normal = scored_slowly(board, [], "normal")
    assert normal == [6, 6, 11]
    assert shares_of(board, "normal") == normal
    assert shares_of(board, "allies") == [6 + 2, 6 + 2, 11]
    assert shares_of(board, "joint") == [6 + 6 + 2, 6 + 6 + 2, 11]


def shares_of(board, scoring):
    """Points by what a search of black and white's coalition gets."""
    chosen = any_go().set_up(coalitions="black+white", scoring=scoring, reward="points")
    return (any_go().rewards(board, chosen)[:3] * 25).round(6).tolist()


@settings(max_examples=40)
@given(middle_games, st.sampled_from(["normal", "allies", "joint"]))
def test_a_win_is_shared_with_equals_beyond_the_coalition_only(drawn, scoring):
    board, coalitions = middle_game(*drawn)
    colours = int(board.colours)
    chosen = any_go().set_up(coalitions=coalitions, scoring=scoring, reward="win")
    counts = scored_slowly(board, coalitions, scoring)
    best = [colour for colour in range(1, colours + 1) if counts[colour - 1] == max(counts)]
    wanted = [
        (colour in best) / (1 + len(set(best) - mates_of(coalitions, colour)))
        for colour in range(1, colours + 1)
    ]
    assert any_go().rewards(board, chosen)[:colours].tolist() == wanted


def test_matches_are_counted_normally_whatever_simulations_assume():
    game = go(5, 3)
    board = compiled(parse(COMMON.format("black")))
    assert game.points(board)[:3].tolist() == scored_slowly(board, [], "normal")


# --- what is typed ----------------------------------------------------------------------------------


def test_coalitions_are_named_in_words_or_lists_of_names_or_seats():
    game = go(9, 4)
    wanted = game.set_up(coalitions="black+red, white+blue").allies.tolist()
    assert wanted == [0, 0b10001010, 0b10010100, 0b10001010, 0b10010100, 0, 0, 0]
    for same in ([["black", "red"], ["white", "blue"]], [(0, 2), (1, 3)], [{2, 0}, {1, 3}]):
        assert game.set_up(coalitions=same).allies.tolist() == wanted
    assert not game.set_up(coalitions="black").allies.any()
    assert not game.set_up(coalitions=[]).allies.any()


@pytest.mark.parametrize(
    ("coalitions", "says"),
    [
        ("black+whit", "white"),
        ("black+green", "no colour of this game"),
        ("black+white, white+red", "in two coalitions"),
        ([[0, 7]], "no colour"),
    ],
)
def test_what_is_no_partition_is_refused(coalitions, says):
    with pytest.raises(UsageError, match=says):
        go(9, 3).set_up(coalitions=coalitions)
