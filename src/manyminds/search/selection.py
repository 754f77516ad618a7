"""Selection rules: what a child is worth to the seat that chooses among its siblings.

A rule is a function of one child's numbers,

    value(mean, visits, square, rave_mean, rave_visits, log_ratio, parameters) -> float

mean: its mean reward to the chooser (by the search's weights), visits > 0: its simulations, square: its
mean squared reward (only kept for rules that ask), rave_mean and rave_visits: the same over all playouts
in which the chooser made this move later (dito), log_ratio: log N / n, the logarithm of the parent's
visits over the child's. A child without visits has the value of its RAVE, or the first-play urgency
when it has none either.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from manyminds.core.errors import UsageError
from manyminds.core.kernel import inline, kernel
from manyminds.core.kernel_set import Kernels
from manyminds.core.record import record
from manyminds.games.defaults import arity

NO_RAVE, SQUARE_ROOT, LEAST_SQUARES = 0, 1, 2

PARAMETERS = record(
    exploration="float64",  # C of Filip's eq. 2.4
    tuned="uint8",  # 1: the bonus of UCB1-Tuned instead
    blend="uint8",  # how RAVE fades: NO_RAVE, SQUARE_ROOT (Cazenave 2.2) or LEAST_SQUARES
    k="float64",  # SQUARE_ROOT: visits at which RAVE still has half its weight
    rave_initial="float64",  # LEAST_SQUARES: weight of a first RAVE visit
    rave_final="float64",  # LEAST_SQUARES: visits that all RAVE visits together may count for
    first_play_urgency="float64",
    select_after="uint32",  # T_s: below so many visits a node follows the playout's step
    expand_after="uint32",  # T_e: a leaf gets children when it has so many visits
    playouts="uint32",  # from each leaf
    playout_limit="uint32",  # turns of a playout
    virtual_loss="uint32",  # lost playouts that count while a thread is on its way through a node
    uses_rave="uint8",
    uses_squares="uint8",
    child_visits="uint32",  # log N counts so many more for each child: what a prior begins with, roughly
    rave_fades="uint8",  # 1: a later move counts for less, and not one that an opponent made before
    ref="uint32",  # below so many visits a node judges moves by the root's AMAF, not by its own RAVE
    amaf_kept="float64",  # the part of the root's AMAF that goes on when the root moves on
    own_reward="uint8",  # 1: each seat maximises its own team's reward, so weights need not be looked at
    own="float64[8]",  # constants of a user's rule
)


@inline
def _bonus(mean, square, log_ratio, p):
    """C sqrt(log N / n), or UCB1-Tuned's sqrt(log N / n min(1/4, V)) (Marcolino & Matsubara, eq. 1)."""
    if p.tuned:
        spread = max(0.0, square - mean * mean) + math.sqrt(2.0 * log_ratio)
        return math.sqrt(log_ratio * min(0.25, spread))
    return p.exploration * math.sqrt(log_ratio)


@inline
def _rave_weight(visits, rave_visits, p):
    """How much RAVE counts: sqrt(k / (3 n + k)) (Cazenave 2.2), or R / (n (1 / a + R / b) + R)."""
    if p.blend == SQUARE_ROOT:
        return math.sqrt(p.k / (3.0 * visits + p.k))
    return rave_visits / (
        visits * (1.0 / p.rave_initial + rave_visits / p.rave_final) + rave_visits
    )


@inline
def standard_value(mean, visits, square, rave_mean, rave_visits, log_ratio, p):
    """UCB1, UCT, UCB1-Tuned, with RAVE or without, by the parameters."""
    value = mean + _bonus(mean, square, log_ratio, p)
    if p.blend == NO_RAVE or rave_visits == 0.0:
        return value
    weight = _rave_weight(visits, rave_visits, p)
    return weight * rave_mean + (1.0 - weight) * value


def worth_by(value: Any) -> Any:
    """What the search asks of a rule: the same by totals, in which a rule may do with fewer divisions.

    log_parent: log N. A child without visits is worth its RAVE; it has that at least.
    """

    @inline
    def worth(total, visits, square, rave_total, rave_visits, log_parent, p):
        rave_mean = rave_total / rave_visits if rave_visits > 0.0 else 0.0
        if visits == 0.0:
            return rave_mean
        share = 1.0 / visits
        return value(
            total * share, visits, square * share, rave_mean, rave_visits, log_parent * share, p
        )

    return worth


STANDARD = Kernels("standard", worth=worth_by(standard_value))


@inline
def engine_worth(total, visits, square, rave_total, rave_visits, log_parent, p):
    """Fuego's: the mean blended with RAVE, and C sqrt(log N / (n + 1)) beside both.

    w = R / (n g + R) with g = 1 / a + R / b, so that the blend of RAVE's total and the visits' is
    (total_R + g total) / (n g + R).
    """
    growth = 1.0 / p.rave_initial + rave_visits * (1.0 / p.rave_final)
    value = (rave_total + growth * total) / (visits * growth + rave_visits)
    if p.exploration > 0.0 and visits > 0.0:
        value += p.exploration * math.sqrt(log_parent / (visits + 1.0))
    return value


