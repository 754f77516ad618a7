"""Fits how moves of Go depend on who is a partner: the weights in players/coalitions/evidence.py.

    python tools/fit_conduct.py --games 54 --simulations 200

Plays games of two allies and a third, and as many in which everybody plays for itself. The conditional
logit of docs/infer.md is fitted to both by Newton's method: p(m) is proportional to exp(sum of w * f).
Allies have one vector of weights for what a move does to partners and one for what it does to others,
who plays for itself has one for what it does to anybody, and each of the two has a number for a pass.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

import manyminds as mm
from manyminds.games.go.conduct import FEATURES, conduct

RIDGE = 1.0  # keeps the weights of what never happens at 0
COLOURS = ("black", "white", "red")
ALONE = (  # who plays for itself
    ("paranoid", "paranoid", "paranoid"),
    ("paranoid", "infer(prior=1e-6, greet=0)", "paranoid(expand_after=1)"),
    ("rave", "paranoid", "paranoid"),
)
Choice = tuple[np.ndarray, int]  # what each possible move does; which was played
Blocks = Sequence[
    Sequence[int]
]  # of one mover: whose features are added up, for each vector of weights


def allied(number: int) -> tuple[list[str], int]:
    """Allies by joint and by allies scoring, against Paranoid and Rave, on all seats; who is the third."""
    third = number % 3
    scoring = ("joint", "allies", "joint")[number // 3 % 3]
    players = [("paranoid", "paranoid", "rave")[number // 3 % 3]] * 3
    a, b = (seat for seat in range(3) if seat != third)
    players[a] = f"alliance(with=[{COLOURS[b]}], scoring={scoring})"
    players[b] = f"alliance(with=[{COLOURS[a]}], scoring={scoring})"
    return players, third


def alone(number: int) -> list[str]:
    """Three who play for themselves, on all seats."""
    players, turn = ALONE[number % 3], number // 3 % 3
    return [*players[turn:], *players[:turn]]


def choices_of(game: mm.Game, match: mm.Match, blocks: Mapping[int, Blocks]) -> Iterator[Choice]:
    """Every move of these seats at which there was a choice: its features by block, and 1 for a pass."""
    state = game.start()
    for joint in match.joint_moves:
        mover = game.seat(state)
        moves, does = conduct(game, state)
        played = np.flatnonzero(moves == joint[mover])
        if mover in blocks and len(played) and len(moves) > 2:
            columns = [does[:, list(seats)].sum(axis=1) for seats in blocks[mover]]
            passes = np.zeros((len(moves), 1))
            passes[-1] = 1.0
            yield np.hstack([*columns, passes]), int(played[0])
        game.play(state, joint)


def fit(choices: list[Choice]) -> np.ndarray:
    """The weights that make the played moves likeliest."""
    weights = np.zeros(choices[0][0].shape[1])
    for _ in range(30):
        slope, curve = -RIDGE * weights, -RIDGE * np.eye(len(weights))
        for x, played in choices:
            shares = np.exp(x @ weights - (x @ weights).max())
            shares /= shares.sum()
            mean = shares @ x
            slope += x[played] - mean
            curve -= (x * shares[:, None]).T @ x - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def tell(title: str, weights: np.ndarray, count: int) -> None:
    print(f"{title}, {count} moves:")
    for k in range(len(weights) // len(FEATURES)):
        block = weights[k * len(FEATURES) : (k + 1) * len(FEATURES)]
        print("   ", ", ".join(f"{name} {w:.2f}" for name, w in zip(FEATURES, block, strict=True)))
    print(f"    a pass {weights[-1]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of conduct in Go.")
    parser.add_argument("--games", type=int, default=54, help="of each kind")
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seed", type=int, default=31000)
    given = parser.parse_args()
    game = mm.go(size=given.size, colours=3)
    together: list[Choice] = []
    apart: list[Choice] = []
    for number in range(given.games):
        players, third = allied(number)
        seed = given.seed + number
        match = mm.play(game, players, seed=seed, budget=given.simulations)
        pair = [seat for seat in range(3) if seat != third]
        blocks = {seat: [[other for other in pair if other != seat], [third]] for seat in pair}
        together += choices_of(game, match, blocks)
        match = mm.play(game, alone(number), seed=seed + 1000, budget=given.simulations)
        others = {seat: [[other for other in range(3) if other != seat]] for seat in range(3)}
        apart += choices_of(game, match, others)
    tell("of allies, to the partner and to the third", fit(together), len(together))
    tell("of who plays for itself, to anybody", fit(apart), len(apart))


if __name__ == "__main__":
    main()
