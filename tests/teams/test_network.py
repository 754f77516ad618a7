"""Mates on a real network: what is believed, what is dropped, and that the team plays on."""

import threading
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wires import Wires, hunter

from manyminds.arena.match import play
from manyminds.core.errors import Failure, UsageError
from manyminds.games.contract import NONE
from manyminds.games.small.hunt import hunt
from manyminds.teams.message import MOST_BYTES, REASONS, Refused
from manyminds.teams.network.diary import read_events, replay
from manyminds.teams.network.envelope import (
    BEGIN,
    END,
    MOVE,
    READY,
    SIGHT,
    TALK,
    WHO,
    WORLD,
    Envelope,
    Seal,
    read_key,
)
from manyminds.teams.network.post import Line, Post
from manyminds.teams.network.shim import Shim
from manyminds.teams.network.sight import Beginning, Sight, unpack_move
from manyminds.teams.network.teammate import Teammate
from manyminds.teams.network.transport import is_loopback, open_transport
from manyminds.teams.network.udp import Udp
from manyminds.teams.virtual import channel

SEAL = Seal(b"a key of the hunters")


# --- envelopes -----------------------------------------------------------------------------------


@given(
    kind=st.integers(0, 255),
    sender=st.integers(0, 255),
    match=st.integers(0, 2**64 - 1),
    content=st.binary(max_size=200),
)
def test_an_envelope_is_opened_as_it_was_closed(kind, sender, match, content):
    envelope = Envelope(kind, sender, match, content)
    assert SEAL.open(SEAL.close(envelope)) == envelope


@given(content=st.binary(max_size=50), at=st.integers(0), flip=st.integers(1, 255))
def test_no_byte_of_an_envelope_can_be_changed(content, at, flip):
    data = bytearray(SEAL.close(Envelope(TALK, 1, 7, content)))
    data[at % len(data)] ^= flip
    with pytest.raises(Refused):
        SEAL.open(bytes(data))


def test_what_is_no_envelope_of_the_team_is_refused_with_its_reason():
    good = SEAL.close(Envelope(TALK, 1, 7, b"hello"))
    wrong = {
        "truncated": good[:20],
        "foreign": b"GET / HTTP/1.1\r\n\r\n" * 3,
        "forged": Seal(b"another team's key").close(Envelope(TALK, 1, 7, b"hello")),
        "version": good[:2] + b"\x09" + good[3:],
        "long": good + bytes(MOST_BYTES),
    }
    for reason, data in wrong.items():
        with pytest.raises(Refused) as refused:
            SEAL.open(data)
        assert refused.value.reason == reason
    with pytest.raises(UsageError, match="at most"):
        SEAL.close(Envelope(TALK, 1, 7, bytes(MOST_BYTES + 1)))


def test_a_key_is_a_file_of_some_length(tmp_path):
    assert read_key(None) == b""
    (tmp_path / "key").write_bytes(b"0123456789abcdef")
    assert read_key(tmp_path / "key") == b"0123456789abcdef"
    (tmp_path / "short").write_bytes(b"secret")
    with pytest.raises(UsageError, match="urandom"):
        read_key(tmp_path / "short")
    with pytest.raises(UsageError, match="cannot be read"):
        read_key(tmp_path / "none")


@given(data=st.binary(max_size=120))
@example(data=b"\x81\xa4\x00\x00\x00\x80")  # a key that is no UTF-8
def test_no_bytes_are_taken_for_a_position_or_a_match_that_cannot_be(data):
    game = hunt()
    for read in (lambda: Sight.unpack(data, game), lambda: Beginning.unpack(data)):
        try:
            seen = read()
        except Refused:
            continue
        assert isinstance(seen, Sight)
        assert len(seen.state) == game.state.dtype.itemsize
        assert all(NONE <= move < game.move_ids for joint in seen.joints for move in joint)


def test_positions_and_beginnings_arrive_as_they_were_told(game):
    sight = Sight(7, ((1, 2, 0), (3, 4, -1)), game.start().tobytes())
    assert Sight.unpack(sight.pack(), game) == sight
    beginning = Beginning("hunt", {"width": 5}, ["a", "b", "c"], 2**63, 40.0)
    assert Beginning.unpack(beginning.pack()) == beginning


# --- transports ----------------------------------------------------------------------------------


