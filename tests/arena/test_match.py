"""Matches: who is asked, what is kept, how they end, and that they always do."""

import subprocess
import sys
import threading
import time

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.arena.match import Match, play, replay
from manyminds.core.errors import UsageError
from manyminds.games.contract import NONE
from manyminds.games.go import go, sgf
from manyminds.games.small.goofspiel import goofspiel
from manyminds.games.small.hunt import hunt
from manyminds.games.small.nim import nim
from manyminds.games.small.pig import pig
from manyminds.games.small.three_hills import three_hills
from manyminds.players import Decision, Forfeit, Lineup
from manyminds.players.random import RandomPlayer

NIM = nim()
SIMULTANEOUS = goofspiel(cards=4, seats=2)


class First:
    """Plays the first legal move; `does` may say more, do worse, or fail, at its n-th decision."""

    def __init__(self, does=None):
        self.does = does or (lambda n, state: None)
        self.told, self.closed, self.decided = [], 0, 0

    def begin(self, game, seat, lineup):
        self.game, self.seat, self.lineup = game, seat, lineup

    def saw(self, joint):
        self.told.append(joint)

    def decide(self, state, budget):
        self.budget = budget
        self.decided += 1
        said = self.does(self.decided, state)
        return said or Decision(int(self.game.moves(state, self.seat)[0]))

    def close(self):
        self.closed += 1


def fails(with_what, at=1):
    """What a player does that raises this at its n-th decision."""

    def do(n, state):
        if n == at:
            raise with_what

    return do


@pytest.mark.parametrize(
    "game", [NIM, SIMULTANEOUS, hunt(), pig(), three_hills()], ids=lambda g: g.title
)
def test_every_game_is_played_to_its_end(game):
    match = play(game, ["random"] * game.seats, seed=3)
    assert match.ending == "over"
    assert len(match.names) == len(match.joint_moves)
    assert all(len(joint) == game.seats for joint in match.joint_moves)
    *_, last = replay(game, match)
    assert game.over(last)
    assert list(match.points.values()) == list(game.points(last))
    assert list(match.rewards) == list(game.rewards(last))
    assert tuple(match.points) == match.seats == game.seat_names


def test_moves_are_legal_where_they_are_played():
    match = play(SIMULTANEOUS, ["random", "random"], seed=8)
    for state, joint in zip(replay(SIMULTANEOUS, match), match.joint_moves, strict=False):
        for seat, move in enumerate(joint):
            assert (move == NONE) == (seat not in SIMULTANEOUS.movers(state))
            assert move == NONE or move in SIMULTANEOUS.moves(state, seat)


def test_equal_seeds_give_identical_matches_and_others_do_not():
    one, same, other = (play(NIM, ["random", "random"], seed=seed) for seed in (7, 7, 8))
    assert one.digest == same.digest
    assert msgspec.structs.replace(one, seconds=()) == msgspec.structs.replace(same, seconds=())
    assert one.digest != other.digest
    assert one.joint_moves != other.joint_moves


