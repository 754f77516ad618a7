"""The paper's data, and tables and learning curves of a small paper whose answer is known."""

import re

import pytest

from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.plan import Plan
from manyminds.arena.store import Store
from manyminds.games.agents import find_database
from manyminds.games.registry import make_game
from manyminds.papers import paper_named
from manyminds.papers.campaigns import Choice
from manyminds.papers.marcolino2011 import (
    ALPHA,
    BETA,
    FIGURE_6,
    GROUP_1,
    GROUP_3,
    NAMES,
    PAPER,
    TABLE_1,
)
from manyminds.papers.page import text_of
from manyminds.papers.paper import WINS, Line, Number, Paper, PaperTable
from manyminds.papers.run import reproduce
from manyminds.players.registry import make_player
from manyminds.players.spec import PlayerSpec

# As printed: the tables' rows, and the shares of wins where his text or tables have them.
SELECTED_1 = "N AC AD L P / AD N AC P L / AD N P AC L / AD AC P N L / N AC P L AD"
SELECTED_3 = "N AC AD L P / AD N AC P L / AD N P AC L / AD P L N AC / AC N AD L P"
ALONE = {
    "2": {"0": 48.50, "5": 52.85, "6": 53.60, "64": 57.30, "70": 29.60},
    "4": {"0": 48.55, "1": 54.40, "2": 54.55, "3": 57.05, "42": 50.90},
}


def test_the_groups_are_the_printed_ones():
    for group, printed in ((GROUP_1, SELECTED_1), (GROUP_3, SELECTED_3)):
        assert [name.replace("-", " ") for name in group] == printed.split(" / ")
    assert set(GROUP_1) & set(GROUP_3) == {"N-AC-AD-L-P", ALPHA, BETA}


def test_the_numbers_are_the_printed_ones():
    for name, printed in ALONE.items():
        table = PAPER.chosen(table=name)[0]
        found = {re.search(r"\d+", line.title)[0]: line.numbers[0].mean
                 for line in table.lines if line.numbers}  # fmt: skip
        assert found == {key: pytest.approx(value / 100) for key, value in printed.items()}
    means = [line.numbers[0].mean for line in TABLE_1.lines]
    assert means == pytest.approx([0.4855, 0.4120, 0.5755])


def test_what_follows_from_the_text():
    """57.30 % is agent 64 alone; with it the group had 57.55 - 0.35; before 42 it had 59.15 - 1.20."""
    five, seven = PAPER.chosen(figure="5")[0], PAPER.chosen(figure="7")[0]
    found = {line.x: line.numbers[0].mean for line in five.lines if line.numbers}
    assert found == {1: 0.4855, 3: 0.5690, 4: pytest.approx(0.5755 - 0.0035), 5: 0.5755}
    found = {line.x: line.numbers[0].mean for line in seven.lines if line.numbers}
    assert found == {1: 0.4855, 4: pytest.approx(0.5915 - 0.0120), 5: 0.5915}


def test_his_intervals_are_those_of_two_thousand_games():
    """Half-widths as printed lie nearer to 2,000 games than to the 1,000 that the text has."""
    for table in PAPER.tables:
        for line in table.lines:
            for number in line.numbers:
                p, error = number.mean, number.error
                away = {n: abs((p * (1 - p) / n) ** 0.5 - error) for n in (1000, 2000)}
                assert away[2000] < 0.001 < away[1000]
                assert round(number.mean * 2000, 6) == round(number.mean * 2000)


def test_every_player_of_a_line_is_defined():
    for table in PAPER.tables:
        for line in table.lines:
            assert set(line.seats) <= set(table.players)
    assert NAMES["first 3 of both"]["database"] == ["N-AC-AD-L-P", ALPHA, BETA]
    assert GROUP_1[:3] == GROUP_3[:3]
    lines = [line.seats for table in PAPER.tables for line in table.lines if line.seats[-1] == "default"
             and not table.learning]  # fmt: skip
    assert len(lines) == 27
    assert len(set(lines)) == 14  # no two names for one player
    assert len({str(NAMES[first]) for first, _ in lines}) == 14
    assert paper_named("marcolino2011") is PAPER