def test_udp_carries_datagrams_whole_and_says_where_from():
    one, other = Udp("wolf", "127.0.0.1:0"), Udp("fox", "127.0.0.1:0")
    try:
        one.send(one.peer("fox", other.address), b"x" * 60_000)
        one.send(one.peer("fox", other.address), b"y")
        other.wait(5)
        arrived = other.receive()
        assert [len(data) for _, data in arrived] == [60_000, 1]
        other.send(arrived[0][0], b"back")
        one.wait(5)
        assert one.receive()[0][1] == b"back"
        begun = time.monotonic()
        one.wait(0.05)
        assert time.monotonic() - begun < 5
    finally:
        one.close()
        other.close()


def test_nothing_listens_beyond_this_machine_without_a_key():
    assert [is_loopback(a) for a in ("127.0.0.1:1", "[::1]:1", "localhost:1", "udp/127.0.0.1:1")]
    assert not any(is_loopback(a) for a in ("0.0.0.0:1", "192.168.1.2:1", "robot:1", "tcp/[::]:1"))
    for kind in ("udp", "zenoh"):
        with pytest.raises(UsageError, match="--key"):
            open_transport(kind, "wolf", "0.0.0.0:0", has_key=False)
    open_transport("udp", "wolf", "0.0.0.0:0", has_key=True).close()
    for wrong in ("127.0.0.1", "7001", "127.0.0.1:99999", ":7001", "127.0.0.1:-1"):
        with pytest.raises(UsageError, match="HOST:PORT"):
            open_transport("udp", "wolf", wrong, has_key=True)
    with pytest.raises(UsageError, match='did you mean "udp"'):
        open_transport("upd", "wolf", "127.0.0.1:0", has_key=True)


def test_a_line_keeps_its_rate_and_counts(game):
    wires = Wires()
    post = Post(wires.end("wolf"), SEAL, 0, {1: "fox"})
    line = Line(post, (0, 1), rate=1000)
    assert line.busy(0, 0.0) == 0
    line.send(0, -1, bytes(70), 0.0)
    assert line.busy(0, 0.0) == pytest.approx(0.1)  # 70 bytes and an envelope of 30
    assert line.busy(0, 1.0) == 0
    assert (line.traffic.messages, line.traffic.bytes_sent) == (1, 100)
    with pytest.raises(UsageError, match="not 0 to 2"):
        line.send(0, 2, b"", 0.0)


def test_a_shim_loses_and_holds_up_what_mates_say():
    wires = Wires()
    post = Post(wires.end("wolf"), SEAL, 0, {1: "fox"})
    shim = Shim(Line(post, (0, 1)), channel(loss=0.3, delay_ms=10), 0, (0, 1), seed=1)
    for number in range(1000):
        shim.send(0, -1, b"n", number * 0.001)
    held = len(wires.boxes["fox"])
    shim.receive(0, 10.0)
    arrived = len(wires.boxes["fox"])
    assert held < arrived
    # 1000 messages lost with 0.3: four standard deviations are 58.
    assert abs(arrived - 700) < 58
    assert shim.traffic.lost == 1000 - arrived


# --- a teammate, step by step --------------------------------------------------------------------


class Said:
    """What a teammate said to the world, and the world's voice."""

    def __init__(self, wires, match=5, seal=SEAL):
        self.wires, self.match, self.seal = wires, match, seal
        wires.boxes.setdefault("world", [])

    def say(self, to, kind, content=b"", match=None):
        envelope = Envelope(kind, WORLD, self.match if match is None else match, content)
        self.wires.boxes[to].append(("world", self.seal.close(envelope)))

    def heard(self):
        arrived, self.wires.boxes["world"] = self.wires.boxes["world"], []
        return [self.seal.open(data) for _, data in arrived]


@pytest.fixture
def begun(game):
    """A wolf for whom a match has begun, and the world's voice."""
    wires = Wires()
    wolf = hunter(wires, "wolf", "roots@30", key=b"a key of the hunters")
    world = Said(wires)
    beginning = Beginning("hunt", {}, ["a", "b", "c"], 1, 20_000.0)
    world.say("wolf", BEGIN, beginning.pack())
    wolf.attend(0)
    assert [e.kind for e in world.heard()] == [READY]
    return wolf, world


