"""Tables without a server: what seats may do, and that a table is its set-up and its events."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.apps.web.event import Left, SeatSetup, Setup, event_of, kept, setup_of
from manyminds.apps.web.protocol import ClockRule
from manyminds.apps.web.record import record_of
from manyminds.apps.web.refused import Refused
from manyminds.apps.web.table import COUNTING, LATE, OVER, PLAYING, RESIGNED, Table
from manyminds.apps.web.view import result
from manyminds.games.go import sgf

PERSON = SeatSetup(key_hash="x")
PROGRAM = SeatSetup(player="random@1", shown="random@1")


def setup_for(seats, size=5, clock=None, komi=None):
    return Setup(
        width=size,
        height=size,
        komi=komi or (0.0,) * len(seats),
        superko=False,
        seats=tuple(seats),
        clock=clock,
        hints=True,
        thoughts="all",
        listed=False,
        title="",
        seed=1,
    )


def table_for(people=2, programs=0, **more):
    events = []
    setup = setup_for([PERSON] * people + [PROGRAM] * programs, **more)
    table = Table("t", setup, events.append)
    table.events_kept = events
    return table


def play(table, text, now=0.0):
    for move in text.split():
        table.play(table.mover, move, table.number, now)


def board(table):
    return table.course.state.color.tolist()


def test_only_the_seat_whose_turn_it_is_moves_and_only_where_it_may():
    table = table_for(3)
    with pytest.raises(Refused, match="black's turn"):
        table.play(1, "A1", 0, 0.0)
    with pytest.raises(Refused, match="another position"):
        table.play(0, "A1", 3, 0.0)
    play(table, "C3")
    with pytest.raises(Refused, match="taken"):
        play(table, "C3")
    with pytest.raises(Refused, match="not on this board"):
        play(table, "F9")
    assert table.number == 1


def test_suicide_is_refused_with_its_name():
    table = table_for(2)
    play(table, "A2 E5 B1 E4 pass")
    with pytest.raises(Refused, match="suicide"):
        play(table, "A1")


def test_captures_say_what_was_taken_of_which_colour():
    table = table_for(3)
    play(table, "B1 A1 A2")  # red's second neighbour takes white's corner
    assert table.course.moves[-1].taken == ((21, 2),)
    assert table.course.captures == [0, 0, 1]


def test_stones_of_who_resigned_stay_and_the_seat_passes():
    table = table_for(3)
    play(table, "C3 B2")
    table.leave(0, RESIGNED, 0.0)
    play(table, "D4")
    assert table.mover == 1
    assert [one.own for one in table.course.moves] == [True, True, True, False]
    assert table.course.state.color[table.course.point("C3")] == 1


def test_who_stays_last_wins_at_once():
    table = table_for(3)
    table.leave(1, RESIGNED, 0.0)
    assert table.phase == PLAYING
    table.leave(0, LATE, 0.0)
    assert table.phase == OVER
    assert result(table)["winners"] == [2]


def test_who_left_cannot_win_with_most_points():
    table = table_for(3)
    play(table, "C3 pass pass")  # the board is black's
    table.leave(0, RESIGNED, 0.0)  # and so passes too
    assert table.phase == COUNTING
    table.agree(1, set(), 0.0)
    table.agree(2, set(), 0.0)
    ended = result(table)
    assert ended["points"][0] == 25
    assert ended["winners"] == [1, 2]


def test_undo_needs_everybody_and_gives_back_what_was_taken():
    table = table_for(2, 1)
    play(table, "A2 A1 E5")
    before = board(table)
    play(table, "B1")  # takes A1
    assert table.course.captures[0] == 1
    table.ask_undo(0, 0.0)
    assert board(table) != before
    table.answer(1, True, 0.0)  # the program agrees
    assert board(table) == before
    assert table.number == 3


def test_one_no_is_enough_and_a_move_withdraws_the_question():
    table = table_for(3)
    play(table, "A2")
    table.ask_undo(0, 0.0)
    table.answer(2, False, 0.0)
    assert table.question is None
    table.ask_undo(0, 0.0)
    play(table, "B2")
    assert table.question is None
    assert table.number == 2


def test_undo_goes_back_over_passes_of_who_left():
    table = table_for(3)
    play(table, "A1 B1 C1")
    table.leave(1, RESIGNED, 0.0)
    play(table, "A3 C3")
    table.ask_undo(0, 0.0)
    table.answer(2, True, 0.0)
    assert (table.mover, table.number) == (0, 3)


def test_dead_stones_count_for_who_surrounds_them():
    table = table_for(2, komi=(0.0, 0.5))
    play(table, "A3 E5 B3 pass C3 pass D3 pass E3 A1 pass pass")
    assert table.phase == COUNTING
    table.mark(0, "A1", 0.0)
    table.mark(1, "E5", 0.0)
    with pytest.raises(Refused, match="other stones"):
        table.agree(0, set(), 0.0)
    table.agree(0, {"A1", "E5"}, 0.0)
    assert table.phase == COUNTING
    table.agree(1, {"A1", "E5"}, 0.0)
    assert table.phase == OVER
    assert result(table) == {"why": "agreed", "winners": [0], "points": [25.0, 0.5]}


def test_a_new_mark_asks_everybody_again_and_marking_twice_takes_it_back():
    table = table_for(2)
    play(table, "A3 E5 pass pass")
    table.agree(0, set(), 0.0)
    table.mark(1, "A3", 0.0)
    assert table.agreed == set()
    table.mark(1, "A3", 0.0)
    assert table.dead == set()


def test_who_does_not_agree_plays_on():
    table = table_for(2)
    play(table, "A3 E5 pass pass")
    table.go_on(1, 0.0)
    assert (table.phase, table.mover) == (PLAYING, 0)
    play(table, "B2 pass pass")
    assert table.phase == COUNTING


def test_programs_alone_are_counted_as_the_board_stands():
    table = table_for(0, 3)
    play(table, "C3 pass pass pass")
    assert table.phase == OVER
    assert table.ended == "over"


def test_the_flag_falls_when_the_time_and_the_overtime_are_used_up():
    table = table_for(2, clock=ClockRule(main=10, increment=2, overtime=5))
    table.begin([], 0.0)
    play(table, "A1", now=4.0)  # the clocks run from the first move on
    assert table.clock.running == 1
    play(table, "B2", now=7.0)
    assert table.clock.left[1] == pytest.approx(10 - 3 + 2)
    play(table, "C3", now=20.0)  # black took 13 of 10 s, within the overtime
    assert table.clock.left[0] == 2.0
    assert table.clock.flag() == pytest.approx(20 + 9 + 5)


def test_programs_have_no_clock():
    table = table_for(1, 2, clock=ClockRule(main=10))
    play(table, "A1", now=1.0)
    assert table.clock.running is None


MOVES = st.lists(
    st.tuples(st.sampled_from("pppppppurdagyx"), st.integers(0, 30), st.integers(0, 2))
)


@given(MOVES)
def test_a_table_is_what_its_events_make_of_it(acts):
    table = table_for(2, 1, clock=ClockRule(main=1000))
    for now, (act, number, seat) in enumerate(acts):
        try:
            _act(table, act, number, seat, float(now))
        except Refused:
            continue
    again = Table("t", setup_of(kept(table.setup)))
    again.restore([event_of(kept(event)) for event in table.events_kept], 0.0)
    assert again.phase == table.phase
    assert board(again) == board(table)
    assert [seat.left for seat in again.seats] == [seat.left for seat in table.seats]
    assert (again.dead, again.agreed) == (table.dead, table.agreed)
    assert again.clock.left == table.clock.left
    if table.number and table.phase != OVER:
        read = sgf.read(sgf.write(record_of(table)))
        assert read.moves == record_of(table).moves


def _act(table, act, number, seat, now):
    names = [table.game.name(int(move)) for move in table.game.moves(table.course.state)]
    if act == "p" and table.mover is not None:
        table.play(table.mover, names[number % len(names)], table.number, now)
    elif act == "x" and table.mover is not None:
        table.play(table.mover, "pass", table.number, now)
    elif act == "u":
        table.ask_undo(seat, now)
    elif act == "y":
        table.answer(seat, number % 3 > 0, now)
    elif act == "r" and number == 0:
        table.leave(seat, RESIGNED, now)
    elif act == "d":
        stones = [int(p) for p in table.course.points if table.course.state.color[p]]
        if stones:
            table.mark(seat, table.game.name(stones[number % len(stones)]), now)
    elif act == "a":
        table.agree(seat, {table.game.name(p) for p in table.dead}, now)
    elif act == "g":
        table.go_on(seat, now)


def test_events_are_one_json_object_each():
    assert msgspec.json.decode(kept(Left(2, RESIGNED))) == {
        "was": "left",
        "seat": 2,
        "why": RESIGNED,
    }
