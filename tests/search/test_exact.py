"""The exact solvers against slow ones that prune nothing, on random trees and on all small games."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.errors import UsageError
from manyminds.core.kernel import kernel
from manyminds.core.record import record
from manyminds.games.contract import CHANCE, NONE, Game
from manyminds.games.registry import make_game
from manyminds.search.exact import max_n, paranoid

# ---- trees drawn by hand or at random: (mover, child, child, ...) or rewards in twelfths ----------

NODES = 250
TREE = record(
    node="uint8",
    mover=f"int8[{NODES}]",
    count=f"uint8[{NODES}]",
    child=f"uint8[{NODES}][4]",
    reward=f"float64[{NODES}][3]",
)


@kernel
def seat(state):
    return state.mover[state.node]


@kernel
def moves(state, out):
    for k in range(state.count[state.node]):
        out[k] = k
    return int(state.count[state.node])


@kernel
def play(state, move):
    state.node = state.child[state.node][move]


@kernel
def over(state):
    return state.mover[state.node] == -9


@kernel
def rewards(state, out):
    for k in range(3):
        out[k] = state.reward[state.node][k]


def tree_game(**traits):
    return Game(
        "tree",
        TREE,
        seats=3,
        start=TREE.new,
        move_ids=4,
        most_moves=4,
        longest=20,
        seat=seat,
        moves=moves,
        play=play,
        over=over,
        rewards=rewards,
        **traits,
    )


ALONE = tree_game()
TEAMS = tree_game(teams={"pair": (0, 2), "single": (1,)})


def is_end(tree):
    return isinstance(tree[1], int)


def state_of(tree):
    """Equal subtrees are one node, which play reaches on several ways."""
    state, nodes = TREE.new(), [tree]
    places = {tree: 0}
    for number, node in enumerate(nodes):
        if is_end(node):
            state.mover[number] = -9
            state.reward[number] = [reward / 12 for reward in node]
            continue
        state.mover[number], state.count[number] = node[0], len(node) - 1
        for k, child in enumerate(node[1:]):
            if child not in places:
                places[child] = len(nodes)
                nodes.append(child)
            state.child[number][k] = places[child]
    return state


def plain_max_n(tree):
    """Values in exact fractions, and the first best move."""
    if is_end(tree):
        return [Fraction(reward, 12) for reward in tree], None
    values = [plain_max_n(child)[0] for child in tree[1:]]
    if tree[0] == CHANCE:
        return [sum(value[k] for value in values) / len(values) for k in range(3)], None
    gains = [value[tree[0]] for value in values]
    return values[gains.index(max(gains))], gains.index(max(gains))


def plain_paranoid(tree, team):
    """What the team's first seat gets, and the first best move."""
    if is_end(tree):
        return Fraction(tree[team[0]], 12), None
    values = [plain_paranoid(child, team)[0] for child in tree[1:]]
    if tree[0] == CHANCE:
        return sum(values) / len(values), None
    value = max(values) if tree[0] in team else min(values)
    return value, values.index(value)


def trees(ends):
    movers = st.sampled_from([0, 0, 1, 1, 2, 2, CHANCE])

    def inner(children):
        return st.builds(
            lambda mover, kids: (mover, *kids), movers, st.lists(children, min_size=1, max_size=4)
        )

    return inner(st.recursive(ends, inner, max_leaves=40))


@st.composite
def webs(draw, ends):
    """Four layers of a few positions each, every one with children from the layer below."""
    layer = draw(st.lists(ends, min_size=2, max_size=4))
    movers = st.sampled_from([0, 0, 1, 1, 2, 2, CHANCE])
    for _ in range(4):
        children = st.lists(st.sampled_from(layer), min_size=1, max_size=3)
        inner = st.builds(lambda mover, kids: (mover, *kids), movers, children)
        layer = draw(st.lists(inner, min_size=1, max_size=4))
    return layer[0]


@st.composite
def shares(draw):
    first = draw(st.integers(0, 12))
    second = draw(st.integers(0, 12 - first))
    third = draw(st.sampled_from([12 - first - second, 0]))
    return first, second, third


