"""A tree over the moves of some seats; all others follow plans they announced, or the playout's steps.

The tree is open-loop: a node stands for the moves that its seats have chosen since the root, and for no
position, since what the others do differs from simulation to simulation. At a node only those children
are looked at whose move is possible in the simulation that is on. Where a seat has one move there is no
node.

With the discount g < 1 a simulation that is n simulations old counts g**n: the others' plans change, and
what was learned under old plans fades (Best, Cliff, Patten, Mettu, Fitch 2019, eq. 8: D-UCT). Instead
of all old ones fading, each new one weighs 1 / g as much as the last.
"""

from __future__ import annotations

import math

import numpy as np

from manyminds.core.kernel import bare_entry, bare_kernel, inline
from manyminds.core.random import fraction
from manyminds.games.defaults import NONE
from manyminds.search.loop import shuffle

UNDECIDED = -2  # in a joint move that is being made
HEAVY = 1e12  # weight of a simulation at which all are scaled down
NO_PLAN = -1


@bare_entry
def run(game, tree, desk, plans, p, settings, simulations):
    """So many simulations from the root."""
    for _ in range(simulations):
        depth = simulate(game, tree, desk, plans, p, settings)
        game.rewards(desk.state, desk.rewards, settings)
        back_up(game, tree, desk, depth)
        tree.head.simulations += np.uint64(1)
        tree.head.weight /= p.discount
        if tree.head.weight > HEAVY:
            scale_down(game, tree)


@inline
def simulate(game, tree, desk, plans, p, settings):
    """Turns in the tree, turns along plans, and a playout; the path's depth. The last state is left."""
    game.copy(desk.state, desk.root)
    trace = desk.trace
    trace.n = 0
    trace.turns = 0
    desk.path[0] = tree.head.root
    desk.depth[0] = 0
    desk.grown[0] = 0  # 1: the path has left the tree
    waiting = draw_plans(game, desk, plans)
    last = 0  # turns until the path left the tree
    while trace.turns < p.longest and not game.over(desk.state):
        if desk.grown[0] == 0:
            last = trace.turns
        elif waiting == 0 or trace.turns >= last + p.playout_limit:
            break
        waiting -= turn(game, tree, desk, plans, p, settings)
        trace.turns += 1
    trace.limit = min(last + p.playout_limit, p.longest)
    game.playout(desk.state, desk.rng, trace, settings)
    return desk.depth[0]


@inline
def draw_plans(game, desk, plans):
    """One plan for each seat that has some, by their chances; how many seats have one."""
    waiting = 0
    for seat in range(game.seats):
        desk.plan[seat] = NO_PLAN
        desk.place[seat] = 0
        n = int(plans.n[seat])
        if n != 0 and desk.in_tree[seat] == 0:
            at = fraction(desk.rng) * plans.sums[seat, n - 1]
            k = 0
            while k < n - 1 and plans.sums[seat, k] <= at:
                k += 1
            if plans.length[seat, k] != 0:
                desk.plan[seat] = k
                waiting += 1
    return waiting


@bare_kernel
def turn(game, tree, desk, plans, p, settings):
    """One turn: the seats of the tree choose in their order, the others move; how many plans ended."""
    joint = desk.joint
    ended = 0
    for seat in range(game.seats):
        joint[seat] = NONE
    n = game.tree_movers(desk.state, desk.movers)
    for k in range(n):
        joint[desk.movers[k]] = UNDECIDED
    for place in range(desk.order.shape[0]):
        seat = desk.order[place]
        if joint[seat] == UNDECIDED:
            joint[seat] = move_in_tree(game, tree, desk, p, settings, seat)
    for k in range(n):
        seat = desk.movers[k]
        if joint[seat] == UNDECIDED:
            had = desk.plan[seat] != NO_PLAN
            joint[seat] = move_by_plan(game, desk, plans, settings, seat)
            ended += had and desk.plan[seat] == NO_PLAN
    game.play(desk.state, joint)
    return ended


@inline
def move_by_plan(game, desk, plans, settings, seat):
    """The plan's next move where the seat has a choice; a plan with an impossible move ends."""
    plan = desk.plan[seat]
    if plan == NO_PLAN:
        return np.int32(game.step(desk.state, seat, desk.rng, desk.trace, settings))
    n = game.tree_moves(desk.state, seat, desk.moves, settings)
    if n == 1:
        return np.int32(desk.moves[0])
    wanted = plans.move[seat, plan, desk.place[seat]]
    desk.place[seat] += 1
    if desk.place[seat] == plans.length[seat, plan]:
        desk.plan[seat] = NO_PLAN
    for k in range(n):
        if desk.moves[k] == wanted:
            return np.int32(wanted)
    desk.plan[seat] = NO_PLAN
    return np.int32(game.step(desk.state, seat, desk.rng, desk.trace, settings))


