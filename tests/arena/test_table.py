import json
import math
import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from manyminds.arena.campaign import MOST_GAMES
from manyminds.arena.comparison import beside_published, swaps
from manyminds.arena.driver import run
from manyminds.arena.pairing import Seats
from manyminds.arena.sample import win_shares
from manyminds.arena.stopping import Stopping
from manyminds.arena.store import Store
from manyminds.arena.table import Table
from manyminds.core.errors import UsageError


def column(store, lineup, what, seat):
    """Straight from the file: one number per game, in the order of their numbers."""
    query = f"SELECT json_extract({what}, '$[{seat}]') FROM games WHERE game / {MOST_GAMES} = ? ORDER BY game"
    return np.array([value for (value,) in sqlite3.connect(store).execute(query, (lineup,))])


def test_means_and_intervals_are_scipys(played):
    table = Table.of(played)
    for row in table.rows:
        for seat, place in enumerate(row.places):
            points = column(played, row.lineup, "points", seat)
            test = stats.ttest_1samp(points, 0).confidence_interval() if points.std() else None
            assert place.points.estimate == pytest.approx(points.mean())
            assert place.points.n == 12
            if test is not None:
                assert (place.points.low, place.points.high) == pytest.approx((test.low, test.high))


def test_shares_of_wins_have_wilsons_interval(played):
    for row in Table.of(played).rows:
        for seat, place in enumerate(row.places):
            wins = int((column(played, row.lineup, "rewards", seat) == 1).sum())
            wilson = stats.binomtest(wins, 12).proportion_ci(method="wilson")
            assert (place.share.low, place.share.high) == pytest.approx((wilson.low, wilson.high))


def test_rotated_line_ups_keep_results_with_the_players(store, plain):
    run(plain([["takes-one", "draws", "draws"]], games=30, seats=3, rotate=True), store, workers=0)
    table = Table.of(store)
    first = np.concatenate(
        [
            # in game k, seat s has place (s + k) % 3: so place 0 is on seat -k % 3
            column(store, 0, "points", seat)[[k for k in range(30) if -k % 3 == seat]]
            for seat in range(3)
        ]
    )
    assert table.rows[0].places[0].points.estimate == pytest.approx(first.mean())
    assert table.rows[0].places[0].seat == ""


def test_two_seats_get_an_elo_difference(store, plain):
    run(plain([["takes-one", "draws"], ["draws", "takes-one"]], games=40), store, workers=0)
    table = Table.of(store)
    for row in table.rows:
        share = row.places[0].share.estimate
        assert row.elo.estimate == pytest.approx(400 * math.log10(share / (1 - share)))
    ratings = table.elo().ratings
    assert sum(r.estimate for r in ratings.values()) == pytest.approx(0, abs=1e-6)
    assert set(ratings) == {"takes-one", "draws"}


def test_differences_are_welchs_or_paired(store, tmp_path, plain):
    lineups = [["takes-one", "draws"], ["draws", "draws"]]
    for paired, path in ((False, store), (True, tmp_path / "paired.db")):
        run(plain(lineups, games=25, paired=paired), path, workers=0)
        one, two = (column(path, lineup, "points", 0) for lineup in (0, 1))
        expected = (
            stats.ttest_rel(one, two) if paired else stats.ttest_ind(one, two, equal_var=False)
        )
        found = Table.of(path).difference(*lineups)
        assert found.p_value == pytest.approx(expected.pvalue)


def test_swaps_compare_line_ups_that_differ_in_one_player(store, plain):
    lineups = [
        ["draws", "draws"],
        ["takes-one", "draws"],
        ["takes-one", "takes-one"],
        ["draws", "takes-one"],
    ]
    run(plain(lineups, games=25), store, workers=0)
    found = swaps(Table.of(store))
    pairs = {
        ("".join(n[0] for n in s.old.names), "".join(n[0] for n in s.new.names), s.place)
        for s in found
    }
    assert pairs == {("dd", "td", 0), ("dd", "dt", 1), ("td", "tt", 1), ("tt", "dt", 0)}
    one, two = column(store, 1, "points", 0), column(store, 0, "points", 0)
    first = next(s for s in found if s.old.lineup == 0 and s.place == 0)
    p = stats.ttest_ind(one, two, equal_var=False).pvalue
    assert first.difference.interval.estimate == pytest.approx(one.mean() - two.mean())
    assert first.difference.p_value == pytest.approx(p)
    assert first.p_value >= p  # Holm's


