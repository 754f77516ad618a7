"""A match as a file that people keep: SGF for Go, plain text for other games."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from manyminds.games.contract import NONE

if TYPE_CHECKING:
    from manyminds.arena.match import Match


def record_of(match: Match) -> str:
    """The record in the form that the match's game has, plain text where it has none of its own."""
    return _WRITERS.get(match.game, _plain_text)(match)


def _plain_text(match: Match) -> str:
    """What was played, one joint move a line, and how it ended."""
    lines = [f"game: {match.game}"]
    lines += [f"{name}: {value}" for name, value in {**match.arguments, **match.settings}.items()]
    lines += [f"{seat}: {who}" for seat, who in zip(match.seats, match.lineup, strict=True)]
    lines += [f"seed: {match.seed}", ""]
    said = _said(match)
    for turn, name in enumerate(match.names):
        lines.append(f"{turn + 1}. {name}" + (f"    {said[turn]}" if turn in said else ""))
    points = ", ".join(f"{seat} {points:g}" for seat, points in match.points.items())
    lines += ["", f"end: {match.ending}", f"points: {points}"]
    lines += [f"{match.seats[seat]} forfeits: {reason}" for seat, reason in match.forfeits]
    return "\n".join(lines) + "\n"


def _said(match: Match) -> dict[int, str]:
    """Remarks and beliefs by turn, each behind its seat's name."""
    parts: dict[int, list[str]] = {}
    for turn, seat, text in match.remarks:
        parts.setdefault(turn, []).append(f"{match.seats[seat]}: {' '.join(text.split())}")
    for turn, seat, shares in match.beliefs:
        listed = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
        parts.setdefault(turn, []).append(f"{match.seats[seat]} believes: {listed}")
    return {turn: "; ".join(words) for turn, words in parts.items()}


def _sgf(match: Match) -> str:
    from manyminds.games.go import sgf

    width, height, komi = _board(msgspec.json.encode(match.arguments))
    return sgf.write(
        sgf.SgfRecord(
            width=width,
            height=height,
            colours=len(match.seats),
            moves=[_stone(joint) for joint in match.joint_moves],
            komi=komi,
            names=match.lineup,
            points=() if match.forfeits else tuple(match.points.values()),
            result=_sgf_result(match),
            comment=f"seed {match.seed}; ended: {match.ending}"
            + "".join(f"; {match.seats[seat]}: {reason}" for seat, reason in match.forfeits),
            remarks={turn: text for turn, text in _said(match).items() if turn < len(match.names)},
        )
    )


def _stone(joint: tuple[int, ...]) -> tuple[int, int]:
    """The colour that moved, from 1, and its point."""
    return next((seat + 1, move) for seat, move in enumerate(joint) if move != NONE)


def _sgf_result(match: Match) -> str:
    """SGF has words for forfeits of two colours only; the comment says it for more."""
    if not match.forfeits or len(match.seats) > 2:
        return ""
    if len(match.forfeits) > 1:
        return "Void"
    seat, reason = match.forfeits[0]
    return f"{'BW'[1 - seat]}+{'Resign' if reason == 'resigned' else 'Forfeit'}"


@functools.lru_cache(maxsize=16)
def _board(arguments: bytes) -> tuple[int, int, tuple[float, ...]]:
    """Width, height and komi of the game of Go that these arguments make."""
    from manyminds.games.go import go

    board: Any = go(**msgspec.json.decode(arguments)).start()
    komi = tuple(float(value) for value in board.komi[1 : int(board.colours) + 1])
    return int(board.width), int(board.height), komi


_WRITERS: dict[str, Callable[[Match], str]] = {"go": _sgf}
