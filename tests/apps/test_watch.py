"""`manyminds watch`: what was played is seen again as it was."""

import sys

import pytest

import manyminds as mm
from manyminds.apps.watch import turns_of


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (mm.make_game("nim"), ["rave@20", "random"]),
        (mm.make_game("pig", target=10), ["uct@20", "random"]),  # nature moves, too
        (mm.make_game("hunt"), ["roots@20", "roots@20", "random"]),  # all at once
    ],
    ids=["nim", "pig", "hunt"],
)
def test_turns_are_those_that_were_told_while_it_was_played(game, players):
    told = []
    match = mm.play(game, players, seed=5, on_move=lambda turn: told.append(_seen(turn)))
    assert [_seen(turn) for turn in turns_of(game, match)] == told


def _seen(turn):
    """All of a turn that a match keeps."""
    decisions = {
        seat: (each.move, each.remark, each.beliefs) for seat, each in turn.decisions.items()
    }
    return turn.number, turn.joint, turn.name, turn.state.tobytes(), decisions


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    place = tmp_path_factory.mktemp("watched") / "nim.db"
    campaign = mm.Campaign("nim", lineups=[["rave", "random"]], games=2, seed=3, budget=20)
    campaign.run(place, workers=1)
    return place


def test_shows_a_game_of_a_store_with_its_ending(typed, store):
    lines = typed(f"watch {store}").stdout.splitlines()
    kept = typed(f"watch {store} --quiet", as_json=True)
    assert lines[0].startswith("nim.db: rave, random; seed ")
    assert [line.split()[2] for line in lines[1 : len(kept["names"]) + 1]] == kept["names"]
    assert f"after {len(kept['names'])} moves" in "".join(lines)


def test_another_game_is_chosen_by_its_number(typed, store):
    first, last = (
        typed(f"watch {store} --quiet{more}", as_json=True) for more in (" --game 0", "")
    )
    assert first["seed"] != last["seed"]


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("none.db", "there is no store none.db"),
        ("{store} --game 77", "has no finished game 77"),
        ("ftp://here/x", "begins with http:// or https://"),
    ],
)
def test_what_cannot_be_watched_is_said(typed, store, what, says):
    assert says in typed(f"watch {what.format(store=store)}", status=2).stderr


def test_an_address_opens_in_the_browser(typed, tmp_path, monkeypatch):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser.py"
    browser.write_text(f"import sys; open({str(seen)!r}, 'w').write(sys.argv[1])")
    monkeypatch.setenv("BROWSER", f"{sys.executable} {browser} %s")
    typed("watch http://127.0.0.1:8080/t/abc")
    assert seen.read_text() == "http://127.0.0.1:8080/t/abc"


@pytest.mark.parametrize("option", ["--json", "--game 2"])
def test_what_is_for_stores_is_not_dropped_for_an_address(typed, option):
    done = typed(f"watch http://127.0.0.1:8080 {option}", status=2)
    assert "are for a store" in done.stderr