ENGINE = Kernels("engine", worth=engine_worth)


@dataclass(frozen=True)
class Selection:
    """A selection rule with its constants, as a search takes it."""

    title: str
    kernels: Kernels = STANDARD
    constants: Mapping[str, Any] = field(default_factory=dict)
    rave: bool = False
    squares: bool = False

    def parameters(self, **others: Any) -> Any:
        """The record that the search kernel reads."""
        values = PARAMETERS.new()
        values.uses_rave, values.uses_squares = self.rave, self.squares
        values.first_play_urgency = math.inf
        for name, value in {**self.constants, **others}.items():
            values[name] = value
        return values


def uct(c: float = 0.15) -> Selection:
    """Filip's eq. 2.4: mean + C sqrt(log N / n)."""
    return Selection("uct", constants={"exploration": _constant(c)})


def ucb1() -> Selection:
    """UCB1: UCT with C = sqrt(2)."""
    return Selection("ucb1", constants={"exploration": math.sqrt(2.0)})


def ucb1_tuned() -> Selection:
    """UCB1-Tuned, which bounds the bonus by the rewards' spread (Marcolino & Matsubara, eq. 1)."""
    return Selection("ucb1-tuned", constants={"tuned": 1}, squares=True)


def rave(
    k: float = 1000.0,
    c: float = 0.1,
    weighting: str = "cazenave",
    a: float = 1.0,
    b: float = 5000.0,
    ref: int = 0,
    keep: float = 0.0,
) -> Selection:
    """UCT blended with RAVE: Cazenave's beta with `k`, or `weighting="mse"` with a first and final weight.

    ref: a node with fewer visits judges moves by what the root knows of them (after GRAVE, Cazenave 2015).
    keep: the part of that which goes on with every move that is played.
    """
    blends = {"cazenave": SQUARE_ROOT, "mse": LEAST_SQUARES}
    if weighting not in blends:
        raise UsageError(f'weighting is "cazenave" or "mse", not "{weighting}"')
    for name, constant in {"k": k, "a": a, "b": b}.items():
        if not 0 < constant < math.inf:
            raise UsageError(f"RAVE's {name} is a number above 0, not {constant}")
    if int(ref) != ref or not 0 <= ref < 2**32:
        raise UsageError(f"RAVE's ref is a whole number of visits from 0 up, not {ref}")
    if not 0 <= keep <= 1:
        raise UsageError(f"RAVE's keep is a part from 0 to 1, not {keep}")
    constants = {
        "exploration": _constant(c),
        "blend": blends[weighting],
        "k": k,
        "rave_initial": a,
        "rave_final": b,
        "ref": int(ref),
        "amaf_kept": float(keep),
    }
    return Selection("rave", constants=constants, rave=True)


def engine(
    c: float = 0.0,
    a: float = 1.0,
    b: float = 5000.0,
    fades: bool = True,
    child_visits: int = 12,
) -> Selection:
    """RAVE as Fuego has it: `a` and `b` as in `rave`, the bonus beside the blend.

    fades: a playout's move counts 2 for RAVE where it came at once, 1 where it came last, and not at all
    where an opponent had played there before. child_visits: of a prior, which N counts with.
    """
    for name, constant in {"a": a, "b": b}.items():
        if not 0 < constant < math.inf:
            raise UsageError(f"RAVE's {name} is a number above 0, not {constant}")
    constants = {
        "exploration": _constant(c),
        "blend": LEAST_SQUARES,
        "rave_initial": a,
        "rave_final": b,
        "rave_fades": fades,
        "child_visits": child_visits,
    }
    return Selection("engine", ENGINE, constants, rave=True)


def selection(
    value: Callable[..., float],
    *constants: float,
    title: str = "own",
    rave: bool = False,
    squares: bool = False,
) -> Selection:
    """A rule of one's own: a function as at the head of this page; `parameters.own` holds the constants."""
    if not callable(value) or arity(getattr(value, "py_func", value)) != 7:
        raise UsageError(
            "a selection rule is a function of mean, visits, square, rave_mean, rave_visits, "
            "log_ratio and parameters"
        )
    if len(constants) > 8:
        raise UsageError(f"a selection rule has room for 8 constants, not {len(constants)}")
    own = [float(constant) for constant in constants] + [0.0] * (8 - len(constants))
    compiled = value if hasattr(value, "py_func") else kernel(value)
    return Selection(title, Kernels(title, worth=worth_by(compiled)), {"own": own}, rave, squares)


def _constant(c: float) -> float:
    if not 0 <= c < math.inf:
        raise UsageError(f"the exploration constant is a number from 0 up, not {c}")
    return float(c)
