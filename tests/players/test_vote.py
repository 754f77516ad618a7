"""Votes: who wins them, what they spend, and what becomes of members that fail."""

import collections

import pytest
from hypothesis import given
from hypothesis import strategies as st

import manyminds as mm
from manyminds.arena.match import play
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.players import Decision, Forfeit, Lineup, make_player
from manyminds.players.analysed import answered, values_of
from manyminds.players.registry import Member
from manyminds.players.vote import WAYS, Ballot, VotePlayer, majority

A1, A2, B1, C5 = 1, 2, 17, 37  # moves of nim: heap * 16 + stones


class Says:
    """A member that says what it was told to, and notes what it was told itself."""

    def __init__(self, *decisions, fails_at=None):
        self.decisions, self.fails_at = list(decisions), fails_at
        self.budgets, self.told, self.seeds, self.closed = [], [], [], 0

    def begin(self, game, seat, lineup):
        self.seeds.append(lineup.seed_of(seat))

    def saw(self, joint):
        self.told.append(joint)

    def decide(self, state, budget):
        self.budgets.append(budget)
        if len(self.budgets) == self.fails_at:
            raise Forfeit("had enough")
        return self.decisions[(len(self.budgets) - 1) % len(self.decisions)]

    def close(self):
        self.closed += 1


def says(move, **values):
    """A decision with values for the first seat by the names of moves."""
    numbers = {"A1": A1, "A2": A2, "B1": B1, "C5": C5}
    return Decision(move, {numbers[name]: (v, 1 - v) for name, v in values.items()}, [move])


def vote_of(nim, members, by="majority", budgets=None, each=False, seat=0):
    budgets = budgets or [None] * len(members)
    made = [Member(m, b, f"m{i}") for i, (m, b) in enumerate(zip(members, budgets, strict=True))]
    player = VotePlayer(made, by, each)
    player.begin(nim, seat, Lineup(["vote", "random"], 5))
    return player


def decided(nim, decisions, by="majority", seat=0):
    player = vote_of(nim, [Says(d) for d in decisions], by, seat=seat)
    return player.decide(nim.start(), Budget(simulations=90))


def test_most_voters_win_whatever_they_think(nim):
    said = [says(A1, A1=0.2), says(B1, B1=0.99), says(A1, A1=0.3)]
    found = decided(nim, said)
    assert found.move == A1
    assert found.beliefs == pytest.approx({"A1": 2 / 3, "B1": 1 / 3})
    assert found.remark == "A1 (0.250): m0, m2; B1 (0.990): m1"
    assert found.line == [A1]


def test_a_tie_goes_to_the_better_estimate_then_to_the_first(nim):
    assert decided(nim, [says(A1, A1=0.4), says(B1, B1=0.6)]).move == B1
    assert decided(nim, [says(A1), says(B1)]).move == A1
    assert decided(nim, [says(A1), says(B1, B1=0.1)]).move == B1  # any estimate is better than none


def test_the_optimist_who_sees_itself_best_off_decides(nim):
    said = [says(A1, A1=0.6), says(A1, A1=0.6), says(B1, B1=0.7)]
    assert decided(nim, said, "optimist").move == B1
    assert decided(nim, said, "majority").move == A1
    silent = [says(A1), says(B1), says(B1)]
    assert decided(nim, silent, "optimist").move == B1  # nobody says: the majority


def test_estimates_are_those_for_the_seat_that_moves(nim):
    said = [says(A1, A1=0.6), says(B1, B1=0.7)]  # the second seat has 0.4 and 0.3
    assert decided(nim, said, "optimist", seat=0).move == B1
    assert decided(nim, said, "optimist", seat=1).move == A1


def test_by_mean_each_voter_has_a_say_on_others_proposals(nim):
    said = [says(A1, A1=0.9, B1=0.8), says(B1, A1=0.1, B1=0.7), says(C5)]
    found = decided(nim, said, "mean")
    assert found.move == B1  # 0.75 against 0.5; nobody thinks anything of C5
    assert found.values[A1] == pytest.approx((0.5, 0.5))


@given(st.lists(st.tuples(st.sampled_from([A1, A2, B1]), st.floats(0, 1)), min_size=1, max_size=9))
def test_a_move_that_more_than_half_propose_wins_and_only_proposals_can(said):
    ballots = [Ballot(i, Decision(move, {move: (v,)}), 0) for i, (move, v) in enumerate(said)]
    count = collections.Counter(move for move, _ in said)
    for way in WAYS.values():
        assert way(ballots) in count
    move, most = count.most_common(1)[0]
    if 2 * most > len(said):
        assert majority(ballots) == move


