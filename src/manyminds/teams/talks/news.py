"""Mates that tell node by node what is new, the most valuable first, as fast as the channel carries it.

The thesis's future work (5.1): instead of a whole cut at a time, the nodes of which the others know least;
only what changed; and a rate that follows what arrives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from manyminds.search.exchange import taken_dtype
from manyminds.search.tree import received_dtype, reserve
from manyminds.teams import news
from manyminds.teams.flow import Flow, Hearing
from manyminds.teams.mate import Habits
from manyminds.teams.message import HEADER_BYTES, MOST_BYTES
from manyminds.teams.news_wire import head_bytes, most_rows, pack_news, unpack_news

if TYPE_CHECKING:
    from manyminds.search.search import Search
    from manyminds.teams.mate import Heard, Mate

LEAST_NEWS = 0.5  # visits; what the others lack less of is not told
MOST_ROWS = 4000  # of a message
_SAY_NEW = 3  # messages, since one may be lost
_CANDIDATES = 16  # for each row, among whom the next one is found
_REAL = np.dtype(np.float32)
_EARS_EVERY, _EARS_FIRST = 8, 64  # messages between two that say what was heard; at first all do


class NewsTalk:
    """Says at most `size` bytes at a time, and no less than `least` if the channel is slow.

    changes: tell a node again only for what the others lack; without, for all the work in it, as cuts do.
    adapt: send less while less arrives than usual.
    """

    def __init__(
        self, size: int = 1200, least: int = 256, changes: bool = True, adapt: bool = True
    ) -> None:
        self.size, self.least = min(size, MOST_BYTES), min(least, size)
        self.changes, self.adapt = changes, adapt
        self.habits = Habits(kind=5, latest=False, needs={"social": True}, cost=(0.5, 0.0003))

    def begin(self, mate: Mate) -> None:
        self.mate = mate
        self.flow = Flow()
        self.hearing = Hearing()
        self.tables: Tables | None = None
        self.moves: list[int] = []
        self.new = 0  # messages that still say that the tree is new

    def moved(self, moves: tuple[int, ...] | None) -> None:
        if moves is None:
            self.tables = None
        else:
            self.moves.extend(moves)

    def say(self, room: int) -> list[bytes]:
        tables, slots = self._tables(), self.mate.tree.kernels.slots
        if self.adapt and not self.flow.allows(room >= MOST_BYTES):
            return []
        serial = self.flow.serial
        ears = self.hearing.ears() if serial % _EARS_EVERY == 0 or serial < _EARS_FIRST else {}
        room = min(max(room, self.least), self.size)
        room -= HEADER_BYTES + head_bytes(len(ears))
        rows, nodes = tables.pick(self.mate.tree, max(room, 0) // (6 + 2 * (slots > 2)))
        n = most_rows(rows, room, slots)
        if n < 2:  # the root alone helps nobody to choose
            return []
        if self.changes:
            tables.tell(nodes[:n], self.flow.arrives)
        new, self.new = self.new > 0, max(self.new - 1, 0)
        return [pack_news(rows[:n], self.flow.next_serial(), ears, slots, new)]

    def hear(self, heard: Heard) -> None:
        tree = self.mate.tree
        said = unpack_news(heard.payload, tree.kernels.slots)
        self.hearing.note(heard.sender, said.serial)
        ear = said.ears.get(self.mate.seat)
        if ear is not None:
            self.flow.told(heard.sender, ear)
        if said.new:
            self._tables().tell_all_again()
        rows = said.rows
        for move in heard.moves:
            rows = _below(rows, move)
        if len(rows):
            self._tables().take(tree, heard.sender, rows)

    def weights(self) -> dict[int, float]:
        return {}

    def _tables(self) -> Tables:
        """The tables, of the tree as it is now."""
        tree = self.mate.tree
        moves, self.moves = self.moves, []
        if self.tables is not None and not self.tables.follow(tree, moves):
            self.tables = None
        if self.tables is None:
            self.tables, self.new = Tables(tree), _SAY_NEW
        return self.tables


class Tables:
    """What others are expected to know of each node of a tree, and what each of them said of it."""

    def __init__(self, search: Search) -> None:
        self.tree = search.tree
        self.heard = reserve(len(self.tree.nodes), _REAL)
        self.below = reserve(len(self.tree.nodes), _REAL)
        self.said: dict[int, Any] = {}

    def pick(self, search: Search, most: int) -> tuple[Any, np.ndarray]:
        """The root and at most so many nodes of most news, as rows, and their numbers."""
        most = min(max(most, 1), MOST_ROWS) + 1
        rows = np.zeros(most, taken_dtype(search.kernels.slots)).view(np.recarray)
        nodes = np.zeros(most, np.uint32)
        keys = np.zeros(most * _CANDIDATES, np.float32)
        heap = np.zeros((len(keys), 2), np.uint32)
        n = news.pick_news(
            search.kernels,
            search.tree,
            self.heard,
            self.below,
            rows,
            nodes,
            keys,
            heap,
            LEAST_NEWS,
        )
        return rows[:n], nodes[:n]

    def tell(self, nodes: np.ndarray, arrives: float) -> None:
        """These were told, which arrive with a chance of so much."""
        news.count_told(self.tree, self.heard, self.below, nodes, arrives, LEAST_NEWS)

    def tell_all_again(self) -> None:
        """Somebody knows nothing."""
        used = int(self.tree.head.used)
        self.heard[:used] = 0
        self.below[:used] = 0

    def take(self, search: Search, sender: int, rows: Any) -> int:
        """Take a sender's rows in; how many were new."""
        if sender not in self.said:
            self.said[sender] = self._table(search)
        nodes = np.zeros(len(rows), np.uint32)
        return int(
            news.take_news(
                search.kernels,
                search.tree,
                search.desk,
                search.settings,
                rows,
                nodes,
                self.said[sender],
            )
        )

    def follow(self, search: Search, moves: list[int]) -> bool:
        """Go along with a tree whose root moved so, or that dropped nodes; False when that is not it."""
        old, new = self.tree, search.tree
        if new is old:
            return not moves
        root = news.node_below(old, np.array(moves, np.uint32))
        if moves and root == 0:
            return False
        places = np.zeros(int(new.head.used), np.uint32)
        news.renumber(old, new, root, places)
        lost = places == 0  # grown since
        lost[0] = False
        self.tree = new
        self.heard, self.below = (self._moved(t, places, lost) for t in (self.heard, self.below))
        self.said = {seat: self._moved(table, places, lost) for seat, table in self.said.items()}
        self._forget_dropped(len(places))
        return True

    def _moved(self, table: Any, places: np.ndarray, lost: np.ndarray) -> Any:
        """A table by the new numbers of nodes; zeros for new ones."""
        moved = reserve(len(self.tree.nodes), table.dtype)
        moved[: len(places)] = table[places]
        moved[: len(places)][lost] = np.zeros((), table.dtype)
        return moved

    def _forget_dropped(self, used: int) -> None:
        """Nodes that were dropped and have grown again know nothing of what was received or told before."""
        received = self.tree.received["visits"][:used].astype(np.int64)
        total = sum((t["visits"][:used].astype(np.int64) for t in self.said.values()), 0 * received)
        gone = np.flatnonzero(total > received)
        for table in self.said.values():
            table[gone] = np.zeros((), table.dtype)
        own = self.tree.nodes["visits"][:used] - received
        np.minimum(self.heard[:used], own, out=self.heard[:used], casting="unsafe")

    def _table(self, search: Search) -> Any:
        return reserve(len(search.tree.nodes), received_dtype(search.kernels.slots))


def _below(rows: Any, move: int) -> Any:
    """What rows say of the position after a move from their root; nothing where they do not reach it."""
    places: dict[int, int] = {}
    kept: list[int] = []
    for row, (above, first) in enumerate(
        zip(rows["parent"].tolist(), rows["move"].tolist(), strict=True)
    ):
        if row and ((above == 0 and not kept and first == move) or above in places):
            places[row] = len(kept)
            kept.append(row)
    left = rows[kept].copy()
    if len(left):
        left["parent"] = [0, *(places[int(above)] for above in left["parent"][1:])]
    return left.view(np.recarray)
