"""Inferring who cooperates, and talk about it: beliefs by Bayes' rule, and what players make of them."""

import functools
import itertools
import math
import random

import pytest

import manyminds as mm
from manyminds.core.budget import Budget
from manyminds.games.go.diagram import parse
from manyminds.games.go.setup import state_of
from manyminds.players import Lineup, make_player
from manyminds.players.coalitions.assumption import weights_of
from manyminds.players.coalitions.belief import Belief, of, partitions
from manyminds.players.coalitions.evidence import (
    ALONE,
    GREETS,
    LEAST,
    TO_OTHERS,
    TO_PARTNERS,
    ByTrees,
    by_conduct,
    by_greeting,
)
from manyminds.players.coalitions.infer import divided
from manyminds.players.coalitions.paranoid import afraid
from manyminds.players.coalitions.paranoid import assumption as paranoid_assumption
from manyminds.players.coalitions.talk import MOST_HEARD, Promise, said
from manyminds.players.coalitions.trees import SEARCH_ARGUMENTS

NAMES = ("black", "white", "red")


@functools.cache
def go(colours=3, size=5):
    return mm.go(size=size, colours=colours)


def begun(spec, game=None, seat=0, seed=3):
    game = game or go()
    player = make_player(spec, game)
    player.begin(game, seat, Lineup([spec] * game.seats, seed))
    return player


# --- partitions and beliefs -------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "bell"), [(3, 5), (4, 15), (5, 52), (6, 203)])
def test_all_partitions_but_the_whole_are_known(seats, bell):
    found = list(partitions(range(seats), seats))
    assert len(set(found)) == len(found) == bell - 1
    assert all(sorted(itertools.chain(*one)) == list(range(seats)) for one in found)


@pytest.mark.parametrize(("seats", "involutions"), [(3, 4), (4, 10), (5, 26), (6, 76)])
def test_coalitions_of_two_part_the_seats_into_pairs_and_singles(seats, involutions):
    assert len(list(partitions(range(seats), 2))) == involutions


def test_a_belief_is_bayes_rule():
    draw = random.Random(4)
    belief = Belief(4, most=3, prior=0.3)
    slow = {
        one: math.prod(0.3 for members in one for _ in itertools.combinations(members, 2))
        for one in partitions(range(4), 3)
    }
    for _ in range(30):
        seat = draw.randrange(4)
        likelihoods = {one: draw.uniform(0.2, 1.0) for one in belief.coalitions_of(seat)}
        belief.learn(seat, {one: math.log(value) for one, value in likelihoods.items()})
        slow = {one: share * likelihoods[of(one, seat)] for one, share in slow.items()}
    total = sum(slow.values())
    expected = {one: share / total for one, share in slow.items()}
    assert dict(zip(belief.partitions, belief.shares(), strict=True)) == pytest.approx(expected)
    pair = sum(share for one, share in expected.items() if (0, 2) in one)
    assert belief.together((0, 2)) == pytest.approx(pair)
    hinted = {one: share * (7.0 if (0, 2) in one else 1.0) for one, share in expected.items()}
    assert belief.together((0, 2), {(0, 2): math.log(7.0)}) == pytest.approx(
        7 * pair / sum(hinted.values())
    )


# --- evidence ---------------------------------------------------------------------------------------

PAIRS = [(0,), (0, 1), (0, 2)]  # black's


def drawn(text):
    return state_of(go(), parse(text))


def test_filling_a_common_eye_speaks_against_standing_together():
    """Black and White live side by side with one common eye, at C3."""
    state = drawn(
        """
        to play: black
        . . . . .
        . X X O .
        X X . O O
        . X O O .
        . . . . .
        """
    )
    fill = go().move_named("C3")
    logs = by_conduct(go(), state, 0, fill, PAIRS)
    assert logs[0, 1] == LEAST  # as strong as one move may be
    assert logs[0,] == pytest.approx(0.0)
    elsewhere = by_conduct(go(), state, 0, go().move_named("E5"), PAIRS)
    assert elsewhere[0, 1] > LEAST / 4


