"""Filip's thesis as data: what is laid out, and that measures find what they are of in a store."""

import dataclasses
import math
from statistics import NormalDist

import msgspec
import numpy as np
import pytest

from manyminds.arena.campaign import Campaign, LineupChoice
from manyminds.arena.match import Match, play
from manyminds.arena.statistics import (
    Interval,
    fit_strength,
    mean_speed_up_interval,
    speed_up_interval,
)
from manyminds.arena.table import Table
from manyminds.games.registry import make_game
from manyminds.papers.campaigns import Choice, parts_of
from manyminds.papers.comparing import from_published
from manyminds.papers.filip2013 import (
    GAME,
    MOST,
    PACMAN,
    PAPER,
    TICKS,
    average_speed_up,
    kilobytes,
)
from manyminds.papers.paper import Number
from manyminds.papers.run import reproduce
from manyminds.players import make_player
from manyminds.teams.team import Team


def test_budgets_are_eleven_simulations_a_millisecond():
    campaign = parts_of(PAPER, PAPER.chosen(table="4.1")[0], Choice())[0].campaign
    assert campaign.players["Plain, 10 ms"] == "plain@110"
    assert campaign.players["Plain"] == "plain@440"
    assert campaign.players["Plain, 160 ms"] == "plain@1760"
    assert campaign.players["Root"] == "roots(channel=virtual(rate=64000))@440"
    assert campaign.players[PACMAN] == "deepening@5000nodes"


def test_every_player_of_every_figure_can_be_made():
    game = make_game(**GAME)
    for table in PAPER.tables:
        for part in parts_of(PAPER, table, Choice(games=1)):
            for spec in part.campaign.players.values():
                make_player(spec, game)


def test_parameters_reach_the_search():
    game = make_game(**GAME)
    mate = make_player(
        "plain(death_weight=0.6, turn_every=8, turns=never, limit=80, c=0.2)@440", game
    )
    settings = game.set_up(**mate.choices)
    assert (settings.death_weight, settings.turn_every, settings.turns) == (0.6, 8, 1)
    assert mate.arguments["playout_limit"] == 80
    nothing = make_player("plain(death_weight=0)", game)
    assert game.set_up(**nothing.choices).death_weight == 0.0
    assert make_player("uct", game).choices == {}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Figure 4.4 on a small budget against a Pac-Man who takes no time."""
    figure = PAPER.chosen(figure="4.4")[0]
    players = {**figure.players, PACMAN: "nearest-pill"}
    quick = dataclasses.replace(figure, players=players, move_limit=150)
    store = tmp_path_factory.mktemp("filip") / "f.db"
    return reproduce(PAPER, [quick], Choice(games=3, budget=8), store=store, workers=0), store


@pytest.mark.slow
def test_speed_ups_are_those_of_the_stores_games(played):
    outcome, store = played
    table = Table.of(store)
    by_name = {row.names[1]: table.samples[row.lineup].points[:, 0] for row in table.rows}
    budgets = {
        2: "Plain, 10 ms",
        4: "Plain, 20 ms",
        8: "Plain",
        16: "Plain, 80 ms",
        32: "Plain, 160 ms",
    }
    plain = {budget: by_name[name] for budget, name in budgets.items()}
    found = speed_up_interval(plain, by_name["Independent, 80 ms"], 16)
    (row,) = [
        r for r in outcome.tables[0].rows if (r.line, r.of) == ("Independent, 80 ms", "speed-up")
    ]
    assert row.ours.estimate == pytest.approx(min(found.estimate, MOST))
    assert row.ours.low == pytest.approx(min(found.low, MOST))
    mean = average_speed_up(table, table.rows[0], "Independent")
    assert mean.n == 3 * len(TICKS)
    assert math.isfinite(mean.high)
    assert msgspec.json.decode(outcome.to_json())["paper"] == "filip2013"


def test_independent_mates_with_one_seed_are_the_plain_search():
    """The same tree four times over: the speed-up is 1 by construction, where time is virtual."""
    game = make_game(**GAME)
    moves = {
        team: play(
            game, {"pacman": "nearest-pill", "ghosts": team}, seed=4, move_limit=120
        ).joint_moves
        for team in ("plain@30", "independent@30", "independent(seeds=distinct)@30")
    }
    assert moves["plain@30"] == moves["independent@30"]
    assert moves["plain@30"] != moves["independent(seeds=distinct)@30"]


def test_means_of_speed_ups_are_means():
    rng = np.random.default_rng(1)
    plain = {t: rng.normal(400 + 4000 / t**0.5, 100, 50) for t in (110, 440, 1760)}
    own = {t: rng.normal(400 + 4000 / (2 * t) ** 0.5, 100, 50) for t in (110, 440)}
    fit = fit_strength(plain)
    found = mean_speed_up_interval(plain, own)
    each = [fit.speed_up(float(values.mean()), t) for t, values in own.items()]
    assert found.estimate == pytest.approx(sum(each) / 2)
    assert found.low < found.estimate < found.high
    alone = mean_speed_up_interval(plain, {440: own[440]})
    assert alone.estimate == pytest.approx(speed_up_interval(plain, own[440], 440).estimate)
    assert alone.half_width == pytest.approx(
        speed_up_interval(plain, own[440], 440).half_width, rel=0.01
    )


def test_a_computed_table_stands_beside_what_is_printed():
    """Table 2.1 with something else than a search behind it: no games, numbers by the lines' titles."""
    asked = []

    def computed(samples, seed):
        asked.append((samples, seed))
        return {"Leaf parallelization, 4 threads": Interval(1.5, 2.5, 2.0, samples, 0.95)}

    table = dataclasses.replace(PAPER.chosen(table="2.1")[0], computed=computed)
    (out,) = reproduce(PAPER, [table], Choice(games=7, seed=3)).tables
    assert asked == [(7, 3)]
    rows = {row.line: row for row in out.rows}
    assert len(rows) == 15
    leaf = rows["Leaf parallelization, 4 threads"]
    assert leaf.verdict == "agrees"
    assert leaf.difference.estimate == pytest.approx(0.3)
    assert rows["Root parallelization, 16 threads"].verdict == "not played"
    assert rows["Root parallelization, 16 threads"].printed == 14.9