def test_a_teammate_says_a_legal_move_for_the_position_it_sees(begun, game):
    wolf, world = begun
    world.say("wolf", SIGHT, Sight(0, (), game.start().tobytes()).pack())
    wolf.attend(0)
    moves = [unpack_move(e.content) for e in world.heard() if e.kind == MOVE]
    assert len(moves) >= 2  # half-way, and at the end
    assert {tick for tick, _ in moves} == {0}
    assert all(move in game.moves(game.start(), 0) for _, move in moves)
    assert wolf.work.simulations == 30


def test_a_teammate_that_missed_positions_follows_the_moves_or_begins_anew(begun, game):
    wolf, world = begun
    state = game.start()
    world.say("wolf", SIGHT, Sight(0, (), state.tobytes()).pack())
    wolf.attend(0)
    joints = ((1, 1, 0), (0, 0, -1))
    for joint in joints:
        game.play(state, joint)
    world.say("wolf", SIGHT, Sight(2, joints, state.tobytes()).pack())
    wolf.attend(0)
    mate = wolf.diary.mate
    assert mate.trail.tick == wolf.tick == 2
    assert wolf.work.missed == 1
    assert len(mate.trail.since(0, next(iter(mate.trail._roots.values())))) > 0  # it knows the way
    later = game.start()
    world.say("wolf", SIGHT, Sight(9, (), later.tobytes()).pack())
    wolf.attend(0)
    assert mate.trail.tick == 9
    assert wolf.work.missed == 7
    with pytest.raises(Refused, match="left"):
        mate.trail.since(2, 0)


def test_joint_moves_that_cannot_be_are_not_followed(begun, game):
    wolf, world = begun
    world.say("wolf", SIGHT, Sight(0, (), game.start().tobytes()).pack())
    wolf.attend(0)
    down = ((2, 2, 2),)  # the wolf stands in the lower corner
    world.say("wolf", SIGHT, Sight(1, down, game.start().tobytes()).pack())
    wolf.attend(0)
    assert wolf.tick == 1
    assert wolf.diary.mate.search.simulations == 30  # begun anew


def test_what_is_stale_foreign_or_forged_is_counted_and_changes_nothing(begun, game):
    wolf, world = begun
    sight = Sight(3, (), game.start().tobytes()).pack()
    world.say("wolf", SIGHT, sight)
    wolf.attend(0)
    world.say("wolf", SIGHT, Sight(2, (), game.start().tobytes()).pack())
    world.say("wolf", SIGHT, sight, match=4)
    Said(world.wires, seal=Seal(b"another team's key")).say("wolf", END)
    world.wires.boxes["wolf"] += [("x", b"garbage"), ("x", bytes(100))]
    fox = Post(world.wires.end("fox"), SEAL, 1, {0: "wolf"})
    fox.match = 4
    fox.tell(TALK, 0, b"of an earlier match")
    fox.match = 5
    fox.tell(TALK, 0, b"?")
    fox.tell(SIGHT, 0, sight)  # mates are not the world
    world.heard()
    wolf.attend(0)
    assert world.heard() == []
    expected = {
        "stale": 2, "forged": 1, "truncated": 2, "foreign": 1, "elsewhere": 1, "stranger": 1,
    }  # fmt: skip
    assert {name: wolf.work.counts[name] for name in expected} == expected
    assert wolf.tick == 3


def test_who_comes_back_asks_which_match_is_on(game):
    wires = Wires()
    wolf = hunter(wires, "wolf", "roots@30", key=b"a key of the hunters")
    world = Said(wires)
    world.say("wolf", SIGHT, Sight(40, (), game.start().tobytes()).pack())
    wolf.attend(0)
    assert [e.kind for e in world.heard()] == [WHO]
    world.say("wolf", BEGIN, Beginning("nim", {}, [], 1, 40.0).pack())  # not its game
    world.say("wolf", BEGIN, Beginning("hunt", {"width": 99}, [], 1, 40.0).pack())
    world.say("wolf", BEGIN, b"?")
    world.say("wolf", BEGIN, Beginning("hunt", {}, ["a", "b", "c"], 1, 400.0).pack())
    world.say("wolf", SIGHT, Sight(41, ((1, 1, 0),), game.start().tobytes()).pack())
    wolf.attend(0)
    assert [e.kind for e in world.heard()][:2] == [READY, MOVE]
    assert wolf.tick == 41
    assert wolf.work.counts["garbage"] == 2
    world.say("wolf", END)
    wolf.attend(0)
    assert wolf.serve(matches=1).matches == 1


