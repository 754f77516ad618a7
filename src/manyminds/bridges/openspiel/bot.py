"""Our players as OpenSpiel's bots, for its matches and tournaments."""

from __future__ import annotations

from typing import Any

from manyminds.bridges.openspiel.game import openspiel
from manyminds.bridges.openspiel.loading import pyspiel
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.contract import CHANCE, NONE, Game
from manyminds.players.player import Lineup
from manyminds.players.registry import make_player
from manyminds.players.spec import PlayerSpec

DEFAULT_BUDGET = Budget(simulations=1000)


def openspiel_bot(
    player: str, game: Any, seat: int, seed: int = 0, lineup: tuple[str, ...] | None = None
) -> Any:
    """A player of ours as a `pyspiel.Bot` on a seat of OpenSpiel's game, given as its object or its name.

    lineup: who sits on all seats, for players that care; the others are unknown otherwise. OpenSpiel's own
    table of bots is open to C++ alone, so that a bot of ours is an object to pass on, not a name.

        >>> import manyminds as mm
        >>> import pyspiel
        >>> game = pyspiel.load_game("tic_tac_toe")
        >>> bots = [mm.openspiel_bot("rave@200", game, seat=0), pyspiel.make_uniform_random_bot(1, 7)]
        >>> returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
        >>> returns[0] >= 0
        True
    """
    ours = openspiel(game if isinstance(game, str) else str(game))
    if not 0 <= seat < ours.seats:
        raise UsageError(
            f"{ours.arguments['game']} has the seats 0 to {ours.seats - 1}, not {seat}"
        )
    others = lineup or tuple(player if each == seat else "unknown" for each in range(ours.seats))
    return _bot_class()(_Follower(ours, PlayerSpec.of(player), seat, Lineup(others, seed)))


class _Follower:
    """A player that is told of a game by OpenSpiel's state: what was played since the last look."""

    def __init__(self, game: Game, spec: PlayerSpec, seat: int, lineup: Lineup) -> None:
        self.game, self.spec, self.seat, self.lineup = game, spec, seat, lineup
        self.begin()

    def begin(self) -> None:
        """A new match."""
        self.player = make_player(self.spec, self.game)
        self.player.begin(self.game, self.seat, self.lineup)
        self.state = self.game.start()
        self.played: list[int] = []

    def follow(self, history: list[int]) -> None:
        """Tell the player what was played; from the start where play has been taken back."""
        if history[: len(self.played)] != self.played:
            self.begin()
        for move in history[len(self.played) :]:
            mover = self.game.seat(self.state)
            joint = [NONE] * self.game.seats
            joint[0 if mover == CHANCE else mover] = move
            self.player.saw(tuple(joint))
            self.game.play(self.state, move)
            self.played.append(move)

    def decide(self, history: list[int]) -> int:
        self.follow(history)
        budget = self.spec.budget or DEFAULT_BUDGET
        return self.player.decide(self.game.copy(self.state), budget).move


def _bot_class() -> Any:
    """The class of our bots, which cannot be made before OpenSpiel is here."""

    base: Any = pyspiel().Bot

    class ManymindsBot(base):
        """OpenSpiel's calls, passed on to the player."""

        def __init__(self, follower: _Follower) -> None:
            super().__init__()
            self.follower = follower

        def step(self, state: Any) -> int:
            """The player's move."""
            return self.follower.decide(state.history())

        def restart(self) -> None:
            """A new match begins."""
            self.follower.begin()

        def restart_at(self, state: Any) -> None:
            """A new match begins at this position."""
            self.follower.begin()
            self.follower.follow(state.history())

        def inform_action(self, state: Any, player: int, action: int) -> None:
            """Somebody moved: the next state's history says so, too."""

    return ManymindsBot
