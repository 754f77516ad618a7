"""Games as SGF files: read back as they were written, and shown by programs for two colours."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manyminds.core.errors import UsageError
from manyminds.games.go import sgf
from manyminds.games.go import sgf_values as values
from manyminds.games.go.colours import COLOURS
from manyminds.games.go.coordinates import PASS, point_named
from manyminds.games.go.diagram import draw, parse
from manyminds.games.go.sgf import SgfRecord, in_turn
from manyminds.games.go.sgf_tree import LONGEST

from .drawn import place_of, point_of
from .reference import Reference, liberties, string


def points(text, size=9):
    return [point_named(name, size, size) for name in text.split()]


def random_game(width, height, colours, seed, most=60):
    """The moves of a random game by the slow rules, colours in turn."""
    rng, board = random.Random(seed), Reference(width, height, colours)
    moves = []
    while not board.over() and len(moves) < most:
        moves.append((board.to_play, point_of(rng.choice(board.legal_moves()))))
        board.play(place_of(moves[-1][1]))
    return moves


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
talk = st.lists(words, max_size=3).map("\n".join)
halves = st.integers(-400, 800).map(lambda number: number / 2)


@st.composite
def records(draw_from):
    width, height = draw_from(st.integers(1, 19)), draw_from(st.integers(1, 19))
    colours = draw_from(st.integers(2, 6))
    moves = random_game(width, height, colours, draw_from(st.integers(0, 99)), most=20)

    def one_each(values):
        return draw_from(st.just(()) | st.tuples(*[values] * colours))

    names = one_each(words)
    return SgfRecord(
        *(width, height, colours, moves, {}, moves[0][0] if moves else 1),
        komi=one_each(halves),
        names=names if any(names) else (),
        points=one_each(halves),
        result=draw_from(st.just("") | words),
        **{name: draw_from(words) for name in ("rules", "event", "date")},
        comment=draw_from(talk),
        remarks=draw_from(
            st.dictionaries(st.integers(0, max(0, len(moves) - 1)), talk.filter(bool))
        )
        if moves
        else {},
    )


@settings(max_examples=150)
@given(records())
def test_a_record_reads_back_as_it_was_written(record):
    read = sgf.read(sgf.write(record).encode())
    if not record.result:
        read.result = ""  # of two colours it is worked out from the points
    assert read == record


def test_a_game_of_two_colours_is_plain_sgf():
    record = SgfRecord(
        *(9, 9, 2, in_turn(points("E5 C3 pass"), 2)),
        komi=(0, 6.5),
        names=("Ada", "Bob [2d]"),
        points=(40.0, 47.5),
        rules="Chinese",
        remarks={1: "a:b"},
    )
    assert sgf.write(record) == (
        "(;GM[1]FF[4]CA[UTF-8]AP[manyminds:1]SZ[9]PB[Ada]PW[Bob [2d\\]]KM[6.5]RU[Chinese]"
        "RC[black:40][white:47.5]RE[W+7.5]\n"
        ";B[ee]\n;W[cg]C[a:b]\n;B[])\n"
    )


def test_a_game_of_three_colours_is_written_as_documented():
    moves = in_turn(points("A2 A1 B1 pass pass pass", 5), 3)
    record = SgfRecord(5, 5, 3, moves, names=("", "", "Cy"), komi=(0, 1, 2.5))
    text = sgf.write(record)
    root, *nodes = text.splitlines()
    assert "CL[black][white][red]" in root
    assert "PN[red:Cy]KC[black:0][white:1][red:2.5]" in root
    assert "RE[" not in root
    assert nodes == [
        ";B[ad]",
        ";W[ae]",
        ";MC[red:be]AE[ae]C[Red plays B1]LB[be:R]",  # black and red take the white stone
        ";B[]LB[be:R]",
        ";W[]LB[be:R]",
        ";MC[red:]C[Red passes]LB[be:R])",
    ]
    assert sgf.read(text).moves == moves


class Viewer:
    """What a program for two colours shows: it knows B, W, AB, AW, AE, LB, and skips the rest."""

    def __init__(self, width, height, suicide):
        self.board, self.suicide = Reference(width, height, 2), suicide

    def show(self, node):
        for name, colour in (("AE", None), ("AB", 1), ("AW", 2)):
            for raw in node.properties.get(name, []):
                self._set(self._place(raw), colour)
        for name, colour in (("B", 1), ("W", 2)):
            for raw in node.properties.get(name, []):
                if raw:
                    self._play(self._place(raw), colour)
        labels = (raw.split(":") for raw in node.properties.get("LB", []))
        return dict(self.board.stones), {self._place(raw): label for raw, label in labels}

    def _place(self, raw):
        return place_of(values.point(raw, self.board.width, self.board.height))

    def _set(self, place, colour):
        self.board.stones.pop(place, None)
        if colour:
            self.board.stones[place] = colour

    def _play(self, place, colour):
        self.board.stones.pop(place, None)
        self.board.to_play = colour
        self.board.stones = self.board._after(place)
        own = string(self.board, self.board.stones, place)
        if self.suicide and not liberties(self.board, self.board.stones, own):
            for gone in own:
                del self.board.stones[gone]


@settings(max_examples=40)
@given(
    st.integers(2, 7), st.integers(2, 7), st.integers(3, 6), st.integers(0, 10**6), st.booleans()
)
def test_programs_for_two_colours_show_the_real_board(width, height, colours, seed, suicide):
    """Black and white right after every move of a further colour, further stones always, as labels."""
    moves = random_game(width, height, colours, seed, most=90)
    (root,) = sgf.read_trees(sgf.write(SgfRecord(width, height, colours, moves)))
    real, viewer = Reference(width, height, colours), Viewer(width, height, suicide)
    for node, (colour, point) in zip(list(root.main_line())[1:], moves, strict=True):
        real.play(place_of(point))
        shown, labels = viewer.show(node)
        assert labels == {p: COLOURS[c - 1].letter for p, c in real.stones.items() if c > 2}
        moved, set_up = ({"B", "W"}, {"AB", "AW", "AE"})
        assert not (moved & node.properties.keys() and set_up & node.properties.keys())
        if colour > 2:
            assert shown == {place: c for place, c in real.stones.items() if c <= 2}


def test_a_drawn_start_with_six_colours_survives():
    start = parse("""
        4 X . O .
        3 R B . G
        2 . . Y .
        1 . . . .
        to play: blue
    """)
    record = SgfRecord(4, 4, 6, stones=start.stones, to_play=4)
    text = sgf.write(record)
    assert "AC[yellow:cc][red:ab][blue:bb][green:db]AB[aa]AW[ca]TP[blue]" in text
    assert draw(sgf.read(text).start()) == draw(start)


# --- files of others -----------------------------------------------------------------------------

OTHERS = r"""
Sent by a friend:

