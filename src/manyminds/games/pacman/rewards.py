"""What a game of Ms Pac-Man is worth (Filip, eq. 4.2 with its sign put right), and its points."""

from __future__ import annotations

from manyminds.core.kernel import inline
from manyminds.games.pacman.rules import pills_left
from manyminds.games.pacman.state import GHOSTS, PACMAN, PILL_POINTS


@inline
def rewards(m, state, out, settings):
    """The ghosts': (1 - w) (1 - share of the score) + w [Pac-Man eaten]; Pac-Man's is the rest of 1."""
    eaten = 0.0
    if state.deaths > 0:
        eaten = float(state.deaths) / (float(state.deaths) + float(state.lives))
    weight = settings.death_weight
    ghosts = (1.0 - weight) * (1.0 - score_share(state)) + weight * eaten
    out[PACMAN] = 1.0 - ghosts
    for ghost in range(GHOSTS):
        out[ghost + 1] = ghosts


@inline
def score_share(state):
    """The score as a share of the most that can be had (eq. 4.1); where there is no most, s / (s + most)."""
    score, most = float(state.score), float(state.most)
    if state.levels:
        return score / (score + most)
    return min(score / most, 1.0)


@inline
def points(m, state, out):
    """Pac-Man's score; of the ghosts, what the pills in the maze would still bring him."""
    out[PACMAN] = state.score
    for ghost in range(GHOSTS):
        out[ghost + 1] = PILL_POINTS * pills_left(state)
