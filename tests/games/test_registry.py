"""Games by name: what is listed, made, made again elsewhere, and refused."""

import inspect
import json
import subprocess
import sys
from importlib import import_module

import pytest

from manyminds.core.errors import UsageError
from manyminds.games import registry
from manyminds.games.registry import game_entry, known_games, make_game, register_game

OURS = [
    "connect_four",
    "go",
    "goofspiel",
    "hunt",
    "nim",
    "pig",
    "three_hills",
    "tic_tac_toe",
]


@pytest.fixture
def own_registry(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))


def run_python(code, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_game_has_its_line():
    listed = known_games()
    assert set(OURS) <= set(listed)
    assert list(listed) == sorted(listed)
    assert all(line and "\n" not in line for line in listed.values())


def test_listing_games_imports_no_compiler():
    out = run_python(
        "import sys\n"
        "from manyminds.games.registry import known_games\n"
        "known_games()\n"
        "print('numba' in sys.modules, 'numpy' in sys.modules)"
    )
    assert out.split() == ["False", "False"]


@pytest.mark.parametrize("name", OURS)
def test_the_parameters_told_are_those_of_the_maker(name):
    entry = game_entry(name)
    module, function = entry.maker.split(":")
    maker = getattr(import_module(module), function)
    assert list(entry.parameters) == list(inspect.signature(maker).parameters)


@pytest.mark.parametrize("name", OURS)
def test_a_game_is_called_as_it_was_asked_for(name):
    game = make_game(name)
    assert game.title == name
    assert list(game.arguments) == list(game_entry(name).parameters)


MADE = [
    ("connect_four", {"width": 5, "height": 4}),
    ("nim", {"heaps": [2, 7], "misere": True}),
    ("three_hills", {"soldiers": [1, 3], "worths": [1, 2, 4]}),
    ("goofspiel", {"cards": 3, "seats": 3, "order": "ascending"}),
    ("hunt", {"width": 4, "height": 2, "turns": 5, "rest": 0}),
    ("pig", {"target": 9, "sides": 4, "rounds": 3}),
    ("tic_tac_toe", {}),
]

REMAKE = """
import json, sys
from manyminds.core.fingerprint import fingerprint
from manyminds.games.registry import make_game
for title, arguments in json.loads(sys.argv[1]):
    game = make_game(title, **arguments)
    print(game.start().tobytes().hex(), fingerprint(game.kernels), game.longest)
"""


def test_another_process_makes_the_same_games_from_title_and_arguments():
    from manyminds.core.fingerprint import fingerprint

    games = [make_game(name, **arguments) for name, arguments in MADE]
    words = json.dumps([(game.title, game.arguments) for game in games])
    for game, line in zip(games, run_python(REMAKE, words).splitlines(), strict=True):
        start, content, longest = line.split()
        assert game.start().tobytes().hex() == start
        assert fingerprint(game.kernels) == content
        assert game.longest == int(longest)


def test_arguments_make_other_games():
    small, large = make_game("connect_four", width=4), make_game("connect_four")
    assert (small.most_moves, large.most_moves) == (4, 7)
    assert list(small.moves(small.start())) == [0, 1, 2, 3]
    assert list(large.moves(large.start())) == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("connect_for", {}, 'no game "connect_for"; did you mean "connect_four"?'),
        ("chess-960-variant", {}, "no game .* known: "),
        ("nim", {"heap": [1]}, 'game "nim" has no argument "heap"; did you mean "heaps"?'),
        ("tic_tac_toe", {"size": 4}, "it takes none"),
        ("nim", {"heaps": "3,4"}, 'game "nim": argument heaps: '),
        ("nim", {"heaps": [1, "2"]}, 'game "nim": argument heaps: '),
        ("nim", {"misere": 1}, 'game "nim": argument misere: '),
        ("hunt", {"width": True}, 'game "hunt": argument width: '),
        ("pig", {"target": 9.5}, 'game "pig": argument target: '),
        ("pig", {"target": 1}, "pig has a target of 2 to 1000"),
    ],
)
def test_what_is_asked_wrongly_is_refused(name, arguments, message):
    with pytest.raises(UsageError, match=message):
        make_game(name, **arguments)


def own(stones: int, fast: bool = True, extra=None):
    return make_game("nim", heaps=[stones])


def other():
    return make_game("nim")


@pytest.mark.usefixtures("own_registry")
def test_a_game_of_ones_own_registers_as_ours_do():
    register_game("my-game", own, "one heap", {"stones": "how many"})
    assert known_games()["my-game"] == "one heap"
    assert list(make_game("my-game", stones=3, extra=object()).start().heaps) == [3]
    with pytest.raises(UsageError, match="missing a required argument: 'stones'"):
        make_game("my-game")
    with pytest.raises(UsageError, match="argument stones: "):
        make_game("my-game", stones="3")


@pytest.mark.usefixtures("own_registry")
def test_a_name_is_taken_once():
    register_game("mine", own)
    register_game("mine", own, "said again")
    assert known_games()["mine"] == "said again"
    with pytest.raises(UsageError, match=r'a game "mine" already, from .*test_registry:own'):
        register_game("mine", other)
    with pytest.raises(UsageError, match=r"from manyminds[.]games[.]small[.]nim:nim"):
        register_game("nim", other)


@pytest.mark.parametrize(("name", "line"), [("a b", ""), ("", ""), ("x", "two\nlines")])
def test_names_and_lines_that_cannot_be_listed_are_refused(name, line):
    with pytest.raises(UsageError, match=r"a game is named|its help is one line"):
        register_game(name, own, line)
