"""A small paper on Nim, whose printed numbers are known to be right or wrong."""

import json
import math
from pathlib import Path

import pytest

from manyminds.arena.statistics import share_difference, welch_difference
from manyminds.arena.table import Table
from manyminds.core.errors import UsageError
from manyminds.papers.campaigns import Choice, parts_of
from manyminds.papers.comparing import compare, from_published, played_lines, together
from manyminds.papers.outcome import Compared, Outcome, TableOutcome
from manyminds.papers.page import markdown_of, text_of, write_page
from manyminds.papers.paper import Claim, Line, Number, Paper, PaperTable, Scaled
from manyminds.papers.registry import known_papers, paper_named, register_paper
from manyminds.papers.results import FOLDER, kept
from manyminds.papers.run import reproduce, so_far

DOCS = Path(__file__).parents[2] / "docs"
NIM = {"name": "nim"}
EVEN = Number(0.5, "wins", n=400)
WRONG = Number(0.05, "wins", n=400)


def turns(table, row):
    """A measure with one value for each game."""
    return [float(row.turns)] * row.games


PAPER = Paper(
    "nim2020",
    "A. Nobody: Nim, played badly.",
    (
        PaperTable(
            "1",
            "Who wins",
            NIM,
            (
                Line(("random", "random"), (EVEN,), "both random"),
                Line(("strong", "random"), (WRONG,), "a search"),
                Line(("random", "weak"), title="nothing printed"),
            ),
            players={"strong": Scaled("uct", 20.0), "weak": "uct"},
            games=40,
            budget=10,
            rotate=True,
            claims=(Claim("searching helps", "a search", "both random", "wins"),),
        ),
        PaperTable(
            "2",
            "How long it lasts",
            NIM,
            (
                Line(("random", "random"), (Number(1000.0, "turns", n=50),), x=1.0),
                Line(("random", "random"), (EVEN,), x=2.0, game={"name": "nim", "heaps": (1, 2)}),
            ),
            kind="figure",
            games=30,
            budget=10,
            measures={"turns": turns},
        ),
    ),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The paper as it came out, and where its games are."""
    folder = tmp_path_factory.mktemp("nim")
    return reproduce(PAPER, PAPER.tables, store=folder / "nim.db", workers=0), folder


def test_prints_ours_beside_theirs_with_the_interval_of_the_difference(played):
    both, search, bare = played[0].tables[0].rows
    assert (both.verdict, search.verdict, bare.verdict) == ("agrees", "differs", "not printed")
    assert search.printed == 0.05
    assert search.ours.estimate > 0.8
    assert search.ours.n == 40
    assert search.difference.estimate == pytest.approx(search.ours.estimate - 0.05)
    assert search.difference.low <= search.difference.estimate <= search.difference.high
    assert bare.difference is None
    assert bare.p is None
    assert bare.ours.n == 40


def test_a_difference_is_newcombes_with_the_printed_number_of_games(played):
    both = played[0].tables[0].rows[0]
    theirs = share_difference(both.ours.estimate * 40, 40, 200, 400)
    assert both.difference.low == pytest.approx(theirs.interval.low)
    assert both.difference.high == pytest.approx(theirs.interval.high)


def test_holms_correction_is_over_all_tables():
    def table(name, *ps):
        rows = (Compared(line="", players=(), of="wins", p=p) for p in ps)
        return TableOutcome(kind="table", name=name, title="", budget="1", rows=tuple(rows))

    one, two = together([table("1", 0.01, 0.9, None), table("2", 0.02)], 0.95)
    assert [row.p for row in (*one.rows, *two.rows)] == pytest.approx([0.03, 0.9, None, 0.04])
    assert [row.verdict for row in one.rows] == ["differs", "agrees", "not played"]


def test_what_is_there_is_not_played_again(played):
    outcome, folder = played
    store = folder / "nim-table-1.db"
    alone = reproduce(PAPER, PAPER.chosen(table="1"), store=store, workers=0)
    assert alone.tables[0].played == 0
    assert alone.tables[0].rows[1].ours == outcome.tables[0].rows[1].ours


def test_what_there_is_can_be_shown_without_playing(played, tmp_path):
    outcome, folder = played
    shown = so_far(PAPER, PAPER.tables, Choice(games=500), store=folder / "nim.db")
    assert [row.ours for row in shown.tables[0].rows] == [
        row.ours for row in outcome.tables[0].rows
    ]
    nothing = so_far(PAPER, PAPER.tables, Choice(), store=tmp_path / "none.db")
    assert {row.verdict for row in nothing.tables[0].rows} == {"not played"}
    assert not list(tmp_path.iterdir())


def test_a_measure_is_a_function_over_the_store(played):
    row, _ = played[0].tables[1].rows
    with_store = Table.of(played[1] / "nim-figure-2.db")
    assert row.of == "turns"
    assert row.ours.estimate == with_store.rows[0].turns
    assert row.verdict == "differs"


def test_lines_with_another_game_are_another_campaign(played):
    assert played[0].tables[1].rows[1].ours.n == 30
    assert (played[1] / "nim-figure-2-2.db").exists()


def test_a_claim_is_a_difference_of_two_lines(played):
    claim = played[0].tables[0].claims[0]
    assert claim.verdict == "holds"
    assert claim.difference.estimate > 0.2
    assert claim.p < 0.05


def test_what_was_stopped_is_not_played():
    part = parts_of(PAPER, PAPER.tables[0], Choice())[0]
    rows, claims = compare(PAPER.tables[0], played_lines([part], [None]))
    assert {row.verdict for row in rows} == {"not played"}
    assert claims[0].verdict == "not played"


def test_budgets_scale_and_games_can_be_chosen():
    campaign = parts_of(PAPER, PAPER.tables[0], Choice(games=7, budget="50ms", seed=3))[0].campaign
    assert campaign.players == {"strong": "uct@1000ms", "weak": "uct"}
    assert (campaign.games, campaign.budget, campaign.seed) == (7, "50ms", 3)
    assert [p.shares[0] for p in campaign.published] == [0.5, 0.05]
    assert parts_of(PAPER, PAPER.tables[0], Choice())[0].campaign.players["strong"] == "uct@200"


def test_writes_a_page_its_twin_and_json(played, tmp_path):
    outcome = played[0]
    page = write_page(outcome, tmp_path / "nim.html").read_text(encoding="utf-8")
    assert "Table 1: Who wins" in page
    assert "differs" in page
    assert page.count("<svg") == 3
    assert "searching helps: holds" in text_of(outcome)
    assert Outcome.from_json(outcome.to_json()) == outcome
    assert json.loads(outcome.to_json())["tables"][0]["rows"][0]["verdict"] == "agrees"


def test_kept_results_are_read_and_shown(played, tmp_path):
    (tmp_path / "nim.json").write_bytes(played[0].to_json())
    (again,) = kept("nim2020", tmp_path)
    assert again == played[0]
    assert kept("other", tmp_path) == []
    assert markdown_of(again.tables[0]).count("\n") == 4
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(UsageError, match=r"bad\.json holds no results"):
        kept("nim2020", tmp_path)


def test_every_result_in_the_package_belongs_to_a_paper_and_stands_on_its_page():
    for file in FOLDER.glob("*.json"):
        outcome = Outcome.from_json(file.read_bytes())
        page = (DOCS / f"{outcome.paper}.md").read_text(encoding="utf-8")
        for table in outcome.tables:
            assert markdown_of(table) in page, f"{file.name}: {table.label} is not on its page"


def test_the_registry_names_the_nearest():
    register_paper("nim2020", PAPER)
    assert paper_named("nim2020") is PAPER
    assert "nim2020" in known_papers()
    with pytest.raises(UsageError, match='did you mean "nim2020"'):
        paper_named("nim2021")
    with pytest.raises(UsageError, match=r"no table 7; it has table 1, figure 2"):
        PAPER.chosen(table="7")
    with pytest.raises(UsageError, match="not both"):
        PAPER.chosen("1", "2")


def test_a_table_is_checked_when_it_is_made():
    with pytest.raises(UsageError, match='no measure "point"; did you mean "points"'):
        PaperTable("1", "", NIM, (Line(("a", "b"), (Number(1.0, "point"),)),))
    with pytest.raises(UsageError, match='one line titled "x"'):
        PaperTable("1", "", NIM, (), claims=(Claim("", "x", "y"),))


def test_all_papers_of_ours_can_be_laid_out():
    for name in known_papers():
        paper = paper_named(name)
        for table in paper.tables:
            for part in parts_of(paper, table, Choice(games=1)):
                assert part.campaign.games == 1
                assert all(not math.isinf(p.n or 1) for p in part.campaign.published)


def test_difference_of_values_is_welchs():
    values = [1.0, 2.0, 4.0, 3.0]
    found = from_published(values, Number(2.0, "x", n=4, sd=1.0).published, 0.95)
    other = [2.0 - math.sqrt(0.75), 2.0 - math.sqrt(0.75), 2 + math.sqrt(0.75), 2 + math.sqrt(0.75)]
    assert found.p_value == pytest.approx(welch_difference(values, other).p_value)
