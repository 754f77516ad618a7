"""A player on its seat during one match: its budget, its clock and its deadline."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

from manyminds.arena.patience import Patience
from manyminds.arena.seating import Place
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.player import Decision, Forfeit, Lineup

SECONDS_TO_BEGIN = 120.0  # beyond the deadline: kernels are compiled, programs load their books
SECONDS_TO_CLOSE = 10.0
MOST_SAID = 65_536  # bytes of one message


class Seated:
    """Passes a match's calls on to the player. `seconds` is what its decisions took, in real time."""

    def __init__(self, seat: int, place: Place, budget: Budget, deadline: float | None) -> None:
        self.seat, self.player, self.text = seat, place.player, place.text
        self.budget = place.budget or budget
        self.deadline = deadline
        self.seconds = 0.0
        self.talks = hasattr(self.player, "say") or hasattr(self.player, "hear")
        self._patience = None if deadline is None else Patience()

    def begin(self, game: Game, lineup: Lineup) -> None:
        """Tells the player that the match begins."""
        self._call(SECONDS_TO_BEGIN, self.player.begin, game, self.seat, lineup)

    def saw(self, joint: JointMove) -> None:
        """Tells the player what was played."""
        self._call(0.0, self.player.saw, joint)

    def say(self) -> bytes:
        """The player's message to all others; empty when it has none."""
        if not hasattr(self.player, "say"):
            return b""
        message = bytes(self._call(0.0, self.player.say) or b"")
        if len(message) > MOST_SAID:
            raise Forfeit(f"said {len(message)} bytes at once; at most {MOST_SAID}")
        return message

    def hear(self, seat: int, message: bytes) -> None:
        """Passes on what another seat said."""
        if hasattr(self.player, "hear"):
            self._call(0.0, self.player.hear, seat, message)

    def decide(self, game: Game, state: State) -> Decision:
        """The player's decision: a legal move, or Forfeit. It gets a state of its own."""
        begun = time.perf_counter()
        try:
            decision = self._call(0.0, self.player.decide, game.copy(state), self.budget)
        finally:
            self.seconds += time.perf_counter() - begun
        if not isinstance(decision, Decision):
            raise UsageError(f"{self.text}: decide must return a Decision, not {decision!r:.60}")
        if not (game.moves(state, self.seat) == decision.move).any():
            raise Forfeit(f"illegal move {_name(game, decision.move, state)}")
        return decision

    def close(self) -> None:
        """Lets the player give back what it holds; called exactly once, whatever happened."""
        close = getattr(self.player, "close", None)
        if self._patience is None:
            if close is not None:
                close()
            return
        # The player's own thread may be lost in a call that never ends; closing must not wait for it,
        # and who is slow to leave has lost nothing.
        patience = Patience() if self._patience.late else self._patience
        try:
            if close is not None:
                with contextlib.suppress(Forfeit):
                    patience.call(SECONDS_TO_CLOSE, close)
        finally:
            patience.end()

    def _call(self, more: float, function: Callable[..., Any], *arguments: Any) -> Any:
        if self._patience is None or self.deadline is None:
            return function(*arguments)
        return self._patience.call(self.deadline + more, function, *arguments)


def _name(game: Game, move: object, state: State) -> str:
    """A move that was refused, as far as it has a name at all."""
    if isinstance(move, int) and 0 <= move < game.move_ids:
        return game.name(move, state)
    return f"{move!r:.40}"
