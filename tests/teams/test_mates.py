"""Mates: what each kind makes of what it is told, and that nothing wrong is believed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import NONE
from manyminds.games.small.goofspiel import goofspiel
from manyminds.players import Lineup, make_player
from manyminds.teams import known_mates
from manyminds.teams.message import REASONS, Message
from manyminds.teams.whole_cut import whole_cut
from manyminds.teams.wire import pack_cut

TALKING = [
    "joint-actions",
    "roots",
    "results",
    "tree-cuts",
    "news",
    "dec-mcts(pause=1)",
    "neighbours(pause=1)",
]


def tell(speaker, hearer):
    """Everything that the speaker has to say; how much of it was taken in."""
    return sum(hearer.received(message) for message in speaker.to_send())


def play_on(game, mates, state, joint):
    game.play(state, joint)
    for mate in mates:
        mate.saw(joint)
        mate.meet(state)


def test_a_roots_mate_adds_up_the_visits_of_all_trees(pair):
    one, other = pair("roots")
    own, told = one.tree.next_moves(0).totals(), other.tree.next_moves(1).totals()
    assert tell(other, one) == 1
    sums = {move: own.get(move, 0) + told.get(move, 0) for move in own.keys() | told.keys()}
    assert one.talk.weights() == sums
    assert one.best_team_move(0) == max(sums, key=lambda move: (sums[move], -move))
    assert one.tree.simulations == 60  # nothing entered the tree


def test_mates_that_know_the_same_choose_the_same(pair):
    for spec in ("roots", "joint-actions"):
        one, other = pair(spec, simulations=37)
        tell(other, one), tell(one, other)
        assert one.best_team_move(0) == other.best_team_move(1)


def test_the_most_frequent_joint_move_wins_the_vote_and_the_lowest_seat_breaks_ties(pair):
    one, _ = pair("joint-actions")
    own = one.talk._own()[-1]
    other = next(m for m in range(25) if m != own)
    one.talk.votes = {1: [other]}
    assert one.best_team_move(0) == own  # 1 : 1, and seat 0 is the lower one
    one.talk.votes = {1: [other], 2: [other]}
    assert max(one.talk.weights(), key=one.talk.weights().get) == other


def test_a_vote_is_said_once_for_a_position_unless_it_changes(pair):
    one, other = pair("joint-actions", simulations=400)
    assert tell(one, other) == 1
    one.think(Budget(simulations=1))
    assert one.talk._own() == one.talk.said
    assert one.to_send() == []


def test_results_enter_a_tree_as_its_own_would_and_are_not_told_on(pair):
    one, other = pair("results")
    assert tell(other, one) == 1
    assert one.tree.simulations == 120
    assert len(one.tree.results()) == 60  # its own only
    together = other.tree.tree.nodes[0].sums + 0
    np.testing.assert_allclose(
        one.tree.tree.received[0].sums / 2**30, together / 2**30, atol=60 / 65_535
    )


def test_the_newest_results_are_told_first_and_the_oldest_dropped(pair):
    one, _ = pair("results(most=40)", simulations=60)
    newest = one.tree.copy().results()[::-1]
    assert len(newest) == 40
    sent = one.to_send(room=150)
    from manyminds.teams.wire import unpack_results

    first = unpack_results(Message.unpack(sent[0]).payload, 0, 2)
    assert len(sent[0]) <= 150
    np.testing.assert_array_equal(first["n"], newest["n"][: len(first)])
    rest = unpack_results(Message.unpack(one.to_send()[0]).payload, 0, 2)
    np.testing.assert_array_equal(rest["n"], newest["n"][len(first) :])


def test_a_cut_replaces_the_senders_previous_one(pair):
    one, other = pair("tree-cuts")
    assert tell(other, one) == 1
    assert one.tree.simulations == 120
    other.think(Budget(simulations=40))
    assert tell(other, one) == 1
    assert one.tree.simulations == 160
    one.tree.retract(one.talk.cuts[1])
    assert one.tree.simulations == 60
    assert not one.tree.tree.received["visits"].any()


def test_cuts_carry_own_work_and_echo_all_of_it(pair):
    kinds = {"tree-cuts": 60, "tree-cuts(echo=true)": 120}
    for spec, visits in kinds.items():
        one, other = pair(spec)
        tell(other, one)
        assert whole_cut(one.tree, 1000).visits == visits


def test_a_cut_is_as_long_as_asked(pair):
    for size in (500, 1000, 2048):
        one, _ = pair(f"tree-cuts({size})", simulations=600)
        (message,) = one.to_send()
        assert size / 2 < len(message) <= size


@pytest.mark.parametrize("spec", ["roots", "joint-actions", "tree-cuts", "results"])
def test_a_message_of_an_earlier_tick_counts_as_far_as_play_followed_it(pair, game, spec):
    one, other = pair(spec, simulations=200)
    late = other.to_send()
    state = game.start()
    joint = [NONE] * 3
    line = other.tree.line()  # hunters jointly, the hare, hunters jointly
    wolf_fox, hare = line[0], line[1]
    joint = (wolf_fox % 5, wolf_fox // 5, hare)
    assert game.movers(state) == [0, 1, 2]
    play_on(game, [one], state, joint)
    before = one.tree.simulations
    taken = sum(one.received(message) for message in late)
    if spec == "joint-actions":  # a vote on a turn that is over
        assert (taken, one.counts["stale"]) == (0, 1)
        return
    assert taken == 1
    other.saw(joint)
    kept = other.tree.simulations
    if spec == "results":
        assert one.tree.simulations - before == kept
    if spec == "tree-cuts":  # but for those that ended at the new root before it had children
        assert kept - 3 <= one.tree.simulations - before <= kept


def test_messages_of_other_ways_are_stale_and_of_positions_to_come_wait(pair, game):
    one, other = pair("tree-cuts")
    state = game.start()
    play_on(game, [other], state, (1, 1, 0))
    other.think(Budget(simulations=50))
    early = other.to_send()[0]
    assert one.received(early) is True  # kept
    assert one.tree.simulations == 60
    again = game.start()
    play_on(game, [one], again, (1, 1, 0))
    assert one.counts["taken in"] == 1
    assert one.tree.simulations - one.tree.tree.received[0].visits < one.tree.simulations >= 50


def test_what_is_wrong_is_counted_by_kind_and_dropped(pair, game):
    one, other = pair("roots")
    good = Message.unpack(other.to_send()[0])
    from dataclasses import replace

    wrong = {
        "kind": replace(good, kind=9),
        "stranger": replace(good, sender=2),
        "elsewhere": replace(good, root=good.root ^ 1),
        "early": replace(good, tick=1000),
        "truncated": replace(good, payload=good.payload[:-1]),
    }
    for reason, message in wrong.items():
        assert not one.received(message.pack())
        assert one.counts[reason] == 1, reason
    bad = bytearray(good.payload)
    bad[:2] = (7).to_bytes(2, "little")  # an entry that hangs below a later one
    assert not one.received(replace(good, payload=bytes(bad), number=3).pack())
    assert one.counts["garbage"] == 1
    assert one.received(replace(good, number=9).pack())
    assert not one.received(good.pack())
    assert one.counts["repeated"] == 1
    assert one.talk.weights()  # and goes on


@given(data=st.data())
@pytest.mark.parametrize("spec", TALKING)
def test_no_bytes_bring_a_mate_down(spec, data, game):
    one, said = _kept_pair(game, spec)
    message = bytearray(said)
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, len(message) - 1))
        message[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(message)))
    one.received(bytes(message[:cut]) if data.draw(st.booleans()) else bytes(message))
    assert set(one.counts) <= {*REASONS, "taken in", "sent"}
    assert one.choose(game.start()).move in game.moves(game.start(), 0)


_pairs = {}


def _kept_pair(game, spec):
    """One mate, and a message for it, for all examples: what it believed before must not harm it either."""
    if spec not in _pairs:
        mates = [make_player(spec, game) for _ in range(2)]
        for seat, mate in enumerate(mates):
            mate.begin(game, seat, Lineup([spec] * 3, 4))
            mate.meet(game.start())
            mate.think(Budget(simulations=30))
        _pairs[spec] = mates[0], mates[1].to_send()[0]
    return _pairs[spec]


def test_cuts_of_another_search_do_not_fit_a_message_of_joint_moves(pair):
    one, other = pair("tree-cuts")
    cut = other.tree.cut(4000)
    cut.entries["move"] = 60_000  # moves that the game does not have
    message = Message.unpack(other.to_send()[0])
    forged = Message(4, 1, message.tick, message.root, 9, pack_cut(cut, 0), 0)
    assert one.received(forged.pack())
    assert one.choose(one.game.start()).move in one.game.moves(one.game.start(), 0)


def test_a_mate_alone_is_a_player(game):
    state = game.start()
    for spec in known_mates():
        mate = make_player(spec, game)
        mate.begin(game, 0, Lineup([spec] * 3, 1))
        assert mate.decide(state, Budget(simulations=20)).move in game.moves(state, 0)


def test_a_team_with_too_many_joint_moves_searches_seat_by_seat_or_says_so():
    big = goofspiel(cards=13, seats=8)
    from manyminds.teams.mate import jointly

    with pytest.raises(UsageError, match="team of several seats"):
        make_player("tree-cuts", big)
    from manyminds.games.contract import Game

    team = Game(
        "goofspiel of one team",
        big.state,
        seats=8,
        teams={"all": tuple(range(8))},
        start=big.start,
        move_ids=big.move_ids,
        most_moves=big.most_moves,
        longest=big.longest,
        **big.functions,
    )
    talk = make_player("tree-cuts", team).talk
    assert jointly(big, "auto", talk)  # teams of one
    assert not jointly(team, "auto", talk)
    with pytest.raises(UsageError, match="too many"):
        jointly(team, "auto", make_player("roots", team).talk)
