"""`check_player(factory)`: whether a player does what matches rely on, and what to do where it does not.

It sits on every seat of small games, in turns and simultaneous ones, among others who play at random.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from manyminds.core.budget import Budget
from manyminds.core.checks import CheckError, CheckReport, Findings, register_checker
from manyminds.core.errors import UsageError
from manyminds.core.random import derive, generator
from manyminds.games.contract import CHANCE, NONE, Game, JointMove
from manyminds.games.registry import make_game
from manyminds.players import registry
from manyminds.players.player import Decision, Forfeit, Lineup, Player

CLAUSES = {
    "made": "a player is made without arguments, or with the defaults that were declared",
    "methods": "it has begin, saw and decide",
    "decides": "decide gives a Decision with a legal move, whoever else plays, on every seat",
    "values": "values have considered moves that are legal, with one number from 0 to 1 for each seat",
    "beliefs": "beliefs are shares from 0 to 1",
    "again": "the same seed gives the same moves, from a player that has played before, too",
    "time": "a budget of 50 ms is answered within 5 seconds",
    "closes": "close, where there is one, may follow a match",
}
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nim", {}),
    ("three_hills", {}),
    ("pig", {"target": 10}),
    ("goofspiel", {}),
    ("go", {"size": 5, "colours": 3, "limit": 30}),
)
BUDGET = Budget(simulations=20)
SOON, LATE = Budget(milliseconds=50), 5.0  # seconds


class PlayerError(CheckError):
    """The player does not do what matches rely on; `report` has every clause."""


class _Stopped(Exception):
    """This match cannot go on; why has been noted."""


def check_player(
    factory: Callable[[], Player],
    games: Sequence[Game] | None = None,
    seed: int = 0,
    *,
    raises: bool = True,
    tell: Callable[[str], None] | None = None,
) -> CheckReport:
    """Check a player, as what makes a new one: the report, or a `PlayerError` that lists failures.

    games: what it has to play; by default small ones of all kinds, but for those that its registration
    refuses.

        >>> import manyminds as mm
        >>> nim = mm.make_game("nim")
        >>> mm.check_player(lambda: mm.make_player("random", nim), [nim]).passed
        True
    """
    title = str(getattr(factory, "__name__", "player"))
    findings = Findings(CLAUSES)
    for game in _fitting(factory) if games is None else games:
        if tell is not None:
            tell(f"playing {game.title}")
        if not _examine(factory, game, seed, findings):
            break
    report = findings.report("player", title, "not looked at: mend what failed first")
    if raises and not report.passed:
        raise PlayerError(report)
    return report


def _fitting(factory: Any) -> list[Game]:
    """The games to play, without those that the player was registered not to fit."""
    entry = registry.entry_of(factory)
    made = [make_game(name, **arguments) for name, arguments in GAMES]
    fitting = [game for game in made if not (entry and entry.fits and entry.fits(game))]
    if not fitting:
        raise UsageError(
            "this player fits none of the small games: name some, check_player(f, [game])"
        )
    return fitting


def _examine(factory: Any, game: Game, seed: int, findings: Findings) -> bool:
    """Matches from every seat, each played twice; whether there is more to look at."""
    player = _made(factory, game, findings)
    if player is None:
        return False
    try:
        for seat in range(game.seats):
            first = _Match(game, seat, seed, findings).play(player, BUDGET)
            other = _made(factory, game, findings)
            assert other is not None
            if _Match(game, seat, seed, findings).play(other, BUDGET) != first:
                findings.fail(
                    "again",
                    f"two matches of {game.title} with the same seed differ: begin anew in begin, and "
                    "let all chance follow from lineup.seed_of(seat)",
                )
        _Match(game, 0, seed, findings).play(player, SOON)
    except _Stopped:
        return False
    findings.passed(*CLAUSES)
    return True


def _made(factory: Any, game: Game, findings: Findings) -> Player | None:
    entry = registry.entry_of(factory)
    try:
        player = registry.make_player(entry.name, game) if entry else factory()
    except (TypeError, UsageError) as error:
        findings.fail(
            "made", f"{error}; give every argument a default, in register(...) or in __init__"
        )
        return None
    if not isinstance(player, Player):
        missing = [n for n in ("begin", "saw", "decide") if not hasattr(player, n)]
        findings.fail("methods", f"it has no {', '.join(missing)}: a player needs all three")
        return None
    return player


class _Match:
    """One match; everybody else plays at random."""

    def __init__(self, game: Game, seat: int, seed: int, findings: Findings) -> None:
        self.game, self.seat, self.findings = game, seat, findings
        self.rng = random.Random(derive(seed, game.title, seat))
        self.dice = generator(derive(seed, "dice", game.title, seat))
        self.state = game.start(seed)
        self.lineup = Lineup(["random"] * game.seats, seed)
        self.where = f"in {game.title}, on the seat {game.seat_names[seat]}"

    def play(self, player: Player, budget: Budget) -> list[JointMove]:
        """All joint moves."""
        played: list[JointMove] = []
        self._call(player.begin, self.game, self.seat, self.lineup)
        while not self.game.over(self.state) and len(played) < self.game.longest:
            joint = self._joint(player, budget)
            self.game.play(self.state, joint)
            self._call(player.saw, joint)
            played.append(joint)
        if hasattr(player, "close"):
            self._call(player.close, clause="closes")
        return played

    def _joint(self, player: Player, budget: Budget) -> JointMove:
        game, joint = self.game, [NONE] * self.game.seats
        if not game.simultaneous and game.seat(self.state) == CHANCE:
            joint[0] = game.roll(self.state, self.dice)
            return tuple(joint)
        for seat in game.movers(self.state):
            if seat == self.seat:
                joint[seat] = self._decided(player, budget)
            else:
                joint[seat] = int(self.rng.choice(game.moves(self.state, seat).tolist()))
        return tuple(joint)

    def _decided(self, player: Player, budget: Budget) -> int:
        start = time.perf_counter()
        decision = self._call(player.decide, self.game.copy(self.state), budget)
        if budget == SOON and time.perf_counter() - start > LATE:
            self._stop("time", f"decide took {time.perf_counter() - start:.1f} s for {budget}")
        legal = self.game.moves(self.state, self.seat).tolist()
        if not isinstance(decision, Decision):
            self._stop("decides", f"decide gives {decision!r:.40}: return mm.Decision(move)")
        if decision.move not in legal:
            self._stop(
                "decides", f"decide plays {decision.move!r:.40}, where moves lists {legal[:10]}"
            )
        self._look(decision, legal)
        return int(decision.move)

    def _look(self, decision: Decision, legal: list[int]) -> None:
        for move, values in decision.values.items():
            if move not in legal or len(values) != self.game.seats:
                self._fail("values", f"values has {move}: {values!r:.60}; give legal moves alone, and "
                           f"{self.game.seats} numbers for each")  # fmt: skip
            elif not all(0.0 <= value <= 1.0 for value in values):
                self._fail("values", f"values has {move}: {values!r:.60}; rewards are from 0 to 1")
        for what, share in decision.beliefs.items():
            if not 0.0 <= share <= 1.0:
                self._fail("beliefs", f'belief "{what}" is {share}; shares are from 0 to 1')

    def _call(self, method: Callable[..., Any], *arguments: Any, clause: str = "decides") -> Any:
        try:
            return method(*arguments)
        except Forfeit as forfeit:
            self._stop(clause, f"{method.__name__} forfeits: {forfeit.reason}")
        except Exception as error:  # noqa: BLE001 - a person's player may raise anything
            self._stop(clause, f"{method.__name__} raises {type(error).__name__}: {error}")

    def _fail(self, clause: str, sentence: str) -> None:
        self.findings.fail(clause, f"{sentence} ({self.where})")

    def _stop(self, clause: str, sentence: str) -> Any:
        self._fail(clause, sentence)
        raise _Stopped


def _check_found(factory: Any, games: int, seed: int, tell: Callable[[str], None]) -> CheckReport:
    return check_player(factory, None, seed, raises=False, tell=tell)


def _is_player(value: object) -> bool:
    """A class with the three methods, of a person's own."""
    return (
        isinstance(value, type)
        and not value.__module__.startswith("manyminds.")
        and all(callable(getattr(value, name, None)) for name in ("begin", "saw", "decide"))
    )


register_checker("player", _is_player, _check_found)
