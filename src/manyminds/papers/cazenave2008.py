"""Tables 1 to 6 of Cazenave's "Multiplayer Go" (2008): 9x9, three colours, 200 games a line.

What the paper does not give is set here, in one place: see docs/cazenave2008.md for why.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from manyminds.papers.paper import Claim, Line, Number, Paper, PaperTable, Scaled

GAMES = 200  # "All our results use 200 9x9 games experiments" (5)
C = 0.8  # exploration constant, of rewards that are points / 81; at 0.3 alliances crush too much
_SEARCH = f"fresh, expand_after=1, c={C}"  # no tree is kept between moves, a node a playout

PLAYERS: Mapping[str, str | Scaled] = {
    "Surrounded": f"uct({_SEARCH})",
    "Eye": f"uct({_SEARCH}, playout=eye)",
    "Pattern": f"uct({_SEARCH}, playout=pattern)",
    "Rave": f"rave({_SEARCH})",
    "Rave x 10": Scaled(f"rave({_SEARCH})", 10.0),
    "Paranoid": f"paranoid({_SEARCH})",
    **{
        f"Alliance({scoring}) with {partner}": (
            f"alliance(with=[{partner}], scoring={scoring.lower()}, {_SEARCH})"
        )
        for scoring in ("Normal", "Allies", "Joint")
        for partner in ("black", "white")
    },
    **{
        f"{name}({scoring})": f"{player}({scoring.lower()}, {_SEARCH})"
        for name, player in (("Confid", "confident"), ("Sym", "symmetric"), ("Same", "same"))
        for scoring in ("Normal", "Allies", "Joint")
    },
}


def _line(title: str, players: tuple[str, ...], *points: float) -> Line:
    """A line as printed: mean points of Black, White and Red; none where the paper has no such line."""
    numbers = tuple(Number(mean, place=place, n=GAMES) for place, mean in enumerate(points))
    return Line(players, numbers, title)


def _table(
    name: str, title: str, lines: tuple[Line, ...], claims: tuple[Claim, ...] = (), **others: Any
) -> PaperTable:
    used = {player for line in lines for player in line.seats}
    return PaperTable(
        name,
        title,
        game={"name": "go", "size": 9, "colours": 3},
        players={player: spec for player, spec in PLAYERS.items() if player in used},
        lines=lines,
        claims=claims,
        games=GAMES,
        budget=1000,
        paper_budget="1,000 playouts a tree",
        **others,
    )


def _allies(scoring: str, third: str) -> tuple[str, ...]:
    return f"Alliance({scoring}) with white", f"Alliance({scoring}) with black", third


_S, _E, _M, _R, _P = "Surrounded", "Eye", "Pattern", "Rave", "Paranoid"

TABLE_1 = _table(
    "1",
    "Results for different UCT algorithms",
    (
        _line("three Surrounded", (_S, _S, _S), 29.78, 25.02, 26.20),
        _line("one Eye", (_E, _S, _S), 26.80, 27.76, 26.42),
        _line("two Eyes", (_S, _E, _E), 27.91, 28.66, 24.44),
        _line("Pattern first", (_M, _S, _S), 24.46, 33.31, 23.23),
        _line("Pattern second", (_S, _M, _S), 23.63, 23.82, 33.56),
        _line("one Rave", (_R, _S, _S), 36.40, 21.34, 23.26),
        _line("three Raves", (_R, _R, _R), 27.94, 26.74, 26.32),
        _line("three Raves of 10,000", ("Rave x 10",) * 3, 28.27, 27.13, 25.60),
    ),
    (
        Claim("Rave is far above UCT", more="one Rave", less="three Surrounded"),
        Claim("Patterns are worse than none", more="three Surrounded", less="Pattern first"),
        Claim(
            "Patterns favour who follows them, White",
            more="Pattern first",
            less="three Surrounded",
            place=1,
        ),
        Claim(
            "Patterns favour who follows them, Red",
            more="Pattern second",
            less="three Surrounded",
            place=2,
        ),
    ),
)
TABLE_2 = _table(
    "2",
    "Results for the Paranoid algorithm",
    (
        _line("one Paranoid", (_P, _R, _R), 31.71, 26.89, 22.38),
        _line("two Paranoids", (_P, _P, _R), 29.82, 28.48, 22.67),
        _line("three Paranoids", (_P, _P, _P), 29.11, 26.85, 25.04),
        _line("no Paranoid", (_R, _R, _R)),
    ),
    (
        Claim("Paranoid is better than Rave, as Black", more="one Paranoid", less="no Paranoid"),
        Claim(
            "Paranoid is better than Rave, as Red",
            more="three Paranoids",
            less="two Paranoids",
            place=2,
        ),
    ),
)
TABLE_3 = _table(
    "3",
    "Results for the Alliance algorithms",
    (
        _line("Normal, Paranoid", _allies("Normal", _P), 28.69, 25.09, 24.58),
        _line("Normal, Rave", _allies("Normal", _R), 32.15, 30.44, 14.56),
        _line("Allies, Paranoid", _allies("Allies", _P), 30.78, 29.85, 6.91),
        _line("Allies, Rave", _allies("Allies", _R), 32.88, 30.55, 2.64),
        _line("Joint, Paranoid", _allies("Joint", _P), 34.38, 33.12, 1.57),
        _line("Joint, Rave", _allies("Joint", _R), 35.61, 34.01, 0.30),
    ),
    tuple(
        Claim(text, more=more, less=less, place=place)
        for text, more, less, place in (
            (
                "An alliance by Allies crushes Paranoid",
                "Normal, Paranoid",
                "Allies, Paranoid",
                2,
            ),
            ("An alliance by Allies crushes Rave", "Normal, Rave", "Allies, Rave", 2),
            ("By Joint even more (Paranoid)", "Allies, Paranoid", "Joint, Paranoid", 2),
            ("By Joint even more (Rave)", "Allies, Rave", "Joint, Rave", 2),
            ("Black itself gets more by Joint", "Joint, Paranoid", "Allies, Paranoid", 0),
            ("White itself gets more by Joint", "Joint, Paranoid", "Allies, Paranoid", 1),
        )
    ),
)
_CONFIDENT = tuple(f"Confid({scoring})" for scoring in ("Normal", "Allies"))
TABLE_4 = _table(
    "4",
    "Results for the Confident algorithm",
    (
        _line("Normal, Paranoid", (_CONFIDENT[0],) * 2 + (_P,), 18.08, 23.84, 39.08),
        _line("Normal, Rave", (_CONFIDENT[0],) * 2 + (_R,), 17.75, 24.86, 38.40),
        _line("Allies, Paranoid", (_CONFIDENT[1],) * 2 + (_P,), 14.22, 17.67, 48.11),
        _line("Allies, Rave", (_CONFIDENT[1],) * 2 + (_R,), 10.99, 22.24, 45.97),
        _line("no Confident", (_R, _R, _P)),
    ),
    tuple(
        Claim(f"Rave beats Confident({scoring}), as {colour}", "no Confident", less, place=place)
        for scoring, less in (("Normal", "Normal, Paranoid"), ("Allies", "Allies, Paranoid"))
        for place, colour in enumerate(("Black", "White"))
    ),
)
TABLE_5 = _table(
    "5",
    "Results for the Symmetric Confident algorithm",
    (
        _line("Paranoid", ("Sym(Normal)",) * 2 + (_P,), 19.94, 16.67, 42.97),
        _line("Rave", ("Sym(Normal)",) * 2 + (_R,), 18.97, 19.54, 39.85),
        _line("no Symmetric", (_R, _R, _P)),
    ),
    tuple(
        Claim(f"Rave beats Symmetric, as {colour}", "no Symmetric", "Paranoid", place=place)
        for place, colour in enumerate(("Black", "White"))
    ),
)
_SAME = {scoring: f"Same({scoring})" for scoring in ("Normal", "Allies", "Joint")}
TABLE_6 = _table(
    "6",
    "Results for the Same algorithm",
    (
        _line("Normal, Rave", (_SAME["Normal"],) * 2 + (_R,), 25.38, 32.21, 23.34),
        _line("Normal, Paranoid", (_SAME["Normal"],) * 2 + (_P,), 25.61, 27.59, 27.79),
        _line("Allies, Rave", (_SAME["Allies"],) * 2 + (_R,), 32.53, 37.76, 4.73),
        _line("Allies, Paranoid", (_SAME["Allies"],) * 2 + (_P,), 30.83, 34.03, 10.28),
        _line("three by Allies", (_SAME["Allies"],) * 3, 35.78, 22.74, 17.92),
        _line("Joint, Rave", (_SAME["Joint"],) * 2 + (_R,), 35.32, 34.32, 0.58),
        _line("Joint, Paranoid", (_SAME["Joint"],) * 2 + (_P,), 33.62, 34.06, 1.70),
        _line("Allies, Joint, Paranoid", (_SAME["Allies"], _SAME["Joint"], _P), 64.96, 7.95, 4.76),
    ),
    (
        Claim(
            "Two Sames by Allies keep Paranoid low",
            more="Normal, Paranoid",
            less="Allies, Paranoid",
            place=2,
        ),
        Claim("By Joint even lower", more="Allies, Paranoid", less="Joint, Paranoid", place=2),
        Claim(
            "Same(Allies) gains where its partner plays Joint",
            more="Allies, Joint, Paranoid",
            less="Allies, Paranoid",
        ),
        Claim(
            "Same(Joint) loses where its partner plays Allies",
            more="Joint, Paranoid",
            less="Allies, Joint, Paranoid",
            place=1,
        ),
    ),
)

PAPER = Paper(
    "cazenave2008",
    "T. Cazenave: Multiplayer Go. Computers and Games 2008, LNCS 5131, 50-59.",
    (TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5, TABLE_6),
    notes=(
        (
            f"Not in the paper and set here: exploration constant {C} on points / 81, a node a playout, "
            "fresh trees, the most visited move, a pass only where nothing else is left."
        ),
        "Games are counted normally. The budget is each tree's, as in his section 5.4.",
    ),
)
