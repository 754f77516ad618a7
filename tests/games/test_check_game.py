"""`check_game` on games that keep the contract, and on games that break one clause each."""

import numpy as np
import pytest

from manyminds.core.checks import CheckReport, checker_of
from manyminds.core.errors import UsageError
from manyminds.core.kernel import interpreted, kernel
from manyminds.core.random import below
from manyminds.core.record import record
from manyminds.games.check import CLAUSES, GameError, check_game
from manyminds.games.contract import CHANCE, Game
from manyminds.games.defaults import note

pytestmark = pytest.mark.interpreted
STATE = record(heaps="uint8[3]", turn="int8", total="uint8")


# --- Nim, kernel by kernel, as the base of what is broken ------------------------------------------------


def start():
    state = STATE.new()
    state.heaps[:] = 3, 4, 5
    return state


@kernel
def moves(state, out):
    n = 0
    for heap in range(3):
        for take in range(1, state.heaps[heap] + 1):
            out[n] = heap * 16 + take
            n += 1
    return n


@kernel
def play(state, move):
    state.heaps[move // 16] -= move % 16
    state.turn = 1 - state.turn


@kernel
def over(state):
    return state.heaps[0] + state.heaps[1] + state.heaps[2] == 0


@kernel
def rewards(state, out):
    out[1 - state.turn], out[state.turn] = 1.0, 0.0


@kernel
def seat(state):
    return state.turn


NIM = dict(
    seats=2,
    start=start,
    seat=seat,
    moves=moves,
    play=play,
    over=over,
    rewards=rewards,
    move_ids=64,
    most_moves=12,
    longest=12,
)


def nim(**changes):
    return Game("nim", STATE, **(NIM | changes))


# --- a simultaneous game, for what only those can break ---------------------------------------------------


@kernel
def all_move(state, out):
    out[0], out[1] = 0, 1
    return 2


@kernel
def count_to_three(state, seat, out):
    out[0], out[1] = 0, 1
    return 2


@kernel
def play_joint(state, joint):
    state.total += 1 + joint[0] * joint[1]


@kernel
def total_over(state):
    return state.total >= 3


@kernel
def half_each(state, out):
    out[0] = out[1] = 0.5


RACE = dict(
    seats=2,
    start=STATE.new,
    movers=all_move,
    moves=count_to_three,
    play=play_joint,
    over=total_over,
    rewards=half_each,
    move_ids=2,
    most_moves=2,
    longest=3,
)


def race(**changes):
    return Game("race", STATE, **(RACE | changes))


# --- a game with dice -------------------------------------------------------------------------------------


@kernel
def dice_seat(state):
    return CHANCE if state.turn == 1 else 0


@kernel
def dice_moves(state, out):
    for face in range(6):
        out[face] = face
    return 6 if state.turn == 1 else 1


@kernel
def dice_play(state, move):
    state.total += move
    state.heaps[0] += 1
    state.turn = 1 - state.turn


@kernel
def dice_over(state):
    return state.heaps[0] == 6


@kernel
def roll(state, rng):
    return below(rng, 6)


@kernel
def dice_rewards(state, out):
    out[0] = state.total / 15


DICE = dict(
    seats=1,
    start=STATE.new,
    seat=dice_seat,
    moves=dice_moves,
    play=dice_play,
    over=dice_over,
    rewards=dice_rewards,
    chance=roll,
    move_ids=6,
    most_moves=6,
    longest=6,
)


def dice(**changes):
    return Game("dice", STATE, **(DICE | changes))


@kernel
def note_and_play(state, rng, trace):
    """A playout of one's own, written as the default one is."""
    while trace.turns < trace.limit and not over(state):
        n = moves(state, trace.choices)
        move = trace.choices[below(rng, n)]
        note(trace, seat(state), move)
        trace.turns += 1
        play(state, move)


# --- games that keep the contract ---------------------------------------------------------------------------


@kernel
def first_two(state, out):
    n = moves(state, out)
    return n if n < 2 else 2


@kernel
def prefer_first(state, moves, out):
    for k in range(moves.shape[0]):
        out[k, 0], out[k, 1] = 3.0, 1.0 / (k + 1)


@kernel
def first_move(state, rng):
    return below(rng, 1) + state_first(state)


@kernel
def state_first(state):
    for heap in range(3):
        if state.heaps[heap] > 0:
            return heap * 16 + 1
    return 0


@kernel
def copy_all(to, source):
    for heap in range(3):
        to.heaps[heap] = source.heaps[heap]
    to.turn = source.turn


@kernel
def heaps_as_points(state, out):
    out[0], out[1] = state.heaps[0], -1.5


GOOD = {
    "nim": nim(),
    "all options": nim(
        tree_moves=first_two,
        prior=prefer_first,
        step=first_move,
        copy=copy_all,
        points=heaps_as_points,
        playout=note_and_play,
    ),
    "names": nim(name=lambda move: f"{'ABC'[move // 16]}{move % 16}"),
    "random start": nim(start=lambda seed: started_at(seed)),
    "simultaneous": race(),
    "mates": race(teams={"both": (0, 1)}),
    "dice": dice(),
}


def started_at(seed):
    state = start()
    state.heaps[0] = 1 + seed % 3
    return state


@pytest.mark.parametrize("which", GOOD)
def test_games_that_keep_the_contract_pass(which):
    report = check_game(GOOD[which])
    assert report.passed
    assert {check.outcome for check in report.checks} <= {"passed", "left out"}
    assert "not looked at" not in str(report)


def test_every_clause_is_looked_at_in_one_of_them():
    reports = [check_game(game) for game in GOOD.values()]
    passed = {
        check.name for report in reports for check in report.checks if check.outcome == "passed"
    }
    assert set(CLAUSES) - passed == ({"compiles", "agreement"} if interpreted() else set())


# --- games that break one clause each -----------------------------------------------------------------------

SHARED = start()


def shared_start():
    return SHARED


def unseeded_start():
    state = start()
    state.heaps[0] = np.random.default_rng().integers(2**31) % 251
    return state


def ended_start():
    return STATE.new()


def failing_start():
    raise FileNotFoundError("book.db")


@kernel
def seat_from_one(state):
    return state.turn + 1


@kernel
def seat_of_nature(state):
    return CHANCE


@kernel
def twice_the_same(state, out):
    out[0] = out[1] = 1
    return 2


@kernel
def seats_from_one(state, out):
    out[0], out[1] = 1, 2
    return 2


@kernel
def no_moves(state, out):
    return 0


@kernel
def same_move_twice(state, out):
    n = moves(state, out)
    out[n] = out[0]
    return n + 1


@kernel
def moves_from_100(state, out):
    n = moves(state, out)
    out[n - 1] = 100
    return n


@kernel
def counts_too_many(state, out):
    return moves(state, out) + 1


ASKED = []


@kernel
def fickle(state, out):
    """Hidden in a list: what plain Python allows, and the compiler does not."""
    n = moves(state, out)
    ASKED.append(n)
    if n > 1 and len(ASKED) % 2:
        out[0], out[1] = out[1], out[0]
    return n


@kernel
def too_much_from_a_heap(state, out):
    n = moves(state, out)
    out[n] = 3 * 16 + 1
    return n + 1


@kernel
def moves_that_play(state, out):
    state.total += 1
    return moves(state, out)


@kernel
def rewards_that_count(state, out):
    state.heaps[0] = 0
    rewards(state, out)


@kernel
def joint_forgotten(state, joint):
    play_joint(state, joint)
    joint[0] = 0
    joint[1] = -1


@kernel
def writes_behind(state, out):
    n = moves(state, out)
    out[12] = 7
    return n


@kernel
def rewards_behind(state, out):
    rewards(state, out)
    out[2] = 0.5


@kernel
def rewards_of_two(state, out):
    out[1 - state.turn], out[state.turn] = 2.0, 0.0


@kernel
def rewards_at_the_end(state, out):
    out[0] = out[1] = np.nan
    if over(state):
        rewards(state, out)


@kernel
def winners_reward(state, out):
    out[1 - state.turn] = 1.0


@kernel
def unequal_mates(state, out):
    out[0], out[1] = 0.5, 0.25


@kernel
def points_of_nobody(state, out):
    out[0], out[1] = 1.0, np.inf


@kernel
def never(state):
    return False


@kernel
def pass_only(state, out):
    out[0] = 0
    return 1


@kernel
def play_nothing(state, move):
    state.turn = 1 - state.turn


HISTORY = []


@kernel
def play_with_history(state, move):
    """Takes one more where the game's number in a hidden list is odd."""
    if state.heaps[0] == 3 and state.heaps[1] == 4 and state.heaps[2] == 5:
        HISTORY.append(move)
    state.total = len(HISTORY) % 251
    play(state, move)


@kernel
def copy_without_turn(to, source):
    for heap in range(3):
        to.heaps[heap] = source.heaps[heap]


@kernel
def copy_backwards(to, source):
    source.total += 1
    copy_all(to, source)


class Forgetful(Game):
    """Packs its states without whose turn it is."""

    def pack(self, state):
        other = self.copy(state)
        other.turn = 0
        return super().pack(other)


@kernel
def one_step(state, rng, trace):
    n = moves(state, trace.choices)
    move = trace.choices[below(rng, n)]
    note(trace, seat(state), move)
    trace.turns += 1
    play(state, move)


@kernel
def without_limit(state, rng, trace):
    while not over(state):
        n = moves(state, trace.choices)
        move = trace.choices[below(rng, n)]
        note(trace, seat(state), move)
        trace.turns += 1
        play(state, move)


@kernel
def turns_uncounted(state, rng, trace):
    left = trace.limit
    while left > 0 and not over(state):
        n = moves(state, trace.choices)
        move = trace.choices[below(rng, n)]
        note(trace, seat(state), move)
        left -= 1
        play(state, move)


@kernel
def numpys_chance(state, rng, trace):
    while trace.turns < trace.limit and not over(state):
        n = moves(state, trace.choices)
        move = trace.choices[np.random.randint(0, n)]
        note(trace, seat(state), move)
        trace.turns += 1
        play(state, move)


@kernel
def silent(state, rng, trace):
    while trace.turns < trace.limit and not over(state):
        n = moves(state, trace.choices)
        trace.turns += 1
        play(state, trace.choices[below(rng, n)])


@kernel
def half_silent(state, rng, trace):
    while trace.turns < trace.limit and not over(state):
        n = moves(state, trace.choices)
        move = trace.choices[below(rng, n)]
        if trace.turns != 1:
            note(trace, seat(state), move)
        trace.turns += 1
        play(state, move)


@kernel
def blames_the_other(state, rng, trace):
    while trace.turns < trace.limit and not over(state):
        n = moves(state, trace.choices)
        move = trace.choices[below(rng, n)]
        note(trace, 1 - seat(state), move)
        trace.turns += 1
        play(state, move)


@kernel
def names_seat_nine(state, rng, trace):
    while trace.turns < trace.limit and not over(state):
        n = moves(state, trace.choices)
        move = trace.choices[below(rng, n)]
        note(trace, 9, move)
        trace.turns += 1
        play(state, move)


@kernel
def turns_the_table(state, rng, trace):
    """Ends as another game than the one that its trace tells."""
    note_and_play(state, rng, trace)
    state.turn = 1 - state.turn


@kernel
def step_of_four(state, rng):
    return 4


@kernel
def step_that_plays(state, rng):
    move = state_first(state)
    play(state, move)
    return move


@kernel
def more_moves(state, out, *settings):
    n = moves(state, out)
    out[n - 1] = 63
    return n


@kernel
def negative_weight(state, moves, out):
    for k in range(moves.shape[0]):
        out[k, 0], out[k, 1] = -1.0, 0.5


@kernel
def great_value(state, moves, out):
    for k in range(moves.shape[0]):
        out[k, 0], out[k, 1] = 2.0, 10.0


@kernel
def prior_behind(state, moves, out):
    for k in range(moves.shape[0] + 1):
        out[k, 0], out[k, 1] = 2.0, 0.5


@kernel
def seventh_face(state, rng):
    return 6


def broken_line(state):
    raise KeyError("heaps")


def redraw(state):
    state.total = 1
    return "redrawn"


@kernel
def misspelt(state):
    return state.heap[0] == 0


BROKEN = {
    "start gives no record": (
        nim(start=lambda: np.zeros(3)),
        "start",
        r"a ndarray; make the state with new\(\)",
    ),
    "start of another record": (nim(start=record(x="int8").new), "start", "a record of"),
    "start shares memory": (nim(start=shared_start), "start", "the same memory twice"),
    "start without seed": (nim(start=unseeded_start), "start", "two different states for one seed"),
    "start at the end": (nim(start=ended_start), "start", "over before its first move"),
    "start raises": (
        nim(start=failing_start),
        "start",
        r"raises FileNotFoundError: book.db in line",
    ),
    "kernel raises": (nim(over=misspelt), "plain", r"over raises AttributeError.*heap.* in line"),
    "seats from one": (
        nim(seat=seat_from_one),
        "turns",
        "seat gives 2; seats are numbers from 0 to 1",
    ),
    "nature without chance": (
        nim(seat=seat_of_nature),
        "turns",
        "write one that draws nature's move",
    ),
    "one mover twice": (
        race(movers=twice_the_same),
        "turns",
        "movers lists .1, 1.*different seats",
    ),
    "movers from one": (race(movers=seats_from_one), "turns", "movers lists .1, 2.*0 to 1"),
    "no moves": (
        nim(moves=no_moves),
        "moves",
        r"gives 0 moves for seat 0 \(seat0\).*or let the game be over",
    ),
    "a move twice": (nim(moves=same_move_twice, most_moves=13), "moves", "lists 1 more than once"),
    "a great move": (
        nim(moves=moves_from_100),
        "moves",
        "lists 100.*move_ids - 1 = 63: raise move_ids",
    ),
    "too many moves": (
        nim(most_moves=11),
        "moves",
        "12 moves, more than most_moves=11: raise most_moves",
    ),
    "unwritten moves": (
        nim(moves=counts_too_many, most_moves=13),
        "moves",
        "writes nothing to out.12.*count a move when",
    ),
    "fickle moves": (nim(moves=fickle), "moves", "other moves when asked again"),
    "unplayable move": (
        nim(moves=too_much_from_a_heap, most_moves=13),
        "legal",
        r"play raises IndexError: index 3 .* in line \d+ of test_check_game.py .*then 49\)",
    ),
    "moves plays": (nim(moves=moves_that_play), "questions", r"moves changes the state \(total\)"),
    "rewards plays": (
        nim(rewards=rewards_that_count),
        "questions",
        r"rewards changes the state \(heaps\)",
    ),
    "joint changed": (race(play=joint_forgotten), "questions", "play changes the joint move"),
    "step plays": (nim(step=step_that_plays), "questions", "step changes the rewards"),
    "moves behind room": (
        nim(moves=writes_behind, step=first_move),
        "room",
        r"to out\[12\].*ends at out\[11\]: raise most_moves",
    ),
    "rewards behind room": (nim(rewards=rewards_behind), "room", r"rewards writes behind out\[1\]"),
    "prior behind room": (nim(prior=prior_behind), "room", "prior writes behind the last"),
    "great rewards": (
        nim(rewards=rewards_of_two),
        "rewards",
        r"seat 1 \(seat1\) 2; scale rewards into 0",
    ),
    "late rewards": (
        nim(rewards=rewards_at_the_end),
        "rewards",
        r"nan; scale .*in unfinished games too",
    ),
    "winner alone": (
        nim(rewards=winners_reward),
        "rewards",
        r"nothing for seat 0 .*write out\[0\] on every path",
    ),
    "unequal mates": (
        race(rewards=unequal_mates, teams={"both": (0, 1)}),
        "mates",
        r"seat 0 \(seat0\) 0.5, seat 1 \(seat1\) 0.25; one team has one reward",
    ),
    "endless points": (nim(points=points_of_nobody), "points", "points gives seat 1 .* inf"),
    "longest too short": (nim(longest=4), "end", "not over after longest=4 turns.*raise longest"),
    "never over": (
        nim(over=never, moves=pass_only, play=play_nothing),
        "end",
        "let over.state. be true",
    ),
    "hidden history": (
        nim(play=play_with_history),
        "again",
        "nothing in lists or variables beside it",
    ),
    "copy forgets": (nim(copy=copy_without_turn), "copies", r"the \w+ differ: copy every field"),
    "copy writes back": (nim(copy=copy_backwards), "copies", "changes its source"),
    "bytes forget": (Forgetful("nim", STATE, **NIM), "bytes", r"after unpack\(pack\(state\)\)"),
    "playout stops": (
        nim(playout=one_step),
        "playouts",
        r"game that is not over: go on until over",
    ),
    "playout without limit": (
        nim(playout=without_limit),
        "playouts",
        "with trace.limit=2: stop when",
    ),
    "playout without count": (
        nim(playout=turns_uncounted),
        "playouts",
        "add 1 to trace.turns on every turn",
    ),
    "chance from elsewhere": (nim(playout=numpys_chance), "seeds", "draw from the generator"),
    "silent playout": (
        nim(playout=silent),
        "trace",
        "notes 0 moves, which do not lead to",
    ),
    "half a trace": (nim(playout=half_silent), "trace", "note every move in order, and none twice"),
    "wrong seats noted": (
        nim(playout=blames_the_other),
        "trace",
        r"moves of \[1\] where \[0\] moves",
    ),
    "unknown seats noted": (nim(playout=names_seat_nine), "trace", "of seat 9; seats are 0 to 1"),
    "trace of another game": (nim(playout=turns_the_table), "trace", "and it led to"),
    "illegal step": (nim(step=step_of_four), "step", "step gives 4, which moves does not list"),
    "more tree moves": (nim(tree_moves=more_moves), "tree moves", "lists 63, which moves does not"),
    "no tree moves": (nim(tree_moves=no_moves), "tree moves", "tree_moves gives 0 moves"),
    "negative prior": (nim(prior=negative_weight), "prior", "the weight -1; out.k, 0. is a number"),
    "great prior": (
        nim(prior=great_value),
        "prior",
        "the value 10; out.k, 1. is the mover's expected",
    ),
    "foreign chance": (
        dice(chance=seventh_face),
        "chance",
        "chance draws 6, which moves does not list",
    ),
    "equal names": (nim(name=lambda move: "take"), "names", 'moves 1 and 2 are both called "take"'),
    "no names": (nim(name=lambda move: None), "names", r"name\(1\) gives None"),
    "padded names": (nim(name=lambda move: f"{move} "), "names", "without blanks round it"),
    "name raises": (nim(name=lambda move: "abc"[move]), "names", "raises IndexError.* in line"),
    "no drawing": (nim(show=lambda state: None), "show", "show gives None"),
    "drawing raises": (nim(show=broken_line), "show", "raises KeyError: 'heaps' in line"),
    "drawing plays": (nim(show=redraw), "show", "show changes the state"),
}


@pytest.mark.parametrize("which", BROKEN)
def test_what_breaks_one_clause_is_caught_in_that_clause(which):
    game, clause, sentence = BROKEN[which]
    ASKED.clear()
    HISTORY.clear()
    with pytest.raises(GameError, match=sentence) as caught:
        check_game(game)
    assert [check.name for check in caught.value.report.failures] == [clause]


# --- what only the compiler, and the comparison with it, can see ----------------------------------------


@kernel
def not_compilable(state):
    return all(heap == 0 for heap in state.heaps)


@kernel
def wraps_round(state):
    """255 in plain Python, where a small number stays small; compiled, 55 is less than 255."""
    return state.heaps[0] + state.heaps[1] + state.heaps[2] == 0 or state.total - 1 == 255


@kernel
def shrinking_rewards(state, out):
    out[0] = (state.total - 1) / 255 if state.total - 1 >= 0 else 0.0
    out[1] = 0.0


@kernel
def counting_down(state, move):
    play(state, move)
    state.total = 0 if state.total - 5 < 0 else state.total - 5


@pytest.mark.skipif(interpreted(), reason="plain Python is all there is")
class TestCompiled:
    def test_what_does_not_compile_is_named(self):
        with pytest.raises(GameError, match="over does not compile") as caught:
            check_game(nim(over=not_compilable))
        assert [check.name for check in caught.value.report.failures] == ["compiles"]

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            (
                {"rewards": shrinking_rewards},
                r"rewards: compiled \[0.0, 0.0\], plain Python \[1.0, 0.0\]",
            ),
            ({"play": counting_down}, "total is 0 compiled and 251 in plain Python"),
        ],
    )
    def test_where_small_numbers_wrap_round_the_two_are_told_apart(self, changes, sentence):
        with pytest.raises(GameError, match=sentence + r".*write int\(...\)") as caught:
            check_game(nim(**changes))
        assert [check.name for check in caught.value.report.failures] == ["agreement"]

    def test_after_a_failure_in_plain_python_nothing_compiled_is_run(self):
        report = check_game(nim(rewards=rewards_of_two), raises=False)
        assert report.of("compiles").outcome == "left out"


