"""my_player: looks one move ahead by playing every move out at random, some times each.

Change `decide` into your own, and look after each change:

    manyminds check my_player.py        does it do what matches rely on, and if not, what to do

In Python it then sits wherever a player may be named, since the last line registers it:

    import manyminds as mm, my_player
    mm.play(mm.go(size=7, colours=3), ["my-player@500", "rave@500", "random"], seed=1)

In a campaign's file say files = ["my_player.py"].
"""

import manyminds as mm


class MyPlayer:
    """Plays the move whose random playouts were best for its seat.

    playouts: of each move, where the budget is none in simulations.
    """

    def __init__(self, playouts=10):
        self.playouts = playouts

    def begin(self, game, seat, lineup):
        """A match begins: forget everything else. All chance follows from the seat's seed."""
        self.game, self.seat = game, seat
        self.rng = mm.generator(lineup.seed_of(seat))

    def saw(self, joint):
        """What was played: one move for each seat, mm.NONE where a seat did not move."""

    def decide(self, state, budget):
        """A legal move. The state is a copy of your own."""
        legal = self.game.moves(state, self.seat).tolist()
        spent = budget.simulations or self.playouts * len(legal)
        each = max(1, spent // len(legal))
        values = {move: self.value(state, move, each) for move in legal}
        best = max(values, key=lambda move: values[move][self.seat])
        return mm.Decision(best, values=values, simulations=each * len(legal))

    def value(self, state, move, times):
        """The mean reward of every seat after a move, the rest at random."""
        total = [0.0] * self.game.seats
        for _ in range(times):
            copy = self.game.copy(state)
            self.game.play(copy, self.joint(copy, move))
            self.game.playout(copy, self.rng)
            rewards = self.game.rewards(copy)
            total = [a + float(b) for a, b in zip(total, rewards, strict=True)]
        return tuple(value / times for value in total)

    def joint(self, state, move):
        """One's own move, with a random one for each seat that moves at the same time."""
        joint = [mm.NONE] * self.game.seats
        for seat in self.game.movers(state):
            moves = self.game.moves(state, seat)
            joint[seat] = int(moves[mm.below(self.rng, len(moves))])
        joint[self.seat] = move
        return joint


mm.register(
    "my-player",
    MyPlayer,
    [
        mm.Argument(
            "playouts", mm.whole(1, 1000), 10, "of each move, without a budget in simulations"
        )
    ],
    help="looks one move ahead by random playouts",
)
