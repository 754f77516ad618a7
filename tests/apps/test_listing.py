"""`manyminds list`: what there is, one line each."""

import pytest

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
        ("list", "say what to list; known: channels, databases, games, heuristics, learners"),
        ("list gmaes", '"gmaes" cannot be listed; did you mean "games"?'),
        ("list games go", "unexpected extra argument"),
    ],
)
def test_anything_else_is_said_with_status_2(typed, line, says):
    assert says in typed(line, status=2).stderr
