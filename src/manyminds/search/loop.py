"""Monte Carlo tree search on one screen: select, expand, simulate, back up.

`game` is a turn-based set of kernels (simultaneous turns are split before, in turns.py), `rule` a
selection rule, `access` how the tree is read and changed (access.py), `tree` the arrays of tree.py,
`desk` the scratch of one thread, `p` the search's parameters.

All of it is merged into `run`: handing the arrays of tree and desk on from call to call took longer
than the work itself.
"""

from __future__ import annotations

import numpy as np

from manyminds.core.kernel import bare_entry, bare_kernel, inline
from manyminds.core.logarithm import log_count
from manyminds.core.random import below
from manyminds.games.defaults import note
from manyminds.search.tree import MOST_EDGE, ONE

CHANCE = -2
_UNIT = 1.0 / ONE


@bare_entry
def run(game, rule, access, tree, desk, p, settings, simulations):
    """So many simulations from the root (each of several playouts, if the parameters say so)."""
    for _ in range(simulations):
        access.lock(tree)
        depth = select(game, rule, access, tree, desk, p, settings)
        depth = expand(game, rule, access, tree, desk, p, settings, depth)
        access.unlock(tree)
        for left in range(p.playouts - 1, -1, -1):
            if left > 0:
                game.copy(desk.spare, desk.state)
            simulate(game, desk, p, settings)
            access.lock(tree)
            back_up(game, access, tree, desk, p, depth, left == 0)
            access.unlock(tree)
            if left > 0:
                game.copy(desk.state, desk.spare)


@inline
def select(game, rule, access, tree, desk, p, settings):
    """Follow the rule from the root to a leaf: its depth; the path, the trace and the state go with it."""
    game.copy(desk.state, desk.root)
    desk.trace.n = 0
    node = np.uint32(0)
    desk.path[0] = node
    access.hold(tree, node)
    access.arrive(game, tree, desk, p, node, -1)
    access.let_go(tree, node)
    is_open = access.is_open(tree, node)
    length = int(tree.nodes[node].length)
    follow_edge(game, desk, settings, length)
    depth = 0
    while is_open:
        node = choose(game, rule, access, tree, desk, p, settings, node, depth)
        is_open = access.is_open(tree, node)  # before the length is read, which is final only then
        length = int(tree.nodes[node].length)
        follow_edge(game, desk, settings, length - 1)
        depth += 1
        desk.path[np.uint32(depth)] = node
    desk.leaf_length[0] = length
    return depth


@inline
def expand(game, rule, access, tree, desk, p, settings, depth):
    """Give a leaf with enough visits its children and go on to one of them: the new depth.

    The root gets them at once, so that after one simulation there is a move to play.
    """
    node = desk.path[np.uint32(depth)]
    seen = int(tree.nodes[node].visits) - access.pending(tree, p)
    if (depth == 0 or seen >= p.expand_after) and access.claim(tree, node):
        if add_children(game, access, tree, desk, settings, node, int(desk.leaf_length[0])):
            child = choose(game, rule, access, tree, desk, p, settings, node, depth)
            follow_edge(game, desk, settings, int(tree.nodes[child].length) - 1)
            depth += 1
            desk.path[np.uint32(depth)] = child
        else:
            access.disclaim(tree, node)
    desk.leaf_turn[0] = desk.trace.n
    return depth


@inline
def simulate(game, desk, p, settings):
    """A playout from the leaf's state, which it uses up; the rewards by team, in units of 1 / ONE."""
    desk.trace.n = desk.leaf_turn[0]
    desk.trace.turns = 0
    desk.trace.limit = p.playout_limit
    game.playout(desk.state, desk.rng, desk.trace, settings)
    game.rewards(desk.state, desk.rewards, settings)
    for seat in range(game.seats):
        # Mates share one reward, so the last of them writes what the first wrote.
        desk.sums[game.slot(seat)] = int(desk.rewards[seat] * ONE + 0.5)


@inline
def back_up(game, access, tree, desk, p, depth, last):
    """Add the rewards to all nodes of the path; with RAVE, to the moves that were made later on, too.

    last: of the playouts from this leaf. With it we leave the path.
    """
    parent = desk.path[0]
    for d in range(depth + 1):
        node = desk.path[np.uint32(d)]
        access.hold(tree, parent)
        access.add_visit(tree, node, p, last)
        for slot in range(game.slots):
            access.add_sum(tree, node, slot, desk.sums[slot])
        access.let_go(tree, parent)
        parent = node
    if p.uses_squares:
        back_up_squares(game, access, tree, desk, depth)
    if p.uses_rave:
        if p.rave_fades:
            back_up_fading_rave(game, access, tree, desk, depth)
        else:
            back_up_rave(game, access, tree, desk, depth)
        if p.ref > 0 and depth > 0:
            back_up_amaf(game, access, tree, desk)
    if desk.log.shape[0] != 0:
        log_result(game, tree, desk, depth)
    if last:
        access.depart(game, tree, desk, p, depth)
    access.end(tree, depth)


