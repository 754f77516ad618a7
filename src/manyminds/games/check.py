"""`check_game(game)`: whether a game keeps the contract, and what to do where it does not.

The game is played at random twice over: in plain Python first, where a number out of bounds raises an
error that names its line, and compiled, where it would spoil memory in silence. Then the two are
compared, answer by answer. Plain Python is made in this process from the kernels themselves
(core/plain.py), so that no file has to be imported again and games made by functions can be checked.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from manyminds.core.checks import CheckError, CheckReport, Findings, register_checker
from manyminds.core.errors import UsageError
from manyminds.core.kernel import interpreted
from manyminds.core.random import derive
from manyminds.core.record import copy_record
from manyminds.games.contract import Game, State
from manyminds.games.examination import Answers, Examination, Log, difference
from manyminds.games.playout_examination import PlayedOut, examine_playout
from manyminds.games.twin import Broken, Twin, told

CLAUSES = {
    "start": "start() gives a state of its own each time, the same for the same seed",
    "plain": "the kernels run as plain Python",
    "turns": "seat (or movers) gives seats of the game",
    "moves": "moves lists 1 to most_moves numbers below move_ids, each once, the same when asked again",
    "legal": "every listed move can be played",
    "questions": "only play changes the state",
    "room": "nothing is written behind the room for an answer",
    "rewards": "rewards writes every seat's, from 0 to 1, in unfinished games too",
    "mates": "mates share one reward",
    "points": "points writes a number for every seat, in unfinished games too",
    "end": "a random game is over within longest turns",
    "again": "the same moves give the same game",
    "copies": "copies are equal to their source and independent of it",
    "bytes": "a game goes on the same from its state's bytes",
    "playouts": "playouts go on until the game is over or their limit is reached",
    "seeds": "playouts with the same seed are the same",
    "trace": "a playout's trace is what was played: legal moves that lead to the same rewards",
    "step": "step gives a legal move",
    "tree moves": "tree_moves lists some of the legal moves, at least one",
    "prior": "prior gives weights from 0 and values from 0 to 1",
    "chance": "chance draws moves that moves lists",
    "names": "move_named finds every move by its name",
    "show": "show gives a text",
    "compiles": "the kernels compile",
    "agreement": "compiled kernels and plain Python play the same games",
}
_NEEDS = {"points": "points", "tree moves": "tree_moves", "prior": "prior", "chance": "chance"}
PLAIN_TURNS = 200  # in plain Python, no further game begins after so many turns
PLAIN_POSITIONS, POSITIONS = 40, 400  # looked at in one game
NAMED = 6  # moves of a position that are looked up by name


class GameError(CheckError):
    """The game does not keep the contract; `report` has every clause."""


def check_game(
    game: Game,
    games: int = 20,
    seed: int = 0,
    *,
    settings: Any = None,
    simpler_playouts: bool = False,
    raises: bool = True,
    tell: Callable[[str], None] | None = None,
) -> CheckReport:
    """Check a game with so many random games and playouts; the report, or a `GameError` that lists failures.

    settings: those of the simulations (the game's own by default). simpler_playouts: the game's playouts
    follow simpler rules than it does (Go's know no superko), so that they may play what `moves` does not
    list. tell: called with a few words as the check goes on. The same seed plays the same games.
    """
    if not isinstance(game, Game):
        raise UsageError(f"check_game takes a Game, not a {type(game).__name__}")
    if games < 1:
        raise UsageError(f"check_game needs at least 1 game, not {games}")
    findings = Findings(CLAUSES)
    _leave_out(game, findings)
    if simpler_playouts:
        for clause in ("step", "trace"):
            findings.leave_out(clause, "playouts follow simpler rules than the game")
    try:
        chosen = game.set_up() if settings is None else settings
        _check(game, games, seed, chosen, findings, tell or (lambda _: None))
    except Broken:
        pass  # why is in the findings
    report = findings.report("game", game.title, "not looked at: mend what failed first")
    if raises and not report.passed:
        raise GameError(report)
    return report


def _leave_out(game: Game, findings: Findings) -> None:
    """Say which clauses are not this game's."""
    for clause, function in _NEEDS.items():
        if function not in game.functions:
            findings.leave_out(clause, f"the game has no {function}")
    if all(len(team) == 1 for team in game.teams):
        findings.leave_out("mates", "every seat is a team of its own")
    if game.has_chance:
        findings.leave_out("trace", "nature's moves need not be in it")
    if interpreted():
        for clause in ("compiles", "agreement"):
            findings.leave_out(clause, "kernels are plain Python in this process")


def _check(
    game: Game,
    games: int,
    seed: int,
    settings: Any,
    findings: Findings,
    tell: Callable[[str], None],
) -> None:
    tell("the start")
    _check_start(game, seed, findings)
    plain = Examination(Twin(game, False, findings, settings), findings, seed, PLAIN_POSITIONS)
    logs, outs = _examine(plain, games, min(games, 2), PLAIN_TURNS, tell)
    findings.passed("plain")
    if findings.failed():
        raise Broken  # compiled, what went wrong here may spoil memory
    if not interpreted():
        compiled = Examination(Twin(game, True, findings, settings), findings, seed, POSITIONS)
        all_logs, all_outs = _examine(compiled, games, games, None, tell)
        findings.passed("compiles")
        _compare(plain, compiled, (logs, outs), (all_logs, all_outs))
        plain, logs = compiled, all_logs
    tell("names and drawings")
    _check_texts(plain, logs[0])


# --- the start ---------------------------------------------------------------------------------------


def _check_start(game: Game, seed: int, findings: Findings) -> None:
    try:
        problem = _start_problem(game, derive(seed, "start", 0))
    except Exception as error:  # noqa: BLE001 - a person's start() may raise anything
        problem = f"start() raises {told(error)}"
    if problem:
        findings.fail("start", problem)
        raise Broken
    findings.passed("start")


def _start_problem(game: Game, seed: int) -> str:
    one, two = game.start(seed), game.start(seed)
    if not isinstance(one, np.void) or one.dtype != game.state.dtype:
        kind = f"a record of {one.dtype}" if isinstance(one, np.void) else f"a {type(one).__name__}"
        return (
            f"start() gives {kind}; make the state with new() of the record that the game is declared "
            "with: state = STATE.new()"
        )
    before = two.tobytes()
    if one.tobytes() != before:
        return (
            "start() gives two different states for one seed: let its chance follow from the seed"
        )
    copy_record(one, game.state.unpack(bytes(255 - byte for byte in before)))
    if two.tobytes() != before or game.start(seed).tobytes() != before:
        return "start() gives the same memory twice: make a new state, STATE.new(), in every call"
    return ""


# --- random games and playouts of one self ---------------------------------------------------------------


def _examine(
    exam: Examination,
    games: int,
    playouts: int,
    most_turns: int | None,
    tell: Callable[[str], None],
) -> tuple[list[Log], list[PlayedOut | None]]:
    """Random games, until there were enough turns, and playouts. Broken if no game came to its end."""
    how = "compiled" if exam.twin.compiled else "plain Python"
    logs: list[Log] = []
    while len(logs) < games:
        if most_turns is not None and sum(len(log.played) for log in logs) >= most_turns:
            break
        tell(f"{how}: random game {len(logs) + 1} of {games}")
        logs.append(exam.random_game(len(logs)))
        if not logs[-1].finished:
            raise Broken
    if not logs[0].played:
        exam.findings.fail(
            "start", "the game is over before its first move: let over(state) be false there"
        )
    _stop_on(exam, "start", "turns", "moves", "legal", "questions", "room", "step")
    exam.again(logs[0])
    _stop_on(exam, "again")
    outs = []
    for number in range(playouts):
        tell(f"{how}: playout {number + 1} of {playouts}")
        outs.append(examine_playout(exam, number, replay=exam.twin.compiled or number == 0))
    _stop_on(exam, "plain", "compiles", "playouts", "seeds", "trace")
    tell(f"{how}: copies")
    exam.copies(logs[0])
    if any(len(team) > 1 for team in exam.game.teams):
        exam.findings.passed("mates")
    return logs, outs


def _stop_on(exam: Examination, *clauses: str) -> None:
    """Go no further after these, which would make others fail."""
    if exam.findings.failed(*clauses):
        raise Broken


# --- two selves compared -----------------------------------------------------------------------------------

Played = tuple[list[Log], list[PlayedOut | None]]


def _compare(plain: Examination, compiled: Examination, ours: Played, theirs: Played) -> None:
    """The first difference between plain Python and compiled kernels, if there is one."""
    findings = compiled.findings
    for one, two in zip(ours[0], theirs[0], strict=False):
        if sentence := _log_difference(plain, compiled, one, two):
            findings.fail("agreement", f"{sentence}; {_ADVICE}")
            return
    for number, (out, other) in enumerate(zip(ours[1], theirs[1], strict=False)):
        if out and other and (sentence := _playout_difference(out, other)):
            findings.fail(
                "agreement", f"playout {number} of seed {plain.seed}: {sentence}; {_ADVICE}"
            )
            return
    findings.passed("agreement")


_ADVICE = (
    "small numbers wrap round in plain Python and not in compiled code: write int(...) round what is "
    "loaded from the record before arithmetic"
)


def _log_difference(plain: Examination, compiled: Examination, one: Log, two: Log) -> str:
    for turn, digest in enumerate(one.digests):
        where = f"in random game {one.number} of seed {plain.seed}, turn {turn}"
        if turn >= len(two.digests) or digest != two.digests[turn]:
            states = [_state_at(exam, one, turn) for exam in (compiled, plain)]
            if sentence := difference(*states):
                return f"{where}, after {one.played[turn - 1] if turn else 'the start'}, {sentence}"
        if sentence := _answers_difference(one.answers.get(turn), two.answers.get(turn)):
            return f"{where}, {sentence}"
        if turn < min(len(one.listed), len(two.listed)) and one.listed[turn] != two.listed[turn]:
            return f"{where}, {_said('moves', two.listed[turn], one.listed[turn])}"
    return ""


def _state_at(exam: Examination, log: Log, turn: int) -> State:
    """The state before a turn, as this self plays there."""
    state = exam.game.unpack(log.start)
    for joint in log.played[:turn]:
        exam.twin.play(state, joint)
    return state


def _answers_difference(ours: Answers | None, theirs: Answers | None) -> str:
    if ours is None or theirs is None:
        return ""
    for key, answer in ours.items():
        other = theirs.get(key)
        if isinstance(answer, np.ndarray) and isinstance(other, np.ndarray):
            same = bool(np.allclose(answer, other, rtol=1e-9, atol=1e-12))
        else:
            same = answer == other
        if not same:
            return _said(key if isinstance(key, str) else key[0], other, answer)
    return ""


def _playout_difference(one: PlayedOut, two: PlayedOut) -> str:
    if (one.seats, one.moves) != (two.seats, two.moves):
        return _said("moves", two.moves, one.moves)
    if sentence := difference(two.state, one.state):
        return sentence
    return (
        "" if np.allclose(one.rewards, two.rewards) else _said("rewards", two.rewards, one.rewards)
    )


def _said(what: str, compiled: Any, plain: Any) -> str:
    return f"{what}: compiled {_short(compiled)}, plain Python {_short(plain)}"


def _short(value: Any) -> str:
    text = str(value.tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) <= 80 else text[:77] + "..."


# --- what people read ------------------------------------------------------------------------------------


def _check_texts(exam: Examination, log: Log) -> None:
    """Names and drawings of some positions."""
    turns = (0, 1, 2, len(log.played) // 2, len(log.played) - 1)
    for turn, state in exam.positions_of(log, turns):
        listed = log.listed[turn]
        moves = sorted({move for mover in listed.values() for move in mover})
        chooser = exam.chooser("names", turn)
        tried = chooser.sample(moves, min(NAMED, len(moves)))
        naming = functools.partial(_name_problem, exam.game, state, moves, tried)
        _note_problem(exam, "names", naming)
        _note_problem(exam, "show", functools.partial(_show_problem, exam.game, state))
    exam.findings.passed("names", "show")


def _note_problem(exam: Examination, clause: str, find: Callable[[], str]) -> None:
    try:
        problem = find()
    except UsageError as error:
        problem = str(error)
    except Exception as error:  # noqa: BLE001 - a person's name() or show() may raise anything
        problem = f"{clause} raises {told(error)}"
    if problem:
        exam.twin.note(clause, problem)


def _name_problem(game: Game, state: State, moves: list[int], tried: list[int]) -> str:
    before = state.tobytes()
    names: dict[str, int] = {}
    for move in moves:
        name = game.name(move, state)
        if not isinstance(name, str) or not name.strip() or name != name.strip() or "\n" in name:
            return f"name({move}) gives {name!r}; give one line of text without blanks round it"
        if (other := names.setdefault(name.lower(), move)) != move:
            return (
                f'moves {other} and {move} are both called "{name}": give every move its own name'
            )
    for move in tried:
        name = game.name(move, state)
        for text in (name, f" {name.upper()} ", name.lower()):
            if (found := game.move_named(text, state)) != move:
                return f'move {move} is called "{name}", but move_named("{text}") gives {found}'
    return "name changes the state: only play may" if state.tobytes() != before else ""


def _show_problem(game: Game, state: State) -> str:
    before = state.tobytes()
    text = game.show(state)
    if not isinstance(text, str) or not text.strip():
        return f"show gives {text!r}; give a text drawing of the state"
    return "show changes the state: only play may" if state.tobytes() != before else ""


def _check_quietly(game: Any, games: int, seed: int, tell: Callable[[str], None]) -> CheckReport:
    return check_game(game, games, seed, raises=False, tell=tell)


register_checker("game", Game, _check_quietly)
