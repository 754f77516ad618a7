"""Mates that tell what is new, node by node: compared with slow walks through both trees."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.budget import Budget
from manyminds.games.contract import NONE
from manyminds.search.exchange import taken_dtype
from manyminds.search.search import Search
from manyminds.search.selection import ucb1_tuned
from manyminds.search.tree import ONE
from manyminds.teams.channel import ALL, Traffic
from manyminds.teams.flow import Flow, Hearing
from manyminds.teams.message import HEADER_BYTES, Message, Refused
from manyminds.teams.news_wire import WINDOW, Ear, head_bytes, pack_news, unpack_news
from manyminds.teams.talks.news import Tables


def walk(tree, numbers):
    """By path: what `numbers(node)` says of every node of a tree."""
    found, waiting = {}, [((), 0)]
    for path, node in waiting:
        found[path] = numbers(node)
        first, count = int(tree.nodes[node].first), int(tree.nodes[node].count)
        waiting += [
            ((*path, int(tree.nodes[k].move)), k) for k in range(first, first + count) if count
        ]
    return found


def own(mate):
    tree = mate.tree.tree
    return walk(tree, lambda k: int(tree.nodes[k].visits) - int(tree.received[k].visits))


def own_sums(mate):
    tree = mate.tree.tree
    return walk(tree, lambda k: (tree.nodes[k].sums - tree.received[k].sums) / ONE)


def received(mate):
    tree = mate.tree.tree
    return walk(tree, lambda k: int(tree.received[k].visits))


def received_sums(mate):
    tree = mate.tree.tree
    return walk(tree, lambda k: tree.received[k].sums / ONE)


def said_by(mate, sender):
    """What a mate has in its table of a sender, by path."""
    table = mate.talk.tables.said[sender]
    tree = mate.tree.tree
    return walk(tree, lambda k: int(table[k].visits))


def tell_all(speaker, hearer, room=60_000):
    """Messages until nothing is new; how many."""
    n = 0
    while messages := speaker.to_send(room):
        for message in messages:
            assert hearer.received(message)
            n += 1
    return n


def test_over_a_perfect_channel_a_tree_gets_all_that_the_other_has(pair):
    one, other = pair("news(adapt=false)", simulations=300)
    before = own(one)
    assert tell_all(other, one) > 0
    told = {path: n for path, n in own(other).items() if n}
    heard = received(one)
    assert {path: n for path, n in heard.items() if n} == told
    assert {path: n for path, n in own(one).items() if path in before} == before
    sums, wanted = received_sums(one), own_sums(other)
    for path, n in told.items():
        np.testing.assert_allclose(sums[path], wanted[path], atol=n / 65_535 + 1e-6)
    assert other.to_send() == []


def test_only_what_changed_is_told_again(pair):
    one, other = pair("news(adapt=false)", simulations=300)
    tell_all(other, one)
    old = own(other)
    other.think(Budget(simulations=10))
    new = {path for path, n in own(other).items() if n != old.get(path, 0)}
    (message,) = other.to_send()
    rows = unpack_news(Message.unpack(message).payload, 2).rows
    assert {path_of(rows, k) for k in range(len(rows))} == new
    assert one.received(message)
    assert {path: n for path, n in own(other).items() if n} == {
        path: n for path, n in received(one).items() if n
    }


def path_of(rows, k):
    moves = []
    while k:
        moves.append(int(rows[k]["move"]))
        k = int(rows[k]["parent"])
    return tuple(reversed(moves))


def test_the_most_valuable_nodes_come_first_each_behind_its_parent(pair):
    one, other = pair("news(least=200, bytes=200, adapt=false)", simulations=400)
    numbers = own(one)
    heard, below = dict.fromkeys(numbers, 0), dict.fromkeys(numbers, 0)
    for _ in range(5):
        (message,) = one.to_send(200)
        assert len(message) <= 200
        rows = unpack_news(Message.unpack(message).payload, 2).rows
        worth = {p: numbers[p] - heard[p] + below[p] for p in numbers}
        chosen = [()]
        while len(chosen) < len(rows):
            open_ = [p for p in numbers if p and p[:-1] in chosen and p not in chosen]
            chosen.append(max(open_, key=worth.get))
        found = [path_of(rows, k) for k in range(len(rows))]
        # Among equals any may come first.
        assert [worth[p] for p in found] == [worth[p] for p in chosen]
        heard |= {p: numbers[p] for p in found}
        for path in sorted(found, key=len, reverse=True):
            children = [p for p in numbers if p and p[:-1] == path]
            below[path] = max((numbers[p] - heard[p] + below[p] for p in children), default=0)
    assert tell_all(one, other) > 0
    assert all(heard[p] <= numbers[p] for p in numbers)


@given(data=st.data())
def test_whatever_is_lost_repeated_or_late_the_newest_counts(data, game):
    from manyminds.players import Lineup, make_player

    one, other = (make_player("news(least=100, bytes=100, adapt=false)", game) for _ in range(2))
    for seat, mate in enumerate((one, other)):
        mate.begin(game, seat, Lineup(["news"] * 3, 4))
        mate.meet(game.start())
        mate.think(Budget(simulations=30))
    messages = []
    for _ in range(6):
        other.think(Budget(simulations=15))
        messages += other.to_send(100)
    order = data.draw(st.permutations(range(len(messages))))
    arrived = order[: data.draw(st.integers(0, len(order)))]
    arrived += data.draw(st.lists(st.sampled_from(range(len(messages))), max_size=3))
    newest = {}
    for k in arrived:
        one.received(messages[k])
        rows = unpack_news(Message.unpack(messages[k]).payload, 2).rows
        for row in range(len(rows)):
            path = path_of(rows, row)
            newest[path] = max(newest.get(path, 0), int(rows[row]["visits"]))
    assert {p: n for p, n in received(one).items() if n} == {p: n for p, n in newest.items() if n}


def test_what_was_heard_moves_on_with_the_tree(pair, game):
    one, other = pair("news(bytes=300, adapt=false)", simulations=400)
    state = game.start()
    tell_all(other, one), tell_all(one, other)
    for _ in range(3):
        line = [int(move) for move in other.tree.line()]
        movers = game.movers(state)
        joint = [NONE] * 3
        joint[0], joint[1] = line[0] % 5, line[0] // 5
        if 2 in movers:
            joint[2] = line[1]
        chosen = tuple(line[: 2 if 2 in movers else 1])
        heard = {
            p[len(chosen) :]: n for p, n in received(one).items() if p[: len(chosen)] == chosen
        }
        game.play(state, joint)
        for mate in (one, other):
            mate.saw(tuple(joint))
            mate.meet(state)
        assert received(one) == heard
        late = other.to_send(300)
        other.think(Budget(simulations=50))
        tell_all(other, one)
        for message in late:
            one.received(message)
        assert {p: n for p, n in said_by(one, 1).items() if n} == {
            p: n for p, n in own(other).items() if n
        }


def test_a_tree_that_drops_nodes_keeps_what_was_heard_of_the_rest(game):
    """A search with little memory prunes; its tables follow."""
    one = Search(game, game.start(), seed=1, social=True, jointly=True, memory_mb=0.05)
    other = Search(game, game.start(), seed=2, social=True, jointly=True)
    other.run(simulations=200)
    tables, theirs = Tables(one), Tables(other)
    rows, _ = theirs.pick(other, 3000)
    tables.take(one, 1, rows)
    before = one.tree
    while one.tree is before:
        one.run(simulations=500)
    assert tables.follow(one, [])
    table = tables.said[1]
    assert len(one.tree.nodes) < 2000
    assert walk(one.tree, lambda k: int(table[k].visits)) == walk(
        one.tree, lambda k: int(one.tree.received[k].visits)
    )


def test_squares_follow_the_news(game):
    """Rewards are from 0 to 1, so what news add to squares is at most the rewards that they add."""
    searches = [Search(game, game.start(), ucb1_tuned(), seed=seed, social=True) for seed in (1, 2)]
    for search in searches:
        search.run(simulations=200)
    one, other = searches
    alone = one.tree.squares[: one.nodes].copy()
    tables, theirs = Tables(one), Tables(other)
    for _ in range(3):
        rows, _ = theirs.pick(other, 3000)
        tables.take(one, 1, rows)
        other.run(simulations=100)
    for node in range(1, len(alone)):
        seat_of = one.tree.received[node].sums
        more = one.tree.squares[node] - alone[node]
        assert 0 <= more <= max(seat_of) + 3  # rewards in [0, 1]: squares are less than they are


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_news_are_read_as_they_were_written(slots):
    rng = np.random.default_rng(3)
    for n, most_move, most_visits in ((1, 10, 100), (300, 200, 300), (700, 70_000, 200_000)):
        rows = np.zeros(n, taken_dtype(slots)).view(np.recarray)
        rows["parent"][1:] = [rng.integers(0, k) for k in range(1, n)]
        rows["move"][1:] = rng.integers(0, most_move, n - 1)
        rows["visits"] = rng.integers(1, most_visits, n)
        rows["sums"] = rows["visits"][:, None] * rng.integers(0, ONE, (n, slots))
        ears = {2: Ear(65_535, 255), 60: Ear(0, 0)}
        again = unpack_news(pack_news(rows, 777, ears, slots, new=n == 1), slots)
        assert (again.serial, again.ears, again.new) == (777, ears, n == 1)
        for name in ("parent", "move", "visits"):
            np.testing.assert_array_equal(again.rows[name], rows[name])
        bound = rows["visits"][:, None].astype(np.int64) * ONE / 65_535
        assert (np.abs(again.rows["sums"] - rows["sums"]) <= bound).all()


def test_where_rewards_sum_to_one_the_last_mean_is_not_told():
    rows = np.zeros(9, taken_dtype(2)).view(np.recarray)
    rows["visits"] = 10
    rows["sums"][:, 0] = np.arange(9) * ONE
    rows["sums"][:, 1] = 10 * ONE - rows["sums"][:, 0]
    short = pack_news(rows, 0, {}, 2)
    assert len(short) == head_bytes(0) + 9 * (1 + 1 + 2 + 2)
    np.testing.assert_allclose(unpack_news(short, 2).rows["sums"], rows["sums"], atol=ONE / 6000)
    rows["sums"][3, 1] = 0
    assert len(pack_news(rows, 0, {}, 2)) == head_bytes(0) + 9 * (1 + 1 + 2 + 4)


@given(data=st.binary(max_size=200), slots=st.integers(1, 3))
def test_no_bytes_are_news_that_cannot_be(data, slots):
    try:
        rows = unpack_news(data, slots).rows
    except Refused:
        return
    assert (rows["parent"][1:] < np.arange(1, len(rows))).all()
    assert (rows["sums"] >= 0).all()
    assert (rows["sums"] <= rows["visits"][:, None].astype(np.int64) * (ONE + 1)).all()


def test_hearing_counts_what_came_of_the_last_messages():
    rng = random.Random(5)
    serials = [s for s in range(65_400, 65_400 + 3 * WINDOW) if rng.random() < 0.7]
    hearing = Hearing()
    for serial in serials:
        hearing.note(3, serial % 65_536)
    last = serials[-1]
    count = sum(last - WINDOW < s <= last for s in serials)
    assert hearing.ears() == {3: Ear(last % 65_536, round(255 * count / WINDOW))}
    late = next(s for s in range(last - 1, 0, -1) if s not in serials)
    hearing.note(3, late % 65_536)
    assert hearing.ears()[3].share == round(255 * (count + 1) / WINDOW)
    hearing.note(3, 20_000)  # after a long silence
    assert hearing.ears()[3] == Ear(20_000, round(255 / WINDOW))
    for serial in range(20):  # one that began anew
        hearing.note(3, serial)
    assert hearing.ears()[3] == Ear(19, 255)


def test_one_that_begins_anew_is_told_all_again(pair, game):
    one, other = pair("news(adapt=false)", simulations=300)
    tell_all(one, other), tell_all(other, one)
    state = game.start()
    line = other.tree.line()
    joint = (line[0] % 5, line[0] // 5, line[1])
    game.play(state, joint)
    one.skip(1)
    other.saw(joint)
    for mate in (one, other):
        mate.meet(state)
    assert received(one)[()] == 0 < own(other)[()]
    assert other.to_send() == []
    one.think(Budget(simulations=20))
    tell_all(one, other), tell_all(other, one)
    assert {p: n for p, n in received(one).items() if n} == {
        p: n for p, n in own(other).items() if n
    }


class Bottleneck:
    """A link that says it has no limit and drops what goes beyond `rate` bytes a second."""

    def __init__(self, rate, noise=0.0):
        self.limit, self.noise = rate, noise
        self.rate = float("inf")

    def open(self, seats, seed):
        self.seats, self.rng = seats, random.Random(seed)
        self.traffic, self.boxes = Traffic(), {seat: [] for seat in seats}
        self.free = dict.fromkeys(seats, 0.0)
        return self

    def send(self, sender, to, data, now):
        assert to == ALL
        self.traffic.messages += 1
        self.traffic.bytes_sent += len(data)
        self.free[sender] = max(self.free[sender], now)
        full = self.free[sender] - now > 0.02
        if not full:
            self.free[sender] += len(data) / self.limit
        for seat in self.seats:
            if seat != sender:
                self.traffic.addressed += 1
                if full or self.rng.random() < self.noise:
                    self.traffic.lost += 1
                else:
                    self.boxes[seat].append(data)

    def receive(self, to, now):
        arrived, self.boxes[to] = self.boxes[to], []
        self.traffic.delivered += len(arrived)
        return arrived

    def busy(self, sender, now):
        return 0.0


def converse(limit, noise, adapt=True, seconds=20):
    """A sender with 500 bytes to say every 2 ms, and one who hears and says so every 16 ms.

    In the second half: the share of messages that is lost, and bytes a second that arrive.
    """
    line = Bottleneck(limit, noise).open((0, 1), 3)
    flow, hearing = Flow(), Hearing()
    sent, arrived = 0, 0
    for look in range(500 * seconds):
        late = look >= 250 * seconds
        if not adapt or flow.allows(unknown=True):
            serial = flow.next_serial()
            line.send(0, ALL, serial.to_bytes(2, "little") * 250, look * 0.002)
            sent += late
        for data in line.receive(1, look * 0.002):
            hearing.note(0, int.from_bytes(data[:2], "little"))
            arrived += late
        if look % 8 == 0 and 0 in hearing.ears():
            flow.told(1, hearing.ears()[0])
    return 1 - arrived / sent, arrived * 500 / (seconds / 2)


@pytest.mark.parametrize("limit", [20_000, 60_000, 120_000])
def test_the_rate_adapts_to_a_link_that_drops_what_is_too_much(limit):
    lost_all_the_time, _ = converse(limit, 0.0, adapt=False)
    lost, carried = converse(limit, 0.0)
    assert lost_all_the_time == pytest.approx(1 - limit / 250_000, abs=0.02)
    assert lost < 0.5 * lost_all_the_time
    assert carried > 0.6 * limit


def test_noise_does_not_slow_a_mate_down():
    for noise in (0.0, 0.3, 0.6):
        lost, carried = converse(1e9, noise)
        assert lost == pytest.approx(noise, abs=0.03)
        assert carried > 0.8 * 250_000 * (1 - noise)


def test_over_such_a_link_mates_play_on(game):
    from manyminds.arena.match import play
    from manyminds.teams import Team

    line = Bottleneck(20_000)
    team = Team("news@60", line)
    assert play(game, {"hunters": team, "hare": "random"}, seed=2).ending == "over"
    assert line.traffic.delivered > 0


def test_a_sender_that_hears_that_all_is_well_sends_all_it_may():
    flow = Flow()
    for _ in range(300):
        assert flow.allows()
        flow.next_serial()
        flow.told(1, Ear(5, 255))
    assert (flow.arrives, flow.pace) == (1.0, 1.0)


def test_a_pace_is_the_share_of_looks_at_which_is_sent():
    flow = Flow()
    assert flow.allows(unknown=True)
    assert flow.pace < 0.2
    assert sum(flow.allows() for _ in range(1600)) == pytest.approx(1600 * flow.pace, abs=2)


def test_messages_keep_to_the_room(pair):
    one, _ = pair("news(least=64, adapt=false)", simulations=600)
    for room in (64, 100, 333, 1200, 5000):
        (message,) = one.to_send(room)
        assert HEADER_BYTES < len(message) <= min(room, 1200)
        one.think(Budget(simulations=100))
