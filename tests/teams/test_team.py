"""Teams in matches: exact in virtual time, whatever befalls the mates."""

import pytest

from manyminds.arena.match import play
from manyminds.core.errors import UsageError
from manyminds.teams import Team, channel, known_mates

KINDS = sorted(known_mates())


def hunted(game, team, seed=1, hare="uct@30"):
    return play(game, {"hunters": team, "hare": hare}, seed=seed)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_in_virtual_time_repeats_to_the_bit(game, team, kind):
    runs = []
    for _ in range(2):
        mates = team(f"{kind}@60")
        match = hunted(game, mates)
        loop = mates.loop
        counts = [dict(mate.counts) for mate in loop.planners.values()]
        runs.append((match.joint_moves, loop.channel.traffic, loop.tally, counts))
    assert runs[0] == runs[1]
    if kind not in ("plain", "independent"):
        assert runs[0][1].bytes_sent > 0
        assert runs[0][1].lost > 0


@pytest.mark.parametrize("kind", ["roots", "results", "tree-cuts"])
def test_another_seed_is_another_run(game, team, kind):
    def moves(seed):
        mates = team(f"{kind}@60", seed=seed)
        hunted(game, mates, hare="random")
        return mates.loop.channel.traffic

    assert len({str(moves(seed)) for seed in range(4)}) > 1


def test_independent_mates_of_one_seed_play_as_the_plain_search(game):
    for seed in range(5):
        plain = hunted(game, Team("plain@80"), seed)
        same = hunted(game, Team("independent@80"), seed)
        assert plain.joint_moves == same.joint_moves


def test_over_a_perfect_channel_all_trees_hold_the_work_of_all(game):
    mates = Team("results(most=1000)@66", channel())
    hunted(game, mates)
    one, _ = mates.loop.planners.values()
    assert one.counts["taken in"] > 0
    assert not set(one.counts) - {"taken in", "sent", "stale"}
    assert one.tree.simulations > one.tree.tree.received[0].visits > 0


def test_mates_named_one_by_one_are_a_team(game):
    spec = "roots(channel=virtual(rate=64000, loss=0.3))@60"
    named = play(game, [spec, spec, "uct@30"], seed=1)
    team = hunted(game, spec)
    both = hunted(game, Team("roots@60", "virtual(rate=64000, loss=0.3)"))
    assert named.joint_moves == team.joint_moves == both.joint_moves
    alone = hunted(game, "independent(seeds=distinct)@60")
    assert alone.lineup[0] == "independent(seeds=distinct)@60"


def test_mates_of_different_kinds_do_not_believe_each_other_and_play_on(game):
    mates = Team(["roots@60", "tree-cuts@60"])
    match = hunted(game, mates)
    assert match.ending == "over"
    assert all(mate.counts["kind"] > 0 for mate in mates.loop.planners.values())


@pytest.mark.parametrize("fault", ["silent", "deaf", "garbage", "dead"])
@pytest.mark.parametrize(
    "kind", ["joint-actions", "roots", "results", "tree-cuts", "news", "dec-mcts"]
)
def test_a_broken_mate_does_not_stop_the_team(game, fault, kind):
    mates = Team(f"{kind}@60", broken={"fox": fault})
    assert hunted(game, mates).ending == "over"
    wolf, fox = mates.loop.planners.values()
    if fault in ("silent", "dead"):
        assert wolf.counts["taken in"] == 0
    if fault == "deaf":
        assert wolf.counts["taken in"] > 0 == fox.counts["taken in"]
    if fault == "garbage":
        assert wolf.counts["taken in"] == 0 < sum(wolf.counts.values())


def test_a_mate_of_half_the_speed_makes_half_the_simulations(game):
    mates = Team("roots@60", slow={"fox": 0.5})
    hunted(game, mates)
    wolf, fox = mates.loop.planners.values()
    assert wolf.simulated == 60 * mates.loop.tally.ticks - _taken(wolf)
    assert fox.simulated == pytest.approx(wolf.simulated / 2, rel=0.1)


def _taken(mate):
    """Simulations that receiving has cost: with 0.02 each, less than one a tick."""
    ticks = mate.simulated // 59
    return 60 * ticks - mate.simulated if mate.simulated < 60 * ticks else 0


def test_taking_in_messages_costs_simulations(game):
    silent, telling = Team("independent(seeds=distinct)@66"), Team("results@66")
    for mates in (silent, telling):
        hunted(game, mates)
    assert silent.loop.tally.simulations == 66 * silent.loop.tally.decisions
    assert telling.loop.tally.simulations < 66 * telling.loop.tally.decisions


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Team("roots@60", slow={"fax": 0.5}), "fox"),
        (lambda: Team("roots@60", broken={"fox": "tired"}), "deaf|dead|silent|garbage"),
        (lambda: Team("uct@60"), "no mate"),
        (lambda: Team(["roots@60"] * 3), "3 mates"),
        (lambda: Team(["plain@60", "roots@60"]), "whole team"),
        (lambda: Team("roots@60", speed=0), "speed"),
        (lambda: Team("roots@60nodes"), "simulations a tick"),
    ],
)
def test_teams_that_cannot_be_are_refused(game, make, words):
    with pytest.raises(UsageError, match=words):
        hunted(game, make())


def test_mates_of_one_team_have_one_channel(game):
    with pytest.raises(UsageError, match="one channel"):
        play(game, ["roots(channel=virtual(loss=0.1))", "roots", "random"], seed=1)


@pytest.mark.slow
def test_mates_plan_in_real_time_too(game):
    mates = Team("roots@3ms")
    assert hunted(game, mates, hare="random").ending == "over"
    assert mates.loop.tally.simulations > 0
