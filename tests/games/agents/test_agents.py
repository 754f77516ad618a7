"""Agents and databases: names, numbers, files, and how often each agent is drawn."""

import itertools
import math

import numpy as np
import pytest

from manyminds.core.errors import UsageError
from manyminds.core.kernel import entry
from manyminds.core.random import generator
from manyminds.core.record import record
from manyminds.games.agents import agent as agents
from manyminds.games.agents import database as databases
from manyminds.games.agents.deck import FIELDS, code_of, draw_agent, fill_deck

KNOWN = ("N", "AC", "AD", "L", "P", "near-last", "near")
DECK = record(**FIELDS)


def test_names_are_read_back():
    for agent in itertools.islice(agents.ordered_subsets(), 0, None, 7):
        assert agents.parse_agent(agents.name_of(agent), KNOWN) == agent
    assert agents.parse_agent("near-last-AC-near", KNOWN) == ("near-last", "AC", "near")
    assert agents.parse_agent("random", KNOWN) == ()


def test_orders_are_numbered_as_in_a_dictionary():
    orders = agents.all_orders()
    assert len(orders) == 120 == len(set(orders))
    assert [agents.number_of(order) for order in orders] == list(range(120))
    assert agents.name_of(orders[0]) == "N-AC-AD-L-P"
    assert agents.name_of(orders[1]) == "N-AC-AD-P-L"
    assert agents.name_of(orders[119]) == "P-L-AD-AC-N"
    assert agents.order_numbered(24) == ("AC", "N", "AD", "L", "P")  # 24 orders begin with N
    # 120 full orders, 325 of some heuristics, 326 with the random one (the fact sheet's section 5)
    assert len(list(agents.ordered_subsets())) == 326


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("N-AX-L", 'no heuristic "AX"'),
        ("N-AC-N", "twice"),
        ("NN", "did you mean"),
    ],
)
def test_wrong_agents_are_named(text, words):
    with pytest.raises(UsageError, match=words):
        agents.checked(agents.parse_agent(text, KNOWN), KNOWN)


# --- draws -----------------------------------------------------------------------------------------


@entry
def draw_many(deck, rng, out):
    for k in range(out.shape[0]):
        out[k] = draw_agent(deck, rng)


@pytest.mark.parametrize(
    "weights", [[1], [1] * 5, [3, 1, 2, 10], [1e-6, 1, 1], list(range(1, 121))]
)
def test_agents_are_drawn_as_their_weights_say(weights):
    deck, n, draws = DECK.new(), len(weights), 400_000
    orders = agents.all_orders()[:n]
    places = {name: place for place, name in enumerate(agents.FIVE, 1)}
    fill_deck(deck, orders, weights, places)
    out = np.zeros(draws, np.uint64)
    draw_many(deck, generator(3), out)
    counts = [int((out == code_of(order, places)).sum()) for order in orders]
    assert sum(counts) == draws
    for count, weight in zip(counts, weights, strict=True):
        share = weight / sum(weights)
        spread = math.sqrt(draws * share * (1 - share))
        assert abs(count - draws * share) <= 5.5 * spread + 1  # one in 10**7 for each of 136


# --- databases -------------------------------------------------------------------------------------


def test_shipped_databases_are_those_of_the_paper():
    table1 = databases.find_database("table1")
    assert table1.names == (
        "N-AC-AD-L-P",
        "AD-N-AC-P-L",
        "AD-N-P-AC-L",
        "AD-AC-P-N-L",
        "N-AC-P-L-AD",
    )
    table3 = databases.find_database("table3")
    assert table3.names[:3] == table1.names[:3]
    assert table3.names[3:] == ("AD-P-L-N-AC", "AC-N-AD-L-P")
    assert len(databases.find_database("all120").agents) == 120
    assert databases.find_database("stock").names == ("AC-AD-L-P",)
    assert set(databases.known_databases()) >= {"default", "faithful", "stock", "table1", "table3"}
    assert all(databases.known_databases().values())


def test_a_database_is_its_file(tmp_path):
    before = databases.Database(
        ("N-AC", "P", "random"),
        (1, 2.5, 1),
        title="mine",
        help='a "quoted" line',
        release="0.4",
        evidence={"games": 10, "share": 0.5, "sets": [["N"]], "by": {"whom": "me"}},
    )
    file = tmp_path / "mine.toml"
    file.write_text(before.to_toml())
    after = databases.read_database(file)
    assert after == before
    assert after.evidence == before.evidence
    assert databases.find_database(str(file)) == before
    assert before.with_agent("AD-L", 3).weights == (1, 2.5, 1, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('agent = ["N"]', 'no key "agent"; did you mean "agents"'),
        ("agents = []", "agents is a list"),
        ('agents = [["N", "AX"]]', 'no heuristic "AX"'),
        ('agents = ["N"]\nweights = [1, 2]', "one number for each of the 1 agents"),
        ('agents = ["N"]\nweights = [0]', "above 0"),
        ('agents = ["N"]\nrelease = "0.5"', "release is one of"),
        ('agents = ["N"]\nfiles = ["none.py"]', "none.py"),
        ('agents = ["N"', "not TOML"),
        ("agents = [1]", "an agent is a list"),
    ],
)
def test_wrong_files_say_what_is_wrong(tmp_path, text, words):
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=words):
        databases.read_database(file)


def test_unknown_names_name_the_nearest():
    with pytest.raises(UsageError, match='did you mean "table1"'):
        databases.find_database("tabel1")
    with pytest.raises(UsageError, match="No such file"):
        databases.find_database("missing.toml")
