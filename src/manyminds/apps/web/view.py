"""What pages see of a table, in sections; a page is told the sections that have changed.

Points are names ("E5"), colours numbers from 1, lists go by seat. Pages know no rules: every move says
what it took, so that they can show the position at any move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from manyminds.apps.web.course import Played
from manyminds.apps.web.event import Thought
from manyminds.apps.web.table import COUNTING, OVER, Table
from manyminds.games.go.colours import COLOURS
from manyminds.games.go.coordinates import PASS

Section = dict[str, Any] | None


def about(table: Table) -> Section:
    """What never changes."""
    setup, name = table.setup, table.course.name
    return {
        "id": table.id,
        "title": setup.title,
        "width": setup.width,
        "height": setup.height,
        "colours": [{"name": one.name, "mark": one.mark} for one in COLOURS[: len(table.seats)]],
        "komi": setup.komi,
        "superko": setup.superko,
        "clock": None
        if setup.clock is None
        else [setup.clock.main, setup.clock.increment, setup.clock.overtime],
        "hints": setup.hints,
        "thoughts": setup.thoughts,
        "stones": [[name(point), colour] for point, colour in setup.stones],
        "first": setup.to_play - 1,
    }


def move(table: Table, played: Played) -> list[Any]:
    """[seat, name, what it took]; a pass of a seat that has left has no name."""
    name = table.course.name
    taken = [[name(point), colour] for point, colour in played.taken]
    return [played.seat, name(played.point) if played.own else "", taken]


def turn(table: Table) -> Section:
    """Whose turn it is, and where it may not play."""
    course, playing = table.course, table.mover is not None
    return {
        "phase": table.phase,
        "seat": table.mover,
        "number": table.number,
        "forbidden": [course.name(point) for point in course.forbidden()] if playing else [],
        "ko": course.name(course.ko) if playing and course.ko != PASS else "",
    }


def seats(table: Table, online: Sequence[bool]) -> Section:
    """Who sits where, who is there, what each has taken."""
    return {
        "seats": [
            {
                "name": one.name,
                "player": one.shown,
                "left": one.left,
                "captures": table.course.captures[seat],
                "online": online[seat],
            }
            for seat, one in enumerate(table.seats)
        ]
    }


def clock(table: Table, now: float) -> Section:
    """Seconds left when the running clock was started, and how long ago that was."""
    if table.clock is None:
        return None
    runs = table.clock.running if table.phase != OVER else None
    return {
        "left": [round(left, 2) for left in table.clock.left],
        "running": runs,
        "ago": round(now - table.clock.since, 2) if runs is not None else 0.0,
    }


def question(table: Table) -> Section:
    """What a seat asks of the others."""
    asked = table.question
    if asked is None:
        return None
    return {"by": asked.by, "number": asked.number, "agreed": sorted(asked.agreed)}


def count(table: Table) -> Section:
    """Dead stones, who agrees, whose each point is, and the points; once all have passed."""
    if table.phase not in (COUNTING, OVER):
        return None
    whose, points = table.course.count(table.dead)
    return {
        "dead": [table.course.name(point) for point in sorted(table.dead)],
        "agreed": sorted(table.agreed),
        "whose": "".join(map(str, whose)),
        "points": points,
    }


def result(table: Table) -> Section:
    """How the game ended: winners are those with most points among the seats that have not left."""
    if table.phase != OVER:
        return None
    _, points = table.course.count(table.dead)
    stayed = table.playing() or list(range(len(table.seats)))
    best = max(points[seat] for seat in stayed)
    winners = [seat for seat in stayed if points[seat] == best]
    return {"why": table.ended, "winners": winners, "points": points}


def thought(one: Thought) -> dict[str, Any]:
    """As pages get it; the values that are not asked for are left out."""
    return {
        "number": one.number,
        "seat": one.seat,
        "move": one.move,
        "player": one.player,
        "candidates": [[name, [round(v, 4) for v in values]] for name, values in one.candidates],
        "line": one.line,
        "beliefs": {name: round(share, 4) for name, share in one.beliefs.items()},
        "remark": one.remark,
        "simulations": one.simulations,
        "seconds": round(one.seconds, 3),
        "owners": one.owners,
        "shares": one.shares,
        "points": [round(points, 2) for points in one.points],
    }


def sees_thoughts(table: Table, seat: int | None) -> bool:
    """Whether who sits here, or watches, is told what programs think now."""
    if table.setup.thoughts == "all" or table.phase == OVER:
        return True
    return table.setup.thoughts == "watchers" and seat is None
