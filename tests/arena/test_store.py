import os
import signal
import sqlite3
import subprocess
import sys
import textwrap

import pytest

from manyminds.arena.driver import run
from manyminds.arena.lock import writer_of
from manyminds.arena.pairing import Seats
from manyminds.arena.result import FailedGame, Result
from manyminds.arena.schema import APPLICATION, BrokenStore
from manyminds.arena.store import Store
from manyminds.core.errors import UsageError

SEATS = Seats(("first", "second"), ((0,), (1,)), ("first", "second"))


def result(number, reward=1.0, details=b"moves"):
    return Result(
        number, 2**64 - 1 - number, (reward, 1 - reward), (3.0, 0.1), (), "over", 9, 0.5, details
    )


@pytest.fixture
def begun(store, plain):
    """A store whose campaign has begun, open for writing."""
    with Store.write(store) as opened:
        opened.begin_run(plain(), "", "test", "nobody")
        opened.set_up(SEATS, [("draws", "draws")], ())
        yield opened


def test_a_game_comes_back_bit_for_bit(begun):
    begun.add(result(3))
    begun.commit()
    assert begun.result(3) == result(3)
    assert begun.done() == {3}


def test_the_first_result_of_a_number_stays(begun):
    begun.add(result(3, reward=1.0))
    begun.commit()
    begun.add(result(3, reward=0.0))
    begun.commit()
    assert [r.rewards for r in begun.results(0)] == [(1.0, 0.0)]
    assert begun.result(3).details == b"moves"


def test_results_come_in_the_order_of_their_numbers(begun):
    for number in (5, 2, 9, 0):
        begun.add(result(number))
    begun.commit()
    assert [r.number for r in begun.results(0)] == [0, 2, 5, 9]
    assert list(begun.results(1)) == []


def test_only_what_was_committed_is_seen_and_kept(begun, store):
    begun.add(result(1))
    begun.commit()
    begun.add(result(2))
    with Store.read(store) as reader:
        assert reader.done() == {1}
    begun.close()
    with Store.read(store) as reader:
        assert reader.done() == {1}


def test_a_failure_leaves_its_number_free(begun):
    begun.add_failure(FailedGame(4, "first try"))
    begun.add_failure(FailedGame(4, "second try"))
    begun.commit()
    assert begun.failures() == {4: ["first try", "second try"]}
    begun.add(result(4))
    begun.commit()
    assert begun.failures() == {}
    assert begun.done() == {4}


def test_line_ups_keep_their_numbers_whatever_is_added(begun):
    numbers = begun.set_up(SEATS, [("x", "y"), ("draws", "draws"), ("y", "x")], ())
    assert numbers == {("draws", "draws"): 0, ("x", "y"): 1, ("y", "x"): 2}


