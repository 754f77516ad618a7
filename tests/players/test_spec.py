"""A player in one line, and back; the same from a table; nothing else but a UsageError."""

import string
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.players.spec import MOST_CHARACTERS, MOST_DEPTH, PlayerSpec

THOUSAND = Budget(simulations=1000)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", PlayerSpec("random")),
        ("rave@1000", PlayerSpec("rave", budget=THOUSAND)),
        ("paranoid(tree)@200ms", PlayerSpec("paranoid", ("tree",), (), Budget(milliseconds=200.0))),
        (
            "alliance(with=[white], scoring=joint)@1000",
            PlayerSpec("alliance", (), (("with", ("white",)), ("scoring", "joint")), THOUSAND),
        ),
        (
            'vote(rave, gtp("gnugo --mode gtp --level 8"))@1000',
            PlayerSpec(
                "vote",
                ("rave", PlayerSpec("gtp", ("gnugo --mode gtp --level 8",))),
                (),
                THOUSAND,
            ),
        ),
        ("go(database=my/table1.toml)", PlayerSpec("go", (), (("database", "my/table1.toml"),))),
        (
            "x(k=-3, c=.5, d=1e-3, e=true)",
            PlayerSpec("x", (), (("k", -3), ("c", 0.5), ("d", 0.001), ("e", True))),
        ),
        (
            " x ( [ a , [1] , [] ] ) @ 2s ",
            PlayerSpec("x", (("a", (1,), ()),), (), Budget(milliseconds=2000.0)),
        ),
        (r"""x('say "hi"', "a\"b\\c")""", PlayerSpec("x", ('say "hi"', 'a"b\\c'))),
        (
            "x(rave@500, rave())",
            PlayerSpec("x", (PlayerSpec("rave", budget=Budget(simulations=500)), "rave")),
        ),
    ],
)
def test_reads_what_people_type(text, spec):
    assert repr(PlayerSpec.parse(text)) == repr(spec)  # repr tells true from 1 and 1 from 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@100",
        "rave@",
        "rave@fast",
        "rave 1000",
        "rave(",
        "rave)",
        "rave(k=)",
        "rave(=1)",
        "rave(k=1,)",
        "rave(k=1, k=2)",
        "rave(k 1)",
        "rave([1, 2)",
        'gtp("gnugo)',
        "1rave",
        "rave@1000@1000",
        "räve",
        "rave(k=99999999999999999999)",
        "rave(k=1e999)",
        "rave(\x07)",
        'gtp("a\x1b[2J")',
        "rave(1(2))",
        "x" * 65,
        "x(" * 4000,
        "x([[[[[[[[[[[[1]]]]]]]]]]]])",
        "x(" + "a, " * 2000 + "a)",
    ],
)
def test_refuses_everything_else(text):
    with pytest.raises(UsageError):
        PlayerSpec.parse(text)


def test_says_where_it_stopped():
    with pytest.raises(UsageError, match=r'after "rave\(k" comes "," or "\)", not "1\)"'):
        PlayerSpec.parse("rave(k 1)")


def test_equal_players_have_one_text():
    one = PlayerSpec.parse("a( with = [white,red] , k=1 )@1s")
    other = PlayerSpec.parse("a(k=1,with=[white, 'red'])@1000ms")
    assert one == other
    assert str(one) == str(other) == "a(k=1, with=[white, red])@1000ms"
    assert hash(one) == hash(other)


def test_texts_that_look_like_something_else_are_quoted():
    spec = PlayerSpec("x", ("true", "10", "1.5", "", "a b", "a,b", "1e5", "inf"))
    assert str(spec) == 'x("true", "10", "1.5", "", "a b", "a,b", "1e5", inf)'


