"""`manyminds list`: what there is, one line each."""

import pytest

from manyminds.apps.listing import KINDS
from manyminds.games.registry import known_games
from manyminds.teams import known_players


@pytest.mark.parametrize(("what", "there_is"), [("games", known_games), ("players", known_players)])
def test_lists_what_is_registered_one_line_each(typed, what, there_is):
    lines = typed(f"list {what}").stdout.splitlines()
    assert [line.split(None, 1) for line in lines] == [list(item) for item in there_is().items()]
    pairs = zip(lines, there_is().values(), strict=True)
    assert len({line.index(text) for line, text in pairs}) == 1
    found = typed(f"list {what}", as_json=True)
    assert found == {what: [{"name": n, "help": text} for n, text in there_is().items()]}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("list", "say what to list; known: campaigns, channels, databases, games, heuristics"),
        ("list gmaes", '"gmaes" cannot be listed; did you mean "games"?'),
        ("list games go", "unexpected extra argument"),
    ],
)
def test_anything_else_is_said_with_status_2(typed, line, says):
    assert says in typed(line, status=2).stderr


def test_each_campaign_is_what_reproduce_takes(typed, tmp_path):
    listed = [row["name"] for row in typed("list campaigns", as_json=True)["campaigns"]]
    assert {"cazenave2008 --table 2", "filip2013 --figure 4.2a"} <= set(listed)
    done = typed(f"reproduce {listed[0]} --so-far --store {tmp_path}/none.db --quiet")
    assert "not played" in done.stdout


def test_lists_all_that_the_interface_promises(typed):
    promised = {"games", "players", "heuristics", "databases", "channels", "campaigns"}
    assert promised <= set(KINDS)