@inline
def move_in_tree(game, tree, desk, p, settings, seat):
    """A choice by D-UCT; behind the tree's leaves, a step."""
    if desk.grown[0] != 0:
        return np.int32(game.step(desk.state, seat, desk.rng, desk.trace, settings))
    n = int(game.tree_moves(desk.state, seat, desk.moves, settings))
    if n == 1:
        return np.int32(desk.moves[0])
    node = np.uint32(desk.path[desk.depth[0]])
    if tree.nodes[node].count == 0:
        desk.grown[0] = 1
        if not add_children(game, tree, desk, p, node, seat, n):
            return np.int32(game.step(desk.state, seat, desk.rng, desk.trace, settings))
    child = best_child(game, tree, desk, p, node, seat, n)
    if child == 0:
        desk.grown[0] = 1
        return np.int32(game.step(desk.state, seat, desk.rng, desk.trace, settings))
    desk.depth[0] += 1
    desk.path[desk.depth[0]] = child
    return np.int32(int(tree.nodes[child].move) - int(seat) * desk.possible.shape[0])


@inline
def add_children(game, tree, desk, p, node, seat, n):
    """Children for the moves that a seat has, in random order; False where the leaf has to wait for them."""
    used = int(tree.head.used)
    is_root = node == tree.head.root
    seen = tree.nodes[node].visits / tree.head.weight
    if used + n > tree.nodes.shape[0] or desk.depth[0] + 1 >= desk.path.shape[0]:
        tree.head.full = used + n > tree.nodes.shape[0]
        return False
    if not is_root and seen < p.expand_after:
        return False
    shuffle(desk.moves, n, desk.rng)
    for k in range(n):
        child = np.uint32(used + k)
        tree.nodes[child].move = np.uint32(int(seat) * desk.possible.shape[0] + int(desk.moves[k]))
        tree.nodes[child].visits = 0.0
        tree.nodes[child].first = 0
        tree.nodes[child].count = 0
        for slot in range(game.slots):
            tree.nodes[child].sums[slot] = 0.0
    tree.nodes[node].first = used
    tree.nodes[node].count = n
    tree.head.used = used + n
    return True


@inline
def best_child(game, tree, desk, p, node, seat, n):
    """Of the children whose move is possible now, that of greatest value to the seat; 0 if there is none."""
    desk.stamp[0] += np.uint32(1)
    stamp = desk.stamp[0]
    for k in range(n):
        desk.possible[desk.moves[k]] = stamp
    first = np.uint32(tree.nodes[node].first)
    slot = game.slot(seat)
    seen = math.log(max(tree.nodes[node].visits / tree.head.weight, 1.0))
    best, best_value = np.uint32(0), -np.inf
    for k in range(tree.nodes[node].count):
        child = np.uint32(first + np.uint32(k))
        move = int(tree.nodes[child].move) - int(seat) * desk.possible.shape[0]
        if not 0 <= move < desk.possible.shape[0] or desk.possible[np.uint32(move)] != stamp:
            continue
        visits = tree.nodes[child].visits
        if visits == 0.0:
            return child
        value = tree.nodes[child].sums[slot] / visits
        value += p.exploration * math.sqrt(seen * tree.head.weight / visits)
        if value > best_value:
            best, best_value = child, value
    return best


@inline
def back_up(game, tree, desk, depth):
    """Count the simulation with the present weight at all nodes of its path."""
    weight = tree.head.weight
    for seat in range(game.seats):
        desk.sums[game.slot(seat)] = desk.rewards[seat] * weight
    for d in range(depth + 1):
        node = np.uint32(desk.path[d])
        tree.nodes[node].visits += weight
        for slot in range(game.slots):
            tree.nodes[node].sums[slot] += desk.sums[slot]


@inline
def scale_down(game, tree):
    """Let a new simulation weigh 1 again."""
    share = 1.0 / tree.head.weight
    for node in range(tree.head.used):
        tree.nodes[node].visits *= share
        for slot in range(game.slots):
            tree.nodes[node].sums[slot] *= share
    tree.head.weight = 1.0


@bare_entry
def choices(game, state, joint, out, moves, move_ids, settings):
    """Who of a joint move had a choice in the tree, as seat * move_ids + move; how many."""
    movers = out[game.seats :]
    n = game.tree_movers(state, movers)
    found = 0
    for seat in range(game.seats):
        for k in range(n):
            if movers[k] == seat and joint[seat] >= 0:
                if game.tree_moves(state, seat, moves, settings) != 1:
                    out[found] = seat * move_ids + joint[seat]
                    found += 1
    return found


@bare_entry
def compact(game, source, target):
    """Fill an empty tree with what is below the root of another, level by level."""
    target.nodes[0] = source.nodes[np.uint32(source.head.root)]
    used = np.uint32(1)
    node = np.uint32(0)
    while node < used:
        first = np.uint32(target.nodes[node].first)
        n = np.uint32(target.nodes[node].count)
        for k in range(n):
            target.nodes[np.uint32(used + np.uint32(k))] = source.nodes[
                np.uint32(first + np.uint32(k))
            ]
        if n != 0:
            target.nodes[node].first = used
            used = np.uint32(used + n)
        node = np.uint32(node + np.uint32(1))
    target.head.used = used
    target.head.root = 0
    target.head.weight = source.head.weight
    target.head.simulations = source.head.simulations


@bare_entry
def tree_moves_of(game, state, seat, moves, settings):
    """The moves that a seat would have in a tree."""
    return game.tree_moves(state, seat, moves, settings)
