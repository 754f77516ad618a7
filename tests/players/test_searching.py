"""Players that search: what they say of a decision, and that they are ready when a match has begun."""

import pytest

import manyminds as mm
from manyminds.core import cache
from manyminds.core.budget import Budget
from manyminds.games.go import go
from manyminds.games.small.hunt import hunt
from manyminds.games.small.nim import nim
from manyminds.games.small.pig import pig
from manyminds.players import Lineup, make_player
from manyminds.search.search import Search
from manyminds.search.selection import uct


def begun(game, spec="uct", seat=0, seed=5):
    player = make_player(spec, game)
    player.begin(game, seat, Lineup([spec] * game.seats, seed))
    return player


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """The kernels that are compiled from now on, with nothing on disk that could spare it."""
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    names = []
    monkeypatch.setattr(cache, "_listeners", [names.append])
    return names


@pytest.mark.compiled_only  # nothing is compiled for a game that the process has searched before
@pytest.mark.parametrize(
    "make",
    [lambda: nim((2, 3, 7, 11)), lambda: pig(37), lambda: hunt(turns=7)],
    ids=["in turns", "with dice", "at once"],
)
def test_what_a_decision_needs_is_compiled_when_the_match_begins(make, compiled):
    game = make()
    player = begun(game)
    assert "run" in compiled
    del compiled[:]
    state = game.start()
    for _ in range(6):
        joint = [-1] * game.seats
        movers = game.movers(state)
        for mover in movers or [0]:
            joint[mover] = int(game.moves(state, mover)[0])
        if 0 in movers:
            joint[0] = player.decide(game.copy(state), Budget(simulations=50)).move
        game.play(state, joint)
        player.saw(tuple(joint))
    assert compiled == []


def test_getting_ready_leaves_no_trace_in_the_decisions():
    game = go(size=5)
    player = begun(game, "uct(c=0.7)", seed=9)
    decision = player.decide(game.start(), Budget(simulations=300))
    search = Search(game, selection=uct(0.7), seed=Lineup([], 9).seed_of(0), expand_after=3)
    search.run(simulations=300)
    rows = search.root()[:10]
    assert decision.move == rows[0].move
    assert decision.values == {row.move: row.values for row in rows}
    assert decision.line == search.line()


def test_a_decision_says_how_many_simulations_it_took():
    game = nim()
    player = begun(game)
    assert player.decide(game.start(), Budget(simulations=321)).simulations == 321
    assert player.decide(game.start(), Budget(milliseconds=5)).simulations > 0


def test_an_only_move_takes_no_simulations():
    game = pig()  # a turn's first roll is a must
    assert begun(game).decide(game.start(), Budget(simulations=100)).simulations == 0


@pytest.mark.parametrize("way", ["free", "local", "global", "leaf", "root", "passing"])
def test_a_player_on_three_threads_plays_a_whole_game(way):
    """Of nim with these heaps the first player wins, and a search of this size sees it."""
    players = [f"uct(threads=3, parallel={way})@2000", "random"]
    for seed in range(3):
        match = mm.play(mm.make_game("nim", heaps=[1, 3, 4]), players, seed=seed)
        assert match.rewards[0] == 1.0


def test_one_thread_decides_as_before_whatever_the_way():
    game = go(size=5)
    alone, one = begun(game, seed=3), begun(game, "uct(threads=1, parallel=root)", seed=3)
    decisions = [player.decide(game.start(), Budget(simulations=200)) for player in (alone, one)]
    assert decisions[0] == decisions[1]


def test_root_parallel_decides_alike_twice():
    game = go(size=5)
    decisions = [
        begun(game, "rave(threads=3, parallel=root)", seed=3).decide(
            game.start(), Budget(simulations=301)
        )
        for _ in range(2)
    ]
    assert decisions[0] == decisions[1]
    assert decisions[0].simulations == 301


def test_coalition_players_take_threads_too():
    game = mm.make_game("three_hills")
    player = make_player("paranoid(threads=2, parallel=root)@200", game)
    assert mm.play(game, [player, "random", "random"], seed=1).rewards
    assert [len(tree.search.trees) for tree in player.trees.players] == [2]
