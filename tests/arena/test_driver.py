import json
import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from msgspec.structs import replace

from manyminds.arena.campaign import MOST_GAMES, Campaign
from manyminds.arena.driver import run
from manyminds.arena.local import LocalPool
from manyminds.arena.runner import InProcess
from manyminds.arena.store import Store
from manyminds.arena.table import Table
from manyminds.core.errors import Failure, UsageError

pytestmark = pytest.mark.compiled_only  # processes and signals: no kernel is looked at

THREE = [
    ["draws", "takes-one", "draws"],
    ["takes-one", "takes-one", "draws"],
    ["draws", "draws", "draws"],
]


def bytes_of(store):
    return json.dumps(Table.of(store).to_data())


class Shuffled:
    """Plays in this process and gives results back in another order."""

    title = "shuffled"

    def __init__(self, seed):
        self.random = random.Random(seed)

    def submit(self, tasks):
        finished = list(InProcess().submit(tasks))
        self.random.shuffle(finished)
        yield from finished
        yield None

    def drain(self):
        pass

    def close(self):
        pass


def test_the_table_is_the_same_for_any_workers_and_any_order(tmp_path, plain):
    campaign = plain(THREE, games=30, seats=3)
    tables = set()
    for name, how in (
        ("here", {"workers": 0}),
        ("one", {"workers": 1}),
        ("two", {"workers": 2}),
        ("shuffled", {"runner": Shuffled(1)}),
        ("again", {"runner": Shuffled(2)}),
    ):
        outcome = run(campaign, tmp_path / name, **how)
        assert (outcome.ending, outcome.played, outcome.failed) == ("finished", 90, 0)
        tables.add(bytes_of(tmp_path / name))
    assert len(tables) == 1


def test_a_finished_campaign_plays_nothing_again(played, plain):
    before = bytes_of(played)
    with Store.read(played) as opened:
        campaign = opened.campaign()
    assert run(campaign, played, workers=0).played == 0
    assert bytes_of(played) == before


class Stops(InProcess):
    """Breaks off after so many games."""

    def __init__(self, after):
        super().__init__()
        self.after = after

    def submit(self, tasks):
        for number, finished in enumerate(super().submit(tasks)):
            if number == self.after:
                raise Failure("the network is gone")
            yield finished


def test_a_run_that_breaks_off_is_gone_on_with(store, tmp_path, plain):
    campaign = plain(THREE, games=20, seats=3)
    played = 0
    for after in (7, 0, 23):
        with pytest.raises(Failure, match="the network is gone"):
            run(campaign, store, runner=Stops(after))
        played += after
        with Store.read(store) as opened:
            assert len(opened.done()) == played
            assert opened.runs()[-1].outcome == "the network is gone"
    assert run(campaign, store, workers=0).played == 60 - played
    run(campaign, tmp_path / "undisturbed.db", workers=0)
    assert bytes_of(store) == bytes_of(tmp_path / "undisturbed.db")


def test_nothing_is_counted_before_it_is_committed(store, plain):
    seen = []

    class Counts:
        def update(self, progress):
            with Store.read(store) as reader:
                seen.append((progress.done, len(reader.done())))

        def close(self):
            pass

    run(plain(games=40), store, workers=0, show=Counts())
    assert len(seen) > 10
    assert all(counted <= committed for counted, committed in seen)
    assert seen[-1] == (40, 40)


# --- what may change between runs --------------------------------------------------------------------


GROWN = [*THREE, ["takes-one", "draws", "takes-one"]]


def test_more_games_and_more_line_ups_give_what_they_had_given_at_once(store, tmp_path, plain):
    run(plain(THREE, games=10, seats=3), store, workers=0)
    run(plain(THREE, games=16, seats=3), store, workers=0)
    outcome = run(plain(GROWN[::-1], games=16, seats=3, title="New title"), store, workers=0)
    assert outcome.played == 16
    run(plain(GROWN[::-1], games=16, seats=3), tmp_path / "fresh.db", workers=0)
    grown, fresh = (Table.of(path).to_data()["rows"] for path in (store, tmp_path / "fresh.db"))
    for row in (*grown, *fresh):
        del row["lineup"]  # the number, which is the order of arrival
    assert grown == fresh


def test_titles_published_numbers_and_deadlines_of_games_may_change(store, plain):
    run(plain(games=5), store, workers=0)
    published = [{"lineup": ["draws", "draws"], "points": [4.5, 4.5]}]
    campaign = plain(games=5, title="T", question="Q", published=published, game_deadline="2h")
    assert run(campaign, store, workers=0).played == 0
    assert Table.of(store).campaign.title == "T"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"seed": 2}, "the seed changed from 1 to 2"),
        ({"stones": 10}, "the game changed from .*9.* to .*10"),
        ({"rotate": True}, "rotate changed"),
        ({"paired": True}, "paired changed"),
        ({"budget": "20"}, "the budget changed from None to '20'"),
        ({"move_limit": 3}, "move_limit changed"),
        ({"deadline": "3s"}, "deadline changed"),
        ({"settings": {"x": 1}}, "the settings changed"),
        ({"stop": {"rule": "sprt", "share0": 0.5, "share1": 0.6}}, "the stopping rule changed"),
        ({"games": 4}, "4 games after 5 were asked for: numbers of games only grow"),
        ({"lineups": [["draws", "takes-one"]]}, "the line-up draws, draws is gone"),
        ({"players": {"draws": "takes-one"}}, 'the player "draws" changed'),
    ],
)
def test_what_would_mix_games_is_refused(store, plain, choices, message):
    run(plain(games=5), store, workers=0)
    before = bytes_of(store)
    with pytest.raises(UsageError, match=f"{message}.*") as refused:
        run(plain(**{"games": 5, **choices}), store, workers=0)
    assert "use another store" in str(refused.value) or "only grow" in str(refused.value)
    assert bytes_of(store) == before


