"""Our games as PettingZoo environments: by PettingZoo's own tests, and against the games themselves."""

import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.render_test import render_test

from manyminds.bridges.pettingzoo.drawing import image_of
from manyminds.bridges.pettingzoo.making import aec_env, parallel_env
from manyminds.bridges.pettingzoo.observation import Observation, whole_state
from manyminds.core.errors import MissingExtra, UsageError
from manyminds.games.go.board import STRIDE
from manyminds.games.registry import make_game
from manyminds.search.search import Search

GAMES = {
    "tic_tac_toe": {},
    "pig": {},
    "go": dict(size=5, colours=3, limit=60),
    "goofspiel": dict(seats=3),
    "hunt": {},
    "pacman": dict(limit=60),
}
AT_ONCE = ("goofspiel", "hunt", "pacman")
# PettingZoo's tests have lists of its own environments for which these are as they should be.
EXPECTED = ("probably should be", "is not a NumPy array", "We recommend agents", "all zeros")


@pytest.fixture(autouse=True)
def expected_warnings_only():
    """What PettingZoo's tests warn of fails, except what they say of every dictionary with a mask."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", UserWarning)
        yield
    told = [str(warning.message) for warning in seen if warning.category is UserWarning]
    assert [text for text in told if not any(words in text for words in EXPECTED)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_pettingzoos_tests_pass(name):
    game = make_game(name, **GAMES[name])
    api_test(aec_env(game), num_cycles=40)
    seed_test(lambda: aec_env(game), num_cycles=40)


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_ONCE)
def test_pettingzoos_parallel_tests_pass(name):
    """The second sends actions that no mask allows."""
    game = make_game(name, **GAMES[name])
    parallel_api_test(parallel_env(game), num_cycles=40)
    parallel_seed_test(lambda: parallel_env(game), num_cycles=40)


def test_pettingzoos_render_test_passes():
    game = make_game("tic_tac_toe")
    render_test(lambda render_mode: aec_env(game, render_mode=render_mode))
    drawn = aec_env(game, render_mode="ansi")
    drawn.reset()
    assert drawn.render() == game.show(game.start())
    silent = aec_env(game)
    silent.reset()
    with pytest.warns(UserWarning, match="render_mode="):
        assert silent.render() is None


def test_an_image_has_the_text_in_it():
    """Ink where there is text, none where not, and room for the largest that came before."""
    blank, text = image_of("", (3, 10)), image_of("#####\n\n#####", (3, 10))
    assert blank.shape == text.shape
    assert (blank == 255).all()
    dark = (text < 128).any(axis=2)
    rows = np.flatnonzero(dark.any(axis=1))
    columns = np.flatnonzero(dark.any(axis=0))
    assert rows[-1] - rows[0] > text.shape[0] / 3  # from the first line to the third
    assert columns[-1] < 0.7 * text.shape[1]  # five columns of ten
    assert (np.diff(rows) > 10).any()  # the empty line between


# ---- against the games ------------------------------------------------------------------------------


def test_a_game_played_through_an_environment_is_the_game():
    """Masks, agents, ends and rewards along random three-colour Go, beside the game's own state."""
    game = make_game("go", size=5, colours=3, limit=40)
    env, chooser = aec_env(game), np.random.default_rng(3)
    env.reset(seed=5)
    state, rewards = game.start(), dict.fromkeys(env.agents, 0.0)
    while not game.over(state):
        assert env.agent_selection == game.seat_names[game.seat(state)]
        seen, *_ = env.last()
        assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(game.moves(state).tolist())
        move = int(chooser.choice(game.moves(state)))
        env.step(move)
        game.play(state, move)
        for agent in env.agents:
            rewards[agent] += env.rewards[agent]
        assert env.position.tobytes() == state.tobytes()
    assert all(env.terminations.values())
    assert list(rewards.values()) == pytest.approx(game.rewards(state).tolist())
    for agent in env.agent_iter():
        assert env.last()[2]
        env.step(None)
        assert agent not in env.agents
    assert env.agents == []


def test_simultaneous_moves_are_played_together_whoever_is_asked_first():
    game = make_game("goofspiel", cards=3)
    env, state = aec_env(game), game.start()
    env.reset(seed=1)
    before = env.observe("seat1")["observation"].copy()
    env.step(1)
    assert (env.observe("seat1")["observation"] == before).all()  # the first bid is not seen
    assert not env.observe("seat0")["action_mask"].any()  # who has bid waits
    env.step(2)
    game.play(state, (1, 2))
    assert env.position.tobytes() == state.tobytes()
    parallel = parallel_env(game)
    parallel.reset(seed=1)
    parallel.step({"seat0": 1, "seat1": 2})
    assert parallel.position.tobytes() == state.tobytes()


