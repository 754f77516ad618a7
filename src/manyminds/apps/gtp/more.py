"""Commands beyond the standard: files, analysis, GoGui, parameters, more colours, other games."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from manyminds.apps.gtp.analysis import decision_in_parts, owner_rows, read_request, thoughts
from manyminds.apps.gtp.answer import Refused, Stream
from manyminds.apps.gtp.game_board import GameBoard
from manyminds.apps.gtp.session import Session, command
from manyminds.apps.gtp.standard import (
    Words,
    answer_move,
    budget,
    final_points,
    go_board,
    number,
    owners,
    pairs,
    play,
    resize,
    whole,
)
from manyminds.core.errors import UsageError
from manyminds.games.go.colours import COLOURS, FEWEST
from manyminds.games.go.coordinates import point_at, point_name
from manyminds.games.go.sgf import SgfRecord, load, save
from manyminds.games.go.stones import string_of
from manyminds.players.spec import PlayerSpec

# --- files ------------------------------------------------------------------------------------------


@command("loadsgf", "FILE [MOVE]: the position before that move, or the last one")
def loadsgf(session: Session, words: Words) -> str:
    if not words:
        raise Refused("syntax error: loadsgf FILE [MOVE]")
    last = words[-1] if len(words) > 1 and words[-1].isdigit() else ""
    name = " ".join(words[:-1] if last else words)
    try:
        record = load(name)
    except UsageError as error:
        raise Refused(f"cannot load file: {error}") from None
    moves = record.moves[: max(0, int(last[:9]) - 1)] if last else record.moves
    board = _board_of(record)
    for colour, point in moves:
        board.play(colour - 1, point)
    session.replace(board=board)
    return ""


def _board_of(record: SgfRecord) -> GameBoard:
    """An empty game as the record has it, its stones set up."""
    board = GameBoard()
    if record.colours != FEWEST:
        board.set_colours(record.colours)
    board.resize(record.width, record.height)
    if record.komi:
        board.set_komi(tuple(record.komi))
    if record.stones or record.to_play != 1:
        board.put(record.stones, record.to_play)
    return board


@command("printsgf", "[FILE]: the game so far")
def printsgf(session: Session, words: Words) -> str:
    from manyminds.games.go.diagram import Position
    from manyminds.games.go.sgf import write

    board = go_board(session)
    start = Position.of(board.states[0])
    record = SgfRecord(
        *board.size,
        colours=board.game.seats,
        moves=[(seat + 1, move) for seat, move in board.played],
        stones=start.stones,
        to_play=start.to_play,
        komi=tuple(float(k) for k in board.state.komi[1 : board.game.seats + 1]),
    )
    if not words:
        return write(record)
    try:
        save(record, Path(" ".join(words)))
    except OSError as error:
        raise Refused(f"cannot write file: {error.strerror}") from None
    return ""


# --- analysis ---------------------------------------------------------------------------------------


def _analyse(kata: bool) -> Callable[[Session, Words], Stream]:
    def run(session: Session, words: Words) -> Stream:
        board = session.board
        request = read_request(words, board.seat_named, board.mover, kata)
        state = board.turned_to(request.seat)
        return Stream(thoughts(session.thinker, request, state))

    return run


def _genmove_analyse(kata: bool) -> Callable[[Session, Words], Stream]:
    def run(session: Session, words: Words) -> Stream:
        board = session.board
        request = read_request(words, board.seat_named, board.mover, kata)
        state = board.turned_to(request.seat)
        lines = decision_in_parts(
            session.thinker,
            request,
            state,
            budget(session, request.seat),
            lambda decision: answer_move(session, request.seat, state, decision),
        )
        return Stream(lines, until_told=False)

    return run


for _prefix, _kata in (("lz", False), ("kata", True)):
    command(
        f"{_prefix}-analyze", "[COLOUR] [CENTISECONDS]: what it thinks, until the next command"
    )(_analyse(_kata))
    command(f"{_prefix}-genmove_analyze", "[COLOUR] [CENTISECONDS]: the same, then a move")(
        _genmove_analyse(_kata)
    )


# --- questions --------------------------------------------------------------------------------------


@command("get_komi", "White's")
def get_komi(session: Session, words: Words) -> str:
    return f"{float(go_board(session).state.komi[2]):g}"


@command("query_boardsize", "lines of the board")
def query_boardsize(session: Session, words: Words) -> str:
    width, height = go_board(session).size
    return f"{width}" if width == height else f"{width} {height}"


@command("is_legal", "COLOUR MOVE: 1 or 0")
def is_legal(session: Session, words: Words) -> str:
    if len(words) != 2:
        raise Refused("invalid color or coordinate")
    board = session.board
    seat, move = board.seat_named(words[0]), board.move_named(words[1])
    return str(int((board.game.moves(board.turned_to(seat)) == move).any()))


@command("all_legal", "COLOUR: every move it has")
def all_legal(session: Session, words: Words) -> str:
    board = session.board
    seat = board.seat_named(words[0]) if words else board.mover
    state = board.turned_to(seat)
    return " ".join(board.game.name(int(move), state) for move in board.game.moves(state))


@command("countlib", "POINT: liberties of the chain there")
def countlib(session: Session, words: Words) -> str:
    from manyminds.games.go.coordinates import row_and_column
    from manyminds.games.go.diagram import Position

    board = go_board(session)
    place = row_and_column(board.move_named(words[0] if words else ""))
    position = Position.of(board.state)
    if place not in position.stones:
        raise Refused("no stone there")
    return str(string_of(position.stones, place, *board.size)[1])


@command("list_stones", "COLOUR: its points")
def list_stones(session: Session, words: Words) -> str:
    from manyminds.games.go.diagram import Position

    board = go_board(session)
    colour = board.seat_named(words[0] if words else "") + 1
    stones = sorted(Position.of(board.state).stones.items())
    return " ".join(point_name(point_at(*p), *board.size) for p, c in stones if c == colour)


@command("move_history", "every move, the last one first")
def move_history(session: Session, words: Words) -> str:
    board = session.board
    names = board.game.seat_names
    return "\n".join(
        f"{names[seat]} {board.game.name(move, state)}"
        for (seat, move), state in zip(board.played[::-1], board.states[-2::-1], strict=True)
    )


@command("cputime", "seconds of this process")
def cputime(session: Session, words: Words) -> str:
    return f"{time.process_time():.3f}"


# --- GoGui ------------------------------------------------------------------------------------------

_ANALYSE = (
    ("param", "Parameters", "manyminds-param"),
    ("dboard", "Ownership", "manyminds-ownership"),
    ("plist", "Legal moves", "all_legal %c"),
    ("plist", "Dead stones", "final_status_list dead"),
    ("plist", "Stones in seki", "final_status_list seki"),
    ("string", "Score", "final_score"),
    ("string", "What the player says", "manyminds-remark %c"),
)


@command("gogui-analyze_commands", "what GoGui offers in its window of analysis")
def gogui_analyze_commands(session: Session, words: Words) -> str:
    return "\n".join("/".join(each) for each in _ANALYSE)


@command("gogui-play_sequence", "COLOUR MOVE COLOUR MOVE ...")
def gogui_play_sequence(session: Session, words: Words) -> str:
    for pair in list(pairs(words)):
        play(session, pair)
    return ""


@command("rectangular_boardsize", "WIDTH HEIGHT")
def rectangular_boardsize(session: Session, words: Words) -> str:
    return resize(session, *(whole(words, at, "boardsize not an integer") for at in (0, 1)))


@command(
    "manyminds-ownership",
    "[COLOUR]: 1 where a point ends its own, -1 where another's; rows from the top",
)
def manyminds_ownership(session: Session, words: Words) -> str:
    seat = session.board.seat_named(words[0]) if words else 0
    rows = owner_rows(owners(session), seat + 1)
    return "\n" + "\n".join(" ".join(f"{value:.2f}" for value in row) for row in rows)


@command("manyminds-remark", "[COLOUR]: what the player thinks of the position, in words")
def manyminds_remark(session: Session, words: Words) -> str:
    from manyminds.apps.gtp.standard import think

    return think(session, words)[2].remark


@dataclass(frozen=True)
class _Parameter:
    """What can be set: its GoGui type, how it reads, and how it is set."""

    kind: str
    get: Callable[[Session], str]
    set: Callable[[Session, str], None]


def _set_player(session: Session, text: str) -> None:
    session.replace(spec=PlayerSpec.parse(text))


def _set_budget(session: Session, text: str) -> None:
    from manyminds.core.budget import Budget

    spec = session.thinker.spec
    budget = Budget.parse(text)
    session.replace(spec=PlayerSpec(spec.name, spec.positional, spec.named, budget))


def _set_ponder(session: Session, text: str) -> None:
    if text not in ("0", "1"):
        raise Refused("ponder is 0 or 1")
    session.ponder = text == "1"


def _set_resign(session: Session, text: str) -> None:
    share = number((text,), 0, "resign is a share from 0 to 1")
    if not 0 <= share <= 1:
        raise Refused("resign is a share from 0 to 1")
    session.resign = share


def _set_seed(session: Session, text: str) -> None:
    session.seed = abs(whole((text,), 0, "seed is a whole number"))
    session.replace()


PARAMETERS = {
    "player": _Parameter("string", lambda s: str(s.thinker.spec), _set_player),
    "budget": _Parameter("string", lambda s: str(s.thinker.budget), _set_budget),
    "ponder": _Parameter("bool", lambda s: str(int(s.ponder)), _set_ponder),
    "resign": _Parameter("string", lambda s: f"{s.resign:g}", _set_resign),
    "seed": _Parameter("string", lambda s: str(s.seed), _set_seed),
}


@command("manyminds-param", "[NAME VALUE]: what can be set, or sets it")
def manyminds_param(session: Session, words: Words) -> str:
    if not words:
        return "\n".join(f"[{p.kind}] {name} {p.get(session)}" for name, p in PARAMETERS.items())
    if words[0] not in PARAMETERS or len(words) < 2:
        raise Refused(f"manyminds-param NAME VALUE; names: {', '.join(PARAMETERS)}")
    PARAMETERS[words[0]].set(session, " ".join(words[1:]))
    return ""


# --- more than two colours, and other games -----------------------------------------------------------


@command("manyminds-colours", "black white red ...: who plays, in this order; an empty board")
def manyminds_colours(session: Session, words: Words) -> str:
    known = [colour.name for colour in COLOURS]
    if len(words) < FEWEST or list(words) != known[: len(words)]:
        raise Refused(f"the colours are the first two or more of {' '.join(known)}")
    board = GameBoard()
    size = session.board.size if session.board.is_go else (9, 9)
    board.set_colours(len(words))
    board.resize(*size)
    session.replace(board=board)
    return ""


@command("manyminds-komi", "POINTS POINTS ...: one a colour; the position stays")
def manyminds_komi(session: Session, words: Words) -> str:
    board = go_board(session)
    if len(words) != board.game.seats:
        raise Refused(f"komi is one number for each of the {board.game.seats} colours")
    board.set_komi(tuple(number(words, at, "komi not a float") for at in range(len(words))))
    session.thinker.forget()
    return ""


@command("manyminds-points", "what each colour counts, dead stones off")
def manyminds_points(session: Session, words: Words) -> str:
    names = session.board.game.seat_names
    return "\n".join(
        f"{name} {count:g}" for name, count in zip(names, final_points(session), strict=True)
    )


@command(
    "manyminds-game", "NAME: another game instead of Go, played by the names of its seats and moves"
)
def manyminds_game(session: Session, words: Words) -> str:
    if len(words) != 1:
        raise Refused("syntax error: manyminds-game NAME")
    board = GameBoard(words[0])
    if board.game.simultaneous or board.game.has_chance:
        raise Refused(f"{words[0]} cannot be told move by move: seats move at once, or dice fall")
    session.replace(board=board)
    return ""
