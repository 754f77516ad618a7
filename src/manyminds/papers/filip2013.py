"""Filip's thesis (2013): its tuning, plain search over budgets, its five algorithms, and Table 4.1.

What it measures in milliseconds a tick is in simulations here, 11 a millisecond (its plain search made
11,002 a second): 440 for each mate in a tick of 40 ms. What it leaves open is set in docs/filip2013.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

from manyminds.arena.statistics import Interval, mean_speed_up_interval, speed_up_interval
from manyminds.arena.table import Row, Table
from manyminds.core.budget import Budget
from manyminds.papers.paper import FIGURE, Claim, Line, Number, Paper, PaperTable, Scaled

GAMES = 100  # "Each experiment were performed 100 times" (4.3)
BUDGET = 440  # of a mate in a tick of 40 ms
TICKS = {
    10: 0.25,
    20: 0.5,
    40: 1.0,
    80: 2.0,
    160: 4.0,
}  # milliseconds, and what share of 40 they are
MOST = 999.0  # shown for a speed-up that no budget of the plain search reaches
SPEED_UP, AVERAGE, ESTIMATED = "speed-up", "average speed-up", "speed-up without its bug"
EFFICIENCY, SHARE, RATE = "efficiency", "share of simulations", "kB/s of a mate"
MATES = 4

STRENGTH = Number(math.nan)  # Pac-Man's points, which he shows in figures only
PACMAN = "Pac-Man"
GAME: Mapping[str, object] = {"name": "pacman", "maze": 1}

# The rates at which each was at its best in the thesis.
TEAMS = {
    "Independent": "independent",
    "Independent, distinct seeds": "independent(seeds=distinct)",
    "Joint-Action": "joint-actions(channel=virtual(rate=64000))",
    "Root": "roots(channel=virtual(rate=64000))",
    "Results": "results(channel=virtual(rate=256000))",
    "Tree-Cut": "tree-cuts(channel=virtual(rate=64000))",
}
PRINTED = {
    "Independent": 0.967,
    "Independent, distinct seeds": 0.941,
    "Joint-Action": 1.73,
    "Root": 2.48,
    "Results": 1.60,
    "Tree-Cut": 2.07,
}


def _seats(ghosts: str) -> dict[str, str]:
    return {"pacman": PACMAN, "ghosts": ghosts}


def _at(name: str, milliseconds: int) -> str:
    """A team's name with another tick than 40 ms."""
    return name if milliseconds == 40 else f"{name}, {milliseconds} ms"


def _plain_lines(name: str = "Plain") -> tuple[Line, ...]:
    return tuple(
        Line(_seats(_at(name, ms)), (STRENGTH,), f"{name}, {ms} ms", x=float(ms)) for ms in TICKS
    )


def _at_all(name: str, spec: str) -> dict[str, Scaled]:
    return {_at(name, ms): Scaled(spec, factor) for ms, factor in TICKS.items()}


# --- strength speed-up ------------------------------------------------------------------------------


def speed_up(table: Table, row: Row, plain: str = "Plain") -> Interval:
    """The strength speed-up of a line over the plain lines of its campaign (4.5.1)."""
    return _bounded(
        speed_up_interval(_plain_results(table, plain), _results(table, row), _budget(table, row))
    )


def efficiency(table: Table, row: Row) -> Interval:
    """The strength speed-up for each mate."""
    found = speed_up(table, row)
    low, high, estimate = (value / MATES for value in (found.low, found.high, found.estimate))
    return Interval(low, high, estimate, found.n, found.level)


def share_of_simulations(table: Table, row: Row) -> Sequence[float]:
    """What taking in messages leaves of a mate's budget (his simulations-per-second efficiency)."""
    return [made / _budget(table, row) for made in table.measured(row, "simulations")]


def kilobytes(table: Table, row: Row) -> Sequence[float]:
    """What a mate sent, in kB a second."""
    return [sent / 1000 for sent in table.measured(row, "bytes_per_second")]


def average_speed_up(table: Table, row: Row, name: str) -> Interval:
    """The mean of a team's strength speed-ups over all its budgets that were played."""
    rows = {r.names[1]: r for r in table.rows if r.games}
    own = [rows[_at(name, ms)] for ms in TICKS if _at(name, ms) in rows]
    results = {_budget(table, each): _results(table, each) for each in own}
    return _bounded(mean_speed_up_interval(_plain_results(table, "Plain"), results))


def _plain_results(table: Table, plain: str) -> dict[float, Sequence[float]]:
    """Pac-Man's points by budget, of the plain search's lines that were played."""
    names = {_at(plain, ms) for ms in TICKS}
    rows = [row for row in table.rows if row.names[1] in names and row.games > 1]
    return {_budget(table, row): _results(table, row) for row in rows}


def _results(table: Table, row: Row) -> Sequence[float]:
    return [float(points) for points in table.samples[row.lineup].points[:, 0]]


def _budget(table: Table, row: Row) -> float:
    """What the ghosts of a line may spend in a tick, in the campaign's unit."""
    budget = Budget.parse(str(table.campaign.spec(row.names[1])).rpartition("@")[2])
    spent = budget.simulations or budget.milliseconds or budget.nodes
    return float(spent or 1)


