"""A person at the terminal, played by a list of lines."""

import pytest

from manyminds.arena.match import play
from manyminds.core.budget import Budget
from manyminds.players import Lineup
from manyminds.players.person import Person
from manyminds.players.player import Forfeit


def sit(game, lines):
    """A person who types these lines, and what it is shown and asked."""
    told, typed = [], iter(lines)

    def ask(prompt):
        told.append(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    person = Person(ask, told.append)
    person.begin(game, 1, Lineup(["random", "person"]))
    return person, told


def decide(game, lines):
    person, told = sit(game, lines)
    return person.decide(game.start(), Budget(simulations=1)).move, told


def test_shows_the_board_and_asks_for_a_move_by_name(nim):
    move, told = decide(nim, [" c5 "])
    assert nim.name(move) == "C5"
    assert told == ["A ooo\nB oooo\nC ooooo", "second, your move: "]


def test_answers_until_the_move_is_legal(nim):
    move, told = decide(nim, ["Z1", "A9", "moves", "board", "help", "", "A1"])
    assert nim.name(move) == "A1"
    answers = [text for text in told[1:] if text != "second, your move: "]
    assert answers[0].startswith('"Z1" is no move here')
    assert answers[1].startswith("A9 is not legal here")
    assert answers[2].split() == [nim.name(m) for m in nim.moves(nim.start())]
    assert answers[3] == nim.show(nim.start())
    assert "such as A1" in answers[4]
    assert answers[5] == answers[4]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "the person left: the input ended"),
        (["resign"], "resigned"),
        (["what?"] * 1000, "no legal move in 100 lines"),
    ],
)
def test_a_person_may_give_up(nim, lines, reason):
    person, _ = sit(nim, lines)
    with pytest.raises(Forfeit) as forfeit:
        person.decide(nim.start(), Budget(simulations=1))
    assert forfeit.value.reason == reason


def test_reads_the_terminal_by_default(nim, monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda prompt: "B4")
    person = Person()
    person.begin(nim, 0, Lineup(["person", "random"]))
    assert nim.name(person.decide(nim.start(), Budget(simulations=1)).move) == "B4"
    assert capsys.readouterr().out == "A ooo\nB oooo\nC ooooo\n"


def test_a_terminal_may_draw_positions_its_own_way(nim):
    drawn, told, typed = [], [], iter(["board", "B4"])
    person = Person(lambda prompt: next(typed), told.append, drawn.append)
    person.begin(nim, 0, Lineup(["person", "random"]))
    start = nim.start()
    assert nim.name(person.decide(start, Budget(simulations=1)).move) == "B4"
    assert [state is start for state in drawn] == [True, True]
    assert told == []


def test_a_match_with_a_person_of_ones_own_names_it_as_typed(nim):
    person = Person(lambda prompt: "resign", lambda text: None)
    assert play(nim, [person, "random"]).lineup == ("person", "random")