def test_a_move_s_likelihood_is_that_of_the_conditional_logit():
    """On a board with a lone white stone only touching and nearness differ between black's moves."""
    state = go().start()
    go().play(state, go().move_named("A1"))
    go().play(state, go().move_named("C3"))
    go().play(state, 0)
    legal = [go().name(move) for move in go().moves(state)]
    beside, far = {"C2", "C4", "B3", "D3"}, {"A1", "pass"}

    def score(name, table):
        if name == "pass":
            return -4.3 if table is ALONE else -2.8
        return table["near"] + (table["touches"] if name in beside else 0.0)

    def likelihood(name, table):
        return math.exp(score(name, table)) / sum(
            math.exp(score(other, table)) for other in legal if other not in far - {"pass"}
        )

    for name in ("C2", "E5"):
        logs = by_conduct(go(), state, 0, go().move_named(name), PAIRS)
        for allied, table in (((0, 1), TO_PARTNERS), ((0, 2), TO_OTHERS)):  # red has no stone
            ratio = likelihood(name, table) / likelihood(name, ALONE)
            assert logs[allied] - logs[0,] == pytest.approx(math.log(ratio), abs=1e-9)


def test_a_greeting_is_a_mirrored_stone_and_weighs_what_chance_leaves():
    state = go().start()
    for name in ("B2", "C3"):
        go().play(state, go().move_named(name))
    last = {0: int(go().move_named("B2")), 1: int(go().move_named("C3"))}
    mine = [(2,), (0, 2), (1, 2)]
    greeted = by_greeting(go(), state, 2, int(go().move_named("D4")), mine, last)
    chance = 3 / 23  # B4, D2 and D4 of all legal points; C3 mirrors itself
    assert greeted[0, 2] == greeted[1, 2] == pytest.approx(math.log(GREETS / chance))
    other = by_greeting(go(), state, 2, int(go().move_named("E5")), mine, last)
    assert other[0, 2] == pytest.approx(math.log((1 - GREETS) / (1 - chance)))
    assert greeted[2,] == other[2,] == 0.0


def test_where_a_game_knows_no_conduct_quick_searches_tell_who_helps_whom():
    """Red's soldier decides between green's and blue's claims on a hill: who it helps, it stands with."""
    hills = mm.make_game("three_hills", soldiers=[1, 2], worths=[1, 2, 3])
    arguments = {one.parameter: one.default for one in SEARCH_ARGUMENTS}
    trees = ByTrees(hills, Lineup(["infer"] * 3, 1), arguments)
    state = hills.start()
    seat = hills.seat(state)
    alone, left, right = [(seat,)] + [tuple(sorted((seat, o))) for o in range(3) if o != seat]
    ratios = []
    for move in hills.moves(state):
        logs = trees(state, seat, int(move), [alone, left, right], 400)
        assert max(logs.values()) == 0.0
        assert min(logs.values()) >= LEAST
        ratios.append(logs[left] - logs[right])
    assert max(ratios) > 0.5 or min(ratios) < -0.5  # some move tells


# --- the players ------------------------------------------------------------------------------------


def test_fear_makes_others_want_the_searcher_to_lose_in_the_tree():
    found = afraid(go(), 1, 0.5)
    assert (found.coalitions, found.sparing) == (((0, 2),), 1)
    assert weights_of(go(), 1, found).tolist() == [[1, -0.5, 0], [0, 1, 0], [0, -0.5, 1]]
    assert afraid(go(), 1, 0.0) == paranoid_assumption(go(), 1, "playouts")


@pytest.mark.slow
def test_inferring_players_find_each_other_and_not_the_paranoid():
    """In most of 8 games, as long as they are young: later they part on purpose. Before, it is 3/19."""
    game = mm.go(size=7, colours=3)
    friends, foes = [], []
    for seed in range(8):
        match = mm.play(game, ["infer@60", "paranoid@60", "infer@60"], seed=seed, move_limit=36)
        assert all(sum(b.shares.values()) == pytest.approx(1.0) for b in match.beliefs)
        last = {belief.seat: belief.shares for belief in match.beliefs}
        friends += [last[0]["black+red"], last[2]["black+red"]]
        foes += [last[0]["black+white"], last[2]["white+red"]]
    assert sum(friends) / len(friends) > 0.5
    assert sum(foes) / len(foes) < 3 / 19


def test_without_a_belief_it_is_rave():
    """Move by move, with the same seed."""
    one, two = (
        mm.play(go(), [player, "random", "random"], seed=4, budget=30)
        for player in ("infer(belief=none)", "rave(expand_after=1, ref=1000, keep=0.8)")
    )
    assert one.joint_moves == two.joint_moves


def test_partners_part_when_nobody_else_has_anything_to_expect():
    player = begun("infer")
    player.mind.hints = {(0, 1): math.log(1000.0)}
    (together,) = player.assumptions()
    assert together.coalitions == ((0, 1),)
    player.expected = (0.5, 0.48, 0.02)
    assert player.assumptions() == {afraid(go(), 0, 0.5): 1.0}
    player.expected = (0.5, 0.47, 0.03)
    assert player.assumptions() == {together: 1.0}


