"""A match under way as a picture for the terminal: the board, and beside it who thinks what."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from manyminds.apps.look import Look
from manyminds.apps.scene import Scene, Thought

LEAST_BESIDE = 34  # columns that thoughts need beside a board
MOST_PLAYER = 30  # characters of a player's text
_AROUND = 4  # lines above and below the board
_BETWEEN = 2  # columns between board and thoughts
_INDENT = "     "  # of thoughts


def picture(scene: Scene, look: Look, heading: str, width: int, height: int) -> RenderableType:
    """The heading, the board, and the seats beside it, or below it where the terminal is narrow."""
    board = look.draw(scene.state)
    board_width = max(cell_len(line.plain) for line in board.split("\n"))
    lines = board.plain.count("\n") + 1
    beside = board_width + LEAST_BESIDE <= width
    room = max(lines, height - _AROUND) if beside else height - lines - _AROUND
    space = width - board_width - _BETWEEN if beside else width
    seats = seats_text(scene, look, space if room >= 3 * scene.game.seats else 0)
    if not beside:
        return Group(Text(heading, "bold"), board, seats)
    grid = Table.grid(padding=(0, _BETWEEN, 0, 0))
    grid.add_column(min_width=board_width)
    grid.add_column(no_wrap=True, overflow="ellipsis")
    grid.add_row(board, seats)
    return Group(Text(heading, "bold"), grid)


def seats_text(scene: Scene, look: Look, space: int = 0) -> Text:
    """A line for each seat, with two more for its last thought, `space` columns wide, if that is not 0."""
    text = Text(no_wrap=True, overflow="ellipsis")
    names = max(map(len, scene.game.seat_names))
    players = min(MOST_PLAYER, max(map(len, scene.lineup)))
    points = scene.points() if scene.counted else None
    for seat, name in enumerate(scene.game.seat_names):
        text.append("▶ " if seat in scene.movers else "  ", "bold")
        text.append_text(look.mark(seat)).append(f"{name:<{names}}  ", "bold")
        text.append(f"{_short(scene.lineup[seat]):<{players}}")
        if points is not None:
            text.append(f"  {points[seat]:>5g} points", "bold")
        text.append(f"  {scene.seconds[seat]:.1f} s\n")
        if space:
            _add_thought(text, scene, look, seat, space - len(_INDENT))
    text.rstrip()
    return text


def _add_thought(text: Text, scene: Scene, look: Look, seat: int, space: int) -> None:
    thought = scene.thoughts[seat]
    if thought is None:
        text.append("\n\n")
        return
    said = "; ".join(filter(None, (thought.believed(), thought.remark)))
    text.append(f"{_INDENT}{thought.move}", "bold").append(f"  {said}\n", "dim")
    expected = Text(thought.expectations(scene.game.seat_names), "dim")
    if len(expected) > space and look.sign(seat):
        expected = _with_signs(thought, look)
    text.append(_INDENT).append_text(expected).append("\n")


def _with_signs(thought: Thought, look: Look) -> Text:
    """The expectations in less room."""
    text = Text()
    for seat, value in enumerate(thought.values):
        text.append_text(look.sign(seat)).append(f"{100 * value:.0f} ", "dim")
    return text.append(f"% {thought.to_come()}".rstrip(), "dim")


def _short(player: str) -> str:
    return player if len(player) <= MOST_PLAYER else player[: MOST_PLAYER - 1] + "…"
