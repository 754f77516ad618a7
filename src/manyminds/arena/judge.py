"""A judge: an outside program that says which stones are dead once a game of Go is over.

Where a player passes before all dead stones are off the board, our count has them as alive. The judge is
shown the whole game over GTP and asked for `final_status_list dead`; what it names is taken off, and the
rest is counted by our rules.
"""

from __future__ import annotations

from typing import Any

from manyminds.core.errors import Failure, UsageError
from manyminds.games.contract import Game, State
from manyminds.games.go.coordinates import row_and_column
from manyminds.games.go.diagram import Position
from manyminds.games.go.setup import state_of
from manyminds.players.outside import OutsidePlayer
from manyminds.players.player import Forfeit, Lineup

SECONDS = 120.0  # for its answer


def check_judge(game: Game, command: str) -> None:
    """Refuse early what cannot be judged, and a program that is not here."""
    if game.title != "go" or game.seats != 2:
        raise UsageError("a judge of dead stones is for Go of two colours; leave judge out")
    OutsidePlayer(command)


def without_dead(
    game: Game, state: State, joint_moves: list[tuple[int, ...]], command: str
) -> State:
    """The position after the stones that the judge calls dead are off."""
    judge = OutsidePlayer(command, SECONDS, SECONDS)
    try:
        judge.begin(game, 0, Lineup([command] * game.seats, 0))
        for joint in joint_moves:
            judge.saw(tuple(int(move) for move in joint))
        dead = _places(game, judge.tell_dead())
    except Forfeit as error:
        raise Failure(f"the judge does not judge: {error.reason}") from error
    finally:
        judge.close()
    position = Position.of(state)
    kept = {place: c for place, c in position.stones.items() if place not in dead}
    return state_of(
        game,
        Position(position.width, position.height, position.colours, kept, position.to_play),
    )


def _places(game: Game, answer: str) -> set[Any]:
    """The places of the stones in an answer, such as "A1 B2\\nE5"."""
    try:
        return {row_and_column(game.move_named(word)) for word in answer.split()}
    except UsageError as error:
        raise Failure(f'the judge answered "{answer[:80]}": {error}') from error
