"""Everything that the documentation shows is run, and every link inside it leads somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from links import broken_links

ROOT = Path(__file__).resolve().parents[2]
RUNNER = Path(__file__).with_name("run_page.py")
RUN = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKED = [*RUN, *sorted(ROOT.glob("C*.md"))]


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", RUN, ids=named)
def test_every_block_runs(page, tmp_path):
    done = subprocess.run(
        [sys.executable, RUNNER, page, tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=590,
    )
    assert done.returncode == 0, f"{named(page)}\n{done.stdout[-6000:]}"


@pytest.mark.parametrize("page", LINKED, ids=named)
def test_every_link_leads_somewhere(page):
    assert broken_links(page) == []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        # not --quiet: MkDocs would then count no warnings, and --strict would mean nothing
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stdout
    return folder


def test_the_site_has_every_page(site):
    for page in (ROOT / "docs").rglob("*.md"):
        made = site / page.relative_to(ROOT / "docs").with_suffix(".html")
        assert made.is_file()


def test_reading_the_site_fetches_nothing_from_elsewhere(site):
    fetched = re.compile(
        r"<(?:script|img|iframe|source|video)\b[^>]*\bsrc=[\"']?(?:https?:)?//"
        r"|<link\b(?![^>]*rel=[\"']?canonical)[^>]*\bhref=[\"']?(?:https?:)?//"
        r"|@import|url\([\"']?(?:https?:)?//"
    )
    pages = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(pages) > 4
    assert [page for page in pages if fetched.search(page.read_text(encoding="utf-8"))] == []


def test_formulas_need_no_script(site):
    """The extension's own marks are gone: whatever formula there is has become MathML."""
    for page in site.rglob("*.html"):
        assert "arithmatex" not in page.read_text(encoding="utf-8")
