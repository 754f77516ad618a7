"""Players by name: declared arguments, nearest words, and a place for everybody's player."""

import pytest

from manyminds.core.errors import UsageError
from manyminds.players import registry
from manyminds.players.arguments import (
    REQUIRED,
    Argument,
    choice,
    flag,
    number,
    seats,
    text,
    whole,
    words,
)
from manyminds.players.random import RandomPlayer
from manyminds.players.registry import known, make_player, player, players, register


class Made(RandomPlayer):
    """A player that keeps what its factory was given."""

    def __init__(self, **given):
        super().__init__()
        self.given = given


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    """The shipped players, whoever has registered in this process, but those that stand for examples."""
    shipped = {
        name: entry
        for name, entry in registry._entries.items()
        if name not in ("alliance", "vote")
        and registry._origin(entry.factory).startswith("manyminds.")
    }
    monkeypatch.setattr(registry, "_entries", shipped)


@pytest.fixture
def alliance():
    register(
        "alliance",
        Made,
        [
            Argument("with", seats, (), to="partners"),
            Argument("scoring", choice("normal", "allies", "joint"), "normal"),
            Argument("tree", flag, False),
            Argument("k", number(0, 1e6), 1000.0),
            Argument("first-play", whole(1, 9), 3),
            Argument("file", text, "", positional=True),
        ],
        help="forms an alliance",
    )


def made(spec, game):
    return make_player(spec, game).given


def test_every_argument_reaches_the_factory(alliance, nim):
    assert made("alliance", nim) == {
        "partners": (),
        "scoring": "normal",
        "tree": False,
        "k": 1000.0,
        "first_play": 3,
        "file": "",
    }
    given = made("alliance(joint, tree, my.toml, with=[second], k=5, first-play=9)@10", nim)
    assert given == {
        "partners": (1,),
        "scoring": "joint",
        "tree": True,
        "k": 5.0,
        "first_play": 9,
        "file": "my.toml",
    }
    assert made("alliance(with=second, tree=true, scoring=joint)", nim)["partners"] == (1,)
    assert made({"name": "alliance", "tree": True, "with": ["first"]}, nim)["tree"] is True


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("aliance", 'no player "aliance"; did you mean "alliance"'),
        ("alliance(scorin=joint)", 'no argument "scorin"; did you mean "scoring"'),
        (
            "alliance(scoring=jont)",
            'scoring is one of normal, allies, joint.* did you mean "joint"',
        ),
        ("alliance(with=[secnd])", 'with has no seat "secnd" in nim; did you mean "second"'),
        ("alliance(with=[first, first])", "with names a seat twice"),
        ("alliance(with=[1])", "with is a text, not 1"),
        ("alliance(k=fast)", "k is a number from 0 to 1e"),
        ("alliance(k=true)", "k is a number"),
        ("alliance(k=-1)", "k is a number"),
        ("alliance(first-play=10)", "first-play is a whole number from 1 to 9, not 10"),
        ("alliance(first-play=1.5)", "first-play is a whole number"),
        ("alliance(tree=1)", "tree is true or false, not 1"),
        ("alliance(a.toml, tre)", 'no place for the argument tre; did you mean "tree"'),
        ("alliance(file=a, tree, tree)", "no place for the argument tree"),
        ("alliance(file=[a])", "file is a text, not a list"),
        ("random(3)", "no place for the argument 3; it takes none"),
        ("random(k=3)", 'no argument "k"; known: none'),
        ("gtp", 'player "gtp" needs its argument command, a text'),
    ],
)
def test_what_is_wrong_is_named_with_what_was_meant(alliance, nim, spec, message):
    with pytest.raises(UsageError, match=message):
        make_player(spec, nim)


def test_players_within_players(nim):
    register(
        "vote",
        Made,
        [Argument("players", players, rest=True), Argument("by", choice("share"), "share")],
    )
    register("boss", Made, [Argument("of", player, REQUIRED, positional=True)])
    members = made('vote(random, share, random()@500, boss(random)@2s, "random@7")', nim)["players"]
    assert [member.text for member in members] == [
        "random",
        "random@500",
        "boss(random)@2000ms",
        "random@7",
    ]
    assert [str(member.budget) for member in members] == ["None", "500", "2000ms", "7"]
    assert len({id(member.player) for member in members}) == 4
    assert isinstance(members[2].player.given["of"].player, RandomPlayer)
    assert len(made("vote(players=[random, random])", nim)["players"]) == 2
    with pytest.raises(UsageError, match='did you mean "random"'):
        make_player("vote(random, randm@3)", nim)
    with pytest.raises(UsageError, match="is a player"):
        make_player("boss(3)", nim)
    with pytest.raises(UsageError, match="needs its argument players"):
        make_player("vote", nim)


def test_a_game_that_does_not_fit_is_refused_early(nim):
    register("diver", Made, fits=lambda game: "" if game.title == "sea" else "no water; use random")
    with pytest.raises(UsageError, match='"diver" cannot play nim: no water; use random'):
        make_player("diver", nim)


def test_names_are_listed_with_one_line_each(alliance):
    assert known()["alliance"] == "forms an alliance"
    assert list(known()) == sorted(known())
    assert {"gtp", "person", "random"} <= set(known())
    assert len(known()) >= 10
    assert all(known().values())


def test_a_name_belongs_to_who_took_it(nim):
    def mine(**given):
        return Made(**given)

    register("mine", mine)
    register("mine", mine)  # a notebook cell that runs twice
    with pytest.raises(UsageError, match='there is a player "random" already'):
        register("random", mine)
    assert isinstance(make_player("random", nim), RandomPlayer)


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("two words", [], ""),
        ("x", [Argument("budget", text)], ""),
        ("x", [Argument("k", text), Argument("k", text)], ""),
        ("x", [], "two\nlines"),
    ],
)
def test_what_cannot_be_typed_cannot_register(name, arguments, line):
    with pytest.raises(UsageError):
        register(name, Made, arguments, help=line)
    assert name not in known()


def test_words_are_lists(nim):
    register("reader", Made, [Argument("files", words)])
    assert made("reader(files=[a, 'b c'])", nim) == {"files": ("a", "b c")}
    assert made("reader(files=a)", nim) == {"files": ("a",)}


def test_a_factory_may_be_named_by_where_it_is(nim):
    register("far", "manyminds.players.random:RandomPlayer", help="from afar")
    assert isinstance(make_player("far", nim), RandomPlayer)
    register("random", "manyminds.players.random:RandomPlayer")  # the same by another road
    with pytest.raises(UsageError, match="already"):
        register("far", RandomPlayer.decide)