# --- the report, and what is asked for ---------------------------------------------------------


def test_the_error_lists_every_failure_and_carries_the_report():
    game = nim(rewards=rewards_of_two, step=step_of_four)
    with pytest.raises(UsageError, match="the game nim fails 2 of 25 checks") as caught:
        check_game(game)
    assert "\n  rewards: rewards gives" in str(caught.value)
    assert "\n  step: step gives 4" in str(caught.value)
    assert isinstance(caught.value, GameError)
    assert str(check_game(game, raises=False)) == str(caught.value.report)


def test_the_report_is_data_and_comes_back_from_it():
    report = check_game(nim(rewards=rewards_of_two), raises=False)
    document = report.document()
    assert (document["kind"], document["title"], document["passed"]) == ("game", "nim", False)
    assert [check["name"] for check in document["checks"]] == list(CLAUSES)
    assert CheckReport.from_document(document) == report


def test_the_same_seed_finds_the_same_and_names_the_place():
    sentences = {
        check_game(nim(longest=4), seed=seed, raises=False).of("end").sentence for seed in (3, 3, 4)
    }
    assert len(sentences) == 2
    assert any("random game 0 of seed 3" in sentence for sentence in sentences)


def test_more_games_find_what_few_do_not():
    """Every tenth start leads to a reward out of range."""

    def rare_start(seed):
        state = start()
        state.total = seed % 10 == 0
        return state

    game = nim(start=rare_start, rewards=rare_rewards)
    assert check_game(game, games=1, seed=1, raises=False).passed
    assert check_game(game, games=60, seed=1, raises=False).of("rewards").outcome == "failed"


@kernel
def rare_rewards(state, out):
    rewards(state, out)
    if state.total == 1:
        out[0] = 3.0


def test_playouts_may_follow_simpler_rules_when_that_is_said():
    report = check_game(nim(step=step_of_four), raises=False, simpler_playouts=True)
    assert report.of("step").outcome == "left out"


def test_it_says_how_far_it_has_come():
    said = []
    check_game(nim(), games=2, tell=said.append)
    assert said[0] == "the start"
    assert "plain Python: random game 1 of 2" in said
    assert ("compiled: playout 2 of 2" in said) != interpreted()


@pytest.mark.parametrize(
    ("arguments", "message"), [((None,), "takes a Game"), ((nim(), 0), "at least 1")]
)
def test_what_cannot_be_checked_is_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        check_game(*arguments)


def test_games_are_checked_by_the_registered_checker():
    checker = checker_of(nim())
    assert checker.kind == "game"
    assert checker.check(nim(), 2, 0, lambda _: None).passed
    assert not checker.check(nim(rewards=rewards_of_two), 2, 0, lambda _: None).passed
    assert checker_of(object()) is None
