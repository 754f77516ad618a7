import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manyminds.arena.campaign import (
    Campaign,
    LineupChoice,
    from_json,
    parse_campaign,
    read_campaign,
    seconds_of,
    with_changes,
)
from manyminds.arena.toml import to_toml
from manyminds.core.errors import UsageError

WHOLE = """
title = "All keys"
question = "Which?"
games = 20
seed = 18446744073709551615
rotate = true
paired = true
budget = "200ms"
move_limit = 300
deadline = "30s"
game_deadline = "2h"
files = ["mine.py"]
lineups = [["rave", "uct"], { seats = ["uct", "rave"], games = 40, title = "the other way" }]

[game]
name = "go"
size = 9

[settings]
reward = "points"

[players]
rave = "rave@1000"
uct = { name = "uct", budget = 500, c = 0.4 }

[stop]
rule = "sprt"
elo0 = 0
elo1 = 30

[[published]]
lineup = ["rave", "uct"]
source = "a paper"
n = 200
points = [44.5, nan]
sd = 12.0
"""

SMALL = 'game = "nim"\nlineups = [["random", "random"]]\n'


def test_every_key_is_read():
    campaign = parse_campaign(WHOLE)
    assert campaign.game == {"name": "go", "size": 9}
    assert campaign.seed == 2**64 - 1
    assert campaign.lineups[1] == LineupChoice(("uct", "rave"), 40, "the other way")
    assert campaign.published[0].points == (44.5, None)
    assert campaign.stop.elo1 == 30
    assert campaign.spec("uct") == {"name": "uct", "budget": 500, "c": 0.4}


def test_what_toml_and_json_write_is_what_they_read():
    campaign = parse_campaign(WHOLE)
    assert parse_campaign(to_toml(campaign)) == campaign
    assert from_json(campaign.to_json()) == campaign


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=20)
plain_values = st.one_of(
    st.booleans(),
    st.integers(-(2**62), 2**62),
    words,
    st.floats(allow_nan=False, allow_infinity=False),
)
values = st.recursive(plain_values, lambda inner: st.lists(inner, max_size=3), max_leaves=6)


@given(
    arguments=st.dictionaries(words.filter(lambda x: x != "name"), values, max_size=3),
    specs=st.dictionaries(words.filter(str.strip), words, min_size=1, max_size=3),
    title=words,
    seed=st.integers(0, 2**64 - 1),
)
def test_any_names_and_arguments_survive_toml(arguments, specs, title, seed):
    lineups = [list(specs)]
    campaign = Campaign(
        {"name": "x", **arguments}, title=title, players=specs, lineups=lineups, seed=seed
    )
    assert parse_campaign(to_toml(campaign)) == campaign
    assert from_json(campaign.to_json()) == campaign


