"""From a table of a paper to what is played: one campaign for each game that its lines name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from manyminds.arena.campaign import Campaign, LineupChoice, Published, Seating, Spec
from manyminds.arena.pairing import Seats, places
from manyminds.arena.store import Store
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError
from manyminds.games.registry import make_game
from manyminds.papers.paper import POINTS, WINS, Line, Number, Paper, PaperTable, Scaled
from manyminds.players.spec import PlayerSpec


@dataclass(frozen=True)
class Choice:
    """What was typed instead of a table's own: games per line, budget of a decision, seed."""

    games: int | None = None
    budget: str | int | None = None
    seed: int = 0


@dataclass(frozen=True)
class Part:
    """The lines of a table that share a game, and their campaign. `names`: each line's players by place."""

    campaign: Campaign
    lines: tuple[Line, ...]
    names: tuple[tuple[str, ...], ...]
    seats: Seats


def parts_of(paper: Paper, table: PaperTable, choice: Choice) -> list[Part]:
    """A table's campaigns, in the order of their first lines; none of a table that is computed."""
    if table.computed is not None:
        return []
    groups: dict[str, list[Line]] = {}
    games: dict[str, Mapping[str, Any]] = {}
    for line in table.lines:
        game = line.game or table.game
        key = repr(sorted(game.items()))
        games[key] = game
        groups.setdefault(key, []).append(line)
    return [_part(paper, table, choice, games[key], lines) for key, lines in groups.items()]


def store_of(paper: Paper, table: PaperTable, asked: int, store: Path | None) -> Path:
    """Where a table's games are: in the file typed, where one table was asked for; else one file each.

    Tables of a paper with `one_store` have one file together, learning apart.
    """
    base = store or Path(f"{paper.name}.db")
    if (store is not None and asked == 1) or (paper.one_store and not table.learning):
        return base
    return base.with_name(f"{base.stem}-{table.slug}{base.suffix or '.db'}")


def store_of_part(store: Path, part: int) -> Path:
    """The first of a table's campaigns has the table's file, the second one beside it that ends in -2."""
    return store.with_name(f"{store.stem}-{part + 1}{store.suffix}") if part else store


def with_kept(campaign: Campaign, store: Path) -> Campaign:
    """The campaign with the line-ups that another table has left in its store, as they were."""
    if not store.exists():
        return campaign
    with Store.read(store) as opened:
        old = opened.campaign()
    if old is None:
        return campaign
    ours = {_names(choice) for choice in campaign.lineups}
    kept = [choice for choice in old.lineups if _names(choice) not in ours]
    return msgspec.structs.replace(
        campaign,
        players={**old.players, **campaign.players},
        lineups=[*campaign.lineups, *kept],
        published=[
            *campaign.published,
            *(p for p in old.published if _names(p.lineup) not in ours),
        ],
    )


def _names(choice: LineupChoice | Sequence[str] | Mapping[str, str]) -> Any:
    seats = choice.seats if isinstance(choice, LineupChoice) else choice
    return tuple(sorted(seats.items())) if isinstance(seats, Mapping) else tuple(seats)


def _part(
    paper: Paper, table: PaperTable, choice: Choice, game: Mapping[str, Any], lines: list[Line]
) -> Part:
    seats = Seats.of(make_game(**game))
    names = tuple(places(line.seats, seats) for line in lines)
    budget = Budget.parse(table.budget if choice.budget is None else choice.budget)
    lineups: list[LineupChoice] = []
    published: list[Published] = []
    for line, found in zip(lines, names, strict=True):
        if found not in [places(each.seats, seats) for each in lineups]:
            games = line.games if choice.games is None else None
            lineups.append(LineupChoice(_seating(line.seats), games, line.title))
            published += _published(paper, table, line, len(found))
    campaign = Campaign(
        dict(game),
        title=f"{paper.name}, {table.label}",
        question=f"{paper.citation} {table.label.capitalize()}: {table.title}",
        players=_players(table, lineups, budget),
        lineups=lineups,
        games=table.games if choice.games is None else choice.games,
        budget=str(budget),
        seed=choice.seed,
        published=published,
        rotate=table.rotate,
        paired=table.paired,
        settings=dict(table.settings),
        stop=table.stop,
        move_limit=table.move_limit,
        files=table.files,
    )
    return Part(campaign, tuple(lines), names, seats)


def _seating(seating: Seating) -> Seating:
    return dict(seating) if isinstance(seating, Mapping) else tuple(seating)


def _players(table: PaperTable, lineups: list[LineupChoice], budget: Budget) -> dict[str, Spec]:
    """The definitions that these line-ups need; the budget itself is the campaign's."""
    used = set()
    for lineup in lineups:
        used |= set(lineup.seats.values() if isinstance(lineup.seats, dict) else lineup.seats)
    return {
        name: _scaled(spec, budget) if isinstance(spec, Scaled) else spec
        for name, spec in table.players.items()
        if name in used
    }


def _scaled(player: Scaled, budget: Budget) -> str:
    spec = PlayerSpec.of(player.spec)
    if spec.budget is not None:
        raise UsageError(f"{spec}: a scaled player names no budget of its own")
    if budget.milliseconds is not None:
        own = Budget(milliseconds=budget.milliseconds * player.factor)
    elif budget.nodes is not None:
        own = Budget(nodes=max(1, round(budget.nodes * player.factor)))
    else:
        own = Budget(simulations=max(1, round((budget.simulations or 1) * player.factor)))
    return str(PlayerSpec(spec.name, spec.positional, spec.named, own))


def _published(paper: Paper, table: PaperTable, line: Line, size: int) -> list[Published]:
    """The printed points and shares of a line as the arena's own reports know them.

    Numbers of one kind stand together as far as the same is known of their errors.
    """
    groups: dict[tuple[Any, ...], dict[int, Number]] = {}
    for number in line.numbers:
        if number.of in (POINTS, WINS):
            known = (number.of, number.n, number.sd is None, number.error is None)
            groups.setdefault(known, {})[number.place] = number
    return [
        Published(
            lineup=_seating(line.seats),
            points=_by_place(numbers, "mean", size) if of == POINTS else (),
            shares=_by_place(numbers, "mean", size) if of == WINS else (),
            source=f"{paper.name}, {table.label}",
            n=n,
            sd=None if no_sd else _by_place(numbers, "sd", size, 0.0),
            error=None if no_error else _by_place(numbers, "error", size, 0.0),
        )
        for (of, n, no_sd, no_error), numbers in groups.items()
    ]


def _by_place(numbers: Mapping[int, Number], field: str, size: int, other: Any = None) -> Any:
    """One field of the numbers as a tuple by place; `other` where there is no number."""
    return tuple(
        getattr(numbers[place], field) if place in numbers else other for place in range(size)
    )
