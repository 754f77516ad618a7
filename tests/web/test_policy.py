"""Programs that pages may ask for run no commands and read no files."""

from dataclasses import replace

import pytest

import manyminds.teams  # noqa: F401 - it registers the mates, which pages may ask for
from manyminds.apps.web import policy
from manyminds.apps.web.limits import Bucket, Limits
from manyminds.apps.web.refused import Refused
from manyminds.games.go.game import go
from manyminds.players.arguments import Argument, Kind, whole
from manyminds.players.registry import Entry

LIMITS = Limits(thinking=5.0, simulations=20_000)
GAME = go(size=9, colours=3)


@pytest.mark.parametrize("text", ["rave@1000", "uct(c=0.3)@2s", "random", 'rave(playout="eye")@10'])
def test_programs_that_only_think_are_taken(text):
    assert policy.check(text, GAME, LIMITS, {})


def test_a_program_without_a_budget_gets_one():
    assert policy.check("rave", GAME, LIMITS, {}) == "rave@1000"


@pytest.mark.parametrize(
    "text",
    [
        "gtp(\"sh -c 'touch here'\")",
        "gtp(reboot)",
        "remote(127.0.0.1:22)@10ms",
        "roots(channel=virtual(loss=0.3))@10",
        "person",
        "rave@6s",
        "rave@20001",
        "rave@100000nodes",
        "rave(memory=2000)@10",
        'rave(playout="../../secret")@10',
        "nobody@10",
        "rave(k=-1)@10",
        "rave(",
        "",
        "x" * 5000,
    ],
)
def test_everything_else_is_refused(text):
    with pytest.raises(Refused):
        policy.check(text, GAME, LIMITS, {})


def test_a_host_may_offer_what_pages_may_not_ask_for():
    two = go(size=9, colours=2)
    own = {"gnugo": "gtp('gnugo --mode gtp')@1"}
    assert policy.check("gnugo", two, LIMITS, own).startswith("gtp(")
    with pytest.raises(Refused):
        policy.check("gtp('gnugo --mode gtp')@1", two, LIMITS, own)


def test_the_form_offers_what_may_be_asked_for():
    names = {entry["name"] for entry in policy.catalogue(GAME)}
    assert {"rave", "uct", "random"} <= names
    assert not names & {"gtp", "person", "remote"}
    assert "roots" not in names, "nobody on a Go board has a mate"


def test_an_argument_of_an_unknown_kind_is_not_for_strangers():
    """Who writes a kind says that it is harmless, or pages may not fill it in."""
    word = Kind("a word", lambda value, game: value)
    argument = Argument("file", word, "")
    assert policy.safe(Entry("mine", "mine:make", (argument,), "", None))
    assert not policy.safe(
        Entry("mine", "mine:make", (replace(argument, positional=True),), "", None)
    )
    assert policy.delicate(argument)
    assert not policy.delicate(Argument("n", whole(1, 5), 1))


def test_a_bucket_gives_its_burst_and_then_its_rate():
    bucket = Bucket(rate=2.0, burst=3.0, now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(0.4)
    assert bucket.take(0.5)
    assert not bucket.full(1.0)
    assert bucket.full(3.0)