def test_a_belief_s_shares_are_the_budget_s():
    """Before the first move: alone by 1 and by 0.3 (the others together) of 1.9, with either by 0.3."""
    player = begun("infer")
    shares = {found.of(0): share for found, share in player.assumptions().items()}
    assert shares == pytest.approx({(0,): 1.3 / 1.9, (0, 1): 0.3 / 1.9, (0, 2): 0.3 / 1.9})
    player.decide(go().start(), Budget(simulations=95))
    spent = {found.of(0): t.players[0].search.simulations for found, t in player.trees.items()}
    assert spent == {(0,): 65, (0, 1): 15, (0, 2): 15}


@pytest.mark.parametrize("doubt", ["infer(doubt=waits)", "infer(prior=1e-6)"])
def test_who_waits_or_does_not_doubt_has_one_tree(doubt):
    player = begun(doubt)
    assert player.assumptions() == {afraid(go(), 0, 0.5): 1.0}


@pytest.mark.parametrize(
    ("text", "parts"), [("11", [7, 2, 2]), ("1", [1]), ("9nodes", [7, 1, 1]), ("100ms", None)]
)
def test_parts_of_a_budget_add_up_to_it(text, parts):
    shares = {afraid(go(), seat, 0.5): share for seat, share in ((0, 0.6), (1, 0.2), (2, 0.2))}
    found = [
        part.simulations or part.nodes for part in divided(Budget.parse(text), shares).values()
    ]
    if parts is None:
        times = [part.milliseconds for part in divided(Budget.parse(text), shares).values()]
        assert times == pytest.approx([60.0, 20.0, 20.0])
    else:
        assert found == parts


def test_in_doubt_it_plays_what_all_trees_together_visited_most():
    player = begun("infer(prior=1, greet=0)")
    state = go().start()
    decision = player.decide(state, Budget(simulations=120))
    visits: dict[int, int] = {}
    for trees in player.trees.values():
        for row in trees.players[0].search.root():
            visits[row.move] = visits.get(row.move, 0) + row.visits
    assert len(player.trees) == 3
    assert visits[decision.move] == max(visits.values())
    assert decision.line[0] == decision.move
    assert decision.move in decision.values
    assert decision.simulations == 120


def test_who_is_sure_to_be_alone_greets_no_more():
    """White mirrors Black's stone until the belief says that nobody would answer."""
    stone = int(go().move_named("B2"))
    mirrored = {int(go().move_named(name)) for name in ("B4", "D2", "D4")}
    player = begun("infer", seat=1)
    player.saw((stone, -1, -1))
    state = go().start()
    go().play(state, stone)
    move = player.decide(state, Budget(simulations=60)).move  # the first time, whatever it believes
    assert move in mirrored
    for joint in ((-1, move, -1), (-1, -1, int(go().move_named("E5"))), (stone + 1, -1, -1)):
        player.saw(joint)
        go().play(state, joint)
    assert player.mind.together((1,)) > 0.7  # neither has mirrored anything
    player.mind.meet(state)
    assert not player._greets()
    player.mind.hints = {(0, 1): math.log(1e6)}
    assert player._greets()


def test_a_match_that_began_elsewhere_is_followed_from_its_own_first_turn_on():
    state = drawn(
        """
        to play: black
        . . . . .
        . X X O .
        X X . O O
        . X O O .
        . . . . .
        """
    )
    player = begun("infer")
    before = player.mind.shares()
    for name in ("E5", "E5"):  # the second cannot be
        joint = [-1, -1, -1]
        joint[1 if name == "E5" else 2] = int(go().move_named(name))
        player.saw(tuple(joint))
    assert player.mind.shares() == before
    assert player.decide(state, Budget(simulations=20)).move in go().moves(state)
    after = go().copy(state)
    go().play(after, 0)
    player.saw((0, -1, -1))
    player.saw((-1, int(go().move_named("C3")), -1))  # fills the common eye
    assert player.mind.together((0, 1)) < 0.01


def test_belief_before_the_first_move_stays_as_it_is():
    match = mm.play(go(), ["infer(belief=prior)@20", "random", "random"], seed=2)
    assert match.beliefs
    for belief in match.beliefs:
        assert belief.shares == pytest.approx(
            {"each alone": 10 / 19, "black+white": 3 / 19, "black+red": 3 / 19, "white+red": 3 / 19}
        )