def test_the_budget_is_shared_by_those_without_their_own(nim):
    members = [Says(says(A1)) for _ in range(3)]
    vote_of(nim, members, budgets=[None, Budget(simulations=7), None]).decide(
        nim.start(), Budget(simulations=101)
    )
    assert [m.budgets[0].simulations for m in members] == [50, 7, 50]
    members = [Says(says(A1)) for _ in range(2)]
    vote_of(nim, members, each=True).decide(nim.start(), Budget(milliseconds=30))
    assert [m.budgets[0].milliseconds for m in members] == [30, 30]
    vote_of(nim, members).decide(nim.start(), Budget(simulations=1))
    assert members[0].budgets[-1] == Budget(simulations=1)  # nobody gets nothing


def test_who_forfeits_or_cheats_is_out_and_the_vote_goes_on(nim):
    quits = Says(says(A1), fails_at=2)
    cheats = Says(says(A1), says(A1), says(99))
    stays = Says(says(B1))
    player = vote_of(nim, [quits, cheats, stays])
    moves = [player.decide(nim.start(), Budget(simulations=9)) for _ in range(4)]
    assert [d.move for d in moves] == [A1, A1, B1, B1]
    assert moves[3].remark == "B1: m2; out: m0 (had enough); out: m1 (illegal move 99)"
    player.saw((A1, -1))
    assert (quits.told, cheats.told, stays.told) == ([], [], [(A1, -1)])
    player.close()
    assert quits.closed >= 1
    assert stays.closed == 1


def test_when_all_are_out_the_vote_forfeits_with_their_reasons(nim):
    player = vote_of(nim, [Says(says(A1), fails_at=1), Says(says(99))])
    with pytest.raises(Forfeit, match="m0: had enough; m1: illegal move 99"):
        player.decide(nim.start(), Budget(simulations=9))


def test_members_draw_different_chance_and_matches_repeat():
    game = mm.make_game("connect_four")
    members = [Says(says(0)) for _ in range(2)]
    vote_of(game, members)
    assert members[0].seeds != members[1].seeds
    lineup = ["vote(uct, rave, random)@60", "uct@20"]
    assert play(game, lineup, seed=4).digest == play(game, lineup, seed=4).digest


def test_typed_members_need_at_least_one_and_a_known_way(nim):
    with pytest.raises(UsageError, match="needs its argument players"):
        make_player("vote", nim)
    with pytest.raises(UsageError, match='by is one of majority, optimist, mean, not "mode"'):
        make_player("vote(random, by=mode)", nim)
    with pytest.raises(UsageError, match="a vote has 1 to 64 members"):
        make_player(f"vote({', '.join(['random'] * 65)})", nim)


def test_a_program_in_a_vote_says_what_it_thinks_and_takes_being_overruled(nim, program):
    """The program always takes one stone of the first heap; the others outvote it now and then."""
    voters = f'vote(gtp("{program("nim")}", deadline=20, start=20), random, random)'
    match = play(nim, [voters, "random"], seed=3)
    assert match.ending == "over"
    shares = [belief.shares for belief in match.beliefs]
    played = [n for n, joint in zip(match.names, match.joint_moves, strict=True) if joint[0] >= 0]
    overruled = [
        p for p, share in zip(played, shares, strict=True) if share[p] > 0.5 and p[1] != "1"
    ]
    assert overruled  # and it went on: no forfeit
    assert not match.forfeits


def test_what_a_program_thinks_is_read_from_its_analysis(nim):
    text = "info move A1 visits 3 winrate 5500 pv A1\ninfo move A1 visits 9 winrate 6000 pv A1 B1 "
    text += (
        "info move B1 visits 1 winrate 0.25 pv B1 info move Z9 winrate 1 info winrate x\nplay A1"
    )
    info, move = answered(text)
    assert move == "A1"
    found = values_of(info, nim, nim.start(), 0)
    assert set(found) == {A1, B1}
    assert found[A1] == pytest.approx((0.6, 0.4))
    assert found[B1] == pytest.approx((0.25, 0.75))
    assert values_of(info, nim, nim.start(), 1)[A1] == pytest.approx((0.4, 0.6))
    assert answered("resign") == ("", "resign")
    assert (
        values_of("info move A1 winrate nan info move A2 winrate 99999", nim, nim.start(), 0) == {}
    )
