"""Who runs the simulations of a search that is not run by its caller alone (those of parallel/)."""

from __future__ import annotations

from typing import Any, Protocol


class Crew(Protocol):
    """Several threads on one search's tree. It belongs to that search.

    virtual_loss: lost playouts that count while a thread is on its way through a node. locks: whether it
    needs a lock for each node. results: whether the search can tell its results one by one.
    """

    virtual_loss: int
    locks: bool
    results: bool

    def run(self, search: Any, simulations: int) -> None:
        """Add so many simulations, of all playouts that the parameters say, to the search's tree."""

    def copy(self) -> Crew:
        """One that goes on as this one would, for a copy of the search."""
