"""`manyminds learn` on Pig, whose games take a millisecond: killed, resumed, and measured afresh."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib

import msgspec
import pytest

from manyminds.arena.check import check
from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.database import to_toml
from manyminds.arena.learning.learnt import Learnt
from manyminds.arena.learning.page import text_of, write_page
from manyminds.arena.learning.plan import plan_of, read_plan
from manyminds.arena.learning.run import learn
from manyminds.arena.statistics import Interval
from manyminds.arena.store import Store
from manyminds.core.errors import UsageError
from manyminds.games.agents import read_database

PIG = """
title = "When to hold"
player = 'holds(at="?")'
start = "4"
files = ["holds.py"]
agents = ["2", "4", "8", "12", "20"]
seed = 3
fresh = 60
members = 20

[game]
name = "pig"
target = 30
"""
GREEDY = PIG + '[database]\nhelp = "limits"\n\n' + '[learner]\nname = "greedy"\ngames = 40\n'
RACING = PIG + '[learner]\nname = "racing"\ngames = 400\nround = 100\nalike = "none"\n'


@pytest.fixture
def folder(tmp_path, monkeypatch, pytestconfig):
    holds = pytestconfig.rootpath / "tests" / "arena" / "files" / "holds.py"
    (tmp_path / "holds.py").write_text(holds.read_text())
    (tmp_path / "greedy.toml").write_text(GREEDY)
    (tmp_path / "racing.toml").write_text(RACING)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(*words):
    return [sys.executable, "-m", "manyminds", "learn", *words]


def seeds(path, suffix):
    """The seeds of all games of line-ups whose first player's name ends so, or does not."""
    with Store.read(path) as store:
        wanted = [key for names, key in store.lineups().items()
                  if names[0].endswith("(fresh)") == suffix]  # fmt: skip
        return {result.seed for key in wanted for result in store.results(key)}


@pytest.mark.parametrize("name", ["greedy", "racing"])
def test_a_run_goes_through_the_arena_s_store(folder, name):
    plan = read_plan(f"{name}.toml")
    learnt = learn(plan, folder / "a.db", workers=0)
    assert learnt.ending == "finished"
    assert learnt.fresh.n == 60
    assert str(learnt.chosen) not in ("2", "4")  # who holds at 8, 12 or 20 wins more at Pig
    assert learnt.fresh.low > 0.6
    with Store.read(folder / "a.db") as store:
        games = len(store.done())
    assert learnt.played == games
    assert not seeds("a.db", True) & seeds("a.db", False)  # fresh games are other games
    if len(learnt.chosen) > 1:
        assert set(learnt.alone) == set(learnt.chosen.names)
        assert learnt.against_best.n == 20

    again = learn(plan, folder / "a.db", workers=0)
    assert again.played == 0
    assert msgspec.structs.replace(again, played=games) == learnt
    assert Learnt.from_json(learnt.to_json()) == learnt
    with Store.read(folder / "a.db") as store:
        assert not check(store, replay=5).problems


def test_the_biased_number_is_that_of_the_games_it_was_chosen_by(folder):
    learnt = learn(read_plan("greedy.toml"), folder / "a.db", workers=0)
    with Store.read(folder / "a.db") as store:
        key = store.lineups()[str(learnt.chosen), "default"]
        results = list(store.results(key))
    wins = sum(r.rewards[i % 2] > r.rewards[1 - i % 2] for i, r in enumerate(results))
    ties = sum(r.rewards[0] == r.rewards[1] for r in results)
    assert learnt.first.n == 40
    assert learnt.first.estimate == pytest.approx((wins + ties / 2) / 40)


@pytest.mark.slow
@pytest.mark.compiled_only  # processes of their own: no kernel is looked at
def test_a_run_that_is_killed_again_and_again_ends_as_one_that_is_not(folder):
    whole = subprocess.run(typed("racing.toml", "--store", "whole.db", "--out", "whole.toml",
                                 "--workers", "1", "--json"), capture_output=True, check=True,
                           timeout=100)  # fmt: skip
    kept = 0
    for _ in range(3):
        child = subprocess.Popen(typed("racing.toml", "--store", "killed.db", "--workers", "2"),
                                 stderr=subprocess.DEVNULL)  # fmt: skip
        end = time.monotonic() + 60
        while child.poll() is None and count("killed.db") < kept + 80 and time.monotonic() < end:
            time.sleep(0.02)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        assert count("killed.db") >= kept  # nothing that was there is lost
        kept = count("killed.db")
    assert 80 <= kept < 480
    last = subprocess.run(typed("racing.toml", "--store", "killed.db", "--out", "killed.toml",
                                "--workers", "2", "--json"), capture_output=True, check=True,
                          timeout=100)  # fmt: skip
    one, other = json.loads(whole.stdout), json.loads(last.stdout)
    assert other["played"] < one["played"]
    for key in ("chosen", "first", "fresh", "steps", "games"):
        assert one[key] == other[key]
    assert (folder / "whole.toml").read_text() == (folder / "killed.toml").read_text()


def count(path):
    """Games in a store that may not be there yet."""
    try:
        with Store.read(path) as store:
            return len(store.done())
    except Exception:  # noqa: BLE001 - it is being made at this moment
        return 0


