"""A table's game as people keep it."""

from __future__ import annotations

from manyminds.apps.web.table import OVER, Table
from manyminds.games.go.coordinates import row_and_column
from manyminds.games.go.sgf_record import SgfRecord


def record_of(table: Table) -> SgfRecord:
    """The game so far; points and result once it is over, what programs said beside their moves."""
    setup = table.setup
    over = table.phase == OVER
    points = tuple(table.course.count(table.dead)[1]) if over else ()
    record = SgfRecord(
        setup.width,
        setup.height,
        len(setup.seats),
        moves=[(played.seat + 1, played.point) for played in table.course.moves],
        stones={row_and_column(point): colour for point, colour in setup.stones},
        to_play=setup.to_play,
        komi=setup.komi,
        names=tuple(one.name or one.shown or "somebody" for one in table.seats),
        points=points,
        rules="Chinese",
        event=setup.title,
        remarks={
            number: thought.remark
            for number, thought in table.thoughts.items()
            if thought.remark and number < table.number
        },
    )
    if over and table.ended == "left":
        record.points, record.result = (), _by_leaving(table)
    return record


def _by_leaving(table: Table) -> str:
    """What SGF says of two colours, where one has left."""
    winner = table.playing()[:1]
    if len(table.seats) > 2 or not winner:
        return ""
    other = table.seats[1 - winner[0]].left
    how = {"resigned": "Resign", "out of time": "Time"}.get(other, "Forfeit")
    return f"{'BW'[winner[0]]}+{how}"
