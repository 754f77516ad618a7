"""Players of coalitions: whom they choose, what their trees assume, and that trees find what is exact."""

import functools
import random

import numpy as np
import pytest

import manyminds as mm
from manyminds.core.budget import Budget
from manyminds.players import Lineup, known, make_player
from manyminds.players.coalitions.assumption import (
    ALONE,
    Assumption,
    choices_of,
    weights_of,
    worth,
)
from manyminds.players.coalitions.paranoid import assumption as paranoid_assumption
from manyminds.players.coalitions.symmetric import partner
from manyminds.search.exact import paranoid as solve_paranoid

THREE = ["black", "white", "red"]


@functools.cache
def go(colours=3, size=5):
    return mm.go(size=size, colours=colours)


def begun(spec, game=None, seat=0, lineup=None, seed=3):
    game = game or go()
    player = make_player(spec, game)
    player.begin(game, seat, Lineup(lineup or [spec] * game.seats, seed))
    return player


def assumed(spec, **others):
    return [one.coalitions for one in begun(spec, **others).trees.assumptions]


# --- what is assumed --------------------------------------------------------------------------------


def test_each_player_builds_the_trees_of_the_paper():
    assert assumed("paranoid", seat=1) == [((0, 2),)]
    assert assumed("alliance(with=[white], scoring=joint)") == [((0, 1),)]
    assert assumed("confident(allies)", seat=1) == [(), ((0, 1),), ((1, 2),)]
    assert assumed("symmetric") == [(), ((0, 1),), ((0, 2),), ((1, 2),)]


@pytest.mark.parametrize("seats", range(2, 7))
def test_symmetric_builds_a_tree_for_each_pair_and_one_for_none(seats):
    player = make_player("symmetric(joint)", go(seats))  # not begun: nothing has to be compiled
    found = [one.coalitions for one in player.assume(go(seats), 0, Lineup(["symmetric"] * seats))]
    assert len(set(found)) == len(found) == seats * (seats - 1) // 2 + 1


def test_same_learns_from_the_line_up_who_else_is_a_same():
    lineup = ["same(allies)@10", "paranoid@10", "same(joint)@5"]
    assert assumed("same(allies)", lineup=lineup) == [(), ((0, 2),)]
    assert assumed("same", lineup=["same", "rave", "gtp(same)"]) == [()]
    assert assumed("same(most=3)", lineup=["same"] * 3) == [(), ((0, 1),), ((0, 2),), ((0, 1, 2),)]


def test_paranoia_is_in_playouts_in_the_tree_or_in_both():
    game = go()
    hostile = [[1, 0, 0], [-1, 0, 0], [-1, 0, 0]]
    for where, in_playouts, in_tree in (
        ("playouts", True, False),
        ("tree", False, True),
        ("both", True, True),
    ):
        found = paranoid_assumption(game, 0, where)
        assert bool(choices_of(game, found)) is in_playouts
        weights = weights_of(game, 0, found)
        assert (weights is not None and weights.tolist() == hostile) is in_tree
    assert choices_of(game, paranoid_assumption(game, 0, "playouts"))["spare"] == "in playouts"


def test_where_playouts_know_no_coalition_weights_stand_in_and_the_player_says_so():
    hills = mm.make_game("three_hills")
    together = Assumption(((0, 2),), "joint")
    assert weights_of(hills, 0, together).tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert weights_of(go(), 0, together) is None
    assert weights_of(hills, 0, ALONE) is None
    player = begun("alliance(with=[red])", hills)
    remark = player.decide(hills.start(), Budget(simulations=20)).remark
    assert "three_hills has no coalition playouts" in remark
    assert "no coalition playouts" not in begun("paranoid").decide(
        go().start(), Budget(simulations=20)
    ).remark  # fmt: skip


def test_by_joint_scoring_a_tree_is_worth_an_equal_share():
    values = (0.75, 0.75, 0.25)
    assert worth(go(), Assumption(((0, 1),), "joint"), values, 0) == 0.375
    assert worth(go(), Assumption(((0, 1),), "allies"), values, 0) == 0.75
    assert worth(go(), Assumption(((0, 1),), "joint"), values, 2) == 0.25
    hills = mm.make_game("three_hills")  # there each tree keeps everybody's own reward
    assert worth(hills, Assumption(((0, 1),), "joint"), values, 0) == 0.75


@pytest.mark.parametrize("colours", [3, 6])
def test_any_partition_can_be_played(colours):
    draw = random.Random(colours)
    game = go(colours)
    for _ in range(3):
        seats = list(range(colours))
        draw.shuffle(seats)
        size = draw.randint(1, colours - 1)
        names = [game.seat_names[seat] for seat in seats]
        spec = (
            f"alliance(with=[{names[0]}], against=[{', '.join(names[size + 1 :])}], scoring=joint)"
        )
        player = begun(spec, game, seats[size])
        state = game.start()
        for seat in range(seats[size]):
            game.play(state, int(game.moves(state)[seat]))
        decision = player.decide(state, Budget(simulations=30))
        assert decision.move in game.moves(state)


# --- whom Symmetric chooses -------------------------------------------------------------------------

