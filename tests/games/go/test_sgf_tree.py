"""SGF as text: the grammar, its limits, and files as they come from outside."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manyminds.core.errors import UsageError
from manyminds.games.go import sgf_tree
from manyminds.games.go.sgf_tree import Node, decode, parse, serialise


def shape(node):
    """A tree as nested lists of (properties, children); small trees only."""
    return node.properties, [shape(child) for child in node.children]


names = st.from_regex("[A-Z]{1,3}", fullmatch=True)
raw_values = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(
    lambda text: text.replace("\\", "\\\\").replace("]", "\\]")
)
properties = st.dictionaries(names, st.lists(raw_values, min_size=1, max_size=3), max_size=3)


def with_children(made):
    node = Node(made[0])
    node.children = made[1]
    return node


trees = st.recursive(
    st.tuples(properties, st.just([])),
    lambda deeper: st.tuples(properties, st.lists(deeper.map(with_children), max_size=3)),
    max_leaves=12,
).map(with_children)


@given(st.lists(trees, min_size=1, max_size=3))
def test_what_is_written_reads_back_with_all_variations(roots):
    text = serialise(roots)
    assert [shape(root) for root in parse(text)] == [shape(root) for root in roots]
    assert serialise(parse(text)) == text


def test_the_first_child_goes_on_with_the_main_line():
    (root,) = parse("(;A[1];B[2](;C[3](;D[4])(;E[5]))(;F[6];G[7]))")
    assert [list(node.properties) for node in root.main_line()] == [["A"], ["B"], ["C"], ["D"]]
    assert [len(node.children) for node in root.main_line()] == [1, 2, 2, 0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(;C[a])", {"C": ["a"]}),
        ("a letter (with brackets)\n( ;C[a])\n\n", {"C": ["a"]}),  # FF[4] skips what comes before
        (" (\n;\tC\r\n[a] [b]\n[c] )\x1a", {"C": ["a", "b", "c"]}),
        ("(;C[a]B[x]C[b])", {"C": ["a", "b"], "B": ["x"]}),  # twice in one node, as some write
        ("(;AddBlack[aa]Comment[x])", {"AB": ["aa"], "C": ["x"]}),  # as FF[3] wrote
        (r"(;C[\]\\\)(\;])", {"C": [r"\]\\\)(\;"]}),
        ("(;C[])", {"C": [""]}),
        ("(;)", {}),
    ],
)
def test_reads_a_node(text, found):
    (root,) = parse(text)
    assert root.properties == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no SGF"),
        ("()", "no SGF"),
        ("(;C[a]", '1 times "\\)" is missing'),
        ("(;C[a", "'\\[a' is not SGF"),
        ("(;C[a\\])", "is not SGF"),
        ("(;)(", "a variation without a node|is missing"),
        ("(;)()", "variation without a node"),
        ("(;(", "is missing|without a node"),
        ("(;((;)))", "before the first node"),
        ("(;());", "variation without a node"),
        ("(;(;);)", "after a variation"),
        ("(;(;)C[a])", "outside a node"),
        ("(;));", 'without "\\("'),
        ("(;);", "outside"),
        ("(;)C[a]", "outside a node"),
        ("(;)-- \nBob", "'-- .nBob' is not SGF"),
        ("(;[a])", "value without a property"),
        ("(;C)", "without a value"),
        ("(;C;B[a])", "without a value"),
        ("(;C B[a])", "without a value"),
        ("(;c[a])", "no capital letter"),
        ("(;C[a]\n\n  5[b])", r"line 3, column 3: '5\[b\]\)' is not SGF"),
        ("(;" + "A" * 65 + "[a])", "not SGF"),
    ],
)
def test_what_is_not_sgf_is_refused(text, says):
    with pytest.raises(UsageError, match=says):
        parse(text)


def test_errors_say_the_line_and_the_column():
    with pytest.raises(UsageError, match="SGF, line 3, column 3: "):
        parse("(;C[a\nb]\n;B[c)")


TOO_MUCH = {
    "characters": ("(;C[" + "a" * sgf_tree.LONGEST + "])", "more than 8 MiB"),
    "nodes": ("(" + ";" * (sgf_tree.MOST_NODES + 1) + ")", "more than 100000 nodes"),
    "depth": ("(;" * (sgf_tree.DEEPEST + 1), "more than 2000 deep"),
    "values": ("(;C" + "[]" * (sgf_tree.MOST_VALUES + 1) + ")", "more than 2000 values"),
    "an open value": ("(;C[" + "\\a" * 1_000_000, "is not SGF"),
    "an open name": ("(;" + "A" * 1_000_000, "is not SGF"),
    "brackets": ("(" * 1_000_000, "no SGF"),
    "blanks": ("(;" + " " * 1_000_000 + "!", "is not SGF"),
    "starts": ("( " * 1_000_000, "no SGF"),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_too_much_of_anything_is_refused_soon(what):
    text, says = TOO_MUCH[what]
    begun = time.process_time()
    with pytest.raises(UsageError, match=re.escape(says)):
        parse(text)
    assert time.process_time() - begun < 5


def test_the_deepest_and_longest_trees_that_are_allowed_are_read_and_written():
    for text in ("(;" * sgf_tree.DEEPEST + ")" * sgf_tree.DEEPEST, "(" + ";" * 100_000 + ")"):
        roots = parse(text)
        assert serialise(parse(serialise(roots))) == serialise(roots)
        assert sum(1 for _ in roots[0].main_line()) == text.count(";")


# --- character sets ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("(;C[囲碁 é])".encode(), "囲碁 é"),  # no CA, but plainly UTF-8
        ("(;C[é])".encode("latin-1"), "é"),  # no CA, and no UTF-8
        ("(;CA[UTF-8]C[é])".encode(), "é"),
        ("(;CA[ISO-8859-1]C[é])".encode("latin-1"), "é"),
        ("(;CA [ shift_jis ]C[囲碁])".encode("shift_jis"), "囲碁"),
        ("(;CA[Shift-JIS]C[ソ表])".encode("shift_jis"), "ソ表"),  # has bytes of "\\" inside
        ("(;CA[gb18030]C[围棋])".encode("gb18030"), "围棋"),
        ("(;CA[EUC-KR]C[바둑])".encode("euc-kr"), "바둑"),
        ("\ufeff(;C[é])".encode(), "é"),
        ("(;C[é])".encode("utf-16"), "é"),
    ],
)
def test_reads_the_charset_that_a_file_is_in(data, text):
    assert parse(decode(data))[0].properties["C"] == [text]


@pytest.mark.parametrize("charset", ["rot13", "hex", "punycode", "utf-7", "unicode_escape", "utf9"])
def test_other_charsets_are_refused_even_where_python_knows_them(charset):
    with pytest.raises(UsageError, match="is not a charset"):
        decode(f"(;CA[{charset}]C[a])".encode())


def test_ca_in_a_comment_is_no_charset():
    assert decode(r"(;C[try CA[hex\]]CA[UTF-8]N[é])".encode()).endswith("N[é])")


def test_bytes_that_the_charset_does_not_have_are_marked_and_not_fatal():
    assert "\N{REPLACEMENT CHARACTER}" in decode(b"(;CA[UTF-8]C[\xff])")


# --- whatever comes -----------------------------------------------------------------------------

pieces = st.sampled_from(
    [*"()[]\\;:", "(;", ")", "C[a]", "B[aa]", "MC[red:]", " ", "\n", "[", "é", "\0", "SZ[9]", "AB"]
)


@settings(max_examples=300)
@given(st.lists(pieces, max_size=30).map("".join))
def test_only_usage_errors_come_out_of_any_text(text):
    try:
        roots = parse(text)
    except UsageError:
        return
    assert serialise(parse(serialise(roots))) == serialise(roots)


@settings(max_examples=300)
@given(st.binary(max_size=40), st.sampled_from([b"", b"(;C[", b"(;CA[big5]C[", b"\xff\xfe", b"(;"]))
def test_only_usage_errors_come_out_of_any_bytes(data, start):
    try:
        parse(decode(start + data))
    except UsageError:
        pass