def test_published_numbers_stand_beside_ours(store, plain):
    published = [
        {"lineup": ["draws", "draws"], "points": [4.5, 99.0], "n": 100, "sd": 3.0},
        {"lineup": ["takes-one", "draws"], "shares": [0.01, float("nan")], "n": 500},
    ]
    lineups = [["draws", "draws"], ["takes-one", "draws"]]
    run(plain(lineups, games=40, published=published), store, workers=0)
    found = {
        (item.row.lineup, item.kind, item.place): item for item in beside_published(Table.of(store))
    }
    assert set(found) == {(0, "points", 0), (0, "points", 1), (1, "wins", 0)}
    points = column(store, 0, "points", 0)
    expected = stats.ttest_ind_from_stats(
        points.mean(), points.std(ddof=1), 40, 4.5, 3.0, 100, equal_var=False
    )
    assert found[0, "points", 0].difference.p_value == pytest.approx(expected.pvalue)
    assert found[0, "points", 0].agrees
    assert not found[0, "points", 1].agrees
    assert not found[1, "wins", 0].agrees


def test_a_published_number_may_be_by_team(tmp_path, plain):
    seats = Seats(("hare", "wolf", "fox"), ((0,), (1, 2)), ("prey", "hunters"))
    from manyminds.arena.comparison import published_by_lineup

    campaign = plain(
        [["a", "b", "b"]],
        published=[{"lineup": {"prey": "a", "hunters": "b"}, "points": [1, 2, 2]}],
    )
    assert published_by_lineup(campaign, seats)[0][0] == ("a", "b", "b")


def test_the_table_shows_itself(played):
    table = Table.of(played)
    assert "takes-one" in str(table)
    assert "±" in str(table)
    assert table._repr_html_().count("<tr>") == 3
    assert len(str(table).splitlines()) == 4


def test_names_are_no_html(store, plain):
    run(plain([["<b>", "draws"]], games=3, players={"<b>": "draws"}), store, workers=0)
    assert "<b>" not in Table.of(store)._repr_html_()


def test_the_table_is_plain_data(played):
    data = json.loads(json.dumps(Table.of(played).to_data()))
    assert data["rows"][0]["places"][0]["points"]["n"] == 12


def test_a_store_without_a_campaign_has_no_table(store):
    Store.write(store).close()
    with pytest.raises(UsageError, match="has no campaign yet"):
        Table.of(store)


def test_a_line_up_that_is_not_there_is_named(played):
    with pytest.raises(UsageError, match="no line-up x, y in this campaign"):
        Table.of(played).row(["x", "y"])


ALONE = Seats(("a", "b", "c"), ((0,), (1,), (2,)), ("a", "b", "c"))
TEAMS = Seats(("a", "b", "c"), ((0,), (1, 2)), ("x", "y"))


@pytest.mark.parametrize(
    ("rewards", "seats", "shares"),
    [
        ((1, 0, 0), ALONE, (1, 0, 0)),
        ((0.4, 0.4, 0.2), ALONE, (0.5, 0.5, 0)),
        ((0, 0, 0), ALONE, (1 / 3, 1 / 3, 1 / 3)),
        ((0, 1, 1), TEAMS, (0, 1, 1)),
        ((0.5, 0.5, 0.5), TEAMS, (0.5, 0.5, 0.5)),
        ((1, 0, 0), TEAMS, (1, 0, 0)),
    ],
)
def test_a_win_is_shared_by_tied_teams(rewards, seats, shares):
    assert win_shares(rewards, seats) == pytest.approx(shares)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, None]), min_size=1, max_size=60), st.randoms())
def test_stopping_does_not_depend_on_the_order(results, random):
    from manyminds.arena.campaign import Campaign

    stop = {"rule": "sprt", "share0": 0.3, "share1": 0.7}
    campaign = Campaign("x", lineups=[["a", "b"]], stop=stop)

    def told(order):
        rule = Stopping(campaign, 2)
        for index in order:
            if results[index] is None:
                rule.fail(index)
            else:
                rule.add(index, results[index])
        return rule.decided, rule.sentence(), [rule.counts(i) for i in range(len(results))]

    order = list(range(len(results)))
    straight = told(order)
    random.shuffle(order)
    assert told(order) == straight
