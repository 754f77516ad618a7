"""The reference has every name of the facade, and says what each is."""

import pytest

import manyminds
from docs_reference import MARK, ROOMS, entries, on_page_markdown


def test_every_name_of_the_facade_has_one_entry():
    lines = entries(manyminds._HOMES).splitlines()
    shown = sorted(line.rpartition(".")[2] for line in lines if line.startswith("::: "))
    assert shown == sorted(manyminds._HOMES)


def test_rooms_without_names_have_no_heading():
    assert entries({"Game": "manyminds.games.contract"}).split() == [
        "##", "Games", ":::", "manyminds.games.contract.Game",
    ]  # fmt: skip


def test_only_the_reference_is_changed():
    assert on_page_markdown("text", page=None) == "text"
    assert "## Search" in on_page_markdown(f"before\n{MARK}", page=None)


@pytest.mark.parametrize("name", sorted(manyminds._HOMES))
def test_every_function_and_class_of_the_facade_says_what_it_is(name):
    value = getattr(manyminds, name)
    if callable(value):
        assert (value.__doc__ or "").strip()


def test_the_order_of_rooms_is_the_documented_one():
    from pathlib import Path

    page = (Path(__file__).resolve().parents[2] / "docs" / "rooms.md").read_text()
    places = [page.index(f"| `{room}/` |") for room in ROOMS]
    assert places == sorted(places)
