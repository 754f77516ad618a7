"""What a player thinks of a position, while it thinks: the lines of lz-analyze and kata-analyze."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from manyminds.apps.gtp.answer import Refused
from manyminds.apps.gtp.thinker import Thinker
from manyminds.core.budget import Budget
from manyminds.games.contract import State
from manyminds.games.go.coordinates import point_at
from manyminds.games.go.status import Outlook, outlook
from manyminds.players.player import Decision

_SLICE = 0.05  # s of thinking between two looks at what has been said
_PARTS = 20  # of a budget that is not time
_MOST_MOVES = 50
_OWNERS = 100  # playouts of a look at ownership
_MOST_SECONDS = 3600.0


@dataclass(frozen=True)
class Request:
    """What was asked for. interval: seconds between lines; moves: how many candidates at most."""

    seat: int
    interval: float = 1.0
    moves: int = _MOST_MOVES
    ownership: bool = False
    kata: bool = False


@dataclass(frozen=True)
class Candidate:
    """A move with how often it was tried, its value for the mover, and what is expected after it."""

    move: int
    visits: int
    value: float
    line: tuple[int, ...]


def read_request(
    words: tuple[str, ...], seat: Callable[[str], int], mover: int, kata: bool
) -> Request:
    """[COLOUR] [CENTISECONDS] [KEY VALUE ...]; keys that we do not know are passed over."""
    rest = list(words)
    if rest and not rest[0].isdigit() and rest[0] not in _KEYS:
        mover = seat(rest.pop(0))
    given: dict[str, Any] = {}
    if rest and rest[0].isdigit():
        given["interval"] = _seconds(rest.pop(0))
    for key, value in zip(rest[::2], rest[1::2], strict=False):
        if key == "interval":
            given["interval"] = _seconds(value)
        elif key == "maxmoves" and value.isdigit():
            given["moves"] = max(1, min(_MOST_MOVES, int(value[:9])))
        elif key == "ownership":
            given["ownership"] = value == "true"
    return Request(mover, kata=kata, **given)


_KEYS = ("interval", "maxmoves", "minmoves", "ownership", "avoid", "allow", "pvVisits", "rootInfo")


def _seconds(text: str) -> float:
    if not text.isdigit() or len(text) > 9:
        raise Refused(f'"{text[:20]}" is no interval: a whole number of centiseconds')
    return max(0.01, int(text) / 100)


def thoughts(thinker: Thinker, request: Request, state: State) -> Iterator[str]:
    """A line each interval, without end; empty ones in between."""
    begun = last = time.monotonic()
    while time.monotonic() - begun < _MOST_SECONDS:
        decision = thinker.decide(
            request.seat, state, Budget(milliseconds=1000 * min(_SLICE, request.interval))
        )
        line = ""
        if time.monotonic() - last >= request.interval:
            last = time.monotonic()
            line = info(thinker, request, state, decision)
        yield line


def decision_in_parts(
    thinker: Thinker,
    request: Request,
    state: State,
    budget: Budget,
    play: Callable[[Decision], str],
) -> Iterator[str]:
    """A line each interval while a move is thought about; then the move, played."""
    until = time.monotonic() + (budget.milliseconds or 0) / 1000
    spent, last = 0, time.monotonic()
    while True:
        part = _part(budget, until - time.monotonic(), spent)
        decision = thinker.decide(request.seat, state, part)
        # Who keeps no tree between two calls would only begin again: one call has it all.
        if thinker.search(request.seat) is None and part != budget:
            decision = thinker.decide(request.seat, state, budget)
            break
        spent += part.simulations or part.nodes or 0
        if _is_spent(budget, until, spent):
            break
        if time.monotonic() - last >= request.interval:
            last = time.monotonic()
            yield info(thinker, request, state, decision)
    yield info(thinker, request, state, decision)
    yield f"play {play(decision)}"


def _part(budget: Budget, seconds: float, spent: int) -> Budget:
    if budget.milliseconds is not None:
        return Budget(milliseconds=1000 * max(0.000001, min(_SLICE, seconds)))
    whole = budget.simulations or budget.nodes or 1
    part = max(1, min(whole // _PARTS, whole - spent))
    return Budget(simulations=part) if budget.simulations else Budget(nodes=part)


def _is_spent(budget: Budget, until: float, spent: int) -> bool:
    if budget.milliseconds is not None:
        return time.monotonic() >= until
    return spent >= (budget.simulations or budget.nodes or 0)


def info(thinker: Thinker, request: Request, state: State, decision: Decision) -> str:
    """One line about all candidates, the best first."""
    found = candidates(thinker, request.seat, decision)[: request.moves]
    name = thinker.board.game.name
    prior = 1.0 / max(1, len(found))
    parts = []
    for order, each in enumerate(found):
        low = each.value - 1.96 * math.sqrt(each.value * (1 - each.value) / max(1, each.visits))
        line = " ".join(name(move) for move in each.line)
        if request.kata:
            numbers = f"utility {2 * each.value - 1:.4f} winrate {each.value:.4f}"
            bounds = f"prior {prior:.4f} lcb {max(0.0, low):.4f}"
        else:
            numbers = f"winrate {round(10000 * each.value)}"
            bounds = f"prior {round(10000 * prior)} lcb {round(10000 * max(0.0, low))}"
        parts.append(
            f"info move {name(each.move)} visits {each.visits} {numbers} {bounds} order {order} pv {line}"
        )
    text = " ".join(parts)
    return f"{text} {_owners(thinker, request, state)}" if request.ownership else text


def candidates(thinker: Thinker, seat: int, decision: Decision) -> list[Candidate]:
    """From the player's tree where it shows one; else what its decision says."""
    search = thinker.search(seat)
    if search is None:
        return _from_decision(seat, decision)
    found = []
    for row in search.root():
        if row.visits:
            line = tuple(search.line(first=row.move)) or (row.move,)
            found.append(Candidate(row.move, row.visits, _share(row.values[seat]), line))
    return found or _from_decision(seat, decision)


def _from_decision(seat: int, decision: Decision) -> list[Candidate]:
    values = {decision.move: decision.values.get(decision.move, ())} | decision.values
    each = max(1, decision.simulations // max(1, len(values)))
    return [
        Candidate(
            move,
            each,
            _share(value[seat]) if value else 0.5,
            tuple(decision.line) if move == decision.move and decision.line else (move,),
        )
        for move, value in values.items()
    ]


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def _owners(thinker: Thinker, request: Request, state: State) -> str:
    """ "ownership" and a number a point from the top left, 1 the mover's and -1 another's."""
    found = outlook(thinker.board.game, state, _OWNERS, settings=thinker.settings(request.seat))
    numbers = (f"{value:.2f}" for row in owner_rows(found, request.seat + 1) for value in row)
    return "ownership " + " ".join(numbers)


def owner_rows(found: Outlook, colour: int) -> list[list[float]]:
    """Rows from the top: the colour's share of playouts minus all others'."""
    position = found.position
    return [
        [_lead(found, point_at(row, column), colour) for column in range(position.width)]
        for row in range(position.height - 1, -1, -1)
    ]


def _lead(found: Outlook, point: int, colour: int) -> float:
    own, all_shares = float(found.shares[colour - 1, point]), float(found.shares[:, point].sum())
    return 2.0 * own - all_shares
