"""my_game: three seats take one, two or three stones from a heap; who takes the last one wins.

Change it into your own, a function at a time, and look after each change:

    manyminds check my_game.py          is every clause of the contract kept, and if not, what to do
    manyminds play my_game.py           programs play it; --seat first=person lets you sit down

The functions are compiled when they are searched. NUMBA_DISABLE_JIT=1 runs them as plain Python, for
print and pdb.
"""

import manyminds as mm

SEATS = ("first", "second", "third")
STONES, MOST = 15, 3

# What a position is: every field has a type, lists have a size ("uint8[9]").
STATE = mm.record(stones="uint8", turn="uint8", last="uint8")


def start():
    """A new position, in memory of its own."""
    state = STATE.new()
    state.stones = STONES
    return state


@mm.kernel
def seat(state):
    """Whose turn it is, from 0."""
    return state.turn


@mm.kernel
def moves(state, out):
    """Write the legal moves to `out`; how many they are. Any numbers below `move_ids` will do."""
    n = min(MOST, state.stones)
    for k in range(n):
        out[k] = k
    return n


@mm.kernel
def play(state, move):
    """Change the state; only here."""
    state.stones -= move + 1
    state.last = state.turn
    state.turn = (state.turn + 1) % 3


@mm.kernel
def over(state):
    """Whether the game has ended."""
    return state.stones == 0


@mm.kernel
def rewards(state, out):
    """Each seat's, from 0 (worst) to 1 (best); in unfinished games, too."""
    for k in range(3):
        out[k] = 1 / 3
    if state.stones == 0:
        for k in range(3):
            out[k] = 1.0 if k == state.last else 0.0


def name(move):
    """A move as people write it."""
    return f"take{move + 1}"


def show(state):
    """A text drawing."""
    return "o" * int(state.stones) or "(none)"


my_game = mm.Game(
    "my_game",
    STATE,
    seats=3,
    seat_names=SEATS,
    start=start,
    seat=seat,
    moves=moves,
    play=play,
    over=over,
    rewards=rewards,
    name=name,
    show=show,
    move_ids=MOST,
    most_moves=MOST,
    longest=STONES,
)


def make():
    """The game by its name, for campaigns: files = ["my_game.py"]."""
    return my_game


mm.register_game("my_game", make, "take one, two or three stones from a heap; the last one wins")