def _bounded(found: Interval) -> Interval:
    """The same with finite bounds, which JSON has words for."""
    values = (found.low, found.high, found.estimate)
    low, high, estimate = (min(value, MOST) if value == value else MOST for value in values)
    return Interval(low, high, estimate, found.n, found.level)


# --- parallel search on one machine (2.3.6) ----------------------------------------------------------

# His Table 2.1, taken from Chaslot et al. 2008: by way and number of threads.
PARALLEL = {
    "leaf": ("Leaf parallelization", (1.2, 1.7, 2.4)),
    "root": ("Root parallelization", (3.0, 6.5, 14.9)),
    "global": ("Tree parallelization (global mutex)", (1.6, 3.0, 2.6)),
    "local": ("Tree parallelization (local mutex)", (1.9, 3.0, 3.3)),
    "local, virtual loss": ("Tree parallelization (virtual loss)", (2.0, 3.6, 8.5)),
}
THREADS = (2, 4, 16)


def parallel_speed_ups(positions: int, seed: int) -> dict[str, Interval]:
    """The strength speed-ups of parallel search on Go 9x9, in virtual time."""
    from manyminds.arena.scaling import virtual_table

    cells = virtual_table(positions, THREADS, seed=seed, ways=tuple(PARALLEL))
    return {
        f"{PARALLEL[cell.way][0]}, {cell.workers} threads": _bounded(cell.strength)
        for cell in cells
        if cell.strength is not None
    }


TABLE_2_1 = PaperTable(
    "2.1",
    "Parallel MCTS algorithms",
    {"name": "go", "size": 9},
    tuple(
        Line((), (Number(printed, SPEED_UP),), f"{title}, {threads} threads", x=float(threads))
        for title, row in PARALLEL.values()
        for threads, printed in zip(THREADS, row, strict=True)
    ),
    games=40,
    budget="2ms",
    paper_budget="Chaslot et al. 2008",
    measures={SPEED_UP: speed_up},
    notes=(
        (
            "Virtual time on Go 9x9: --games is the number of positions, a decision has 2 ms. His "
            "figures come from another board and another program: compare the order and where each "
            "saturates."
        ),
    ),
    computed=parallel_speed_ups,
)

# --- tables -------------------------------------------------------------------------------------------


def _table(
    name: str,
    title: str,
    lines: Sequence[Line],
    players: Mapping[str, str | Scaled],
    kind: str = FIGURE,
    claims: tuple[Claim, ...] = (),
    across: str = "milliseconds a tick, 11 simulations each",
    notes: tuple[str, ...] = (),
    team: str = "",
) -> PaperTable:
    return PaperTable(
        name,
        title,
        GAME,
        tuple(lines),
        {PACMAN: "deepening@5000nodes", **players},
        kind=kind,
        games=GAMES,
        budget=BUDGET,
        paper_budget="11,002 simulations/s, 10 to 200 ms a tick",
        measures={
            SPEED_UP: speed_up,
            ESTIMATED: speed_up,
            EFFICIENCY: efficiency,
            SHARE: share_of_simulations,
            RATE: kilobytes,
            AVERAGE: partial(average_speed_up, name=team),
        },
        claims=claims,
        across=across,
        notes=notes,
    )


def _numbers(name: str) -> tuple[Number, ...]:
    more = {
        "Root": (Number(2.92, ESTIMATED), Number(0.62, EFFICIENCY)),
        "Results": (Number(2 / 3, SHARE),),
    }.get(name, ())
    talk = () if name.startswith("Independent") else (Number(math.nan, RATE),)
    return (Number(PRINTED[name], SPEED_UP), *more, STRENGTH, *talk)


TABLE_4_1 = _table(
    "4.1",
    "Comparison of distributed MCTS algorithms",
    (
        *_plain_lines(),
        *(Line(_seats(name), _numbers(name), name) for name in TEAMS),
    ),
    _at_all("Plain", "plain") | {name: Scaled(spec, 1.0) for name, spec in TEAMS.items()},
    kind="table",
    claims=(
        Claim("Root is better than Independent", "Independent, distinct seeds", "Root"),
        Claim("Tree-Cut is better than Independent", "Independent, distinct seeds", "Tree-Cut"),
        Claim("Voting is better than nothing", "Independent, distinct seeds", "Joint-Action"),
        Claim("Results are worse than votes", "Results", "Joint-Action"),
    ),
    notes=(
        (
            "His numbers are means over ticks of 10 to 200 ms; ours are for 40 ms. Lines without a "
            "printed number are Pac-Man's points: the ghosts want few."
        ),
    ),
)

FIGURE_4_3 = _table(
    "4.3",
    "Plain MCTS strength, pessimistic and optimistic",
    (*_plain_lines(), *_plain_lines("Optimistic")),
    _at_all("Plain", "plain") | _at_all("Optimistic", "plain(optimistic)"),
)


def _shown(printed: float = math.nan) -> tuple[Number, ...]:
    return Number(printed, SPEED_UP), STRENGTH


