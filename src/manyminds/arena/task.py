"""One game as data, and the playing of it: what workers are sent, and what they do with it.

A task has names and numbers only; game and players are built from them where it is played. Nothing
is pickled. A worker keeps the games it has made, so that only its first task is slow.
"""

from __future__ import annotations

import threading
import traceback
from typing import TYPE_CHECKING, Any

import msgspec

from manyminds.arena.campaign import Campaign, Spec, seconds_of
from manyminds.arena.files import UserFile, import_files
from manyminds.arena.result import FailedGame, Finished, result_of
from manyminds.arena.schedule import GamePlan
from manyminds.core.errors import UsageError

if TYPE_CHECKING:
    from manyminds.arena.match import Match

_KEPT_GAMES = 8
_LONGEST_REASON = 4000

_games: dict[bytes, Any] = {}
_making = threading.Lock()


class Rules(msgspec.Struct, frozen=True, array_like=True):
    """How games of a campaign are played: as `match.play` takes them.

    game_deadline: seconds for a whole game, after which the runner ends it.
    """

    settings: dict[str, Any]
    budget: str | int | None
    move_limit: int | None
    deadline: float | None
    game_deadline: float
    judge: str = ""


class Task(msgspec.Struct, frozen=True, array_like=True):
    """All that a game needs: a worker anywhere plays it the same."""

    number: int
    seed: int
    game: dict[str, Any]
    players: tuple[Spec, ...] | dict[str, Spec]
    rules: Rules
    files: tuple[UserFile, ...]


class Tasks:
    """The tasks of a campaign's games."""

    def __init__(self, campaign: Campaign, files: tuple[UserFile, ...]) -> None:
        deadline = None if campaign.deadline is None else seconds_of(campaign.deadline)
        self.game, self.files = campaign.data, files
        longest = seconds_of(campaign.game_deadline)
        limits = (campaign.move_limit, deadline, longest)
        self.rules = Rules(campaign.settings, campaign.budget, *limits, campaign.judge)

    def task(self, plan: GamePlan) -> Task:
        """The task that plays this game."""
        return Task(plan.number, plan.seed, self.game, plan.players, self.rules, self.files)


def make(game: dict[str, Any], files: tuple[UserFile, ...]) -> Any:
    """The game of these data, after the user's files were imported."""
    key = msgspec.msgpack.encode((game, [file.digest for file in files]), order="deterministic")
    with _making:  # a cluster's worker may have several threads
        if key not in _games:
            import_files(files)
            _games[key] = _made(game)
        return _games[key]


def _made(game: dict[str, Any]) -> Any:
    from manyminds.games.registry import make_game

    while len(_games) >= _KEPT_GAMES:
        del _games[next(iter(_games))]
    arguments = {name: value for name, value in game.items() if name != "name"}
    return make_game(game["name"], **arguments)


def play_task(task: Task) -> Finished:
    """Play the game. Whatever goes wrong in it is its failure, not the worker's."""
    try:
        return result_of(task.number, _play(task))
    except UsageError as error:
        return FailedGame(task.number, str(error), typed=True)
    except (Exception, SystemExit):  # noqa: BLE001 - a user's player may raise anything; the reason is kept
        return FailedGame(task.number, _reason())


def _play(task: Task) -> Match:
    from manyminds.arena.match import play

    rules = task.rules
    return play(
        make(task.game, task.files),
        task.players,
        task.seed,
        settings=rules.settings,
        budget=rules.budget,
        deadline=rules.deadline,
        move_limit=rules.move_limit,
        judge=rules.judge,
    )


def _reason() -> str:
    """The exception being handled as text, its last lines where it is long."""
    text = traceback.format_exc().strip()
    return text if len(text) <= _LONGEST_REASON else "..." + text[-_LONGEST_REASON:]
