"""Our players behind the protocol: one for each colour that we are asked to move for."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from typing import Any

from manyminds.apps.gtp.game_board import GameBoard
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import Game, JointMove, State
from manyminds.players.player import Decision, Lineup, Player
from manyminds.players.registry import make_player
from manyminds.players.spec import PlayerSpec

DEFAULT_BUDGET = Budget(simulations=10_000)
_MOST_LATE = 1.0  # s


class Thinker:
    """Players made from one spec, kept as long as their game goes on as they were told.

    After an undo, stones that were set up or a move out of turn they begin anew: what they had
    thought is lost, what they answer stays right, since they are shown the position itself.
    """

    def __init__(self, spec: PlayerSpec, board: GameBoard, seed: int) -> None:
        self.spec, self.board, self.seed = spec, board, seed
        self.players: dict[int, Player] = {}
        self.late = 0.0  # s that decisions took beyond their budgets lately
        self._warm: threading.Thread | None = None
        make_player(spec, board.game)

    @property
    def budget(self) -> Budget:
        """What a move may spend where no clock runs."""
        return self.spec.budget or DEFAULT_BUDGET

    @property
    def keeps_budget(self) -> bool:
        """Whether the budget was typed as simulations or nodes, which no clock changes."""
        return self.spec.budget is not None and self.spec.budget.milliseconds is None

    def budget_for(self, seconds: float | None) -> Budget:
        """What this move may spend when the clock leaves it so many seconds."""
        if seconds is None or self.keeps_budget:
            return self.budget
        own = self.budget.milliseconds if self.spec.budget else None
        milliseconds = seconds * 1000 if own is None else min(own, seconds * 1000)
        return Budget(milliseconds=max(0.001, milliseconds))

    # --- what is told and asked -----------------------------------------------------------------------

    def saw(self, joint: JointMove) -> None:
        """A move was played."""
        if not self.board.in_turn:
            self.forget()
        for player in self.players.values():
            player.saw(joint)

    def decide(self, seat: int, state: State, budget: Budget) -> Decision:
        """The player's decision for this seat, in a position where it is to move."""
        self.wait()
        game = self.board.game
        position = game.copy(state)
        if game.over(position) and self.board.is_go:
            position.passes = 0  # asked to go on after the passes
        player = self.player(seat)
        begun = time.perf_counter()
        decision = player.decide(position, budget)
        if budget.milliseconds is not None:
            over = time.perf_counter() - begun - budget.milliseconds / 1000
            self.late = min(_MOST_LATE, max(over, 0.9 * self.late))
        return decision

    def player(self, seat: int) -> Player:
        """The player of this seat, who knows what has been played."""
        if seat not in self.players:
            board = self.board
            player = make_player(self.spec, board.game)
            player.begin(board.game, seat, Lineup([str(self.spec)] * board.game.seats, self.seed))
            if board.in_turn:
                for joint in (board.joint(*played) for played in board.played):
                    player.saw(joint)
            self.players[seat] = player
        return self.players[seat]

    def search(self, seat: int) -> Any:
        """The search of the seat's player, where it has one that can be looked at; else None."""
        return getattr(self.players.get(seat), "search", None)

    def settings(self, seat: int) -> Any:
        """What the player's playouts are like, where it says so."""
        return getattr(self.players.get(seat), "settings", None)

    def forget(self) -> None:
        """All players end; others begin when they are needed."""
        for player in self.players.values():
            close = getattr(player, "close", None)
            if close is not None:
                with contextlib.suppress(UsageError):
                    close()
        self.players.clear()

    # --- getting ready --------------------------------------------------------------------------------

    def warm_up(self) -> None:
        """Load or compile what a decision needs, beside the first commands."""
        self._warm = threading.Thread(target=self._warm_up, args=(self.board.game,), daemon=True)
        self._warm.start()

    @property
    def warming(self) -> bool:
        """Whether that is still going on."""
        return self._warm is not None and self._warm.is_alive()

    def wait(self) -> None:
        """Until it is done."""
        if self._warm is not None:
            if self._warm.is_alive():
                print(
                    "manyminds: getting ready (a first run compiles)", file=sys.stderr, flush=True
                )
            self._warm.join()
            self._warm = None

    def _warm_up(self, game: Game) -> None:
        """A player that begins, decides once and goes; what is wrong with it is said when it is asked."""
        with contextlib.suppress(Exception):
            player = make_player(self.spec, game)
            player.begin(game, 0, Lineup([str(self.spec)] * game.seats, self.seed))
            player.decide(game.start(), Budget(simulations=16))
            close = getattr(player, "close", None)
            if close is not None:
                close()