@pytest.mark.compiled_only
def test_the_command_writes_a_database_with_its_evidence(folder):
    done = subprocess.run(typed("greedy.toml", "--report", "page.html", "--workers", "1", "--fresh", "40"),
                          capture_output=True, text=True, timeout=100)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "in fresh games" in done.stdout
    assert "biased upwards" in done.stdout
    table = tomllib.loads((folder / "greedy-learnt.toml").read_text())
    assert set(table["agents"]) <= {"2", "4", "8", "12", "20"}
    assert table["help"] == "limits"
    evidence = table["evidence"]
    assert evidence["learner"] == "greedy"
    assert evidence["fresh"]["games"] == 40
    assert evidence["fresh"]["low"] < evidence["fresh"]["share"] < evidence["fresh"]["high"]
    assert evidence["chosen_by"]["games"] == 40
    page = (folder / "page.html").read_text()
    assert page.count("<svg") == 2
    assert "biased upwards" in (folder / "page.md").read_text()


def test_a_learnt_file_is_a_database_of_the_engine_s(tmp_path):
    interval = Interval(0.52, 0.57, 0.545, 2000, 0.95)
    learnt = Learnt(
        title="Learnt", learner={"name": "racing"}, game={"name": "go"}, player="go", against="go",
        budget="300", seed=1, candidates=320, games=12_000, first=interval, fresh=interval,
        chosen=AgentSet.parse("AD-N-P + 3*N-AC-AD-L-P"), alone={"AD-N-P": interval},
        database={"release": "0.4", "help": "learnt"},
    )  # fmt: skip
    (tmp_path / "learnt.toml").write_text(to_toml(learnt))
    database = read_database(tmp_path / "learnt.toml")
    assert database.names == ("AD-N-P", "N-AC-AD-L-P")
    assert database.weights == (1.0, 3.0)
    assert (database.release, database.help) == ("0.4", "learnt")
    assert database.evidence["fresh"] == {"share": 0.545, "low": 0.52, "high": 0.57, "games": 2000}


def test_another_plan_into_the_same_store_reuses_its_games(folder):
    learn(read_plan("greedy.toml"), folder / "a.db", workers=0)
    racing = learn(read_plan("racing.toml"), folder / "a.db", workers=0)
    alone = learn(read_plan("racing.toml"), folder / "b.db", workers=0)
    assert (racing.chosen, racing.steps, racing.fresh) == (alone.chosen, alone.steps, alone.fresh)
    assert racing.played < alone.played


def test_a_report_of_a_single_agent(folder, tmp_path):
    learnt = learn(read_plan("greedy.toml"), folder / "a.db", workers=0)
    single = msgspec.structs.replace(learnt, chosen=AgentSet.of("8"), alone={}, against_best=None)
    assert "100.0 %  8" in text_of(single)
    write_page(
        msgspec.structs.replace(single, chosen=None, ending="interrupted"), tmp_path / "p.html"
    )
    assert "interrupted" in (tmp_path / "p.md").read_text()


GOOD = {"game": "pig", "player": 'holds(at="?")', "agents": ["2", "8"], "start": "2"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"player": "holds(at=x)"}, 'write "[?]agents"'),
        ({"agent": ["2"]}, 'did you mean "agents"'),
        ({"learner": {"name": "rasing"}}, 'did you mean "racing"'),
        ({"learner": {"name": "racing", "gmes": 5}}, 'did you mean "games"'),
        ({"learner": {"name": "racing", "games": 10}}, "at most games"),
        ({"learner": {}}, "needs a name"),
        ({"agents": []}, "none to choose from"),
        ({"agents": {"heuristics": ["A", "B"], "least": 3}}, "least"),
        ({"start": "2 + 2"}, "twice"),
        ({"fresh": 1}, "fresh"),
    ],
)
def test_what_is_wrong_in_a_plan_is_said(change, words):
    with pytest.raises(UsageError, match=words):
        plan_of({**GOOD, **change})


@pytest.mark.parametrize("key", ["game", "player", "agents", "start"])
def test_what_is_missing_in_a_plan_is_said(key):
    with pytest.raises(UsageError, match=f"{key} is missing: write"):
        plan_of({name: value for name, value in GOOD.items() if name != key})


def test_a_set_is_written_where_the_player_says():
    agents = AgentSet.parse("N-AC + 3*P")
    for player, written in (
        ('x(at="?")', 'x(at="N-AC + 3*P")'),
        ('x(all="?agents", by=y("?weights"))@5', "x(all=[N-AC, P], by=y([1, 3]))@5"),
        ({"name": "x", "all": ["?agents"], "c": 0.5}, "x(all=[[N-AC, P]], c=0.5)"),
    ):
        assert plan_of({**GOOD, "player": player}).spec_of(agents) == written


def test_orders_of_heuristics():
    agents = {"heuristics": ["A", "B", "C"], "least": 2, "also": ["A"], "leave_out": ["B-C"]}
    names = plan_of({**GOOD, "agents": agents}).names
    assert names[0] == "A-B-C"
    assert len(names) == len(set(names)) == 6 + 6 - 1 + 1
    assert {"C-B", "A", "C-A-B"} < set(names)
    assert (
        len(plan_of({**GOOD, "agents": {"heuristics": ["N", "AC", "AD", "L", "P"]}}).names) == 120
    )


@pytest.mark.compiled_only
def test_a_typing_mistake_ends_with_status_2(folder):
    (folder / "bad.toml").write_text(GREEDY.replace("fresh", "frsh"))
    done = subprocess.run(typed("bad.toml"), capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert 'bad.toml: unknown key frsh; did you mean "fresh"?' in done.stderr
