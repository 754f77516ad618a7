"""The open-loop tree: whose moves it has, what the others do, how old simulations fade."""

import numpy as np
import pytest

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import NONE
from manyminds.games.registry import make_game
from manyminds.games.small.goofspiel import goofspiel
from manyminds.games.small.sweep import sweep
from manyminds.search import open_loop
from manyminds.search.near import nearest_seats
from manyminds.search.open_tree import MOST_PLAN_MOVES, MOST_PLANS, OpenSearch

STAY, UP, DOWN, LEFT, RIGHT = range(5)
CORRIDOR = sweep(robots=2, width=10, height=2, turns=4, pillars=0)


@pytest.fixture
def search():
    def make(game=CORRIDOR, seats=(0,), **others):
        return OpenSearch(game, game.start(), seats, seed=3, **others)

    return make


def paths(search):
    """By path of codes: visits in simulations, and mean rewards by team."""
    found, waiting = {}, [((), int(search.tree.head.root))]
    weight = float(search.tree.head.weight)
    for path, node in waiting:
        row = search.tree.nodes[node]
        visits = float(row.visits) / weight
        found[path] = visits, np.array(row.sums) / weight / max(visits, 1e-12)
        waiting += [((*path, int(search.tree.nodes[k].move)), k) for k in search._children(node)]
    return found