@st.composite
def team_shares(draw):
    pair = draw(st.integers(0, 12))
    single = draw(st.sampled_from([12 - pair, (12 - pair) // 2]))
    return pair, single, pair


def assert_solved(game, tree):
    state = state_of(tree)
    values, move = plain_max_n(tree)
    before = state.tobytes()
    for total in (None, 1.0):
        found = max_n(game, state, total=total)
        assert found.values == pytest.approx([float(value) for value in values])
        assert found.move == move
    for team in game.teams:
        for member in team:
            assured = paranoid(game, state, member)
            value, move = plain_paranoid(tree, team)
            assert assured.value == pytest.approx(float(value))
            assert assured.move == move
    assert state.tobytes() == before


@given(trees(shares()))
def test_random_trees_of_three_seats(tree):
    assert_solved(ALONE, tree)


@given(webs(shares()))
def test_random_webs_whose_positions_are_reached_on_several_ways(web):
    assert_solved(ALONE, web)


@given(webs(team_shares()))
def test_random_webs_with_a_team_of_two(web):
    assert_solved(TEAMS, web)


@given(trees(team_shares()))
def test_random_trees_with_a_team_of_two(tree):
    assert_solved(TEAMS, tree)


# Seat 0 can trust seats 1 and 2 to look after themselves (first move), or be safe from both.
TRUST = (
    0,
    (1, (2, (8, 3, 1), (1, 1, 0)), (0, 2, 10)),
    (1, (2, (5, 3, 4), (4, 3, 5)), (4, 2, 6)),
)


def test_max_n_trusts_where_paranoia_does_not():
    found, assured = max_n(ALONE, state_of(TRUST)), paranoid(ALONE, state_of(TRUST), 0)
    assert (found.move, assured.move) == (0, 1)
    assert found.values == pytest.approx((8 / 12, 3 / 12, 1 / 12))
    assert assured.value == pytest.approx(4 / 12)


def test_a_shallow_cut_leaves_out_what_cannot_matter():
    """Seat 0 has 6 at its first move; below the second one seat 1 takes 7 of 12 at once."""
    tree = (0, (6, 3, 3), (1, (2, 7, 3), (0, 8, 4), (0, 9, 3)))
    state = state_of(tree)
    assert max_n(ALONE, state).nodes == 6
    assert max_n(ALONE, state, total=1.0).nodes == 4


def test_the_cut_is_held_against_the_rival_when_a_team_chooses_twice():
    tree = (0, (6, 3, 3), (1, (1, (2, 7, 3), (0, 8, 4)), (0, 9, 3)))
    state = state_of(tree)
    assert max_n(ALONE, state, total=1.0).nodes == 5
    assert max_n(ALONE, state, total=1.0).values == pytest.approx((0.5, 0.25, 0.25))


def test_all_there_is_needs_no_further_look():
    tree = (0, (12, 0, 0), (1, (3, 3, 3), (4, 4, 4)))
    assert max_n(ALONE, state_of(tree)).nodes == 2
    assert paranoid(ALONE, state_of(tree), 0).nodes == 2


def test_alpha_beta_cuts():
    tree = (0, (1, (6, 6, 0), (7, 5, 0)), (1, (2, 10, 0), (9, 3, 0), (9, 3, 0)))
    assert paranoid(ALONE, state_of(tree), 0).nodes == 6  # two ends left out


def test_of_equal_moves_the_first_is_taken():
    tree = (0, (1, 0, 0), (4, 8, 0), (4, 0, 8))
    for total in (None, 1.0):
        found = max_n(ALONE, state_of(tree), total=total)
        assert (found.move, found.values) == (1, pytest.approx((4 / 12, 8 / 12, 0)))


def test_odds_weigh_natures_moves():
    tree = (CHANCE, (12, 0, 0), (0, 12, 0), (0, 0, 12))
    odds = [0.5, 0.3, 0.2]
    assert max_n(ALONE, state_of(tree), odds=lambda state: odds).values == pytest.approx(odds)
    assert paranoid(ALONE, state_of(tree), 1, odds=lambda state: odds).value == pytest.approx(0.3)
    assert max_n(ALONE, state_of(tree)).values == pytest.approx([1 / 3] * 3)


def test_a_depth_ends_in_the_rewards_of_unfinished_states():
    state = state_of(TRUST)
    state.reward[1], state.reward[2] = (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)
    assert max_n(ALONE, state, 1).values == pytest.approx((0.3, 0.2, 0.1))
    assert max_n(ALONE, state, 1).move == 1
    assert paranoid(ALONE, state, 1, 1).value == pytest.approx(0.2)
    assert max_n(ALONE, state, 3) == max_n(ALONE, state)


def test_natures_moves_are_not_counted_as_depth():
    state = state_of((0, (CHANCE, (0, (12, 0, 0)), (0, (6, 6, 0))), (1, 1, 1)))
    assert max_n(ALONE, state, 2).values == pytest.approx((0.75, 0.25, 0))
    assert paranoid(ALONE, state, 1, 2).value == pytest.approx(1 / 12)  # seat 0 takes that instead
    assert max_n(ALONE, state, 1).values == pytest.approx((1 / 12, 1 / 12, 1 / 12))


@pytest.mark.parametrize(
    ("solve", "message"),
    [
        (
            lambda s: max_n(ALONE, s, total=0.9),
            "sum to 1 at an end of tree, more than the total=0.9",
        ),
        (lambda s: max_n(ALONE, s, total=0), "cannot sum to at most 0"),
        (lambda s: max_n(ALONE, s, 0), "at least one turn ahead"),
        (lambda s: paranoid(ALONE, s, 3), "has seats 0 to 2, not 3"),
        (lambda s: max_n(ALONE, s, searcher=-1), "has seats 0 to 2, not -1"),
    ],
)
def test_what_is_asked_wrongly_is_refused(solve, message):
    with pytest.raises(UsageError, match=message):
        solve(state_of(TRUST))


@pytest.mark.parametrize("odds", [[0.5, 0.5], [0.5, 0.6, -0.1], [0.5, 0.6, 0.1]])
def test_odds_must_be_probabilities_of_all_moves(odds):
    state = state_of((CHANCE, (1, 1, 1), (2, 2, 2), (3, 3, 3)))
    with pytest.raises(UsageError, match="each of nature's 3 moves"):
        max_n(ALONE, state, odds=lambda state: odds)


def test_play_in_a_circle_is_refused_unless_there_is_a_depth():
    state = state_of((0, (1, (1, 1, 1)), (2, 2, 2)))
    state.child[1][0] = 0  # seat 1 can only go back
    for solve in (max_n, lambda game, state, *depth: paranoid(game, state, 0, *depth)):
        with pytest.raises(UsageError, match="come back to where it was: give a depth"):
            solve(ALONE, state)
        assert solve(ALONE, state, 2).move == 1


def test_a_seat_without_moves_is_reported():
    state = state_of((0, (1, 1, 1)))
    state.count[0] = 0
    for solve in (max_n, lambda game, state: paranoid(game, state, 0)):
        with pytest.raises(UsageError, match="seat0 is to move and has no move"):
            solve(ALONE, state)


# ---- all small games ------------------------------------------------------------------------------

GAMES = [
    make_game("tic_tac_toe"),
    make_game("connect_four", width=4, height=3),
    make_game("nim", heaps=[1, 2, 3]),
    make_game("nim", heaps=[2, 2, 2], misere=True),
    make_game("three_hills"),
    make_game("goofspiel", cards=3),
    make_game("goofspiel", cards=3, seats=3, order="ascending"),
    make_game("hunt", width=3, height=2, turns=3),
    make_game("pig", target=6, rounds=2),
]


class Slow:
    """No pruning; a simultaneous turn goes team by team, all members' moves at once."""

    def __init__(self, game, optimistic=False):
        self.game, self.optimistic, self.known = game, optimistic, {}

    def solve(self, state, searcher, aims):
        """Values by seat; team number k makes `aims(k, values)` as large as it can."""
        key = state.tobytes()
        if key not in self.known:
            self.known[key] = self.look(state, searcher, aims)
        return self.known[key]

    def after(self, state, move, searcher, aims):
        state = self.game.copy(state)
        self.game.play(state, move)
        return self.solve(state, searcher, aims)

    def look(self, state, searcher, aims):
        game = self.game
        if game.over(state):
            return tuple(game.rewards(state))
        if game.simultaneous:
            mine = game.team_of(searcher)
            others = [team for team in range(len(game.teams)) if team != mine]
            order = [*others, mine] if self.optimistic else [mine, *others]
            return self.choose(state, {}, order, searcher, aims)
        values = [self.after(state, int(move), searcher, aims) for move in game.moves(state)]
        if game.seat(state) == CHANCE:
            return tuple(np.mean(values, axis=0))
        team = game.team_of(game.seat(state))
        return max(values, key=lambda value: aims(team, value))

    def choose(self, state, chosen, order, searcher, aims):
        if not order:
            joint = tuple(chosen.get(seat, NONE) for seat in range(self.game.seats))
            return self.after(state, joint, searcher, aims)
        team, *rest = order
        movers = [seat for seat in self.game.movers(state) if seat in self.game.teams[team]]
        choices = itertools.product(*(self.game.moves(state, seat) for seat in movers))
        values = [
            self.choose(
                state, {**chosen, **dict(zip(movers, joint, strict=True))}, rest, searcher, aims
            )
            for joint in choices
        ]
        return max(values, key=lambda value: round(aims(team, value), 9))

    def max_n(self, state, searcher):
        return self.solve(state, searcher, lambda team, value: value[self.game.teams[team][0]])

    def paranoid(self, state, seat):
        mine = self.game.team_of(seat)
        return self.solve(
            state, seat, lambda team, value: value[seat] if team == mine else -value[seat]
        )[seat]


def random_position(game, rng, fewest_moves):
    """A position of a random game, after so many turns and nature's moves or more."""
    state = game.start()
    path = [game.copy(state)]
    while not game.over(state):
        if game.simultaneous:
            movers = game.movers(state)
            joint = [NONE] * game.seats
            for seat in movers:
                joint[seat] = int(rng.choice(game.moves(state, seat)))
            game.play(state, joint)
        else:
            game.play(state, int(rng.choice(game.moves(state))))
        path.append(game.copy(state))
    return path[int(rng.integers(min(fewest_moves, len(path) - 1), len(path)))]


SPLIT = [(game, False) for game in GAMES] + [(game, True) for game in GAMES if game.simultaneous]


@pytest.mark.parametrize(("game", "optimistic"), SPLIT, ids=str)
def test_pruned_is_unpruned_on_random_positions(game, optimistic):
    rng = np.random.default_rng(5)
    positions = [random_position(game, rng, 1) for _ in range(6)]
    for searcher in range(game.seats):
        slow, afraid = Slow(game, optimistic), Slow(game, optimistic)
        for state in positions:
            values = slow.max_n(state, searcher)
            how = {"searcher": searcher, "optimistic": optimistic}
            for total in (None, 1.0):
                found = max_n(game, state, total=total, **how)
                assert found.values == pytest.approx(values), game.show(state)
            assured = paranoid(game, state, searcher, optimistic=optimistic)
            assert assured.value == pytest.approx(afraid.paranoid(state, searcher))
            assert assured.value <= found.values[searcher] + 1e-9


def states_below(game, state):
    """How many different states play can reach, this one counted (turn-based games)."""
    seen, waiting = {state.tobytes()}, [game.copy(state)]
    while waiting:
        state = waiting.pop()
        for move in () if game.over(state) else game.moves(state):
            after = game.copy(state)
            game.play(after, int(move))
            if after.tobytes() not in seen:
                seen.add(after.tobytes())
                waiting.append(after)
    return len(seen)


def test_pruning_visits_fewer_positions_with_two_seats():
    game = make_game("connect_four", width=4, height=3)
    state = game.start()
    everything = states_below(game, state)
    without, pruned = max_n(game, state), max_n(game, state, total=1.0)
    assert without.nodes <= everything
    assert pruned.nodes < without.nodes / 2
    assert paranoid(game, state, 0).nodes < without.nodes / 4


def test_pruning_visits_fewer_positions_with_three_seats():
    """Shares near a third leave max^n little to cut: no team has so much that a rival stays away."""
    game = make_game("three_hills")
    state = game.start()
    everything = states_below(game, state)
    without, pruned = max_n(game, state), max_n(game, state, total=1.0)
    assert without.nodes == everything
    assert pruned.nodes < everything
    assert paranoid(game, state, 0).nodes < everything / 3


def test_tic_tac_toe_and_nim_are_solved_as_theory_says():
    game = make_game("tic_tac_toe")
    assert states_below(game, game.start()) == 5478
    assert max_n(game, game.start(), total=1.0).values == (0.5, 0.5)
    assert paranoid(game, game.start(), 0).value == paranoid(game, game.start(), 1).value == 0.5
    game = make_game("nim", heaps=[3, 4, 5])
    found = max_n(game, game.start(), total=1.0)
    assert found.values == (1.0, 0.0)
    assert game.name(found.move) == "a2"  # the only move to a nim-sum of 0: 1, 4, 5