def test_the_engine_can_be_made_with_every_database():
    go = make_game("go", size=9)
    for table in PAPER.tables:
        for spec in table.players.values():
            make_player(PlayerSpec.of(spec), go)
        for plan in table.learning:
            make_player(PlayerSpec.of(plan.spec_of(AgentSet.parse("AD-N-P + 2*N-AC-AD-L-P"))), go)
    assert find_database("table1").names == GROUP_1
    assert find_database("table3").names == GROUP_3
    assert len(find_database("all120").names) == 120
    assert {find_database(name).release for name in ("table1", "table3", "all120")} == {"0.4"}


def test_learning_is_as_the_paper_says():
    (plan,) = FIGURE_6.learning
    assert plan.learner == {"name": "greedy", "games": 1000}
    assert (len(plan.names), plan.start, plan.names[0]) == (120, "N-AC-AD-L-P", "N-AC-AD-L-P")


# --- a small paper --------------------------------------------------------------------------------------


@pytest.fixture
def small(pytestconfig):
    """Two tables with a line in common, a learning curve, and three runs of a learner, on Pig."""
    holds = str(pytestconfig.rootpath / "tests" / "arena" / "files" / "holds.py")
    game = {"name": "pig", "target": 30}
    common = {"game": game, "players": {"low": 'holds(at="4")', "high": 'holds(at="12")',
              "both": 'holds(at="4 + 12")'}, "rotate": True, "games": 60, "files": (holds,)}  # fmt: skip

    def plan(name, seed=0):
        return Plan(game, 'holds(at="?")', ("4", "8", "12", "2"), "4", seed=seed, fresh=40,
                    learner={"name": name, "games": 40}, files=(holds,))  # fmt: skip

    high = Line(("high", "low"), (Number(0.9, WINS, n=100),), "high")
    chosen = Line(("high", "low"), (Number(0.1, WINS, n=1000),), "what is chosen")
    tables = (
        PaperTable("1", "One", lines=(high,), **common),
        PaperTable("2", "Two", lines=(high, Line(("both", "low"), (), "both")), **common),
        PaperTable("3", "Learning", lines=(chosen,), kind="figure", learning=(plan("greedy"),),
                   **common),
        PaperTable("4", "Again", lines=(), learning=(plan("greedy", 1), plan("greedy", 2)), **common),
    )  # fmt: skip
    return Paper("pig2020", "A. Nobody: Pig.", tables, one_store=True)


def test_tables_of_one_store_play_no_game_twice(small, tmp_path):
    outcome = reproduce(small, small.tables[:2], store=tmp_path / "pig.db", workers=0)
    assert [table.played for table in outcome.tables] == [60, 60]
    one, two = (table.rows[0].ours for table in outcome.tables)
    assert one == two
    assert outcome.tables[1].rows[1].ours.n == 60
    with Store.read(tmp_path / "pig.db") as store:
        assert len(store.done()) == 120
    again = reproduce(small, small.tables[:1], store=tmp_path / "pig.db", workers=0)
    assert again.tables[0].played == 0
    assert again.tables[0].rows[0].ours == one


def test_a_learning_curve_is_a_figure(small, tmp_path):
    outcome = reproduce(
        small, small.tables[2:3], Choice(games=20, budget=10), store=tmp_path / "pig.db", workers=0
    )
    (table,) = outcome.tables
    assert table.budget == "10"
    *steps, chosen = table.rows
    assert [row.x for row in steps] == [0, 1, 2, 3]
    assert {row.ours.n for row in steps} == {20}
    assert steps[0].line == "the default agent"
    assert chosen.printed == 0.1
    assert chosen.ours.estimate == max(row.ours.estimate for row in steps)
    assert chosen.verdict == "differs"  # 10 % was printed; who holds later wins more often
    assert "in fresh ones" in table.notes[-1]
    assert "what is chosen" in text_of(outcome)


def test_runs_from_other_orders_are_compared(small, tmp_path):
    outcome = reproduce(small, small.tables[3:], store=tmp_path / "pig.db", workers=0)
    (table,) = outcome.tables
    assert [row.line for row in table.rows] == ["run 1", "run 2"]
    assert {row.ours.n for row in table.rows} == {40}
    one, two = (set(row.players[0].split(" + ")) for row in table.rows)
    assert f"have {len(one & two)} agents in common" in table.notes[-1]
    assert (tmp_path / "pig-2.db").exists()
