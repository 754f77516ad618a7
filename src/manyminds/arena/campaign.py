"""A campaign as data: many matches that answer one question, read from TOML or built in Python.

Nothing here knows a game or a player: what can be checked without them is checked at once, with a
sentence that says what to write instead; line-ups are laid out in `pairing`, games in `schedule`.
"""

from __future__ import annotations

import math
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from manyminds.core.errors import UsageError, nearest

if TYPE_CHECKING:
    from manyminds.arena.runner import Runner
    from manyminds.arena.statistics import Published as PublishedNumber
    from manyminds.arena.statistics import Sprt
    from manyminds.arena.table import Table

MOST_GAMES = (
    1_000_000  # of one line-up: a game's number is its line-up's times this, plus its index
)
MOST_LINEUPS = 10_000
MOST_BYTES = 1_000_000  # of a campaign file

Spec = str | dict[str, Any]  # a player: "rave@1000", or the same as a table
Seating = (
    tuple[str, ...] | dict[str, str]
)  # names by seat in order, or by the names of seats or teams

_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h|d)", re.ASCII)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_WORDS = {"rule": ("fixed", "sprt"), "pairing": ("list", "table", "round-robin")}


class LineupChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line-up as typed: who sits where, and how many games it plays (None: the campaign's number)."""

    seats: Seating
    games: int | None = None
    title: str = ""


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When a line-up has played enough.

    fixed: after its number of games. sprt: when a sequential test of the first player's share of wins
    (draws are half) tells one hypothesis from the other, given as shares or, between two, as Elo;
    alpha and beta are its error rates. The number of games is then the most it may take.
    """

    rule: Literal["fixed", "sprt"] = "fixed"
    share0: float | None = None
    share1: float | None = None
    elo0: float | None = None
    elo1: float | None = None
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "wald"

    def __post_init__(self) -> None:
        if self.rule == "sprt":
            self.test(block=1)

    def test(self, block: int) -> Sprt:
        """The test; it decides after whole blocks of games only (a round of rotated seats)."""
        from manyminds.arena.statistics import Sprt

        rates = (self.alpha, self.beta, self.model, block)
        shares, elos = (self.share0, self.share1), (self.elo0, self.elo1)
        if None not in shares and elos == (None, None):
            return Sprt(float(self.share0 or 0), float(self.share1 or 0), *rates)
        if None not in elos and shares == (None, None):
            return Sprt.of_elo(float(self.elo0 or 0), float(self.elo1 or 0), *rates)
        raise UsageError(
            "a sequential test needs share0 and share1 (0.5, 0.55) or elo0 and elo1 (0, 30)"
        )


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What somebody else printed for a line-up: mean points or shares of wins by place (NaN: no number).

    n: games behind it. sd: standard deviation of one game's points; error: standard error of the
    printed mean; each the same for all places, or by place. What was not printed stays None, and the
    report says what it assumed.
    """

    lineup: Seating
    points: tuple[float | None, ...] = ()
    shares: tuple[float | None, ...] = ()
    source: str = ""
    n: int | None = None
    sd: float | tuple[float, ...] | None = None
    error: float | tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        for key in ("points", "shares"):
            values = (None if x is None or math.isnan(x) else float(x) for x in getattr(self, key))
            msgspec.structs.force_setattr(self, key, tuple(values))
        if not self.points and not self.shares:
            raise UsageError("published: give points or shares, a list with a number per place")
        for place, value in enumerate(self.points or self.shares):
            if value is not None:
                self.number(place, value)
        if any(value is not None and not 0 <= value <= 1 for value in self.shares):
            raise UsageError("published: shares lie between 0 and 1, such as 0.34 for 34 %")

    def number(self, place: int, mean: float) -> PublishedNumber:
        """One of the numbers, with what is known of its error."""
        from manyminds.arena.statistics import Published as PublishedNumber

        sd, error = (_of_place(x, place) for x in (self.sd, self.error))
        return PublishedNumber(mean, n=self.n, error=error, sd=sd)


def _of_place(value: float | tuple[float, ...] | None, place: int) -> float | None:
    if not isinstance(value, tuple):
        return value
    if place >= len(value):
        raise UsageError("published: sd and error are one number, or a list with one per place")
    return value[place]


if TYPE_CHECKING:  # what may be passed in; it is kept as below
    _AnyGame = Any
    _Names = Sequence[str]
    _Players = Mapping[str, Spec]
    _Lineups = Sequence[Sequence[str] | LineupChoice]
    _AllPublished = Sequence[Published]
else:
    _AnyGame = str | dict[str, Any]
    _Names = tuple[str, ...]
    _Players = dict[str, Spec]
    _Lineups = tuple[tuple[str, ...] | LineupChoice, ...]
    _AllPublished = tuple[Published, ...]


class _Game(msgspec.Struct, frozen=True):
    """Only here so that the game may be given by position and all the rest by name."""

    game: _AnyGame


class Campaign(_Game, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Everything that decides what is played; see docs/campaigns.md for each key.

    The game is data: its registered name and arguments. Players are named once in `players`; a line-up
    may also hold a player as typed ("rave@1000"). Equal campaigns play equal games, bit for bit, as
    long as budgets are in simulations or nodes.

        >>> import manyminds as mm
        >>> nim = mm.make_game("nim", heaps=[1, 2])
        >>> campaign = mm.Campaign(nim, lineups=[["uct@30", "random"]], games=10, seed=1)
        >>> table = campaign.run("nim.db", workers=0, quiet=True)
        >>> table.rows[0].places[0].share.estimate
        1.0
    """

    title: str = ""
    question: str = ""
    settings: dict[str, Any] = {}
    players: _Players = {}
    pairing: Literal["list", "table", "round-robin"] = "list"
    lineups: _Lineups = ()
    seating: tuple[_Names, ...] = ()
    rotate: bool = False
    paired: bool = False
    games: int = 100
    seed: int = 0
    budget: str | int | None = None
    move_limit: int | None = None
    deadline: str | None = None
    game_deadline: str = "1d"
    judge: str = ""
    stop: Stop = Stop()
    published: _AllPublished = ()
    files: _Names = ()

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "game", _as_data(self.game))
        for field in msgspec.structs.fields(
            type(self)
        ):  # msgspec trusts what Python passes in: we do not
            value = _plain(getattr(self, field.name))
            try:
                value = msgspec.convert(value, field.type)
            except msgspec.ValidationError as error:
                raise UsageError(f"{field.name}: {_readable(error)}") from None
            msgspec.structs.force_setattr(self, field.name, value)
        _check(self)

    @property
    def name(self) -> str:
        """What people call it: its title, or its game's name."""
        return self.title or str(self.data["name"])

    @property
    def data(self) -> dict[str, Any]:
        """The game as a table: its name and arguments."""
        return self.game if isinstance(self.game, dict) else {"name": self.game}

    def spec(self, name: str) -> Spec:
        """The definition of the player of this name; a name that nobody defined is a player as typed."""
        return self.players.get(name, name)

    def to_json(self) -> str:
        """The campaign as JSON, in the order it was written; `from_json` reads it back."""
        return msgspec.json.encode(self).decode()

    def run(
        self,
        store: str | os.PathLike[str],
        workers: int = 2,
        *,
        runner: Runner | Callable[[], Runner] | None = None,
        retry: bool = False,
        quiet: bool = False,
    ) -> Table:
        """Play what is not yet in the store (a file, made when it is not there) and return the table.

        workers: local processes; 0 plays in this one. Progress goes to standard error once a run takes
        more than two seconds, unless `quiet`. See `driver.run` for the rest.
        """
        from manyminds.arena.driver import run
        from manyminds.arena.live import show_on

        show = None if quiet else show_on(sys.stderr, after=2.0)
        return run(self, store, workers=workers, runner=runner, retry=retry, show=show).table


def read_campaign(path: str | os.PathLike[str]) -> Campaign:
    """The campaign of a TOML file; the user's files it names are found beside it."""
    file = Path(path)
    try:
        raw = file.read_bytes()[: MOST_BYTES + 1]
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    if len(raw) > MOST_BYTES:
        raise UsageError(f"{file}: longer than {MOST_BYTES} bytes; this is no campaign")
    try:
        campaign = parse_campaign(raw.decode())
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file}: not UTF-8 text") from None
    found = tuple(str((file.parent / name).resolve()) for name in campaign.files)
    return msgspec.structs.replace(campaign, files=found)


def parse_campaign(text: str) -> Campaign:
    """The campaign that a TOML text describes; unknown keys are errors that name the nearest known one."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"not TOML: {error}") from None
    return from_table(table)


def from_table(table: Mapping[str, Any]) -> Campaign:
    """The campaign of a table as TOML or JSON gives it."""
    refuse_unknown(table, Campaign, "")
    for key, shape in (("stop", Stop), ("published", Published), ("lineups", LineupChoice)):
        rows = table.get(key, ())
        for number, row in enumerate(rows if isinstance(rows, list) else [rows]):
            if isinstance(row, Mapping):
                refuse_unknown(
                    row, shape, f"{key}[{number}]." if isinstance(rows, list) else f"{key}."
                )
    if "game" not in table:
        raise UsageError('a campaign needs a game: [game] with name = "go", size = 9, colours = 3')
    try:
        return msgspec.convert(table, Campaign)
    except msgspec.ValidationError as error:
        raise UsageError(_readable(error)) from None


def from_json(text: str) -> Campaign:
    """The campaign that `to_json` wrote."""
    return from_table(msgspec.json.decode(text))


def with_changes(campaign: Campaign, games: int | None = None, seed: int | None = None) -> Campaign:
    """The campaign with another number of games for all line-ups, or another seed."""
    if seed is not None:
        campaign = msgspec.structs.replace(campaign, seed=seed)
    if games is not None:
        alike = tuple(
            msgspec.structs.replace(choice, games=None)
            if isinstance(choice, LineupChoice)
            else choice
            for choice in campaign.lineups
        )
        campaign = msgspec.structs.replace(campaign, games=games, lineups=alike)
    return campaign


def refuse_unknown(table: Mapping[str, Any], shape: type[msgspec.Struct], where: str) -> None:
    """An error for the first key that the shape has no field for, naming the nearest one it has."""
    known = [field.encode_name for field in msgspec.structs.fields(shape)]
    for key in table:
        if key not in known:
            raise UsageError(f"unknown key {where}{key}; {nearest(str(key), known)}")


def seconds_of(text: str) -> float:
    """The seconds of "200ms", "30s", "5m", "2h" or "1d"."""
    match = _DURATION.fullmatch(text.strip())
    if match is None or float(match[1]) <= 0:
        raise UsageError(f'"{text[:40]}" is no time; write "200ms", "30s", "5m", "2h" or "1d"')
    return float(match[1]) * _UNITS[match[2]]


def _as_data(game: Any) -> Any:
    """A game object is what `make_game` was told; names and tables are that already."""
    if isinstance(game, str | Mapping):
        return game
    if hasattr(game, "title") and hasattr(game, "arguments"):
        return {"name": game.title, **game.arguments}
    raise UsageError("the game of a campaign is its name, or a table: {'name': 'go', 'size': 9}")


def _plain(value: Any) -> Any:
    """Sequences as lists and mappings as dicts, which is what `msgspec.convert` checks."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _readable(error: msgspec.ValidationError) -> str:
    """msgspec's sentence with the place in front, as a person would write it."""
    text = str(error)
    reason, _, place = text.rpartition(" - at `$")
    if (wrong := re.match(r"Invalid enum value '(.*)'", text)) is not None:
        known = [
            word for key, words in _WORDS.items() if key in (place or "pairing") for word in words
        ]
        reason = f'"{wrong[1]}" is not possible; {nearest(wrong[1], known)}'
    if not reason:
        return text
    return f"{place.rstrip('`').lstrip('.')}: {reason}" if place.strip("`") else reason


def _check(campaign: Campaign) -> None:
    """What no type says: ranges, and what needs what."""
    from manyminds.core.budget import Budget

    game = campaign.data
    if not isinstance(game.get("name"), str):
        raise UsageError('the game needs a name: [game] with name = "go", size = 9, colours = 3')
    if not 1 <= campaign.games <= MOST_GAMES:
        raise UsageError(
            f"games is the number per line-up, 1 to {MOST_GAMES}, not {campaign.games}"
        )
    if not 0 <= campaign.seed < 2**64:
        raise UsageError(f"seed is a whole number from 0 to 2**64 - 1, not {campaign.seed}")
    if campaign.move_limit is not None and campaign.move_limit < 1:
        raise UsageError("move_limit is at least 1")
    if campaign.budget is not None:
        Budget.parse(campaign.budget)
    for text in (campaign.deadline, campaign.game_deadline):
        if text is not None:
            seconds_of(text)
    _check_pairing(campaign)
    for key in ("game", "settings", "players"):
        if not _is_finite(getattr(campaign, key)):
            raise UsageError(f"{key}: numbers must be finite")
    for name in campaign.players:
        if not name.strip() or len(name) > 200:
            raise UsageError("a player's name has 1 to 200 characters, not only spaces")


def _is_finite(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def _check_pairing(campaign: Campaign) -> None:
    """Each way of pairing has what it needs and nothing that it would ignore."""
    if campaign.pairing == "list":
        if not campaign.lineups:
            raise UsageError(
                'write lineups = [["rave", "uct"], ...], or pairing = "table" or "round-robin"'
            )
    elif campaign.lineups:
        raise UsageError(
            f'pairing = "{campaign.pairing}" lays out the line-ups itself: leave lineups out'
        )
    elif not campaign.players:
        raise UsageError(f'pairing = "{campaign.pairing}" needs players to lay out: [players]')
    if campaign.seating and campaign.pairing != "table":
        raise UsageError('seating (who may sit on each seat) goes with pairing = "table" only')
    for names in campaign.seating:
        for name in names:
            if name not in campaign.players:
                raise UsageError(f'seating names "{name}"; {nearest(name, campaign.players)}')
    for choice in campaign.lineups:
        games = choice.games if isinstance(choice, LineupChoice) else None
        if games is not None and not 1 <= games <= MOST_GAMES:
            raise UsageError(f"lineups: games is 1 to {MOST_GAMES}, not {games}")
