"""Whether a heuristic is fit for playouts: it is asked on many positions, compiled and as plain Python.

mm.check_heuristic(near_last)        # raises CheckError, whose report has every clause
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from manyminds.core.checks import CheckError, CheckReport, Findings, register_checker
from manyminds.core.errors import UsageError
from manyminds.core.kernel import entry, interpreted
from manyminds.core.kernel_set import Kernels
from manyminds.core.plain import plain
from manyminds.core.random import derive, generator
from manyminds.games.agents.heuristic import Heuristic
from manyminds.games.contract import Game, State
from manyminds.games.registry import make_game

GUARD = 256  # numbers of room behind the end of an answer
MARK = 0xDEADBEEF
GAMES = 20

_CLAUSES = {
    "compiles": "compiled, it answers",
    "plain": "as plain Python, it answers",
    "bounded": "it writes no more candidates than there are moves, and says how many",
    "keeps": "it leaves the position as it is",
    "sane": "its candidates are moves of the game, and some of them legal ones",
    "declines": "at the start, where nothing has happened, it answers like anywhere else",
    "same": "compiled and plain, it proposes the same",
    "again": "asked again, it proposes the same",
}


@entry
def ask(kernels, state, out):
    return kernels.proposes(state, out)


def check_heuristic(heuristic: Heuristic, games: int = GAMES, seed: int = 0) -> CheckReport:
    """The report on a heuristic; raises CheckError where a clause does not hold."""
    if not isinstance(heuristic, Heuristic):
        raise UsageError(
            'check_heuristic takes what @mm.heuristic("name") makes of a function, '
            f"not {type(heuristic).__name__}"
        )
    report = examine(heuristic, games, seed, lambda _: None)
    if not report.passed:
        raise CheckError(report)
    return report


def examine(
    heuristic: Heuristic, games: int, seed: int, tell: Callable[[str], None]
) -> CheckReport:
    """The report, whatever it says."""
    findings = Findings(_CLAUSES)
    both = Kernels(heuristic.name, proposes=heuristic.kernel)
    selves = {"plain": plain(both)} if interpreted() else {"plain": plain(both), "compiles": both}
    legal = 0
    for game in _games_for(heuristic.game):
        for number in range(games):
            tell(f"positions of game {number + 1} of {games}, {', '.join(game.seat_names)}")
            for where, state in _positions(game, derive(seed, number)):
                answers = [_ask(findings, self_, kernels, game, state, where)
                           for self_, kernels in selves.items()]  # fmt: skip
                if None in answers:
                    return findings.report(
                        "heuristic", heuristic.name, "another clause failed first"
                    )
                legal += _judge(findings, game, state, where, answers)
    findings.passed(*_CLAUSES)
    if interpreted():
        findings.leave_out("compiles", "kernels run as plain Python here")
    if not legal and not findings.failed():
        findings.fail(
            "sane",
            f"in no position of {games} games it proposed a legal move: it never does anything, or "
            "writes something else than moves to out",
        )
    return findings.report("heuristic", heuristic.name, "another clause failed first")


def _games_for(title: str) -> list[Game]:
    if title == "go":
        return [make_game("go", size=7), make_game("go", size=(6, 9), colours=4)]
    return [make_game(title)]


def _positions(game: Game, seed: int) -> Iterator[tuple[str, State]]:
    """The positions of a random game, the start first."""
    rng, state = np.random.default_rng(seed), game.start(seed)
    dice = generator(seed)
    for number in range(min(game.longest, 80)):
        yield f"after {number} moves of the random game {seed}", state
        if game.over(state):
            return
        if game.seat(state) < 0:
            game.play(state, game.roll(state, dice))
            continue
        moves = game.moves(state)
        game.play(state, int(rng.choice(moves[: max(1, len(moves) - 1)])))


def _ask(
    findings: Findings, which: str, kernels: Any, game: Game, state: State, where: str
) -> list[int] | None:
    """The candidates; None when it cannot go on."""
    out = np.full(game.most_moves + GUARD, MARK, np.uint32)
    before = state.tobytes()
    call = ask if which == "compiles" else ask.py_func if hasattr(ask, "py_func") else ask
    try:
        n = int(call(kernels, state, out))
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever somebody's function raises is a finding
        findings.fail(which, f"{where}: {type(error).__name__}: {str(error)[:400]}")
        return None
    if state.tobytes() != before:
        findings.fail(
            "keeps", f"{where}: it changed the position; read the board, write to out alone"
        )
        return None
    if not 0 <= n <= game.most_moves or (out[game.most_moves :] != MARK).any():
        findings.fail(
            "bounded",
            f"{where}: it returned {n} and wrote {int((out != MARK).sum())} candidates, and there are at "
            f"most {game.most_moves} moves: list a point once, and count what you write",
        )
        return None
    if (out[:n] == MARK).any():
        findings.fail("bounded", f"{where}: it returned {n} and wrote fewer candidates")
        return None
    return [int(move) for move in out[:n]]


def _judge(
    findings: Findings, game: Game, state: State, where: str, answers: list[list[int] | None]
) -> int:
    """Note what is wrong with the answers of both selves; how many of them are legal moves."""
    first, last = answers[0], answers[-1]
    assert first is not None
    assert last is not None
    if first != last:
        findings.fail(
            "same",
            f"{where}: plain Python proposes {first[:8]}, compiled code {last[:8]}: put int(...) round "
            "what you read and calculate with",
        )
    wrong = [move for move in first if move >= game.move_ids]
    if wrong:
        findings.fail(
            "sane",
            f"{where}: it proposes {wrong[0]}, and moves are below {game.move_ids}",
        )
    legal = {int(move) for move in game.moves(state)}
    return sum(move in legal for move in first)


register_checker("heuristic", Heuristic, examine)