def test_lopsided_intervals_count_by_the_arm_towards_the_other_number():
    """An estimate with no upper bound differs from a number below it as far as its lower arm says."""
    wide = Interval(1.0, MOST, 4.0, 50, 0.95)
    low, high = (from_published(wide, Number(x, "x").published, 0.95) for x in (0.5, 7.0))
    assert low.p_value == pytest.approx(
        2 * (1 - NormalDist().cdf(3.5 / (3.0 / 1.959964))), rel=1e-4
    )
    assert high.p_value > 0.9


def test_teams_measures_are_kept_with_their_matches(tmp_path):
    """Simulations left, and bytes sent, as the team's own loop counts them; in the store, by game."""
    game = make_game(**GAME)
    team = Team("tree-cuts(bytes=512)@30", channel="virtual(rate=64000, loss=0.5)")
    match = play(game, {"pacman": "nearest-pill", "ghosts": team}, seed=2, move_limit=90)
    assert match.measures == {"ghosts": team.measures()}
    assert 0 < match.measures["ghosts"]["simulations"] < 30
    assert 0.2 < match.measures["ghosts"]["share_lost"] < 0.8
    again = Match.from_bytes(match.to_bytes())
    assert again.measures == match.measures
    assert again.digest == unmeasured(match).digest
    seats = {"pacman": "nearest-pill", "ghosts": "independent@20"}
    campaign = Campaign("pacman", lineups=[LineupChoice(seats)], games=3, move_limit=90, budget=20)
    table = campaign.run(tmp_path / "m.db", workers=0)
    assert table.measured(table.rows[0], "simulations") == [20.0] * 3
    assert table.measured(table.rows[0], "simulations", "pacman") == []
    assert kilobytes(table, table.rows[0]) == [0.0] * 3


def unmeasured(match):
    """The match as one without measures: the same game."""
    return msgspec.structs.replace(match, measures={})