@given(data=st.data())
def test_no_sealed_bytes_bring_a_teammate_down(data):
    """Whoever has the key may be broken, too."""
    wires = _kept.setdefault("wires", Wires())
    if "wolf" not in _kept:
        _kept["wolf"] = hunter(wires, "wolf", "tree-cuts@10", key=b"a key of the hunters")
        Said(wires).say("wolf", BEGIN, Beginning("hunt", {}, ["a"] * 3, 1, 40.0).pack())
        _kept["wolf"].attend(0)
    kind, content = data.draw(st.integers(0, 9)), data.draw(st.binary(max_size=60))
    sender = data.draw(st.sampled_from([0, 1, 2, WORLD]))
    if (kind, sender) == (END, WORLD):
        return  # which ends the match
    sealed = SEAL.close(Envelope(kind, sender, 5, content))
    wires.boxes["wolf"].append(("world", sealed))
    _kept["wolf"].attend(0)
    assert set(_kept["wolf"].work.counts) <= {*REASONS, "taken in", "sent"}


_kept = {}


def test_nobody_waits_for_ever():
    wolf = hunter(Wires(), "wolf", "roots@30", patience=0.1)
    with pytest.raises(Failure, match="heard nothing"):
        wolf.serve()


# --- matches -------------------------------------------------------------------------------------


def run_hunt(mate, line, tmp_path, tick="250ms"):
    """A match with both hunters in threads, over UDP: the match, and what they have done."""
    ends = [Udp(name, "127.0.0.1:0") for name in ("wolf", "fox")]
    hunters = []
    for seat, name in enumerate(("wolf", "fox")):
        other = 1 - seat
        peers = {other: ends[seat].peer(name, ends[other].address)}
        post = Post(ends[seat], SEAL, seat, peers)
        hunters.append(
            Teammate(
                "hunt",
                name,
                mate,
                post,
                lambda post=post: line(post, (0, 1)),
                diary=str(tmp_path / name),
            )
        )
    key = tmp_path / "key"
    key.write_bytes(b"a key of the hunters")
    threads = [threading.Thread(target=one.serve, daemon=True) for one in hunters]
    for thread in threads:
        thread.start()
    lineup = [f'remote("{end.address}", key="{key}")@{tick}' for end in ends]
    match = play(hunt(), [*lineup, "random"], seed=2)
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    for one in hunters:
        one.close()
    return match, [one.work for one in hunters]


@pytest.mark.slow
@pytest.mark.parametrize("mate", ["roots", "tree-cuts"])
def test_mates_play_over_udp_with_a_third_lost_and_it_can_be_replayed(mate, tmp_path):
    def worse(post, mates):
        plan = channel(rate=64_000, loss=0.3, delay_ms=2)
        return Shim(Line(post, mates), plan, post.own, mates, post.own)

    match, works = run_hunt(f"{mate}@250ms", worse, tmp_path)
    assert match.ending == "over"
    assert all(work.counts["taken in"] > 0 and work.simulations > 0 for work in works)
    for name in ("wolf", "fox"):
        done = replay(tmp_path / name)
        assert done.different == []
        assert done.simulations >= works[("wolf", "fox").index(name)].simulations > 0
        assert done.sent > 0


def test_a_diary_that_was_changed_or_cut_is_told_from_a_whole_one(begun, game, tmp_path):
    wires = Wires()
    path = tmp_path / "wolf"
    wolf = hunter(wires, "wolf", "roots@30", diary=str(path))
    world = Said(wires, seal=Seal())
    world.say("wolf", BEGIN, Beginning("hunt", {}, ["a", "b", "c"], 1, 9e4).pack())
    world.say("wolf", SIGHT, Sight(0, (), game.start().tobytes()).pack())
    wolf.attend(0)
    wolf.close()
    done = replay(path)
    assert (done.matches, done.ticks, done.simulations, done.different) == (2, 1, 30, [])
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])  # its writer was killed
    assert len(list(read_events(path))) == len(list_events(whole, path)) - 1
    path.write_bytes(whole.replace(b"\xa5think\x16", b"\xa5think\x15", 1))
    assert replay(path).different  # 21 simulations are not 22
    path.write_bytes(b"no diary of anybody")
    with pytest.raises(Failure, match="no diary"):
        replay(path)


def list_events(whole, path):
    path.write_bytes(whole)
    events = list(read_events(path))
    path.write_bytes(whole[:-7])
    return events