X = 0.0


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        # Both like each other best.
        ([[0.3, 0.5, 0.4], [0.5, 0.3, 0.2], [0.4, 0.2, 0.3]], 1),
        # White likes red best, red likes black best and is better than nobody.
        ([[0.3, 0.5, 0.4], [0.4, 0.3, 0.5], [0.5, 0.2, 0.3]], 2),
        # The same, but red is no better than nobody.
        ([[0.4, 0.5, 0.4], [0.4, 0.3, 0.5], [0.5, 0.2, 0.3]], 0),
        # Nobody is better than company.
        ([[0.6, 0.5, 0.4], [0.5, 0.3, 0.2], [0.5, 0.2, 0.3]], 0),
        # Black likes white, who stays alone, and nobody likes black.
        ([[0.3, 0.5, 0.4], [0.4, 0.6, 0.5], [0.2, 0.5, 0.3]], 0),
        # Equal to nobody is nobody.
        ([[0.3, 0.3, 0.2], [0.5, 0.3, 0.2], [0.4, 0.2, 0.3]], 0),
        # Two suitors: the better one.
        (
            [
                [0.1, 0.2, 0.3, 0.5],
                [0.9, 0.1, 0.1, 0.1],
                [0.9, 0.1, 0.1, 0.1],
                [0.2, 0.9, 0.1, 0.1],
            ],
            2,
        ),
    ],
)
def test_symmetric_chooses_by_the_rules_of_the_paper(table, wanted):
    assert partner(table, 0) == wanted


def partner_slowly(table, seat):
    """The paper's sentences, one after the other."""
    n = len(table)
    best = [max(table[i]) for i in range(n)]
    for j in range(n):
        if table[seat][j] == best[seat] and table[j][seat] == best[j]:
            return j
    for value in sorted(table[seat], reverse=True):
        j = table[seat].index(value)
        if value > table[seat][seat] and table[j][seat] == best[j]:
            return j
    return seat


def test_symmetric_chooses_so_on_drawn_tables():
    rng = np.random.default_rng(1)
    chosen = []
    for _ in range(500):
        n = int(rng.integers(2, 7))
        table = rng.random((n, n)).tolist()
        seat = int(rng.integers(n))
        chosen.append(partner(table, seat) != seat)
        assert partner(table, seat) == partner_slowly(table, seat)
    assert 50 < sum(chosen) < 450


# --- trees find what is exact -----------------------------------------------------------------------


def test_paranoid_trees_find_what_the_exact_solver_finds():
    hills = mm.make_game("three_hills", soldiers=[1, 2], worths=[1, 1, 2])
    for seat in range(3):
        state = hills.start()
        for _ in range(seat):
            hills.play(state, int(hills.moves(state)[0]))
        weights = weights_of(hills, seat, paranoid_assumption(hills, seat, "tree"))
        search = mm.Search(hills, state, mm.uct(0.4), weights=weights, seed=1)
        search.run(simulations=100_000)
        move = search.best()
        exact = solve_paranoid(hills, state, seat)
        after = hills.copy(state)
        hills.play(after, move)
        assert solve_paranoid(hills, after, seat).value == pytest.approx(exact.value)


def solve_weighted(game, state, weights):
    """Max^n where each seat maximises its weighted sum of all rewards, by looking at everything."""
    if game.over(state):
        return game.rewards(state)
    row = weights[game.seat(state)]
    found = []
    for move in game.moves(state):
        after = game.copy(state)
        game.play(after, int(move))
        found.append(solve_weighted(game, after, weights))
    return max(found, key=lambda values: float(row @ values))


def test_allied_trees_find_what_is_best_for_both():
    hills = mm.make_game("three_hills", soldiers=[1, 2], worths=[1, 2, 3])
    state = hills.start()
    for _ in range(2):
        hills.play(state, int(hills.moves(state)[-1]))  # red is next, with green against blue
    weights = weights_of(hills, 2, Assumption(((0, 2),), "joint"))
    exact = solve_weighted(hills, state, weights)
    search = mm.Search(hills, state, mm.uct(0.6), weights=weights, seed=1)
    search.run(simulations=40_000)
    after = hills.copy(state)
    hills.play(after, search.best())
    found = solve_weighted(hills, after, weights)
    assert found[0] + found[2] == pytest.approx(exact[0] + exact[2])


# --- as players -------------------------------------------------------------------------------------


def test_all_of_them_are_listed_and_play_the_same_match_again():
    specs = ["same(allies)@20", "symmetric(joint)@20", "confident(allies, most=3)@20"]
    assert {"paranoid", "alliance", "confident", "symmetric", "same"} <= set(known())
    one, two = (mm.play(go(), specs, seed=5) for _ in range(2))
    assert one.digest == two.digest
    assert one.ending == "over"
    remarks = [remark.text for remark in one.remarks]
    assert any("expects black" in text and "line" in text for text in remarks)


def test_the_budget_is_each_tree_s():
    for spec, trees in (("paranoid", 1), ("confident", 3), ("symmetric", 4)):
        decision = begun(spec).decide(go().start(), Budget(simulations=25))
        assert decision.simulations == 25 * trees


def test_a_seat_is_not_with_and_against_at_once():
    with pytest.raises(mm.UsageError, match="either with or against"):
        begun("alliance(with=[red], against=[red, white])")
