"""Connect four: drawn boards, published counts and values, and its own playout against plain steps."""

import numpy as np
import pytest

from manyminds.core.errors import UsageError
from manyminds.core.random import generator
from manyminds.games.registry import make_game
from manyminds.search.exact import paranoid

GAME = make_game("connect_four")


def drawn(text, game=GAME):
    """The state of a drawing: "Y" and "R", the top row first; yellow moves when both have as many."""
    rows = [line.split() for line in text.strip().splitlines()][::-1]
    height, state = len(rows), game.start()
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            if sign != ".":
                bit = np.uint64(1 << (column * (height + 1) + row))
                state.stones["YR".index(sign)] |= bit
    flat = [sign for signs in rows for sign in signs]
    state.turn = flat.count("Y") - flat.count("R")
    return state


def followed(columns, game=GAME):
    """The state after stones in these columns, counted from 1 as in published positions."""
    state = game.start()
    for column in columns:
        assert not game.over(state)
        assert int(column) - 1 in game.moves(state)
        game.play(state, int(column) - 1)
    return state


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "text",
    [
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        R R R . . . .
        Y Y Y Y . . .
        """,
        """
        . . . . . . Y
        . . . . . . Y
        . . . . . . Y
        . . . . . . Y
        . . . . . . R
        . . . . . R R
        """,
        """
        . . . . . . .
        . . . . . . .
        . . . Y . . .
        . . Y R . . .
        . Y R R . . .
        Y R Y R Y . .
        """,
        """
        . . . Y . . .
        . . . R Y . .
        . . . R R Y .
        . . . Y R R Y
        . . . R Y Y Y
        R . . Y Y R R
        """,
    ],
    ids=["level", "upright", "rising", "falling"],
)
def test_four_in_a_line_win(text):
    state = drawn(text)
    assert GAME.over(state)
    assert tuple(GAME.rewards(state)) == (1, 0)


@pytest.mark.interpreted
def test_a_line_does_not_run_round_the_edge():
    """The top two of one column and the bottom two of the next are no line."""
    state = drawn(
        """
        . Y . . . . .
        . Y . . . . .
        . R . . . . .
        . Y . . . . .
        . R Y . . . .
        . R Y R R . .
        """
    )
    assert not GAME.over(state)
    assert tuple(GAME.rewards(state)) == (0.5, 0.5)


@pytest.mark.interpreted
def test_stones_fall_and_full_columns_are_closed():
    state = followed("4444446")
    assert GAME.show(state).splitlines() == [
        "6 . . . R . . .",
        "5 . . . Y . . .",
        "4 . . . R . . .",
        "3 . . . Y . . .",
        "2 . . . R . . .",
        "1 . . . Y . Y .",
        "  a b c d e f g",
    ]
    assert list(GAME.moves(state)) == [0, 1, 2, 4, 5, 6]
    assert GAME.move_named("C", state) == 2
    with pytest.raises(UsageError, match="possible: a b c e f g"):
        GAME.move_named("d", state)


@pytest.mark.interpreted
def test_a_full_board_without_a_line_is_a_draw():
    game = make_game("connect_four", width=3, height=2)
    state = followed("112233", game)
    assert game.over(state)
    assert tuple(game.rewards(state)) == (0.5, 0.5)


def test_positions_by_ply_are_as_many_as_published():
    """A212693 in the encyclopedia of integer sequences: positions after n stones on 7x6."""
    layer = {GAME.start().tobytes()}
    counts = [1]
    for _ in range(6):
        after = set()
        for key in layer:
            for move in GAME.moves(GAME.unpack(key)):
                state = GAME.unpack(key)
                GAME.play(state, int(move))
                after.add(state.tobytes())
        layer = after
        counts.append(len(layer))
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422]


# Positions of Pascal Pons' published test set, with the sign of their score for who is to move.
PUBLISHED = [
    ("2252576253462244111563365343671351441", 0.0),
    ("7422341735647741166133573473242566", 1.0),
    ("23163416124767223154467471272416755633", 0.5),
    ("71255763773133525731261364622167124446454", 0.5),
    ("65214673556155731566316327373221417", 0.0),
    ("52677675164321472411331752454", 0.5),
    ("233377345754465174223731671122611552", 1.0),
    ("3146762114467714356347741621375222", 0.0),
    ("67152117737262713366376314254", 1.0),
    ("2762751722231276466633475674533", 1.0),
    ("427566236745127177115664464254", 1.0),
    ("3575316255751336464276636772271112", 0.0),
]


@pytest.mark.parametrize(("columns", "value"), PUBLISHED)
def test_published_values_of_late_positions(columns, value):
    state = followed(columns)
    assert paranoid(GAME, state, GAME.seat(state)).value == value
    assert paranoid(GAME, state, 1 - GAME.seat(state)).value == 1 - value


@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 3), (4, 5)])
def test_small_boards_are_draws(width, height):
    game = make_game("connect_four", width=width, height=height)
    assert paranoid(game, game.start(), 0).value == 0.5


@pytest.mark.parametrize(("width", "height"), [(8, 8), (0, 6), (7, 0), (27, 1), (33, 1)])
def test_boards_that_do_not_fit_are_refused(width, height):
    with pytest.raises(UsageError, match=f"not on {width}x{height}"):
        make_game("connect_four", width=width, height=height)


@pytest.mark.interpreted
def test_a_playout_is_the_game_its_trace_tells():
    rng = generator(3)
    for _ in range(30):
        state = followed("4434")
        trace = GAME.playout(state, rng)
        again = followed("4434")
        for seat, move in zip(trace.seat[: trace.n], trace.move[: trace.n], strict=True):
            assert not GAME.over(again)
            assert GAME.seat(again) == seat
            assert move in GAME.moves(again)
            GAME.play(again, int(move))
        assert GAME.over(again)
        assert trace.turns == trace.n
        assert again.tobytes() == state.tobytes()


def expected(state):
    """Yellow's mean reward when all moves are equally likely."""
    if GAME.over(state):
        return GAME.rewards(state)[0]
    values = []
    for move in GAME.moves(state):
        after = GAME.copy(state)
        GAME.play(after, int(move))
        values.append(expected(after))
    return sum(values) / len(values)


def test_playouts_draw_every_open_column_alike():
    start = followed("22525762534622441115633653436713514")
    n, rng, total = 4000, generator(5), 0.0
    first = np.zeros(7)
    for _ in range(n):
        state = GAME.copy(start)
        trace = GAME.playout(state, rng)
        first[trace.move[0]] += 1
        total += GAME.rewards(state)[0]
    assert total / n == pytest.approx(expected(start), abs=4 * 0.5 / n**0.5)
    moves = GAME.moves(start)
    assert first[moves] / n == pytest.approx(1 / len(moves), abs=4 * 0.5 / n**0.5)


def test_a_playout_ends_at_its_limit():
    from manyminds.games import calls

    state, trace = GAME.start(), GAME.trace.new()
    trace.limit = 3
    calls.playout(GAME.kernels, state, generator(1), trace, GAME.set_up())
    assert (trace.n, trace.turns, int(state.turn)) == (3, 3, 1)