def test_a_tree_has_the_moves_of_its_seats_only_in_their_order(search):
    one = search(seats=(1,))
    one.run(simulations=300)
    assert {code // 5 for path in paths(one) for code in path} == {1}
    both = search(seats=(1, 0))
    both.run(simulations=300)
    for path in paths(both):
        assert [code // 5 for code in path] == [(1, 0)[k % 2] for k in range(len(path))]


def test_visits_of_children_and_of_what_ended_there_add_up(search):
    one = search(discount=0.99)
    one.run(simulations=500)
    found = paths(one)
    assert found[()][0] == pytest.approx(sum(0.99**k for k in range(1, 501)), rel=1e-9)
    for path, (visits, _) in found.items():
        below = sum(n for p, (n, _) in found.items() if p and p[:-1] == path)
        assert below <= visits * (1 + 1e-9)
        if path == ():
            assert below == pytest.approx(visits)


def test_old_simulations_fade_and_scaling_down_changes_nothing(search, monkeypatch):
    """Interpreted twin: back up rewards of 0, then of 1, and compare with the sum written out."""
    one = search(discount=0.9)
    tree, desk, game = one.tree, one.desk, one.kernels
    rewards = [0.0] * 10 + [1.0, 0.0, 1.0, 1.0] * 100
    back_up = getattr(open_loop.back_up, "py_func", open_loop.back_up)
    scale_down = getattr(open_loop.scale_down, "py_func", open_loop.scale_down)

    class Twin:
        seats, slots = 2, 1

        @staticmethod
        def slot(seat):
            return 0

    for number, reward in enumerate(rewards):
        desk.rewards[:] = reward
        back_up(Twin, tree, desk, 0)
        tree.head.weight /= 0.9
        if number % 37 == 36:
            scale_down(Twin, tree)
    shares = 0.9 ** np.arange(len(rewards) - 1, -1, -1)
    row = tree.nodes[0]
    assert float(row.visits) / float(tree.head.weight) == pytest.approx(0.9 * shares.sum())
    assert float(row.sums[0]) / float(row.visits) == pytest.approx(
        (shares * rewards).sum() / shares.sum()
    )
    assert game.slots == 1


def test_long_searches_keep_their_weight_in_bounds(search):
    one = search(discount=0.9)
    one.run(simulations=2000)  # a weight of 10**91 without scaling
    assert 1 <= float(one.tree.head.weight) <= open_loop.HEAVY
    assert np.isfinite(one.tree.nodes["sums"][: one.nodes]).all()
    assert paths(one)[()][0] == pytest.approx(9.0)


@pytest.mark.parametrize("plan", [[RIGHT] * 4, [UP, RIGHT, RIGHT, RIGHT], [LEFT, LEFT, UP, STAY]])
def test_the_others_follow_their_plans(plan):
    """The best line beside robot 2's plan is one that no other line of four moves sweeps more than."""
    state = CORRIDOR.start()
    state.square[:2] = 4, 4
    one = OpenSearch(CORRIDOR, state, (0,), seed=1, c=0.2)
    one.plan(1, [plan], [1.0])
    one.run(simulations=4000)
    best = list(one.lines(0, 1)[0].moves)[:4]
    ways = [way for way in np.ndindex(5, 5, 5, 5) if _legal(state, way)]
    assert _swept(state, plan, best) == max(_swept(state, plan, way) for way in ways)


def _legal(state, way):
    square = int(state.square[0])
    for move in way:
        row, column = divmod(square, 10)
        row, column = row + (move == UP) - (move == DOWN), column + (move == RIGHT) - (move == LEFT)
        if not (0 <= row < 2 and 0 <= column < 10):
            return False
        square = 10 * row + column
    return True


def _swept(state, plan, way):
    """Squares swept in the end, by playing robot 2's plan and robot 1's way."""
    after = CORRIDOR.copy(state)
    for theirs, own in zip(plan, way, strict=True):
        CORRIDOR.play(after, [int(own), theirs])
    return int(after.n)


def test_plans_are_drawn_by_their_chances(search):
    one = search()
    lines = [[UP] * 3, [RIGHT] * 3, [STAY] * 3]
    one.plan(1, lines, [0.5, 0.3, 0.2])
    drawn = [0, 0, 0]
    draw = getattr(open_loop.draw_plans, "py_func", open_loop.draw_plans)

    class Twin:
        seats = 2

    for _ in range(3000):
        assert draw(Twin, one.desk, one.plans) == 1
        drawn[int(one.desk.plan[1])] += 1
    # 4.5 standard errors
    for n, p in zip(drawn, (0.5, 0.3, 0.2), strict=True):
        assert abs(n / 3000 - p) < 4.5 * (p * (1 - p) / 3000) ** 0.5


def test_a_root_moves_along_own_choices_and_plans_along_the_others(search):
    one = search()
    one.plan(1, [[UP, LEFT, UP], [RIGHT, RIGHT], [RIGHT, UP], [RIGHT]], [0.4, 0.3, 0.2, 0.1])
    one.run(simulations=400)
    line = one.lines(0, 1)[0].moves
    before = paths(one)
    joint = (line[0], RIGHT)
    assert one.chosen_moves(joint) == (line[0], 5 + RIGHT)
    state = CORRIDOR.start()
    CORRIDOR.play(state, joint)
    assert one.advance(joint)
    assert one.meet(state)
    assert one.root_bytes() == state.tobytes()
    left = one.planned(1)
    assert [line for line, _ in left] == [[RIGHT], [UP]]
    assert [p for _, p in left] == pytest.approx([0.3, 0.2])
    for path, (visits, values) in paths(one).items():
        old_visits, old_values = before[line[0], *path]
        assert visits == pytest.approx(old_visits)
        np.testing.assert_allclose(values, old_values)


def test_a_compacted_tree_is_the_same(search):
    one, two = search(), search(memory_mb=0.06)
    for each in (one, two):
        each.run(simulations=200)
    joint = (one.lines(0, 1)[0].moves[0], STAY)
    assert one.advance(joint)
    assert two.advance(joint)
    two._compact()
    assert paths(one) == paths(two)
    assert two.nodes < one.nodes
    for _ in range(20):
        two.run(simulations=200)  # it is full now and then, begins anew, and goes on
    assert two.best_of(0) in two.moves_of(0)


def test_play_that_leaves_the_tree_begins_a_new_one(search):
    one = search(seats=(0, 1))
    one.run(simulations=1)
    unseen = next(
        m
        for m in one.moves_of(0)
        if (m,) not in paths(one) and m in CORRIDOR.moves(one.desk.root, 0)
    )
    assert not one.advance((unseen, STAY))
    assert one.nodes == 1


def test_a_seat_without_a_choice_is_in_no_tree():
    """On every second turn of the hunt the hare must rest: its moves are those of every first one."""
    hunt = make_game("hunt")
    one = OpenSearch(hunt, hunt.start(), (2,), seed=1)
    one.run(simulations=300)
    assert max(len(path) for path in paths(one)) <= 3  # of 6 turns
    assert one.chosen_moves((STAY, UP, STAY)) == (STAY, 5 + UP, 10)
    one.advance((STAY, UP, STAY))
    assert one.chosen_moves((STAY, UP, NONE)) == (STAY, 5 + UP)


def test_lines_are_different_ways_and_their_values_means(search):
    one = search()
    one.run(simulations=2000)
    lines = one.lines(0, 8)
    assert 1 < len(lines) <= 8
    assert len({line.moves for line in lines}) == len(lines)
    assert all(0 <= line.value <= 1 and len(line.moves) <= MOST_PLAN_MOVES for line in lines)
    assert [line.visits for line in lines] == sorted((line.visits for line in lines), reverse=True)
    found = paths(one)
    for line in lines:
        assert any(
            line.moves[: len(path)] == path and visits == pytest.approx(line.visits)
            for path, (visits, _) in found.items()
        )


def test_the_same_seed_is_the_same_search(search):
    twins = [search(), search()]
    for one in twins:
        one.plan(1, [[UP], [RIGHT]], [0.5, 0.5])
    twins[0].run(simulations=300)
    for n in (1, 7, 100, 192):
        twins[1].run(simulations=n)
    assert paths(twins[0]) == paths(twins[1])


def test_looking_at_other_seats_begins_a_new_tree(search):
    one = search()
    one.run(simulations=50)
    one.look_at([0])
    assert one.nodes > 1
    one.look_at([0, 1])
    assert one.nodes == 1
    one.run(simulations=50)
    assert {code // 5 for path in paths(one) for code in path} == {0, 1}


def test_budgets_and_what_cannot_be(search):
    one = search()
    assert one.run(budget=Budget(simulations=70)) == 70 == one.simulations
    assert one.run(milliseconds=3) > 0
    with pytest.raises(UsageError, match="milliseconds"):
        one.run(budget=Budget(nodes=10))
    with pytest.raises(UsageError, match="discount"):
        search(discount=0.0)
    with pytest.raises(UsageError, match="seats"):
        search(seats=(0, 0))
    nim = make_game("nim")
    with pytest.raises(UsageError, match="one seat moves at a time"):
        OpenSearch(nim, nim.start(), (0,))
    one.plan(1, [[UP] * 100] * 100, [1.0] * 100)
    assert len(one.planned(1)) == MOST_PLANS
    assert len(one.planned(1)[0][0]) == MOST_PLAN_MOVES


def test_the_nearest_are_those_the_game_says_or_neighbours_by_number():
    game = sweep(robots=4, width=10, height=10, pillars=0)
    state = game.start()
    state.square[:4] = 0, 99, 2, 10
    assert nearest_seats(game, state, 0) == [3, 2, 1]
    assert nearest_seats(game, state, 1) == [2, 3, 0]  # 16, 17 and 18 steps away
    others = goofspiel(cards=3, seats=4)
    assert nearest_seats(others, others.start(), 2) == [1, 3, 0]
