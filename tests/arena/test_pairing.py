import pytest

from manyminds.arena.campaign import parse_campaign
from manyminds.arena.pairing import Seats, lay_out, places
from manyminds.core.errors import UsageError

THREE = Seats(("black", "white", "red"), ((0,), (1,), (2,)), ("black", "white", "red"))
HUNT = Seats(("hare", "wolf", "fox"), ((0,), (1, 2)), ("prey", "hunters"))
PLAYERS = '[players]\na = "random"\nb = "random@5"\nc = "random@7"\nd = "random@9"\n'


def names(text, seats=THREE):
    return ["".join(x.names) for x in lay_out(parse_campaign('game = "x"\n' + text), seats)]


def test_a_table_seats_every_player_everywhere():
    two = '[players]\na = "random"\nb = "random@5"\n'
    assert names('pairing = "table"\n' + two) == [
        "aaa",
        "aab",
        "aba",
        "abb",
        "baa",
        "bab",
        "bba",
        "bbb",
    ]


def test_a_table_may_be_narrowed_seat_by_seat():
    assert names('pairing = "table"\nseating = [["a", "b"], ["c"], ["a"]]\n' + PLAYERS) == [
        "aca",
        "bca",
    ]


def test_round_robin_lets_every_choice_of_players_meet_once():
    assert names('pairing = "round-robin"\n' + PLAYERS) == ["abc", "abd", "acd", "bcd"]


def test_a_list_is_taken_as_it_is():
    assert names('lineups = [["b", "a", "a"], ["a", "a", "a"]]\n' + PLAYERS) == ["baa", "aaa"]


def test_seats_and_teams_may_be_named():
    assert places({"hunters": "a", "hare": "b"}, HUNT) == ("b", "a", "a")
    assert places({"fox": "c", "wolf": "a", "prey": "b"}, HUNT) == ("b", "a", "c")


def test_what_cannot_be_seated_is_said():
    with pytest.raises(UsageError, match="two players for the seat fox"):
        places({"hunters": "a", "fox": "b", "hare": "c"}, HUNT)
    with pytest.raises(UsageError, match="nobody sits on wolf"):
        places({"fox": "b", "hare": "c"}, HUNT)
    with pytest.raises(UsageError, match='did you mean "hunters"'):
        places({"hunter": "a"}, HUNT)
    with pytest.raises(UsageError, match="3 seats: black, white, red"):
        names('lineups = [["a", "b"]]')
    with pytest.raises(UsageError, match="is there twice"):
        names('lineups = [["a", "b", "a"], ["a", "b", "a"]]')
    with pytest.raises(UsageError, match="no line-up comes of this pairing"):
        names('pairing = "round-robin"\n[players]\na = "random"\n')
    with pytest.raises(UsageError, match="rotate turns a list"):
        names('rotate = true\nlineups = [{ seats = { black = "a", white = "b", red = "a" } }]')


def test_too_many_line_ups_are_refused_at_once():
    players = "".join(f'p{n} = "random@{n + 1}"\n' for n in range(60))
    with pytest.raises(UsageError, match="more than 10000 line-ups"):
        names(f'pairing = "table"\n[players]\n{players}')
