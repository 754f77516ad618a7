"""A slow tree search in plain Python: nodes are objects, and what the fast one marks is looked up here.

It asks a game for its rules and makes everything else itself, random numbers too. Given the same first
random word, the fast search has to build the same tree.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from manyminds.games.contract import CHANCE, NONE

ONE = 2**30  # a reward of 1, as the fast search counts them


class Dice:
    """xorshift64* as it stands in the textbook, on Python's whole numbers."""

    def __init__(self, word):
        self.word = int(word)

    def below(self, n):
        self.word ^= self.word >> 12
        self.word ^= self.word << 25 & 2**64 - 1
        self.word ^= self.word >> 27
        return (self.word * 0x2545F4914F6CDD1D % 2**64 >> 32) * n >> 32


class Position:
    """A position of the tree: a state, and what has been chosen in its turn where several move at once."""

    def __init__(self, game, state, order=(), jointly=False, tree_moves=None):
        self.game, self.order, self.jointly = game, order, jointly
        self.tree_moves = tree_moves or game.moves
        self.state, self.chosen = game.copy(state), {}
        self.settle()

    def copy(self):
        twin = Position(self.game, self.state, self.order, self.jointly, self.tree_moves)
        twin.chosen = dict(self.chosen)
        return twin

    def settle(self):
        """Let the world move alone while no seat does."""
        while self.game.simultaneous and not self.over() and not self.game.movers(self.state):
            self.game.play(self.state, [NONE] * self.game.seats)

    def over(self):
        return not self.chosen and self.game.over(self.state)

    def choosers(self):
        """The seats that choose now: one, or with `jointly` all movers of its team."""
        movers = self.game.movers(self.state)
        left = [seat for seat in self.order if seat in movers and seat not in self.chosen]
        team = self.game.team_of(left[0])
        return [s for s in left if self.game.team_of(s) == team] if self.jointly else left[:1]

    def seat(self):
        return self.choosers()[0] if self.game.simultaneous else self.game.seat(self.state)

    def moves(self):
        """A joint move has one digit for each mate, the first mate's as lowest; that one varies fastest."""
        if not self.game.simultaneous:
            return [int(move) for move in self.tree_moves(self.state)]
        singles = [self.tree_moves(self.state, seat).tolist() for seat in self.choosers()]
        ids = self.game.move_ids
        return [
            sum(digit * ids**place for place, digit in enumerate(reversed(digits)))
            for digits in itertools.product(*reversed(singles))
        ]

    def play(self, move):
        if not self.game.simultaneous:
            self.game.play(self.state, move)
            return
        for place, seat in enumerate(self.choosers()):
            self.chosen[seat] = move // self.game.move_ids**place % self.game.move_ids
        self.close()

    def close(self):
        if len(self.chosen) == len(self.game.movers(self.state)):
            self.game.play(
                self.state, [self.chosen.get(seat, NONE) for seat in range(self.game.seats)]
            )
            self.chosen = {}
            self.settle()


@dataclass
class Node:
    """A position with a choice to make; `length` moves lead to it, the first of them `move`."""

    move: int = 0
    length: int = 0
    seat: int = -1
    visits: int = 0
    sums: list[int] = field(default_factory=list)  # by team
    square: int = 0
    rave_visits: int = 0
    rave_total: Any = 0.0  # in single precision once something is added, as in the tree
    children: list[Node] = field(default_factory=list)


