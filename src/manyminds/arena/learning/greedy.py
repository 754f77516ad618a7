"""Marcolino and Matsubara's learner: each agent is tried once, and stays if the share of wins rises."""

from __future__ import annotations

import random

import msgspec

from manyminds.arena.learning.course import Ask, Candidates, Course, Learner
from manyminds.core.errors import UsageError, nearest
from manyminds.core.random import derive


class Greedy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """games: of every set that is tried. together: how many agents are added at a time.

    order: "random", "given" (as the candidates are written), or a list of agents that come first, the
    others behind them in random order, as in the paper's second experiment.
    """

    games: int = 1000
    together: int = 1
    order: str | tuple[str, ...] = "random"

    def __post_init__(self) -> None:
        if self.games < 1 or self.together < 1:
            raise UsageError("greedy: games and together are at least 1")
        if isinstance(self.order, str) and self.order not in ("random", "given"):
            raise UsageError('greedy: order is "random", "given", or a list of agents')


def greedy(candidates: Candidates, settings: Greedy) -> Course:
    """Hill climbing over sets: the best measured share so far is the bar for the next one."""
    chosen = candidates.start
    best = (yield Ask({chosen: settings.games}, chosen, "the default agent"))[chosen].share
    order = in_order(candidates, settings.order)
    for at in range(0, len(order), settings.together):
        new = order[at : at + settings.together]
        tried = chosen.with_agents(*new)
        note = f"agent {at + 1} of {len(order)}, best share so far {100 * best:.2f} %"
        share = (yield Ask({tried: settings.games}, chosen, note))[tried].share
        if share > best:
            chosen, best = tried, share
    return chosen


def in_order(candidates: Candidates, order: str | tuple[str, ...]) -> list[str]:
    """The agents beyond those of the start, in the order in which they are tried."""
    left = [name for name in candidates.agents if name not in candidates.start]
    if order == "given":
        return left
    random.Random(derive(candidates.seed, "order")).shuffle(left)
    first = [] if isinstance(order, str) else list(order)
    for name in first:
        if name not in left:
            raise UsageError(f'greedy: order has "{name}"; {nearest(name, left)}')
    return first + [name for name in left if name not in first]


GREEDY = Learner(greedy, Greedy)