def _over_budget(name: str, title: str, *teams: str) -> PaperTable:
    """A team's strength speed-up at each budget, and their mean."""
    lines = [*_plain_lines()]
    players: dict[str, str | Scaled] = {**_at_all("Plain", "plain")}
    for team in teams:
        players |= _at_all(team, TEAMS[team])
        for ms in TICKS:
            lines.append(Line(_seats(_at(team, ms)), _shown(), f"{team}, {ms} ms", x=float(ms)))
    average = Number(PRINTED[teams[0]], AVERAGE)
    lines.append(Line(_seats(teams[0]), (average,), f"{teams[0]}, mean over all ticks"))
    return _table(name, title, lines, players, team=teams[0])


def _over_rate(
    name: str, title: str, team: str, spec: str, printed: dict[int, float]
) -> PaperTable:
    """A team's strength speed-up at 40 ms over the rate of its channel, in kB a second."""
    players: dict[str, str | Scaled] = {**_at_all("Plain", "plain")}
    lines = [*_plain_lines()]
    for rate in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        player = f"{team}, {rate} kB/s"
        players[player] = Scaled(f"{spec}(channel=virtual(rate={1000 * rate}))", 1.0)
        numbers = _shown(printed.get(rate, math.nan))
        lines.append(Line(_seats(player), numbers, player, x=float(rate)))
    return _table(name, title, lines, players, across="kB a second of each mate")


def _tuning(
    name: str, what: str, argument: str, values: Sequence[float], others: str, printed: str
) -> PaperTable:
    """Plain search at 40 ms over one of its parameters."""
    players = {f"{what} {value:g}": f"plain({argument}={value:g}{others})" for value in values}
    lines = [
        Line(_seats(player), (STRENGTH,), player, x=float(value))
        for player, value in zip(players, values, strict=True)
    ]
    return _table(
        name,
        f"Tuning of {what}",
        lines,
        {**players},
        across=what,
        notes=(f"His choice: {printed}.",),
    )


def _loss() -> PaperTable:
    """All teams that talk, at 40 ms, with messages lost."""
    players: dict[str, str | Scaled] = {**_at_all("Plain", "plain")}
    lines = [*_plain_lines()]
    for team in ("Joint-Action", "Root", "Results", "Tree-Cut"):
        for loss in (0.0, 0.3, 0.4, 0.6):
            player = f"{team}, {loss:.0%} lost" if loss else team
            spec = TEAMS[team].replace("))", f", loss={loss:g}))") if loss else TEAMS[team]
            players[player] = Scaled(spec, 1.0)
            lines.append(Line(_seats(player), _shown(), player, x=100 * loss))
    return _table(
        "loss",
        "Strength speed-up where messages are lost (4.5.2 to 4.5.6)",
        lines,
        players,
        kind="table",
        across="% of messages lost",
        notes=(
            (
                'In words: Results "remains over 1.5 for the channel reliability 0.6 and higher"; all '
                "have good or very good robustness."
            ),
        ),
    )


PAPER = Paper(
    "filip2013",
    "O. Filip: Distributed Monte-Carlo Tree Search for Games with Team of Cooperative Agents. "
    "Master thesis, Charles University in Prague, 2013.",
    (
        TABLE_2_1,
        TABLE_4_1,
        _loss(),
        _tuning(
            "4.2a",
            "C",
            "c",
            (0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8),
            ", limit=200",
            "0.1 of 0.05 to 0.2",
        ),
        _tuning("4.2b", "playout length", "limit", (20, 40, 80, 120, 160, 200, 300), "", "120"),
        _tuning(
            "4.2c",
            "death weight",
            "death_weight",
            (0, 0.1, 0.25, 0.4, 0.6, 0.8, 1),
            "",
            "0.25; 0.3 to 1 were best",
        ),
        FIGURE_4_3,
        _over_budget(
            "4.4", "Independent agents strength", "Independent", "Independent, distinct seeds"
        ),
        _over_budget("4.5", "Joint-action exchanging agents strength", "Joint-Action"),
        _over_budget("4.6", "Root exchanging agents strength", "Root"),
        _over_rate("4.7", "Root exchanging agents over channel rate", "Root", "roots", {4: 2.0}),
        _over_budget("4.8", "Simulation results passing agents strength", "Results"),
        _over_rate(
            "4.9",
            "Simulation results passing agents over channel rate",
            "Results",
            "results",
            {256: 1.6},
        ),
        _over_rate(
            "4.10",
            "Tree-cut exchanging agents over channel rate",
            "Tree-Cut",
            "tree-cuts",
            {64: 2.19},
        ),
        _over_budget("4.11", "Tree-cut exchanging agents strength", "Tree-Cut"),
    ),
    notes=(
        (
            "Pac-Man is deepening@5000nodes, our strong opponent: his, ICEP_IDDFS, is not public. The "
            "maze is one of ours. Strength is Pac-Man's points at the end; the speed-up follows from the "
            "fit c0 + c1/sqrt(t) to the plain search's games, with a bootstrap interval."
        ),
        f"A speed-up of {MOST:g} stands for one that no budget of the plain search reaches.",
    ),
    one_store=True,
)
