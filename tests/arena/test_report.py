import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest

from manyminds.arena.budgets import budget_curves
from manyminds.arena.driver import run
from manyminds.arena.plots import Series, Spot, curves, rows_of_spots
from manyminds.arena.report import write_report
from manyminds.arena.store import Store
from manyminds.arena.table import Table, short
from manyminds.core.errors import UsageError


@pytest.fixture
def reported(store, plain, tmp_path):
    """A campaign with everything that a report can show; its page as text."""
    published = [
        {
            "lineup": ["a@10", "b"],
            "points": [4.5, 4.5],
            "n": 100,
            "sd": 1.2,
            "source": "A & B 1999",
        },
        {"lineup": ["a@100", "b"], "points": [20.0, float("nan")], "source": "A & B 1999"},
    ]
    players = {"a@10": "draws@10", "a@100": "draws@100", "b": "takes-one@10", "c": "sometimes@10"}
    campaign = plain(
        [["a@10", "b"], ["a@100", "b"], ["c", "b"]],
        games=30,
        players=players,
        published=published,
        title="A <question> of nim",
        question="Does a budget help those who draw?",
    )
    run(
        campaign,
        store,
        workers=0,
        command="manyminds campaign run nim.toml",
        toml="# as typed\ngames = 30\n",
    )
    page = write_report(store, tmp_path / "report.html")
    return page.read_text(encoding="utf-8")


class Strict(HTMLParser):
    """Fails on tags that do not close in order; collects what would be fetched."""

    EMPTY = ("meta", "br", "link", "img", "hr")

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.EMPTY:
            self.open.append(tag)
        self.fetched += [value for name, value in attributes if name in ("src", "href", "data")]
        assert tag not in ("script", "iframe", "link")

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_is_whole_and_fetches_nothing(reported):
    parser = Strict()
    parser.feed(reported)
    assert parser.open == []
    assert parser.fetched == []
    assert "url(" not in reported
    assert "A <question> of nim" in "".join(parser.text)


def test_the_page_tells_what_was_asked_found_and_run(reported, store):
    table = Table.of(store)
    text = re.sub(r"<svg.*?</svg>", "", reported, flags=re.DOTALL)
    for row in table.rows:
        for place in row.places:
            assert short(place.points) in text
    for said in (
        "Does a budget help those who draw?",
        "seed 1",
        "manyminds campaign run nim.toml",
        "# as typed",
        "draws@100",
        "A &amp; B 1999",
        "manyminds 0",
        "95 % interval",
        "an unlucky seed",
        "take",
    ):
        assert said in text, said


def test_a_number_that_differs_from_the_published_one_says_so(reported):
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", reported, flags=re.DOTALL)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]
    compared = {row[1]: row[-1] for row in cells if len(row) == 8}
    assert compared["a@100 (first)"] == "differs"
    assert "the published mean is taken as exact" in reported


def test_every_drawing_is_well_formed(reported):
    drawings = re.findall(r"<svg.*?</svg>", reported, flags=re.DOTALL)
    assert len(drawings) >= 5  # means, budget, and a course for each line-up
    for drawing in drawings:
        ElementTree.fromstring(drawing)


def test_markdown_has_the_same_numbers(reported, tmp_path, store):
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    for row in Table.of(store).rows:
        for place in row.places:
            assert short(place.points).replace("[", "\\[").replace("]", "\\]") in text
    assert text.startswith("# A \\<question\\> of nim\n")
    assert "```toml\n# as typed" in text
    tables = [block for block in text.split("\n\n") if block.startswith("|")]
    for table in tables:
        assert len({re.sub(r"\\\|", "", line).count("|") for line in table.splitlines()}) == 1


def test_line_ups_that_differ_in_budget_only_are_drawn(reported, store):
    (curve,) = budget_curves(Table.of(store))
    assert (curve.who, curve.unit, curve.place) == (
        "draws, takes-one (others at 10)",
        "simulations",
        0,
    )
    assert [budget for budget, _ in curve.points] == [10, 100]
    assert "Strength against budget" in reported


