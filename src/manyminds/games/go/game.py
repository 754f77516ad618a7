"""Go for two to six colours as a game of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from manyminds.core.errors import UsageError, nearest
from manyminds.core.record import record
from manyminds.games.contract import Game, State
from manyminds.games.go import board as boards
from manyminds.games.go import playout, rules, scoring
from manyminds.games.go.colours import COLOURS, colour_named
from manyminds.games.go.coordinates import point_name, point_named
from manyminds.games.go.views import begin_views

SETTINGS = record(
    playout="uint8",
    reward="uint8",
    passes="uint8",
    scoring="uint8",
    spare="uint8",
    allies="uint8[8]",  # by colour: its coalition with itself, bit c for colour c, and bit 7; 0: alone
    margin="float64",
)

CHOICES: dict[str, tuple[str, ...]] = {
    "playout": ("surrounded", "eye", "pattern"),
    "reward": ("points", "win"),
    "passes": ("at the end", "any time"),
    "scoring": ("normal", "allies", "joint"),
    "spare": ("in playouts", "everywhere"),
}


def go(
    size: int | Sequence[int] = 9,
    colours: int = 2,
    komi: float | Sequence[float] | None = None,
    superko: bool = False,
    limit: int | None = None,
) -> Game:
    """Go on a board of 5x5 to 19x19 points, square (`size=9`) or not (`size=(9, 7)`: width, height).

    komi: one number, for White, or one a colour; by default 6.5 for White of two colours and 0 for more.
    superko: no position may come again. limit: the game's last move (6 times the points, at most 2048).

        >>> import manyminds as mm
        >>> go = mm.go(size=9, colours=3)
        >>> state = go.start()
        >>> go.play(state, go.move_named("E5"))
        >>> go.seat_names[go.seat(state)], len(go.moves(state))
        ('white', 81)
    """
    width, height = (size, size) if isinstance(size, int) else (int(size[0]), int(size[1]))
    if not (5 <= width <= 19 and 5 <= height <= 19):
        raise UsageError(f"Go is played here on 5x5 to 19x19 points, not {width}x{height}")
    if not 2 <= colours <= boards.MOST_COLOURS:
        raise UsageError(f"Go is played here by 2 to {boards.MOST_COLOURS} colours, not {colours}")
    template = boards.empty_board(width, height, colours)
    begin_views(template)
    template.komi[1 : colours + 1] = _komi(komi, colours)
    template.superko = int(superko)
    if limit is not None:
        if not 1 <= limit <= boards.MOST_MOVES:
            raise UsageError(f"a game of Go ends at 1 to {boards.MOST_MOVES} moves, not {limit}")
        template.limit = limit
    template.seen[0] = 0
    return _declare(
        template, dict(size=size, colours=colours, komi=komi, superko=superko, limit=limit)
    )


def _declare(template: State, arguments: dict[str, Any]) -> Game:
    width, height, colours = int(template.width), int(template.height), int(template.colours)
    game = Game(
        "go",
        boards.BOARD,
        seats=colours,
        seat_names=[colour.name for colour in COLOURS[:colours]],
        start=lambda: boards.BOARD.unpack(template.tobytes()),
        move_ids=(height + 1) * boards.STRIDE,
        most_moves=width * height + 1,
        longest=int(template.limit),
        trace_room=(boards.MOST_MOVES, 19 * 19 + 1),  # boards of all sizes share one compilation
        # Surrounded never fills a ko, so that about one two-colour playout in eight goes round in circles.
        longest_playout=(colours + 1) * width * height,
        settings=SETTINGS,
        set_up=lambda **choices: settings_of(colours, **choices),
        name=lambda move: point_name(move, width, height),
        show=_show,
        arguments=arguments,
        seat=rules.seat,
        moves=rules.moves,
        tree_moves=rules.tree_moves,
        play=rules.play,
        over=rules.over,
        points=scoring.points,
        rewards=scoring.rewards,
        copy=boards.copy_board,
        step=playout.step,
        playout=playout.playout,
    )
    game.move_named = lambda text, state=None: point_named(text, width, height)  # type: ignore[method-assign]
    return game


def _komi(komi: float | Sequence[float] | None, colours: int) -> list[float]:
    """One number a colour."""
    if komi is None:
        komi = 6.5 if colours == 2 else 0.0
    if isinstance(komi, int | float):
        return [0.0, float(komi)] + [0.0] * (colours - 2)
    if len(komi) != colours:
        raise UsageError(f"komi is one number (for White) or one for each of the {colours} colours")
    return [float(value) for value in komi]


def settings_of(colours: int, **choices: Any) -> Any:
    """The settings of Go's simulations, by name or number.

    playout: "surrounded", "eye" (default for two colours: Cazenave finds it better there, and it never
    plays in circles) or "pattern" (MoGo's policy, on top of Surrounded).
    reward: "win" (default for two colours) or "points" (for more).
    passes: in the tree "any time" (two colours), or "at the end" when nothing else is left (more).
    margin: the share of a win's reward that is given by points, 0 to 1.
    coalitions: who stands together in simulations, "white+red" or [["white", "red"]]; their playouts
    spare common eyes, and so do their tree moves by spare="everywhere" (default "in playouts").
    scoring: how playouts count for them, "normal", "allies" or "joint".
    sparing: a colour that alone spares what it surrounds with any other one; they fill it all the same.
    """
    values = SETTINGS.new()
    if colours == 2:
        values.playout, values.reward, values.passes = (
            playout.EYE,
            scoring.BY_WIN,
            rules.PASS_ANY_TIME,
        )
    for name, value in choices.items():
        if name == "margin":
            if not 0 <= float(value) <= 1:
                raise UsageError(f"margin is a share from 0 to 1, not {value}")
            values.margin = value
        elif name == "coalitions":
            values.allies[:] = allies_of(colours, value)
        elif name == "sparing":  # behind "coalitions", whatever the order they were given in
            continue
        elif name not in CHOICES:
            known = (*CHOICES, "margin", "coalitions", "sparing")
            raise UsageError(f"Go has no setting {name}; {nearest(name, known)}")
        elif str(value).lower() not in CHOICES[name]:
            raise UsageError(f"{name} is one of {', '.join(CHOICES[name])}, not {value}")
        else:
            values[name] = CHOICES[name].index(str(value).lower())
    if "sparing" in choices:
        _spare_alone(values, _colour_number(choices["sparing"], colours), colours)
    return values


def _spare_alone(settings: Any, number: int, colours: int) -> None:
    """Let one colour that is in no coalition spare what it surrounds with anybody."""
    if settings.allies[number]:
        raise UsageError(
            f"{COLOURS[number - 1].name} is in a coalition, and spares that one's common eyes already"
        )
    settings.allies[number] = (1 << (colours + 1)) - 2 | 1 << boards.WALL


def allies_of(colours: int, coalitions: str | Iterable[Iterable[str | int]]) -> list[int]:
    """The field `allies` of coalitions given as "black+white, red+blue", or as lists of names or seats."""
    if isinstance(coalitions, str):
        coalitions = [part.split("+") for part in coalitions.split(",") if part.strip()]
    allies = [0] * 8
    for members in coalitions:
        numbers = {_colour_number(member, colours) for member in members}
        bits = sum(1 << number for number in numbers)
        for number in numbers if len(numbers) > 1 else ():
            if allies[number]:
                raise UsageError(
                    f"{COLOURS[number - 1].name} is in two coalitions; one is possible"
                )
            allies[number] = bits | 1 << boards.WALL
    return allies


def _colour_number(member: str | int, colours: int) -> int:
    number = colour_named(member).number if isinstance(member, str) else int(member) + 1
    if not 1 <= number <= colours:
        names = ", ".join(colour.name for colour in COLOURS[:colours])
        raise UsageError(f"{member} is no colour of this game: {names}")
    return number


def _show(state: State) -> str:
    from manyminds.games.go.diagram import Position

    return str(Position.of(state))
