"""What a tree takes for granted: who stands together, and how that shows in it.

Where a game has coalition playouts (Go: common eyes are spared and counted), an assumption becomes
settings of the game. Elsewhere it becomes reward weights: members maximise the sum of what all members
get, and a paranoid searcher's opponents the opposite of what it gets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from manyminds.games.contract import Game

NORMAL, ALLIES, JOINT = "normal", "allies", "joint"
SCORINGS = (NORMAL, ALLIES, JOINT)


@dataclass(frozen=True)
class Assumption:
    """coalitions: seats that stand together, each in one at most; who is in none stands alone.

    scoring: how playouts count for them. spare: where common eyes are left alone. hostile: in the tree
    all others minimise what the searcher gets. in_playouts: whether playouts know of the coalitions. fear:
    in the tree each other seat maximises its own reward minus so much of the searcher's.
    sparing: the seat, in no coalition, that spares in playouts what it surrounds with anybody.
    """

    coalitions: tuple[tuple[int, ...], ...] = ()
    scoring: str = NORMAL
    everywhere: bool = True
    hostile: bool = False
    in_playouts: bool = True
    fear: float = 0.0
    sparing: int | None = None

    def of(self, seat: int) -> tuple[int, ...]:
        """The coalition of a seat, itself included."""
        return next((members for members in self.coalitions if seat in members), (seat,))

    def text(self, game: Game) -> str:
        """For people: "black+white", or "each alone"."""
        named = ["+".join(game.seat_names[seat] for seat in one) for one in self.coalitions]
        return ", ".join(named) or "each alone"


ALONE = Assumption()


def knows_coalitions(game: Game) -> bool:
    """Whether the game's playouts can tell friends from others, and score for them."""
    if game.settings is None:
        return False
    return {"allies", "scoring", "spare"} <= set(game.settings.dtype.names or ())


def choices_of(game: Game, assumption: Assumption) -> dict[str, Any]:
    """The game's settings for simulations; none where its playouts know no coalitions."""
    if not (knows_coalitions(game) and assumption.in_playouts and assumption.coalitions):
        return {}
    found: dict[str, Any] = {
        "coalitions": assumption.coalitions,
        "scoring": assumption.scoring,
        "spare": "everywhere" if assumption.everywhere else "in playouts",
    }
    return found if assumption.sparing is None else found | {"sparing": assumption.sparing}


def weights_of(game: Game, seat: int, assumption: Assumption) -> np.ndarray | None:
    """[seat][seat], what each seat maximises for this searcher; None where each its own reward."""
    if assumption.hostile:
        weights = np.eye(game.seats)
        for other in range(game.seats):
            if game.team_of(other) != game.team_of(seat):
                weights[other] = 0.0
                weights[other, seat] = -1.0
        return weights
    if assumption.fear:
        weights = np.eye(game.seats)
        for other in range(game.seats):
            if game.team_of(other) != game.team_of(seat):
                weights[other, seat] = -assumption.fear
        return weights
    if knows_coalitions(game) or not assumption.coalitions:
        return None
    weights = np.eye(game.seats)
    for members in assumption.coalitions:
        speakers = {
            game.team_of(member): member for member in members
        }  # a team's reward counts once
        for member in members:
            weights[member] = 0.0
            weights[member, list(speakers.values())] = 1.0
    return weights


def worth(game: Game, assumption: Assumption, values: tuple[float, ...], seat: int) -> float:
    """What a tree promises a seat, to be compared between trees of different assumptions.

    The seat's mean at the root, as in the paper. By joint scoring every member has what the coalition
    has together; then it is an equal share of that.
    """
    if knows_coalitions(game) and assumption.in_playouts and assumption.scoring == JOINT:
        return values[seat] / len(assumption.of(seat))
    return values[seat]


def caveat(game: Game, assumption: Assumption) -> str:
    """What has to be said where a game cannot do what the paper does in Go."""
    if knows_coalitions(game) or not assumption.coalitions or not assumption.in_playouts:
        return ""
    return f"{game.title} has no coalition playouts: reward weights alone"
