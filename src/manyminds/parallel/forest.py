"""A tree for each worker, which looks from outside like one search.

The first search answers for all. What the others found is put into it when somebody asks, and taken out
again before it goes on, so that every tree grows from its own work, or from what `grow` passes on.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from manyminds.core.budget import Budget
from manyminds.games.contract import JointMove
from manyminds.parallel.threads import Threads
from manyminds.search.exchange import Cut
from manyminds.search.search import Search

_CUT_BYTES = 16_384  # of a cut where nature moves at the root


class Tree(Protocol):
    """What a forest asks of its other trees; a Search, or one in another process."""

    def run(self, *, budget: Budget) -> int: ...
    def next_moves(self, seat: int) -> Cut: ...
    def cut(self, size: int) -> Cut: ...
    def advance(self, joint: Any) -> bool: ...
    def meet(self, state: Any) -> bool: ...
    def forget(self) -> None: ...
    def copy(self) -> Any: ...


Grow = Callable[["Forest", Budget], int]


class Forest:
    """Several trees from the same state; `grow` spends a budget on them and counts the simulations.

    All that is not here is asked of the first tree with the others' roots in it. whole: each tree holds
    everybody's work already, and nothing has to be put together.
    """

    def __init__(
        self, first: Search, others: Sequence[Any], grow: Grow, *, whole: bool = False
    ) -> None:
        self.first, self.others = first, list(others)
        self.grow, self.whole = grow, whole
        self.threads = Threads(1 + len(self.others))
        self._seat: int | None = None  # the seat for whose choice the trees are together
        self._cuts: list[Cut] = []

    @property
    def trees(self) -> list[Any]:
        """All of them, the one that answers first."""
        return [self.first, *self.others]

    def run(
        self,
        simulations: int | None = None,
        milliseconds: float | None = None,
        nodes: int | None = None,
        budget: Budget | None = None,
    ) -> int:
        """Search for a budget, which is shared among the trees (time: each has it); how many simulations."""
        if budget is None:
            budget = Budget(simulations=simulations, milliseconds=milliseconds, nodes=nodes)
        self._apart()
        try:
            return self.grow(self, budget)
        except BaseException:
            self.forget()
            raise

    def advance(self, joint: JointMove | Sequence[int] | int) -> bool:
        """Play a joint move, or the mover's; False when play left the first tree."""
        self._apart()
        return all([tree.advance(joint) for tree in self.trees][:1])

    def meet(self, state: Any) -> bool:
        """Make the root this state; False when the first tree starts anew."""
        self._apart()
        return all([tree.meet(state) for tree in self.trees][:1])

    def next_moves(self, seat: int) -> Cut:
        """The next-move cut of all trees together."""
        return self.together(seat).next_moves(seat)

    def best_of(self, seat: int) -> int:
        """A seat's most visited next move, by all trees together."""
        return self.together(seat).best_of(seat)

    def forget(self) -> None:
        """Start anew at the present root."""
        self._cuts, self._seat = [], None
        for tree in self.trees:
            tree.forget()

    def copy(self) -> Forest:
        """A forest that goes on as this one would."""
        self._apart()
        twin = copy.copy(self)
        twin.first, twin.others = self.first.copy(), [tree.copy() for tree in self.others]
        twin.threads = Threads(self.threads.n)
        twin._cuts, twin._seat = [], None
        return twin

    def together(self, seat: int | None = None) -> Search:
        """The first tree with the others' next-move cuts for a seat in it; by default who chooses now."""
        chooser = int(self.first.tree.nodes[0].seat)
        wanted = chooser if seat is None else seat
        if not self.whole and (self._seat is None or (seat is not None and wanted != self._seat)):
            self._apart()
            self._cuts = [
                tree.next_moves(wanted) if chooser >= 0 else tree.cut(_CUT_BYTES)
                for tree in self.others
            ]
            for cut in self._cuts:
                self.first.absorb(cut)
            self._seat = wanted
        return self.first

    def _apart(self) -> None:
        for cut in self._cuts:
            self.first.retract(cut)
        self._cuts, self._seat = [], None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.together(), name)


def grow_apart(forest: Forest, budget: Budget) -> int:
    """Root parallelization (Filip 2013, 2.3.3): every tree by itself, its share of the budget."""
    shares = shares_of(budget, forest.threads.n)
    made = [0] * forest.threads.n

    def work(k: int) -> None:
        share = shares[k]
        if share is not None:
            made[k] = forest.trees[k].run(budget=share)

    forest.threads.run(work)
    return sum(made)


def shares_of(budget: Budget, n: int) -> list[Budget | None]:
    """What each of n trees may spend; of what cannot be divided the first get one more."""
    if budget.milliseconds is not None:
        return [budget] * n
    amount = int(budget.simulations or budget.nodes or 0)
    kind = "nodes" if budget.simulations is None else "simulations"
    parts = [amount // n + (k < amount % n) for k in range(n)]
    return [Budget(**{kind: part}) if part else None for part in parts]
