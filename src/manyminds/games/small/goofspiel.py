"""Goofspiel: all seats bid a card at once for a prize; the highest bid takes it, equal ones nobody.

Everybody has the cards 1 to n, and the prizes 1 to n come in an order that all know. Who has the most
points at the end wins; winners share the reward.
"""

from __future__ import annotations

from typing import Any

from manyminds.core.errors import UsageError, nearest
from manyminds.core.kernel import kernel
from manyminds.core.record import Record, record
from manyminds.games.contract import Game, State

MOST_CARDS, MOST_SEATS = 13, 8
ORDERS = ("descending", "ascending")


def _kernels(cards: int, seats: int, prizes: tuple[int, ...]) -> dict[str, Any]:
    """The game's functions; bidding card k is move k - 1."""

    @kernel
    def movers(state, out):
        if state.turn == cards:
            return 0
        for seat in range(seats):
            out[seat] = seat
        return seats

    @kernel
    def moves(state, seat, out):
        n = 0
        for card in range(cards):
            if int(state.hand[seat]) >> card & 1:
                out[n] = card
                n += 1
        return n

    @kernel
    def play(state, joint):
        highest, bidder = -1, -1
        for seat in range(seats):
            bid = joint[seat]
            state.hand[seat] ^= 1 << bid
            if bid > highest:
                highest, bidder = bid, seat
            elif bid == highest:
                bidder = -1  # nobody, unless a higher bid follows
        if bidder >= 0:
            state.points[bidder] += prizes[state.turn]
        state.turn += 1

    @kernel
    def over(state):
        return state.turn == cards

    @kernel
    def points(state, out):
        for seat in range(seats):
            out[seat] = state.points[seat]

    @kernel
    def rewards(state, out):
        most, winners = -1, 0
        for seat in range(seats):
            if state.points[seat] > most:
                most, winners = int(state.points[seat]), 1
            elif state.points[seat] == most:
                winners += 1
        for seat in range(seats):
            out[seat] = 1.0 / winners if state.points[seat] == most else 0.0

    return dict(movers=movers, moves=moves, play=play, over=over, points=points, rewards=rewards)


def goofspiel(cards: int = 4, seats: int = 2, order: str = "descending") -> Game:
    """Goofspiel with so many cards a hand, prizes offered from the highest or the lowest."""
    if not (1 <= cards <= MOST_CARDS and 2 <= seats <= MOST_SEATS):
        raise UsageError(
            f"goofspiel has 1 to {MOST_CARDS} cards and 2 to {MOST_SEATS} seats, "
            f"not {cards} and {seats}"
        )
    if order not in ORDERS:
        raise UsageError(f'prizes come in no order "{order}"; {nearest(order, ORDERS)}')
    prizes = tuple(range(1, cards + 1))[:: -1 if order == "descending" else 1]
    state = record(hand=f"uint16[{seats}]", points=f"uint16[{seats}]", turn="uint8")
    return Game(
        "goofspiel",
        state,
        seats=seats,
        start=lambda: _start(state, cards),
        move_ids=cards,
        most_moves=cards,
        longest=cards,
        name=lambda move: str(move + 1),
        show=lambda position: _show(position, prizes),
        arguments={"cards": cards, "seats": seats, "order": order},
        **_kernels(cards, seats, prizes),
    )


def _start(shape: Record, cards: int) -> State:
    state = shape.new()
    state.hand[:] = (1 << cards) - 1
    return state


def _show(state: State, prizes: tuple[int, ...]) -> str:
    """The prize that is bid for and those to come, then each seat's cards and points."""
    rest = prizes[int(state.turn) :]
    lines = [f"prize {rest[0]}, then {' '.join(map(str, rest[1:])) or 'none'}" if rest else "over"]
    for k, hand in enumerate(state.hand):
        held = [str(card + 1) for card in range(len(prizes)) if int(hand) >> card & 1]
        lines.append(f"seat{k}: {' '.join(held) or '-'}  ({state.points[k]} points)")
    return "\n".join(lines)
