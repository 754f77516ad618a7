"""The commands of GTP 2."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from manyminds import __version__
from manyminds.apps.gtp import handicap
from manyminds.apps.gtp.answer import Refused
from manyminds.apps.gtp.clock import settings
from manyminds.apps.gtp.game_board import GameBoard
from manyminds.apps.gtp.session import COMMANDS, Session, command
from manyminds.core.budget import Budget
from manyminds.games.contract import State
from manyminds.games.go.coordinates import PASS, point_at, point_name, point_named, row_and_column
from manyminds.games.go.status import Outlook, outlook, points_without_dead
from manyminds.players.player import Decision

Words = tuple[str, ...]
_MOST_KOMI = 10_000.0


@command("protocol_version", "2")
def protocol_version(session: Session, words: Words) -> str:
    return "2"


@command("name", "of the program")
def name(session: Session, words: Words) -> str:
    return "manyminds"


@command("version", "of the program")
def version(session: Session, words: Words) -> str:
    return __version__


@command("known_command", "COMMAND: true or false")
def known_command(session: Session, words: Words) -> str:
    return "true" if words and words[0] in COMMANDS else "false"


@command("list_commands", "all of them")
def list_commands(session: Session, words: Words) -> str:
    return "\n".join(COMMANDS)


@command("quit", "ends the program")
def quit_session(session: Session, words: Words) -> str:
    session.open = False
    return ""


# --- the board --------------------------------------------------------------------------------------


@command("boardsize", "SIZE: an empty board of 5 to 19 lines")
def boardsize(session: Session, words: Words) -> str:
    side = whole(words, 0, "boardsize not an integer")
    return resize(session, side, int(words[1]) if len(words) > 1 and words[1].isdigit() else side)


@command("clear_board", "an empty board, no moves")
def clear_board(session: Session, words: Words) -> str:
    session.board.clear()
    session.thinker.forget()
    session.clock.reset()
    return ""


@command("komi", "POINTS: of White; the position stays")
def komi(session: Session, words: Words) -> str:
    points = number(words, 0, "komi not a float")
    if abs(points) > _MOST_KOMI:
        raise Refused("unacceptable komi")
    board = go_board(session)
    board.set_komi((0.0, points, *[0.0] * (board.game.seats - 2)))
    session.thinker.forget()
    return ""


@command("play", "COLOUR MOVE")
def play(session: Session, words: Words) -> str:
    if len(words) != 2:
        raise Refused("invalid color or coordinate")
    board = session.board
    seat = board.seat_named(words[0])
    _played(session, seat, board.move_named(words[1]))
    return ""


@command("undo", "takes the last move back")
def undo(session: Session, words: Words) -> str:
    session.board.undo()
    session.thinker.forget()
    return ""


@command("showboard", "the position")
def showboard(session: Session, words: Words) -> str:
    return f"\n{session.board.show()}"


def _played(session: Session, seat: int, move: int) -> None:
    joint = session.board.play(seat, move)
    session.after(lambda: session.thinker.saw(joint))


# --- handicap ---------------------------------------------------------------------------------------


@command("fixed_handicap", "STONES: on the usual points")
def fixed_handicap(session: Session, words: Words) -> str:
    return _handicap(session, handicap.fixed(*_sides(session), _stones(words)))


@command("place_free_handicap", "STONES: where we like them")
def place_free_handicap(session: Session, words: Words) -> str:
    return _handicap(session, handicap.free(*_sides(session), _stones(words)))


@command("set_free_handicap", "POINT POINT ...: where you like them")
def set_free_handicap(session: Session, words: Words) -> str:
    width, height = _sides(session)
    points = [point_named(word, width, height) for word in words]
    if len(set(points)) < max(2, len(points)) or PASS in points or len(points) >= width * height:
        raise Refused("bad vertex list")
    return _handicap(session, [row_and_column(point) for point in points]) and ""


def _sides(session: Session) -> tuple[int, int]:
    board = go_board(session)
    if board.played or board.state.color.tobytes() != board.game.start().color.tobytes():
        raise Refused("board not empty")
    return board.size


def _stones(words: Words) -> int:
    return whole(words, 0, "handicap not an integer")


def _handicap(session: Session, places: list[handicap.Place]) -> str:
    """Black's stones, then White to move; their names."""
    board = go_board(session)
    board.put(dict.fromkeys(places, 1), to_play=2)
    session.thinker.forget()
    return " ".join(point_name(point_at(*place), *board.size) for place in places)


# --- moves of ours ----------------------------------------------------------------------------------


@command("genmove", "COLOUR: thinks, plays, and says what")
def genmove(session: Session, words: Words) -> str:
    seat, state, decision = think(session, words)
    return answer_move(session, seat, state, decision)


@command("reg_genmove", "COLOUR: the same, not played, and always alike")
def reg_genmove(session: Session, words: Words) -> str:
    session.thinker.forget()
    _, state, decision = think(session, words)
    session.thinker.forget()
    return session.board.game.name(decision.move, state)


def think(session: Session, words: Words) -> tuple[int, State, Decision]:
    """The decision of the colour that was named, within what its clock leaves."""
    seat = session.board.seat_named(words[0]) if words else session.board.mover
    state = session.board.turned_to(seat)
    return seat, state, session.thinker.decide(seat, state, budget(session, seat))


