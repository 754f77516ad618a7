"""Tables 1 to 4 and figures 5 to 8 of Marcolino & Matsubara's "Multi-Agent Monte Carlo Go" (2011).

All on 9x9, against the engine with its default agent, half of the games as each colour. Beside them
stand the questions that the paper leaves open: the group against its own best agent, learning again
from other orders, and votes of different programs. See docs/marcolino2011.md for what is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from manyminds.arena.campaign import Spec
from manyminds.arena.learning.plan import Orders, Plan
from manyminds.arena.table import Row, Table
from manyminds.papers.paper import FIGURE, WINS, Claim, Line, Number, Paper, PaperTable

GAMES = 1000  # "500 games with our system playing as White, and 500 games ... as Black" (4)
GAME: Mapping[str, Any] = {"name": "go", "size": 9}
WON = "won"  # wins as values of games, so that a claim about them is judged by Student's t, as his

DEFAULT = "N-AC-AD-L-P"
ALPHA, BETA = "AD-N-AC-P-L", "AD-N-P-AC-L"
AGENT_64, AGENT_70 = "AD-AC-P-N-L", "N-AC-P-L-AD"
AGENT_3, AGENT_42 = "AD-P-L-N-AC", "AC-N-AD-L-P"
GROUP_1 = (DEFAULT, ALPHA, BETA, AGENT_64, AGENT_70)  # Table 1, in the order of choice
GROUP_3 = (DEFAULT, ALPHA, BETA, AGENT_3, AGENT_42)  # Table 3


ENGINE: Mapping[str, Any] = {"name": "go", "preset": "faithful", "release": "0.4"}


def engine(*agents: str) -> Spec:
    """The engine of 2009 with these agents in its database, or with the database of this name."""
    return {**ENGINE, "database": agents[0] if len(agents) == 1 else list(agents)}


NAMES: Mapping[str, Spec] = {
    "default": engine(DEFAULT),
    "120 agents": engine("all120"),
    "group 1": engine("table1"),
    "group 3": engine("table3"),
    "agent 0": engine(DEFAULT),
    "alpha": engine(ALPHA),
    "beta": engine(BETA),
    "agent 64": engine(AGENT_64),
    "agent 70": engine(AGENT_70),
    "agent 3": engine(AGENT_3),
    "agent 42": engine(AGENT_42),
    **{f"first {n} of both": engine(*GROUP_1[:n]) for n in (2, 3)},
    "first 4 of 1": engine(*GROUP_1[:4]),
    "first 4 of 3": engine(*GROUP_3[:4]),
}


def won(table: Table, row: Row) -> Sequence[float]:
    """The first player's share of each game's win."""
    return [float(share) for share in table.samples[row.lineup].shares[:, 0]]


def _printed(percent: float, plus_minus: float) -> tuple[Number, ...]:
    """A share as printed; its ± is taken for a 95 % interval."""
    error = plus_minus / 100 / 1.96
    return (Number(round(percent / 100, 6), of=WINS, n=GAMES, error=error),)


def _line(title: str, player: str, *numbers: float, x: float | None = None) -> Line:
    """A line of games against the default: what was printed, per cent and ±, where it was."""
    printed = _printed(*numbers) if numbers else ()
    return Line((player, "default"), printed, title, x=x)


def _table(
    name: str, title: str, lines: tuple[Line, ...], claims: tuple[Claim, ...] = (), **others: Any
) -> PaperTable:
    return PaperTable(
        name,
        title,
        game=GAME,
        players=NAMES,
        lines=lines,
        claims=claims,
        measures={WON: won},
        rotate=True,
        games=others.pop("games", GAMES),
        budget=300,
        paper_budget="Fuego's default time a move",
        **others,
    )


def _better(title: str, others: Sequence[str]) -> tuple[Claim, ...]:
    return tuple(Claim(f"The group is better than {o}", more=title, less=o, of=WON) for o in others)


TABLE_1 = _table(
    "1",
    "The agents selected in random order, and all 120, together",
    (
        _line("the default agent", "agent 0", 48.55, 2.20),
        _line("all 120 agents", "120 agents", 41.20, 2.10),
        _line("the five of Table 1", "group 1", 57.55, 2.10),
    ),
    (
        Claim(
            "The five are better than the default agent (t-test, 99 %)",
            more="the five of Table 1",
            less="the default agent",
            of=WON,
        ),
        Claim(
            "All 120 are worse than the default agent",
            more="the default agent",
            less="all 120 agents",
            of=WON,
        ),
    ),
)
TABLE_2 = _table(
    "2",
    "Each agent of Table 1 alone",
    (
        _line("agent 0", "agent 0", 48.50, 2.20),
        _line("agent 5 (alpha)", "alpha", 52.85, 2.15),
        _line("agent 6 (beta)", "beta", 53.60, 2.15),
        _line("agent 64", "agent 64", 57.30, 2.15),
        _line("agent 70", "agent 70", 29.60, 1.90),
        _line("together", "group 1"),
    ),
    (
        *_better("together", ("agent 0", "agent 5 (alpha)", "agent 6 (beta)", "agent 64")),
        Claim("Agent 70 is much weaker", more="agent 0", less="agent 70", of=WON),
    ),
)
TABLE_3 = _table(
    "3",
    "The agents selected in the order that is not random, together",
    (
        _line("the default agent", "agent 0", 48.55, 2.20),
        _line("the five of Table 3", "group 3", 59.15, 2.10),
    ),
    (
        Claim(
            "The five are better than the default agent (t-test)",
            more="the five of Table 3",
            less="the default agent",
            of=WON,
        ),
    ),
)
TABLE_4 = _table(
    "4",
    "Each agent of Table 3 alone",
    (
        _line("agent 0", "agent 0", 48.55, 2.20),
        _line("agent 1 (alpha)", "alpha", 54.40, 2.15),
        _line("agent 2 (beta)", "beta", 54.55, 2.15),
        _line("agent 3", "agent 3", 57.05, 2.15),
        _line("agent 42", "agent 42", 50.90, 2.20),
        _line("together", "group 3"),
    ),
    _better("together", ("agent 0", "agent 1 (alpha)", "agent 2 (beta)", "agent 3", "agent 42")),
)
FIGURE_5 = _table(
    "5",
    "The group of Table 1 as it grows",
    (
        _line("1 agent", "agent 0", 48.55, 2.20, x=1),
        _line("2 agents", "first 2 of both", x=2),
        _line("3 agents", "first 3 of both", 56.90, 2.15, x=3),
        _line("4 agents", "first 4 of 1", 57.20, 2.15, x=4),
        _line("5 agents", "group 1", 57.55, 2.10, x=5),
    ),
    kind=FIGURE,
    across="agents",
    notes=(
        "56.90 and 57.20 follow from his text; the point of two agents is in the drawing only.",
    ),
)
FIGURE_7 = _table(
    "7",
    "The group of Table 3 as it grows",
    (
        _line("1 agent", "agent 0", 48.55, 2.20, x=1),
        _line("2 agents", "first 2 of both", x=2),
        _line("3 agents", "first 3 of both", x=3),
        _line("4 agents", "first 4 of 3", 57.95, 2.15, x=4),
        _line("5 agents", "group 3", 59.15, 2.10, x=5),
    ),
    kind=FIGURE,
    across="agents",
    notes=("57.95 follows from his text; two points are in the drawing only.",),
)

# --- learning ----------------------------------------------------------------------------------------

_AGENTS = Orders(heuristics=("N", "AC", "AD", "L", "P"))
# He moved fifteen agents that he believed strong to the front. Three are known: those he numbers 1 to 3.
_STRONG = (ALPHA, BETA, AGENT_3)


def _plan(learner: Mapping[str, Any], seed: int = 0, **others: Any) -> Plan:
    return Plan(
        dict(GAME),
        {**ENGINE, "database": "?agents", "weights": "?weights"},
        _AGENTS,
        DEFAULT,
        learner=dict(learner),
        seed=seed,
        **others,
    )


def _learning(name: str, title: str, learner: Mapping[str, Any], *printed: float) -> PaperTable:
    return _table(
        name,
        title,
        (_line("what is chosen, in the games it was chosen by", "default", *printed),),
        kind=FIGURE,
        across="agents tried",
        learning=(_plan(learner, fresh=GAMES, members=GAMES),),
        notes=("--games is here the number of games of every set that is tried.",),
    )


FIGURE_6 = _learning(
    "6", "Learning in random order", {"name": "greedy", "games": GAMES}, 57.55, 2.10
)
FIGURE_8 = _learning(
    "8",
    "Learning in an order that is not random",
    {"name": "greedy", "games": GAMES, "order": list(_STRONG)},
    59.15,
    2.10,
)

# --- what the paper leaves open ------------------------------------------------------------------------

OPEN_GROUP = PaperTable(
    "group",
    "Open question: the group against its own best agent, in games that chose neither",
    game=GAME,
    players=NAMES,
    lines=(
        Line(("group 1", "agent 64"), title="the five of Table 1 v agent 64"),
        Line(("group 3", "agent 3"), title="the five of Table 3 v agent 3"),
    ),
    games=GAMES,
    budget=300,
    rotate=True,
)
OPEN_ORDERS = PaperTable(
    "orders",
    "Open question: learning again from other orders",
    game=GAME,
    lines=(),
    games=GAMES,
    budget=300,
    rotate=True,
    learning=tuple(
        _plan({"name": "racing", "games": 4000}, seed, fresh=GAMES) for seed in (1, 2, 3)
    ),
    notes=("By racing: --games is here the number of games of each run.",),
)
VOTERS: Mapping[str, Spec] = {
    "go": engine(DEFAULT),
    "rave": "rave",
    "pattern": "rave(playout=pattern)",
}
_MEMBERS = "go(database=N-AC-AD-L-P), rave, rave(playout=pattern)"
VOTES: Mapping[str, Spec] = {
    **{
        f"{by}, each": f"vote({_MEMBERS}, by={by}, each)" for by in ("majority", "optimist", "mean")
    },
    "majority, shared": f"vote({_MEMBERS})",
}
OPEN_VOTES = PaperTable(
    "votes",
    "Open question: votes of different programs against each of their members",
    game=GAME,
    players={**VOTERS, **VOTES},
    lines=(
        *(
            Line((one, other), title=f"{one} v {other}")
            for one, other in (("go", "rave"), ("go", "pattern"), ("pattern", "rave"))
        ),
        *(Line((vote, member), title=f"{vote} v {member}") for vote in VOTES for member in VOTERS),
    ),
    games=GAMES,
    budget=300,
    rotate=True,
    notes=(
        "The best member is the one that beats the others in the first three lines.",
        "each: every member spends what its opponent spends. shared: all members together do.",
    ),
)

PAPER = Paper(
    "marcolino2011",
    (
        "L. S. Marcolino, H. Matsubara: Multi-Agent Monte Carlo Go. "
        "Proc. of 10th Int. Conf. on Autonomous Agents and Multiagent Systems (AAMAS 2011), 21-28."
    ),
    (
        TABLE_1,
        TABLE_2,
        TABLE_3,
        TABLE_4,
        FIGURE_5,
        FIGURE_6,
        FIGURE_7,
        FIGURE_8,
        OPEN_GROUP,
        OPEN_ORDERS,
        OPEN_VOTES,
    ),
    notes=(
        (
            "A player of ours with one agent against itself wins half of its games for certain where the "
            "budget is in simulations; his wins 48.55 %, which he puts down to the overhead of drawing."
        ),
        (
            "His ± is taken for a 95 % interval. It is what 2,000 games give, and all his shares are "
            "multiples of 0.05 %; the text says 1,000 games."
        ),
        "Lines of several tables that have the same players are the same games.",
    ),
    one_store=True,
)
