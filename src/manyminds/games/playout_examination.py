"""Playouts of one self of a game: that they end, come again, keep to their limit and tell the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.games.contract import CHANCE, State
from manyminds.games.examination import Examination, Joint
from manyminds.games.twin import Broken

NATURE = CHANCE % 256  # how a trace, which has room for 0 to 255, names nature
SHORT = 2  # turns of a playout that is cut off


@dataclass(frozen=True)
class PlayedOut:
    """A playout: who played what, the state it led to, and that state's rewards."""

    seats: list[int]
    moves: list[int]
    state: State
    rewards: np.ndarray


def examine_playout(exam: Examination, number: int, replay: bool) -> PlayedOut | None:
    """Look at one playout from a start; `replay`: play its trace move by move as well."""
    twin, findings = exam.twin, exam.findings
    twin.where = f"playout {number} of seed {exam.seed}"
    try:
        played = _play_out(exam, number, exam.game.trace.new(), exam.game.longest)
        if not twin.over(played.state):
            twin.note(
                "playouts",
                "a playout ends in a game that is not over: go on until over(state), or until "
                "trace.turns reaches trace.limit",
            )
        _same_again(exam, number, played)
        _keeps_to_limit(exam, number)
        if replay and not findings.left_out("trace"):
            _replay(exam, number, played)
            findings.passed("trace")
    except Broken:
        return None
    findings.passed("playouts", "seeds")
    return played


def _play_out(exam: Examination, number: int, trace: Any, limit: int) -> PlayedOut:
    state = exam.start(number)
    rng = exam.kernel_rng("playout", number)
    exam.twin.playout(state, rng, trace, limit)
    _check_trace(exam, trace, limit)
    n = int(trace.n)
    seats, moves = trace.seat[:n].tolist(), trace.move[:n].tolist()
    return PlayedOut(seats, moves, state, exam.twin.rewards(state))


def _check_trace(exam: Examination, trace: Any, limit: int) -> None:
    game, twin, n, turns = exam.game, exam.twin, int(trace.n), int(trace.turns)
    room = trace.move.shape[0]
    if n > room:
        twin.note(
            "trace", f"a playout notes {n} moves, and a trace has room for {room}: raise longest"
        )
        raise Broken
    if turns > limit:
        twin.note(
            "playouts",
            f"a playout goes on for {turns} turns with trace.limit={limit}: stop when trace.turns "
            "reaches trace.limit",
        )
    known = {*range(game.seats), NATURE} if game.has_chance else set(range(game.seats))
    for seat, move in zip(trace.seat[:n].tolist(), trace.move[:n].tolist(), strict=True):
        if seat not in known or move >= game.move_ids:
            twin.note(
                "trace",
                f"a playout notes move {move} of seat {seat}; seats are 0 to {game.seats - 1} and "
                f"moves 0 to {game.move_ids - 1}: note(trace, seat, move)",
            )
            return


def _same_again(exam: Examination, number: int, first: PlayedOut) -> None:
    """The same playout on a trace that another one has used."""
    used = exam.game.trace.new()
    exam.twin.playout(
        exam.start(number + 1), exam.kernel_rng("other", number), used, exam.game.longest
    )
    second = _play_out(exam, number, used, exam.game.longest)
    if (first.seats, first.moves) != (second.seats, second.moves) or (
        first.state.tobytes() != second.state.tobytes()
    ):
        exam.twin.note(
            "seeds",
            "two playouts with the same seed differ: draw from the generator that is passed in, and "
            "from nothing else",
        )


def _keeps_to_limit(exam: Examination, number: int) -> None:
    trace = exam.game.trace.new()
    played = _play_out(exam, number, trace, SHORT)
    turns = int(trace.turns)
    if turns < SHORT and not exam.twin.over(played.state):
        exam.twin.note(
            "playouts",
            f"a playout with trace.limit={SHORT} stops after {turns} turns in a game that is not over: "
            "add 1 to trace.turns on every turn, and stop at the limit",
        )


def _replay(exam: Examination, number: int, played: PlayedOut) -> None:
    """Play what the trace says: the same seats, legal moves, the same end."""
    twin = exam.twin
    state, at = exam.start(number), 0
    while at < len(played.moves):
        listed = exam.listed(state) if not twin.over(state) else {}
        noted = dict(
            zip(
                played.seats[at : at + len(listed)],
                played.moves[at : at + len(listed)],
                strict=True,
            )
        )
        if listed.keys() != noted.keys() or (not listed and not exam.game.simultaneous):
            twin.note(
                "trace",
                f"a playout notes moves of {sorted(noted) or 'somebody'} where {sorted(listed) or 'nobody'} "
                f"moves (its move {at}): note every move in order, and none twice",
            )
            return
        if not _noted_is_legal(exam, noted, listed, at):
            return
        twin.play(state, noted)
        at += len(listed)
    if twin.over(state) != twin.over(played.state):
        twin.note(
            "trace",
            f"a playout notes {at} moves, which do not lead to the position that it leaves: note every "
            "move, in order",
        )
    elif not np.allclose(twin.rewards(state), played.rewards, rtol=0, atol=1e-9):
        twin.note(
            "trace",
            f"the moves that a playout notes lead to rewards {twin.rewards(state).tolist()}, and it led "
            f"to {played.rewards.tolist()}: note every move, or mend what the playout's loop does",
        )


def _noted_is_legal(exam: Examination, noted: Joint, listed: dict[int, list[int]], at: int) -> bool:
    for seat, move in noted.items():
        if move not in listed[seat]:
            exam.twin.note(
                "trace",
                f"a playout plays {move} for {exam.twin.seat_name(seat)}, which moves does not list "
                f"there (its move {at})",
            )
            return False
    return True