def test_an_unfinished_campaign_has_a_report_that_says_so(store, plain, tmp_path):
    with Store.write(store) as opened:
        from manyminds.arena.pairing import Seats

        opened.begin_run(plain(games=7), "", "", "nobody")
        opened.set_up(
            Seats(("first", "second"), ((0,), (1,)), ("first", "second")), [("draws", "draws")], ()
        )
    text = write_report(store, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "not finished: 7 games are still to be played" in text
    assert "Campaign(...).run(...)" in text
    assert "games = 7" in text


def test_a_report_is_a_page(played, tmp_path):
    with pytest.raises(UsageError, match=r"name it .*report\.html"):
        write_report(played, tmp_path / "report.pdf")
    with pytest.raises(UsageError, match="cannot be written"):
        write_report(played, tmp_path / "none" / "report.html")


@pytest.mark.chromium
def test_a_browser_shows_it(reported, tmp_path):
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    quiet = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    quiet += " --disable-background-networking --disable-component-update"
    picture = tmp_path / "report.png"
    page = f"file://{tmp_path}/report.html"
    done = subprocess.run(
        [
            browser,
            *quiet.split(),
            f"--user-data-dir={tmp_path}/profile",
            f"--screenshot={picture}",
            page,
        ],
        capture_output=True,
        timeout=100,
    )
    assert done.returncode == 0
    assert picture.stat().st_size > 20_000  # an empty page has 5 kB


@pytest.mark.chromium
@pytest.mark.parametrize("width", [1000, 360])
def test_no_table_scrolls_sideways(width, store, plain, tmp_path):
    """Six seats with long names on a small screen and a phone; only drawings may be broader than a phone."""
    from playwright.sync_api import sync_playwright

    long = {f"someone with a name of its own@{n}": "draws" for n in range(6)}
    published = [{"lineup": list(long), "points": [4.5] * 6, "n": 100, "sd": 1.2, "source": "A"}]
    lineups = [list(long), ["draws"] * 6]
    campaign = plain(lineups, 6, seats=6, players=long, published=published)
    run(campaign, store, workers=0)
    page = write_report(store, tmp_path / "report.html")
    with sync_playwright() as playwright:
        browser = shutil.which("chromium") or shutil.which("chromium-browser")
        running = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        seen = running.new_page(viewport={"width": width, "height": 800})
        seen.goto(page.as_uri())
        wide = seen.evaluate(
            "[document.documentElement, ...document.querySelectorAll('.wide, pre')]"
            ".map((e) => e.scrollWidth - e.clientWidth)"
        )
        heads = seen.evaluate("getComputedStyle(document.querySelector('td'), '::before').content")
        running.close()
    assert len(wide) > 4
    assert max(wide) == 0
    assert heads == ('"games"' if width == 360 else "none")


def test_an_axis_has_round_ticks_within_it():
    picture = curves("t", [Series("a", (1, 250, 1000), (0.1, 0.2, 0.35))], across="x", up="y")
    texts = re.findall(r">([\d.,]+)</text>", picture)
    assert {"500", "1,000"} <= set(texts)
    assert {"0.1", "0.2", "0.3"} <= set(texts)


def test_drawings_survive_nothing_and_extremes():
    inf = float("inf")
    for drawing in (
        curves("t", [], across="x", up="y"),
        curves("t", [Series("a", (1,), (5,), (-inf,), (inf,))], across="x", up="y"),
        curves(
            "t",
            [Series("<a>", (10, 10_000_000), (1e-9, 1e9))],
            across="x",
            up="y",
            logarithmic=True,
        ),
        rows_of_spots("t", [], across="x"),
        rows_of_spots("t & u", [("r", [Spot("s", 1.0, -inf, inf, 3.0)])], across="x"),
    ):
        ElementTree.fromstring(drawing)
        assert "nan" not in drawing
        assert "inf" not in drawing


def test_the_usual_budget_is_said_apart_from_those_that_players_name(plain, tmp_path, store):
    players = {"a@20": "draws@20", "a@100": "draws@100", "b": "takes-one"}
    campaign = plain([["a@20", "b"], ["a@100", "b"]], games=2, players=players, budget=30)
    run(campaign, store, workers=0)
    page = write_report(store, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "budget 30, and 20, 100 where a player names its own" in page
