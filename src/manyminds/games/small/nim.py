"""Nim: take any number of stones from one heap; who takes the last one wins (or, misère, loses)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from manyminds.core.errors import UsageError
from manyminds.core.kernel import kernel
from manyminds.core.record import Record, record
from manyminds.games.contract import Game, State
from manyminds.games.small.grid import COLUMNS

MOST_HEAPS, MOST_STONES = len(COLUMNS), 100  # of one heap


@kernel
def seat(state):
    return state.turn


@kernel
def over(state):
    return state.stones == 0


def _kernels(heaps: int, stride: int, misere: bool) -> dict[str, Any]:
    """The game's functions; the move that takes k stones from heap h is h * stride + k."""
    reward_of_last = 0.0 if misere else 1.0

    @kernel
    def moves(state, out):
        n = 0
        for heap in range(heaps):
            for take in range(1, int(state.heaps[heap]) + 1):
                out[n] = heap * stride + take
                n += 1
        return n

    @kernel
    def play(state, move):
        take = move % stride
        state.heaps[move // stride] -= take
        state.stones -= take
        state.turn = 1 - state.turn

    @kernel
    def rewards(state, out):
        last = 1 - state.turn
        out[last] = reward_of_last if state.stones == 0 else 0.5
        out[state.turn] = 1 - out[last]

    return dict(moves=moves, play=play, rewards=rewards)


def nim(heaps: Sequence[int] = (3, 4, 5), misere: bool = False) -> Game:
    """Nim with these heaps. Bouton's theorem says who wins."""
    sizes = tuple(heaps)
    if not 1 <= len(sizes) <= MOST_HEAPS or not all(1 <= size <= MOST_STONES for size in sizes):
        raise UsageError(
            f"nim has 1 to {MOST_HEAPS} heaps of 1 to {MOST_STONES} stones, not {sizes}: "
            "write heaps=[3, 4, 5]"
        )
    stride, total = max(sizes) + 1, sum(sizes)
    state = record(heaps=f"uint8[{len(sizes)}]", stones="uint16", turn="uint8")
    return Game(
        "nim",
        state,
        seats=2,
        seat_names=("first", "second"),
        start=lambda: _start(state, sizes),
        seat=seat,
        over=over,
        move_ids=len(sizes) * stride,
        most_moves=total,
        longest=total,
        name=lambda move: f"{COLUMNS[move // stride]}{move % stride}",
        show=_show,
        arguments={"heaps": sizes, "misere": bool(misere)},
        **_kernels(len(sizes), stride, misere),
    )


def _start(shape: Record, sizes: tuple[int, ...]) -> State:
    state = shape.new()
    state.heaps[:] = sizes
    state.stones = sum(sizes)
    return state


def _show(state: State) -> str:
    return "\n".join(f"{COLUMNS[k]} {'| ' * int(n)}".rstrip() for k, n in enumerate(state.heaps))
