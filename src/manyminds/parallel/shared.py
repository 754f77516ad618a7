"""Tree parallelization: several threads on one tree (Filip 2013, 2.3.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from manyminds.core.atomics import atomic_add, load_acquire, store_release
from manyminds.core.errors import Failure
from manyminds.core.kernel import bare_entry
from manyminds.core.kernel_set import Kernels
from manyminds.parallel.access import STOPPED, STUCK
from manyminds.parallel.desks import copies_of, desks_beside
from manyminds.parallel.threads import Threads
from manyminds.search.desk import Desk
from manyminds.search.loop import run

_BATCH = 16  # simulations that a thread takes on at once: what the others may have to wait for at the end


@bare_entry
def share(game, rule, access, tree, desk, p, settings, simulations, batch):
    """Take on simulations, a batch at a time, until all of the run's are taken or all stop."""
    while load_acquire(tree.head, "stop") == 0:
        first = int(atomic_add(tree.head, "taken", np.uint64(batch)))
        if first >= simulations:
            return
        run(game, rule, access, tree, desk, p, settings, min(batch, simulations - first))


class SharedTree:
    """A crew whose threads search one tree by a set of parallel/access.py. No update is lost.

    Which thread comes first decides what the others see, so that two runs are not alike.
    """

    results = False

    def __init__(
        self, threads: int, access: Kernels, virtual_loss: int = 0, locks: bool = False
    ) -> None:
        self.access, self.virtual_loss, self.locks = access, virtual_loss, locks
        self.threads = Threads(threads)
        self._desks: list[Desk] = []

    def run(self, search: Any, simulations: int) -> None:
        tree, rule, p = search.tree, search.selection.kernels, search.parameters
        desks = self._all_desks(search)
        batch = max(1, min(_BATCH, simulations // (4 * self.threads.n)))
        tree.head.taken, tree.head.stop = 0, 0

        def work(k: int) -> None:
            share(
                search.kernels, rule, self.access, tree, desks[k], p, search.settings,
                simulations, batch,
            )  # fmt: skip

        self.threads.run(work, lambda: stop(tree.head))
        if int(tree.head.stop) == STUCK:
            raise Failure("a lock in the tree did not come free; the search starts anew")
        tree.head.simulations += np.uint64(simulations * int(p.playouts))

    def copy(self) -> SharedTree:
        twin = SharedTree(self.threads.n, self.access, self.virtual_loss, self.locks)
        twin._desks = copies_of(self._desks)
        return twin

    def _all_desks(self, search: Any) -> list[Desk]:
        """The search's own and the other threads', all with its root."""
        if not self._desks:
            self._desks = desks_beside(search.desk, self.threads.n - 1)
        put_root(search, self._desks)
        return [search.desk, *self._desks]


def put_root(search: Any, desks: list[Desk]) -> None:
    """Give the desks the search's root."""
    for desk in desks:
        for name in desk.root.dtype.names:
            desk.root[name] = search.desk.root[name]


def stop(head: Any) -> None:
    """Make all threads that look at this record leave off."""
    store_release(head, "stop", STOPPED)