def test_before_the_first_game_everything_may_change(store, plain):
    with pytest.raises(UsageError, match='there is no player "drawz"'):
        run(plain([["drawz", "draws"]], games=5), store, workers=0)
    assert run(plain(games=3, seed=9, stones=5), store, workers=0).played == 3


def test_a_line_up_without_games_may_go(store, plain):
    with pytest.raises(Failure):
        run(plain([["draws", "draws"], ["draws", "takes-one"]], games=5), store, runner=Stops(1))
    outcome = run(plain([["draws", "draws"]], games=5), store, workers=0)
    assert (outcome.played, len(outcome.table.rows)) == (4, 1)


MINE = """
from manyminds.players.player import Decision
from manyminds.players.registry import register

class Mine:
    def begin(self, game, seat, lineup): pass
    def saw(self, joint): pass
    def decide(self, state, budget): return Decision(1)

register("mine", Mine)
"""


def test_a_changed_file_is_refused_and_a_lost_one_is_not_needed(store, plain, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    files = [*plain().files, str(mine)]
    game = {"name": "plain-nim"}
    campaign = Campaign(game, lineups=[["mine", "draws"]], games=4, files=files)
    run(campaign, store, workers=1)
    mine.write_text(MINE + "# changed\n")
    more = replace(campaign, games=6)
    with pytest.raises(UsageError, match=r"mine\.py was changed since"):
        run(more, store, workers=1)
    with pytest.raises(UsageError, match=r"mine\.py is no longer listed"):
        run(replace(more, files=plain().files), store, workers=1)
    mine.unlink()
    assert run(more, store, workers=1).played == 2


def test_a_file_that_is_not_there_is_named(store, plain):
    with pytest.raises(UsageError, match=r"none\.py: No such file"):
        run(Campaign("nim", lineups=[["random", "random"]], files=["none.py"]), store, workers=0)


# --- failures ----------------------------------------------------------------------------------------


def test_what_was_typed_wrong_stops_the_run(store, plain):
    for lineup, message in (
        (["drawz", "draws"], 'did you mean "draws"'),
        (["draws(x=3)", "draws"], "has no argument"),
        (["draws", "draws", "draws"], "2 seats"),
        (["draws(", "draws"], 'the player "draws\\("'),
    ):
        with pytest.raises(UsageError, match=message):
            run(plain([lineup]), store, workers=0)


def test_published_numbers_must_fit_the_line_up(store, plain):
    published = [{"lineup": ["draws", "draws"], "points": [1, 2, 3]}]
    with pytest.raises(UsageError, match="3 numbers for 2 places"):
        run(plain(published=published), store, workers=0)


def test_failed_games_are_told_and_the_others_count(store, plain):
    outcome = run(plain([["sometimes", "draws"]], games=30), store, workers=0)
    row = outcome.table.rows[0]
    assert 0 < outcome.failed == row.failed < 30
    assert row.games + row.failed == 30
    with Store.read(store) as opened:
        assert all("an unlucky seed" in reasons[-1] for reasons in opened.failures().values())
    assert run(plain([["sometimes", "draws"]], games=30), store, workers=0).played == 0
    assert (
        run(plain([["sometimes", "draws"]], games=30), store, workers=0, retry=True).played
        == row.failed
    )


def test_a_campaign_in_which_everything_fails_is_stopped(store, plain):
    with pytest.raises(Failure, match="the first 10 games all failed") as stopped:
        run(plain([["raises", "draws"]], games=500), store, workers=0)
    assert "this player has a bug" in str(stopped.value)
    with Store.read(store) as opened:
        assert len(opened.failures()) == 10


# --- a sequential test -------------------------------------------------------------------------------


def sprt(plain, games=400, **choices):
    stop = {"rule": "sprt", "share0": 0.5, "share1": 0.7, **choices}
    return plain([["takes-one", "draws"], ["draws", "draws"]], games=games, stones=12, stop=stop)


def test_a_sequential_test_stops_at_the_same_game_in_any_order(tmp_path, plain):
    first = run(sprt(plain), tmp_path / "a", workers=0)
    assert all(row.decided for row in first.table.rows)
    assert all(0 < row.games < 400 for row in first.table.rows)
    many = run(sprt(plain), tmp_path / "b", workers=2)
    shuffled = run(sprt(plain), tmp_path / "c", runner=Shuffled(3))
    assert shuffled.played == 800  # all at once: far more than counts
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b") == bytes_of(tmp_path / "c")
    assert many.ending == "finished"


def test_the_decision_is_the_one_of_the_prefix(store, plain):
    from manyminds.arena.statistics import Sprt, judge

    run(sprt(plain), store, runner=Shuffled(3))
    table = Table.of(store)
    connection = sqlite3.connect(store)
    for row in table.rows:
        query = "SELECT game, json_extract(rewards, '$[0]') FROM games WHERE game BETWEEN ? AND ?"
        first = row.lineup * MOST_GAMES
        rewards = connection.execute(query, (first, first + MOST_GAMES - 1)).fetchall()
        verdict = judge(Sprt(0.5, 0.7), {game - first: won for game, won in rewards})
        assert row.games == verdict.game + 1 < len(rewards)


def test_failed_games_do_not_hold_a_test_up(store, plain):
    stop = {"rule": "sprt", "share0": 0.4, "share1": 0.6}
    outcome = run(plain([["sometimes", "draws"]], games=400, stop=stop), store, workers=0)
    row = outcome.table.rows[0]
    assert row.decided
    assert row.failed > 0


# --- interruption ------------------------------------------------------------------------------------

DRIVER = """
import sys
from manyminds.arena.campaign import Campaign
from manyminds.arena.driver import run
from manyminds.arena.live import Lines
campaign = Campaign(
    {{"name": "plain-nim"}}, lineups=[["{player}", "draws"]], games=400, seed=1, files=[{file!r}]
)
outcome = run(campaign, {store!r}, workers=2, show=Lines(sys.stderr, every=0.0))
print(outcome.ending, outcome.played)
"""


@pytest.fixture
def driver(store, plain):
    """A driver in a process of its own, once it has reported games."""
    started = []

    def start(player="slow(ms=10)"):
        code = DRIVER.format(player=player, file=plain().files[0], store=str(store))
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        for line in process.stderr:
            if not line.startswith("0 of"):
                return process, int(line.split()[0])
        raise AssertionError("it reported nothing")

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_ctrl_c_ends_cleanly(driver, store, plain):
    process, reported = driver()
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=30)
    assert said.startswith("interrupted")
    assert "finishing the games under way; Ctrl-C again stops at once" in errors
    with Store.read(store, whole=True) as opened:
        assert len(opened.done()) == int(said.split()[1]) >= reported
        assert opened.runs()[-1].outcome == "interrupted"