def test_another_process_plays_the_same_match():
    code = (
        "from manyminds.arena.match import play; from manyminds.games.small.pig import pig;"
        "print(play(pig(), ['random', 'random'], seed=2**64 - 1).digest)"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == play(pig(), ["random", "random"], seed=2**64 - 1).digest


def test_each_seat_draws_from_a_seed_of_its_own():
    lineups = []

    class Keeper(First):
        def begin(self, game, seat, lineup):
            super().begin(game, seat, lineup)
            lineups.append(lineup)

    play(NIM, [Keeper(), Keeper()], seed=5)
    assert lineups == [Lineup(["Keeper", "Keeper"], 5)] * 2
    assert lineups[0].seed_of(0) != lineups[0].seed_of(1)


def test_dice_fall_from_the_seed_whoever_plays():
    game = pig(target=1000, rounds=2)
    rolls = []
    for players in (["random", "random"], [First(), First()]):
        match = play(game, players, seed=11)
        states = list(replay(game, match))
        rolls.append(
            [
                joint[0]
                for joint, state in zip(match.joint_moves, states, strict=False)
                if state.rolling
            ]
        )
    shorter = min(map(len, rolls))
    assert shorter >= 3
    assert rolls[0][:shorter] == rolls[1][:shorter]


def test_those_who_move_at_once_decide_on_the_same_position():
    seen = []

    def note(n, state):
        seen.append((n, state.tobytes()))

    play(SIMULTANEOUS, [First(note), First(note)])
    assert seen[0::2] == seen[1::2]
    assert len(set(seen)) == len(seen) / 2


def test_a_player_cannot_change_the_match_through_the_state():
    def vandal(n, state):
        decision = Decision(int(NIM.moves(state)[0]))
        state.heaps[:] = 0
        return decision

    assert play(NIM, [First(vandal), First()]).names == play(NIM, [First(), First()]).names


def test_everybody_sees_every_joint_move_the_last_too():
    players = [First(), First()]
    match = play(NIM, players)
    assert players[0].told == players[1].told == list(match.joint_moves)


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        (fails(Forfeit("out of ideas"), at=2), "out of ideas"),
        (lambda n, state: Decision(63) if n == 2 else None, "illegal move"),
        (lambda n, state: Decision(-1) if n == 2 else None, "illegal move -1"),
        (lambda n, state: Decision(10**12) if n == 2 else None, "illegal move 1000000000000"),
        (lambda n, state: Decision("E5") if n == 2 else None, "illegal move 'E5'"),
        (fails(Forfeit("\x1b[2Jbye " + "x" * 9999), at=2), "\N{REPLACEMENT CHARACTER}[2Jbye"),
    ],
)
def test_who_forfeits_loses_at_once_with_the_reason(does, reason):
    players = [First(), First(does)]
    match = play(NIM, players)
    assert match.ending == "forfeit"
    assert match.rewards == (1.0, 0.0)
    assert match.points["second"] == 0.0
    [(seat, kept)] = match.forfeits
    assert seat == 1
    assert kept.startswith(reason)
    assert len(kept) <= 5000
    assert len(match.joint_moves) == 3
    assert [player.closed for player in players] == [1, 1]


def test_of_three_seats_the_others_keep_what_the_position_gives_them():
    game = three_hills()
    match = play(game, [First(), First(fails(Forfeit("resigned"))), First()])
    state = next(iter(replay(game, match)))
    game.play(state, match.joint_moves[0])
    rewards, points = game.rewards(state), game.points(state)
    assert match.rewards == (rewards[0], 0.0, rewards[2])
    assert list(match.points.values()) == [points[0], 0.0, points[2]]


def test_a_team_loses_together_and_the_other_team_has_the_whole_reward():
    match = play(hunt(), {"wolf": First(fails(Forfeit("lame"))), "fox": "random", "hare": "random"})
    assert match.rewards == tuple(1.0 if name == "hare" else 0.0 for name in match.seats)


def test_two_who_forfeit_at_once_both_lose():
    match = play(SIMULTANEOUS, [First(fails(Forfeit("a"))), First(fails(Forfeit("b")))])
    assert match.rewards == (0.0, 0.0)
    assert [reason.reason for reason in match.forfeits] == ["a", "b"]
    assert match.joint_moves == ()


def test_a_player_may_forfeit_when_it_begins_or_is_told_a_move():
    class AtTheStart(First):
        def begin(self, game, seat, lineup):
            raise Forfeit("no board")

    class WhenTold(First):
        def saw(self, joint):
            raise Forfeit("I do not know this move")

    assert play(NIM, [AtTheStart(), First()]).forfeits == ((0, "no board"),)
    assert play(NIM, [AtTheStart(), First()]).joint_moves == ()
    told = play(NIM, [First(), WhenTold()])
    assert told.forfeits == ((1, "I do not know this move"),)
    assert len(told.joint_moves) == 1


