"""OpenSpiel's games as ours: what the rules are is asked of OpenSpiel, the tree is our own.

A state is the list of moves since the start. To play a move in the tree costs nothing beyond writing it
down; OpenSpiel is asked when a node gets its children, and once for each playout, which it makes itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.bridges.openspiel.answers import (
    CHANCE_MOVE,
    MOVES,
    NOTED,
    OVER,
    POINTS,
    QUICK,
    REWARDS,
    SEAT,
    SEAT_SHIFT,
    STEPWISE,
    Answers,
)
from manyminds.bridges.openspiel.loading import (
    has_chance,
    load,
    longest_of,
    pyspiel,
    utilities_of,
)
from manyminds.core.crossing import answer, ask
from manyminds.core.kernel import bare_kernel, inline
from manyminds.core.random import derive, draw
from manyminds.core.record import Record, record
from manyminds.games.contract import Game, State


def openspiel(
    game: str = "tic_tac_toe",
    utilities: tuple[float, float] | None = None,
    longest: int | None = None,
) -> Game:
    """One of OpenSpiel's games, as OpenSpiel writes it: `openspiel("chinese_checkers(players=3)")`.

    It has to have perfect information, and one seat at a time moves; nature's moves are drawn. utilities:
    the worst and the best return, which are scaled into rewards from 0 to 1, where OpenSpiel's own bounds
    are missing or far from what happens. longest: moves after which a game counts as over.

        >>> import manyminds as mm
        >>> hex = mm.openspiel("hex(board_size=3)")
        >>> hex.name(4, hex.start())
        'b2'
    """
    theirs = load(game)
    text = str(theirs)
    low, high = utilities_of(theirs, utilities)
    most_turns = longest_of(theirs, longest)
    given: dict[str, Any] = {"utilities": [low, high]} if utilities else {}
    given |= {"longest": most_turns} if longest else {}
    seats = int(theirs.num_players())
    most_moves = max(int(theirs.num_distinct_actions()), int(theirs.max_chance_outcomes()))
    room = _room(most_turns), _room(most_moves)
    state = _state(seats, room[0])
    key = derive(0, text, low, high, most_turns) >> 1
    ours = Game(
        "openspiel",
        state,
        seats=seats,
        start=lambda: _start(state, key, most_turns),
        move_ids=most_moves,
        most_moves=most_moves,
        longest=most_turns,
        trace_room=room,
        name=lambda move, state: _name(answers, move, state),
        show=lambda state: str(_theirs(answers, state)),
        arguments={"game": text, **given},
        **_kernels(seats, has_chance(theirs)),
    )
    answers = Answers(pyspiel(), theirs, (low, high), state.dtype, ours.trace.dtype)
    answer(key, answers)
    return ours


def _room(n: int) -> int:
    """Room for n things, of few sizes, so that games of all kinds share what is compiled for one of them."""
    return next((size for size in (64, 1024, 16384) if n <= size), n)


def _state(seats: int, room: int) -> Record:
    """key: the game, which compiled code does not know. longest: moves of this game.

    ended: a playout went to the end and left nothing but `result`, its rewards. history[:n]: all moves
    since the start, nature's among them.
    """
    return record(
        key="uint64",
        longest="uint32",
        n="uint32",
        ended="uint32",
        result=f"float64[{seats}]",
        history=f"uint32[{room}]",
    )


def _start(shape: Record, key: int, longest: int) -> State:
    state = shape.new()
    state.key, state.longest = key, longest
    return state


def _theirs(answers: Answers, state: State) -> Any:
    """OpenSpiel's state of the same position."""
    return answers.positions.at(np.asarray(state.history[: int(state.n)], np.uint32).tobytes())


def _name(answers: Answers, move: int, state: State | None) -> str:
    theirs = answers.positions.at(b"") if state is None else _theirs(answers, state)
    return str(theirs.action_to_string(theirs.current_player(), move))


def _kernels(seats: int, dice: bool) -> dict[str, Any]:
    """The game's functions, nature's where it has a part."""

    @inline
    def copy(to, source):
        to.key, to.longest = source.key, source.longest
        to.n, to.ended = source.n, source.ended
        for seat in range(seats):
            to.result[seat] = source.result[seat]
        for k in range(source.n):
            to.history[k] = source.history[k]

    @bare_kernel
    def rewards(state, out):
        if state.ended:
            for seat in range(seats):
                out[seat] = state.result[seat]
        else:
            ask(state.key, REWARDS, state, out, state.n, 0)

    functions = dict(copy=copy, seat=_seat, over=_over, moves=_moves, play=_play)
    functions |= dict(rewards=rewards, points=_points, playout=_playout)
    return functions | ({"chance": _chance} if dice else {})


@bare_kernel
def _seat(state):
    return ask(state.key, SEAT, state, state.result, state.n, 0) - SEAT_SHIFT


@bare_kernel
def _over(state):
    if state.ended or state.n >= state.longest:
        return True
    return ask(state.key, OVER, state, state.result, state.n, 0) == 2


@bare_kernel
def _moves(state, out):
    return ask(state.key, MOVES, state, out, state.n, 0) - 1


@inline
def _play(state, move):
    state.history[state.n] = move
    state.n += 1


@bare_kernel
def _points(state, out):
    ask(state.key, POINTS, state, out, state.n, 0)


@bare_kernel
def _playout(state, rng, trace):
    if state.ended or state.n >= state.longest:
        return
    if trace.limit - trace.turns < state.longest:
        ask(state.key, STEPWISE, state, trace, state.n, draw(rng))
    elif trace.unread:
        ask(state.key, QUICK, state, trace, state.n, draw(rng))
    else:
        ask(state.key, NOTED, state, trace, state.n, draw(rng))


@bare_kernel
def _chance(state, rng):
    return ask(state.key, CHANCE_MOVE, state, state.result, state.n, draw(rng)) - 1
