"""How a match ended: one sentence, a table, and the same as data."""

from __future__ import annotations

from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from manyminds.apps.look import Look
from manyminds.apps.scene import Scene
from manyminds.arena.match import Match

CLOSE = 1e-9  # rewards this close are equal


def winners(match: Match) -> list[int]:
    """The seats with the highest reward; nobody when all have the same."""
    best = max(match.rewards)
    seats = [seat for seat, reward in enumerate(match.rewards) if reward > best - CLOSE]
    return [] if len(seats) == len(match.seats) > 1 else seats


def rows(match: Match, scene: Scene) -> list[dict[str, Any]]:
    """One row a seat, in the order of the seats."""
    won = winners(match)
    return [
        {
            "seat": name,
            "player": match.lineup[seat],
            "points": match.points[name],
            "reward": match.rewards[seat],
            "won": seat in won,
            "decisions": scene.decisions[seat],
            "seconds": round(match.seconds[seat], 3),
            "simulations": scene.simulations[seat],
            "simulations_per_second": round(_rate(scene.simulations[seat], match.seconds[seat])),
        }
        for seat, name in enumerate(match.seats)
    ]


def document(match: Match, scene: Scene, saved: str | None) -> dict[str, Any]:
    """The match (`Match.from_json` reads it), with `table`, `record` and the file it was saved in."""
    whole = msgspec.json.decode(match.to_json())
    return whole | {"table": rows(match, scene), "record": match.record, "saved": saved}


def sentence(match: Match, counted: bool) -> str:
    """Who won and how the match ended: "won by red with 41 points after 149 moves"."""
    won = [match.seats[seat] for seat in winners(match)]
    text = f"won by {_listed(won)}" if won else "won by nobody: all have the same,"
    if won and counted:
        counts = dict.fromkeys(f"{match.points[name]:g}" for name in won)
        text += f" with {_listed(list(counts))} points"
    text += f" after {len(match.names)} move{'s' if len(match.names) != 1 else ''}"
    if match.ending == "move limit":
        text += ", at the limit of moves"
    return text + "".join(f"; {match.seats[seat]} forfeits: {why}" for seat, why in match.forfeits)


def show_closing(
    console: Console, match: Match, scene: Scene, look: Look, saved: str | None
) -> None:
    """The sentence and the table."""
    searched, counted = any(scene.simulations), scene.counted
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("seat")
    table.add_column("player", overflow="fold")
    heads = ["points" if counted else "reward", "", "moves", "seconds"]
    for head in heads + (["simulations/s"] if searched else []):
        table.add_column(head, justify="left" if head == "" else "right")
    for seat, row in enumerate(rows(match, scene)):
        cells: list[str | Text] = [
            Text.assemble(look.mark(seat), row["seat"]),
            Text(row["player"]),
            f"{row['points' if counted else 'reward']:g}",
            Text("wins", "bold") if row["won"] else "",
            str(row["decisions"]),
            f"{row['seconds']:.2f}",
        ]
        if searched:
            cells.append(f"{row['simulations_per_second']:,}" if row["simulations"] else "")
        table.add_row(*cells)
    console.print(Text(sentence(match, counted), "bold"))
    console.print()
    console.print(table)
    if saved:
        console.print(Text(f"\nsaved in {saved}"))


def _listed(words: list[str]) -> str:
    """ "black, white and red"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _rate(simulations: int, seconds: float) -> float:
    return simulations / seconds if simulations and seconds > 0 else 0.0