def test_who_fails_after_the_end_has_not_lost():
    class WhenOver(First):
        def saw(self, joint):
            super().saw(joint)
            if len(self.told) == 3:
                raise Forfeit("crashed")

    game = nim(heaps=(1, 1, 1))
    match = play(game, [First(), WhenOver()])
    assert (match.ending, match.rewards, match.forfeits) == ("over", (1.0, 0.0), ())
    assert match.remarks == ((2, 1, "after the end: crashed"),)


@pytest.mark.parametrize("error", [ZeroDivisionError("bug"), KeyboardInterrupt(), SystemExit(1)])
@pytest.mark.parametrize("deadline", [None, 30.0])
def test_players_are_closed_whatever_happens(error, deadline):
    players = [First(), First(fails(error, at=2))]
    with pytest.raises(type(error)):
        play(NIM, players, deadline=deadline)
    assert [player.closed for player in players] == [1, 1]


def test_all_are_closed_even_when_closing_one_fails():
    class Clumsy(First):
        def close(self):
            super().close()
            raise ZeroDivisionError

    players = [Clumsy(), First(), Clumsy()]
    with pytest.raises(ZeroDivisionError):
        play(three_hills(), players)
    assert [player.closed for player in players] == [1, 1, 1]


def test_ctrl_c_in_a_callback_closes_the_players():
    players = [First(), First()]
    with pytest.raises(KeyboardInterrupt):
        play(NIM, players, on_move=lambda turn: fails(KeyboardInterrupt())(1, None))
    assert [player.closed for player in players] == [1, 1]


def test_a_late_player_forfeits_though_python_cannot_stop_it():
    free = threading.Event()
    slow = First(lambda n, state: free.wait(60) and None)
    begun = time.monotonic()
    match = play(NIM, [slow, First()], deadline=0.2)
    assert time.monotonic() - begun < 10
    free.set()
    assert match.forfeits == ((0, "no answer within the deadline of 0.2 s"),)
    assert slow.closed == 1
    assert match.seconds[0] >= 0.2


def test_a_player_that_hangs_while_it_closes_does_not_keep_the_match(monkeypatch):
    monkeypatch.setattr("manyminds.arena.seated.SECONDS_TO_CLOSE", 0.2)

    class Clinging(First):
        def close(self):
            free.wait(60)

    free = threading.Event()
    begun = time.monotonic()
    match = play(NIM, [Clinging(), First()], deadline=20)
    assert time.monotonic() - begun < 10
    free.set()
    assert (match.ending, match.forfeits) == ("over", ())


def test_deadlines_leave_no_thread_behind_and_change_nothing():
    before = threading.active_count()
    timed = play(NIM, ["random", "random"], seed=4, deadline=30)
    end = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before
    assert timed.digest == play(NIM, ["random", "random"], seed=4).digest


def test_the_move_limit_ends_with_the_unfinished_position():
    match = play(NIM, [First(), First()], move_limit=2)
    *_, last = replay(NIM, match)
    assert match.ending == "move limit"
    assert len(match.joint_moves) == 2
    assert match.rewards == tuple(NIM.rewards(last))


def test_a_game_that_never_ends_is_ended():
    class Endless:
        """Nim, but nobody's move ever ends it."""

        def __getattr__(self, name):
            return getattr(NIM, name)

        def play(self, state, joint):
            state.turn = 1 - state.turn

    match = play(Endless(), ["random", "random"])
    assert match.ending == "move limit"
    assert len(match.joint_moves) == NIM.longest


def test_nature_cannot_go_on_for_ever():
    class Dice:
        """Pig, but the die never comes to rest."""

        def __getattr__(self, name):
            return getattr(pig(), name)

        def movers(self, state):
            return []

        def play(self, state, joint):
            pass

    assert play(Dice(), ["random", "random"], move_limit=2).ending == "move limit"


def test_budgets_are_the_players_own_or_the_match_s():
    inner = First()

    class Sitter(First):
        pass

    play(NIM, [inner, Sitter()], budget="200ms")
    assert inner.budget.milliseconds == 200
    play(NIM, [inner, Sitter()])
    assert inner.budget.simulations == 1000