@pytest.mark.slow
@pytest.mark.timeout(300)  # kernels for six seats take long to compile where the machine is shared
def test_six_seats_play_and_the_same_match_comes_again():
    specs = ["infer@15", "talk@15", "talk(lies)@15", "infer(most=3)@15", "rave@15", "talk@15"]
    one, two = (mm.play(go(6), specs, seed=6) for _ in range(2))
    assert one.digest == two.digest
    assert one.ending == "over"


def test_on_other_games_part_of_the_budget_judges_moves_and_none_is_spent_beyond_it():
    hills = mm.make_game("three_hills")
    seats = hills.seats
    player = begun("infer(evidence=0.5)", hills, seat=2)
    state = hills.start()
    while hills.seat(state) != 2:
        joint = [-1] * seats
        joint[hills.seat(state)] = int(hills.moves(state)[0])
        hills.play(state, joint)
        player.saw(tuple(joint))
    before = player.mind.shares()
    decision = player.decide(state, Budget(simulations=200))
    searched = sum(trees.players[0].search.simulations for trees in player.trees.values())
    assert 100 <= searched <= 110
    assert decision.simulations == 200
    assert decision.beliefs != before
    assert player.mind.look_back(Budget(nodes=500)) == Budget(nodes=500)
    player.mind._seen = [(state, 2, int(hills.moves(state)[0]), {})]
    timed = player.mind.look_back(Budget(milliseconds=10_000))
    assert 1.0 <= timed.milliseconds < 10_000
    assert "no coalition playouts" in mm.play(hills, ["infer@50"] * 3, seed=1).remarks[0].text


@pytest.mark.parametrize("spec", ["infer", "talk"])
def test_two_seats_and_teams_are_refused_with_advice(spec):
    with pytest.raises(mm.UsageError, match="three seats"):
        make_player(spec, mm.make_game("nim"))


# --- talk -------------------------------------------------------------------------------------------


def test_talkers_agree_by_the_second_round_and_say_so():
    match = mm.play(go(), ["talk@20", "paranoid@20", "talk@20"], seed=3)
    second = [belief for belief in match.beliefs if belief.seat == 2][1]
    assert second.shares["black+red"] > 0.8
    texts = [remark.text for remark in match.remarks if remark.seat == 2]
    assert "black promises" in texts[0]
    silent = mm.play(go(), ["talk(silent)@20", "paranoid@20", "talk(silent)@20"], seed=3)
    assert "nobody promises" in silent.remarks[0].text
    assert next(b for b in silent.beliefs if b.seat == 2).shares["each alone"] > 0.5


def test_a_liar_promises_and_plays_for_itself():
    liar, honest = begun("talk(lies)"), begun("talk")
    for player in (liar, honest):
        player.hear(1, honest.say().replace(b'"partner":1', b'"partner":0'))
    assert liar.say() == honest.say()
    assert liar.player.mind.partners() == honest.player.mind.partners() == (0, 1)
    assert [found.coalitions for found in honest.player.assumptions()] == [((0, 1),)]
    assert liar.player.assumptions() == {afraid(go(), 0, 0.5): 1.0}


def test_a_broken_promise_is_seen_unless_one_is_naive():
    """White has promised, and then fills the common eye again and again."""
    state = drawn(
        """
        to play: white
        . . . . .
        . X X O .
        X X . O O
        . X O O .
        . . . . .
        """
    )
    for spec, kept in (("talk", False), ("talk(naive)", True)):
        player = begun(spec)
        player.hear(1, b'{"partner":0,"counts":"joint"}')
        assert player.player.mind.together((0, 1)) > 0.8
        player.player.mind.meet(state)
        player.saw((-1, int(go().move_named("C3")), -1))
        assert (player.player.mind.together((0, 1)) > 0.8) is kept


def test_what_is_no_promise_is_not_heard():
    assert said(b'{"partner":1,"counts":"allies"}', 0, 3) == Promise(1, "allies")
    for message in (
        b"",
        b"\xff" * 10,
        b'{"partner":3,"counts":"joint"}',
        b'{"partner":-1,"counts":"joint"}',
        b'{"partner":0,"counts":"joint"}',  # itself
        b'{"partner":1,"counts":"all mine"}',
        b'{"partner":1,"counts":"joint","more":1}',
        b'{"partner":1,"counts":"joint"' + b" " * MOST_HEARD + b"}",
        b"[" * 150,
    ):
        assert said(message, 0, 3) is None
    draw = random.Random(9)
    player = begun("talk")
    for _ in range(2000):
        player.hear(1, bytes(draw.randrange(256) for _ in range(draw.randrange(60))))
    assert player.promises == {}
