"""What a game need not write itself: uniform steps, playouts made of steps, and uniform arguments.

Each function here makes kernels over the kernels of one game.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from manyminds.core.kernel import bare_kernel, inline
from manyminds.core.random import below
from manyminds.core.record import copy_record

TAKE_SETTINGS = ("rewards", "step", "playout", "prior", "tree_moves")
NONE = -1


def arity(function: Callable[..., Any]) -> int:
    """How many arguments a plain function takes."""
    return len(inspect.signature(function).parameters)


def fill(given: dict[str, Any], simultaneous: bool) -> dict[str, Any]:
    """All kernels of the contract, those not given by their defaults."""
    full = dict(given)
    full.setdefault("copy", _copy)
    full.setdefault("prior", _no_prior)
    if simultaneous:
        full.setdefault("tree_movers", full["movers"])
        full.setdefault("tree_moves", _rules_moves_of_seat(given["moves"]))
        full.setdefault("step", _uniform_step_of_seat(full["moves"]))
        full.setdefault(
            "playout", _joint_playout(full["movers"], full["over"], full["play"], full["step"])
        )
    else:
        full.setdefault("tree_moves", _rules_moves(given["moves"]))
        full.setdefault("step", _uniform_step(full["moves"]))
        full.setdefault("chance", _uniform_chance)
        full.setdefault("playout", _playout(full, "chance" in given))
    return full


def slot_of(teams: tuple[int, ...]) -> Any:
    """The kernel that gives a seat's team: values in a tree are kept once a team."""
    if teams == tuple(range(len(teams))):

        @inline
        def slot(seat):
            return seat
    else:

        @inline
        def slot(seat):
            return teams[seat]

    return slot


def without_settings(name: str, function: Any, simultaneous: bool) -> Any:
    """The same function with a last argument `settings` that it does not look at."""
    of_seat = simultaneous and name in ("step", "tree_moves")
    if of_seat or name in ("playout", "prior"):

        @inline
        def three(first, second, third, settings):
            return function(first, second, third)

        return three

    @inline
    def two(first, second, settings):
        return function(first, second)

    return two


def with_trace(step: Any, simultaneous: bool) -> Any:
    """A game's own step with the argument `trace`, whose room the default step and others need."""
    if arity(getattr(step, "py_func", step)) == (5 if simultaneous else 4):
        return step
    if simultaneous:

        @inline
        def step_of_seat(state, seat, rng, trace, settings):
            return step(state, seat, rng, settings)

        return step_of_seat

    @inline
    def step_of_mover(state, rng, trace, settings):
        return step(state, rng, settings)

    return step_of_mover


@inline
def note(trace, seat, move):
    """Write down that a seat played a move. Whoever plays also counts the turn: `trace.turns += 1`."""
    n = trace.n
    trace.seat[n] = int(seat) & 255  # nature's -2 becomes a seat that no game has
    trace.move[n] = move
    trace.n = n + 1


@inline
def _copy(to, source):
    copy_record(to, source)


@inline
def _no_prior(state, moves, out, settings):
    return


@bare_kernel
def _uniform_chance(state, rng):
    return 0


def _rules_moves(moves: Any) -> Any:
    @inline
    def tree_moves(state, out, settings):
        return moves(state, out)

    return tree_moves


def _rules_moves_of_seat(moves: Any) -> Any:
    @inline
    def tree_moves(state, seat, out, settings):
        return moves(state, seat, out)

    return tree_moves


def _uniform_step(moves: Any) -> Any:
    @inline
    def step(state, rng, trace, settings):
        n = moves(state, trace.choices)
        return trace.choices[below(rng, n)]

    return step


def _uniform_step_of_seat(moves: Any) -> Any:
    @inline
    def step(state, seat, rng, trace, settings):
        n = moves(state, seat, trace.choices)
        return trace.choices[below(rng, n)]

    return step


def _playout(game: dict[str, Any], dice: bool) -> Any:
    """Steps until the game is over or the trace is full; nature's moves are not steps."""
    over, seat, play, step, chance = (
        game[name] for name in ("over", "seat", "play", "step", "chance")
    )

    @bare_kernel
    def plain(state, rng, trace, settings):
        while trace.turns < trace.limit and not over(state):
            mover = seat(state)
            move = step(state, rng, trace, settings)
            note(trace, mover, move)
            trace.turns += 1
            play(state, move)

    @bare_kernel
    def with_dice(state, rng, trace, settings):
        while trace.turns < trace.limit and not over(state):
            mover = seat(state)
            if mover < 0:
                play(state, chance(state, rng))
                continue
            move = step(state, rng, trace, settings)
            note(trace, mover, move)
            trace.turns += 1
            play(state, move)

    return with_dice if dice else plain


def _joint_playout(movers: Any, over: Any, play: Any, step: Any) -> Any:
    """Joint moves until the game is over or the trace is full; each mover's step is noted.

    A turn with no mover is a turn of the world alone.
    """

    @bare_kernel
    def playout(state, rng, trace, settings):
        joint = trace.joint
        seats = trace.movers
        while trace.turns < trace.limit and not over(state):
            for place in range(joint.shape[0]):
                joint[place] = NONE
            n = movers(state, seats)
            for k in range(n):
                mover = seats[k]
                move = step(state, mover, rng, trace, settings)
                note(trace, mover, move)
                joint[mover] = move
            trace.turns += 1
            play(state, joint)

    return playout