def test_players_talk_before_they_move():
    class Talker(First):
        def __init__(self, word):
            super().__init__()
            self.word, self.heard = word, []

        def say(self):
            return f"{self.word}{self.decided}".encode() if self.word else None

        def hear(self, seat, message):
            self.heard.append((self.decided, seat, message))

    loud, quiet, deaf = Talker("hi"), Talker(""), First()
    play(three_hills(), [loud, quiet, deaf], move_limit=4)
    assert loud.heard == []
    assert [entry[1:] for entry in quiet.heard] == [
        (0, b"hi0"),
        (0, b"hi1"),
        (0, b"hi1"),
        (0, b"hi1"),
    ]
    shout = Talker("x" * 70_000)
    match = play(three_hills(), [shout, quiet, deaf])
    assert match.forfeits == ((0, "said 70001 bytes at once; at most 65536"),)


def test_remarks_and_beliefs_are_kept_within_bounds():
    def talkative(n, state):
        move = int(NIM.moves(state)[0])
        shares = {f"hypothesis {k}": 0.5 for k in range(1000)}
        return Decision(move, remark="\x07" + "blah " * 1000, beliefs=shares)

    match = play(NIM, [First(talkative), First()])
    assert match.remarks
    assert {remark.seat for remark in match.remarks} == {0}
    assert all(len(remark.text) <= 1000 for remark in match.remarks)
    assert match.remarks[0].text.startswith("\N{REPLACEMENT CHARACTER}blah blah")
    assert [belief.turn for belief in match.beliefs] == [remark.turn for remark in match.remarks]
    assert all(len(belief.shares) == 64 for belief in match.beliefs)


def test_on_move_is_told_what_was_played_and_thought():
    turns = []
    states = []

    def note(turn):
        turns.append(turn)
        states.append(turn.state.tobytes())

    match = play(NIM, ["random", First()], seed=2, on_move=note)
    assert [turn.joint for turn in turns] == list(match.joint_moves)
    assert [turn.name for turn in turns] == list(match.names)
    assert [turn.number for turn in turns] == list(range(len(turns)))
    assert states == [state.tobytes() for state in replay(NIM, match)][1:]
    for turn in turns:
        [(seat, decision)] = turn.decisions.items()
        assert turn.joint[seat] == decision.move
        assert turn.seconds[seat] > 0


def test_settings_are_those_of_the_final_rewards():
    game = go(size=5, colours=3)
    players = ["random"] * 3
    by_points = play(game, players, seed=6, move_limit=30, settings={"reward": "points"})
    by_win = play(game, players, seed=6, move_limit=30, settings={"reward": "win"})
    assert by_points.joint_moves == by_win.joint_moves
    assert by_points.points == by_win.points
    assert by_points.rewards != by_win.rewards
    assert by_win.settings == {"reward": "win"}
    with pytest.raises(UsageError, match='did you mean "reward"'):
        play(game, players, settings={"rewrd": "win"})


def test_players_by_the_names_of_seats_and_teams():
    game = hunt()
    match = play(game, {"hunters": "random", "hare": {"name": "random", "budget": 5}}, seed=1)
    by_seat = dict(zip(match.seats, match.lineup, strict=True))
    assert by_seat == {"wolf": "random", "fox": "random", "hare": "random@5"}

    class Pack:
        def players(self, game, seats):
            return [RandomPlayer() for _ in seats]

        def __str__(self):
            return "pack"

    match = play(game, {"hare": "random", "hunters": Pack()}, seed=1)
    assert dict(zip(match.seats, match.lineup, strict=True)) == by_seat | {
        "wolf": "pack",
        "fox": "pack",
        "hare": "random",
    }


