"""At pig: a player made of agents whose worth is easy to see."""

import random

from manyminds.players import Decision, register
from manyminds.players.arguments import Argument, text

ROLL, HOLD = 0, 1


class Holds:
    """At pig: draws an agent for every decision, which holds once it risks so much."""

    def __init__(self, at):
        parts = [part.strip().rpartition("*") for part in at.split("+")]
        self.limits = [int(name) for weight, _, name in parts for _ in range(int(weight or 1))]

    def begin(self, game, seat, lineup):
        self.game, self.random = game, random.Random(lineup.seed_of(seat))

    def saw(self, joint):
        pass

    def decide(self, state, budget):
        may_hold = HOLD in self.game.moves(state, int(state.turn))
        hold = may_hold and state.risked >= self.random.choice(self.limits)
        return Decision(HOLD if hold else ROLL)


register("holds", Holds, [Argument("at", text)], help="holds when it risks so many points")