def test_ctrl_c_twice_ends_at_once(driver, store):
    process, reported = driver()
    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    process.communicate(timeout=30)
    assert time.monotonic() - begin < 5
    with Store.read(store, whole=True) as opened:
        assert len(opened.done()) >= reported


def test_ctrl_c_twice_does_not_wait_for_a_game(store, plain):
    code = DRIVER.format(player="endless", file=plain().files[0], store=str(store))
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    time.sleep(1.0)
    assert process.poll() is None  # it waits for the games under way
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=10)
    assert said.startswith("interrupted 0")


def test_sigterm_ends_at_once_and_keeps_what_was_reported(driver, store):
    process, reported = driver()
    process.terminate()
    said, _ = process.communicate(timeout=30)
    assert said.startswith("terminated")
    with Store.read(store, whole=True) as opened:
        assert len(opened.done()) >= reported
        assert opened.runs()[-1].outcome == "terminated"


def test_a_killed_driver_loses_nothing_and_is_gone_on_with(
    driver, store, tmp_path, plain, wait_until
):
    process, reported = driver("slow(ms=1)")
    process.kill()
    process.wait()
    with Store.read(store) as opened:
        assert len(opened.done()) >= reported
    campaign = Campaign(
        {"name": "plain-nim"},
        lineups=[["slow(ms=1)", "draws"]],
        games=400,
        seed=1,
        files=plain().files,
    )
    run(campaign, store, workers=2)
    run(campaign, tmp_path / "undisturbed.db", workers=2)
    assert bytes_of(store) == bytes_of(tmp_path / "undisturbed.db")


def test_signals_are_given_back(store, plain):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    run(plain(games=3), store, workers=0)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_a_campaign_runs_in_a_thread_too(store, plain):
    import threading

    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(run(plain(games=3), store, workers=1)))
    thread.start()
    thread.join(60)
    assert outcomes[0].ending == "finished"


# --- overhead ----------------------------------------------------------------------------------------


def test_a_game_of_instant_players_costs_little(store, plain):
    """At most 2 ms a game, commits included; the best of three, since others share this machine."""
    pool = LocalPool(2)
    run(plain([["takes-one", "takes-one"]], games=20, stones=2), store, runner=pool)
    costs = []
    for games in (420, 820, 1220):
        begin = time.perf_counter()
        outcome = run(
            plain([["takes-one", "takes-one"]], games=games, stones=2), store, runner=pool
        )
        costs.append((time.perf_counter() - begin) / outcome.played)
        assert outcome.played == 400
    pool.close()
    assert min(costs) < 0.002


def test_the_campaign_runs_itself(store, plain):
    table = plain(games=6).run(store, workers=0)
    assert table.rows[0].games == 6
    assert "draws" in str(table)