SAME = RandomPlayer()


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["random"], "nim has 2 seats .first, second., and 1 came"),
        (["random"] * 3, "and 3 came"),
        ("random", "one text came"),
        (["random", "rndom"], 'did you mean "random"'),
        (["random", 3], "int is no player"),
        (["random", object()], "object is no player"),
        ([SAME, SAME], "sits on two seats"),
        ({"first": "random"}, "nobody sits on second"),
        ({"first": "random", "secnd": "random"}, 'no seat or team "secnd"; did you mean "second"'),
    ],
)
def test_line_ups_that_make_no_sense_are_refused(players, message):
    with pytest.raises(UsageError, match=message):
        play(NIM, players)


def test_a_seat_is_filled_once():
    with pytest.raises(UsageError, match="fox was given a player twice"):
        play(hunt(), {"hunters": "random", "fox": "random", "hare": "random"})


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": -1},
        {"seed": 2**64},
        {"deadline": 0},
        {"deadline": float("nan")},
        {"move_limit": 0},
        {"budget": "no"},
    ],
)
def test_limits_that_make_no_sense_are_refused(wrong):
    with pytest.raises(UsageError):
        play(NIM, ["random", "random"], **wrong)


def test_a_player_that_decides_nothing_is_a_mistake_in_its_code():
    with pytest.raises(UsageError, match="First: decide must return a Decision, not 3"):
        play(NIM, [First(lambda n, state: 3), First()])


def test_a_match_survives_json_and_messagepack():
    players = [First(fails(Forfeit("tired"), at=2)), "random", "random"]
    match = play(go(size=(6, 5), colours=3, komi=[0, 0.5, 1]), players, seed=2**64 - 1)
    assert Match.from_json(match.to_json()) == match
    assert Match.from_bytes(match.to_bytes()) == match
    assert Match.from_json(match.to_json()).record == match.record
    assert match.arguments["size"] == [6, 5]


@given(st.one_of(st.binary(max_size=60), st.sampled_from([b"{}", b"[]", b"null", b'{"game": 3}'])))
def test_other_bytes_are_no_match(data):
    for read in (Match.from_json, Match.from_bytes):
        with pytest.raises(UsageError, match="no match"):
            read(data)


def test_the_record_of_go_is_sgf():
    def remark(n, state):
        if n == 2:
            return Decision(
                int(game.moves(state)[-1]), remark="a fine move", beliefs={"with red": 0.25}
            )

    game = go(size=(6, 5), colours=3, komi=[0, 0.5, 1])
    match = play(game, [First(remark), "random", "random"], seed=1, move_limit=12)
    record = sgf.read(match.record)
    assert (record.width, record.height, record.colours) == (6, 5, 3)
    assert record.moves_in_turn() == [max(joint) for joint in match.joint_moves]
    assert record.names == match.lineup == ("First", "random", "random")
    assert record.komi == (0.0, 0.5, 1.0)
    assert record.points == tuple(match.points.values())
    assert record.remarks[3] == "black: a fine move; black believes: with red 25%"


@pytest.mark.parametrize(
    ("reason", "result"), [("resigned", "B+Resign"), ("broke down", "B+Forfeit")]
)
def test_forfeits_in_sgf(reason, result):
    match = play(go(size=5), ["random", First(fails(Forfeit(reason), at=2))], seed=1)
    assert sgf.read(match.record).result == result
    assert reason in sgf.read(match.record).comment


def test_the_record_of_other_games_is_text():
    def remark(n, state):
        return Decision(int(NIM.moves(state)[0]), remark="one\nstone") if n == 1 else None

    match = play(NIM, [First(remark), First(fails(Forfeit("tired"), at=2))], seed=5)
    lines = match.record.splitlines()
    assert lines[0] == "game: nim"
    assert {"first: First", "second: First", "seed: 5", "second forfeits: tired"} <= set(lines)
    assert f"1. {match.names[0]}    first: one stone" in lines
    assert f"3. {match.names[2]}" in lines
    assert "end: forfeit" in lines


def test_points_are_plain_numbers():
    match = play(NIM, ["random", "random"])
    assert all(
        type(value) is float for value in (*match.points.values(), *match.rewards, *match.seconds)
    )
    assert not any(isinstance(move, np.generic) for joint in match.joint_moves for move in joint)