# --- one step of each ------------------------------------------------------------------------------


@inline
def choose(game, rule, access, tree, desk, p, settings, node, depth):
    """Choose a child and play the first move of the edge to it."""
    seat = int(tree.nodes[node].seat)
    desk.turn[np.uint32(depth)] = desk.trace.n
    access.hold(tree, node)
    visits = int(tree.nodes[node].visits) - access.pending(tree, p)
    if game.has_chance and seat == CHANCE:
        child = child_of_nature(game, tree, desk, node)
    elif visits < p.select_after:
        child = child_of_playout(game, tree, desk, settings, node)
    else:
        child = best_child(game, rule, tree, desk, p, node, seat, visits)
    access.arrive(game, tree, desk, p, child, seat)
    access.let_go(tree, node)
    note(desk.trace, seat, tree.nodes[child].move)
    game.play(desk.state, tree.nodes[child].move)
    return child


@inline
def best_child(game, rule, tree, desk, p, node, seat, parent_visits):
    """The child of greatest value to the seat, the first among equals."""
    first = np.uint32(tree.nodes[node].first)
    end = np.uint32(first + tree.nodes[node].count)
    begun = int(p.child_visits) * int(tree.nodes[node].count)
    log_parent = log_count(max(parent_visits + begun, 1))
    slot = game.slot(seat)
    best, best_value = first, -np.inf
    by_amaf = parent_visits < p.ref
    child = first
    while child < end:
        visits = float(tree.nodes[child].visits)
        rave_visits, rave_total, square = 0.0, 0.0, 0.0
        if p.uses_rave:
            if by_amaf:
                known = tree.amaf[tree.nodes[child].move, seat]
                rave_visits, rave_total = float(known.visits), float(known.total)
            else:
                rave_visits = float(tree.rave[child].visits)
                rave_total = float(tree.rave[child].total)
        if visits + rave_visits > 0.0:
            if p.own_reward:
                total = float(tree.nodes[child].sums[slot]) * _UNIT
            else:
                total = weighted(game, desk, tree.nodes[child].sums, seat)
            if p.uses_squares:
                square = float(tree.squares[child]) * _UNIT
            value = rule.worth(total, visits, square, rave_total, rave_visits, log_parent, p)
        else:
            value = p.first_play_urgency
        if value > best_value:
            best, best_value = child, value
            if value == np.inf:
                return child
        child = np.uint32(child + np.uint32(1))
    return best


@inline
def weighted(game, desk, sums, seat):
    """What a seat makes of all teams' rewards: the sum by its weights, in rewards of 1."""
    total = 0.0
    for slot in range(game.slots):
        total += desk.weights[seat, slot] * float(sums[slot])
    return total * _UNIT


@inline
def child_with(tree, node, move):
    """The child by a move; 0 when the tree does not have it."""
    first = np.uint32(tree.nodes[node].first)
    for k in range(tree.nodes[node].count):
        child = np.uint32(first + np.uint32(k))
        if tree.nodes[child].move == move:
            return child
    return np.uint32(0)


@inline
def child_of_nature(game, tree, desk, node):
    """The child by a move drawn with nature's odds; the first where the game does not list what it draws."""
    child = child_with(tree, node, np.uint32(game.chance(desk.state, desk.rng)))
    return child if child != 0 else np.uint32(tree.nodes[node].first)


@inline
def child_of_playout(game, tree, desk, settings, node):
    """The child by the playout's next step (below T_s), or any where the tree has no such move."""
    move = np.uint32(game.step(desk.state, desk.rng, desk.trace, settings))
    child = child_with(tree, node, move)
    if child == 0:
        child = np.uint32(tree.nodes[node].first + below(desk.rng, tree.nodes[node].count))
    return child


@inline
def forced_moves(game, desk, settings, most):
    """Play moves where there is no other, at most so many: how many it were."""
    n = 0
    while n < most and not game.over(desk.state):
        if game.tree_moves(desk.state, desk.moves, settings) != 1:
            break
        note(desk.trace, game.seat(desk.state), desk.moves[0])
        game.play(desk.state, desk.moves[0])
        n += 1
    return n


@inline
def follow_edge(game, desk, settings, moves):
    """Play the rest of an edge, if it has more than one move."""
    if moves > 0:
        forced_moves(game, desk, settings, moves)