def test_two_drivers_cannot_write_one_store(begun, store):
    assert writer_of(store) == os.getpid()
    code = f"from manyminds.arena.store import Store; Store.write({str(store)!r})"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert f"is being written by another run (process {os.getpid()})" in other.stderr
    begun.close()
    assert writer_of(store) is None
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_a_killed_driver_leaves_no_lock(store, tmp_path):
    code = f"""
        import os, signal
        from manyminds.arena.store import Store
        Store.write({str(store)!r})
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], timeout=60)
    assert done.returncode == -signal.SIGKILL
    Store.write(store).close()


def test_a_lock_is_gone_with_its_owner(store):
    Store.write(store).close()
    assert list(store.parent.iterdir()) == [store]


def test_a_store_killed_while_it_is_made_can_be_used(store):
    store.touch()  # what a kill before the first write leaves
    Store.write(store).close()
    for name in ("journal", "empty"):
        other = store.with_name(name)
        connection = sqlite3.connect(other)
        connection.execute("PRAGMA journal_mode = WAL")  # and one after the first write
        connection.close()
        Store.write(other).close()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"title = 'a campaign'\n" * 100, "is damaged .file is not a database"),
        (b"\x89PNG\r\n\x1a\n" + bytes(4000), "is damaged .file is not a database"),
    ],
)
def test_what_is_no_store_is_left_alone(store, content, message):
    store.write_bytes(content)
    for opening in (Store.write, Store.read):
        with pytest.raises(BrokenStore, match=message):
            opening(store)
    assert store.read_bytes() == content


def test_another_programs_database_is_left_alone(store):
    connection = sqlite3.connect(store)
    connection.execute("CREATE TABLE games (title TEXT)")
    connection.commit()
    connection.close()
    before = store.read_bytes()
    for opening in (Store.write, Store.read):
        with pytest.raises(BrokenStore, match="another program wrote it"):
            opening(store)
    assert store.read_bytes() == before


@pytest.mark.parametrize(("version", "age"), [(2, "a newer"), (0, "an older")])
def test_a_store_of_another_version_is_left_alone(played, version, age):
    connection = sqlite3.connect(played)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = played.read_bytes()
    for opening in (Store.write, Store.read):
        with pytest.raises(BrokenStore, match=f"written by {age} manyminds"):
            opening(played)
    assert played.read_bytes() == before


def test_a_corrupted_store_is_found_and_left_alone(played, plain):
    data = bytearray(played.read_bytes())
    data[4096:8192] = bytes(4096)  # one page wiped
    played.write_bytes(data)
    with pytest.raises(BrokenStore, match=r"is damaged .* Nothing was changed"):
        run(plain(), played, workers=0)
    with pytest.raises(BrokenStore, match="is damaged"):
        Store.read(played, whole=True)
    assert played.read_bytes() == bytes(data)


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_a_store_cut_short_is_found_and_left_alone(played, plain, cut):
    data = played.read_bytes()[: int(cut * played.stat().st_size)]
    played.write_bytes(data)
    with pytest.raises(BrokenStore, match="is damaged"):
        run(plain(), played, workers=0)
    assert played.read_bytes() == data


def test_a_changed_figure_is_found(played):
    connection = sqlite3.connect(played)
    connection.execute("UPDATE games SET points = '[9.0,0.0,0.0]' WHERE game = 3")
    connection.commit()
    connection.close()
    with (
        Store.read(played) as opened,
        pytest.raises(BrokenStore, match="game 3 is not what was written"),
    ):
        list(opened.results(0))


def test_a_store_can_be_read_where_nothing_can_be_written(played, tmp_path):
    folder = tmp_path / "archive"
    folder.mkdir()
    copy = folder / "campaign.db"
    copy.write_bytes(played.read_bytes())
    code = f"""
        import os
        from manyminds.arena.store import Store
        os.setuid(65534)
        with Store.read({str(copy)!r}) as opened:
            print(len(opened.done()))
    """
    if os.getuid() != 0:
        folder.chmod(0o555)
        with Store.read(copy) as opened:
            assert len(opened.done()) == 24
        folder.chmod(0o755)
        return
    for parent in (folder, *folder.parents):
        if parent.owner() == "root" and str(parent).startswith("/tmp/"):
            parent.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "24\n", done.stderr


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BrokenStore, match="there is no folder"):
        Store.write(tmp_path / "none" / "campaign.db")
    with pytest.raises(BrokenStore, match="there is no such store"):
        Store.read(tmp_path / "none.db")


FILL = """
import resource, sys
from manyminds.arena.store import Store
sys.path.insert(0, {here!r})
from manyminds.arena.result import Result
import os
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
with Store.write({path!r}) as store:
    for number in range(10_000):
        store.add(Result(number, 1, (1.0, 0.0), (1.0, 0.0), (), "over", 9, 0.5, os.urandom(2000)))
        store.commit()
        print(number, flush=True)
"""


def test_a_disk_that_fills_up_loses_nothing_that_was_reported(begun, store):
    for number in range(10_000, 10_050):
        begun.add(result(number, details=os.urandom(500)))
    begun.commit()
    begun.close()
    code = FILL.format(here=str(store.parent), path=str(store), limit=450_000)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert "the disk is full, or a limit was reached" in done.stderr
    reported = {int(line) for line in done.stdout.split()}
    assert len(reported) > 10
    with Store.write(store) as opened:  # there is room again
        assert list(opened.unsound()) == []
        assert reported | set(range(10_000, 10_050)) <= opened.done()
        opened.add(result(20_000))
        opened.commit()
        assert opened.result(20_000) == result(20_000)


def test_a_full_store_says_so_in_the_driver(store, plain, monkeypatch):
    write = Store.write

    def small(path):
        opened = write(path)
        opened._connection.execute("PRAGMA max_page_count = 100")
        return opened

    monkeypatch.setattr(Store, "write", small)
    with pytest.raises(BrokenStore, match="the disk is full") as full:
        run(plain(games=2000), store, workers=0)
    assert "`manyminds campaign resume` goes on" in str(full.value)
    monkeypatch.undo()
    with Store.read(store, whole=True) as opened:
        kept = len(opened.done())
    assert 0 < kept < 2000
    assert run(plain(games=2000), store, workers=0).played == 2000 - kept


def test_an_older_line_up_cannot_be_asked_for_nonsense(begun):
    begun.commit()
    assert begun.result(77) is None
    assert begun.seats() == SEATS


def test_a_store_says_what_played(begun):
    (played,) = begun.runs()
    assert played.command == "test"
    assert {"manyminds", "numba", "numpy", "python", "platform"} <= set(played.versions)
    assert played.ended is None
    begun.end_run("finished")
    assert begun.runs()[0].outcome == "finished"


def test_the_file_is_marked_as_ours(begun, store):
    begun.close()
    assert store.read_bytes()[68:72] == APPLICATION.to_bytes(4, "big") == b"mms1"


def test_a_lock_is_a_usage_error(begun, store):
    with pytest.raises(UsageError, match="use another store"):
        Store.write(store)
