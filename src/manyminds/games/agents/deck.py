"""A database as compiled playouts read it: orders as data, and one draw for every step.

A game's settings have the fields of `FIELDS`. An order is one number: five bits for each heuristic,
the first lowest; a heuristic is known by its place among those compiled in, counted from 1; 0 ends the
order. An agent is drawn with a single random number however the weights are (Walker's alias method):
its upper part is an agent, its lower part says whether that one or its stand-in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from manyminds.core.errors import UsageError
from manyminds.core.kernel import bare_apart, inline
from manyminds.core.random import draw
from manyminds.games.agents.agent import MOST_RULES, Agent

MOST_AGENTS = 512  # there are 326 orders of subsets of five
MOST_KINDS = 16  # different heuristics of one game's databases
BITS = 5

FIELDS = {
    "agents": "uint32",  # how many
    "odds": f"uint32[{MOST_AGENTS}]",  # an agent stands for itself below this, in 2**-32
    "stand_in": f"uint16[{MOST_AGENTS}]",
    "orders": f"uint64[{MOST_AGENTS}]",
}

_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@inline
def draw_agent(deck, rng):
    """The order of an agent, each drawn as often as its weight says."""
    n = deck.agents
    if n == 1:
        return deck.orders[0]
    share = draw(rng) * np.uint64(n)
    k = np.uint32(share >> _32)
    k = k if (share & _LOW) < deck.odds[k] else np.uint32(deck.stand_in[k])
    return deck.orders[k]


def chain(kernels: Sequence[Any]) -> Any:
    """One kernel `ask(which, state, out) -> n` for heuristics that are known by their places from 1.

    One function with a branch for each, since the compiler works on all that a function reaches anew
    for every function on the way there.
    """
    rest = [_declines] * (MOST_KINDS - len(kernels))
    return _ask_one_of(*kernels, *rest)


@inline
def _declines(state, out):
    return 0


def _ask_one_of(
    h1: Any, h2: Any, h3: Any, h4: Any, h5: Any, h6: Any, h7: Any, h8: Any,
    h9: Any, h10: Any, h11: Any, h12: Any, h13: Any, h14: Any, h15: Any, h16: Any,
) -> Any:  # fmt: skip
    @bare_apart
    def ask(which, state, out):
        n = 0
        if which <= 8:
            if which == 1:
                n = int(h1(state, out))
            elif which == 2:
                n = int(h2(state, out))
            elif which == 3:
                n = int(h3(state, out))
            elif which == 4:
                n = int(h4(state, out))
            elif which == 5:
                n = int(h5(state, out))
            elif which == 6:
                n = int(h6(state, out))
            elif which == 7:
                n = int(h7(state, out))
            elif which == 8:
                n = int(h8(state, out))
        elif which == 9:
            n = int(h9(state, out))
        elif which == 10:
            n = int(h10(state, out))
        elif which == 11:
            n = int(h11(state, out))
        elif which == 12:
            n = int(h12(state, out))
        elif which == 13:
            n = int(h13(state, out))
        elif which == 14:
            n = int(h14(state, out))
        elif which == 15:
            n = int(h15(state, out))
        elif which == 16:
            n = int(h16(state, out))
        return n

    return ask


def code_of(agent: Agent, places: Mapping[str, int]) -> int:
    """An agent's order as a number; `places` are those of its heuristics, from 1."""
    assert len(agent) <= MOST_RULES
    assert max(places.values(), default=0) <= MOST_KINDS
    return sum(places[name] << (BITS * k) for k, name in enumerate(agent))


def fill_deck(
    deck: Any, agents: Sequence[Agent], weights: Sequence[float], places: Mapping[str, int]
) -> None:
    """Write agents and their weights (as many, all above 0) into a record that has the `FIELDS`."""
    n = len(agents)
    if not 1 <= n <= MOST_AGENTS:
        raise UsageError(f"a database has 1 to {MOST_AGENTS} agents, not {n}")
    deck.agents = n
    deck.orders[:n] = [code_of(agent, places) for agent in agents]
    odds, stand_in = _aliases(np.asarray(weights, float))
    deck.odds[:n] = odds
    deck.stand_in[:n] = stand_in


def _aliases(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Walker's tables: each agent's bar is filled up to the mean by one with more than the mean."""
    n = len(weights)
    bars = weights / weights.sum() * n
    odds, stand_in = np.full(n, 2**32 - 1, np.uint64), np.arange(n, dtype=np.uint16)
    low = [k for k in range(n) if bars[k] < 1]
    high = [k for k in range(n) if bars[k] >= 1]
    while low and high:
        short, rich = low.pop(), high[-1]
        odds[short], stand_in[short] = min(int(bars[short] * 2**32), 2**32 - 1), rich
        bars[rich] -= 1 - bars[short]
        if bars[rich] < 1:
            low.append(high.pop())
    return odds.astype(np.uint32), stand_in