class Slow:
    """The search. `rule` is value(mean, visits, square, rave_mean, rave_visits, log_ratio).

    prior(moves) gives visits and a value for each. playout(state, dice) plays a game's own playout and
    says who played what; tree_moves(state) or (state, seat) are its own moves for trees.
    """

    def __init__(
        self,
        game,
        word,
        rule,
        *,
        rave=False,
        state=None,
        settings=None,
        weights=None,
        expand_after=1,
        select_after=0,
        playouts=1,
        playout_limit=None,
        first_play_urgency=math.inf,
        prior=None,
        team=0,
        optimistic=False,
        jointly=False,
        playout=None,
        tree_moves=None,
        ref=0,
    ):
        self.ref, self.amaf = ref, {}  # (seat, move): visits and total
        self.own_playout, self.settings = playout, settings
        self.game, self.dice, self.rule, self.prior = game, Dice(word), rule, prior
        self.rave, self.expand_after, self.select_after = rave, expand_after, select_after
        self.playouts, self.first_play_urgency = playouts, first_play_urgency
        self.playout_limit = playout_limit or game.longest
        self.weights = np.eye(game.seats) if weights is None else np.array(weights, float)
        others = [number for number in range(len(game.teams)) if number != team]
        teams = [*others, team] if optimistic else [team, *others]
        order = [seat for number in teams for seat in game.teams[number]]
        start = game.start() if state is None else state
        self.position = Position(game, start, order, jointly, tree_moves)
        self.root = Node(sums=[0] * len(game.teams))

    def run(self, simulations):
        for _ in range(simulations):
            self.simulation()

    def simulation(self):
        position, trace, path, turns = self.position.copy(), [], [self.root], []
        self.follow(position, trace, self.root.length)
        while path[-1].children:
            turns.append(len(trace))
            path.append(self.choose(path[-1], position, trace))
            self.follow(position, trace, path[-1].length - 1)
        if (len(path) == 1 or path[-1].visits >= self.expand_after) and self.grow(
            path[-1], position, trace
        ):
            turns.append(len(trace))
            path.append(self.choose(path[-1], position, trace))
        for _ in range(self.playouts):
            played = list(trace)
            rewards = self.playout(position.copy(), played)
            self.back_up(path, turns, played, rewards)

    def follow(self, position, trace, n):
        """Play n moves that have no other."""
        for _ in range(n):
            (move,) = position.moves()
            trace.append((position.seat(), move))
            position.play(move)

    def grow(self, node, position, trace):
        while not position.over() and len(position.moves()) == 1:
            self.follow(position, trace, 1)
            node.length += 1
        if position.over():
            return False
        moves, node.seat = position.moves(), position.seat()
        known = [(0, 0.0)] * len(moves)
        for k in range(len(moves) - 1, 0, -1):
            other = self.dice.below(k + 1)
            moves[k], moves[other] = moves[other], moves[k]
        if self.prior is not None and node.seat >= 0:
            known = self.prior(moves)
        node.children = [
            self.child(node.seat, move, *row) for move, row in zip(moves, known, strict=True)
        ]
        return True

    def child(self, seat, move, visits, value):
        """A child, with what is known of it before; the others share what the mover does not get."""
        teams = self.game.teams
        shares = [value if seat in team else (1 - value) / (len(teams) - 1) for team in teams]
        sums = [int(share * visits * ONE + 0.5) for share in shares]
        node = Node(move=move, length=1, visits=visits, sums=sums)
        if visits:
            worth = self.worth(seat, sums) / visits
            node.square = int(visits * worth * worth * ONE + 0.5)
            node.rave_visits, node.rave_total = visits, np.float32(visits * worth)
        return node

    def choose(self, node, position, trace):
        if node.seat == CHANCE:
            moves = self.game.moves(position.state).tolist()
            child = self.with_move(node, moves[self.dice.below(len(moves))])
        elif node.visits < self.select_after:
            child = self.with_move(node, self.step(position))
        else:
            child = max(node.children, key=lambda child: self.value(node, child))
        trace.append((node.seat, child.move))
        position.play(child.move)
        return child

    def with_move(self, node, move):
        """The child by a move; any where the tree has no such move."""
        for child in node.children:
            if child.move == move:
                return child
        return node.children[self.dice.below(len(node.children))]

    def step(self, position):
        """A move of the playout's: any, and with `jointly` one of each mate's, the first mate's first."""
        if not self.game.simultaneous:
            moves = self.game.moves(position.state).tolist()
            return moves[self.dice.below(len(moves))]
        joint = 0
        for place, seat in enumerate(position.choosers()):
            joint += self.single(position, seat) * self.game.move_ids**place
        return joint

    def single(self, position, seat):
        moves = self.game.moves(position.state, seat)
        return int(moves[self.dice.below(len(moves))])

    def worth(self, seat, sums):
        """What a seat makes of all rewards: mates' rewards are one, so each team's stands for all of them."""
        return sum(
            sum(self.weights[seat][mate] for mate in members) * sums[number] / ONE
            for number, members in enumerate(self.game.teams)
        )

    def value(self, node, child):
        rave_visits, rave_total = child.rave_visits, float(child.rave_total)
        if node.visits < self.ref:
            rave_visits, rave_total = map(float, self.amaf.get((node.seat, child.move), (0, 0)))
        rave = rave_total / rave_visits if rave_visits else 0.0
        rave_visits = rave_visits if self.rave else 0
        if child.visits == 0:
            return rave if rave_visits else self.first_play_urgency
        return self.rule(
            self.worth(node.seat, child.sums) / child.visits,
            child.visits,
            child.square / ONE / child.visits,
            rave,
            rave_visits,
            math.log(max(node.visits, 1)) / child.visits,
        )

    def playout(self, position, played):
        """Moves at random for so many turns. Nature's moves are no turns and leave no trace."""
        if self.own_playout is not None:
            played += self.own_playout(position.state, self.dice)
            return self.game.rewards(position.state, self.settings)
        turns = 0
        while position.chosen:
            (seat, *_) = [seat for seat in position.order if seat in self.left(position)]
            position.chosen[seat] = self.single(position, seat)
            played.append((seat, position.chosen[seat]))
            turns += len(position.chosen) == len(self.game.movers(position.state))
            self.close_without_settling(position)
        game, state = self.game, position.state
        while turns < self.playout_limit and not game.over(state):
            if game.simultaneous:
                joint = [NONE] * game.seats
                for seat in game.movers(state):
                    joint[seat] = self.single(position, seat)
                    played.append((seat, joint[seat]))
                game.play(state, joint)
                turns += 1
                continue
            moves = game.moves(state).tolist()
            seat, move = game.seat(state), moves[self.dice.below(len(moves))]
            if seat != CHANCE:
                played.append((seat, move))
                turns += 1
            game.play(state, move)
        return game.rewards(state, self.settings)

    def left(self, position):
        return [s for s in self.game.movers(position.state) if s not in position.chosen]

    def close_without_settling(self, position):
        if not self.left(position):
            joint = [position.chosen.get(seat, NONE) for seat in range(self.game.seats)]
            self.game.play(position.state, joint)
            position.chosen = {}

    def back_up(self, path, turns, played, rewards):
        sums = [int(rewards[members[0]] * ONE + 0.5) for members in self.game.teams]
        for seat, move in {each for each in played[turns[0] :] if each[0] >= 0} if turns else ():
            visits, total = self.amaf.get((seat, move), (np.float32(0), np.float32(0)))
            total = np.float32(total + np.float32(self.worth(seat, sums)))
            self.amaf[seat, move] = visits + np.float32(1), total
        for node in path:
            node.visits += 1
            node.sums = [old + new for old, new in zip(node.sums, sums, strict=True)]
        for node, child, turn in zip(path[:-1], path[1:], turns, strict=True):
            if node.seat == CHANCE:
                continue
            worth = self.worth(node.seat, sums)
            child.square += int(worth * worth * ONE + 0.5)
            later = {move for seat, move in played[turn:] if seat == node.seat}
            for sibling in node.children:
                if sibling.move in later:
                    sibling.rave_visits += 1
                    sibling.rave_total = np.float32(sibling.rave_total + np.float32(worth))


