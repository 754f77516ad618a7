"""Mates that tell plans: what they say is what their trees hold, and the others follow it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.arena.match import play
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.small.sweep import sweep
from manyminds.players import Lineup, make_player
from manyminds.search.open_tree import MOST_PLAN_MOVES, MOST_PLANS, Line
from manyminds.teams import Team, channel
from manyminds.teams.message import Message, Refused
from manyminds.teams.plan_wire import line_bytes, pack_plan, unpack_plan
from manyminds.teams.talks import plans

FLOOR = sweep(robots=5, width=12, height=12, turns=20, pillars=0)  # one, since it is compiled


@pytest.fixture
def sweepers():
    """Five mates of a kind that have met the start."""

    def make(spec, simulations=100):
        game = FLOOR
        mates = [make_player(spec, game) for _ in range(game.seats)]
        for seat, mate in enumerate(mates):
            mate.begin(game, seat, Lineup([spec] * game.seats, 1))
            mate.meet(game.start())
            mate.think(Budget(simulations=simulations))
        return mates

    return make


def test_the_others_believe_what_a_mate_told(sweepers):
    one, other, *_ = sweepers("dec-mcts(pause=1)")
    (message,) = one.to_send()
    assert other.received(message)
    told = other.tree.planned(0)
    assert [tuple(line) for line, _ in told] == sorted(
        one.talk.chances, key=lambda line: (-one.talk.chances[line], line)
    )
    for line, chance in told:
        assert chance == pytest.approx(one.talk.chances[tuple(line)], abs=2 / 65_535)
    assert {line.moves for line in one.tree.lines(0, 4, 10)} == set(one.talk.chances)
    assert other.tree.planned(2) == []


def test_a_late_plan_is_followed_as_far_as_play_followed_it(sweepers):
    one, other, third, *_ = sweepers("dec-mcts(pause=1)")
    (message,) = one.to_send()
    line = list(max(one.talk.chances, key=one.talk.chances.get))
    state = FLOOR.start()
    joint = (line[0], 0, 1, 0, 0)
    FLOOR.play(state, joint)
    for mate in (other, third):
        mate.saw(joint)
        mate.meet(state)
    assert other.received(message)
    left = [list(told) for told, _ in other.tree.planned(0)]
    told = [list(moves) for moves in one.talk.chances]
    assert line[1:] in left
    assert sorted(left) == sorted(way[1:] for way in told if way[0] == line[0] and way[1:])
    assert not other.received(message)
    assert other.counts["repeated"] == 1


def test_the_distribution_goes_to_that_of_least_free_energy(sweepers, monkeypatch):
    """At a constant temperature b it is q(x) ~ exp(value / b), in units of the values' spread."""
    monkeypatch.setattr(plans, "_COOLING", 1.0)
    one, *_ = sweepers("dec-mcts(beta=0.7, step=0.2, pause=1)")
    values = [0.31, 0.35, 0.33, 0.30]
    lines = [Line((move,), 10.0, value) for move, value in enumerate(values)]
    for _ in range(300):
        one.talk._update(lines)
    wanted = np.exp((np.array(values) - 0.30) / 0.05 / 0.7)
    wanted /= wanted.sum()
    found = [one.talk.chances[(move,)] for move in range(4)]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_it_gets_colder_until_the_own_choice_is_made(sweepers):
    one, *_ = sweepers("dec-mcts(pause=1)")
    for _ in range(12):
        one.think(Budget(simulations=20))
        one.to_send()
    assert one.talk.warmth < 0.05
    best = max(one.talk.chances, key=one.talk.chances.get)
    one.saw((best[0], 0, 1, 0, 0))
    assert one.talk.warmth == 0.1
    assert sum(line == best[1:] for line in one.talk.chances) == 1


@given(
    lines=st.lists(
        st.tuples(
            st.lists(st.integers(0, 299), min_size=1, max_size=MOST_PLAN_MOVES),
            st.floats(0.001, 1.0),
        ),
        min_size=1,
        max_size=MOST_PLANS,
    ),
    data=st.data(),
)
def test_plans_are_read_as_they_were_written_and_nothing_else_is(lines, data):
    packed = pack_plan(lines, 300)
    assert len(packed) == 1 + sum(line_bytes(300, len(line)) for line, _ in lines)
    again = unpack_plan(packed, 300)
    assert [line for line, _ in again] == [line for line, _ in lines]
    assert [p for _, p in again] == pytest.approx([p for _, p in lines], abs=1 / 65_535)
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(Refused, match=r"shorter"):
        unpack_plan(packed[:cut], 300)
    wild = bytearray(packed)
    wild[data.draw(st.integers(0, len(wild) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = unpack_plan(bytes(wild), 300)
    except Refused:
        return
    assert 1 <= len(found) <= MOST_PLANS
    assert all(0 <= move < 300 for line, _ in found for move in line)


def test_messages_keep_to_the_room(sweepers):
    one, *_ = sweepers("dec-mcts(lines=16, pause=1)", simulations=2000)
    (message,) = one.to_send(100)
    assert len(message) <= 100
    assert len(unpack_plan(Message.unpack(message).payload, 5)) >= 2
    one.think(Budget(simulations=500))
    assert len(one.to_send(60_000)[0]) > 100


def test_a_mate_pauses_between_two_messages(sweepers):
    one, *_ = sweepers("dec-mcts(pause=4)")
    said = []
    for _ in range(12):
        one.think(Budget(simulations=20))
        said.append(len(one.to_send()))
    assert said == [0, 0, 0, 1] * 3


def test_neighbours_have_the_nearest_mates_in_their_trees(sweepers):
    floor = FLOOR
    mates = sweepers("neighbours(1)", simulations=50)
    assert mates[0].tree.desk.order.tolist() == [0, 1]
    state = floor.start()
    one = mates[0]
    for _ in range(12):  # robots 2 and 4 walk away
        joint = [0, 4, 0, 4, 0]
        for robot in range(5):
            if joint[robot] not in floor.moves(state, robot):
                joint[robot] = 0
        floor.play(state, joint)
        one.saw(tuple(joint))
        one.meet(state)
        one.think(Budget(simulations=20))
    assert one.tree.desk.order.tolist() == [0, 2]


def test_the_other_teams_moves_are_in_the_tree_or_not(game):
    for spec, seats in (("dec-mcts", [0, 2]), ("dec-mcts(replies=false)", [0])):
        mate = make_player(spec, game)
        mate.begin(game, 0, Lineup([spec] * 3, 1))
        mate.meet(game.start())
        assert mate.tree.desk.order.tolist() == seats


def test_what_an_open_loop_tree_does_not_know_is_refused(game):
    mate = make_player("dec-mcts(playouts=3)", game)
    mate.begin(game, 0, Lineup(["dec-mcts"] * 3, 1))
    with pytest.raises(UsageError, match="playouts"):
        mate.meet(game.start())


@pytest.mark.slow
def test_mates_that_tell_plans_sweep_more_than_independent_ones():
    """Paired by seed: each of 8 matches is better (by chance: 0.4 %)."""
    for seed in range(8):
        swept = {}
        for spec in ("dec-mcts", "neighbours", "independent(seeds=distinct)"):
            team = Team(f"{spec}@60", channel(rate=64_000, loss=0.3))
            swept[spec] = play(FLOOR, {"robots": team}, seed=seed).points["robot1"]
        silent = swept.pop("independent(seeds=distinct)")
        assert min(swept.values()) > silent
