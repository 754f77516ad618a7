"""Fits how moves of Go depend on who is a partner: the weights in players/coalitions/evidence.py.

    python tools/fit_conduct.py --games 18 --simulations 300

Plays games of two allies and a third, and fits the conditional logit of docs/infer.md to all their moves
by Newton's method: p(m) is proportional to exp(sum of w * f), with one vector of weights for what a move
does to partners, one for what it does to others, and one number for a pass.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

import manyminds as mm
from manyminds.games.go.conduct import FEATURES, conduct

RIDGE = 1.0  # keeps the weights of what never happens at 0
Choice = tuple[np.ndarray, int]  # what each possible move does; which was played


def line_up(number: int) -> tuple[list[str], int]:
    """Allies by joint and by allies scoring, against Paranoid and Rave, on all seats; who is the third."""
    colours, third = ("black", "white", "red"), number % 3
    scoring = ("joint", "allies", "joint")[number // 3 % 3]
    players = [("paranoid", "paranoid", "rave")[number // 3 % 3]] * 3
    a, b = (seat for seat in range(3) if seat != third)
    players[a] = f"alliance(with=[{colours[b]}], scoring={scoring})"
    players[b] = f"alliance(with=[{colours[a]}], scoring={scoring})"
    return players, third


def choices_of(game: mm.Game, match: mm.Match, third: int) -> Iterator[Choice]:
    """Every move of the match at which there was a choice."""
    state = game.start()
    for joint in match.joint_moves:
        mover = game.seat(state)
        moves, does = conduct(game, state)
        played = np.flatnonzero(moves == joint[mover])
        if len(played) and len(moves) > 2:
            x = np.zeros((len(moves), 2 * len(FEATURES) + 1))
            for other in set(range(3)) - {mover}:
                first = 0 if third not in (mover, other) else len(FEATURES)
                x[:, first : first + len(FEATURES)] += does[:, other]
            x[-1, -1] = 1.0
            yield x, int(played[0])
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of conduct in Go.")
    parser.add_argument("--games", type=int, default=18)
    parser.add_argument("--simulations", type=int, default=300)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seed", type=int, default=77000)
    given = parser.parse_args()
    game = mm.go(size=given.size, colours=3)
    choices: list[Choice] = []
    for number in range(given.games):
        players, third = line_up(number)
        match = mm.play(game, players, seed=given.seed + number, budget=given.simulations)
        choices += choices_of(game, match, third)
    weights = fit(choices)
    print(f"{len(choices)} moves; weights to partners and to others:")
    for name, partner, other in zip(FEATURES, weights, weights[len(FEATURES) :], strict=False):
        print(f"{name:8} {partner:6.2f} {other:6.2f}")
    print(f"a pass   {weights[-1]:6.2f}")


if __name__ == "__main__":
    main()