def test_the_order_of_players_is_kept():
    text = 'game = "nim"\npairing = "table"\n[players]\nz = "random"\na = "random"\n'
    campaign = parse_campaign(text)
    assert list(campaign.players) == ["z", "a"]
    assert list(from_json(campaign.to_json()).players) == ["z", "a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SMALL + "gmaes = 3", 'unknown key gmaes; did you mean "games"'),
        (SMALL + "[stop]\nrules = 'sprt'", r'unknown key stop.rules; did you mean "rule"'),
        (
            'game = "nim"\nlineups = [{ seat = ["a", "b"] }]',
            r'lineups\[0\].seat; did you mean "seats"',
        ),
        (
            SMALL + "[[published]]\nlineup = ['a']\npoint = [1]",
            r'published\[0\].point; did you mean "points"',
        ),
        (SMALL + "games = 1.5", "games: Expected `int`"),
        (SMALL + "[players]\na = { name = 'uct', c = inf }", "players: numbers must be finite"),
        (SMALL + "games = 0", "games is the number per line-up"),
        (SMALL + "seed = -1", "seed is a whole number"),
        (SMALL + 'budget = "3 potatoes"', "is no budget"),
        (SMALL + 'deadline = "soon"', "is no time"),
        (SMALL + 'pairing = "tabel"', 'did you mean "table"'),
        (SMALL + "[stop]\nrule = 'sptr'", 'did you mean "sprt"'),
        (SMALL + "[stop]\nrule = 'sprt'", "needs share0 and share1"),
        (SMALL + "[stop]\nrule = 'sprt'\nshare0 = 0.6\nshare1 = 0.5", "share0 .* must be below"),
        (SMALL + "[[published]]\nlineup = ['random', 'random']", "give points or shares"),
        (SMALL + "[[published]]\nlineup = ['a']\nshares = [34]", "shares lie between 0 and 1"),
        ("games = 3", "needs a game"),
        ('game = "nim"', "write lineups"),
        ('game = "nim"\npairing = "table"', "needs players"),
        (SMALL + 'pairing = "round-robin"', "leave lineups out"),
        (
            'game = "nim"\npairing = "table"\nseating = [["a"], ["c"]]\n[players]\na = "x"\nab = "y"',
            'seating names "c"',
        ),
        ("[game]\nsize = 9", "the game needs a name"),
        ("game = ", "not TOML"),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(UsageError, match=message):
        parse_campaign(text)


def test_python_is_checked_like_toml():
    with pytest.raises(UsageError, match="games: Expected `int`"):
        Campaign("nim", lineups=[["random", "random"]], games="3")
    with pytest.raises(UsageError, match="lineups"):
        Campaign("nim", lineups=[[1, 2]])
    with pytest.raises(UsageError, match="the game of a campaign is its name"):
        Campaign(3, lineups=[["random", "random"]])


def test_a_game_object_becomes_its_data():
    from manyminds.games.registry import make_game

    campaign = Campaign(make_game("nim", heaps=[1, 2]), lineups=[["random", "random"]])
    assert campaign.data["name"] == "nim"
    assert list(campaign.data["heaps"]) == [1, 2]


def test_files_are_found_beside_the_campaign(tmp_path):
    (tmp_path / "c.toml").write_text(SMALL + 'files = ["mine.py"]')
    assert read_campaign(tmp_path / "c.toml").files == (str(tmp_path / "mine.py"),)


def test_an_error_names_the_file(tmp_path):
    (tmp_path / "c.toml").write_text("gmaes = 3")
    with pytest.raises(UsageError, match=r"c\.toml: unknown key gmaes"):
        read_campaign(tmp_path / "c.toml")
    with pytest.raises(UsageError, match="No such file"):
        read_campaign(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_campaign(tmp_path / "binary.toml")
    (tmp_path / "huge.toml").write_bytes(b"#" * 2_000_000)
    with pytest.raises(UsageError, match="longer than"):
        read_campaign(tmp_path / "huge.toml")


@given(st.text(max_size=200))
def test_no_text_does_worse_than_a_usage_error(text):
    try:
        parse_campaign(text)
    except UsageError:
        pass


json_values = st.recursive(
    plain_values | st.none(), lambda x: st.lists(x) | st.dictionaries(words, x)
)


@settings(max_examples=30)
@given(
    st.dictionaries(
        st.sampled_from([f.name for f in msgspec.structs.fields(Campaign)]), json_values
    )
)
def test_no_table_does_worse_than_a_usage_error(table):
    from manyminds.arena.campaign import from_table

    try:
        campaign = from_table(table)
    except UsageError:
        return
    assert from_json(campaign.to_json()) == campaign


def test_times_are_seconds():
    assert [seconds_of(x) for x in ("200ms", "30s", "1.5m", "2h", "1d")] == [
        0.2,
        30,
        90,
        7200,
        86400,
    ]
    for wrong in ("", "5", "5 parsecs", "0s", "-1s", "1e9s"):
        with pytest.raises(UsageError):
            seconds_of(wrong)


def test_more_games_for_all_line_ups():
    campaign = with_changes(parse_campaign(WHOLE), games=77)
    assert campaign.games == 77
    assert campaign.lineups[1].games is None
    assert with_changes(campaign, seed=5).seed == 5
