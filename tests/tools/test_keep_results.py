"""tools/keep_results.py puts a table between the lines of its page that name it, and nowhere else."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
PAGE = "before\n<!-- table 2 -->\nold\n<!-- end of table 2 -->\nafter\n"


@pytest.fixture
def put_between(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    import keep_results

    return keep_results.put_between


def test_what_stood_there_is_replaced_and_all_else_stays(put_between):
    once = put_between(PAGE, "table 2", "new")
    assert once == PAGE.replace("old", "new")
    assert put_between(once, "table 2", "new") == once


@pytest.mark.parametrize(("page", "name"), [(PAGE, "table 3"), (PAGE[:30], "table 2")])
def test_a_page_without_a_place_for_it_is_said(put_between, page, name):
    with pytest.raises(SystemExit, match=f"no lines <!-- {name} -->"):
        put_between(page, name, "new")


@pytest.mark.parametrize("word", ["none.db=2", "none.db"])
def test_a_store_that_is_not_there_is_said(word):
    done = subprocess.run(
        [sys.executable, TOOLS / "keep_results.py", "cazenave2008", word],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "there is no store none.db" in done.stderr
