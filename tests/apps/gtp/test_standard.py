"""What GTP 2 says of its commands."""

import pytest

from manyminds.apps.gtp.session import COMMANDS

REQUIRED = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)
TOURNAMENT = (
    *("fixed_handicap", "place_free_handicap", "set_free_handicap", "undo"),
    *("time_settings", "time_left", "final_score", "final_status_list"),
)
REGRESSION = ("loadsgf", "reg_genmove", "showboard")


def test_knows_all_that_the_protocol_lists(talk):
    engine = talk()
    listed = engine("list_commands").split("\n")
    assert listed == list(COMMANDS)
    for name in REQUIRED + TOURNAMENT + REGRESSION:
        assert name in listed
        assert engine(f"known_command {name}") == "true"
    assert engine("known_command fly") == engine("known_command") == "false"
    assert engine("protocol_version") == "2"


def test_answers_carry_the_number_and_end_with_a_blank_line(talk):
    engine = talk()
    assert engine.raw("17 name") == "=17 manyminds\n\n"
    assert engine.raw("18 fly") == "?18 unknown command\n\n"
    assert engine.raw("boardsize 7") == "=\n\n"
    assert "\n\n" not in engine.raw("showboard")[:-2]


def test_comments_controls_and_blank_lines_are_no_commands(talk):
    engine = talk()
    assert engine.raw("# only a comment") == engine.raw("  \t ") == engine.raw("\x07\x00") == ""
    assert engine.raw("2\tname # which") == "=2 manyminds\n\n"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("boardsize 4", "unacceptable size"),
        ("boardsize 25", "unacceptable size"),
        ("boardsize nine", "boardsize not an integer"),
        ("komi much", "komi not a float"),
        ("komi nan", "komi not a float"),
        ("play b", "invalid color or coordinate"),
        ("play purple E5", "invalid color"),
        ("play b I5", "invalid coordinate"),
        ("play b K9", "invalid coordinate"),
        ("undo", "cannot undo"),
        ("fixed_handicap 1", "invalid number of stones"),
        ("fixed_handicap 10", "invalid number of stones"),
        ("set_free_handicap E5", "bad vertex list"),
        ("set_free_handicap E5 E5", "bad vertex list"),
        ("time_settings 1 2", "syntax error"),
        ("loadsgf nowhere.sgf", "cannot load file: nowhere.sgf cannot be read: No such file or directory"),
        ("final_status_list asleep", "syntax error: dead, alive or seki"),
    ],
)  # fmt: skip
def test_refuses_in_the_words_of_the_protocol(talk, line, answer):
    assert talk()(line, refused=True) == answer


def test_refuses_what_the_rules_forbid(talk):
    engine = talk()
    for move in ("b A2", "w A1", "b B1"):  # white's corner stone is taken
        engine(f"play {move}")
    assert engine("play w A1", refused=True) == "illegal move"  # suicide
    assert engine("play w A2", refused=True) == "illegal move"  # occupied
    assert engine("list_stones w") == ""


def test_a_ko_is_forbidden_at_once_and_allowed_later(talk):
    engine = talk()
    for move in ["b B1", "w C1", "b A2", "w D2", "b B3", "w C3", "b C2", "w B2"]:
        engine(f"play {move}")
    assert engine("play b C2", refused=True) == "illegal move"
    engine("play b J9")
    engine("play w J1")
    assert engine("play b C2") == ""


def test_colours_may_move_out_of_turn(talk):
    engine = talk()
    for move in ("white E5", "W D5", "w C5"):
        engine(f"play {move}")
    assert engine("list_stones white").split() == ["C5", "D5", "E5"]
    assert engine("genmove w") != "resign"


def test_undo_goes_back_move_by_move(talk):
    engine = talk()
    empty = engine("showboard")
    engine("play b E5")
    engine("play w pass")
    engine("undo")
    assert engine("move_history") == "black E5"
    engine("undo")
    assert engine("showboard") == empty


def test_two_passes_do_not_end_the_conversation(talk):
    engine = talk("rave@30")
    for colour in "bw":
        engine(f"play {colour} pass")
    assert engine("genmove b") != ""
    assert engine("play w E5") == ""


def test_komi_may_change_in_a_game(talk):
    engine = talk()
    engine("play b E5")
    for points in ("0", "6.5", "-3"):
        engine(f"komi {points}")
        assert engine("get_komi") == points
        assert engine("list_stones b") == "E5"
    assert engine("final_score") == "B+84"


def test_the_same_position_gets_the_same_answer(talk):
    engine = talk("rave@200")
    engine("play b C3")
    first = engine("reg_genmove w")
    engine("genmove w")
    engine("undo")
    assert engine("reg_genmove w") == first
    assert engine("move_history") == "black C3"


def test_handicap_of_three_kinds(talk):
    engine = talk()
    assert engine("boardsize 19") == ""
    assert engine("fixed_handicap 4").split() == ["D4", "Q16", "D16", "Q4"]
    assert engine("fixed_handicap 4", refused=True) == "board not empty"
    engine("clear_board")
    assert len(set(engine("place_free_handicap 13").split())) == 13
    engine("clear_board")
    assert engine("set_free_handicap C3 D4 Q17") == ""
    assert engine("list_stones b").split() == ["C3", "D4", "Q17"]
    assert "to play: white" in engine("showboard")
    assert engine("undo", refused=True) == "cannot undo"


FIXED = {  # GTP 2 specification, section 4.1.1
    (19, 9): "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
    (19, 7): "D4 Q16 D16 Q4 D10 Q10 K10",
    (19, 5): "D4 Q16 D16 Q4 K10",
    (19, 3): "D4 Q16 D16",
    (13, 8): "D4 K10 D10 K4 D7 K7 G4 G10",
    (9, 6): "C3 G7 C7 G3 C5 G5",
    (8, 4): "C3 F6 C6 F3",
}


@pytest.mark.parametrize(("size", "stones"), FIXED)
def test_fixed_handicap_is_where_the_protocol_says(talk, size, stones):
    engine = talk()
    engine(f"boardsize {size}")
    assert engine(f"fixed_handicap {stones}").split() == FIXED[size, stones].split()


def test_a_move_that_resigns(talk):
    engine = talk("rave@30")
    engine("manyminds-param resign 1")
    assert engine("genmove b") == "resign"
    assert engine("move_history") == ""


def test_an_error_of_ours_is_an_answer_too(talk, capsys):
    engine = talk()
    engine.session.thinker.decide = lambda *_: 1 / 0
    assert engine("genmove b", refused=True) == "internal error: ZeroDivisionError"
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert engine("name") == "manyminds"