def differences(slow, tree, rave=False, squares=False):
    """Where a tree of the fast search is not the slow one's: sentences, none when they are equal."""
    found, waiting = [], [(slow, 0, ())]
    count = 0
    for node, place, line in waiting:
        row = tree.nodes[place]
        count += 1
        pairs = {
            "seat": (node.seat, int(row.seat)),
            "visits": (node.visits, int(row.visits)),
            "sums": (node.sums, row.sums.tolist()),
            "length": (node.length, int(row.length)),
            "children": (len(node.children), int(row["count"])),
        }
        if rave:
            own = tree.rave[place]
            pairs["rave"] = ((node.rave_visits, node.rave_total), (own.visits, own.total))
        if squares:
            pairs["square"] = (node.square, int(tree.squares[place]))
        found += [f"{line} {name}: {a} {b}" for name, (a, b) in pairs.items() if a != b]
        if len(node.children) == int(row["count"]):
            for k, child in enumerate(node.children):
                there = int(row.first) + k
                if child.move != int(tree.nodes[there].move):
                    found.append(f"{line} child {k}: {child.move} {tree.nodes[there].move}")
                waiting.append((child, there, (*line, child.move)))
        if len(found) > 5:
            break
    if not found and count != int(tree.head.used):
        found.append(f"{count} nodes, {tree.head.used}")
    return found
