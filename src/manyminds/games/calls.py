"""What Python asks of a game, one compiled entry for each question, kept on disk for each game."""

from __future__ import annotations

from manyminds.core.kernel import entry


@entry
def seat(game, state):
    return game.seat(state)


@entry
def movers(game, state, out):
    return game.movers(state, out)


@entry
def moves(game, state, out):
    return game.moves(state, out)


@entry
def seat_moves(game, state, seat, out):
    return game.moves(state, seat, out)


@entry
def play(game, state, move):
    game.play(state, move)


@entry
def play_joint(game, state, joint):
    game.play(state, joint)


@entry
def roll(game, state, rng):
    return game.chance(state, rng)


@entry
def over(game, state):
    return game.over(state)


@entry
def rewards(game, state, out, settings):
    game.rewards(state, out, settings)


@entry
def points(game, state, out):
    game.points(state, out)


@entry
def playout(game, state, rng, trace, settings):
    game.playout(state, rng, trace, settings)


@entry
def playouts(game, root, state, rng, trace, settings, n, limit):
    """n playouts from `root`, each at most `limit` turns; the number of steps made in all."""
    steps = 0
    for _ in range(n):
        game.copy(state, root)
        trace.n = trace.turns = 0
        trace.limit = limit
        game.playout(state, rng, trace, settings)
        steps += trace.n
    return steps
