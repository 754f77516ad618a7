"""The filter and the correction of Fuego's playouts, as slowly and obviously as they can be written."""

from __future__ import annotations

import copy

from .reference import Place
from .slow_heuristics import Seen, self_atari

NAKADE_SHAPES = {"2222", "1113", "12223", "11114", "112224"}


def takes(seen: Seen, place: Place) -> bool:
    return any(seen.liberties(near) == {place} for near in seen.enemies(place))


def for_colour(seen: Seen, colour: int) -> Seen:
    board = copy.copy(seen.board)
    board.to_play = colour
    return Seen(board, seen.last, seen.last2)


def would_be_nakade(seen: Seen, place: Place) -> bool:
    stones = {place}.union(*(seen.string(near) for near in seen.of(seen.me, place)))
    degrees = sorted(len(stones & set(seen.board.beside(stone))) for stone in stones)
    return len(stones) <= 3 or "".join(map(str, degrees)) in NAKADE_SHAPES


def mutual_atari(seen: Seen, place: Place) -> bool:
    if not self_atari(seen, place) or would_be_nakade(seen, place):
        return False
    enemies = {seen.colour(near) for near in seen.enemies(place)}
    return any(self_atari(for_colour(seen, enemy), place) for enemy in enemies)


def accepts(seen: Seen, place: Place, later: bool) -> bool:
    if not seen.board.legal(place):
        return False
    beside = seen.board.beside(place)
    if len({seen.colour(near) for near in beside}) == 1 and not seen.free(place):
        if all(len(seen.liberties(near)) > 1 for near in beside):
            return False
    return not (later and mutual_atari(seen, place))


def corrected(seen: Seen, place: Place, later: bool) -> Place:
    free = seen.free(place)
    own = seen.of(seen.me, place)
    if len(free) >= 2:
        return place
    if own:
        if not self_atari(seen, place):
            return place
        left = set(free).union(*(seen.liberties(near) for near in own)) - {place}
        for other in left:
            if seen.board.legal(other) and not self_atari(seen, other):
                return other
        return place
    if not free or not seen.board.legal(free[0]):
        return place
    roomy = len(seen.free(free[0])) >= 2
    if later:
        better = not takes(seen, place) and (roomy or takes(seen, free[0]))
    else:
        better = not (roomy and takes(seen, place))
    return free[0] if better else place