names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,12}", fullmatch=True)
printable = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=20
)
budgets = st.one_of(
    st.none(),
    st.builds(Budget, simulations=st.integers(1, 10**12)),
    st.builds(Budget, milliseconds=st.floats(0.001, 10**9)),
    st.builds(Budget, nodes=st.integers(1, 10**12)),
)
plain = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63),
    st.floats(allow_nan=False, allow_infinity=False),
    printable,
    names,
)


def specs_of(values):
    return st.builds(
        PlayerSpec,
        names,
        st.lists(values, max_size=3).map(tuple),
        st.dictionaries(names, values, max_size=3).map(lambda table: tuple(table.items())),
        budgets,
    )


def wider(inner):
    return st.one_of(st.lists(inner, max_size=3).map(tuple), specs_of(inner))


specs = specs_of(st.recursive(plain, wider, max_leaves=8)).filter(
    lambda spec: len(str(spec)) < MOST_CHARACTERS
)


@given(specs)
def test_a_player_survives_its_text(spec):
    assert repr(PlayerSpec.parse(str(spec))) == repr(spec)


alphabet = st.sampled_from(
    [*"()[]@=,\"'\\ .-+_", "rave", "vote(", "with=", "1000", "2s", "1.5", "true", "é"]
)
nearly = st.lists(alphabet, max_size=25).map("".join)


@given(st.one_of(st.text(), st.text(string.printable), nearly))
@example('x("\\')
@example("x(\\)")
def test_any_text_is_a_player_or_a_usage_error(text):
    try:
        spec = PlayerSpec.parse(text)
    except UsageError:
        return
    canonical = str(spec)
    assert repr(PlayerSpec.parse(canonical)) == repr(spec)
    assert str(PlayerSpec.parse(canonical)) == canonical


def test_a_table_is_the_same_player():
    table = tomllib.loads("""
        name = "vote"
        budget = "200ms"
        by = "estimate"
        k = 1
        share = 0.5
        players = ["rave", "rave@500", {name = "gtp", command = "gnugo --mode gtp"}]
    """)
    text = (
        "vote(by=estimate, k=1, share=0.5, "
        'players=[rave, "rave@500", gtp(command="gnugo --mode gtp")])@200ms'
    )
    assert repr(PlayerSpec.of(table)) == repr(PlayerSpec.of(text))


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"name": 3},
        {"name": "rave@1000"},
        {"name": "rave", "budget": "fast"},
        {"name": "rave", "budget": True},
        {"name": "rave", "k": None},
        {"name": "rave", "k": float("nan")},
        {"name": "rave", "k": {"no": "name"}},
        {"name": "rave", "no name": 1},
        {"name": "rave", "text": "\n"},
        {"name": "rave", "text": "x" * 5000},
        {"name": "rave", "list": [1] * 5000},
        3,
        None,
    ],
)
def test_other_tables_are_refused(table):
    with pytest.raises(UsageError):
        PlayerSpec.of(table)


def test_depth_is_bounded_whatever_it_comes_from():
    value = 1
    for _ in range(5000):
        value = [value]
    with pytest.raises(UsageError, match=f"more than {MOST_DEPTH} deep"):
        PlayerSpec.of({"name": "x", "list": value})
    player = {"name": "x"}
    for _ in range(5000):
        player = {"name": "x", "inner": player}
    with pytest.raises(UsageError, match=f"more than {MOST_DEPTH} deep"):
        PlayerSpec.of(player)


toml_values = st.recursive(
    st.one_of(plain, st.text(max_size=5), st.floats(), st.dates(), st.none(), st.integers()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(names, st.text(max_size=3), st.just("name")), inner, max_size=3),
    ),
    max_leaves=10,
)


@given(
    st.dictionaries(st.one_of(names, st.sampled_from(["name", "budget"])), toml_values, max_size=4)
)
def test_any_table_is_a_player_or_a_usage_error(table):
    try:
        spec = PlayerSpec.of(table)
    except UsageError:
        return
    assert repr(PlayerSpec.parse(str(spec))) == repr(spec)
