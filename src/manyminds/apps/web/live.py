"""A table with its pages: passes on what people say, wakes programs, watches clocks, tells what is new."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import msgspec

from manyminds.apps.web import protocol, view
from manyminds.apps.web.event import Thought
from manyminds.apps.web.job import Job
from manyminds.apps.web.limits import NAME_CHARACTERS, Limits
from manyminds.apps.web.page import Page
from manyminds.apps.web.refused import Refused
from manyminds.apps.web.table import COUNTING, FAILED, LATE, OVER, PLAYING, RESIGNED, Table
from manyminds.apps.web.thinking import NoAnswer, Pool
from manyminds.players.readable import readable

_encode = msgspec.json.Encoder().encode
HINT_PLAYER = "rave@1s"
MOST_FAILURES = 2  # in a row, after which a program has left the game
SECTIONS = ("turn", "seats", "clock", "question", "count", "result", "watchers", "thinking")


def hash_of(key: str) -> str:
    """What is kept of a seat's key."""
    return hashlib.sha256(key.encode()).hexdigest()


class LiveTable:
    """One table in memory. `pages` are those that look at it now."""

    def __init__(self, table: Table, pool: Pool, limits: Limits, now: Callable[[], float]) -> None:
        self.table, self.pool, self.limits, self.now = table, pool, limits, now
        self.pages: set[Page] = set()
        self.told: dict[str, bytes] = {}
        self.task: asyncio.Task[None] | None = None  # of the program whose turn it is
        self.timer: asyncio.TimerHandle | None = None
        self.hinting: set[asyncio.Task[None]] = set()
        self.failures = 0
        self.note = ""  # what went wrong with a program last
        self.proposed = -1  # the move after which dead stones were asked for
        self.counting_since = 0.0
        self.moves: list[bytes] = []  # as they are sent
        self.undone = table.undone
        self.untouched = now()
        self._about = _encode(view.about(table))
        self.refresh()

    # --- pages -----------------------------------------------------------------------------------

    def join(self, page: Page, key: str) -> None:
        """A page sits down, or watches."""
        page.seat = self._seat_of(key) if key else None
        self.pages.add(page)
        page.news = {"about", "you", "moves", "thought", *SECTIONS}
        page.wake.set()
        self.refresh()

    def leave(self, page: Page) -> None:
        """A page is gone."""
        self.pages.discard(page)
        self.untouched = self.now()
        self.refresh()

    def _seat_of(self, key: str) -> int:
        hashed = hash_of(key)
        for seat, one in enumerate(self.table.seats):
            if one.key_hash and hmac.compare_digest(one.key_hash, hashed):
                return seat
        raise Refused("this link seats nobody at this table", 403)

    def close(self, why: str) -> None:
        """The server ends, or has no room: pages are told, programs stopped."""
        for page in self.pages:
            page.close(why)
        for task in filter(None, (self.task, *self.hinting)):
            task.cancel()
        if self.timer is not None:
            self.timer.cancel()

    # --- what people say -------------------------------------------------------------------------

    def hear(self, page: Page, text: str) -> None:
        """Do what a page says, or raise Refused. What changed is told to all."""
        said = protocol.read_said(text)
        match said:
            case protocol.Sit():
                raise Refused("this page has said who it is")
            case protocol.Look():
                self._look(page, said.number)
                return
        if page.seat is None:
            raise Refused("who watches has no say in this game", 403)
        if isinstance(said, protocol.Hint):
            self._hint(page, page.seat)
        else:
            self._act(page.seat, said)
            self.refresh()

    def _act(self, seat: int, said: protocol.Said) -> None:
        table, now = self.table, self.now()
        match said:
            case protocol.Play():
                table.play(seat, said.move, said.number, now)
            case protocol.Resign():
                table.leave(seat, RESIGNED, now)
            case protocol.Undo():
                table.ask_undo(seat, now)
            case protocol.Answer():
                table.answer(seat, said.yes, now)
            case protocol.Mark():
                table.mark(seat, said.point, now)
            case protocol.Agree():
                table.agree(seat, set(said.dead), now)
            case protocol.PlayOn():
                table.go_on(seat, now)
            case protocol.Rename():
                table.rename(seat, readable(said.name, NAME_CHARACTERS), now)

    def _look(self, page: Page, number: int) -> None:
        thought = self.table.thoughts.get(number)
        if thought is not None and view.sees_thoughts(self.table, page.seat):
            page.answer(thought=view.thought(thought))

    # --- after every change ----------------------------------------------------------------------

    def refresh(self) -> None:
        """Tell pages what is new, watch the next deadline, and let the next program think."""
        self._wake_program()
        self._watch_time()
        news = self._new_sections()
        moves = len(self.table.course.moves)
        for page in self.pages:
            if page.knows != moves:
                page.tell("moves")
            if news:
                page.tell(*news)

    def _new_sections(self) -> set[str]:
        table = self.table
        online = [
            not one.person or any(page.seat == seat for page in self.pages)
            for seat, one in enumerate(table.seats)
        ]
        sections: dict[str, Any] = {
            "turn": view.turn(table),
            "seats": view.seats(table, online),
            "question": view.question(table),
            "count": view.count(table),
            "result": view.result(table),
            "watchers": sum(page.seat is None for page in self.pages),
            "thinking": {"seat": table.mover if self.task else None, "note": self.note},
            "clock": table.clock and [table.clock.left, table.clock.running, table.clock.since],
        }
        encoded = {name: _encode(value) for name, value in sections.items()}
        news = {name for name, data in encoded.items() if self.told.get(name) != data}
        self.told = encoded
        if self._new_moves():
            news.add("moves")
        return news

    def _new_moves(self) -> bool:
        """Encode the moves that are new; whether some that pages know are no longer so."""
        course = self.table.course
        if self.undone == self.table.undone:
            more = course.moves[len(self.moves) :]
            self.moves += [_encode(view.move(self.table, played)) for played in more]
            return False
        before, self.undone = self.moves, self.table.undone
        self.moves = [_encode(view.move(self.table, played)) for played in course.moves]
        same = 0
        while before[same : same + 1] == self.moves[same : same + 1] != []:
            same += 1
        for page in self.pages:
            page.knows = min(page.knows, same)
        return True

    def message(self, page: Page) -> bytes:
        """All that is new to a page, in one message."""
        news, page.news = page.news, set()
        parts = [b'"%s":%s' % (name.encode(), self._section(name, page)) for name in sorted(news)]
        return b"{%s}" % b",".join(parts)

    def _section(self, name: str, page: Page) -> bytes:
        if name == "about":
            return self._about
        if name == "clock":
            return _encode(view.clock(self.table, self.now()))
        if name == "you":
            return _encode({"seat": page.seat})
        if name == "thought":
            return self._last_thought(page)
        if name == "moves":
            first, page.knows = page.knows, len(self.moves)
            return b'{"from":%d,"moves":[%s]}' % (first, b",".join(self.moves[first:]))
        return self.told[name]

    def _last_thought(self, page: Page) -> bytes:
        if not self.table.thoughts or not view.sees_thoughts(self.table, page.seat):
            return b"null"
        return _encode(view.thought(self.table.thoughts[max(self.table.thoughts)]))

    # --- time ------------------------------------------------------------------------------------

    def _watch_time(self) -> None:
        """Wake up when the running clock's flag falls, or patience with silent people is over."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        table = self.table
        due = table.clock.flag() if table.clock and table.phase == PLAYING else None
        if table.phase == COUNTING:
            self.counting_since = self.counting_since or self.now()
            due = self.counting_since + self.limits.answers
        else:
            self.counting_since = 0.0
        if due is not None:
            loop = asyncio.get_running_loop()
            self.timer = loop.call_later(max(due - self.now(), 0.0) + 0.001, self._time_is_up)

    def _time_is_up(self) -> None:
        self.timer = None
        table, now = self.table, self.now()
        if table.phase == COUNTING:
            table.settle_count(now, patience_over=True)
        elif table.clock and table.mover is not None and (table.clock.flag() or now + 1) <= now:
            table.leave(table.mover, LATE, now)
        self.refresh()

    # --- programs --------------------------------------------------------------------------------

    def _wake_program(self) -> None:
        """Let the program whose turn it is think, as long as somebody looks."""
        table = self.table
        if table.phase == OVER or self.task is not None or not self.pages:
            return
        mover = table.mover
        if mover is not None and not table.seats[mover].person:
            self.task = asyncio.get_running_loop().create_task(self._move_of(mover))
        elif table.phase == COUNTING and self.proposed != table.number:
            self.proposed = table.number
            self.task = asyncio.get_running_loop().create_task(self._dead_stones())

    def job(self, seat: int, player: str, **more: Any) -> Job:
        """A question about the table as it is."""
        moves = tuple(played.point for played in self.table.course.moves)
        return Job(
            key=f"{self.table.id}/{seat}/{player}",
            setup=self.table.setup,
            moves=moves,
            passes=int(self.table.course.state.passes),
            seat=seat,
            player=player,
            **more,
        )

    async def _move_of(self, seat: int) -> None:
        """A program's move."""
        table, number, undone = self.table, self.table.number, self.table.undone
        try:
            answer = await self.pool.ask(self.job(seat, table.seats[seat].player))
            thought = answer.thought
            same = (number, undone) == (table.number, table.undone) and table.mover == seat
            if thought is not None and same:
                table.play(seat, thought.move, number, self.now(), thought)
                self._tell_thought(thought)
                self.failures, self.note = 0, ""
        except (NoAnswer, Refused) as problem:
            await self._failed(seat, str(problem))
        finally:
            self.task = None
        self.refresh()

    async def _failed(self, seat: int, reason: str) -> None:
        """Say what went wrong, try again, and give the seat up after that."""
        self.failures += 1
        self.note = f"{self.table.colour(seat)}: {reason}"[:200]
        if self.failures >= MOST_FAILURES and self.table.mover == seat:
            self.table.leave(seat, FAILED, self.now())
            self.failures = 0
        else:
            await asyncio.sleep(1.0)

    async def _dead_stones(self) -> None:
        """What a program takes for dead is marked, for people to mend."""
        table, number = self.table, self.table.number
        try:
            answer = await self.pool.ask(self.job(0, "", want="dead"))
            if number == table.number:
                table.propose_dead(set(answer.dead), self.now())
        except (NoAnswer, Refused) as problem:
            self.note = f"no dead stones were proposed: {problem}"[:200]
        finally:
            self.task = None
        self.refresh()

    def _tell_thought(self, thought: Thought) -> None:
        for page in self.pages:
            if view.sees_thoughts(self.table, page.seat):
                page.tell("thought")

    def _hint(self, page: Page, seat: int) -> None:
        table = self.table
        if not table.setup.hints:
            raise Refused("there are no hints at this table")
        if table.mover != seat:
            raise Refused("hints are for whose turn it is")
        if any(True for task in self.hinting if not task.done()):
            raise Refused("a hint is on its way already")
        if not page.hints.take(self.now()):
            raise Refused("enough hints for a while: think yourself a little", 429)
        task = asyncio.get_running_loop().create_task(self._give_hint(page, seat))
        self.hinting.add(task)
        task.add_done_callback(self.hinting.discard)

    async def _give_hint(self, page: Page, seat: int) -> None:
        try:
            answer = await self.pool.ask(self.job(seat, HINT_PLAYER))
        except (NoAnswer, Refused) as problem:
            page.answer(refused=f"no hint: {problem}")
            return
        if answer.thought is not None:
            page.answer(hint=view.thought(answer.thought))
