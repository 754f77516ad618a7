"""Line-ups that differ in budget only: strength against budget."""

from __future__ import annotations

import msgspec

from manyminds.arena.campaign import Campaign, Spec
from manyminds.arena.table import Row, Table
from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError


class BudgetCurve(msgspec.Struct, frozen=True):
    """A place's points as the budget grows. `who` describes the line-up without the budget.

    points: (budget, row) with the budget in `unit`, in ascending order, at least two.
    """

    who: str
    place: int
    unit: str
    points: tuple[tuple[float, Row], ...]


def budget_curves(table: Table) -> list[BudgetCurve]:
    """All groups of line-ups that are the same but for budgets, and vary them together."""
    groups: dict[tuple[tuple[str, ...], str], list[tuple[list[float], Row]]] = {}
    for row in table.rows:
        if not row.games:
            continue
        split = [_split(table.campaign, name) for name in row.names]
        units = {unit for _, _, unit in split}
        if None not in units and len(units) == 1:
            key = (tuple(name for name, _, _ in split), str(units.pop()))
            groups.setdefault(key, []).append(([amount for _, amount, _ in split], row))
    return [curve for (names, unit), rows in groups.items() for curve in _curves(names, unit, rows)]


def _curves(
    names: tuple[str, ...], unit: str, rows: list[tuple[list[float], Row]]
) -> list[BudgetCurve]:
    """One curve per place whose budget varies while those of all other places stay, or go along with it."""
    found = []
    for place in range(len(names)):
        lines: dict[tuple[float, ...], list[tuple[float, Row]]] = {}
        for amounts, row in rows:
            others = tuple(amount for other, amount in enumerate(amounts) if other != place)
            lines.setdefault(others, []).append((amounts[place], row))
            if others and set(amounts) == {amounts[place]}:
                lines.setdefault((), []).append((amounts[place], row))
        for rest, points in lines.items():
            if len({amount for amount, _ in points}) == len(points) > 1:
                with_others = f" (others at {', '.join(f'{x:g}' for x in rest)})" if rest else ""
                who = ", ".join(names) + with_others
                found.append(
                    BudgetCurve(who, place, unit, tuple(sorted(points, key=lambda x: x[0])))
                )
    return found


def _split(campaign: Campaign, name: str) -> tuple[str, float, str | None]:
    """A player's text without its budget, the budget's amount, and its unit; no unit where it is unknown."""
    spec = campaign.spec(name)
    text, budget = without_budget(spec)
    try:
        if budget is None:
            budget = campaign.budget
        read = Budget.parse(1000 if budget is None else budget)
    except UsageError:
        return text, 0.0, None
    if read.simulations is not None:
        return text, float(read.simulations), "simulations"
    if read.nodes is not None:
        return text, float(read.nodes), "nodes"
    return text, float(read.milliseconds or 0.0), "ms"


def without_budget(spec: Spec) -> tuple[str, str | int | None]:
    """A player's text without its budget, and the budget that it names itself."""
    if isinstance(spec, str):
        text, at, budget = spec.rpartition("@")
        inside = (
            ")" in budget or '"' in budget
        )  # the "@" of a player within a player, or of a command
        return (text, budget) if at and not inside else (spec, None)
    rest = {key: value for key, value in spec.items() if key not in ("budget", "name")}
    words = ", ".join(f"{key}={value}" for key, value in rest.items())
    return f"{spec.get('name')}({words})" if words else str(spec.get("name")), spec.get("budget")
