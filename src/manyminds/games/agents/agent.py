"""Playout agents: heuristics in an order, written N-AC-AD-L-P, and the numbers of the full orders.

An agent asks its heuristics one after the other; the first that has a candidate decides the step.

Full orders of n heuristics are numbered as in a dictionary whose letters are the heuristics in their
usual order: of Go's N, AC, AD, L, P, order 0 is N-AC-AD-L-P, 1 is N-AC-AD-P-L, and 119 is P-L-AD-AC-N.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from manyminds.core.errors import UsageError, nearest

Agent: TypeAlias = tuple[str, ...]

FIVE: Agent = ("N", "AC", "AD", "L", "P")  # Fuego's, in its order: the default agent
MOST_RULES = 12  # heuristics of one agent
RANDOM = "random"  # the name of the agent that has no heuristic


def name_of(agent: Sequence[str]) -> str:
    """An agent as people write it."""
    return "-".join(agent) or RANDOM


def parse_agent(text: str, known: Collection[str]) -> Agent:
    """The agent that is written so; `known` are its game's heuristics.

    Where the names of heuristics have hyphens themselves, the longest name that fits counts.
    """
    if text == RANDOM or not text:
        return ()
    words = text.split("-")
    found: list[str] = []
    at = 0
    while at < len(words):
        size = next(
            (n for n in range(len(words) - at, 0, -1) if "-".join(words[at : at + n]) in known), 0
        )
        if not size:
            word = words[at]
            raise UsageError(
                f'agent "{text[:80]}": there is no heuristic "{word[:40]}"; {nearest(word[:40], known)}'
            )
        found.append("-".join(words[at : at + size]))
        at += size
    return checked(tuple(found), known)


def checked(agent: Sequence[str], known: Collection[str]) -> Agent:
    """The agent, if its heuristics are known and none comes twice."""
    for name in agent:
        if name not in known:
            raise UsageError(
                f'there is no heuristic "{str(name)[:40]}"; {nearest(str(name)[:40], known)}'
            )
    if len(set(agent)) < len(agent):
        raise UsageError(f"agent {name_of(agent)} has a heuristic twice; the second is never asked")
    if len(agent) > MOST_RULES:
        raise UsageError(f"an agent has at most {MOST_RULES} heuristics, not {len(agent)}")
    return tuple(agent)


def all_orders(heuristics: Sequence[str] = FIVE) -> list[Agent]:
    """All full orders of these heuristics, each at the place of its number."""
    return list(itertools.permutations(heuristics))


def ordered_subsets(heuristics: Sequence[str] = FIVE) -> Iterator[Agent]:
    """Any order of any subset: first the full orders, at last the agent without heuristics."""
    for size in range(len(heuristics), -1, -1):
        yield from itertools.permutations(heuristics, size)


def number_of(agent: Sequence[str], heuristics: Sequence[str] = FIVE) -> int:
    """The number of a full order."""
    if sorted(agent) != sorted(heuristics):
        raise UsageError(
            f"{name_of(agent)} is no full order of {', '.join(heuristics)}, and only those are numbered"
        )
    left, number = list(heuristics), 0
    for name in agent:
        number = number * len(left) + left.index(name)
        left.remove(name)
    return number


def order_numbered(number: int, heuristics: Sequence[str] = FIVE) -> Agent:
    """The full order of that number."""
    orders = all_orders(heuristics)
    if not 0 <= number < len(orders):
        raise UsageError(f"full orders are numbered 0 to {len(orders) - 1}, not {number}")
    return orders[number]