(;FF[3]GaMe[1]SiZe[9]AddBlack[cc][gg]HA[2]KM[0.5]
  PlayerBlack[A. Nother]PW[]DT[2008-09-29]GN[one \] two]XX[what is this]C[An old
file]
;W[ee]BL[300](;B[tt]C[pass];W[ce])(;B[aa];W[bb]))
(;GM[11]C[another game])
"""


def test_reads_an_old_file_and_its_main_line():
    record = sgf.read(OTHERS)
    assert (record.width, record.komi, record.names) == (9, (0.0, 0.5), ("A. Nother", ""))
    assert record.moves == [(2, points("E5")[0]), (1, PASS), (2, points("C5")[0])]
    assert (record.to_play, record.comment, record.remarks) == (2, "An old\nfile", {1: "pass"})
    assert record.stones == {(6, 2): 1, (2, 6): 1}


def test_variations_and_unknown_properties_survive_reading_and_writing():
    trees = sgf.read_trees(OTHERS)
    again = sgf.read_trees(sgf.serialise(trees))
    assert len(again) == len(trees) == 2
    assert again[0].properties["XX"] == ["what is this"]
    assert [len(node.children) for node in again[0].main_line()] == [1, 2, 1, 0]


def test_without_sz_the_board_is_19x19_and_rectangles_are_width_by_height():
    assert (sgf.read("(;)").width, sgf.read("(;)").height) == (19, 19)
    record = sgf.read("(;SZ[9:13];B[aa])")
    assert (record.width, record.height) == (9, 13)
    assert record.moves == [(1, point_named("A13", 9, 13))]


def test_setup_before_the_first_move_may_take_several_nodes():
    record = sgf.read("(;SZ[9];AB[aa:cc];AE[bb]AW[ii]PL[W];B[ee])")
    assert len(record.stones) == 9
    assert record.stones[0, 8] == 2
    assert (1, 7) not in record.stones
    assert record.to_play == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(;GM[2])", r"GM\[2\] is not Go"),
        ("(;SZ[52])", "at most 19x19"),
        ("(;SZ[9][9])", "SZ has 2 values"),
        ("(;SZ[9];B[aa]W[bb])", "B and W in one node"),
        ("(;SZ[9];B[aa][bb])", "B has 2 values"),
        ("(;SZ[9];B[jj])", "not a point of a 9x9 board"),
        ("(;SZ[9];B[aa];AB[bb])", "cannot be replayed"),
        ("(;SZ[9];B[aa];PL[B])", "cannot be replayed"),
        ("(;SZ[9]AB[aa]AW[aa])", "sets up a point twice"),
        ("(;SZ[9]AB[aa]AW[ab][ba])", "without liberties"),
        ("(;SZ[9]PL[red])", "neither PL"),
        ("(;SZ[9]KM[six])", "not a number"),
        ("(;SZ[9]HA[x])", "not a number"),
        ("(;SZ[9];MC[red:aa])", "CL does not name"),
        ("(;SZ[9]CL[black][white][red];MC[red])", r"written like MC\[red:"),
        ("(;SZ[9]CL[black][white][red];MC[rod:aa])", 'did you mean "red"'),
        ("(;SZ[9]CL[black][white][red]TP[blue])", "TP names a colour"),
        ("(;SZ[9]CL[black][red][white])", r"CL\[black\]\[white\]\[red\]"),
        ("(;SZ[9]CL[black])", "2 to 6 colours"),
        ("(;SZ[9]CL[black][white][red]RC[black:1][white:2])", "leaves some"),
        ("(;SZ[9]RC[black:1][black:2])", "two values for one colour"),
        ("(" + ";AE[aa]" * 1001 + ")", "more than 1000 nodes with setup"),
    ],
)
def test_what_cannot_be_replayed_is_refused(text, says):
    with pytest.raises(UsageError, match=says):
        sgf.read(text)


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (SgfRecord(20, 9), "from 1 to 19"),
        (SgfRecord(9, 9, 7), "2 to 6"),
        (SgfRecord(9, 9, 2, [(3, 42)]), "red does not play"),
        (SgfRecord(9, 9, 2, [(1, 30)]), "no point of a 9x9 board"),
        (SgfRecord(9, 9, 3, komi=(0, 6.5)), "2 komi for 3 colours"),
        (SgfRecord(9, 9, 2, remarks={0: "hm"}), "a move that was not played"),
    ],
)
def test_what_no_file_can_keep_is_not_written(record, says):
    with pytest.raises(UsageError, match=says):
        sgf.write(record)


# --- moves in turn -------------------------------------------------------------------------------


@given(st.integers(2, 6), st.integers(1, 6), st.lists(st.sampled_from([0, *points("A1 E5 J9")])))
def test_moves_in_turn_are_those_that_were_played(colours, first, moves):
    first = min(first, colours)
    record = SgfRecord(9, 9, colours, in_turn(moves, colours, first), to_play=first)
    assert record.moves_in_turn() == moves


def test_passes_that_a_file_leaves_out_are_filled_in_on_request():
    record = sgf.read("(;SZ[9]CL[black][white][red];B[aa];MC[red:bb];MC[red:cc])")
    with pytest.raises(UsageError, match="move 2 is red's where it is white's turn"):
        record.moves_in_turn()
    a, b, c = points("A9 B8 C7")
    assert record.moves_in_turn(fill_passes=True) == [a, PASS, b, PASS, PASS, c]


# --- files and whatever comes --------------------------------------------------------------------


def test_a_file_on_disk_reads_back(tmp_path):
    record = SgfRecord(9, 9, 3, in_turn(points("E5 C3 G7"), 3), names=("Zoë", "囲", "碁"))
    sgf.save(record, tmp_path / "game.sgf")
    assert sgf.load(tmp_path / "game.sgf") == record


def test_a_file_that_cannot_be_read_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        sgf.load(tmp_path / "none.sgf")
    with pytest.raises(UsageError, match="cannot be read"):
        sgf.load(tmp_path)
    (tmp_path / "long.sgf").write_bytes(b"(;C[" + b"a" * LONGEST + b"])")
    with pytest.raises(UsageError, match="split the file"):
        sgf.load(tmp_path / "long.sgf")


KNOWN = "B W MC AB AW AE AC PL TP CL PN KC RC KM SZ GM HA PB RE C LB CA FF"
SAID = r"aa tt cc:dd red:cc red: black:1 white:2 red:3 1 9 3:4 black white red B W \ \] : 6.5 nan"
MADE_OF = st.sampled_from(KNOWN.split())
VALUES = st.sampled_from([*SAID.split(), "", "Red plays C3\nhm"])
NODES = st.lists(st.tuples(MADE_OF, st.lists(VALUES, min_size=1, max_size=3)), max_size=3)


@settings(max_examples=400)
@given(st.lists(NODES, max_size=4), st.sampled_from(["", "SZ[9]", "SZ[9]CL[black][white][red]"]))
def test_only_usage_errors_come_out_of_any_file(nodes, start):
    text = "".join(
        ";" + (start if n == 0 else "") + "".join(f"{p}[{']['.join(v)}]" for p, v in node)
        for n, node in enumerate(nodes)
    )
    try:
        record = sgf.read(f"({text})")
    except UsageError:
        return
    again = sgf.read(sgf.write(record))
    again.result = record.result
    assert again == record