def test_points_are_told_step_by_step():
    """What every step gained adds up to the points of the end."""
    game = make_game("goofspiel", cards=4)
    env = parallel_env(game, rewards="points")
    env.reset(seed=2)
    total = np.zeros(2)
    while env.agents:
        masks = [env.course.mask(seat) for seat in range(2)]
        actions = {
            f"seat{seat}": int(np.flatnonzero(mask)[-1 + seat]) for seat, mask in enumerate(masks)
        }
        total += list(env.step(actions)[1].values())
    assert total.tolist() == game.points(env.position).tolist()
    assert total.sum() > 0


def test_a_move_that_is_not_there_is_drawn_or_refused():
    game = make_game("tic_tac_toe")
    env = aec_env(game)
    env.reset(seed=3)
    env.step(4)
    env.step(4)
    agent = game.seat_names[1]
    assert env.infos[agent] == {"illegal": 4}
    assert env.position.tobytes() != game.start().tobytes()
    strict = aec_env(game, illegal="raise")
    strict.reset()
    strict.step(4)
    with pytest.raises(UsageError, match="cannot play 4"):
        strict.step(4)


def test_games_without_a_seed_differ_and_with_one_come_again():
    env = aec_env(make_game("pig"))
    first, others = [], []
    for seed in (7, None, None, 7, None):
        env.reset(seed=seed)
        env.step(0)
        for _ in range(6):
            seen = env.last()[0]["action_mask"]
            env.step(int(np.flatnonzero(seen)[0]))
        (first if seed == 7 else others).append(env.position.tobytes())
    assert first[0] == first[1]
    assert others[0] == others[2]
    assert len({*others, *first}) == 3


def test_a_game_longer_than_its_longest_is_cut_off():
    game = make_game("pig", target=1000, rounds=5)
    game.longest = 4
    env = aec_env(game)
    env.reset(seed=1)
    for _ in range(4):
        assert not any(env.truncations.values())
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


# ---- what agents see ----------------------------------------------------------------------------------


def test_go_is_seen_as_planes_from_ones_own_side():
    game = make_game("go", size=5, colours=3)
    env = aec_env(game)
    env.reset()
    played = {"black": "A1", "white": "B5", "red": "E3"}
    for name in played.values():
        env.step(game.move_named(name))
    for viewer, colour in enumerate(played):
        seen = env.observe(colour)["observation"]
        for other, name in enumerate(played.values()):
            point = game.move_named(name)
            row, column = 5 - point // STRIDE, point % STRIDE - 1
            where = np.argwhere(seen[:, :, (other - viewer) % 3]).tolist()
            assert where == [[row, column]]
        assert np.argwhere(seen[:, :, 3]).tolist() == [[2, 4]]  # E3, the last


def test_elsewhere_the_whole_state_is_seen_and_ones_own_seat():
    game = make_game("goofspiel", cards=3)
    sight, state = whole_state(game), game.start()
    one, two = sight.of(state, 0), sight.of(state, 1)
    assert one[-2:].tolist() == [1, 0]
    assert two[-2:].tolist() == [0, 1]
    assert (one[:-2] == two[:-2]).all()
    game.play(state, (0, 1))
    assert (sight.of(state, 0)[:-2] != one[:-2]).any()
    assert ((sight.low <= one) & (one <= sight.high)).all()


def test_an_observation_of_ones_own():
    game = make_game("nim")
    low, high = np.zeros(3, np.int32), np.full(3, 9, np.int32)
    sight = Observation(low, high, lambda state, seat: np.asarray(state.heaps, np.int32)[:3])
    env = aec_env(game, observe=sight)
    env.reset()
    assert env.last()[0]["observation"].tolist() == [3, 4, 5]
    api_test(env, num_cycles=10)


def test_our_search_plays_from_an_environments_position():
    """Against an agent that plays at random, from the second seat."""
    game = make_game("tic_tac_toe")
    env = aec_env(game)
    env.reset(seed=4)
    chooser = np.random.default_rng(4)
    second, brought = game.seat_names[1], 0.0
    for agent in env.agent_iter():
        seen, reward, over, cut_off, _ = env.last()
        brought += reward if agent == second else 0.0
        if over or cut_off:
            env.step(None)
        elif agent == second:
            search = Search(game, env.position, seed=1)
            search.run(simulations=300)
            env.step(search.best())
        else:
            env.step(int(chooser.choice(np.flatnonzero(seen["action_mask"]))))
    assert brought >= 0.5


# ---- refusals -----------------------------------------------------------------------------------------


def test_what_is_asked_wrong_is_said():
    game = make_game("tic_tac_toe")
    with pytest.raises(UsageError, match=r"one seat moves at a time: mm\.aec_env"):
        parallel_env(game)
    with pytest.raises(UsageError, match='render_mode is one of "ansi"'):
        aec_env(game, render_mode="text")
    with pytest.raises(UsageError, match="rewards"):
        aec_env(game, rewards="wins")


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "manyminds.bridges.pettingzoo.environment", None)
    with pytest.raises(MissingExtra, match=r"manyminds\[bridges\]"):
        aec_env(make_game("tic_tac_toe"))