# --- growing ---------------------------------------------------------------------------------------


@inline
def add_children(game, access, tree, desk, settings, node, length):
    """Children for all moves of a leaf, in random order; False at the game's end or when there is no room.

    First the edge to the leaf grows over positions with a single move, so that a node has a choice.
    length: of the edge as it was followed; another thread may have made it longer and met the end.
    """
    # A tree is no deeper than the game is long, whatever the game says of its end: half of the trace.
    room = min(MOST_EDGE - length, desk.path.shape[0] // 2 - int(desk.trace.n))
    tree.nodes[node].length = length + forced_moves(game, desk, settings, room)
    if game.over(desk.state) or int(desk.trace.n) >= desk.path.shape[0] // 2:
        return False
    n = int(game.tree_moves(desk.state, desk.moves, settings))
    first = access.take(tree, n) if n != 0 else 0
    if first == 0:
        return False
    seat = int(game.seat(desk.state))
    shuffle(desk.moves, n, desk.rng)
    for k in range(n):
        child = np.uint32(first + k)
        clear_node(game, tree, child)
        tree.nodes[child].move = desk.moves[np.uint32(k)]
        tree.nodes[child].length = 1
    if game.has_prior and seat >= 0:
        add_prior(game, tree, desk, settings, first, n, seat)
    tree.nodes[node].seat = seat
    tree.nodes[node].count = n
    access.publish(tree, node, first)
    return True


@inline
def clear_node(game, tree, node):
    """A node as nobody has seen it."""
    tree.nodes[node].visits = 0
    tree.nodes[node].first = 0
    tree.nodes[node].count = 0
    tree.nodes[node].seat = -1
    for slot in range(game.slots):
        tree.nodes[node].sums[slot] = 0
    if tree.rave.shape[0] > 1:
        tree.rave[node].visits = 0.0
        tree.rave[node].total = 0.0
    if tree.squares.shape[0] > 1:
        tree.squares[node] = 0
    if tree.received.shape[0] > 1:
        tree.received[node].visits = 0
        for slot in range(game.slots):
            tree.received[node].sums[slot] = 0


@inline
def shuffle(moves, n, rng):
    """The first n moves in random order, each order alike."""
    for k in range(n - 1, 0, -1):
        other = below(rng, k + 1)
        moves[k], moves[other] = moves[other], moves[k]


@inline
def add_prior(game, tree, desk, settings, first, n, seat):
    """Start the children with what the game knows of them: visits and value to the mover.

    The other teams share what the mover is not expected to get.
    """
    for k in range(n):
        desk.prior[k, 0] = 0.0
        desk.prior[k, 1] = 0.0
    game.prior(desk.state, desk.moves[:n], desk.prior, settings)
    for k in range(n):
        visits = int(desk.prior[k, 0])
        if visits > 0:
            start_with(game, tree, desk, np.uint32(first + k), seat, visits, desk.prior[k, 1])


@inline
def start_with(game, tree, desk, child, seat, visits, value):
    """Count so many visits of this value to the mover as if they had been; others are not told of them."""
    own = game.slot(seat)
    tree.nodes[child].visits = visits
    for slot in range(game.slots):
        reward = value if slot == own else (1.0 - value) / max(game.slots - 1, 1)
        tree.nodes[child].sums[slot] = int(reward * visits * ONE + 0.5)
    worth = weighted(game, desk, tree.nodes[child].sums, seat) / visits
    if tree.rave.shape[0] > 1:
        tree.rave[child].visits = visits
        tree.rave[child].total = visits * worth
    if tree.received.shape[0] > 1:
        tree.received[child].visits = visits
        for slot in range(game.slots):
            tree.received[child].sums[slot] = tree.nodes[child].sums[slot]
    if tree.squares.shape[0] > 1:
        tree.squares[child] = int(visits * worth * worth * ONE + 0.5)


# --- what else is backed up ------------------------------------------------------------------------


@inline
def back_up_squares(game, access, tree, desk, depth):
    """Squared rewards, as the chooser at the parent weighs them."""
    for d in range(1, depth + 1):
        seat = int(tree.nodes[desk.path[np.uint32(d - 1)]].seat)
        if seat >= 0:
            reward = weighted(game, desk, desk.sums, seat)
            parent = desk.path[np.uint32(d - 1)]
            access.hold(tree, parent)
            access.add_square(tree, desk.path[np.uint32(d)], int(reward * reward * ONE + 0.5))
            access.let_go(tree, parent)


@inline
def back_up_rave(game, access, tree, desk, depth):
    """At every node of the path, all moves that its chooser makes there or later count as made there.

    From the end of the trace backwards, so that at each node exactly the later moves are marked.
    """
    stamp = np.uint32(desk.stamp[0] + np.uint32(1))
    desk.stamp[0] = stamp
    at = int(desk.trace.n)
    for d in range(depth - 1, -1, -1):
        node = desk.path[np.uint32(d)]
        seat = int(tree.nodes[node].seat)
        if seat < 0:
            continue
        while at > int(desk.turn[np.uint32(d)]):
            at -= 1
            mover = int(desk.trace.seat[np.uint32(at)])
            if mover < game.seats:
                desk.played[mover, desk.trace.move[np.uint32(at)]] = stamp
        reward = np.float32(weighted(game, desk, desk.sums, seat))
        access.hold(tree, node)
        add_rave(access, tree, desk, node, seat, stamp, reward)
        access.let_go(tree, node)


@inline
def add_rave(access, tree, desk, node, seat, stamp, reward):
    """Count a playout for all children of a node whose move carries the stamp."""
    child = np.uint32(tree.nodes[node].first)
    end = np.uint32(child + tree.nodes[node].count)
    while child < end:
        if desk.played[seat, tree.nodes[child].move] == stamp:
            access.add_rave(tree, child, reward)
        child = np.uint32(child + np.uint32(1))


@inline
def back_up_amaf(game, access, tree, desk):
    """Of every seat, all moves from the root's choice on count once, with what the seat makes of the end."""
    stamp = np.uint32(desk.stamp[0] + np.uint32(1))
    desk.stamp[0] = stamp
    for at in range(int(desk.turn[0]), int(desk.trace.n)):
        mover = int(desk.trace.seat[np.uint32(at)])
        if mover < game.seats:
            move = desk.trace.move[np.uint32(at)]
            if desk.played[mover, move] != stamp:
                desk.played[mover, move] = stamp
                reward = np.float32(weighted(game, desk, desk.sums, mover))
                access.add_amaf(tree, move, mover, reward)


@bare_kernel
def forget_stamps(game, desk):
    """Begin anew with stamps, whose numbers have run out."""
    for move in range(desk.others.shape[0]):
        desk.others[move] = 0
        for seat in range(game.seats):
            desk.played[seat, move] = 0


@inline
def back_up_fading_rave(game, access, tree, desk, depth):
    """The same where later moves count for less (Fuego): 2 - (f - i) / (n - i) for the f-th of n moves at
    a choice that stands i-th, and 0 where another seat has played there in between.

    `played` holds the stamp plus the place in the trace of a seat's first such move, `others` likewise of
    anybody's.
    """
    n = int(desk.trace.n)
    stamp = np.uint32(desk.stamp[0] + np.uint32(1))
    if stamp > np.uint32(0xF0000000):
        forget_stamps(game, desk)
        stamp = np.uint32(1)
    desk.stamp[0] = stamp + np.uint32(n)
    at = n
    for d in range(depth - 1, -1, -1):
        node = desk.path[np.uint32(d)]
        seat = int(tree.nodes[node].seat)
        if seat < 0:
            continue
        turn = int(desk.turn[np.uint32(d)])
        while at > turn:
            at -= 1
            mover = int(desk.trace.seat[np.uint32(at)])
            if mover < game.seats:
                move = desk.trace.move[np.uint32(at)]
                desk.played[mover, move] = stamp + np.uint32(at)
                desk.others[move] = stamp + np.uint32(at)
        reward = np.float32(weighted(game, desk, desk.sums, seat))
        share = 1.0 / float(n - turn)
        access.hold(tree, node)
        child = np.uint32(tree.nodes[node].first)
        end = np.uint32(child + tree.nodes[node].count)
        while child < end:
            move = tree.nodes[child].move
            when = desk.played[seat, move]
            if when >= stamp and when == desk.others[move]:
                weight = np.float32(2.0 - float(int(when) - int(stamp) - turn) * share)
                access.add_weighted_rave(tree, child, reward, weight)
            child = np.uint32(child + np.uint32(1))
        access.let_go(tree, node)


@inline
def log_result(game, tree, desk, depth):
    """Keep the path and the rewards, for those who are told our results; the newest overwrite the oldest."""
    place = np.uint32(tree.head.logged % np.uint64(desk.log.shape[0]))
    room = desk.log[place].moves.shape[0]
    n = min(depth, room)
    desk.log[place].n = n
    for d in range(n):
        desk.log[place].moves[d] = tree.nodes[desk.path[np.uint32(d + 1)]].move
    for slot in range(game.slots):
        desk.log[place].sums[slot] = desk.sums[slot]
    tree.head.logged += np.uint64(1)
