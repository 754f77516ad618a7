"""Commands beyond GTP 2: analysis, files, GoGui, more colours, other games."""

import re

import pytest


def analysed(answer):
    """The candidates of a line of analysis: {move: {key: value}}."""
    found = {}
    for part in answer.split("info ")[1:]:
        words = part.split(" ownership ")[0].split()
        at = words.index("pv")
        pairs = dict(zip(words[:at:2], words[1:at:2], strict=True))
        found[pairs["move"]] = pairs | {"pv": words[at + 1 :]}
    return found


@pytest.mark.parametrize("kind", ["lz", "kata"])
def test_analysis_streams_until_the_next_command(talk, kind):
    engine = talk("rave")
    engine.raw("play b E5")
    answer = engine.raw(f"7 {kind}-analyze w 1")
    assert answer.startswith("=7\ninfo move ")
    assert answer.endswith("\n\n")
    lines = answer.splitlines()[1:-1]
    assert len(lines) >= 2
    found = analysed(lines[-1])
    assert [each["order"] for each in found.values()] == [str(n) for n in range(len(found))]
    visits = [int(each["visits"]) for each in found.values()]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) > sum(int(e["visits"]) for e in analysed(lines[0]).values())
    top = 10000 if kind == "lz" else 1
    assert all(0 <= float(each["winrate"]) <= top for each in found.values())
    assert all(each["pv"][0] == move for move, each in found.items())
    assert engine("move_history") == "black E5"


def test_ownership_is_a_number_a_point(talk):
    engine = talk("rave")
    engine("boardsize 5")
    answer = engine.raw("kata-analyze interval 1 ownership true maxmoves 2")
    line = answer.splitlines()[1]
    owners = [float(word) for word in line.split(" ownership ")[1].split()]
    assert len(owners) == 25
    assert all(-1 <= owner <= 1 for owner in owners)
    assert len(analysed(line)) == 2


@pytest.mark.parametrize("player", ["rave@400", "random"])
def test_a_move_with_its_analysis(talk, player):
    engine = talk(player)
    answer = engine.raw("lz-genmove_analyze b 10")
    move = re.search(r"\nplay (\S+)\n\n$", answer)[1]
    assert engine("move_history") == f"black {move}"
    assert move in analysed(answer)


def test_loads_and_prints_files(talk, tmp_path):
    file = tmp_path / "a game.sgf"
    engine = talk()
    engine("boardsize 7")
    engine("fixed_handicap 2")
    for move in ("w D4", "b pass", "w E4"):
        engine(f"play {move}")
    board = engine("showboard")
    engine(f"printsgf {file}")
    again = talk()
    again(f"loadsgf {file}")
    assert again("showboard") == board
    again(f"loadsgf {file} 3")
    assert again("move_history") == "black pass\nwhite D4"
    again(f"loadsgf {file} 1")
    assert again("move_history") == ""
    assert again("list_stones b").split() == ["C3", "E5"]


def test_parameters_of_gogui(talk):
    engine = talk("rave@100")
    assert "param/Parameters/manyminds-param" in engine("gogui-analyze_commands").split("\n")
    for line in engine("manyminds-param").split("\n"):
        assert re.fullmatch(r"\[(bool|string)\] [a-z]+ .+", line)
    engine("manyminds-param budget 50ms")
    engine("manyminds-param ponder 1")
    shown = engine("manyminds-param")
    assert "[string] budget 50ms" in shown
    assert "[bool] ponder 1" in shown
    assert "did you mean" in engine("manyminds-param player ravee", refused=True)
    assert engine("manyminds-param budget lots", refused=True).startswith('"lots" is no budget')


def test_pondering_is_off_and_can_be_on(talk):
    engine = talk("rave@50")
    engine("genmove b")
    assert not engine.session.ponder
    before = engine.session.thinker.search(0).simulations
    assert engine.session._think_on()
    assert engine.session.thinker.search(0).simulations > before


def test_three_colours(talk):
    engine = talk("rave@30")
    engine("manyminds-colours black white red")
    engine("boardsize 7")
    engine("manyminds-komi 0 1 2.5")
    for move in ("black C3", "w D3", "red E3"):
        engine(f"play {move}")
    move = engine("genmove black")
    assert engine("move_history").split("\n")[0] == f"black {move}"
    names = [line.split()[0] for line in engine("manyminds-points").split("\n")]
    assert names == ["black", "white", "red"]
    assert engine("final_score").split()[::2] == names
    assert engine("play blue A1", refused=True) == "invalid color"


def test_blue_has_no_letter_since_b_is_black(talk):
    engine = talk()
    engine("manyminds-colours black white red blue")
    engine("play b A1")
    engine("play blue A2")
    assert engine("list_stones black") == "A1"
    assert engine("list_stones blue") == "A2"
    assert "first two or more of black white" in engine("manyminds-colours red blue", refused=True)


def test_another_game(talk):
    engine = talk("uct@50")
    engine("manyminds-game nim")
    first, second = engine.session.board.game.seat_names[:2]
    legal = engine(f"all_legal {first}").split()
    engine(f"play {first} {legal[0]}")
    assert "turn" in engine(f"play {first} {legal[-1]}", refused=True)
    move = engine(f"genmove {second}")
    assert engine("move_history").split("\n")[0] == f"{second} {move}"
    assert engine("komi 3", refused=True) == "nim has no such thing; Go has"
    assert "moves at once" in talk()("manyminds-game hunt", refused=True).replace(
        "move at", "moves at"
    )


def test_questions_about_the_board(talk):
    engine = talk()
    engine("gogui-play_sequence b A1 w A2 b B1")
    assert engine("countlib A1") == "2"
    assert engine("is_legal w C1") == "1"
    assert engine("is_legal w A1") == "0"
    assert engine("query_boardsize") == "9"
    engine("rectangular_boardsize 7 5")
    assert engine("query_boardsize") == "7 5"
    assert float(engine("cputime")) > 0