def budget(session: Session, seat: int) -> Budget:
    """What a decision of this seat may spend from now on; its player is ready."""
    thinker = session.thinker
    thinker.wait()
    session.clock.start(session.came)
    thinker.player(seat)
    seconds = session.clock.seconds(seat, _moves_to_go(session), thinker.late)
    return thinker.budget_for(seconds)


def answer_move(session: Session, seat: int, state: State, decision: Decision) -> str:
    """Play the decision and give its name; "resign" where it expects too little."""
    value = decision.values.get(decision.move)
    if session.resign and value and value[seat] < session.resign:
        return "resign"
    name = session.board.game.name(decision.move, state)
    _played(session, seat, decision.move)
    session.clock.stop(seat)
    return name


def _moves_to_go(session: Session) -> int:
    """How many more moves a colour is expected to make."""
    if not session.board.is_go:
        return max(4, session.board.game.longest // (4 * session.board.game.seats))
    return max(8, int(session.board.state.empties) // (session.board.game.seats + 1))


# --- time -------------------------------------------------------------------------------------------


@command("time_settings", "MAIN OVERTIME STONES: in seconds")
def time_settings(session: Session, words: Words) -> str:
    main, overtime = (number(words, at, "syntax error") for at in (0, 1))
    session.clock = settings(main, overtime, whole(words, 2, "syntax error"))
    return ""


@command("kgs-time_settings", "none | absolute T | byoyomi MAIN T PERIODS | canadian MAIN T STONES")
def kgs_time_settings(session: Session, words: Words) -> str:
    kind, rest = (words[0] if words else ""), words[1:]
    if kind == "none":
        session.clock = settings(0.0, 1.0, 0)
    elif kind == "absolute":
        session.clock = settings(number(rest, 0, "syntax error"), 0.0, 0)
    elif kind in ("byoyomi", "canadian"):
        main, overtime = (number(rest, at, "syntax error") for at in (0, 1))
        stones = whole(rest, 2, "syntax error")
        # Of Japanese periods each is for one move, and the others are kept for accidents.
        session.clock = settings(main, overtime, min(stones, 1) if kind == "byoyomi" else stones)
    else:
        raise Refused("syntax error: none, absolute, byoyomi or canadian")
    return ""


@command("time_left", "COLOUR SECONDS STONES")
def time_left(session: Session, words: Words) -> str:
    seat = session.board.seat_named(words[0] if words else "")
    session.clock.tell(seat, number(words, 1, "syntax error"), whole(words, 2, "syntax error"))
    return ""


# --- the end ----------------------------------------------------------------------------------------


@command("final_score", "by area, without dead stones")
def final_score(session: Session, words: Words) -> str:
    points = final_points(session)
    if len(points) > 2:
        names = session.board.game.seat_names
        return " ".join(f"{name} {count:g}" for name, count in zip(names, points, strict=True))
    ahead = points[0] - points[1]
    return "0" if ahead == 0 else f"{'B' if ahead > 0 else 'W'}+{abs(ahead):g}"


def final_points(session: Session) -> list[float]:
    """What each colour counts."""
    board = session.board
    if not board.is_go:
        return [float(count) for count in board.game.points(board.state)]
    return points_without_dead(board.game, owners(session))


@command("final_status_list", "dead | alive | seki: the chains that are, one a line")
def final_status_list(session: Session, words: Words) -> str:
    kind = words[0] if words else ""
    if kind not in ("dead", "alive", "seki"):
        raise Refused("syntax error: dead, alive or seki")
    chains = [chain.places for chain in owners(session).chains() if chain.status == kind]
    return "\n".join(_names(session, places) for places in chains)


def owners(session: Session) -> Outlook:
    """Whose each point is, by playouts as the player has them."""
    board = go_board(session)
    session.thinker.wait()
    settings = session.thinker.settings(board.mover)
    return outlook(board.game, board.state, seed=session.seed, settings=settings)


def _names(session: Session, places: Iterable[tuple[int, int]]) -> str:
    return " ".join(point_name(point_at(*place), *session.board.size) for place in places)


# --- shared -----------------------------------------------------------------------------------------


def go_board(session: Session) -> GameBoard:
    """The board, where it is one of Go."""
    if not session.board.is_go:
        raise Refused(f"{session.board.name} has no such thing; Go has")
    return session.board


def resize(session: Session, width: int, height: int) -> str:
    """An empty board of this size."""
    go_board(session).resize(width, height)
    session.thinker.forget()
    session.clock.reset()
    return ""


def whole(words: Words, at: int, wrong: str) -> int:
    """The whole number at this place."""
    if at >= len(words) or not words[at].lstrip("-").isdigit() or len(words[at]) > 9:
        raise Refused(wrong)
    return int(words[at])


def number(words: Words, at: int, wrong: str) -> float:
    """The finite number at this place."""
    try:
        value = float(words[at][:40])
    except (IndexError, ValueError):
        raise Refused(wrong) from None
    if not math.isfinite(value):
        raise Refused(wrong)
    return value


def pairs(words: Words) -> Iterator[tuple[str, str]]:
    """Colours and moves that alternate."""
    if len(words) % 2:
        raise Refused("syntax error: COLOUR MOVE COLOUR MOVE ...")
    return zip(words[::2], words[1::2], strict=True)
