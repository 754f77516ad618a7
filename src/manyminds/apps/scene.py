"""A match as it is seen while it goes on: the position, who thinks what, and what it has taken so far."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from manyminds.arena.course import start
from manyminds.arena.match import Turn
from manyminds.games.contract import NONE, Game
from manyminds.players.player import Decision
from manyminds.players.readable import readable

MOST_LINE = 6  # moves of what a player expects next
MOST_REMARK = 300  # characters that are shown
MOST_BELIEFS, MOST_BELIEF = 3, 40  # beliefs, and characters of one


@dataclass(frozen=True)
class Thought:
    """A player's last decision, in words: the move, its remark, the rewards it expects, the moves to come,
    and what it believes most.
    """

    move: str
    remark: str
    values: tuple[float, ...]
    line: tuple[str, ...]
    beliefs: tuple[tuple[str, float], ...] = ()

    def expectations(self, names: Sequence[str]) -> str:
        """ "black 38 %, white 33 %, red 29 %; then C6 F7", or as much of it as there is."""
        pairs = zip(names, self.values, strict=False)
        shares = ", ".join(f"{name} {100 * value:.0f} %" for name, value in pairs)
        return "; ".join(filter(None, (shares, self.to_come())))

    def believed(self) -> str:
        """ "believes white+red 83 %, each alone 12 %", or nothing."""
        shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in self.beliefs)
        return f"believes {shares}" if shares else ""

    def to_come(self) -> str:
        """ "then C6 F7", or nothing."""
        return f"then {' '.join(self.line)}" if self.line else ""


class Scene:
    """Follows a match by its turns. Lists are in the order of the seats.

    `state` is the match's own: look at it in `take`'s thread only.
    """

    def __init__(self, game: Game, lineup: Sequence[str], seed: int) -> None:
        self.game, self.lineup, self.seed = game, tuple(lineup), seed
        self.state = start(game, seed)
        self.turns: list[Turn] = []
        self.thoughts: list[Thought | None] = [None] * game.seats
        self.seconds = [0.0] * game.seats
        self.simulations = [0] * game.seats
        self.decisions = [0] * game.seats
        self.movers: list[int] = []  # who moves next; nobody before the first move and at the end
        self.moved_at = time.monotonic()

    def take(self, turn: Turn) -> None:
        """A joint move was played."""
        self.state = turn.state
        self.turns.append(turn)
        for seat, decision in turn.decisions.items():
            self.thoughts[seat] = self._thought(turn, seat, decision)
            self.seconds[seat] += turn.seconds[seat]
            self.simulations[seat] += decision.simulations
            self.decisions[seat] += 1
        self.movers = [] if self.game.over(self.state) else self.game.movers(self.state)
        self.moved_at = time.monotonic()

    @property
    def counted(self) -> bool:
        """Whether the game counts points; else people are told rewards."""
        return "points" in self.game.functions

    def points(self) -> list[float]:
        """What each seat has as the position stands."""
        return [float(count) for count in self.game.points(self.state)]

    @property
    def rate(self) -> float:
        """Simulations per second of thinking; 0 while none were made."""
        return sum(self.simulations) / max(sum(self.seconds), 1e-9)

    def _thought(self, turn: Turn, seat: int, decision: Decision) -> Thought:
        name = turn.name if not self.game.simultaneous else self.game.name(turn.joint[seat])
        remark = " ".join(readable(decision.remark, MOST_REMARK).split())
        values = tuple(float(value) for value in decision.values.get(decision.move, ()))
        line = self._expected(turn, seat, decision)
        return Thought(
            name, remark.removeprefix(f"{name}: "), values, line, _most_believed(decision)
        )

    def _expected(self, turn: Turn, seat: int, decision: Decision) -> tuple[str, ...]:
        """The names of the moves that the player expects after its own, as long as they are moves."""
        game = self.game
        if game.simultaneous or decision.line[:1] != [turn.joint[seat]]:
            return ()
        state, names = game.copy(turn.state), list[str]()
        for move in decision.line[1 : MOST_LINE + 1]:
            if game.over(state) or not (game.moves(state) == move).any():
                break
            names.append(game.name(move, state))
            game.play(state, [move, *[NONE] * (game.seats - 1)])
        return tuple(names)


def _most_believed(decision: Decision) -> tuple[tuple[str, float], ...]:
    """What it believes most, the strongest first, as far as it shows in per cent."""
    shares = sorted(decision.beliefs.items(), key=lambda one: -one[1])[:MOST_BELIEFS]
    return tuple(
        (readable(str(name), MOST_BELIEF), float(share)) for name, share in shares if share >= 0.005
    )
