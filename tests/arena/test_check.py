import sqlite3
import zlib

import pytest
from msgspec.structs import replace

from manyminds.arena import store as store_module
from manyminds.arena.check import check
from manyminds.arena.driver import run
from manyminds.arena.schema import BrokenStore
from manyminds.arena.store import Store
from manyminds.core.errors import UsageError


def look(path, **choices):
    with Store.read(path) as opened:
        return check(opened, **choices)


def edit(path, *statements):
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def forge(path, number, **changes):
    """Write another result in a game's place, digest and all."""
    with Store.write(path) as opened:
        kept = opened.result(number)
        opened._connection.execute("DELETE FROM games WHERE game = ?", (number,))
        opened._connection.execute("DELETE FROM details WHERE game = ?", (number,))
        opened.add(replace(kept, **changes))
        opened.commit()


def test_a_sound_store_is_sound(played):
    found = look(played, replay=10, seed=1)
    assert found.sound
    assert found.games == 24
    assert len(found.replayed) == 10
    assert not found.other_versions
    assert look(played, replay=10, seed=2).replayed != found.replayed
    assert look(played, replay=1000).replayed == tuple(range(12)) + tuple(range(10**6, 10**6 + 12))


def test_a_wrong_seed_is_found(played):
    forge(played, 3, seed=77)
    (problem, *_) = look(played).problems
    assert problem.startswith("game 3 has the seed 77;")


def test_other_points_than_the_matchs_are_found(played):
    forge(played, 3, points=(9.0, 0.0, 0.0))
    assert any("game 3: its match says" in problem for problem in look(played).problems)


def test_a_game_that_was_played_otherwise_is_found_by_replaying(played):
    with Store.read(played) as opened:
        match, kept = opened.result(3).match(), opened.result(3)
    other = replace(match, joint_moves=match.joint_moves[::-1])
    forge(played, 3, details=zlib.compress(other.to_bytes()))
    assert kept.turns > 3
    assert look(played).sound
    (problem,) = look(played, replay=24).problems
    assert "game 3 was replayed and differs, in turn" in problem


def test_other_players_are_found(played):
    with Store.read(played) as opened:
        stranger = opened.result(1000003)
        plan_seed = opened.result(3).seed
    match = replace(stranger.match(), seed=plan_seed)
    forge(played, 3, **{n: getattr(stranger, n) for n in ("rewards", "points", "turns")},
          details=zlib.compress(match.to_bytes()))  # fmt: skip
    assert any("game 3 was played by" in problem for problem in look(played).problems)


def test_a_lost_line_up_is_found(played):
    edit(played, "DELETE FROM lineups WHERE lineup = 1")
    with pytest.raises(BrokenStore, match="it has no line-up takes-one, takes-one, draws"):
        look(played)


def test_a_game_of_no_line_up_is_found(played):
    with Store.write(played) as opened:
        stray = replace(opened.result(3), number=5_000_003)
        opened.add(stray)
        opened.commit()
    assert "game 5000003 belongs to no line-up of this store" in look(played).problems


def test_lost_moves_are_found(played):
    edit(played, "DELETE FROM details WHERE game = 3")
    assert "game 3 has lost its moves" in look(played).problems


def test_damaged_moves_are_found(played):
    edit(played, "UPDATE details SET details = x'00112233' WHERE game = 3")
    assert any("game 3: a game's details are damaged" in p for p in look(played).problems)


def test_a_changed_row_is_found(played):
    edit(played, "UPDATE games SET turns = 1 WHERE game = 1000003")
    assert "game 1000003 is not what was written: its digest differs" in look(played).problems


def test_games_with_budgets_in_time_cannot_be_replayed(store, plain):
    for name, choices in {
        "own": {"players": {"draws": "draws@5ms"}},
        "all": {"budget": "5ms"},
    }.items():
        path = store.with_name(name)
        run(plain(games=3, **choices), path, workers=0)
        assert look(path).sound
        with pytest.raises(UsageError, match="budgets in time cannot be replayed"):
            look(path, replay=1)


def test_games_of_other_versions_are_mentioned(store, plain, monkeypatch):
    monkeypatch.setattr(store_module, "versions", lambda: {"manyminds": "0.0.0"})
    run(plain(games=2), store, workers=0)
    assert look(store).other_versions
